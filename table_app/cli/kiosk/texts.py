"""What the box says of itself in words: its network, its settings, and that they can't be used.

Words only; when they are shown is ``kiosk``'s business.
"""

from __future__ import annotations

import os

from table_app.appliance.requests import network_addresses
from table_app.rules.messages import Translate, _, untranslated
from table_app.settings import Settings
from table_app.translations import TranslationMissingError, translator
from table_app.view.table_view import StartScreen, TableView


def spoken(language: str) -> Translate:
    """The translation into *language*; English where there is none, which beats a dark screen."""
    try:
        return translator(language)
    except TranslationMissingError:
        return untranslated


def network_paragraphs(translate: Translate = untranslated) -> tuple[str, ...]:
    name = os.uname().nodename
    addresses = network_addresses()
    if not addresses:
        return (
            translate(_("This machine is called {}.")).format(name),
            translate(_("It is not on a network. Scores and play do not need one.")),
        )
    return (
        translate(_("This machine is called {name}, also {name}.local.")).format(name=name),
        *(translate(_("Address: {}")).format(address) for address in addresses),
    )


def settings_paragraphs(settings: Settings, translate: Translate = untranslated) -> tuple[str, ...]:
    """Where the settings are, and those that are not the usual ones; the PIN stays covered."""
    shown = []
    for name in sorted(settings.given):
        section, _dot, key = name.partition(".")
        value = translate(_("given")) if name == "kiosk.pin" else settings.values[section][key]
        shown.append(f"{section}, {key}: {value}")
    where = settings.path or "/etc/lastcard/lastcard.toml"
    return (
        translate(_("Change them in {path}, then restart the table.")).format(path=where),
        *(shown or [translate(_("All are as they come."))]),
    )


def refused_view(sentence: str, translate: Translate) -> TableView:
    """Nothing can be played before somebody mends the file; *sentence* names it, the line and what is wrong."""
    title = translate(_("The settings can't be used"))
    lead = translate(_("As soon as the file is mended the table goes on by itself."))
    # The name and one address, for whoever mends it from afar; more would not be read.
    return TableView(screen=StartScreen(title, sentence, (lead, *network_paragraphs(translate)[:2])))


def busy_view(sentence: str, translate: Translate) -> TableView:
    """Another table holds the record; *sentence* says where."""
    title = translate(_("Another table runs here"))
    lead = translate(_("As soon as it is closed this one goes on by itself."))
    return TableView(screen=StartScreen(title, lead, (sentence,)))

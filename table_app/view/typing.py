"""The keys for a name of one's own, in words; what is typed is between the window and the fingers."""

from __future__ import annotations

from dataclasses import replace

from table_app.rules.messages import Translate, _
from table_app.view.table_view import Control, Typing


def name_typing(title: str, prefix: str, translate: Translate) -> Typing:
    """Keys for a name that is sent behind *prefix*."""
    return Typing(
        control=Control("own-name", translate(_("Another name")), "pick"),
        title=title,
        prefix=prefix,
        # The letters of a keyboard of the language, row by row.
        rows=tuple(translate(_("qwertyuiop asdfghjkl zxcvbnm'-")).split()),
        delete=translate(_("Delete")),
        done=translate(_("That is it")),
        back=translate(_("Back")),
    )


NAMES_MAX = 160
"""Ten names of sixteen letters, or nearly so."""


def names_typing(prefix: str, translate: Translate) -> Typing:
    """Keys for all names on one screen, with commas between them."""
    one = name_typing(translate(_("Who plays? All names, with commas between them")), prefix, translate)
    *rows, last = one.rows
    control = Control("all-names", translate(_("All names")), "pick")
    return replace(one, control=control, rows=(*rows, f"{last},"), letters_max=NAMES_MAX)

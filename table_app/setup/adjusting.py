"""What a teacher may change by touch in the maintenance corner, one value after another, and the file that keeps it.

The owner's settings file is never written: what is chosen here lies in a small file of its own beside the record, and
goes before it. Where that file is and who writes it is not known here; nothing is opened or drawn.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from table_app.rules.messages import Translate, _
from table_app.settings import Settings, Value
from table_app.translations import languages

HEAD: Final = "# Chosen on the screen, in the maintenance corner. It goes before the settings file.\n"


@dataclass(frozen=True, slots=True)
class Knob:
    """One setting, turned from value to value by presses. *is_at_once*: it holds without a restart of the table."""

    section: str
    key: str
    label: str
    values: tuple[Value, ...]
    is_at_once: bool = False


KNOBS: Final[Mapping[str, Knob]] = {
    "buzzer": Knob("pins", "buzzer-loudness", _("Buzzer: {}"), ("loud", "quiet", "off")),
    "language": Knob("table", "language", _("Language: {}"), tuple(languages())),
    "dim": Knob("kiosk", "dim-after", _("Screen dims: {}"), (0, 1, 2, 5, 10, 20, 60), is_at_once=True),
    "aside": Knob("kiosk", "ask-after", _("Put aside: {}"), (0, 5, 10, 20, 30, 60, 120), is_at_once=True),
}
"""By the name that their button has, in the order in which they are shown."""

ADJUSTABLE: Final = frozenset(f"{knob.section}.{knob.key}" for knob in KNOBS.values())
"""The settings that have a knob, as ``section.key``."""

WORDS: Final[Mapping[Value, str]] = {"loud": _("loud"), "quiet": _("quiet"), "off": _("off"), 0: _("never")}
# Each language calls itself by its own name, so that whoever is lost in another one finds it.
LANGUAGE_NAMES: Final[Mapping[Value, str]] = {"en": "English", "de": "Deutsch"}


class Adjusting:
    """The knobs of one table.

    :param base: the settings without what was chosen in the corner.
    :param chosen: what was chosen before, as ``section.key``; what is no knob is left out.
    :param keep: keeps the text of the corner's own file, empty: takes the file away; raises ``OSError`` if it can't.
    """

    def __init__(self, base: Settings, chosen: Mapping[str, Value], keep: Callable[[str], None]) -> None:
        self._base = base
        self._keep = keep
        self._chosen = {name: chosen[_full(knob)] for name, knob in KNOBS.items() if _full(knob) in chosen}
        self._at_start = {name: self.value(name) for name in KNOBS}
        self.problem = ""

    def value(self, name: str) -> Value:
        """What holds now, or after the next start of the table."""
        knob = KNOBS[name]
        return self._chosen.get(name, self._base.values[knob.section][knob.key])

    def turn(self, name: str, translate: Translate) -> None:
        """To the next value, round and round; a value of the file's own that is not among them leads to the next
        higher one. What can't be kept is not changed, and said in *problem*."""
        if name not in KNOBS:
            return
        now, values = self.value(name), KNOBS[name].values
        if now in values:
            after = values[(values.index(now) + 1) % len(values)]
        else:
            after = next((value for value in values if _is_above(value, now)), values[0])
        self._change({**self._chosen, name: after}, translate)

    def forget(self, translate: Translate) -> None:
        """As the settings file has it."""
        self._change({}, translate)

    def _change(self, chosen: dict[str, Value], translate: Translate) -> None:
        try:
            self._keep(text_of(chosen) if chosen else "")
        except OSError as error:
            self.problem = translate(_("This can't be kept ({reason}); nothing was changed.")).format(
                reason=error.strerror or error
            )
            return
        self._chosen = chosen
        self.problem = ""

    @property
    def has_chosen(self) -> bool:
        """Whether anything differs from the settings file because of the corner."""
        return bool(self._chosen)

    @property
    def is_restart_due(self) -> bool:
        """Whether something was changed that holds only after a restart of the table."""
        return any(self.value(name) != self._at_start[name] for name, knob in KNOBS.items() if not knob.is_at_once)

    def label(self, name: str, translate: Translate) -> str:
        """What stands on the knob's button: what it is, and its value."""
        value = self.value(name)
        if name == "language":
            said = LANGUAGE_NAMES.get(value, str(value))
        elif value in WORDS:
            said = translate(WORDS[value])
        else:
            said = translate(_("after {} min")).format(value)
        return translate(KNOBS[name].label).format(said)


def text_of(chosen: Mapping[str, Value]) -> str:
    """The corner's own file: a settings file with the chosen keys alone."""
    sections: dict[str, list[str]] = {}
    for name, value in chosen.items():
        # JSON's strings and numbers are TOML's as well.
        sections.setdefault(KNOBS[name].section, []).append(f"{KNOBS[name].key} = {json.dumps(value)}")
    return HEAD + "".join(f"\n[{section}]\n" + "\n".join(lines) + "\n" for section, lines in sections.items())


def _full(knob: Knob) -> str:
    return f"{knob.section}.{knob.key}"


def _is_above(value: Value, other: Value) -> bool:
    return isinstance(value, int) and isinstance(other, int) and value > other

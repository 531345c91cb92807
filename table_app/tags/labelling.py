"""Writing cards' names onto their tags, and saying what a tag is: what a tag laid on the pad comes to.

Pages and messages are ``hardware.tags.type2``; here is which label which tag gets, and what is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

from hardware.diagnosis.examining import examine
from hardware.ports import HardwareError, TagGoneError, Transceiver
from hardware.signals import CardLabel, Signal, TagPlaced
from hardware.tags.iso14443a import Tag
from hardware.tags.sticker import Condition, Sticker
from hardware.tags.type2 import write_label
from table_app.tags.enrolling import Enrolled, Outcome, device_text, unfit_text
from table_app.tags.registry import EnrolledTag, uid_text

GONE_TEXT = "Another tag lies there now; lay one card until the sound."
TWINS_TEXT = (
    "Two stickers have this number: on the first stands {}, on this one something else or nothing. The table can't "
    "tell them apart; take stickers that each have a number of their own, such as NTAG213."
)


class Talk(Protocol):
    """How a conversation with the tag on the pad is held: :meth:`hardware.tags.reader.PollingTagReader.talk`."""

    def __call__(self, conversation: Callable[[Transceiver, Tag], Any]) -> Any: ...


class LabelWriter:
    """Writes on each tag of the list which card of which deck it is.

    :param tags: the list, by UID.
    :param talk: the reader's.
    :param is_replacing: overwrites what somebody else wrote on a tag; else such a tag is refused.
    """

    def __init__(self, tags: Mapping[bytes, EnrolledTag], talk: Talk, *, is_replacing: bool = False) -> None:
        self._tags = tags
        self._talk = talk
        self._is_replacing = is_replacing
        self.done: set[bytes] = set()
        self._written: dict[bytes, CardLabel] = {}

    @property
    def left(self) -> int:
        """How many tags of the list have not been laid yet."""
        return len(self._tags) - len(self.done)

    def take(self, signal: Signal) -> Enrolled | None:
        """What *signal* comes to; None if nothing need be said."""
        if not isinstance(signal, TagPlaced):
            return device_text(signal)
        tag = self._tags.get(signal.uid)
        if tag is None:
            text = unfit_text(signal) or f"{uid_text(signal.uid)} is not in the list: enrol it first."
            return Enrolled(Outcome.REFUSED, text)
        answer = self.write(tag)
        answer = replace(answer, text=f"{tag.name} of the deck {tag.deck}: {answer.text}")
        if answer.outcome is not Outcome.REFUSED:
            self.done.add(signal.uid)
        return answer

    def twins_text(self, uid: bytes) -> str:
        """That the sticker which lies there is another one than that on which a label was written, though it has the
        same number; empty where that is not certain."""
        written = self._written.get(uid)
        if written is None:
            return ""
        try:
            sticker = self._talk(examine)
        except HardwareError:
            return ""
        is_other = sticker.uid == uid and sticker.label != written
        return TWINS_TEXT.format(written.code) if is_other else ""

    def write(self, tag: EnrolledTag) -> Enrolled:
        """Write the label of *tag* on it, which lies on the pad, and read it back; which card it is is not said."""
        try:
            outcome, text = self._talk(lambda transceiver, found: self._write(transceiver, found, tag))
        except HardwareError as error:
            outcome, text = Outcome.REFUSED, f"not written. {error}"
        return Enrolled(outcome, text, tag)

    def _write(self, transceiver: Transceiver, found: Tag, tag: EnrolledTag) -> tuple[Outcome, str]:
        if found.uid != tag.uid:
            raise TagGoneError(GONE_TEXT)
        sticker = examine(transceiver, found, tag.label)
        if sticker.label == tag.label:
            self._written[tag.uid] = tag.label
            return Outcome.ENROLLED, "it stands there already"
        if self._written.get(tag.uid) == tag.label:
            return Outcome.REFUSED, f"not written. {TWINS_TEXT.format(tag.name)}"
        if sticker.barrier is not None:
            is_left_alone = sticker.condition is Condition.CLASSIC
            return Outcome.TOLD if is_left_alone else Outcome.REFUSED, f"not written. {sticker.barrier_text}"
        if sticker.condition in (Condition.FOREIGN, Condition.UNINTELLIGIBLE) and not self._is_replacing:
            return Outcome.REFUSED, f"not written. {sticker.sentence} {sticker.mend}"
        write_label(transceiver, found, tag.label, sticker.pages_end)
        self._written[tag.uid] = tag.label
        return Outcome.ENROLLED, "written and read back"


# -- reading -----------------------------------------------------------------------------------------------------


def facts_lines(sticker: Sticker, tag: EnrolledTag | None, words: str = "") -> list[tuple[str, str]]:
    """What *sticker* is and what the list says, as pairs of a heading and a text; *words* is the listed card's name."""
    lines = [("UID", f"{uid_text(sticker.uid)} ({len(sticker.uid)} bytes)"), ("type", sticker.chip)]
    if sticker.message_bytes is not None:
        lines.append(("size", f"{sticker.message_bytes} bytes for messages"))
        written = [f"{sticker.label.code} of the deck {sticker.label.deck}"] if sticker.label is not None else []
        lines.append(("contents", "; ".join([*written, *sticker.contents]) or "nothing"))
    lines.append(("state", sticker.condition.value))
    note = sticker.sentence if sticker.barrier in (None, sticker.condition) else sticker.barrier_text
    lines.append(("note", note))
    if sticker.mend:
        lines.append(("to do", sticker.mend))
    if tag is None:
        lines.append(("list", "not in the list of this table"))
    else:
        lines.append(("list", f"{words or tag.name}, {tag.name} of the deck {tag.deck_text}"))
    return lines

"""Writing cards' names onto their tags, and saying what a tag is: what a tag laid on the pad comes to.

Pages and messages are ``hardware.type2``; here is which label which tag gets, and what is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from hardware.iso14443a import Tag
from hardware.ports import HardwareError, TagGoneError, TagRefusedError, Transceiver
from hardware.signals import CardLabel, Signal, TagPlaced
from hardware.type2 import Type2Tag, decode_label, describe_message, write_label
from table_app.table.enrolling import Enrolled, Outcome, device_text, unfit_text
from table_app.table.registry import EnrolledTag, uid_text

CLASSIC_TEXT = "a MIFARE Classic: it is left alone, and known by its number only"
GONE_TEXT = "Another tag lies there now; lay one card until the sound."


class Talk(Protocol):
    """How a conversation with the tag on the pad is held: :meth:`hardware.tag_reader.PollingTagReader.talk`."""

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
        answer = self.write(signal, tag)
        if answer.outcome is not Outcome.REFUSED:
            self.done.add(signal.uid)
        return answer

    def write(self, signal: TagPlaced, tag: EnrolledTag) -> Enrolled:
        """Write the label of *tag* on the tag that *signal* told of, and read it back."""
        if signal.sak is not None and Tag(signal.uid, b"", signal.sak).is_classic:
            return Enrolled(Outcome.TOLD, f"{tag.name}: {CLASSIC_TEXT}.", tag)
        try:
            text = self._talk(lambda transceiver, found: self._write(transceiver, found, tag))
        except HardwareError as error:
            return Enrolled(Outcome.REFUSED, f"{tag.name}: not written. {error}", tag)
        return Enrolled(Outcome.ENROLLED, f"{tag.name} of the deck {tag.deck}: {text}", tag)

    def _write(self, transceiver: Transceiver, found: Tag, tag: EnrolledTag) -> str:
        if found.uid != tag.uid:
            raise TagGoneError(GONE_TEXT)
        message = Type2Tag(transceiver, found).read_message()
        there = decode_label(message)
        if there == tag.label:
            return "it stands there already"
        if message and there is None and not self._is_replacing:
            raise TagRefusedError(
                f"Something else stands on it ({'; '.join(describe_message(message))[:80]}). "
                "To overwrite that, write with --replace."
            )
        write_label(transceiver, found, tag.label)
        return "written and read back"


# -- reading -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TagFacts:
    """What a tag is. *message_bytes* is its room for messages, None where it has none; *trouble* is a remark."""

    uid: bytes
    kind: str
    message_bytes: int | None = None
    contents: tuple[str, ...] = ()
    label: CardLabel | None = None
    trouble: str = ""


_CLASSICS = {0x08: "MIFARE Classic 1K", 0x09: "MIFARE Classic Mini", 0x18: "MIFARE Classic 4K"}


def read_facts(transceiver: Transceiver, found: Tag) -> TagFacts:
    """Ask the selected tag all that it tells without a key. Made for a reader's ``talk``.

    :raises TagGoneError: if it left.
    """
    if found.is_smart_card:
        kind = "bank card, pass or phone (ISO/IEC 14443-4)"
        return TagFacts(found.uid, kind + (", with another number each time" if found.has_random_uid else ""))
    if not found.is_type2:
        return TagFacts(found.uid, _CLASSICS.get(found.sak, f"unknown kind (SAK {found.sak:02X}h)"))
    tag = Type2Tag(transceiver, found)
    model = tag.model()
    try:
        message = tag.read_message()
    except TagRefusedError as error:
        return TagFacts(found.uid, model.name, model.message_bytes, trouble=str(error))
    label = decode_label(message)
    contents = () if label is not None else tuple(describe_message(message)) if message else ()
    trouble = "" if model.is_writable else "It is protected against writing."
    return TagFacts(found.uid, model.name, model.message_bytes, contents, label, trouble)


def facts_lines(facts: TagFacts, tag: EnrolledTag | None, words: str = "") -> list[tuple[str, str]]:
    """*facts* and what the list says, as pairs of a heading and a text; *words* is the listed card's name."""
    lines = [("UID", f"{uid_text(facts.uid)} ({len(facts.uid)} bytes)"), ("type", facts.kind)]
    if facts.message_bytes is not None:
        lines.append(("size", f"{facts.message_bytes} bytes for messages"))
        written = [f"{facts.label.code} of the deck {facts.label.deck}"] if facts.label is not None else []
        lines.append(("contents", "; ".join([*written, *facts.contents]) or "nothing"))
    if facts.trouble:
        lines.append(("note", facts.trouble))
    if tag is None:
        lines.append(("list", "not in the list of this table"))
    else:
        lines.append(("list", f"{words or tag.name}, {tag.name} of the deck {tag.deck_text}"))
    return lines

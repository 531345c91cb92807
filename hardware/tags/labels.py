"""A reader that also reads what is written on a tag, for tags that the table does not know by their UID.

So a deck whose cards carry their names works at a table that has no list of them. What a label means there is decided
elsewhere; pages and messages are ``type2``.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from typing import Final, Protocol

from hardware.ports import DeviceFaultError, TagGoneError, TagRefusedError, Transceiver
from hardware.signals import CardLabel, Signal, TagPlaced
from hardware.tags.iso14443a import Tag
from hardware.tags.reader import Result

# Four decks. A label is read each time, since tags are written anew, and clones share a number; what was read before
# serves where a quick tap leaves no time for it.
LABELS_KEPT: Final = 512


class TalkingReader(Protocol):
    """A :class:`hardware.ports.TagReader` that also lets a conversation use the tag that lies there."""

    @property
    def name(self) -> str: ...

    @property
    def next_poll_ms(self) -> int: ...

    def poll(self, now_ms: int) -> Sequence[Signal]: ...

    def talk(self, conversation: Callable[[Transceiver, Tag], Result]) -> Result: ...

    def close(self) -> None: ...


class LabelReader:
    """A :class:`TalkingReader` over *reader* whose TagPlaced bring their label.

    :param known: UIDs that need no label, because a list says what they are; may be set anew at any time.
    """

    def __init__(self, reader: TalkingReader, known: Container[bytes] = frozenset()) -> None:
        self.known = known
        self._reader = reader
        self._labels: OrderedDict[bytes, CardLabel] = OrderedDict()

    @property
    def name(self) -> str:
        return self._reader.name

    @property
    def next_poll_ms(self) -> int:
        return self._reader.next_poll_ms

    def poll(self, now_ms: int) -> Sequence[Signal]:
        return [self._with_label(signal) for signal in self._reader.poll(now_ms)]

    def talk(self, conversation: Callable[[Transceiver, Tag], Result]) -> Result:
        return self._reader.talk(conversation)

    def close(self) -> None:
        self._reader.close()

    def _with_label(self, signal: Signal) -> Signal:
        """A tag that can't be read is told of without a label: it is then an unknown tag, and says so."""
        # Only stickers of type 2 (SAK 00h) hold pages; asking others would only take time.
        if not isinstance(signal, TagPlaced) or signal.uid in self.known or signal.sak not in (None, 0):
            return signal
        try:
            uid, label = self._reader.talk(_read)
        except (TagGoneError, TagRefusedError, DeviceFaultError):
            return replace(signal, label=self._labels.get(signal.uid))
        if uid != signal.uid:
            return replace(signal, label=self._labels.get(signal.uid))
        self._labels.pop(signal.uid, None)
        if label is not None:
            self._labels[signal.uid] = label
            if len(self._labels) > LABELS_KEPT:
                self._labels.popitem(last=False)
        return replace(signal, label=label)


def _read(transceiver: Transceiver, tag: Tag) -> tuple[bytes, CardLabel | None]:
    from hardware.tags.type2 import read_label  # ndeflib is needed only where a tag is unknown

    return tag.uid, read_label(transceiver, tag)

"""What a Type 2 tag (NTAG, Ultralight) holds: pages, its model, and an NDEF message that names a card.

Over any Transceiver, on a tag that ``iso14443a`` has selected. Pages below 4 are only ever read: lock bytes
and the capability container are one-time programmable, and nothing is ever locked. This module alone knows
``ndeflib``. Sources: NTAG213/215/216 data sheet rev. 3.2, sections 8.5 and 10; NFC Forum Type 2 Tag
specification, 2.3 (TLV) and 6.4 (writing: length 0 first, length last).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import ndef

from hardware import iso14443a
from hardware.iso14443a import Tag, check_crc, with_crc
from hardware.ports import Answer, TagGoneError, TagRefusedError, Transceiver

PAGE_BYTES: Final = 4
READ_BYTES: Final = 16
FIRST_USER_PAGE: Final = 4
# Times the sheet allows before an answer (section 10): READ 5 ms, WRITE 10 ms, GET_VERSION 5 ms.
READ_TIMEOUT_US: Final = 5_000
WRITE_TIMEOUT_US: Final = 10_000
# One exchange in some hundred is damaged on the air; four tries make a lost one rarer than one in a million.
TRIES: Final = 4
# A selection is five exchanges, any of which may be the damaged one.
SELECTIONS: Final = 6
# A card's label is some forty bytes; a length of one byte is enough, and 255 announces three (2.3.1).
MESSAGE_BYTES_MAX: Final = 254

_NULL, _NDEF, _END = 0x00, 0x03, 0xFE
_ACKNOWLEDGE: Final = 0x0A
# Not acknowledged: 0 wrong address or command, 4 not authenticated. 1 (damaged frame) and 5 (EEPROM) are
# tried again.
_REFUSALS: Final = (0x0, 0x4)
_MAGIC: Final = 0xE1
_MODELS: Final = {0x0F: "NTAG213", 0x11: "NTAG215", 0x13: "NTAG216"}

# A media type of our own, and in it a version, the face's code and the deck's name.
LABEL_TYPE: Final = "application/vnd.lastcard.card"
_LABEL_VERSION: Final = "1"


@dataclass(frozen=True, slots=True)
class TagModel:
    """What kind of tag it is. *message_bytes* is the room for messages as its capability container says."""

    name: str
    message_bytes: int
    is_writable: bool


@dataclass(frozen=True, slots=True)
class CardLabel:
    """What is written on a tag: a face's code (``r7``) and the name of the deck it belongs to."""

    code: str
    deck: str

    def __post_init__(self) -> None:
        if not self.code or not self.code.isprintable() or " " in self.code:
            raise ValueError(f"{self.code!r} is no face's code")
        if not self.deck.strip() or not self.deck.isprintable():
            raise ValueError(f"{self.deck!r} is no deck's name")


def encode_label(label: CardLabel) -> bytes:
    """The NDEF message that says *label*."""
    text = f"{_LABEL_VERSION} {label.code} {label.deck}"
    return b"".join(ndef.message_encoder([ndef.Record(LABEL_TYPE, "", text.encode())]))


def decode_label(message: bytes) -> CardLabel | None:
    """The label in an NDEF message, or None if it holds none that can be understood."""
    for record in _records(message):
        if record.type != LABEL_TYPE:
            continue
        try:
            version, code, deck = bytes(record.data).decode().split(" ", 2)
            return CardLabel(code, deck) if version == _LABEL_VERSION else None
        except ValueError:  # bad UTF-8 is one too
            return None
    return None


def read_label(transceiver: Transceiver, tag: Tag) -> CardLabel | None:
    """What the selected *tag* says it is, or None. Made for :meth:`PollingTagReader.talk`.

    :raises TagGoneError: if the tag left.
    :raises TagRefusedError: if it can't hold a label.
    """
    return decode_label(Type2Tag(transceiver, tag).read_message())


def write_label(transceiver: Transceiver, tag: Tag, label: CardLabel) -> None:
    """Write *label* on the selected *tag* and read it back; raises as :meth:`Type2Tag.write_message`."""
    Type2Tag(transceiver, tag).write_message(encode_label(label))


def describe_message(message: bytes) -> list[str]:
    """One line a record, for people; a message that can't be read is one line that says so."""
    records = _records(message)
    if message and not records:
        return ["a message that can't be read"]
    lines = []
    for record in records:
        if isinstance(record, ndef.UriRecord):
            lines.append(f"link: {record.iri}")
        elif isinstance(record, ndef.TextRecord):
            lines.append(f"text: {record.text}")
        else:
            lines.append(f"{record.type or 'empty record'}, {len(record.data)} bytes")
    return lines


def _records(message: bytes) -> list[ndef.Record]:
    try:
        return list(ndef.message_decoder(message))
    except Exception:  # ndeflib lets errors of several kinds out when a message is damaged
        return []


class Type2Tag:
    """A selected Type 2 tag.

    Each command is tried again after a new selection if its answer is damaged or missing. Refusals by the
    tag are not repeated; the tag is selected anew after them, because it falls back to rest.

    :raises TagGoneError: from every method, if the tag can't be reached or is another one.
    """

    def __init__(self, transceiver: Transceiver, tag: Tag) -> None:
        if not tag.is_type2:
            raise TagRefusedError("This tag holds no pages: it is not an NTAG. It is known by its UID only.")
        self._transceiver = transceiver
        self._tag = tag

    def read(self, page: int) -> bytes:
        """Return the 16 bytes of four pages from *page* on.

        :raises TagRefusedError: if the tag has no such page.
        """
        data = self._command(bytes((0x30, page)), READ_BYTES, READ_TIMEOUT_US)
        if data is None:
            raise TagRefusedError(f"The tag has no page {page}.")
        return data

    def write(self, page: int, data: bytes) -> None:
        """Write the four bytes of one page for the user.

        :raises TagRefusedError: if the page is locked, needs a password or does not exist.
        """
        assert page >= FIRST_USER_PAGE, "pages below 4 can't be undone"
        assert len(data) == PAGE_BYTES
        if self._command(bytes((0xA2, page)) + data, 0, WRITE_TIMEOUT_US) is None:
            raise TagRefusedError(f"The tag does not let page {page} be written: it is locked or protected.")

    def version(self) -> bytes | None:
        """The eight bytes of GET_VERSION, or None from older tags and clones, which don't know it."""
        return self._command(b"\x60", 8, READ_TIMEOUT_US, may_be_unknown=True)

    def model(self) -> TagModel:
        """What kind of tag this is, by its version if it has one, and by its capability container."""
        version = self.version()
        head = self.read(0)
        size = head[14] * 8 if head[12] == _MAGIC else 0
        writable = head[12] == _MAGIC and head[15] & 0x0F == 0
        if version is None:
            return TagModel("Type 2 tag without a version (a clone, or older than NTAG213)", size, writable)
        name = _MODELS.get(version[6], "unknown NTAG") if version[1:3] == b"\x04\x04" else "Ultralight"
        return TagModel(name, size, writable)

    def read_message(self) -> bytes:
        """The NDEF message on the tag; empty if there is none.

        :raises TagRefusedError: if the tag isn't formatted for messages.
        """
        area = _Area(self)
        offset = area.find_message()
        if offset is None or area.byte(offset) != _NDEF:
            return b""
        length, head = area.length(offset)
        return area.part(offset + head, length)

    def write_message(self, message: bytes) -> None:
        """Put *message* on the tag in place of the one there, and read it back. Locks nothing.

        The old message is emptied first and the new length is written last, so that a tag that leaves in
        between holds no message rather than a wrong one.

        :raises ValueError: if the message is longer than 254 bytes.
        :raises TagRefusedError: if the tag is too small, protected or not formatted, or does not keep what
            was written.
        """
        if len(message) > MESSAGE_BYTES_MAX:
            raise ValueError(f"a message has at most {MESSAGE_BYTES_MAX} bytes, not {len(message)}")
        area = _Area(self)
        if not area.is_writable:
            raise TagRefusedError("This tag is protected against writing. Take another sticker.")
        offset = area.find_message()
        if offset is None or offset + 2 + len(message) > area.size:
            raise TagRefusedError("This tag is too small for the message. Take an NTAG213 or larger.")
        end = bytes((_END,)) if offset + 2 + len(message) < area.size else b""
        if area.part(offset, 2 + len(message)) == bytes((_NDEF, len(message))) + message:
            return  # it is there already; a page bears some hundred thousand writes
        area.write(offset, bytes((_NDEF, 0)))
        area.write(offset + 2, message + end)
        area.write(offset, bytes((_NDEF, len(message))))
        if self.read_message() != message:
            raise TagRefusedError("The tag did not keep what was written. It is worn out or a fake: take another.")

    # One command and its repetitions.

    def _command(
        self, body: bytes, answer_bytes: int, timeout_us: int, *, may_be_unknown: bool = False
    ) -> bytes | None:
        """Send a command until the answer is clear: data (none for an acknowledgement), None for a refusal.

        A tag that stays silent although it can be selected refuses too if *may_be_unknown*.
        """
        for tried in range(TRIES):
            if tried:
                self._select_again()
            reply = self._transceiver.exchange(
                with_crc(body), answer_bytes=answer_bytes + 2 if answer_bytes else 1, timeout_us=timeout_us
            )
            if isinstance(reply, Answer) and len(reply.data) == 1 and reply.last_bits == 4:
                code = reply.data[0] & 0x0F
                if code == _ACKNOWLEDGE and not answer_bytes:
                    return b""
                if code in _REFUSALS:
                    self._select_again()
                    return None
            elif answer_bytes:
                checked = check_crc(reply, answer_bytes)
                if isinstance(checked, Answer):
                    return checked.data
        self._select_again()
        if may_be_unknown:
            return None
        raise TagGoneError("The tag answers badly. Lay it flat on the middle of the reader and leave it there.")

    def _select_again(self) -> None:
        for _ in range(SELECTIONS):
            iso14443a.halt(self._transceiver)
            found = iso14443a.activate(self._transceiver)
            if isinstance(found, Tag):
                if found.uid == self._tag.uid:
                    return
                break
        raise TagGoneError("The tag left before it was finished with. Lay it down again until the sound.")


class _Area:
    """The tag's user memory as bytes from page 4 on, read when it is needed, written page by page."""

    def __init__(self, tag: Type2Tag) -> None:
        self._tag = tag
        capability = tag.read(0)[12:]
        if capability[0] != _MAGIC:
            raise TagRefusedError("This tag isn't formatted for messages. Take another sticker.")
        self.size = capability[2] * 8
        self.is_writable = capability[3] & 0x0F == 0
        self._memory = bytearray()

    def part(self, offset: int, length: int) -> bytes:
        """Bytes of the area; as many as there are, if it ends before."""
        end = min(offset + length, self.size)
        while len(self._memory) < end:
            self._memory += self._tag.read(FIRST_USER_PAGE + len(self._memory) // PAGE_BYTES)
        return bytes(self._memory[offset:end])

    def byte(self, offset: int) -> int:
        found = self.part(offset, 1)
        return found[0] if found else _END

    def length(self, offset: int) -> tuple[int, int]:
        """The length of the block at *offset*, and how many bytes its head has: two, or four from 255 on."""
        if self.byte(offset + 1) != 0xFF:
            return self.byte(offset + 1), 2
        return self.byte(offset + 2) << 8 | self.byte(offset + 3), 4

    def find_message(self) -> int | None:
        """Where the message is, or where one may begin: at the end mark, or where nothing is understood."""
        offset = 0
        while offset < self.size:
            kind = self.byte(offset)
            if kind in (_NDEF, _END):
                return offset
            if kind == _NULL:
                offset += 1
                continue
            length, head = self.length(offset)
            offset += head + length
        return None

    def write(self, offset: int, data: bytes) -> None:
        """Write *data* at *offset*, whole pages at a time; a page that holds it already is left alone."""
        first = offset // PAGE_BYTES
        last = (offset + len(data) - 1) // PAGE_BYTES
        old = bytearray(self.part(first * PAGE_BYTES, (last - first + 1) * PAGE_BYTES))
        new = bytearray(old)
        start = offset - first * PAGE_BYTES
        new[start : start + len(data)] = data
        for page in range(first, last + 1):
            part = slice((page - first) * PAGE_BYTES, (page - first + 1) * PAGE_BYTES)
            if new[part] != old[part]:
                self._tag.write(FIRST_USER_PAGE + page, bytes(new[part]))
        self._memory[first * PAGE_BYTES : (last + 1) * PAGE_BYTES] = new

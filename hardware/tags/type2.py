"""What a Type 2 tag (NTAG, Ultralight) holds: its pages, and an NDEF message that names a card.

Over any Transceiver, on a tag that ``iso14443a`` has selected. Pages below 4 are only ever read: lock bytes
and the capability container are one-time programmable, and nothing is ever locked. This module alone knows
``ndeflib``; what a tag is good for is ``sticker``. Sources: NTAG213/215/216 data sheet rev. 3.2, sections 8.5
and 10; NFC Forum Type 2 Tag specification, 2.3 (TLV) and 6.4 (writing: length 0 first, length last).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import ndef

from hardware.ports import Answer, TagGoneError, TagRefusedError, Transceiver
from hardware.signals import CardLabel
from hardware.tags import iso14443a
from hardware.tags.iso14443a import Tag, check_crc, with_crc

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

# Nobody begins a message behind so many zeros, as long as the smallest tag; and a tag that claims more than it has
# holds other things behind its zeros.
NULLS_MAX: Final = 48

_NULL, _NDEF, _END = 0x00, 0x03, 0xFE
_ACKNOWLEDGE: Final = 0x0A
# How the answer to AUTHENTICATE begins (Ultralight C sheet, 7.5.5).
_AUTHENTICATES: Final = 0xAF
# Not acknowledged: 0 wrong address or command, 4 not authenticated. 1 (damaged frame) and 5 (EEPROM) are
# tried again.
_REFUSALS: Final = (0x0, 0x4)
MAGIC: Final = 0xE1
"""How the capability container of a tag begins that is formatted for messages."""

# A media type of our own, and in it a version, the card's code and the deck's name.
LABEL_TYPE: Final = "application/vnd.lastcard.card"
_LABEL_VERSION: Final = "1"


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


def write_label(transceiver: Transceiver, tag: Tag, label: CardLabel, pages_end: int | None = None) -> None:
    """Write *label* on the selected *tag* and read it back; as :meth:`Type2Tag.write_message`."""
    Type2Tag(transceiver, tag).write_message(encode_label(label), pages_end)


def says_nothing(message: bytes) -> bool:
    """True of no message, and of those that apps leave where they erase: empty records, or texts and links of none."""
    records = _records(message)
    return not message or (bool(records) and not any(_says_anything(record) for record in records))


def _says_anything(record: ndef.Record) -> bool:
    if isinstance(record, ndef.TextRecord):
        return bool(record.text.strip())
    return bool(record.iri) if isinstance(record, ndef.UriRecord) else bool(record.type or record.data)


def is_understood(message: bytes) -> bool:
    """True of a message that holds records, whatever they say."""
    return bool(_records(message))


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

        :raises TagRefusedError: if the tag has no such page, or asks for a password before it is read.
        """
        data = self.try_read(page)
        if data is None:
            raise TagRefusedError(
                f"The tag does not let page {page} be read: it asks for a password, or has none such."
            )
        return data

    def try_read(self, page: int) -> bytes | None:
        """As `read`; None where the tag refuses."""
        return self._command(bytes((0x30, page)), READ_BYTES, READ_TIMEOUT_US)

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

    def asks_for_key(self) -> bool:
        """True of a tag that knows AUTHENTICATE (1Ah), the first of two parts, and so is an Ultralight C."""
        answer = self._command(b"\x1a\x00", 9, READ_TIMEOUT_US, may_be_unknown=True)
        self._select_again()  # it awaits the second part
        return answer is not None and answer[0] == _AUTHENTICATES

    def read_message(self) -> bytes:
        """The NDEF message on the tag; empty if there is none.

        :raises TagRefusedError: if the tag isn't formatted for messages.
        """
        return Area(self, self.read(0)[12:]).find().message or b""

    def write_message(self, message: bytes, pages_end: int | None = None) -> None:
        """Put *message* on the tag in place of the one there, and read it back. Locks nothing.

        The old message is emptied first and the new length is written last, so that a tag that leaves in
        between holds no message rather than a wrong one.

        :param pages_end: where the user's pages end, for tags that claim more than they have: behind them are
            bits that can't be undone.
        :raises ValueError: if the message is longer than 254 bytes.
        :raises TagRefusedError: if the tag is too small, protected or not formatted, or does not keep what
            was written.
        """
        if len(message) > MESSAGE_BYTES_MAX:
            raise ValueError(f"a message has at most {MESSAGE_BYTES_MAX} bytes, not {len(message)}")
        area = Area(self, self.read(0)[12:], pages_end)
        if not area.is_writable:
            raise TagRefusedError("This tag is protected against writing. Take another sticker.")
        offset = area.find().offset
        if offset + 2 + len(message) > area.size:
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


class Found(NamedTuple):
    """Where a tag's message is, or may begin: at byte *offset* of its area.

    *message* is empty where there is none, and None where what stands there can't be understood.
    """

    offset: int
    message: bytes | None


class Area:
    """A tag's user memory as bytes from page 4 on, read when it is needed, written page by page.

    :param capability: page 3.
    :param pages_end: the first page that is no user's any more, or can't be read; None: as the capability says.
    :raises TagRefusedError: if the tag isn't formatted for messages.
    """

    def __init__(self, tag: Type2Tag, capability: bytes, pages_end: int | None = None) -> None:
        self._tag = tag
        if capability[0] != MAGIC:
            raise TagRefusedError("This tag isn't formatted for messages. Take another sticker.")
        self.size = capability[2] * 8
        if pages_end is not None:
            self.size = min(self.size, (pages_end - FIRST_USER_PAGE) * PAGE_BYTES)
        self.is_writable = capability[3] & 0x0F == 0
        self._memory = bytearray()

    def part(self, offset: int, length: int) -> bytes:
        """Bytes of the area; as many as there are, if it ends before."""
        end = min(offset + length, self.size)
        while len(self._memory) < end:
            self._memory += self._tag.read(FIRST_USER_PAGE + len(self._memory) // PAGE_BYTES)
        return bytes(self._memory[offset:end])

    def find(self) -> Found:
        """The message, or where one may begin: at the end mark, behind the last block, or where sense ends."""
        offset = free = 0
        while offset < self.size:
            kind = self._byte(offset)
            if kind == _END:
                return Found(offset, b"")
            if kind == _NULL:
                offset += 1
                if offset - free >= NULLS_MAX:
                    break
                continue
            length, head = self._length(offset)
            after = offset + head + length
            if after > self.size:
                return Found(offset, None)
            if kind == _NDEF:
                return Found(offset, self.part(offset + head, length))
            offset = free = after
        return Found(free, b"")  # nothing but zeros: wiped

    def _byte(self, offset: int) -> int:
        found = self.part(offset, 1)
        return found[0] if found else _END

    def _length(self, offset: int) -> tuple[int, int]:
        """The length of the block at *offset*, and how many bytes its head has: two, or four from 255 on."""
        if self._byte(offset + 1) != 0xFF:
            return self._byte(offset + 1), 2
        return self._byte(offset + 2) << 8 | self._byte(offset + 3), 4

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

"""Bytes to frames and back: COBS, CRC-32, delimiters and a bound on length.

Pure: no message, no session and no I/O may live here. The wire is described in ``PROTOCOL.md``; the board's
half of the same is ``firmware/frames.py``, and ``vectors.json`` holds both to it.

COBS is Cheshire and Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM Transactions on Networking 7 (2),
1999. The CRC is CRC-32 of IEEE 802.3 as in ``zlib.crc32``, sent low byte first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from zlib import crc32

# A phrase of 64 tones needs 388 bytes and the longest report about 700; a board has 264 kB in all.
PAYLOAD_MAX: Final = 768
CRC_BYTES: Final = 4
# COBS adds one byte for each 254 begun.
ENCODED_MAX: Final = PAYLOAD_MAX + CRC_BYTES + (PAYLOAD_MAX + CRC_BYTES) // 254 + 1
# A frame without kind, session and number can't be one of ours.
PAYLOAD_MIN: Final = 4

_GROUP: Final = 254


class FrameError(ValueError):
    """A stretch between two delimiters is no frame."""


def cobs_encode(data: bytes) -> bytes:
    """Return *data* without a zero byte in it, one byte longer for each 254 begun."""
    encoded = bytearray()
    *heads, last = data.split(b"\x00")
    for part in heads:
        while len(part) >= _GROUP:
            encoded.append(_GROUP + 1)
            encoded += part[:_GROUP]
            part = part[_GROUP:]
        encoded.append(len(part) + 1)
        encoded += part
    while len(last) > _GROUP:
        encoded.append(_GROUP + 1)
        encoded += last[:_GROUP]
        last = last[_GROUP:]
    encoded.append(len(last) + 1)
    encoded += last
    return bytes(encoded)


def cobs_decode(encoded: bytes) -> bytes:
    """Undo :func:`cobs_encode`.

    :raises FrameError: if a group is longer than what is left, or a zero lies inside.
    """
    decoded = bytearray()
    position = 0
    size = len(encoded)
    while position < size:
        code = encoded[position]
        end = position + code
        if code == 0 or end > size:
            raise FrameError("a group of bytes is longer than the frame")
        decoded += encoded[position + 1 : end]
        position = end
        if code <= _GROUP and position < size:
            decoded.append(0)
    if encoded.find(0) >= 0:
        raise FrameError("a zero lies inside the frame")
    return bytes(decoded)


def encode_frame(payload: bytes) -> bytes:
    """Return *payload* with its CRC, stuffed, between two delimiters.

    The delimiter before it costs a byte and saves the frame from whatever was on the line.

    :raises ValueError: if it has fewer than 4 or more than 768 bytes.
    """
    if not PAYLOAD_MIN <= len(payload) <= PAYLOAD_MAX:
        raise ValueError(f"a payload has {PAYLOAD_MIN} to {PAYLOAD_MAX} bytes, not {len(payload)}")
    return b"\x00" + cobs_encode(payload + crc32(payload).to_bytes(CRC_BYTES, "little")) + b"\x00"


def decode_frame(encoded: bytes) -> bytes:
    """Return the payload of what stood between two delimiters.

    :raises FrameError: if it is damaged, too short or too long.
    """
    if len(encoded) > ENCODED_MAX:
        raise FrameError("the frame is longer than any may be")
    decoded = cobs_decode(encoded)
    payload, check = decoded[:-CRC_BYTES], decoded[-CRC_BYTES:]
    if len(payload) < PAYLOAD_MIN:
        raise FrameError("the frame is too short")
    if crc32(payload).to_bytes(CRC_BYTES, "little") != check:
        raise FrameError("the check sum (CRC-32) is wrong")
    return payload


@dataclass(slots=True)
class FrameCounters:
    """What came in, by fate. *skipped_bytes* counts every byte that belonged to no good frame."""

    good: int = 0
    damaged: int = 0
    too_long: int = 0
    skipped_bytes: int = 0


class FrameReader:
    """Cuts a stream of bytes into payloads; whatever is no frame is counted and skipped.

    Holds at most one unfinished frame, whatever arrives.
    """

    def __init__(self) -> None:
        self.counters = FrameCounters()
        self._pending = bytearray()
        self._overrun = False

    def receive_data(self, data: bytes) -> list[bytes]:
        """Take any stretch of the stream and return the payloads that it completed."""
        payloads = []
        *ended, rest = data.split(b"\x00")
        for stretch in ended:
            self._hold(stretch)
            payload = self._end_stretch()
            if payload is not None:
                payloads.append(payload)
        self._hold(rest)
        return payloads

    def reset(self) -> None:
        """Forget an unfinished frame: the line was opened anew."""
        self._pending.clear()
        self._overrun = False

    def _hold(self, stretch: bytes) -> None:
        if self._overrun or len(self._pending) + len(stretch) > ENCODED_MAX:
            self.counters.skipped_bytes += len(self._pending) + len(stretch)
            self._pending.clear()
            self._overrun = True
        else:
            self._pending += stretch

    def _end_stretch(self) -> bytes | None:
        if self._overrun:
            self._overrun = False
            self.counters.too_long += 1
            return None
        if not self._pending:
            return None
        encoded = bytes(self._pending)
        self._pending.clear()
        try:
            payload = decode_frame(encoded)
        except FrameError:
            self.counters.damaged += 1
            self.counters.skipped_bytes += len(encoded)
            return None
        self.counters.good += 1
        return payload

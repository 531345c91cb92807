"""Frames on the board: COBS, CRC-32, delimiters, and one buffer that never grows.

The same wire as the host's ``firmware_bridge/frames.py``; no message and no I/O may live here.
"""

from binascii import crc32

PAYLOAD_MAX = 768
CRC_BYTES = 4
ENCODED_MAX = PAYLOAD_MAX + CRC_BYTES + (PAYLOAD_MAX + CRC_BYTES) // 254 + 1
PAYLOAD_MIN = 4


def cobs_encode(data: bytes) -> bytes:
    encoded = bytearray()
    parts = bytes(data).split(b"\x00")
    last = len(parts) - 1
    for index, part in enumerate(parts):
        while len(part) > 254 or (len(part) == 254 and index < last):
            encoded.append(255)
            encoded.extend(part[:254])
            part = part[254:]
        encoded.append(len(part) + 1)
        encoded.extend(part)
    return bytes(encoded)


def cobs_decode(encoded: bytes) -> "bytes | None":
    """Undo ``cobs_encode``; None if it can't be."""
    decoded = bytearray()
    position = 0
    size = len(encoded)
    while position < size:
        code = encoded[position]
        end = position + code
        if code == 0 or end > size:
            return None
        decoded.extend(encoded[position + 1 : end])
        position = end
        if code < 255 and position < size:
            decoded.append(0)
    return None if b"\x00" in encoded else bytes(decoded)


def encode_frame(payload: bytes) -> bytes:
    check = crc32(payload).to_bytes(4, "little")
    return b"\x00" + cobs_encode(payload + check) + b"\x00"


def decode_frame(encoded: bytes) -> "bytes | None":
    decoded = cobs_decode(encoded)
    if decoded is None or len(decoded) < PAYLOAD_MIN + CRC_BYTES:
        return None
    payload = decoded[:-4]
    return payload if crc32(payload).to_bytes(4, "little") == decoded[-4:] else None


class FrameReader:
    """Cuts incoming bytes into payloads. ``good``, ``damaged`` and ``too_long`` count frames by fate."""

    def __init__(self) -> None:
        self.good = 0
        self.damaged = 0
        self.too_long = 0
        self._buffer = bytearray(ENCODED_MAX)
        self._length = 0
        self._overrun = False

    def receive(self, byte: int) -> "bytes | None":
        """Take one byte and return the payload that it completed, or None."""
        if byte:
            if self._length < ENCODED_MAX:
                self._buffer[self._length] = byte
                self._length += 1
            else:
                self._overrun = True
            return None
        length, self._length = self._length, 0
        overrun, self._overrun = self._overrun, False
        if overrun:
            self.too_long += 1
            return None
        if not length:
            return None
        payload = decode_frame(bytes(memoryview(self._buffer)[:length]))
        if payload is None:
            self.damaged += 1
        else:
            self.good += 1
        return payload

"""MIFARE Classic cards: sectors behind two keys, access conditions, value blocks.

The cipher itself isn't simulated: the reader's chip holds the same key, so a flag stands for the session. The frame
level below is ``tags``. Source: MIFARE Classic EV1 1K data sheet (MF1S50yyX), sections 8.6, 8.7 and 9 to 12.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from hardware.simulated.tags import ACKNOWLEDGE, HALT_FRAME, WRITE_NS, Burst, SimulatedTag, State, reply
from hardware.tags.iso14443a import crc_a

FACTORY_KEY: Final = b"\xff" * 6
# As delivered: key A may do all, and key B, which key A may read, is data and opens nothing.
FACTORY_ACCESS: Final = b"\xff\x07\x80\x69"
_KEY_A, _KEY_B = 0x60, 0x61
_READ, _WRITE, _DECREMENT, _INCREMENT, _RESTORE, _TRANSFER = 0x30, 0xA0, 0xC0, 0xC1, 0xC2, 0xB0
# Refusals (table 9): the lowest bit is a wrong CRC or parity, bit 2 an empty transfer buffer.
_NAK_OPERATION: Final = 0x00
_NAK_CHECK_SUM: Final = 0x01
_NAK_BUFFER_EMPTY: Final = 0x04


class _DataRights(NamedTuple):
    """Which keys may do what with a data block (table 8)."""

    read: str
    write: str
    increment: str
    decrement: str
    """Restore and transfer too."""


class _TrailerRights(NamedTuple):
    """Which keys may do what with the parts of a sector's trailer (table 7); key A is never read."""

    write_key_a: str
    read_access: str
    write_access: str
    read_key_b: str
    write_key_b: str


# By the access bits C1, C2, C3 of a block.
_DATA: Final = {
    0b000: _DataRights("AB", "AB", "AB", "AB"),
    0b010: _DataRights("AB", "", "", ""),
    0b100: _DataRights("AB", "B", "", ""),
    0b110: _DataRights("AB", "B", "B", "AB"),
    0b001: _DataRights("AB", "", "", "AB"),
    0b011: _DataRights("B", "B", "", ""),
    0b101: _DataRights("B", "", "", ""),
    0b111: _DataRights("", "", "", ""),
}
_TRAILER: Final = {
    0b000: _TrailerRights("A", "A", "", "A", "A"),
    0b010: _TrailerRights("", "A", "", "A", ""),
    0b100: _TrailerRights("B", "AB", "", "", "B"),
    0b110: _TrailerRights("", "AB", "", "", ""),
    0b001: _TrailerRights("A", "A", "A", "A", "A"),
    0b011: _TrailerRights("B", "AB", "B", "", "B"),
    0b101: _TrailerRights("", "AB", "B", "", ""),
    0b111: _TrailerRights("", "AB", "", "", ""),
}


class MifareClassic1K(SimulatedTag):
    """A MIFARE Classic card: 16 sectors of four blocks, nothing without Crypto1 authentication.

    ``memory`` holds the trailers too, with both keys.

    :param keys: key A by sector, where it is not the factory's; *keys_b* likewise.
    """

    def __init__(
        self,
        uid: bytes,
        keys: Mapping[int, bytes] = MappingProxyType({}),
        keys_b: Mapping[int, bytes] = MappingProxyType({}),
    ) -> None:
        super().__init__(uid, atqa=b"\x04\x00", sak=0x08)
        if len(uid) != 4:
            raise ValueError("this card's UID has 4 bytes")
        self.memory = bytearray(64 * 16)
        self.memory[:5] = self._levels[0][0]
        self.memory[5:8] = b"\x08\x04\x00"
        for sector in range(16):
            trailer = keys.get(sector, FACTORY_KEY) + FACTORY_ACCESS + keys_b.get(sector, FACTORY_KEY)
            self.memory[sector * 64 + 48 : sector * 64 + 64] = trailer
        self._forget_session()

    def _forget_session(self) -> None:
        self._open_sector: int | None = None
        self._key = ""
        self._pending: tuple[int, int] | None = None  # command and block whose second part is awaited
        self._buffer: tuple[int, int] | None = None  # value and address byte

    def lose_power(self) -> None:
        super().lose_power()
        self._forget_session()

    def _rest(self) -> None:
        super()._rest()
        self._forget_session()

    def authenticate(self, key_type: int, block: int, key: bytes, uid: bytes, *, encrypted: bool = False) -> bool:
        trailer = (block // 4 * 4 + 3) * 16
        keys = {_KEY_A: trailer, _KEY_B: trailer + 10}
        if (
            self.state is not State.ACTIVE
            or block >= 64
            or encrypted != (self._open_sector is not None)
            or uid != self.uid
            or key_type not in keys
            or key != self.memory[keys[key_type] : keys[key_type] + 6]
        ):
            self._rest()
            return False
        self._forget_session()
        self._open_sector = block // 4
        self._key = "A" if key_type == _KEY_A else "B"
        return True

    def _command(self, frame: bytes, bits: int) -> Burst | None:
        # Without a session every command is refused (sheet, section 10: "Not authenticated").
        return self._refuse(_NAK_OPERATION)

    def _refuse(self, code: int) -> Burst:
        is_buffer_empty = self._buffer is None
        return super()._refuse(code | (_NAK_BUFFER_EMPTY if is_buffer_empty else 0))

    def _receive_encrypted(self, frame: bytes, bits: int) -> Burst | None:
        if self._open_sector is None or self.state is not State.ACTIVE:
            return super()._receive_encrypted(frame, bits)
        pending, self._pending = self._pending, None
        if bits % 8 or len(frame) < 3 or crc_a(frame[:-2]) != frame[-2:]:
            return self._refuse(_NAK_CHECK_SUM)
        body = frame[:-2]
        if pending is not None:
            return self._finish(*pending, body)
        if frame == HALT_FRAME:
            self.state = State.HALT
            self._forget_session()
            return None
        if len(body) != 2 or body[1] // 4 != self._open_sector:
            return self._refuse(_NAK_OPERATION)
        return self._begin(*body)

    def _begin(self, command: int, block: int) -> Burst:
        """The first part of a command, which for most is all."""
        if command == _READ:
            data = self._readable(block)
            return self._refuse(_NAK_OPERATION) if data is None else reply(data)
        if command == _TRANSFER:
            if self._buffer is None or not self._may(block, "decrement"):
                return self._refuse(_NAK_OPERATION)
            self._set(block, _value_block(*self._buffer))
            return bytes((ACKNOWLEDGE,)), 4, WRITE_NS
        right = {_WRITE: "write", _INCREMENT: "increment", _DECREMENT: "decrement", _RESTORE: "decrement"}.get(command)
        is_value = command == _WRITE or _value_of(self._block(block)) is not None
        if right is None or not is_value or not self._may(block, right):
            return self._refuse(_NAK_OPERATION)
        self._pending = command, block
        return bytes((ACKNOWLEDGE,)), 4, 0

    def _finish(self, command: int, block: int, data: bytes) -> Burst | None:
        """The second part: 16 bytes for a block, or the operand, to which a card that agrees says nothing."""
        if command == _WRITE:
            if len(data) != 16:
                return self._refuse(_NAK_OPERATION)
            self._write(block, data)
            return bytes((ACKNOWLEDGE,)), 4, WRITE_NS
        value = _value_of(self._block(block))
        if len(data) != 4 or value is None:
            return self._refuse(_NAK_OPERATION)
        step = {_INCREMENT: 1, _DECREMENT: -1, _RESTORE: 0}[command] * int.from_bytes(data, "little")
        if not -(1 << 31) <= value[0] + step < 1 << 31:
            return self._refuse(_NAK_OPERATION)
        self._buffer = value[0] + step, value[1]
        return None

    # Blocks and who may use them.

    def _block(self, block: int) -> bytes:
        return bytes(self.memory[block * 16 : block * 16 + 16])

    def _set(self, block: int, data: bytes) -> None:
        self.memory[block * 16 : block * 16 + 16] = data

    def _access(self, block: int) -> int | None:
        """C1, C2, C3 of a block, or None if they do not agree with their inverse: then the sector is blocked."""
        inverted, mixed, plain = self.memory[(block // 4 * 4 + 3) * 16 + 6 :][:3]
        first, second, third = mixed >> 4, plain & 0x0F, plain >> 4
        if (inverted & 0x0F, inverted >> 4, mixed & 0x0F) != (first ^ 0x0F, second ^ 0x0F, third ^ 0x0F):
            return None
        place = block % 4
        return (first >> place & 1) << 2 | (second >> place & 1) << 1 | third >> place & 1

    def _trailer_rights(self, block: int) -> _TrailerRights | None:
        access = self._access(block // 4 * 4 + 3)
        rights = None if access is None else _TRAILER[access]
        # Where key B can be read it is data, and whoever came with it is refused everything.
        return None if rights is None or (self._key == "B" and rights.read_key_b) else rights

    def _may(self, block: int, right: str) -> bool:
        access, trailer = self._access(block), self._trailer_rights(block)
        if access is None or trailer is None or (block == 0 and right != "read"):
            return False
        if block % 4 == 3:
            return right == "write" and any(
                self._key in keys for keys in (trailer.write_key_a, trailer.write_access, trailer.write_key_b)
            )
        return self._key in getattr(_DATA[access], right)

    def _readable(self, block: int) -> bytes | None:
        if block % 4 != 3:
            return self._block(block) if self._may(block, "read") else None
        rights, data = self._trailer_rights(block), self._block(block)
        if rights is None or self._key not in rights.read_access:
            return None
        return bytes(6) + data[6:10] + (data[10:] if self._key in rights.read_key_b else bytes(6))

    def _write(self, block: int, data: bytes) -> None:
        if block % 4 != 3:
            self._set(block, data)
            return
        rights, kept = self._trailer_rights(block), self._block(block)
        assert rights is not None  # else the first part was refused
        self._set(
            block,
            (data if self._key in rights.write_key_a else kept)[:6]
            + (data if self._key in rights.write_access else kept)[6:10]
            + (data if self._key in rights.write_key_b else kept)[10:],
        )


def _value_block(value: int, address: int) -> bytes:
    """A value stored three times, once inverted, and its address four times, twice inverted (section 8.6.2.1)."""
    plain = value.to_bytes(4, "little", signed=True)
    inverse = bytes(byte ^ 0xFF for byte in plain)
    return plain + inverse + plain + bytes((address, address ^ 0xFF, address, address ^ 0xFF))


def _value_of(block: bytes) -> tuple[int, int] | None:
    """Value and address byte, or None if the block is no value block."""
    value = int.from_bytes(block[:4], "little", signed=True), block[12]
    return value if block == _value_block(*value) else None

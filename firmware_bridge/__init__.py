"""The USB-serial line to a microcontroller that carries reader, buttons, buzzer and lamps.

Bytes, frames, messages and the conversation; what a tag or a button means to a table is ``hardware.bridged.bridge``.
The wire is described in ``PROTOCOL.md``, the board's half is in ``firmware``.
"""

from firmware_bridge.errors import (
    BoardBusyError,
    BoardFaultError,
    BoardNotFoundError,
    BoardPermissionError,
    BridgeError,
)
from firmware_bridge.firmware import FIRMWARE_VERSION
from firmware_bridge.link import Link
from firmware_bridge.messages import PROTOCOL_VERSION
from firmware_bridge.port import BoardPort, find_boards

__all__ = [
    "FIRMWARE_VERSION",
    "PROTOCOL_VERSION",
    "BoardBusyError",
    "BoardFaultError",
    "BoardNotFoundError",
    "BoardPermissionError",
    "BoardPort",
    "BridgeError",
    "Link",
    "find_boards",
]

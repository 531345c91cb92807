"""What can go wrong with the line to a board, each with a sentence that says what to do next."""

from __future__ import annotations


class BridgeError(Exception):
    """Root of all that can go wrong with the line; its text is a sentence with what to do next."""


class BoardNotFoundError(BridgeError, FileNotFoundError):
    """No board is there, or what is there is no board of ours."""


class BoardPermissionError(BridgeError, PermissionError):
    """The port is there, and this user may not open it."""


class BoardBusyError(BridgeError, OSError):
    """Another program holds the port."""


class BoardFaultError(BridgeError, OSError):
    """The board is there and does not behave: it floods, fell silent, or speaks another version."""


class BoardSilentError(BoardFaultError):
    """The port is there and nothing answers."""


class BoardForeignError(BoardFaultError):
    """A board that can't run our firmware as it is: there is another system on it."""


class BoardVersionError(BoardFaultError):
    """A firmware of ours, of version *firmware*, speaks no version of the protocol that this program does."""

    def __init__(self, text: str, firmware: str) -> None:
        super().__init__(text)
        self.firmware = firmware

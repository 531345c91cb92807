"""What ``lastcard doctor`` finds out about a board on USB: line, firmware, settings, and the readers a table needs.

Asked of the board itself, as ``lastcard firmware status`` asks; what is printed how is the command's.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_bridge import FIRMWARE_VERSION, BridgeError
from firmware_bridge.install import BoardStatus, status
from hardware.bridged.bridge import random_session
from hardware.clock import SystemClock
from hardware.diagnosis.checks import Check, failed, not_checked, passed
from hardware.ports import Clock


def board_checks(address: str | None, readers: Sequence[str], clock: Clock | None = None) -> list[Check]:
    """The board at *address*, or the one on USB: line, firmware, settings, *readers*, in the order in which to mend."""
    try:
        report = status(address, clock or SystemClock(), random_session)
    except BridgeError as fault:
        # The line's own words are those of lastcard firmware; the doctor names a port behind the reader.
        return [_failed("reader's board", str(fault).replace("--port", "--reader serial:PORT"))]
    found = [_firmware(report)]
    if note := report.counters.get("note", ""):
        found.append(failed("board's settings", note, "Set others with lastcard firmware set."))
    return [*found, *(_reader(report, name) for name in readers)]


def _firmware(report: BoardStatus) -> Check:
    version = report.welcome.firmware
    said = f"{report.welcome.board} at {report.address} answers, with firmware {version}"
    if version == FIRMWARE_VERSION:
        return passed("reader's board", f"{said}.")
    fix = "Put the fitting one on it with lastcard firmware install."
    return not_checked("reader's board", f"{said}; this program brings {FIRMWARE_VERSION}.", fix)


def _reader(report: BoardStatus, name: str) -> Check:
    reader = next((reader for reader in report.readers if reader["name"] == name), None)
    if reader is None:
        fix = f"Wire it and tell the board its chip select: lastcard firmware set readers.{name}.cs 20"
        return failed(f"reader {name}", f"The board has no reader called {name}.", fix)
    if reader["fault"]:
        return _failed(f"reader {name}", reader["fault"])
    version = "not told" if reader["version"] is None else f"{reader['version']:02X}h"
    return passed(f"reader {name}", f"It answers; its chip's version is {version}.")


def _failed(name: str, fault: str) -> Check:
    """A sentence and what to do, which our faults say in this order."""
    sentence, _, fix = fault.partition(". ")
    return failed(name, sentence.rstrip(".") + ".", fix)

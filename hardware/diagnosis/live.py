"""The live part of the doctor's facts: the reader opened and tried, chip, registers, antenna, a card.

What the machine's files say is ``diagnosis``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hardware.board import Found, ReaderSettings
from hardware.diagnosis.checks import Check, Status, failed, not_checked, passed
from hardware.header_spi import spi_devices
from hardware.ports import (
    Clock,
    Collision,
    DeviceBusyError,
    DeviceFaultError,
    TagGoneError,
    TagRefusedError,
)
from hardware.rc522.chip import Rc522
from hardware.tags import iso14443a
from hardware.tags.iso14443a import Tag
from hardware.tags.reader import converse
from hardware.tags.sticker import WANTED

_LOOK_PERIOD_US: Final = 50_000


@dataclass(frozen=True, slots=True)
class CardTest:
    """How long the live test waits for a card (0: it is left out), and what is called when it begins to."""

    wait_ms: int = 0
    ask: Callable[[], object] = lambda: None


LIVE_CHECKS: Final = ("chip", "registers", "antenna", "card")


def check_reader(found: Found, clock: Clock, card: CardTest, *, root: Path, is_asked_for: bool) -> list[Check]:
    """Try the reader that was found: chip, registers, antenna and, if a card is asked for, a card; then close it."""
    fault = found.fault
    if found.driver is not None:
        try:
            return _try_reader(found.driver, found.settings, clock, card)
        finally:
            found.driver.close()
    if isinstance(fault, DeviceBusyError):
        return [not_checked(name, str(fault)) for name in LIVE_CHECKS]
    if not is_asked_for and not spi_devices(root):
        return [not_checked(name, "There is no reader on this machine.") for name in LIVE_CHECKS]
    sentence, _, fix = str(fault).partition(". ")
    rest = [not_checked(name, "The chip could not be reached.") for name in LIVE_CHECKS[1:]]
    return [failed("chip", sentence.rstrip(".") + ".", fix or "Switch the reader off and on."), *rest]


def check_simulated_reader(settings: ReaderSettings, card: CardTest) -> list[Check]:
    """The same on a simulated reader, which has a clock of its own; a simulated tag lies on it."""
    from hardware.simulated import Ntag213, SimulatedPad

    pad = SimulatedPad(speed_hz=settings.speed_hz, gain_db=settings.gain_db)
    pad.place(Ntag213(bytes.fromhex("04112233445566")))
    return _try_reader(pad.driver, settings, pad.clock, card)


def _try_reader(driver: Rc522, settings: ReaderSettings, clock: Clock, card: CardTest) -> list[Check]:
    checks: list[Check] = []
    steps: tuple[tuple[str, Callable[[], Check]], ...] = (
        ("chip", lambda: _check_chip(driver)),
        ("registers", lambda: _check_registers(driver, settings)),
        ("antenna", lambda: _check_antenna(driver)),
        ("card", lambda: _check_card(driver, clock, card)),
    )
    for name, step in steps:
        if any(check.status is Status.FAILED for check in checks):
            checks.append(not_checked(name, "An earlier check of the reader failed."))
            continue
        try:
            checks.append(step())
        except DeviceFaultError as fault:
            sentence, _, fix = str(fault).partition(". ")
            checks.append(failed(name, sentence.rstrip(".") + ".", fix or "Switch the reader off and on."))
    return checks


def _check_chip(driver: Rc522) -> Check:
    driver.start()
    if driver.chip_note:
        return passed("chip", driver.chip_note)
    return passed("chip", f"An MFRC522 answers (version {driver.version:02X}h).")


def _check_registers(driver: Rc522, settings: ReaderSettings) -> Check:
    changed = driver.test_bus()
    if changed:
        return failed(
            "registers",
            f"{changed} of 1024 bytes came back changed over SPI.",
            "Use shorter wires (under 20 cm), or a lower SPI speed in the settings.",
        )
    return passed("registers", f"1024 bytes came back unchanged at {settings.speed_hz / 1e6:g} MHz.")


def _check_antenna(driver: Rc522) -> Check:
    driver.check()
    return passed("antenna", "The field is on and the chip keeps its settings.")


def _check_card(driver: Rc522, clock: Clock, card: CardTest) -> Check:
    wait_ms = card.wait_ms
    if wait_ms <= 0:
        return not_checked("card", "No card was asked for.", "Ask for the card test and lay a card on the reader.")
    card.ask()
    until_us = clock.now_us() + wait_ms * 1000
    while True:
        found = iso14443a.identify(driver)
        if isinstance(found, Tag):
            return _read_card(driver, found)
        if isinstance(found, Collision):
            return failed("card", "Several cards lie on the reader.", "Lay one card alone.")
        if clock.now_us() >= until_us:
            break
        clock.wait_us(_LOOK_PERIOD_US)
    return failed(
        "card",
        f"No card was read within {wait_ms / 1000:g} s.",
        f"Lay the sticker on the middle of the coil, no metal near; then try another. {WANTED}",
    )


def _read_card(driver: Rc522, found: Tag) -> Check:
    """The reader works; what it read is judged as everywhere."""
    from hardware.diagnosis.examining import examine  # ndeflib is needed only where a tag is looked at

    read = f"A card was read: {found.uid.hex(' ').upper()}"
    try:
        sticker = converse(driver, examine)
    except (TagGoneError, TagRefusedError):
        return passed("card", f"{read}. It left before more could be told.")
    return passed("card", f"{read}, {sticker.chip}. {sticker.sentence} {sticker.mend}".rstrip())

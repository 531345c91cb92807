"""The live part of the doctor's facts: the reader opened and tried, chip, registers, antenna, a card.

What the machine's files say is ``diagnosis``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hardware import iso14443a
from hardware.board import ReaderKind, ReaderSettings, open_spi, reset_line, spi_devices
from hardware.checks import Check, Status, failed, not_checked, passed
from hardware.iso14443a import Tag
from hardware.ports import (
    Clock,
    Collision,
    DeviceBusyError,
    DeviceFaultError,
    HardwareError,
    TagGoneError,
    TagRefusedError,
)
from hardware.rc522 import Rc522
from hardware.sticker import WANTED
from hardware.tag_reader import converse

_LOOK_PERIOD_US: Final = 50_000


@dataclass(frozen=True, slots=True)
class CardTest:
    """How long the live test waits for a card (0: it is left out), and what is called when it begins to."""

    wait_ms: int = 0
    ask: Callable[[], object] = lambda: None


LIVE_CHECKS: Final = ("chip", "registers", "antenna", "card")


def check_reader(
    settings: ReaderSettings, kind: ReaderKind, clock: Clock, card: CardTest, *, root: Path, is_pi: bool
) -> list[Check]:
    """Open the reader and try it: chip, registers, antenna and, if a card is asked for, a card.

    A simulated reader has a clock of its own, and a simulated tag lies on it.
    """
    if kind == "simulated":
        from hardware.simulated import Ntag213, SimulatedPad

        pad = SimulatedPad(speed_hz=settings.speed_hz, gain_db=settings.gain_db)
        pad.place(Ntag213(bytes.fromhex("04112233445566")))
        return _try_reader(pad.driver, settings, pad.clock, card)
    if kind == "mfrc522":
        from hardware.mfrc522_package import open_package

        try:
            package = open_package(settings, clock)
        except HardwareError as error:
            rest = [not_checked(name, "The chip could not be reached.") for name in LIVE_CHECKS[1:]]
            return [failed("chip", "The reader can't be opened through the package mfrc522.", str(error)), *rest]
        try:
            return _try_reader(package, settings, clock, card)
        finally:
            package.close()
    return _check_spi_reader(settings, clock, card, root, is_pi=is_pi)


def _check_spi_reader(
    settings: ReaderSettings, clock: Clock, card: CardTest, root: Path, *, is_pi: bool
) -> list[Check]:
    try:
        spi = open_spi(settings, root)
    except HardwareError as error:
        if not is_pi and not spi_devices(root):
            return [not_checked(name, "There is no reader on this machine.") for name in LIVE_CHECKS]
        if isinstance(error, DeviceBusyError):
            return [not_checked(name, str(error)) for name in LIVE_CHECKS]
        rest = [not_checked(name, "The chip could not be reached.") for name in LIVE_CHECKS[1:]]
        return [failed("chip", "The reader can't be opened.", str(error)), *rest]
    try:
        reset = None if settings.reset_pin is None else reset_line(settings.reset_pin, clock)
        driver = Rc522(spi, clock, gain_db=settings.gain_db, reset=reset, can_burst=settings.can_burst)
    except HardwareError as error:
        spi.close()
        rest = [not_checked(name, "The chip could not be reached.") for name in LIVE_CHECKS[1:]]
        return [failed("chip", "The reset line can't be opened.", str(error)), *rest]
    try:
        return _try_reader(driver, settings, clock, card)
    finally:
        driver.close()


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
    from hardware.examining import examine  # ndeflib is needed only where a tag is looked at

    read = f"A card was read: {found.uid.hex(' ').upper()}"
    try:
        sticker = converse(driver, examine)
    except (TagGoneError, TagRefusedError):
        return passed("card", f"{read}. It left before more could be told.")
    return passed("card", f"{read}, {sticker.chip}. {sticker.sentence} {sticker.mend}".rstrip())

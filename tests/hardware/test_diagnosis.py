"""The facts behind the doctor, on machines made of files and on simulated chips."""

from __future__ import annotations

import fcntl
import sys
from pathlib import Path
from types import ModuleType

import pytest

from firmware_bridge.access import Identity
from hardware import ReaderSettings
from hardware.diagnosis import reader as diagnosis
from hardware.diagnosis.checks import Check, Status
from hardware.diagnosis.examining import examine
from hardware.diagnosis.reader import (
    CardTest,
    Machine,
    check_owner,
    check_second_reader,
)
from hardware.rc522.chip import Rc522
from hardware.readers import diagnose
from hardware.simulated import MifareClassic1K, Ntag213, SimulatedPad, VirtualClock
from hardware.simulated.chip import SimulatedMfrc522
from hardware.simulated.field import Field
from hardware.simulated.spidev import SimulatedSpiDev, as_module
from tests.hardware.stickers_to_lay import STICKERS

ROOT_USER = Identity(0, frozenset({0}))
SPI_GROUP = 989


class Bench:
    """A Raspberry Pi as a tree of files, with a reader on SPI 0.0."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.monkeypatch = monkeypatch
        self.clock = VirtualClock()
        self.field = Field(self.clock)
        self.chip = SimulatedMfrc522(self.clock, self.field)
        self.identity = ROOT_USER
        self.write("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
        self.write("etc/os-release", 'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n')
        self.write("etc/group", f"root:x:0:\nspi:x:{SPI_GROUP}:pi\n")
        self.write("sys/devices/platform/soc/soc:firmware/get_throttled", "0\n")
        self.write("boot/firmware/config.txt", "# dtparam=spi=on\n")
        self.write("dev/spidev0.0")
        self.write("dev/gpiochip0")
        self.bind("spidev")
        monkeypatch.setitem(sys.modules, "spidev", as_module({(0, 0): self.chip}))
        lgpio = ModuleType("lgpio")
        lgpio.__dict__["gpiochip_open"] = None
        monkeypatch.setitem(sys.modules, "lgpio", lgpio)

    def write(self, path: str, text: str = "") -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def remove(self, path: str) -> None:
        (self.root / path).unlink()

    def bind(self, driver: str) -> None:
        link = self.root / "sys/bus/spi/devices/spi0.0/driver"
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(f"../../../bus/spi/drivers/{driver}")

    def checks(
        self, settings: ReaderSettings | None = None, card_wait_ms: int = 0, kind: str = "auto"
    ) -> dict[str, Check]:
        found = diagnose(
            settings,
            kind=kind,
            machine=Machine(self.root, self.identity),
            clock=self.clock,
            card=CardTest(card_wait_ms),
        )
        names = [check.name for check in found]
        assert len(names) == len(set(names))
        for check in found:
            assert check.sentence.endswith("."), check
            assert bool(check.fix) or check.status is not Status.FAILED, "a fault without a fix"
            assert check.status is not Status.PASSED or not check.fix
        return {check.name: check for check in found}


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(tmp_path, monkeypatch)


def failed(checks: dict[str, Check]) -> set[str]:
    return {name for name, check in checks.items() if check.status is Status.FAILED}


def test_a_healthy_table_passes_everything(bench: Bench) -> None:
    bench.field.place(Ntag213(bytes.fromhex("04112233445566")))
    checks = bench.checks(card_wait_ms=1_000)
    assert {check.status for check in checks.values()} == {Status.PASSED}
    assert "Raspberry Pi 4" in checks["board"].sentence
    assert "bookworm" in checks["system"].sentence
    assert "04 11 22 33 44 55 66" in checks["card"].sentence
    assert "/dev/spidev0.0, 1 MHz, gain 38 dB, no reset line" in checks["reader settings"].sentence


def test_a_laptop_fails_nothing_and_says_what_it_could_not_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    checks = {check.name: check for check in diagnose(machine=Machine(tmp_path, ROOT_USER))}
    assert failed(checks) == set()
    for name in ("board", "spi", "chip", "card", "library spidev"):
        assert checks[name].status is Status.NOT_CHECKED, name


def test_spi_switched_off_says_how_to_switch_it_on(bench: Bench) -> None:
    bench.remove("dev/spidev0.0")
    assert "dtparam=spi=on at the end of /boot/firmware/config.txt" in bench.checks()["spi"].fix
    bench.write("usr/bin/raspi-config")
    checks = bench.checks()
    assert "raspi-config" in checks["spi"].fix
    assert checks["chip"].status is Status.FAILED


def test_spi_switched_on_but_not_restarted_asks_for_a_restart(bench: Bench) -> None:
    bench.remove("dev/spidev0.0")
    bench.write("boot/firmware/config.txt", "dtparam=i2c=on\ndtparam=spi=on\n")
    assert "Restart" in bench.checks()["spi"].fix


def test_another_device_is_named_where_the_table_would_not_find_it_itself(bench: Bench) -> None:
    checks = bench.checks(ReaderSettings(device=1), kind="spi")
    assert "/dev/spidev0.0 is" in checks["spi"].sentence
    assert failed(checks) == {"spi", "chip"}


def test_the_reader_that_the_table_would_find_is_the_one_that_is_examined(bench: Bench) -> None:
    """With auto, on CE1, and the one that is set dead: the table plays, so nothing is wrong."""
    bench.write("dev/spidev0.1")
    silent = SimulatedMfrc522(bench.clock, Field(bench.clock), version=0x00)
    bench.monkeypatch.setitem(sys.modules, "spidev", as_module({(0, 0): silent, (0, 1): bench.chip}))
    bench.field.place(Ntag213(bytes.fromhex("04112233445566")))
    checks = bench.checks(card_wait_ms=1_000)
    assert failed(checks) == set()
    assert checks["spi"].sentence == "/dev/spidev0.1 is there; the settings name /dev/spidev0.0."
    assert "/dev/spidev0.1" in checks["permission spi"].sentence + checks["reader settings"].sentence
    assert checks["card"].status is Status.PASSED


def test_a_table_that_runs_has_its_reader_and_that_is_no_fault(bench: Bench) -> None:
    bench.write("proc/4242/comm", "lastcard\n")
    (bench.root / "proc/4242/fd").mkdir()
    (bench.root / "proc/4242/fd/3").symlink_to("/dev/spidev0.0")
    with (bench.root / "dev/spidev0.0").open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        checks = bench.checks()
    assert failed(checks) == set()
    assert "lastcard (process 4242)" in checks["owner"].sentence
    assert checks["chip"].status is Status.NOT_CHECKED


def test_the_second_reader_is_looked_for_on_its_own_device_alone(bench: Bench) -> None:
    machine = Machine(bench.root, bench.identity)
    check = check_second_reader(ReaderSettings(device=1), machine, bench.clock)
    assert check.status is Status.FAILED and "/dev/spidev0.1 is not there, but /dev/spidev0.0 is" in check.sentence
    bench.write("dev/spidev0.1")
    bench.monkeypatch.setitem(sys.modules, "spidev", as_module({(0, 1): bench.chip}))
    assert "answers on /dev/spidev0.1" in check_second_reader(ReaderSettings(device=1), machine, bench.clock).sentence
    assert not bench.chip.registers[0x14] & 0x03, "and is closed again"


def test_what_root_saw_before_it_became_the_table_s_user_counts(bench: Bench) -> None:
    machine = Machine(bench.root, bench.identity, held={"/dev/spidev0.0": ["jukebox (process 7)"]})
    assert "jukebox (process 7)" in check_owner(machine, ReaderSettings()).sentence


def test_one_check_that_breaks_off_ends_no_other(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: object) -> Check:
        raise RuntimeError("odd\nmachine")

    def refuse(*_: object) -> Check:
        raise PermissionError(13, "Permission denied", "/proc/1/fd")

    whole = bench.checks()
    monkeypatch.setattr(diagnosis, "check_owner", refuse)
    monkeypatch.setattr(diagnosis, "check_spi", stumble)
    checks = bench.checks()
    assert set(checks) == set(whole)
    assert failed(checks) == {"owner", "spi"}
    assert checks["owner"].sentence == "This could not be examined (Permission denied: /proc/1/fd)."
    assert "RuntimeError: odd machine" in checks["spi"].sentence


def test_a_driver_that_fails_in_an_unheard_of_way_is_a_finding(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: object, **__: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(Rc522, "start", stumble)
    assert failed(bench.checks()) == {"chip"}


def test_an_overlay_that_took_the_chip_select_is_named(bench: Bench) -> None:
    bench.bind("ads7846")
    bench.remove("dev/spidev0.0")
    check = bench.checks()["owner"]
    assert check.status is Status.FAILED
    assert "ads7846 (a touch screen)" in check.sentence


def test_a_program_that_has_the_device_open_is_named(bench: Bench) -> None:
    bench.write("proc/4242/comm", "jukebox\n")
    (bench.root / "proc/4242/fd").mkdir()
    (bench.root / "proc/4242/fd/3").symlink_to("/dev/spidev0.0")
    assert "jukebox (process 4242)" in bench.checks()["owner"].sentence


@pytest.mark.parametrize(
    ("is_member", "mode", "may"),
    [(False, 0o660, False), (True, 0o660, True), (False, 0o666, True), (True, 0o640, False)],
)
def test_permission_is_judged_for_the_user_who_asks(bench: Bench, is_member: bool, mode: int, may: bool) -> None:
    device = bench.root / "dev/spidev0.0"
    device.chmod(mode)
    group = device.stat().st_gid
    bench.write("etc/group", f"others:x:{group + 1}:\nspi:x:{group}:pi\n")
    someone = device.stat().st_uid + 1_000
    bench.identity = Identity(someone, frozenset({group} if is_member else {group + 1}))
    check = bench.checks()["permission spi"]
    assert (check.status is Status.PASSED) is may
    if not may:
        advice = "The device lets no group in" if is_member else "Run: sudo usermod -aG spi $USER, then log out"
        assert check.fix.startswith(advice)


def test_the_owner_of_a_device_and_root_may_always_open_it(bench: Bench) -> None:
    device = bench.root / "dev/spidev0.0"
    device.chmod(0o600)
    for user in (0, device.stat().st_uid):
        bench.identity = Identity(user, frozenset())
        assert bench.checks()["permission spi"].status is Status.PASSED


def test_a_missing_library_and_an_empty_stub_are_told_apart(bench: Bench) -> None:
    bench.monkeypatch.setitem(sys.modules, "lgpio", ModuleType("lgpio"))
    assert "empty stub" in bench.checks()["library lgpio"].sentence
    bench.monkeypatch.setitem(sys.modules, "spidev", None)
    checks = bench.checks()
    assert checks["library spidev"].sentence == "The Python library spidev is missing."
    assert checks["chip"].status is Status.FAILED


@pytest.mark.parametrize(("version", "words"), [(0x00, "MISO"), (0xFF, "chip select")])
def test_a_chip_that_does_not_answer_fails_with_the_wire_to_check(bench: Bench, version: int, words: str) -> None:
    bench.chip.version = version
    bench.chip.brown_out()
    checks = bench.checks()
    assert failed(checks) == {"chip"}
    assert words in checks["chip"].fix
    assert checks["card"].status is Status.NOT_CHECKED


def test_a_clone_passes_and_is_named(bench: Bench) -> None:
    bench.chip.version = 0xB2
    assert "FM17522" in bench.checks()["chip"].sentence


def test_a_bus_that_changes_bytes_fails_with_a_count(bench: Bench) -> None:
    def damage(reply: list[int]) -> list[int]:
        return [*reply[:40], reply[40] ^ 0x10, *reply[41:]] if len(reply) > 60 else reply

    class Damaged(SimulatedSpiDev):
        def __init__(self) -> None:
            super().__init__({(0, 0): bench.chip})
            self.damage = damage

    sys.modules["spidev"].__dict__["SpiDev"] = Damaged
    check = bench.checks()["registers"]
    assert check.status is Status.FAILED
    assert "16 of 1024" in check.sentence


def test_an_antenna_that_does_not_stay_on_fails(bench: Bench) -> None:
    switch = bench.field.switch

    def refuse(on: bool, now_ns: int) -> None:
        switch(on, now_ns)
        if on:
            bench.chip.registers[0x14] = 0x80

    bench.monkeypatch.setattr(Field, "switch", lambda _self, on, now_ns: refuse(on, now_ns))
    checks = bench.checks()
    assert failed(checks) & {"chip", "antenna"}


def test_no_card_within_the_time_fails_and_several_are_told(bench: Bench) -> None:
    check = bench.checks(card_wait_ms=2_000)["card"]
    assert check.status is Status.FAILED
    assert "within 2 s" in check.sentence and "13.56 MHz, NTAG21x" in check.fix and "125 kHz" in check.fix
    bench.field.place(Ntag213(bytes.fromhex("04112233445566")))
    bench.field.place(MifareClassic1K(b"\x01\x02\x03\x04"))
    bench.clock.wait_us(10_000)
    assert "Several" in bench.checks(card_wait_ms=2_000)["card"].sentence


@pytest.mark.parametrize("name", STICKERS)
def test_the_card_that_was_read_is_judged_as_everywhere(bench: Bench, name: str) -> None:
    make, condition = STICKERS[name]
    tag = make()
    bench.field.place(tag)
    check = bench.checks(card_wait_ms=1_000)["card"]
    assert check.status is Status.PASSED, "the reader works"
    tag.lose_power()
    pad = SimulatedPad()
    pad.driver.start()
    pad.place(tag)
    pad.clock.wait_us(10_000)
    sticker = pad.talk(examine)
    assert sticker.condition is condition
    assert check.sentence.endswith(f"{sticker.chip}. {sticker.sentence} {sticker.mend}".rstrip())


def test_the_reader_is_left_closed_and_its_field_off(bench: Bench) -> None:
    bench.checks()
    assert not bench.chip.registers[0x14] & 0x03
    bench.checks()


def test_binary_junk_in_system_files_does_not_break_a_check(bench: Bench) -> None:
    for path in ("proc/device-tree/model", "etc/os-release", "etc/group"):
        (bench.root / path).write_bytes(bytes(range(256)) * 10)
    bench.checks()

"""Other people's unmodified drivers read tags on the simulated chip, which they were not written for.

Runs with ``python -m tests.hardware.other_drivers && python -m pytest -m long tests/hardware/test_other_drivers.py``,
a few seconds; the first part installs them from PyPI and is part of ``make long``. Twelve packages of four origins:
mxgxw (by RPi.GPIO, Jetson.GPIO, gpiozero, gpiod), ondryaso (by RPi.GPIO, periphery, gpiozero), a port of the Arduino
library, and one over I2C. What one of them can't do by its own fault is said where it shows.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, Final

import pytest

from hardware.rc522 import registers as reg
from hardware.simulated import MifareClassic1K, Ntag213, Ntag215, SimulatedTag
from hardware.simulated.classic import FACTORY_KEY
from tests.hardware import other_drivers
from tests.hardware.other_drivers import DRIVERS, Driver, OtherMachine
from tests.programs import missing

pytestmark = [
    pytest.mark.long,
    # Most negate booleans with ~, which Python 3.12 began to warn about; one quotes a backslash in vain.
    pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::SyntaxWarning"),
]

UID4: Final = bytes.fromhex("12345678")
UID7: Final = bytes.fromhex("04112233445566")
UID10: Final = bytes(range(1, 11))

# What a driver gives as its id. Most stop after the first cascade level and keep the check byte, so that of a longer
# UID the cascade tag and three bytes are left; pi-rc522 takes every UID that goes on for one of seven bytes.
CHECKED: Final = (
    UID4 + bytes((0x12 ^ 0x34 ^ 0x56 ^ 0x78,)),
    bytes((0x88, 0x04, 0x11, 0x22, 0x88 ^ 0x04 ^ 0x11 ^ 0x22)),
    bytes((0x88, 0x01, 0x02, 0x03, 0x88 ^ 0x01 ^ 0x02 ^ 0x03)),
)
WHOLE_SEVEN: Final = (UID4, UID7, UID10[:3] + b"\x88" + UID10[3:6])
# The port asks the second level with the wrong number of valid bits, and no tag answers.
FIRST_LEVEL_ONLY: Final = (UID4, b"", b"")
OWN_IDS: Final = {
    "pi-rc522": WHOLE_SEVEN,
    "pirc522-wladio": WHOLE_SEVEN,
    "lauschkiste-plugin-rfid-readers": WHOLE_SEVEN,
    "python-rfid": FIRST_LEVEL_ONLY,
}
# What python-rfid has for MIFARE lacks self throughout and can't be called.
MIFARE_DRIVERS: Final = [kind for kind in DRIVERS if kind is not other_drivers.PythonRfid]


def tag_with(uid: bytes) -> SimulatedTag:
    if len(uid) == 4:
        return MifareClassic1K(uid)
    return Ntag213(uid) if len(uid) == 7 else SimulatedTag(uid, atqa=b"\x84\x00", sak=0x20)


def opened(stack: ExitStack, kind: type[Driver], **options: Any) -> Driver:
    for folder in kind.folders():
        if not folder.exists():
            missing(f"{folder.name or folder} is not installed: {other_drivers.INSTALL}")
    machine = OtherMachine(kind.reset_pin, **{"wired_reset": kind.wired_reset, **options})
    stack.enter_context(machine.running(*kind.folders()))
    driver = kind(machine)
    driver.open()
    machine.clock.wait_us(10_000)
    return driver


@pytest.fixture(params=DRIVERS, ids=lambda kind: kind.package)
def driver(request: pytest.FixtureRequest) -> Iterator[Driver]:
    with ExitStack() as stack:
        yield opened(stack, request.param)


@pytest.fixture(params=MIFARE_DRIVERS, ids=lambda kind: kind.package)
def mifare_driver(request: pytest.FixtureRequest) -> Iterator[Driver]:
    with ExitStack() as stack:
        yield opened(stack, request.param)


def select(driver: Driver) -> bytes:
    """All cascade levels by the driver's own exchange and CRC; the UID."""
    assert driver.exchange(b"\x26", 7)
    uid = b""
    for code in (0x93, 0x95, 0x97):
        part = driver.exchange(bytes((code, 0x20)))
        assert part[0] ^ part[1] ^ part[2] ^ part[3] == part[4]
        frame = bytes((code, 0x70)) + part
        sak = driver.exchange(frame + driver.crc(frame))
        if not sak[0] & 0x04:
            return uid + part[:4]
        uid += part[1:4]
    raise AssertionError("a fourth cascade level")


@pytest.mark.parametrize("number", range(3), ids=["4 bytes", "7 bytes", "10 bytes"])
def test_a_driver_gives_the_id_that_it_gives_on_a_real_chip(driver: Driver, number: int) -> None:
    assert driver.own_uid() == b"", "an empty field"
    driver.machine.lay(tag_with((UID4, UID7, UID10)[number]))
    assert driver.own_uid() == OWN_IDS.get(driver.package, CHECKED)[number]


@pytest.mark.parametrize("uid", [UID4, UID7, UID10], ids=["4 bytes", "7 bytes", "10 bytes"])
def test_every_driver_s_exchange_selects_the_whole_uid(driver: Driver, uid: bytes) -> None:
    driver.machine.lay(tag_with(uid))
    assert select(driver) == uid


def test_every_driver_reads_the_pages_of_a_sticker(driver: Driver) -> None:
    tag = Ntag213(UID7)
    tag.memory[16:160] = bytes(range(144))
    driver.machine.lay(tag)
    select(driver)
    for page in range(0, 0x28, 4):
        assert driver.read(page) == tag.memory[page * 4 : page * 4 + 16], f"page {page}"


def test_page_zero_read_before_any_selection_gives_the_uid(driver: Driver) -> None:
    """What people with NTAG215 do (pimylifeup/MFRC522-python issue 31), as their driver stops after one level."""
    driver.machine.lay(Ntag215(UID7))
    assert driver.exchange(b"\x26", 7)
    driver.exchange(b"\x93\x20")
    head = driver.read(0)
    assert head[:3] + head[4:8] == UID7


def test_a_page_that_is_not_there_is_no_page(driver: Driver) -> None:
    driver.machine.lay(Ntag213(UID7))
    select(driver)
    assert len(driver.read(0x2D)) < 16, "four bits of a refusal"


def test_a_block_of_a_classic_is_written_and_read_with_either_key(mifare_driver: Driver) -> None:
    card = MifareClassic1K(UID4, keys={2: b"keys A"}, keys_b={2: b"keys B"})
    # The blocks are read by A or B and written by B; only B may change the trailer.
    card.memory[11 * 16 + 6 : 11 * 16 + 9] = access_bits(data=0b100, trailer=0b011)
    mifare_driver.machine.lay(card)
    select(mifare_driver)
    assert mifare_driver.authenticate(0x61, 8, b"keys B", UID4)
    mifare_driver.write(8, bytes(range(16)))
    assert bytes(card.memory[128:144]) == bytes(range(16))
    assert mifare_driver.read(8) == bytes(range(16))
    assert mifare_driver.authenticate(0x60, 8, b"keys A", UID4), "out of the session into another"
    assert mifare_driver.read(8) == bytes(range(16))
    assert mifare_driver.read(11) == bytes(6) + bytes(card.memory[182:186]) + bytes(6), "keys are never read"


def access_bits(*, data: int, trailer: int) -> bytes:
    """The three access bytes of a sector: the same bits for its three data blocks, others for its trailer."""
    first, second, third = (sum((block >> bit & 1) << place for place, block in enumerate((data,) * 3 + (trailer,)))
                            for bit in (2, 1, 0))  # fmt: skip
    return bytes(((second ^ 0xF) << 4 | first ^ 0xF, first << 4 | third ^ 0xF, third << 4 | second))


def test_a_wrong_key_is_refused_and_the_right_one_too_until_the_card_is_selected_anew(mifare_driver: Driver) -> None:
    """miguelbalboa/rfid issue 398: "the second attempt will always fail"."""
    mifare_driver.machine.lay(MifareClassic1K(UID4))
    select(mifare_driver)
    assert not mifare_driver.authenticate(0x60, 8, bytes(6), UID4)
    assert not mifare_driver.authenticate(0x60, 8, FACTORY_KEY, UID4)
    select(mifare_driver)
    assert mifare_driver.authenticate(0x60, 8, FACTORY_KEY, UID4)


def test_a_sticker_takes_an_authentication_for_a_broken_command(mifare_driver: Driver) -> None:
    """pimylifeup/MFRC522-python issues 31 and 65: "AUTH ERROR" on every NTAG."""
    mifare_driver.machine.lay(Ntag213(UID7))
    select(mifare_driver)
    assert not mifare_driver.authenticate(0x60, 8, FACTORY_KEY, UID7[:4])
    assert len(mifare_driver.read(4)) < 16


def test_a_value_is_counted_down_and_the_card_that_agrees_says_nothing(mifare_driver: Driver) -> None:
    card = MifareClassic1K(UID4)
    mifare_driver.machine.lay(card)
    select(mifare_driver)
    assert mifare_driver.authenticate(0x60, 8, FACTORY_KEY, UID4)
    mifare_driver.write(8, bytes.fromhex("0a000000 f5ffffff 0a000000 08f708f7"))

    def send(body: bytes) -> bytes:
        return mifare_driver.exchange(body + mifare_driver.crc(body))

    assert send(b"\xc0\x08") == b"\x0a"
    assert send(b"\x03\x00\x00\x00") == b""
    assert send(b"\xb0\x08") == b"\x0a"
    assert mifare_driver.read(8) == bytes.fromhex("07000000 f8ffffff 07000000 08f708f7")


@pytest.mark.parametrize(
    "kind", [kind for kind in DRIVERS if issubclass(kind, other_drivers.Ondryaso)], ids=lambda kind: kind.package
)
def test_a_driver_that_waits_for_the_irq_line_wakes_up_when_a_card_is_there(kind: type[Driver]) -> None:
    with ExitStack() as stack:
        driver = opened(stack, kind)
        began_us = driver.machine.clock.now_us()
        tag = Ntag213(UID7)
        # Its loop resets the chip, and calls a fifth of a millisecond after it has switched the field on again. A
        # Python on a real bus is slower; here the tag is as much quicker.
        tag.start_up_ns = 100_000
        driver.machine.field.place(tag, at_us=began_us + 350_000)
        driver.reader.wait_for_tag()
        assert 350_000 <= driver.machine.clock.now_us() - began_us < 500_000
        driver.machine.clock.wait_us(5_000)  # it resets the chip, and the tag needs its time again
        assert driver.own_uid() == OWN_IDS.get(kind.package, CHECKED)[1]


def test_a_driver_that_never_lifts_its_reset_line_reads_nothing_where_it_is_wired() -> None:
    """rfidpy asks for the line as an output, which drives it low, and leaves it so."""
    with ExitStack() as stack:
        driver = opened(stack, other_drivers.RfidPy, wired_reset=True)
        driver.machine.lay(tag_with(UID4))
        assert driver.own_uid() == b""


def test_the_port_of_the_arduino_library_finds_a_hot_chip_and_powers_it_down_and_up() -> None:
    with ExitStack() as stack:
        driver = opened(stack, other_drivers.PythonRfid)
        pcd, library = driver.reader, driver.library
        pcd.SoftPowerDown()
        assert driver.machine.chip.transfer([reg.COMMAND << 1 | 0x80, 0])[1] & reg.POWER_DOWN
        pcd.SoftPowerUp()
        driver.machine.lay(tag_with(UID4))
        assert driver.own_uid() == UID4
        driver.machine.chip.overheat()
        with pytest.raises(library.errors.TemperatureError):
            pcd.CheckForErrors()
        with pytest.raises(NameError):  # its self-test never reaches the chip: it names a module it did not import
            pcd.PerformSelfTest()


@pytest.mark.parametrize(("version", "told"), [(0x91, "v1.0"), (0x92, "v2.0"), (0xB2, 0xB2), (0x12, 0x12)])
def test_the_driver_over_i2c_tells_the_version(version: int, told: object) -> None:
    with ExitStack() as stack:
        assert opened(stack, other_drivers.Mfrc522I2c, version=version).reader.getReaderVersion() == told


def test_an_application_reads_a_page_of_a_figure() -> None:
    """amiibo-reader upon mfrc522-python: both cascade levels, then page 21."""
    for name in ("amiibo-reader", "mfrc522-python"):
        if not other_drivers.folder_of(name).exists():
            missing(f"{name} is not installed: {other_drivers.INSTALL}")
    machine = OtherMachine()
    with machine.running(other_drivers.folder_of("amiibo-reader"), other_drivers.folder_of("mfrc522-python")):
        amiibo_reader: Any = importlib.import_module("amiibo_reader")
        assert amiibo_reader.read_tag() is None
        figure = Ntag215(UID7)
        figure.memory[84:92] = bytes.fromhex("0123456789abcdef")
        machine.lay(figure)
        assert amiibo_reader.read_tag() == amiibo_reader.UnknownTag("0123456789ABCDEF")
        amiibo_reader.close_reader()

"""The simulated Pico by itself: pins, bus, buzzer, watchdog, power and time, as small programs on it see them."""

from __future__ import annotations

import contextlib
import os
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.simulated.chip import SimulatedMfrc522
from hardware.simulated.microcontroller import SimulatedMicrocontroller
from tests.programs import requires_micropython

Board = Callable[..., SimulatedMicrocontroller]


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    """Makes a board with *program* on its flash, and power."""
    requires_micropython()
    flash = tmp_path / "flash"
    flash.mkdir()
    boards: list[SimulatedMicrocontroller] = []

    def make(program: str, *, real_time: bool = False) -> SimulatedMicrocontroller:
        # What a program tells is in a file, because the line is the bridge's.
        head = "import machine, time\ndef tell(*what):\n    with open('told', 'a') as file: print(*what, file=file)\n"
        (flash / "main.py").write_text(head + textwrap.dedent(program) + "\ntime.sleep(4000)\n")
        boards.append(SimulatedMicrocontroller(flash, tmp_path / "port", real_time=real_time))
        boards[-1].plug_in()
        return boards[-1]

    yield make
    for one in boards:
        one.close()


def told(board: SimulatedMicrocontroller) -> list[str]:
    path = board.flash / "told"
    return path.read_text().splitlines() if path.exists() else []


# -- time ------------------------------------------------------------------------------------------------------------


def test_time_passes_as_the_program_waits_and_not_otherwise(board: Board) -> None:
    pico = board(
        """
        start = time.ticks_us()
        time.sleep_us(250)
        tell(time.ticks_diff(time.ticks_us(), start))
        time.sleep_ms(30)
        tell(time.ticks_diff(time.ticks_us(), start))
        time.sleep(2)
        tell(time.ticks_diff(time.ticks_us(), start))
        """
    )
    pico.advance_to_ms(30)
    assert told(pico) == ["250"]
    pico.advance_to_ms(31)
    assert told(pico) == ["250", "30250"]
    pico.advance_to_ms(2_030)
    assert len(told(pico)) == 2
    pico.advance_to_ms(2_031)
    assert told(pico)[2] == "2030250"
    assert pico.clock.now_ms() == 2_031


def test_ticks_go_round_soon_after_each_start(board: Board) -> None:
    pico = board(
        """
        for _ in range(4):
            before = time.ticks_us()
            time.sleep(1)
            tell(time.ticks_us() > before, time.ticks_diff(time.ticks_us(), before))
        tell(time.ticks_add((1 << 30) - 1, 3), time.ticks_diff(2, (1 << 30) - 1), time.ticks_diff((1 << 30) - 1, 2))
        """
    )
    pico.advance_to_ms(4_000)
    assert told(pico) == ["True 1000000", "True 1000000", "False 1000000", "True 1000000", "2 3 -3"]


def test_waiting_for_the_line_lets_time_pass_and_ends_with_what_came(board: Board) -> None:
    pico = board(
        """
        import select, sys
        poll = select.poll()
        poll.register(sys.stdin, select.POLLIN)
        start = time.ticks_us()
        tell(len(poll.poll(0)), time.ticks_diff(time.ticks_us(), start))
        tell(len(poll.poll(40)), time.ticks_diff(time.ticks_us(), start))
        time.sleep_ms(10)
        tell(len(poll.poll(40)), time.ticks_diff(time.ticks_us(), start))
        """
    )
    pico.advance_to_ms(45)
    assert told(pico) == ["0 0", "0 40000"]
    line = os.open(pico.port, os.O_RDWR | os.O_NOCTTY)
    os.write(line, b"x")
    pico.advance_to_ms(50)
    os.close(line)
    assert told(pico)[2] == "1 50000"


# -- pins ------------------------------------------------------------------------------------------------------------


def test_inputs_are_pulled_up_and_a_button_pulls_its_own_down(board: Board) -> None:
    pico = board(
        """
        pins = [machine.Pin(number, machine.Pin.IN, machine.Pin.PULL_UP) for number in (2, 3)]
        while True:
            time.sleep_ms(10)
            tell(*(pin.value() for pin in pins))
        """
    )
    pico.advance_to_ms(15)
    pico.press(3)
    pico.advance_to_ms(25)
    pico.release(3)
    pico.advance_to_ms(35)
    assert told(pico) == ["1 1", "1 0", "1 1"]


def test_what_the_program_drives_can_be_seen_until_the_power_goes(board: Board) -> None:
    pico = board(
        """
        high, low = machine.Pin(6, machine.Pin.OUT, value=1), machine.Pin(7, machine.Pin.OUT, value=0)
        time.sleep_ms(10)
        high.value(0)
        low.value(1)
        """
    )
    assert not pico.is_high(6)
    pico.advance_to_ms(5)
    assert (pico.is_high(6), pico.is_high(7), pico.is_high(8)) == (True, False, False)
    pico.advance_to_ms(15)
    assert (pico.is_high(6), pico.is_high(7)) == (False, True)
    pico.unplug()
    assert not pico.is_high(7)


def test_a_pin_that_no_pico_has_is_refused(board: Board) -> None:
    pico = board(
        """
        machine.Pin(0), machine.Pin(29)
        for number in (-1, 30):
            try:
                machine.Pin(number)
            except ValueError as error:
                tell(error)
        """
    )
    pico.advance_to_ms(1)
    assert told(pico) == ["invalid pin", "invalid pin"]


# -- bus -------------------------------------------------------------------------------------------------------------

VERSION = """
spi = machine.SPI(0, 2_000_000, 0, 0, machine.Pin(18), machine.Pin(19), machine.Pin(16))
selects = [machine.Pin(pin, machine.Pin.OUT, value=1) for pin in (17, 20)]
def version(*selected):
    for pin in selected:
        pin.value(0)
    reply = bytearray(2)
    spi.write_readinto(b"\\xee\\x00", reply)
    for pin in selected:
        pin.value(1)
    return reply[1]
"""


def test_a_transfer_reaches_the_chip_that_is_selected(board: Board) -> None:
    pico = board(VERSION + "tell(version(selects[0]), version(selects[1]))")
    pico.pad(1).chip.version = 0x88
    pico.pad(1).chip.brown_out()
    pico.advance_to_ms(5)
    assert told(pico) == [f"{0x92} {0x88}"]
    assert pico.bus_clashes == 0
    assert [pad.spi.max_speed_hz for pad in pico.pads.values()] == [2_000_000] * 2


def test_nobody_or_two_on_the_wire_are_counted_and_give_nothing(board: Board) -> None:
    pico = board(VERSION + "tell(version(), version(*selects))")
    pico.advance_to_ms(5)
    assert told(pico) == ["255 255"]
    assert pico.bus_clashes == 2


def test_a_chip_that_was_pulled_off_is_silent_until_it_is_back(board: Board) -> None:
    pico = board(VERSION + "while True:\n    tell(version(selects[0]))\n    time.sleep_ms(10)")
    pico.advance_to_ms(5)
    pico.pad().unplug()
    pico.advance_to_ms(15)
    pico.pad().plug_in()
    pico.advance_to_ms(25)
    assert told(pico) == [f"{0x92}", "255", f"{0x92}"]


def test_a_bus_on_pins_that_it_can_t_have_is_refused(board: Board) -> None:
    pico = board(
        """
        def bus(number, pin):
            try:
                machine.SPI(number, 1_000_000, 0, 0, machine.Pin(pin), machine.Pin(0), machine.Pin(0))
            except ValueError as error:
                return error
        tell([bus(0, pin) for pin in (2, 6, 18, 22)], [bus(1, pin) for pin in (10, 14, 26)])
        tell(bus(0, 10), bus(1, 18))
        """
    )
    pico.advance_to_ms(1)
    assert told(pico) == ["[None, None, None, None] [None, None, None]", "bad SCK pin bad SCK pin"]


# -- buzzer and watchdog ---------------------------------------------------------------------------------------------


def test_what_the_buzzer_plays_is_kept_with_its_time(board: Board) -> None:
    pico = board(
        """
        buzzer = machine.PWM(machine.Pin(15))
        buzzer.freq(880)
        buzzer.duty_u16(32768)
        time.sleep_ms(20)
        buzzer.duty_u16(0)
        time.sleep_ms(20)
        buzzer.freq(440)
        buzzer.duty_u16(1)
        try:
            buzzer.freq(7)
        except ValueError as error:
            tell(error)
        buzzer.freq(8)
        """
    )
    assert pico.sounding_hz == 0
    pico.advance_to_ms(50)
    assert list(pico.tones) == [(0, 15, 880), (20, 15, 0), (40, 15, 440)]
    assert pico.sounding_hz == 440
    assert told(pico) == ["frequency too small"]
    pico.unplug()
    assert pico.sounding_hz == 0, "without power nothing sounds"
    assert list(pico.tones)[-1] == (50, 15, 0)


def test_a_watchdog_that_is_not_fed_starts_the_board_anew(board: Board) -> None:
    pico = board(
        """
        tell(machine.reset_cause(), machine.PWRON_RESET, machine.WDT_RESET)
        dog = machine.WDT(100)
        for _ in range(3):
            time.sleep_ms(90)
            dog.feed()
        """
    )
    pico.advance_to_ms(369)
    assert (pico.watchdog_ms, pico.watchdog_bites, pico.starts) == (100, 0, 1)
    pico.advance_to_ms(371)
    pico.advance_to_ms(372)
    assert (pico.watchdog_bites, pico.starts) == (1, 2)
    assert told(pico) == ["1 1 3", "3 1 3"]


@pytest.mark.parametrize(("timeout_ms", "fits"), [(0, False), (1, True), (8_388, True), (8_389, False)])
def test_a_watchdog_waits_no_longer_than_the_chip_can(board: Board, timeout_ms: int, fits: bool) -> None:
    pico = board(f"machine.WDT({timeout_ms})")
    with contextlib.suppress(RuntimeError):
        pico.advance_to_ms(0)
    assert pico.watchdog_ms == (timeout_ms if fits else 0)
    assert pico.at_prompt is not fits, "its program ended with the error"


def test_a_program_that_hangs_is_ended_by_the_watchdog_alone(board: Board) -> None:
    pico = board("dog = machine.WDT(200)\nwhile True:\n    dog.feed()\n    time.sleep_ms(10)")
    pico.advance_to_ms(1_000)
    assert pico.starts == 1
    pico.is_frozen = True
    pico.advance_to_ms(1_150)
    assert pico.starts == 1
    pico.advance_to_ms(1_250)
    assert (pico.starts, pico.is_frozen, pico.watchdog_bites) == (2, False, 1)


def test_a_reset_by_the_program_starts_it_anew_with_its_chips(board: Board) -> None:
    pico = board(
        "tell(machine.reset_cause())\nif machine.reset_cause() == 1:\n    time.sleep_ms(5)\n    machine.reset()"
    )
    chip: SimulatedMfrc522 = pico.pad().chip
    chip.registers[0x14] = 0x83
    pico.advance_to_ms(20)
    assert told(pico) == ["1", "3"]
    assert pico.starts == 2 and pico.watchdog_bites == 0
    assert pico.port.exists()
    assert not chip.registers[0x14] & 0x03, "they lost their power too"


# -- power and prompt ------------------------------------------------------------------------------------------------


def test_without_power_there_is_neither_program_nor_port(board: Board) -> None:
    pico = board("while True:\n    tell('turn')\n    time.sleep_ms(10)")
    pico.advance_to_ms(25)
    assert pico.has_power and pico.port.exists()
    pico.unplug()
    pico.unplug()
    pico.advance_to_ms(100)
    assert not pico.has_power and not pico.port.exists()
    assert told(pico) == ["turn"] * 3
    assert pico.clock.now_ms() == 100, "time goes on all the same"
    pico.plug_in()
    pico.advance_to_ms(115)
    assert told(pico) == ["turn"] * 5
    assert pico.starts == 2


def test_power_twice_is_a_mistake_of_the_program(board: Board) -> None:
    with pytest.raises(RuntimeError, match="has power already"):
        board("").plug_in()


def test_a_program_that_fails_leaves_the_board_at_its_prompt(board: Board) -> None:
    pico = board("raise ValueError('odd settings')")
    line = os.open(pico.port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    pico.advance_to_ms(10)
    assert pico.at_prompt
    said = b""
    while not said.endswith(b">>> "):
        with contextlib.suppress(BlockingIOError):
            said += os.read(line, 4096)
    os.close(line)
    assert b"ValueError: odd settings\r\n" in said and b"MicroPython v" in said


def test_the_program_says_which_byte_may_stop_it(board: Board) -> None:
    pico = board("import micropython\ntime.sleep_ms(5)\nmicropython.kbd_intr(-1)\ntime.sleep_ms(5)")
    pico.advance_to_ms(1)
    assert pico.interrupt_byte == 3
    pico.advance_to_ms(8)
    assert pico.interrupt_byte == -1
    pico.unplug()
    pico.plug_in()
    assert pico.interrupt_byte == 3, "a new start has it back"


def test_a_program_that_ends_unasked_is_an_error_with_its_last_words(board: Board) -> None:
    pico = board("import world\nworld._line.close()\nworld.tell(0)")
    with pytest.raises(RuntimeError, match="firmware ended"):
        pico.advance_to_ms(10)

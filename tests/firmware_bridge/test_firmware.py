"""The real firmware in MicroPython on a simulated board, over a pty, in virtual time."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable
from typing import Any

import pytest

from firmware_bridge import FIRMWARE_VERSION
from firmware_bridge import messages as m
from firmware_bridge.frames import encode_frame
from firmware_bridge.link import Answered, Link
from firmware_bridge.payloads import encode_message
from firmware_bridge.port import BoardPort
from hardware.bridged.bridge import Bridge
from hardware.bridged.parts import BridgedButtons, BridgedBuzzer, BridgedLamps, BridgedReader, open_bridged_reader
from hardware.ports import Tone
from hardware.signals import (
    ButtonPressed,
    DeviceBack,
    DeviceLost,
    DeviceNote,
    ReaderDisturbed,
    SeveralTags,
    Signal,
    TagPlaced,
    TagRemoved,
)
from hardware.simulated import MifareClassic1K, Ntag213
from hardware.simulated.field import Reception
from hardware.simulated.microcontroller import SimulatedMicrocontroller

MakeBoard = Callable[..., SimulatedMicrocontroller]
STICKER = bytes.fromhex("04112233445566")
DRAW_PIN, BUZZER_PIN, LAMP_PINS = 6, 15, (10, 11, 12, 13)
# Bytes on a pty are there when the kernel has carried them, which takes some real microseconds; a step of
# virtual time more costs nothing.
STEP_MS = 5
TWO_READERS = {
    "readers": [
        {"name": "pad", "cs": 17, "reset": None, "gain_db": 38},
        {"name": "pile", "cs": 20, "reset": 21, "gain_db": 33},
    ]
}


class Table:
    """A host with one board on a cable."""

    def __init__(self, board: SimulatedMicrocontroller, readers: tuple[str, ...] = ("pad",)) -> None:
        self.board = board
        self.now_ms = board.clock.now_ms()
        sessions = iter(range(1, 1000))
        self.link = Link(lambda: next(sessions))
        self.port = BoardPort(self.link, str(board.port))
        self.bridge = Bridge(self.port)
        self.readers = [BridgedReader(self.bridge, name) for name in readers]
        self.buttons = BridgedButtons(self.bridge)
        self.buzzer = BridgedBuzzer(self.bridge)
        self.lamps = BridgedLamps(self.bridge)
        self.signals: list[Signal] = []

    def run_ms(self, duration_ms: int) -> list[Signal]:
        """Let both run, and return what happened meanwhile."""
        before = len(self.signals)
        for _ in range(0, duration_ms, STEP_MS):
            self.step()
        return self.signals[before:]

    def hang_ms(self, duration_ms: int) -> None:
        """Let the board run while nobody listens."""
        for _ in range(0, duration_ms, STEP_MS):
            self.now_ms += STEP_MS
            self.board.advance_to_ms(self.now_ms)

    def step(self) -> None:
        self.now_ms += STEP_MS
        self.board.advance_to_ms(self.now_ms)
        for reader in self.readers:
            self.signals += reader.poll(self.now_ms)
        self.signals += self.buttons.poll(self.now_ms)

    def until(self, condition: Callable[[], Any], within_ms: int = 10_000) -> None:
        give_up_ms = self.now_ms + within_ms
        while not condition():
            self.step()
            assert self.now_ms < give_up_ms, f"not within {within_ms} ms; fault {self.port.fault}"

    def connect(self) -> None:
        self.until(lambda: self.bridge.is_connected)
        self.run_ms(400)

    def ask(self, command: m.Command) -> m.Done:
        number = self.link.send(command, self.now_ms)
        for _ in range(400):
            self.now_ms += STEP_MS
            self.board.advance_to_ms(self.now_ms)
            for event in self.port.poll(self.now_ms):
                if isinstance(event, Answered) and event.number == number:
                    return event.done
        raise AssertionError(f"{command} was never answered")


class BoardsClock:
    """The host's clock on the board's time: whoever waits lets the board run."""

    def __init__(self, board: SimulatedMicrocontroller) -> None:
        self._board = board
        self._now_us = board.clock.now_us()

    def now_us(self) -> int:
        return self._now_us

    def wait_us(self, duration_us: int) -> None:
        self._now_us += duration_us
        self._board.advance_to_ms(self._now_us // 1_000)


@pytest.fixture
def table(board: SimulatedMicrocontroller) -> Table:
    board.plug_in()
    table = Table(board)
    table.connect()
    return table


def test_a_sticker_is_told_of_when_it_comes_and_when_it_goes(table: Table) -> None:
    tag = Ntag213(STICKER)
    table.board.pad().field.place(tag)
    laid_ms = table.now_ms
    (placed,) = table.run_ms(500)
    assert isinstance(placed, TagPlaced) and placed.uid == STICKER
    assert placed.at_ms <= laid_ms + 100
    present = table.readers[0].present
    assert present is not None and (present.atqa, present.sak) == (b"\x44\x00", 0x00)
    table.board.pad().field.lift(tag)
    (removed,) = table.run_ms(500)
    assert isinstance(removed, TagRemoved) and removed.uid == STICKER


def test_several_stickers_are_told_of_as_such(table: Table) -> None:
    for uid in (STICKER, bytes.fromhex("04992233445566")):
        table.board.pad().field.place(Ntag213(uid))
    assert [type(signal) for signal in table.run_ms(300)] == [SeveralTags]


def test_two_readers_keep_their_cards_apart(make_board: MakeBoard) -> None:
    board = make_board(TWO_READERS)
    board.plug_in()
    table = Table(board, readers=("pad", "pile"))
    table.connect()
    board.pad(1).field.place(Ntag213(STICKER))
    board.pad(0).field.place(MifareClassic1K(b"\xde\xad\xbe\xef"))
    told = {(signal.reader, signal.uid, signal.sak) for signal in table.run_ms(400) if isinstance(signal, TagPlaced)}
    assert told == {("pile", STICKER, 0x00), ("pad", b"\xde\xad\xbe\xef", 0x08)}


def test_no_two_chips_ever_listen_at_once(make_board: MakeBoard) -> None:
    board = make_board(TWO_READERS)
    board.plug_in()
    table = Table(board, readers=("pad", "pile"))
    table.connect()
    table.run_ms(1_000)
    assert board.bus_clashes == 0
    assert table.signals == []


def test_a_reader_that_the_board_does_not_have_is_lost_with_a_sentence(board: SimulatedMicrocontroller) -> None:
    board.plug_in()
    table = Table(board, readers=("pile",))
    table.connect()
    (lost,) = table.signals
    assert isinstance(lost, DeviceLost)
    assert lost.reason == (
        "The board has no reader called pile (it has pad). Wire one and tell the board its chip select, such as GP20: "
        "lastcard firmware set readers.pile.cs 20"
    )


def test_a_reader_pulled_off_its_wires_is_lost_and_comes_back(table: Table) -> None:
    table.board.pad().field.place(Ntag213(STICKER))
    table.run_ms(300)
    table.board.pad().unplug()
    (lost,) = table.run_ms(500)
    assert isinstance(lost, DeviceLost)
    assert lost.reason.startswith("The RC522 reader does not answer. All bits read 1: check the SDA")
    table.board.pad().plug_in()
    (back,) = table.run_ms(3_000)
    assert isinstance(back, DeviceBack)


def test_a_hot_chip_is_told_of_with_what_to_do(table: Table) -> None:
    table.run_ms(300)
    table.board.pad().chip.overheat(lasts=True)
    (lost,) = table.run_ms(500)
    assert isinstance(lost, DeviceLost)
    assert lost.reason.startswith("The reader's chip is too hot and has switched its field off. Let it cool down")
    table.board.pad().chip.cool_down()
    (back,) = table.run_ms(3_000)
    assert isinstance(back, DeviceBack)


def test_a_clone_is_named_once(make_board: MakeBoard) -> None:
    board = make_board()
    board.pad().chip.version = 0xB2
    board.pad().chip.brown_out()
    board.plug_in()
    table = Table(board)
    table.connect()
    (note,) = table.run_ms(1_000) or table.signals
    assert isinstance(note, DeviceNote) and "FM17522 version 1 (version B2h)" in note.text


def test_a_clone_is_not_named_again_when_the_host_hung(make_board: MakeBoard) -> None:
    board = make_board()
    board.pad().chip.version = 0xB2
    board.pad().chip.brown_out()
    board.plug_in()
    table = Table(board)
    table.connect()
    for _ in range(2):
        table.hang_ms(2_500)
        table.run_ms(2_000)
    assert [type(signal) for signal in table.signals if not isinstance(signal, DeviceLost | DeviceBack)] == [DeviceNote]


def test_a_host_that_hung_is_told_of_a_silent_line_and_of_no_weak_supply(table: Table) -> None:
    table.hang_ms(2_500)
    lost, back = table.run_ms(2_000)
    assert isinstance(lost, DeviceLost) and lost.reason.startswith("The board stopped answering.")
    assert isinstance(back, DeviceBack)


def test_what_happened_while_the_host_hung_comes_with_its_own_time_and_in_order(table: Table) -> None:
    happened_ms = []
    for _ in range(4):
        happened_ms.append(table.now_ms)
        table.board.press(DRAW_PIN)
        table.hang_ms(50)
        table.board.release(DRAW_PIN)
        table.hang_ms(50)
    happened_ms.append(table.now_ms)
    table.board.pad().field.place(Ntag213(STICKER))
    table.hang_ms(300)
    told = table.run_ms(500)
    signals = sorted(told, key=lambda signal: signal.at_ms)  # as a table takes them
    assert [type(signal) for signal in signals] == [ButtonPressed] * 4 + [TagPlaced]
    told_ms = [signal.at_ms for signal in signals]
    assert all(0 <= told - at <= 150 for told, at in zip(told_ms, happened_ms, strict=True)), (told_ms, happened_ms)


OTHER = bytes.fromhex("04992233445566")


def two_cards(board: SimulatedMicrocontroller) -> list[Ntag213]:
    tags = [Ntag213(STICKER), Ntag213(OTHER)]
    for tag in tags:
        board.pad().field.place(tag)
    return tags


def test_a_reader_with_two_cards_on_it_is_back_after_a_restart(table: Table) -> None:
    _, second = two_cards(table.board)
    table.run_ms(500)
    table.board._restart()
    assert [type(signal) for signal in table.run_ms(4_000)] == [DeviceLost, DeviceBack, SeveralTags]
    table.board.pad().field.lift(second)
    (placed,) = table.run_ms(1_000)
    assert isinstance(placed, TagPlaced) and placed.uid == STICKER


@pytest.mark.parametrize("is_one_known", [False, True], ids=["both at once", "one after the other"])
def test_a_new_host_hears_that_two_cards_lie_there(board: SimulatedMicrocontroller, is_one_known: bool) -> None:
    board.plug_in()
    first = Table(board)
    first.connect()
    tags = [Ntag213(STICKER), Ntag213(OTHER)]
    for tag in tags:
        board.pad().field.place(tag)
        first.run_ms(300 if is_one_known else 0)
    first.run_ms(300)
    first.port.close()
    second = Table(board)
    sessions = iter(range(500, 600))
    second.link._new_session = lambda: next(sessions)
    assert [type(signal) for signal in second.run_ms(3_000)] == [SeveralTags]
    board.pad().field.lift(tags[1])
    (placed,) = second.run_ms(1_000)
    assert isinstance(placed, TagPlaced) and placed.uid == STICKER
    board.pad().field.lift(tags[0])
    assert [type(signal) for signal in second.run_ms(1_000)] == [TagRemoved]


def test_a_reader_with_noise_on_it_is_back_after_a_restart(table: Table) -> None:
    table.board.pad().field.disturb = lambda _frame, _reception: Reception(b"\x44\x00", 16, 91_150, parity_wrong=True)
    assert [type(signal) for signal in table.run_ms(2_500)] == [ReaderDisturbed]
    table.board._restart()
    assert [type(signal) for signal in table.run_ms(5_000)] == [DeviceLost, DeviceBack, ReaderDisturbed]
    table.port.close()
    second = Table(table.board)
    sessions = iter(range(500, 600))
    second.link._new_session = lambda: next(sessions)
    assert [type(signal) for signal in second.run_ms(1_000)] == [ReaderDisturbed]


def test_two_cards_that_lay_there_before_the_reader_failed_are_told_of_again(table: Table) -> None:
    two_cards(table.board)
    table.run_ms(500)
    table.board.pad().unplug()
    table.run_ms(500)
    table.signals.clear()
    table.board.pad().plug_in()
    assert [type(signal) for signal in table.run_ms(3_000)] == [DeviceBack, SeveralTags]


@pytest.mark.parametrize("is_pulled_off", [False, True], ids=["a card lies there", "the reader is pulled off"])
def test_a_reader_that_is_opened_tells_how_it_stands(board: SimulatedMicrocontroller, is_pulled_off: bool) -> None:
    board.plug_in()
    board.pad().field.place(Ntag213(STICKER))
    board.advance_to_ms(1_000)
    if is_pulled_off:
        board.pad().unplug()
        board.advance_to_ms(2_000)
    clock = BoardsClock(board)
    reader = open_bridged_reader(str(board.port), clock=clock)
    signals: list[Signal] = []
    for _ in range(200):
        clock.wait_us(STEP_MS * 1_000)
        signals += reader.poll(clock.now_us() // 1_000)
    reader.close()
    (signal,) = signals
    if is_pulled_off:
        assert isinstance(signal, DeviceLost) and signal.reason.startswith("The RC522 reader does not answer.")
    else:
        assert isinstance(signal, TagPlaced) and signal.uid == STICKER


def test_drumming_on_all_buttons_costs_presses_and_no_card(make_board: MakeBoard) -> None:
    pins = (2, 3, 4, 5, 6, 7, 8, 9, 14, 22)
    board = make_board({"buttons": {f"seat:{seat}": pin for seat, pin in enumerate(pins)}})
    board.plug_in()
    table = Table(board)
    table.connect()
    for turn in range(12):  # 1.2 s in which the host does not listen
        for pin in pins:
            board.press(pin)
        table.hang_ms(50)
        for pin in pins:
            board.release(pin)
        if turn == 10:
            board.pad().field.place(Ntag213(STICKER))
        table.hang_ms(50)
    signals = table.run_ms(4_000)
    assert [signal.uid for signal in signals if isinstance(signal, TagPlaced)] == [STICKER]
    presses = sum(isinstance(signal, ButtonPressed) for signal in signals)
    assert 64 <= presses < 12 * len(pins), "the queue was full, and as long as it is said to be"
    assert not [signal for signal in signals if isinstance(signal, DeviceLost)]


def test_a_table_that_closes_leaves_the_board_silent_at_once(table: Table) -> None:
    table.lamps.show(frozenset({0}))
    table.buzzer.sound((Tone(440, on_ms=60_000),), table.now_ms)
    table.run_ms(100)
    table.lamps.show(frozenset({0, 1}))
    table.buzzer.sound((Tone(880, on_ms=60_000),), table.now_ms)  # a command is under way
    for part in (table.lamps, table.buzzer, table.buttons, *table.readers):
        part.close()
    table.board.advance_to_ms(table.now_ms + 50)
    assert table.board.sounding_hz == 0 and not any(table.board.is_high(pin) for pin in LAMP_PINS)


def test_a_board_whose_ticks_go_round_goes_on(table: Table) -> None:
    """They go round 3 s after the start of a simulated board, and 18 minutes after that of a real one."""
    table.run_ms(2_900 - table.now_ms)
    table.buzzer.sound((Tone(440, on_ms=400),), table.now_ms)
    tag = Ntag213(STICKER)
    table.board.pad().field.place(tag)
    laid_ms = table.now_ms
    table.run_ms(1_000)
    table.board.pad().field.lift(tag)
    table.run_ms(1_000)
    placed, removed = table.signals
    assert isinstance(placed, TagPlaced) and laid_ms <= placed.at_ms <= laid_ms + 100
    assert isinstance(removed, TagRemoved) and 0 <= removed.at_ms - laid_ms - 1_000 <= 400
    (start_ms, _, _), (end_ms, _, _) = list(table.board.tones)[-2:]
    assert abs(end_ms - start_ms - 400) <= 10
    assert json.loads(table.ask(m.Ask(m.Topic.COUNTERS)).text)["uptime_s"] == table.now_ms // 1_000
    assert table.link.counters.sessions == 1


def test_a_greeting_while_the_board_starts_does_not_stop_it(make_board: MakeBoard) -> None:
    board = make_board(compile_ms=50)
    board.plug_in()
    greeting = encode_frame(encode_message(m.Envelope(0x0303, 0, m.Hello())))
    line = os.open(board.port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    for now_ms in range(0, 3_000, STEP_MS):
        if now_ms % 50 == 0:
            os.write(line, greeting)
        board.advance_to_ms(now_ms)
    os.close(line)
    assert not board.at_prompt
    Table(board).connect()


def test_a_chattering_contact_is_one_press(table: Table) -> None:
    for pause_ms in (5, 5, 10, 5):
        table.board.press(DRAW_PIN)
        table.run_ms(pause_ms)
        table.board.release(DRAW_PIN)
        table.run_ms(pause_ms)
    table.board.press(DRAW_PIN)
    table.run_ms(300)
    table.board.release(DRAW_PIN)
    table.run_ms(100)
    (press,) = table.signals
    assert isinstance(press, ButtonPressed) and press.button == "draw"
    table.board.press(DRAW_PIN)
    assert [type(signal) for signal in table.run_ms(100)] == [ButtonPressed]


def test_spikes_on_a_wire_are_no_press_on_the_board_either(table: Table) -> None:
    """Under real MicroPython, at every place between two of its looks, while it reads a card too."""
    table.board.pad().field.place(Ntag213(STICKER))
    for turn in range(60):
        table.board.press(DRAW_PIN)
        table.board.advance_to_ms(table.now_ms + turn % 10)
        table.board.release(DRAW_PIN)
        table.run_ms(20 + 5 * (turn % 4))
    assert not [signal for signal in table.run_ms(300) if isinstance(signal, ButtonPressed)]
    assert not [signal for signal in table.signals if isinstance(signal, ButtonPressed)]
    table.board.press(DRAW_PIN)
    assert [type(signal) for signal in table.run_ms(100)] == [ButtonPressed], "and the button works as before"


def test_a_pattern_sounds_in_its_own_time(table: Table) -> None:
    table.buzzer.sound((Tone(440, on_ms=100, off_ms=50), Tone(880, on_ms=200)), table.now_ms)
    table.run_ms(1_000)
    frequencies = [frequency for _, pin, frequency in table.board.tones if pin == BUZZER_PIN]
    assert frequencies == [440, 0, 880, 0]
    times = [at_ms for at_ms, _, _ in table.board.tones]
    lengths = [end - start for start, end in itertools.pairwise(times)]
    assert all(abs(wanted - got) <= 10 for got, wanted in zip(lengths, (100, 50, 200), strict=True)), lengths


def test_a_new_pattern_takes_the_place_of_the_old_one(table: Table) -> None:
    table.buzzer.sound((Tone(440, on_ms=60_000),), table.now_ms)
    table.run_ms(100)
    table.buzzer.sound((Tone(880, on_ms=100),), table.now_ms)
    table.run_ms(500)
    assert table.board.sounding_hz == 0
    assert [frequency for _, _, frequency in table.board.tones if frequency] == [440, 880]


def test_an_active_buzzer_is_only_switched(make_board: MakeBoard) -> None:
    board = make_board({"buzzer": {"pin": BUZZER_PIN, "passive": False}})
    board.plug_in()
    table = Table(board)
    table.connect()
    table.buzzer.sound((Tone(440, on_ms=200),), table.now_ms)
    table.run_ms(100)
    assert board.is_high(BUZZER_PIN)
    table.run_ms(300)
    assert not board.is_high(BUZZER_PIN)


def test_lamps_shine_for_their_seats_only(table: Table) -> None:
    table.lamps.show(frozenset({1, 3}))
    table.run_ms(100)
    assert [table.board.is_high(pin) for pin in LAMP_PINS] == [False, True, False, True]


def test_outputs_are_safe_when_the_host_goes_away(table: Table) -> None:
    table.lamps.show(frozenset({0}))
    table.buzzer.sound((Tone(440, on_ms=60_000),), table.now_ms)
    table.run_ms(100)
    assert table.board.is_high(LAMP_PINS[0]) and table.board.sounding_hz == 440
    for now_ms in range(table.now_ms, table.now_ms + 2_500, STEP_MS):  # the host hangs: nobody polls it
        table.board.advance_to_ms(now_ms)
    assert not table.board.is_high(LAMP_PINS[0]) and table.board.sounding_hz == 0


def test_outputs_are_safe_from_the_first_moment(board: SimulatedMicrocontroller) -> None:
    board.plug_in()
    board.advance_to_ms(50)
    assert not any(board.is_high(pin) for pin in (*LAMP_PINS, BUZZER_PIN))
    assert board.is_high(17), "the reader's chip select rests high"


def test_no_byte_on_the_line_can_stop_the_program(board: SimulatedMicrocontroller) -> None:
    assert board.interrupt_byte == 0x03, "MicroPython begins with Ctrl-C"
    board.plug_in()
    sessions = iter((0x0303, 0x0304))
    port = BoardPort(Link(lambda: next(sessions)), str(board.port))
    for now_ms in range(0, 1_000, STEP_MS):
        board.advance_to_ms(now_ms)
        port.poll(now_ms)
    assert port.is_connected and port.link.session == 0x0303
    assert board.interrupt_byte == -1
    port.close()


def test_a_program_that_hangs_is_restarted_by_the_watchdog(table: Table) -> None:
    assert table.board.watchdog_ms == 8_000
    table.board.is_frozen = True
    told = table.run_ms(12_000)
    assert table.board.watchdog_bites == 1
    assert [type(signal) for signal in told] == [DeviceLost, DeviceBack]


def test_the_watchdog_leaves_a_sound_program_alone(table: Table) -> None:
    table.run_ms(30_000)
    assert (table.board.watchdog_bites, table.board.starts) == (0, 1)


def test_a_program_that_turns_and_never_feeds_the_watchdog_is_restarted(make_board: MakeBoard) -> None:
    board = make_board()
    app = board.flash / "firmware" / "app.py"
    text = app.read_text()
    assert text.count("self._board.feed_watchdog()") == 1
    app.write_text(text.replace("self._board.feed_watchdog()", "pass"))
    board.plug_in()
    board.advance_to_ms(20_000)
    assert board.watchdog_bites == 2


def test_reports_tell_version_counters_readers_and_settings(table: Table) -> None:
    report = json.loads(table.ask(m.Ask(m.Topic.COUNTERS)).text)
    assert report["firmware"] == FIRMWARE_VERSION
    assert report["counters"]["damaged"] == 0 and report["counters"]["frames"] > 0
    assert report["memory_free"] > 40_000
    readers = json.loads(table.ask(m.Ask(m.Topic.READERS)).text)
    assert readers == [{"name": "pad", "version": 0x92, "fault": ""}]
    assert json.loads(table.ask(m.Ask(m.Topic.SETTINGS)).text)["spi"]["sck"] == 18


def test_settings_are_checked_stored_and_count_from_the_next_start(table: Table) -> None:
    refused = table.ask(m.Change('{"lamps": [10, 10]}'))
    assert (refused.result, refused.text) == (m.Result.REFUSED, "lamp 1 and lamp 0 are both on GP10")
    assert table.ask(m.Change('{"watchdog_ms": 4000}')).result is m.Result.DONE
    assert table.board.watchdog_ms == 8_000
    assert table.ask(m.Restart()).result is m.Result.DONE
    table.until(lambda: table.board.starts == 2 and table.bridge.is_connected)
    assert table.board.watchdog_ms == 4_000


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"lamp": []}', "the file has no setting lamp; it knows buttons, buzzer"),
        ('{"spi": 3}', "spi must be an object"),
        ('{"readers": [{"name": "pad", "cs": 24, "reset": null, "gain_db": 38}]}', "cs of reader pad must be a GP"),
        ("no json at all", "syntax error in JSON"),
        ("[]" * 2000, "longer than 2048 characters"),
        ("[" * 2000, "so the usual pins are in force"),
        ('{"spi": ' * 200, "so the usual pins are in force"),
        (b"\xff\xfe\x00", "can't be used (it is no text)"),
        ('{"buttons": {"a\\ud800": 2}}', "a button's name must be a text"),
    ],
)
def test_settings_that_cant_be_are_told_and_the_usual_pins_stand_in(
    make_board: MakeBoard, content: str | bytes, said: str
) -> None:
    board = make_board()
    (board.flash / "settings.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    board.plug_in()
    table = Table(board)
    table.connect()
    (note,) = table.signals
    assert isinstance(note, DeviceNote) and said in note.text and "()" not in note.text
    board.pad().field.place(Ntag213(STICKER))
    assert [type(signal) for signal in table.run_ms(300)] == [TagPlaced]


def test_pins_that_the_chip_cant_use_are_told_and_the_usual_ones_stand_in(make_board: MakeBoard) -> None:
    spi = {"bus": 0, "sck": 9, "mosi": 19, "miso": 16, "speed_hz": 1_000_000}
    board = make_board({"spi": spi})
    board.plug_in()
    table = Table(board)
    table.connect()
    (note,) = table.signals
    assert isinstance(note, DeviceNote) and "bad SCK pin" in note.text


def test_a_program_that_fails_each_time_ends_at_the_prompt(make_board: MakeBoard) -> None:
    board = make_board()
    (board.flash / "firmware" / "buzzer.py").write_text(
        "class Buzzer:\n    def __init__(self, drive): pass\n    def sound(self, tones, now_ms): pass\n"
        "    def poll(self, now_ms): raise RuntimeError('broken on purpose')\n"
    )
    board.plug_in()
    board.advance_to_ms(1_000)
    assert board.at_prompt
    assert board.starts == 4, "three faults and the start that stays at the prompt"
    assert json.loads((board.flash / "fault.json").read_text()) == ["RuntimeError: broken on purpose", 0]


def test_a_program_that_hangs_each_time_ends_at_the_prompt(make_board: MakeBoard) -> None:
    board = make_board()
    (board.flash / "firmware" / "buzzer.py").write_text(
        "import time\nclass Buzzer:\n    def __init__(self, drive): pass\n    def sound(self, tones, now_ms): pass\n"
        "    def poll(self, now_ms):\n        while True: time.sleep_us(1000)\n"
    )
    board.plug_in()
    board.advance_to_ms(60_000)
    assert board.at_prompt
    assert (board.watchdog_bites, board.starts) == (3, 4)
    text, count = json.loads((board.flash / "fault.json").read_text())
    assert "hung" in text and count == 0


def test_a_plug_that_is_pulled_is_no_fault_of_the_program(make_board: MakeBoard) -> None:
    board = make_board()
    for _ in range(5):
        board.plug_in()
        board.advance_to_ms(board.clock.now_ms() + 1_000)
        board.unplug()
    board.plug_in()
    table = Table(board)
    table.connect()
    assert not board.at_prompt
    assert json.loads(table.ask(m.Ask(m.Topic.COUNTERS)).text)["last_fault"] == ""


def test_a_restart_that_was_asked_for_is_no_fault_of_the_program(table: Table) -> None:
    for starts in range(2, 7):
        assert table.ask(m.Restart()).result is m.Result.DONE
        table.until(lambda starts=starts: table.board.starts == starts and table.bridge.is_connected)  # type: ignore[misc]
    assert not table.board.at_prompt


def test_one_fault_is_survived_and_told_of_in_the_report(make_board: MakeBoard) -> None:
    board = make_board()
    (board.flash / "fault.json").write_text('["ValueError: long ago", 1]')
    board.plug_in()
    table = Table(board)
    table.connect()
    assert json.loads(table.ask(m.Ask(m.Topic.COUNTERS)).text)["last_fault"] == "ValueError: long ago"
    table.run_ms(11_000)
    assert json.loads((board.flash / "fault.json").read_text())[1] == 0

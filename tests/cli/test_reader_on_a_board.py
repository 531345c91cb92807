"""``--reader serial[:PORT]``: a table whose reader, buttons, buzzer and lamps are on a simulated board."""

from __future__ import annotations

import itertools
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from hardware.ports import Tone
from hardware.readers import PILE_READER
from hardware.signals import ButtonPressed, CardLabel, DeviceLost, Signal, TagPlaced
from hardware.simulated import Ntag213
from hardware.simulated.microcontroller import (
    SimulatedMicrocontroller,
    flash_firmware,
)
from hardware.simulated.pad import SimulatedPad
from hardware.tags.type2 import Type2Tag, encode_label, write_label
from table_app.cli.cards.command import cards
from table_app.cli.play import play
from table_app.rules import DECKS
from table_app.rules.setup import Setup
from table_app.settings import Settings, read_settings
from table_app.table.clock import now_ms
from table_app.table.devices import Devices, open_devices
from table_app.table.opening import REGISTRY_FILE
from table_app.tags.registry import open_registry
from tests.programs import requires_micropython

WAIT_S = 20.0
CLASSIC = DECKS["classic"]


@pytest.mark.parametrize("value", ["auto", "serial", "serial:/dev/ttyACM0", "serial:socket://table:4000", "none"])
def test_a_reader_may_be_named(value: str) -> None:
    context = play.make_context("play", ["--reader", value])
    assert context.params["reader"] == value


def test_another_word_is_no_reader() -> None:
    with pytest.raises(click.BadParameter, match="'serials' is none of auto, spi"):
        play.make_context("play", ["--reader", "serials"])


def board_in(directory: Path) -> SimulatedMicrocontroller:
    """A board with its firmware, in real time and without power."""
    requires_micropython()
    flash = directory / "board" / "flash"
    flash.mkdir(parents=True)
    flash_firmware(flash)
    return SimulatedMicrocontroller(flash, directory / "board" / "port", real_time=True)


class Heard:
    """Takes the devices' signals as the loop does, woken and not polling."""

    def __init__(self, address: str, settings: Settings | None = None) -> None:
        self._woken = threading.Event()
        self.signals: list[Signal] = []
        self.devices: Devices = open_devices(
            settings or read_settings(None), f"serial:{address}", Setup(("Ana", "Ben")).deck, now_ms, self._woken.set
        )

    def until(self, condition: Callable[[], bool]) -> None:
        give_up = time.monotonic() + WAIT_S
        while not condition():
            assert time.monotonic() < give_up, self.signals
            self._woken.wait(0.05)
            self._woken.clear()
            for device in self.devices.senses:
                self.signals += device.poll(now_ms())

    def has(self, kind: type) -> bool:
        return any(isinstance(signal, kind) for signal in self.signals)


def test_cards_presses_and_sounds_go_over_the_line(tmp_path: Path) -> None:
    board = board_in(tmp_path)
    port = board.port
    heard = Heard(str(port))
    try:
        heard.until(lambda: heard.has(DeviceLost))  # it is looked for from the start, and told of as missing
        lost = next(signal for signal in heard.signals if isinstance(signal, DeviceLost))
        assert lost.reason == f"{port} is not there. Plug the board in, or name its port."
        board.plug_in()
        heard.until(lambda: board.starts == 1 and len(heard.signals) >= 2)
        board.exchange(None, Ntag213(bytes.fromhex("04112233445566")))
        heard.until(lambda: heard.has(TagPlaced))
        board.press(6)
        heard.until(lambda: heard.has(ButtonPressed))
        assert heard.devices.buzzer is not None and heard.devices.lamps is not None
        heard.devices.buzzer.sound((Tone(440, on_ms=60_000),), now_ms())
        heard.devices.lamps.show(frozenset({1}))
        heard.until(lambda: board.sounding_hz == 440 and board.is_high(11))
        heard.devices.close()
        heard.until(lambda: board.sounding_hz == 0 and not board.is_high(11))
    finally:
        heard.devices.close()
        board.close()


def test_cards_are_enrolled_on_a_reader_on_a_board(tmp_path: Path) -> None:
    board = board_in(tmp_path)
    board.plug_in()
    is_done = threading.Event()
    stickers = [Ntag213(bytes((4, number, 2, 3, 4, 5, 6))) for number in range(4)]

    def lay_one_after_the_other() -> None:
        before = None
        for sticker in itertools.cycle(stickers):
            board.exchange(before, sticker)
            before = sticker
            if is_done.wait(0.3):
                return

    hand = threading.Thread(target=lay_one_after_the_other)
    hand.start()
    state = ["--state-directory", str(tmp_path / "state")]
    try:
        CliRunner().invoke(
            cards,
            [*state, "enrol", "--only", "w+4", "--reader", f"serial:{board.port}"],
            input="",
            catch_exceptions=False,
        )
    finally:
        is_done.set()
        hand.join()
        board.close()
    listed = CliRunner().invoke(cards, [*state, "list"], catch_exceptions=False).output
    for sticker in stickers:
        assert sticker.uid.hex(" ").upper() in listed


def test_a_label_is_written_and_read_over_the_line(tmp_path: Path) -> None:
    board = board_in(tmp_path)
    board.plug_in()
    sticker = Ntag213(bytes.fromhex("04112233445566"))
    board.exchange(None, sticker)
    (tmp_path / "state").mkdir()
    registry = open_registry(tmp_path / "state" / REGISTRY_FILE).tags
    registry.enrol(sticker.uid, CLASSIC, "r7", 1)
    registry.close()

    def command(*arguments: str) -> str:
        options = ["--state-directory", str(tmp_path / "state")]
        reader = ["--reader", f"serial:{board.port}"]
        return CliRunner().invoke(cards, [*options, *arguments, *reader], input="", catch_exceptions=False).output

    try:
        wrote = command("write", "--deck", "classic")
        read = command("read")
    finally:
        board.close()
    assert "Cards done: 1 of 1; left: 0." in wrote
    assert "NTAG213" in read and "red 7" in read
    assert type2_message(sticker) == encode_label(CardLabel("r7#1", "classic"))


def type2_message(sticker: Ntag213) -> bytes:
    """The message on *sticker*, as a local reader of its own reads it."""
    pad = SimulatedPad()
    pad.place(sticker)
    pad.poll(100)
    return pad.talk(lambda transceiver, tag: Type2Tag(transceiver, tag).read_message())


def two_reader_settings(directory: Path) -> Settings:
    """Settings of a table with a reader at its draw pile."""
    path = directory / "lastcard.toml"
    path.write_text("[pile-reader]\nuse = true\n")
    return read_settings(path)


def test_a_board_with_two_readers_serves_pad_and_draw_pile(tmp_path: Path) -> None:
    board = board_in(tmp_path)
    (board.flash / "settings.json").write_text(json.dumps({"readers": [reader("pad", 17), reader("pile", 20)]}))
    labelled = Ntag213(bytes.fromhex("04112233445566"))
    pad = SimulatedPad()
    pad.place(labelled)
    pad.poll(100)
    pad.talk(lambda transceiver, tag: write_label(transceiver, tag, CardLabel("r7", "classic")))
    pad.lift(labelled)
    board.plug_in()
    heard = Heard(str(board.port), two_reader_settings(tmp_path))
    try:
        board.exchange(None, labelled, 0)
        board.exchange(None, Ntag213(bytes.fromhex("04992233445566")), 1)
        heard.until(lambda: len([signal for signal in heard.signals if isinstance(signal, TagPlaced)]) == 2)
    finally:
        heard.devices.close()
        board.close()
    placed = {signal.reader: signal for signal in heard.signals if isinstance(signal, TagPlaced)}
    assert placed["pad"].uid == labelled.uid and placed["pad"].label == CardLabel("r7", "classic")
    assert placed["pile"].uid == bytes.fromhex("04992233445566")
    assert not heard.has(DeviceLost), heard.signals


def test_a_board_with_one_reader_says_so_where_two_are_needed_and_serves_the_pad(tmp_path: Path) -> None:
    board = board_in(tmp_path)
    board.plug_in()
    heard = Heard(str(board.port), two_reader_settings(tmp_path))
    try:
        heard.until(lambda: heard.has(DeviceLost))
        board.exchange(None, Ntag213(bytes.fromhex("04112233445566")))
        heard.until(lambda: heard.has(TagPlaced))
    finally:
        heard.devices.close()
        board.close()
    (lost,) = [signal for signal in heard.signals if isinstance(signal, DeviceLost)]
    assert lost.device == PILE_READER
    assert lost.reason == (
        "The board has no reader called pile (it has pad). Wire one and tell the board its chip select, such as GP20: "
        "lastcard firmware set readers.pile.cs 20"
    )


def reader(name: str, chip_select: int) -> dict[str, object]:
    return {"name": name, "cs": chip_select, "reset": None, "gain_db": 38}

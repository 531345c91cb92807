"""What is written on a tag, read and written over the line: the host's own code on a radio at the far end of it.

The board is the real firmware on a simulated chip, in virtual time; a call that waits for its answers moves that
time on by itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge import FIRMWARE_VERSION
from firmware_bridge import messages as m
from firmware_bridge.frames import FrameReader, encode_frame
from firmware_bridge.link import COMMANDS_MAX, Link
from firmware_bridge.payloads import decode_message, encode_message
from firmware_bridge.port import BoardPort, Line, open_line
from hardware.bridged.bridge import ANSWER_MS, NO_BOARD, Bridge
from hardware.bridged.parts import BridgedReader, decode_reply
from hardware.diagnosis.examining import examine
from hardware.ports import DeviceFaultError, TagGoneError, TagRefusedError
from hardware.signals import CardLabel, DeviceBack, DeviceLost, DeviceNote, Signal, TagPlaced, TagRemoved
from hardware.simulated import MifareClassic1K, Ntag213
from hardware.simulated.faults import AirFaults
from hardware.simulated.field import Field
from hardware.simulated.microcontroller import SimulatedMicrocontroller
from hardware.simulated.pad import SimulatedPad
from hardware.simulated.tags import Type2Tag
from hardware.tags.labels import LabelReader
from hardware.tags.type2 import read_label, write_label
from tests.firmware_bridge.reader_recording import describe
from tests.hardware.stickers_to_lay import STICKERS

MakeBoard = Callable[..., SimulatedMicrocontroller]
STICKER = bytes.fromhex("04112233445566")
LABEL = CardLabel("r7", "classic")
OTHER = CardLabel("w+4", "a deck of our own")
STEP_MS = 5
TWO_READERS = {
    "readers": [
        {"name": "pad", "cs": 17, "reset": None, "gain_db": 38},
        {"name": "pile", "cs": 20, "reset": None, "gain_db": 38},
    ]
}
OLD_SENTENCE = (
    f"The board's firmware {FIRMWARE_VERSION} is too old to read or write what is on a tag. "
    "Put the newer one on it with: lastcard firmware install"
)


class Desk:
    """A host with one board on a cable; it is its own clock, and whoever waits on it lets the board run."""

    def __init__(
        self,
        board: SimulatedMicrocontroller,
        readers: tuple[str, ...] = ("pad",),
        open_line: Callable[[str], Line] = open_line,
    ) -> None:
        self.board = board
        self.now = board.clock.now_us()
        sessions = iter(range(1, 1000))
        self.link = Link(lambda: next(sessions))
        self.port = BoardPort(self.link, str(board.port), open_line=open_line)
        self.bridge = Bridge(self.port, clock=self)
        self.readers: list[LabelReader | BridgedReader] = [BridgedReader(self.bridge, name) for name in readers]
        self.signals: list[Signal] = []

    def now_us(self) -> int:
        return self.now

    def wait_us(self, duration_us: int) -> None:
        self.now += duration_us
        self.board.advance_to_ms(self.now // 1000)

    @property
    def pad(self) -> BridgedReader:
        (reader,) = [reader for reader in self.readers if isinstance(reader, BridgedReader) and reader.name == "pad"]
        return reader

    def run_ms(self, duration_ms: int) -> list[Signal]:
        before = len(self.signals)
        for _ in range(0, duration_ms, STEP_MS):
            self.wait_us(STEP_MS * 1000)
            for reader in self.readers:
                self.signals += reader.poll(self.now // 1000)
        return self.signals[before:]

    def connect(self) -> None:
        for _ in range(100):
            self.run_ms(100)
            if self.bridge.is_connected:
                break
        self.run_ms(400)
        assert self.bridge.is_connected, self.port.fault

    def field(self, pad: int = 0) -> Field:
        return self.board.pad(pad).field

    def lay(self, tag: Ntag213, pad: int = 0) -> Ntag213:
        self.field(pad).place(tag)
        self.run_ms(300)
        return tag


@pytest.fixture
def desk(board: SimulatedMicrocontroller) -> Desk:
    board.plug_in()
    desk = Desk(board)
    desk.connect()
    return desk


def label_of(tag: Ntag213) -> CardLabel | None:
    """What a local reader of its own reads on *tag*."""
    pad = SimulatedPad()
    pad.place(tag)
    pad.poll(100)
    label = pad.talk(read_label)
    pad.lift(tag)
    return label


def test_a_label_is_written_and_read_as_a_local_reader_reads_it(desk: Desk) -> None:
    tag = desk.lay(Ntag213(STICKER))
    assert desk.pad.talk(read_label) is None
    desk.pad.talk(lambda radio, found: write_label(radio, found, LABEL))
    assert desk.pad.talk(read_label) == LABEL
    assert desk.run_ms(1_000) == [], "the card lay there all the while"
    desk.field().lift(tag)
    assert [type(signal) for signal in desk.run_ms(500)] == [TagRemoved]
    assert label_of(tag) == LABEL


@pytest.mark.parametrize("name", [name for name, (make, _) in STICKERS.items() if isinstance(make(), Type2Tag)])
def test_a_sticker_is_told_over_the_line_as_a_local_reader_tells_it(desk: Desk, name: str) -> None:
    make, condition = STICKERS[name]
    desk.field().place(make())
    desk.run_ms(300)
    assert desk.pad.talk(examine).condition is condition


def test_a_card_laid_brings_its_label_and_its_kind(make_board: MakeBoard) -> None:
    board = make_board()
    board.plug_in()
    desk = Desk(board)
    desk.connect()
    tag = desk.lay(Ntag213(STICKER))
    desk.pad.talk(lambda radio, found: write_label(radio, found, LABEL))
    desk.field().lift(tag)
    desk.run_ms(500)
    desk.readers = [LabelReader(desk.pad)]
    laid_ms = desk.now // 1000
    desk.field().place(tag)
    (placed,) = desk.run_ms(1_000)
    assert isinstance(placed, TagPlaced) and (placed.label, placed.sak) == (LABEL, 0)
    assert placed.at_ms - laid_ms <= 100


def test_each_of_two_readers_writes_on_its_own_card(make_board: MakeBoard) -> None:
    board = make_board(TWO_READERS)
    board.plug_in()
    desk = Desk(board, readers=("pad", "pile"))
    desk.connect()
    tags = [desk.lay(Ntag213(bytes((4, number, *STICKER[2:]))), number) for number in (0, 1)]
    desk.readers[0].talk(lambda radio, found: write_label(radio, found, LABEL))
    desk.readers[1].talk(lambda radio, found: write_label(radio, found, OTHER))
    assert [reader.talk(read_label) for reader in desk.readers] == [LABEL, OTHER]
    for number, tag in enumerate(tags):
        desk.field(number).lift(tag)
    assert [label_of(tag) for tag in tags] == [LABEL, OTHER]


@pytest.mark.parametrize("frames", [1, 3, 6, 8, 12, 16, 20, 24])
def test_a_tag_lifted_in_the_middle_holds_the_old_label_the_new_one_or_none(desk: Desk, frames: int) -> None:
    tag = desk.lay(Ntag213(STICKER))
    desk.pad.talk(lambda radio, found: write_label(radio, found, LABEL))
    desk.field().lift(tag, after_frames=frames)
    with pytest.raises(TagGoneError) as gone:
        desk.pad.talk(lambda radio, found: write_label(radio, found, OTHER))
    assert str(gone.value).endswith((".",)) and "Lay it" in str(gone.value)
    assert [type(signal) for signal in desk.run_ms(1_000)] == [TagRemoved]
    assert label_of(tag) in (LABEL, OTHER, None)
    desk.lay(tag)
    desk.pad.talk(lambda radio, found: write_label(radio, found, OTHER))
    assert desk.pad.talk(read_label) == OTHER


def test_a_tag_exchanged_in_the_middle_is_not_written_on(desk: Desk) -> None:
    first, second = desk.lay(Ntag213(STICKER)), Ntag213(bytes.fromhex("04992233445566"))
    frames = 0

    def exchange(frame: bytes, reception: Any) -> Any:
        nonlocal frames
        frames += 1
        if frames == 12:
            desk.field().lift(first)
            desk.field().place(second)
        return reception

    desk.field().disturb = exchange
    with pytest.raises(TagGoneError, match="The tag left before it was finished with"):
        desk.pad.talk(lambda radio, found: write_label(radio, found, LABEL))
    desk.field().disturb = None
    desk.run_ms(500)
    desk.field().lift(second)
    assert label_of(second) is None


@pytest.mark.parametrize("seed", range(4))
def test_bad_air_is_repeated_until_the_label_stands(desk: Desk, seed: int) -> None:
    tag = desk.lay(Ntag213(STICKER))
    desk.field().disturb = AirFaults(random.Random(seed), silence=0.02, flip=0.02, start=0.01, cut=0.01)
    desk.pad.talk(lambda radio, found: write_label(radio, found, LABEL))
    desk.field().disturb = None
    desk.field().lift(tag)
    assert label_of(tag) == LABEL, f"seed {seed}"


def test_several_cards_and_no_card_and_another_kind_are_sentences(desk: Desk) -> None:
    with pytest.raises(TagGoneError, match="No card can be read"):
        desk.pad.talk(read_label)
    tags = [Ntag213(STICKER), Ntag213(bytes.fromhex("04992233445566"))]
    for tag in tags:
        desk.field().place(tag)
    with pytest.raises(TagRefusedError, match="Several cards lie on the reader"):
        desk.pad.talk(read_label)
    for tag in tags:
        desk.field().lift(tag)
    desk.field().place(MifareClassic1K(b"\xde\xad\xbe\xef"))
    with pytest.raises(TagRefusedError, match="it is not an NTAG"):
        desk.pad.talk(read_label)


def test_a_reader_pulled_off_its_wires_in_the_middle_is_a_sentence_and_comes_back(desk: Desk) -> None:
    desk.lay(Ntag213(STICKER))

    def pull(radio: Any, found: Any) -> None:
        desk.board.pad().unplug()
        read_label(radio, found)

    with pytest.raises(DeviceFaultError, match=r"The RC522 reader does not answer\. All bits read 1"):
        desk.pad.talk(pull)
    assert [type(signal) for signal in desk.run_ms(500)] == [DeviceLost]
    with pytest.raises(DeviceFaultError, match=r"The RC522 reader does not answer\. All bits read 1"):
        desk.pad.talk(read_label)
    desk.board.pad().plug_in()
    assert [type(signal) for signal in desk.run_ms(3_000)] == [DeviceBack]
    assert desk.pad.talk(read_label) is None


def test_a_cable_pulled_in_the_middle_ends_the_talk_with_a_sentence(desk: Desk) -> None:
    desk.lay(Ntag213(STICKER))

    def pull(radio: Any, found: Any) -> None:
        desk.board.unplug()
        read_label(radio, found)

    with pytest.raises(DeviceFaultError) as fault:
        desk.pad.talk(pull)
    assert str(fault.value) == NO_BOARD
    assert str(fault.value.__context__).startswith("The board was unplugged.")
    desk.board.plug_in()
    desk.connect()
    assert desk.pad.talk(read_label) is None


def test_a_board_that_hangs_in_the_middle_is_waited_for_so_long_and_no_longer(desk: Desk) -> None:
    desk.lay(Ntag213(STICKER))
    hung_us = 0

    def hang(radio: Any, found: Any) -> None:
        nonlocal hung_us
        desk.board.is_frozen = True
        hung_us = desk.now
        read_label(radio, found)

    with pytest.raises(DeviceFaultError):
        desk.pad.talk(hang)
    assert desk.now - hung_us <= 2 * ANSWER_MS * 1000 + 1_000


def test_a_board_that_is_there_and_answers_no_command_is_a_sentence_each_time(make_board: MakeBoard) -> None:
    board = make_board()
    app = board.flash / "firmware" / "app.py"
    text = app.read_text()
    assert text.count("            self._obey(number, command, now_ms)") == 1
    app.write_text(text.replace("            self._obey(number, command, now_ms)", "            pass"))
    board.plug_in()
    desk = Desk(board)
    desk.connect()
    desk.lay(Ntag213(STICKER))
    for _ in range(2 * COMMANDS_MAX):
        with pytest.raises(DeviceFaultError, match=r"There is no board|The board stopped answering"):
            desk.pad.talk(read_label)
        desk.run_ms(100)
    assert {type(signal) for signal in desk.signals[-6:]} <= {DeviceLost, DeviceBack, TagPlaced}
    assert len([signal for signal in desk.signals if isinstance(signal, TagPlaced)]) == 1, "one card, laid once"


def test_more_commands_than_a_board_answers_are_dropped_and_counted(desk: Desk) -> None:
    desk.board.is_frozen = True
    for _ in range(2 * COMMANDS_MAX):
        desk.bridge.send(m.Ask(m.Topic.READERS))
        desk.run_ms(STEP_MS)
    assert desk.bridge.counters.commands == COMMANDS_MAX
    desk.run_ms(12_000)
    desk.connect()
    desk.lay(Ntag213(STICKER))
    assert desk.pad.talk(read_label) is None


def test_a_host_that_stops_in_the_middle_leaves_a_reader_that_looks_on(desk: Desk) -> None:
    tag = desk.lay(Ntag213(STICKER))
    for frame, answer_bytes in ((b"\x52", 2), (b"\x93\x20", 5)):
        exchange = m.Exchange("pad", frame, 7 if len(frame) == 1 else 0, answer_bytes, 300)
        assert desk.bridge.ask(exchange).text.startswith("answer 0 ")
    assert desk.run_ms(2_000) == [], "the card lay there all the while"
    desk.field().lift(tag)
    assert [type(signal) for signal in desk.run_ms(500)] == [TagRemoved]


class LossyLine:
    """Drops some of what is written and read, whole pieces at a time."""

    def __init__(self, line: Line, rng: random.Random, share: float) -> None:
        self._line, self._rng, self.share = line, rng, share

    def read(self, size: int = 1, /) -> bytes:
        data = self._line.read(size)
        return b"" if self._rng.random() < self.share else data

    def write(self, data: bytes, /) -> int | None:
        return len(data) if self._rng.random() < self.share else self._line.write(data)

    def close(self) -> None:
        self._line.close()


@pytest.mark.parametrize("seed", range(3))
def test_frames_lost_on_the_line_write_no_page_twice(board: SimulatedMicrocontroller, seed: int) -> None:
    board.plug_in()
    rng = random.Random(seed)
    lines: list[LossyLine] = []

    def open_lossy(address: str) -> Line:
        lines.append(LossyLine(open_line(address), rng, 0.0))
        return lines[-1]

    desk = Desk(board, open_line=open_lossy)
    desk.connect()
    tag = desk.lay(Ntag213(STICKER))
    written: list[bytes] = []

    def note(frame: bytes, reception: Any) -> Any:
        if frame[:1] == b"\xa2":
            written.append(frame)
        return reception

    desk.field().disturb = note
    lines[-1].share = 0.1
    desk.pad.talk(lambda radio, found: write_label(radio, found, LABEL))
    lines[-1].share = 0.0
    assert desk.link.counters.repeated > 0, f"seed {seed}: nothing was lost"
    desk.field().lift(tag)
    assert label_of(tag) == LABEL
    # The first page is emptied before and filled after the rest (NFC Forum Type 2 Tag, 6.4), the others once each.
    assert len(written) == len({frame[1] for frame in written}) + 1, f"seed {seed}: {written}"


@pytest.fixture
def old_board(make_board: MakeBoard) -> SimulatedMicrocontroller:
    """A board whose firmware speaks version 1 and does not know an Exchange."""
    board = make_board(TWO_READERS)
    _edit(board.flash / "firmware" / "messages.py", "PROTOCOL_VERSION = 2", "PROTOCOL_VERSION = 1")
    _edit(board.flash / "firmware" / "messages.py", "if kind == EXCHANGE and size:", "if False:")
    board.plug_in()
    return board


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def test_an_old_firmware_is_told_of_once_and_reads_cards_as_ever(old_board: SimulatedMicrocontroller) -> None:
    desk = Desk(old_board, readers=("pad", "pile"))
    desk.connect()
    (note,) = desk.signals
    assert isinstance(note, DeviceNote) and (note.device, note.text) == ("pad", OLD_SENTENCE)
    desk.readers = [LabelReader(desk.pad), desk.readers[1]]
    desk.field().place(Ntag213(STICKER))
    (placed,) = desk.run_ms(500)
    assert isinstance(placed, TagPlaced) and placed.label is None
    with pytest.raises(TagRefusedError) as refused:
        desk.readers[0].talk(read_label)
    assert str(refused.value) == OLD_SENTENCE
    old_board.unplug()
    desk.run_ms(500)
    old_board.plug_in()
    assert not any(isinstance(signal, DeviceNote) for signal in desk.run_ms(5_000))


def test_a_command_that_an_old_board_would_never_answer_is_not_sent(old_board: SimulatedMicrocontroller) -> None:
    desk = Desk(old_board)
    desk.connect()
    with pytest.raises(ValueError, match="does not know this command"):
        desk.link.send(m.Exchange("pad", b"\x52"), desk.now // 1000)


@pytest.mark.parametrize(("lowest", "highest", "chosen"), [(1, 1, 1), (1, 2, 2), (2, 9, 2), (3, 9, None), (0, 0, None)])
def test_a_board_chooses_the_highest_version_that_both_speak(
    board: SimulatedMicrocontroller, lowest: int, highest: int, chosen: int | None
) -> None:
    board.plug_in()
    board.advance_to_ms(50)
    line = open_line(str(board.port))
    line.write(encode_frame(encode_message(m.Envelope(9, 0, m.Hello(lowest, highest)))))
    board.advance_to_ms(100)
    said = [decode_message(payload).message for payload in FrameReader().receive_data(line.read(4_096))]
    line.close()
    versions = [message.protocol for message in said if isinstance(message, m.Welcome)]
    assert versions == ([] if chosen is None else [chosen])
    assert any(isinstance(message, m.Refuse) for message in said) == (chosen is None)


def test_replies_are_understood_as_the_vectors_say(vectors: dict[str, Any]) -> None:
    for vector in vectors["replies"]:
        assert describe(decode_reply(vector["text"])) == vector["reply"]


@pytest.mark.parametrize("text", ["", "answer", "answer 0", "answer x 00", "answer 0 0g", "collision", "nonsense 1"])
def test_a_reply_that_is_none_is_a_sentence(text: str) -> None:
    with pytest.raises(DeviceFaultError, match="lastcard firmware install"):
        decode_reply(text)

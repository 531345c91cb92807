"""The board's half of the conversation by itself: everything that it drops or repeats is counted, and told."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from firmware_bridge import messages as m
from firmware_bridge.firmware import FIRMWARE_VERSION
from firmware_bridge.firmware import link as board_link
from firmware_bridge.firmware import messages as board_messages
from firmware_bridge.frames import FrameReader, encode_frame
from firmware_bridge.payloads import decode_message, encode_message

SESSION = 7


class Board:
    """A board's link in a session, and what it says."""

    def __init__(self) -> None:
        welcome = board_messages.welcome_body(99, "1.2.0", "Pico", 7, 4, ["pad"])
        self.link = board_link.Link(99, welcome)
        self.hear(m.Hello())
        self.said()

    def hear(self, message: m.Message, number: int = 0, session: int = SESSION, now_ms: int = 0) -> None:
        self.hear_bytes(encode_frame(encode_message(m.Envelope(session, number, message))), now_ms)

    def hear_bytes(self, data: bytes, now_ms: int = 0) -> None:
        for byte in data:
            self.link.receive(byte, now_ms)

    def said(self) -> list[m.Message]:
        data, self.link.out = bytes(self.link.out), bytearray()
        return [decode_message(payload).message for payload in FrameReader().receive_data(data)]

    def press(self, number: int, now_ms: int = 0) -> None:
        self.link.tell(board_messages.PRESSED, board_messages.text(f"seat:{number}"), now_ms)


def damaged() -> bytes:
    frame = bytearray(encode_frame(encode_message(m.Envelope(SESSION, 0, m.HostAlive()))))
    frame[4] ^= 0x10
    return bytes(frame)


def lose_events(board: Board) -> None:
    for number in range(board_link.WINDOW + board_link.EVENTS_MAX + 5):
        board.press(number)
        board.link.out = bytearray()


def fill_the_line(board: Board) -> None:
    for number in range(200):
        board.hear(m.Ask(m.Topic.COUNTERS), number % 255 + 1)
        board.link.done(number % 255 + 1, board_messages.RESULT_DONE, "x" * 700)


@pytest.mark.parametrize(
    ("name", "happen", "count"),
    [
        ("damaged", lambda board: board.hear_bytes(damaged()), 1),
        ("too_long", lambda board: board.hear_bytes(b"\x00" + b"\x01" * 2_000 + b"\x00"), 1),
        ("stale", lambda board: board.hear(m.Show(frozenset()), 1, SESSION + 1), 1),
        ("unknown", lambda board: board.hear_bytes(encode_frame(b"\x3f\x07\x00\x00")), 1),
        ("dropped_events", lose_events, 5),
        ("dropped_frames", fill_the_line, 198),
    ],
)
def test_what_is_dropped_is_counted_and_told_with_the_heartbeat(
    name: str, happen: Callable[[Board], None], count: int
) -> None:
    board = Board()
    assert board.link.dropped == 0
    happen(board)
    assert board.link.counters()[name] == count
    assert board.link.dropped == count
    board.link.out = bytearray()
    board.hear(m.HostAlive(), now_ms=1_000)
    board.link.tick(1_000)
    (alive,) = [message for message in board.said() if isinstance(message, m.BoardAlive)]
    assert alive.dropped == count


def test_repeats_are_counted_and_answered_with_the_same_words() -> None:
    board = Board()
    board.hear(m.Ask(m.Topic.READERS), 1)
    board.link.done(1, board_messages.RESULT_DONE, "once")
    for _ in range(3):
        board.hear(m.Ask(m.Topic.READERS), 1)
    assert board.said() == [m.Done(m.Result.DONE, "once")] * 4
    assert board.link.commands == []
    assert board.link.counters()["repeated_commands"] == 3
    board.press(0)
    board.press(1)
    board.link.tick(board_link.REPEAT_MS)
    assert board.link.counters()["repeated_events"] == 2
    assert board.link.dropped == 0, "what is repeated is not lost"


def test_an_announcement_answers_whoever_speaks_without_a_session() -> None:
    board = board_link.Link(99, b"")
    for byte in encode_frame(encode_message(m.Envelope(5, 0, m.HostAlive()))):
        board.receive(byte, 0)
    (payload,) = FrameReader().receive_data(bytes(board.out))
    assert decode_message(payload).message == m.Announce(1, 2, 99, "1.2.0")


@pytest.mark.parametrize("seed", range(5))
def test_junk_of_any_kind_holds_no_more_than_one_frame_and_harms_no_session(seed: int) -> None:
    rng = random.Random(seed)
    board = Board()
    for _ in range(300):
        board.hear_bytes(rng.randbytes(rng.randint(1, 400)))
        assert len(board.link.out) <= board_link.OUT_MAX
    board.link.out = bytearray()
    board.hear_bytes(b"\x00")
    board.hear(m.Ask(m.Topic.COUNTERS), 9)
    assert board.link.session == SESSION and [number for number, _ in board.link.commands] == [9], f"seed {seed}"


def test_a_reading_takes_the_room_of_the_newest_press() -> None:
    board = Board()
    for number in range(board_link.WINDOW + board_link.EVENTS_MAX):
        board.press(number % 10)
    placed = board_messages.tag_body("pad", bytes(4), b"\x44\x00", 0)
    assert board.link.tell(board_messages.PLACED, placed, 0)
    assert board.link.dropped_events == 1
    told: list[m.Message] = []
    board.said()
    for number in range(board_link.WINDOW, 100, board_link.WINDOW):
        board.hear(m.HostAlive(), number)
        told += board.said()
    assert [type(message) for message in told] == [m.Pressed] * (board_link.EVENTS_MAX - 1) + [m.Placed]


def test_a_reading_with_no_room_at_all_is_not_taken_for_told() -> None:
    board = Board()
    placed = board_messages.tag_body("pad", bytes(4), b"\x44\x00", 0)
    for _ in range(board_link.WINDOW + board_link.EVENTS_MAX):
        assert board.link.tell(board_messages.PLACED, placed, 0)
    assert not board.link.tell(board_messages.PLACED, placed, 0)


def test_a_restart_is_obeyed_without_a_session_and_answered_once() -> None:
    board = Board()
    restart = m.Restart(m.RestartInto.PROMPT)
    board.hear(m.Show(frozenset()), 1)
    board.link.done(1, board_messages.RESULT_DONE)
    board.hear(restart, 1, session=0)
    assert board.link.commands == [], "in a session its own host says what to do"
    board.hear(m.Hello(9, 12), session=0x1111)
    assert board.said()[-1] == m.Refuse(m.PROTOCOL_LOWEST, m.PROTOCOL_VERSION, FIRMWARE_VERSION)
    board.link.tick(board_link.SILENCE_MS)
    board.hear(restart, 1, session=0)
    assert board.link.commands == [(1, (board_messages.RESTART, board_messages.RESTART_PROMPT))]
    board.link.done(1, board_messages.RESULT_DONE)
    board.hear(restart, 1, session=0)
    assert board.link.commands == []


def test_nothing_but_a_restart_is_obeyed_without_a_session() -> None:
    board = board_link.Link(99, b"")
    for command in (m.Show(frozenset({1})), m.Sound(()), m.Change("{}"), m.Ask(m.Topic.COUNTERS)):
        for byte in encode_frame(encode_message(m.Envelope(0, 1, command))):
            board.receive(byte, 0)
    assert board.commands == [] and board.stale == 4


def test_a_welcome_tells_whether_its_session_is_new() -> None:
    board = Board()
    board.press(1)
    board.said()
    board.hear(m.Hello())
    board.hear(m.Hello(), session=SESSION + 1)
    data, board.link.out = bytes(board.link.out), bytearray()
    assert [decode_message(payload).number for payload in FrameReader().receive_data(data)] == [1, 0]

"""The host's half by itself: what belongs to no session of its own is nothing to it."""

from __future__ import annotations

import pytest

from firmware_bridge import messages as m
from firmware_bridge.frames import FrameReader, encode_frame
from firmware_bridge.link import (
    COMMANDS_MAX,
    EVENTS_MAX,
    REPEAT_MS,
    SILENCE_MS,
    Answered,
    Cause,
    Connected,
    Disconnected,
    Event,
    Happened,
    Incompatible,
    Link,
    State,
)
from firmware_bridge.payloads import decode_message, encode_message

WELCOME = m.Welcome(1, 99, "1.0.0", "Pico", 7, 4, ("pad",))
PRESSED = m.Pressed(0, "draw")


def says(session: int, number: int, message: m.Message) -> bytes:
    return encode_frame(encode_message(m.Envelope(session, number, message)))


def sent(link: Link) -> list[m.Envelope]:
    return [decode_message(payload) for payload in FrameReader().receive_data(link.data_to_send())]


def events(link: Link) -> list[Event]:
    found = []
    while (event := link.next_event()) is not None:
        found.append(event)
    return found


@pytest.fixture
def link() -> Link:
    """A link in its session 7."""
    sessions = iter(range(7, 1000))
    link = Link(lambda: next(sessions))
    link.line_opened(0)
    link.receive_data(says(7, 0, WELCOME), 10)
    assert events(link) == [Connected(WELCOME)]
    link.data_to_send()
    return link


def test_a_greeting_is_repeated_until_it_is_answered() -> None:
    link = Link(lambda: 7)
    link.line_opened(0)
    for now_ms in range(0, 1_001, 50):
        link.tick(now_ms)
    assert sent(link) == [m.Envelope(7, 0, m.Hello())] * 5


def test_a_welcome_to_another_session_begins_none() -> None:
    link = Link(lambda: 7)
    link.line_opened(0)
    link.receive_data(says(6, 0, WELCOME), 10)
    assert link.state is State.GREETING and events(link) == []
    assert link.counters.stale == 1


def test_events_of_an_earlier_session_are_not_taken(link: Link) -> None:
    link.receive_data(says(6, 1, PRESSED), 20)
    assert events(link) == []
    assert link.counters.stale == 1


def test_an_event_is_taken_once_and_acknowledged_each_time(link: Link) -> None:
    for now_ms in (20, 120):
        link.receive_data(says(7, 1, PRESSED), now_ms)
        link.tick(now_ms)
    assert events(link) == [Happened(20, PRESSED)]
    assert sent(link) == [m.Envelope(7, 1, m.HostAlive())] * 2


def test_an_event_ahead_of_a_lost_one_waits_for_it(link: Link) -> None:
    link.receive_data(says(7, 2, PRESSED), 20)
    assert events(link) == []
    link.receive_data(says(7, 1, PRESSED) + says(7, 2, PRESSED), 120)
    assert len(events(link)) == 2


def test_numbers_go_round(link: Link) -> None:
    for number in range(1, 600):
        link.receive_data(says(7, number % 256, PRESSED), number)
        assert len(events(link)) == 1


def test_what_nobody_takes_is_left_with_the_board(link: Link) -> None:
    for number in range(1, 200):
        link.receive_data(says(7, number, PRESSED), 20)
    link.tick(20)
    assert len(events(link)) == EVENTS_MAX
    assert sent(link)[-1].number == EVENTS_MAX


def test_a_command_is_repeated_until_it_is_answered(link: Link) -> None:
    number = link.send(m.Show(frozenset({1})), 20)
    for now_ms in range(20, 321, 10):
        link.tick(now_ms)
    assert number == 1
    assert [envelope.number for envelope in sent(link) if isinstance(envelope.message, m.Show)] == [1] * 4
    link.receive_data(says(7, 1, m.Done(m.Result.DONE)), 330)
    assert [type(event) for event in events(link)] == [Answered]
    link.tick(500)
    assert not [envelope for envelope in sent(link) if isinstance(envelope.message, m.Show)]


def test_of_the_sounds_that_wait_only_the_newest_is_sent(link: Link) -> None:
    for frequency in range(100, 200):
        link.send(m.Sound((m.Beep(frequency, 10),)), 20)
    link.receive_data(says(7, 1, m.Done(m.Result.DONE)), 30)
    sounds = [envelope.message for envelope in sent(link)]
    assert sounds == [m.Sound((m.Beep(100, 10),)), m.Sound((m.Beep(199, 10),))]


def test_more_questions_than_the_bound_are_refused(link: Link) -> None:
    for _ in range(COMMANDS_MAX):
        link.send(m.Ask(m.Topic.READERS), 20)
    with pytest.raises(OverflowError):
        link.send(m.Ask(m.Topic.READERS), 20)


def test_what_cant_be_understood_is_counted_and_skipped(link: Link) -> None:
    link.receive_data(encode_frame(b"\x7f\x01\x00\x00"), 20)
    assert link.counters.unknown == 1
    assert link.state is State.TALKING and link.next_event() is None


def test_silence_ends_the_session_and_a_new_one_is_begun(link: Link) -> None:
    link.send(m.Show(frozenset({1})), 20)
    link.data_to_send()
    link.tick(10 + SILENCE_MS)
    assert events(link) == [Disconnected(Cause.SILENCE)]
    assert sent(link) == [m.Envelope(8, 0, m.Hello())]
    assert link.send(m.Show(frozenset()), 20 + SILENCE_MS) is None


def test_a_board_that_is_there_and_answers_no_command_loses_its_session(link: Link) -> None:
    link.send(m.Ask(m.Topic.READERS), 20)
    link.send(m.Ask(m.Topic.SETTINGS), 20)
    link.receive_data(says(7, 1, m.Done(m.Result.DONE)), 1_000)
    assert [type(event) for event in events(link)] == [Answered]
    for now_ms in range(1_000, 1_000 + SILENCE_MS, 100):  # the second one has its own time
        link.receive_data(says(7, 0, m.BoardAlive(0, 0)), now_ms)
        link.tick(now_ms)
    assert link.state is State.TALKING and not events(link)
    link.tick(1_000 + SILENCE_MS)
    assert events(link) == [Disconnected(Cause.SILENCE)]
    link.receive_data(says(8, 0, WELCOME), 3_000)
    link.data_to_send()
    link.tick(3_000 + REPEAT_MS)
    assert not any(isinstance(envelope.message, m.Ask) for envelope in sent(link))


def test_a_board_that_announces_itself_has_restarted(link: Link) -> None:
    link.receive_data(says(0, 0, m.Announce(1, 1, 100, "1.0.0")), 20)
    assert events(link) == [Disconnected(Cause.RESTARTED)]
    assert sent(link) == [m.Envelope(8, 0, m.Hello())]


def test_a_board_of_another_version_is_told_of_once() -> None:
    link = Link(lambda: 7)
    link.line_opened(0)
    refuse = m.Refuse(2, 3, "9.0.0")
    link.receive_data(says(7, 0, refuse) * 3, 10)
    assert events(link) == [Incompatible(refuse)]


def test_a_closed_line_says_and_takes_nothing(link: Link) -> None:
    link.line_closed(20)
    assert events(link) == [Disconnected(Cause.LINE_CLOSED)]
    link.receive_data(says(7, 1, PRESSED), 30)
    link.tick(10_000)
    assert (events(link), link.data_to_send()) == ([], b"")


def test_a_command_that_no_frame_holds_is_an_error_and_stops_no_other(link: Link) -> None:
    too_long = m.Change("x" * 800)
    with pytest.raises(ValueError):
        link.send(too_long, 20)
    assert link.send(m.Show(frozenset({1})), 20) == 1
    with pytest.raises(ValueError):
        link.send(too_long, 20)
    link.send(m.Sound(()), 20)
    with pytest.raises(ValueError):  # in place of the one that waits
        link.send(m.Sound((m.Beep(70_000, 10),)), 20)
    for number in (1, 2):
        link.receive_data(says(7, number, m.Done(m.Result.DONE)), 100)
    for now_ms in range(100, 1_000, 50):
        link.tick(now_ms)
    answered = [event.command for event in events(link) if isinstance(event, Answered)]
    assert answered == [m.Show(frozenset({1})), m.Sound(())]


def test_a_board_that_announces_itself_without_a_restart_had_heard_nothing(link: Link) -> None:
    link.receive_data(says(0, 0, m.Announce(1, 1, WELCOME.boot, "1.0.0")), 20)
    assert events(link) == [Disconnected(Cause.SILENCE)]
    assert sent(link) == [m.Envelope(8, 0, m.Hello())]


def test_a_session_that_goes_on_at_the_board_is_not_taken_for_a_new_one() -> None:
    sessions = iter((7, 8))
    link = Link(lambda: next(sessions))
    link.line_opened(0)
    link.receive_data(says(7, 4, WELCOME), 10)
    assert events(link) == [] and link.state is State.GREETING
    assert sent(link)[-1] == m.Envelope(8, 0, m.Hello())
    link.receive_data(says(8, 0, WELCOME) + says(8, 1, PRESSED), 20)
    assert events(link) == [Connected(WELCOME), Happened(20, PRESSED)]


@pytest.mark.parametrize("version", [0, m.PROTOCOL_VERSION + 1])
def test_a_welcome_in_a_version_not_asked_for_is_a_board_of_another_version(version: int) -> None:
    link = Link(lambda: 7)
    link.line_opened(0)
    link.receive_data(says(7, 0, m.Welcome(version, 99, "9.0.0", "Pico", 7, 4, ("pad",))), 10)
    assert events(link) == [Incompatible(m.Refuse(version, version, "9.0.0"))]
    assert link.state is State.GREETING


def test_what_waited_on_the_line_happened_when_its_newest_copy_says(link: Link) -> None:
    """The host hung for a second: the first copies are as old as the last ones, and say that they are not."""
    pressed = (m.Pressed(0, "draw"), m.Pressed(0, "undo"))
    waited = b""
    for sent_ms in range(1_000, 2_000, 100):
        ages = {1: sent_ms - 1_000, 2: sent_ms - 1_050}
        waited += b"".join(
            says(7, number, m.Pressed(age_ms, pressed[number - 1].button))
            for number, age_ms in ages.items()
            if age_ms >= 0
        )
    link.receive_data(waited, 2_000)
    (first, second) = events(link)
    assert isinstance(first, Happened) and isinstance(second, Happened)
    assert (first.at_ms, second.at_ms) == (1_100, 1_150), "the last copy lay on the line for 100 ms"


@pytest.mark.parametrize("batch", [1, 3, 100])
def test_times_never_fall_within_a_session(link: Link, batch: int) -> None:
    ages = [0, 900, 100, 50, 800, 0, 400, 400, 30, 0]
    times = []
    for start in range(0, len(ages), batch):
        data = b"".join(
            says(7, number % 256, m.Pressed(age_ms, "draw"))
            for number, age_ms in enumerate(ages[start : start + batch], start=start + 1)
        )
        link.receive_data(data + data, 1_000 + start)
        times += [event.at_ms for event in events(link) if isinstance(event, Happened)]
    assert len(times) == len(ages) and times == sorted(times)


def test_a_goodbye_ends_the_session_at_the_board(link: Link) -> None:
    link.send(m.Show(frozenset({1})), 20)
    link.data_to_send()
    link.say_goodbye()
    assert sent(link) == [m.Envelope(8, 0, m.Hello())]
    assert link.welcome is None and link.send(m.Show(frozenset()), 20) is None

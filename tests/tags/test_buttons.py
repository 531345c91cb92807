"""Command tags: stickers that are buttons, so that a reader and a buzzer alone are a whole table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.signals import TagPlaced, TagRemoved
from table_app.cli.cards.buttons import CommandSession
from table_app.rules import DECKS, Phase, Setup, face
from table_app.table.opening import REGISTRY_FILE, open_table
from table_app.tags.buttons import (
    COMMANDS_FILE,
    CommandEnrolment,
    button_named,
    command_buttons,
    command_words,
    is_needed,
    open_commands,
)
from table_app.tags.enrolling import Outcome
from table_app.tags.registry import open_registry
from tests.table.rig import Rig, files, setup, uid


def tag(number: int) -> TagPlaced:
    return TagPlaced(0, "pad", uid(number))


def test_every_button_is_asked_for_once_and_kept(tmp_path: Path) -> None:
    registry = open_registry(tmp_path / REGISTRY_FILE).tags
    commands = open_commands(tmp_path / COMMANDS_FILE).tags
    enrolment = CommandEnrolment(commands, registry, 3)
    wanted = command_buttons(3)
    assert {"colour:red", "draw", "keep", "undo", "challenge", "seat:0", "seat:2"} <= set(wanted)
    for number, button in enumerate(wanted):
        assert enrolment.asked == button and command_words(button)
        answer = enrolment.take(tag(500 + number))
        assert answer is not None and answer.outcome is Outcome.ENROLLED
    assert enrolment.asked is None
    commands.close()
    again = open_commands(tmp_path / COMMANDS_FILE).tags
    assert set(again.buttons().values()) == set(wanted)
    assert CommandEnrolment(again, registry, 4).asked == "seat:3"
    again.close()
    registry.close()


def test_a_tag_that_is_a_card_or_another_button_is_refused(tmp_path: Path) -> None:
    registry = open_registry(tmp_path / REGISTRY_FILE).tags
    registry.enrol(uid(1), DECKS["classic"], "r5", 1)
    commands = open_commands(tmp_path / COMMANDS_FILE).tags
    enrolment = CommandEnrolment(commands, registry, 2)
    answer = enrolment.take(tag(1))
    assert answer is not None and answer.outcome is Outcome.REFUSED and "r5#1" in answer.text
    enrolment.take(tag(7))
    answer = enrolment.take(tag(7))
    assert answer is not None and answer.outcome is Outcome.REFUSED and "the colour red already" in answer.text
    enrolment.skip()
    enrolment.back()
    assert enrolment.asked == "colour:yellow"
    commands.close()
    registry.close()


def test_a_damaged_list_of_commands_does_not_keep_the_table_from_opening(tmp_path: Path) -> None:
    (tmp_path / COMMANDS_FILE).write_bytes(b"damaged")
    table = open_table(files(tmp_path), setup(), 0)
    assert (tmp_path / "commands.damaged-1.sqlite").exists()
    table.close()


def test_a_whole_round_is_played_with_a_reader_alone() -> None:
    """Nothing is pressed and nothing touched: cards and command tags on the pad are all there is."""
    rig = Rig(setup("players: Ann, Ben"), cards_each=2)
    buttons = {button: uid(700 + number) for number, button in enumerate(command_buttons(2))}
    rig.table.know_tags({**rig.tags, **{number: button for button, number in buttons.items()}})

    def command(button: str) -> None:
        rig.now_ms += 1_000
        rig.send(TagPlaced(rig.now_ms, "pad", buttons[button]))
        rig.send(TagRemoved(rig.now_ms, "pad", buttons[button]))

    rig.tap("r9")
    command("yes")
    command("seat:0")
    rig.tap("w+4")
    command("colour:blue")
    command("challenge")
    rig.tap("r1")
    assert [done.word for done in rig.last.ruling.effects] == ["guilty", "owes"]
    for _card in range(4):
        command("draw")
    command("draw")
    command("keep")
    rig.tap("b1")
    command("undo")
    rig.tap("b2", "b3", "b4", "b5")
    command("seat:1")
    assert rig.lines[-1] == "Ben: uno"
    rig.tap("b6", "b7")
    assert rig.phase() is Phase.OUT
    rig.tap("r1", "g1")
    assert rig.phase() is Phase.BETWEEN and max(rig.state.match.scores) > 0


def test_a_lost_button_gets_another_tag_and_the_lost_one_means_nothing(tmp_path: Path) -> None:
    registry = open_registry(tmp_path / REGISTRY_FILE).tags
    commands = open_commands(tmp_path / COMMANDS_FILE).tags
    commands.put(uid(7), "draw")
    enrolment = CommandEnrolment(commands, registry, 3, only=[button_named("Draw", 3)])
    assert enrolment.asked == "draw"
    enrolment.take(tag(8))
    assert enrolment.asked is None and commands.buttons() == {uid(8): "draw"}
    assert commands.forget(uid(8)) == "draw" and commands.forget(uid(8)) is None and not commands.buttons()
    commands.close()
    registry.close()


@pytest.mark.parametrize(
    ("word", "button"), [("red", "colour:red"), ("Seat 2", "seat:1"), ("seat:1", "seat:1"), ("allow anyway", "allow")]
)
def test_a_button_is_named_as_people_say_it(word: str, button: str) -> None:
    assert button_named(word, 3) == button


def test_a_name_that_is_no_button_is_answered_with_those_that_are() -> None:
    with pytest.raises(ValueError, match=r"there is no button 'seat 4'; there is red, .*seat 3"):
        button_named("seat 4", 3)


def test_those_that_every_table_needs_are_asked_for_first_and_people_may_stop_there(tmp_path: Path) -> None:
    wanted = command_buttons(3)
    places = [is_needed(button) for button in wanted]
    assert places == sorted(places, reverse=True) and wanted[places.index(False) - 1] == "seat:2"
    assert {"form:give", "form:resync", "form:count", "pause", "bell", "high"} <= set(wanted[places.index(False) :])
    registry = open_registry(tmp_path / REGISTRY_FILE).tags
    commands = open_commands(tmp_path / COMMANDS_FILE).tags
    session = CommandSession(CommandEnrolment(commands, registry, 3))
    for number, button in enumerate(wanted):
        assert ("q stops here" in session.prompt()) is not is_needed(button)
        session.take(tag(600 + number))
    commands.close()
    registry.close()


def with_tags(agreed: Setup, cards_each: int = 7) -> tuple[Rig, Callable[..., None]]:
    """A table whose buttons are tags, and what lays them on the pad."""
    rig = Rig(agreed, cards_each=cards_each)
    tags = {button: uid(700 + number) for number, button in enumerate(command_buttons(3))}
    rig.table.know_tags({**rig.tags, **{number: button for button, number in tags.items()}})

    def command(*buttons: str) -> None:
        for button in buttons:
            rig.now_ms += 1_000
            rig.send(TagPlaced(rig.now_ms, "pad", tags[button]))
            rig.send(TagRemoved(rig.now_ms, "pad", tags[button]))

    return rig, command


def test_a_number_of_cards_is_put_right_by_seat_and_number_cards() -> None:
    rig, command = with_tags(setup())
    rig.tap("r9")
    command("yes", "form:count", "seat:1")
    rig.tap("g1", "y2")
    command("yes")
    assert rig.lines[-1] == "table: set hand Ben 12" and rig.heard.sounds[-1] == "accepted"
    command("form:count", "seat:1")
    rig.tap("rs")
    assert rig.heard.sounds[-1] == "refused" and rig.state.form is not None


def test_top_card_turn_and_colour_are_put_right_by_cards_and_stickers() -> None:
    rig, command = with_tags(setup())
    rig.tap("r9")
    command("form:resync", "seat:2")
    rig.tap("w")
    command("colour:green")
    match = rig.state.match
    assert (match.turn, str(match.colour), match.top) == (2, "green", face("w")) and rig.state.form is None


def test_the_deal_is_drawn_for_the_bell_rung_and_a_challenge_judged_by_stickers() -> None:
    rig, command = with_tags(setup(), cards_each=2)
    command("high")
    rig.tap("r1", "r2", "r9")
    assert rig.state.match.dealer == 2
    rig.tap("b9")
    command("bell", "pause", "pause")
    assert rig.state.match.last_round
    rig.tap("w+4")
    command("colour:blue", "challenge", "finds:guilty")
    assert rig.heard.sounds[-1] == "guilty" and rig.state.match.owes[0] > 0


def test_digits_by_card_do_not_take_a_hand_for_points() -> None:
    rig = Rig(cards_each=1)
    rig.begin()
    rig.tap("r1")
    rig.press("form:points")
    rig.tap("r5")
    assert rig.heard.sounds[-1] == "refused"

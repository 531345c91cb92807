"""Who joins or leaves at the wrong moment is told when, and what to do; who leaves, what becomes of the hand."""

from __future__ import annotations

import itertools

import pytest

from table_app.play.state import SEAT_COLOURS, Options
from table_app.view.present import present
from tests.table.rig import Rig, setup


def said(rig: Rig) -> str:
    headline = present(rig.state, rig.now_ms).headline
    assert headline is not None
    return headline.text


@pytest.mark.parametrize("button", ["form:join", "join:Eve"])
def test_joining_in_a_round_is_refused_with_between_rounds_and_what_to_do(button: str) -> None:
    rig = Rig()
    rig.begin()
    rig.press(button)
    assert "between rounds" in said(rig) and "before the next deal" in said(rig)
    assert "Eve" not in rig.state.match.names and rig.state.form is None


def test_the_screen_shows_in_a_round_when_somebody_can_join() -> None:
    rig = Rig()
    rig.begin()
    rig.press("menu")
    labels = [control.label for control in present(rig.state, rig.now_ms).controls]
    assert "Join later" in labels


def test_between_rounds_joining_is_offered_without_looking_for_it() -> None:
    rig = Rig(cards_each=1)
    rig.begin()
    rig.tap("r3")
    rig.show_hands("y4", "y6")
    assert rig.phase() == "between"
    assert "Somebody joins" in [control.label for control in present(rig.state, rig.now_ms).controls]
    rig.press("form:join", "join:Eve")
    assert rig.state.match.names == ("Ann", "Ben", "Cy", "Eve")


@pytest.mark.parametrize(
    ("agreed", "presses", "words"),
    [
        (
            ("players: Ann, Ben, Cy, Dan", "house: teams"),
            ("deal", "tap r5", "join:Eve"),
            "Nobody can join or leave a match",
        ),
        ((), ("join:Eve",), "Nobody can join or leave before the first round"),
        ((), ("deal", "form:leave"), "not while cards are dealt"),
    ],
)
def test_each_other_refusal_says_why(agreed: tuple[str, ...], presses: tuple[str, ...], words: str) -> None:
    rig = Rig(setup(*agreed))
    for press in presses:
        word, _, code = press.partition(" ")
        if word == "tap":
            rig.tap(code)
        else:
            rig.press(press)
    assert words in said(rig)


def test_leaving_in_a_round_says_what_becomes_of_the_hand_before_and_after() -> None:
    rig = Rig()
    rig.begin()
    rig.press("form:leave")
    asked = present(rig.state, rig.now_ms).question
    assert asked is not None and "under the draw pile" in asked.text
    rig.press("seat:0")
    assert said(rig).startswith("Ann leaves the match. The hand goes back under the draw pile")
    assert rig.state.match.turn == 1


def test_a_seat_that_is_not_there_is_answered_with_those_that_are() -> None:
    rig = Rig()
    rig.begin()
    rig.press("uno:98")
    assert said(rig) == "There is no seat 99. The seats are: 1 Ann, 2 Ben, 3 Cy."
    rig.press("uno:-1")
    assert said(rig) == "There is no seat 0. The seats are: 1 Ann, 2 Ben, 3 Cy."
    rig.press("form:leave", "seat:1", "uno:1")
    assert said(rig) == "Ben plays no more. The seats are: 1 Ann, 3 Cy."


@pytest.mark.parametrize("chosen", [(), *itertools.permutations(range(3)), (3,), (9, 0), (5, 4, 3, 2, 1, 0)])
def test_whoever_joins_has_a_colour_that_nobody_else_has(chosen: tuple[int, ...]) -> None:
    """Also where an older match has more seats than the settings have colours."""
    options = Options(1, colours=chosen)
    everybody = [options.colour_of(seat) for seat in range(len(SEAT_COLOURS))]
    assert sorted(everybody) == list(range(len(SEAT_COLOURS)))
    assert tuple(everybody[: len(chosen)]) == chosen
    rig = Rig(options=options)
    rig.begin()
    rig.tap("r3")
    rig.show_hands("y4", "y6")
    rig.press("join:Eve", "form:leave", "seat:1", "yes", "join:Fay", "join:Gus")
    shown = [seat.colour_index for seat in present(rig.state, rig.now_ms).seats]
    assert len(shown) == len(set(shown)) == 6
    assert shown[: min(3, len(chosen))] == list(chosen[:3])


def test_a_seat_beyond_the_colours_there_are_still_has_one() -> None:
    """Ten play, one left, somebody joined: eleven have sat here."""
    assert {Options(colours=(3, 1)).colour_of(seat) for seat in range(40)} == set(range(len(SEAT_COLOURS)))

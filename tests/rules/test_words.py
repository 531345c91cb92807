"""Every code, every effect and everything awaited has words, and no words tell more than everybody may know."""

from __future__ import annotations

import pytest

from table_app.rules import Action, Code, Happening, Shows, apply
from table_app.rules.state import ShowQuestion
from table_app.rules.words import EFFECT_WORDS, REASONS, WAIT_WORDS, ruling_text
from table_app.transcript import parse_action
from tests.rules.test_totality import FOUR, SCENARIOS, every_action, reached

EFFECTS = (  # transcript, Effects
    "skip reverse owes drew colour uno-due uno-called uno-missed uno-closed number guilty innocent swap pass-hands "
    "shuffle-hands put-back set-aside reshuffle-needed forgiven out points score eliminated match dealer tie left "
    "joined drawn-round lifted take-back allowed corrected last-round"
)
WAITS = (  # transcript, waits
    "deal start high play draw keep colour swap challenge show find dare charade discard reshuffle points out nothing"
)


def test_there_are_words_for_everything_that_a_ruling_can_say() -> None:
    assert set(EFFECT_WORDS) == set(EFFECTS.split())
    assert set(WAIT_WORDS) == set(WAITS.split())
    assert set(REASONS) == set(Code)


def test_effects_are_written_as_the_transcript_has_them() -> None:
    assert str(Happening("owes", "Ben", value=2)) == "owes Ben 2"
    assert str(Happening("swap", "Ann", "Ben")) == "swap Ann Ben"
    assert str(Happening("reverse")) == "reverse"
    assert str(Happening("put-back", value="w+4")) == "put-back w+4"


def test_what_a_lost_challenge_costs_comes_on_top_of_the_four() -> None:
    match = reached(SCENARIOS["a showing"], [], False)
    seat = match.question.seat if isinstance(match.question, ShowQuestion) else 0
    hand = " ".join(["g5"] * match.hands[seat].size)
    after, ruling = apply(match, parse_action(f"{match.names[seat]}: shows {hand}", match))
    assert any(happening.word == "innocent" for happening in ruling.effects)
    assert "must draw 2 more." in ruling_text(after, ruling)


def test_what_has_no_place_now_is_told_what_is_awaited() -> None:
    match = reached(SCENARIOS["a dare"], [], False)
    match, ruling = apply(match, parse_action("Cy: r5", match))
    assert ruling_text(match, ruling) == "That can't be done now. What may come next: Ben does the dare or not."


def test_a_hand_that_is_shown_stays_between_it_and_the_referee() -> None:
    """Neither the verdict nor a refusal names a card of the hand (rulebook 6)."""
    for name in ("a showing", "a proof", "counting"):
        match = reached(SCENARIOS[name], [], name in FOUR)
        for cards in ("y8 y7", "y8", "y8 y8 y8", "y8 wswap", "y0 y0", "y8 y7 y6"):
            for player in match.names:
                after, ruling = apply(match, parse_action(f"{player}: shows {cards}", match))
                assert "yellow" not in ruling_text(after, ruling), f"{name}: {ruling}"


def test_no_ruling_on_a_drawn_card_names_it() -> None:
    match = reached(SCENARIOS["a turn"], [], False)
    after, ruling = apply(match, parse_action("Ann: draw y8", match))
    assert ruling.is_ok
    assert "yellow" not in ruling_text(after, ruling)


def test_the_sample_of_actions_meets_the_common_refusals() -> None:
    """The sample of the totality test reaches the codes; what it can't reach has its case."""
    met: set[Code | None] = set()
    for name, scenario in SCENARIOS.items():
        match = reached(scenario, [], name in FOUR)
        actions: list[Action] = every_action(match)
        met |= {apply(match, action)[1].code for action in actions if not isinstance(action, Shows)}
    house_only = {Code.MUST_PLAY, Code.NOT_CALLED, Code.WILD_DRAW_FOUR, Code.DRAWN_CARD, Code.ALREADY_PLAYED}
    other_paths = {Code.BAD_LINE, Code.CANNOT_UNDO, Code.WRONG_COUNT, Code.NOT_IN_HAND, Code.UNKNOWN_CARD}
    assert set(Code) - {code for code in met if code} <= house_only | other_paths


@pytest.mark.parametrize("way", ["clockwise", "anticlockwise"])
def test_a_direction_that_was_put_right_is_named_and_said_once(way: str) -> None:
    match = reached(SCENARIOS["a turn"], [], False)
    match, ruling = apply(match, parse_action(f"table: set direction {way}", match))
    assert ruling_text(match, ruling) == f"The turn goes {way}. That is put right."


def test_a_card_that_does_not_go_on_a_named_colour_is_told_which() -> None:
    match = reached(SCENARIOS["a turn"], [], False)
    for line in ("Ann: w green", "Ben: b1"):
        match, ruling = apply(match, parse_action(line, match))
    assert ruling_text(match, ruling).startswith("The blue 1 does not go there: the colour that was named is green.")

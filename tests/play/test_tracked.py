"""At a tracked table every card dealt and drawn passes a reader, and each wrong card is named for what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.signals import TagPlaced, TagRemoved
from table_app.play.notices import NoticeKind
from table_app.play.state import DrawnQuestion, Options
from table_app.rules import Phase
from table_app.view.present import present
from tests.table.rig import Rig, setup

HANDS = {"Ann": ("r1", "r2", "g5"), "Ben": ("r3", "b5", "w+4"), "Cy": ("y4", "y5", "r9#2")}
ONE = Options(cards_each=3, is_tracked=True)
TWO = Options(cards_each=3, is_tracked=True, pile_reader="pile")


def deal(rig: Rig) -> None:
    """Card by card from the left of the dealer, Cy."""
    for cards in zip(*HANDS.values(), strict=True):
        rig.tap(*cards)


def on_pile(rig: Rig, code: str) -> None:
    """Draw a card over the reader at the draw pile."""
    rig.now_ms += 1_000
    rig.send(TagPlaced(rig.now_ms, "pile", rig.uid(code)))
    rig.send(TagRemoved(rig.now_ms, "pile", rig.uid(code)))


def begun(options: Options = ONE, *lines: str) -> Rig:
    rig = Rig(setup(*lines), options=options)
    deal(rig)
    rig.tap("r9")
    return rig


def test_the_deal_goes_card_by_card_with_the_next_seat_lit() -> None:
    rig = Rig(setup(), options=ONE)
    lit = []
    for cards in zip(*HANDS.values(), strict=True):
        for card in cards:
            lit.append([seat.is_turn for seat in present(rig.state, 0).seats].index(True))
            rig.tap(card)
    assert lit == [0, 1, 2] * 3
    assert rig.lines == [
        "table: deal Ann r1#1 r2#1 g5#1",
        "table: deal Ben r3#1 b5#1 w+4#1",
        "table: deal Cy y4#1 y5#1 r9#2",
    ]
    assert all(hand.is_tracked for hand in rig.state.match.hands)


def test_a_card_dealt_twice_is_refused_and_the_last_one_can_be_taken_back() -> None:
    rig = Rig(setup(), options=ONE)
    rig.tap("r1", "r1")
    assert rig.heard.notices[-1].kind is NoticeKind.REFUSED and len(rig.state.dealing) == 1
    rig.tap("r2")
    rig.press("undo")
    assert [card.code for card in rig.state.dealing] == ["r1#1"]


def test_a_deal_half_done_survives_the_power(tmp_path: Path) -> None:
    rig = Rig(setup(), tmp_path, options=ONE)
    rig.tap("r1", "r3", "y4", "r2")
    rig.press("undo")
    rig.opened.close()
    again = Rig(setup(), tmp_path, options=ONE)
    assert again.state.dealing == rig.state.dealing and len(again.state.dealing) == 3


def test_with_one_reader_a_card_nobody_holds_is_drawn_and_then_laid() -> None:
    rig = begun()
    rig.tap("r7")
    assert rig.lines[-1] == "Ann: draw r7#1" and rig.state.match.turn == 0
    rig.tap("r7")
    assert rig.lines[-1] == "Ann: r7#1" and rig.state.match.turn == 1


def test_a_drawn_card_that_does_not_fit_ends_the_turn_by_itself() -> None:
    rig = begun()
    rig.tap("g7")
    assert rig.state.match.turn == 1 and rig.state.match.hands[0].size == 4


def test_with_two_readers_the_pile_s_reader_draws_and_a_stray_card_was_never_dealt() -> None:
    rig = begun(TWO)
    on_pile(rig, "b8")
    assert rig.lines[-1] == "Ann: draw b8#1"
    rig.tap("b9")
    assert "never dealt" in rig.heard.notices[-1].text and rig.lines[-1] == "Ann: draw b8#1"
    on_pile(rig, "r3")
    assert "in a hand" in rig.heard.notices[-1].text


def test_a_card_from_another_hand_is_named_as_that_player_s() -> None:
    rig = begun()
    rig.tap("r3")
    assert rig.lines[-1] == "Ben: r3#1"
    assert str(rig.last.ruling.code) == "not-your-turn" and "Ben" in rig.last.cues.headline
    rig.press("allow")
    assert rig.state.match.turn == 2


def test_a_jump_in_needs_no_press_where_the_hands_are_known() -> None:
    rig = Rig(setup("house: jump-in"), options=ONE)
    for cards in zip(("r1", "r2", "g5"), HANDS["Ben"], ("y4", "y5", "r1#2"), strict=True):
        rig.tap(*cards)
    rig.tap("r9", "r1", "r1#2")
    assert rig.lines[-1] == "Cy: r1#2" and rig.last.ruling.rule == "jump-in"


def test_a_card_of_the_discard_pile_waits_for_shuffled_without_being_named() -> None:
    rig = begun()
    rig.tap("r1", "r3")
    rig.tap("r1")
    assert rig.heard.notices[-1].kind is NoticeKind.REFUSED and rig.heard.notices[-1].parts == ()
    rig.press("reshuffle")  # every hand is known, so the record takes it for a card that nobody has seen
    assert rig.lines[-2:] == ["Cy: draw", "table: reshuffle"] and rig.last.ruling.is_ok


def test_debts_are_drawn_by_tapping_each_card() -> None:
    rig = Rig(setup(), options=ONE)
    hands = {"Ann": ("r+2", "r2", "g5"), "Ben": HANDS["Ben"], "Cy": HANDS["Cy"]}
    for cards in zip(*hands.values(), strict=True):
        rig.tap(*cards)
    rig.tap("r9", "r+2")
    assert rig.state.match.owes[1] == 2
    rig.tap("g1", "g2")
    assert rig.lines[-2:] == ["Ben: draw g1#1", "Ben: draw g2#1"] and rig.state.match.turn == 2


def test_a_known_hand_is_judged_and_counted_without_being_shown() -> None:
    rig = begun()
    rig.tap("r1", "w+4")
    rig.press("colour:green", "challenge")
    assert ("guilty", "Ben") in [(done.word, done.player) for done in rig.last.ruling.effects]


def test_a_hand_not_wholly_known_makes_it_ask_and_the_card_is_not_named() -> None:
    rig = begun()
    rig.press(*["draw", "keep"] * 3)
    rig.tap("y7")  # it can't be laid, so it was drawn
    assert rig.lines[-1] == "Ann: draw y7#1"
    rig.press("undo")
    rig.tap("r7")
    assert isinstance(rig.state.question, DrawnQuestion)
    view = present(rig.state, 0)
    assert view.question is not None and "7" not in view.question.text
    rig.press("draw", "keep")
    assert rig.lines[-2:] == ["Ann: draw r7#1", "Ann: keep"]
    rig.tap("r6")
    rig.press("seat:0")
    assert rig.lines[-1] == "Ann: r6#1"


def test_a_dealt_card_is_no_first_card() -> None:
    rig = Rig(setup(), options=ONE)
    deal(rig)
    rig.tap("r1")
    assert rig.heard.notices[-1].kind is NoticeKind.REFUSED and rig.phase() is Phase.DEALING


def test_the_whereabouts_follow_swaps_and_undo() -> None:
    rig = Rig(setup("house: seven-o"), options=ONE)
    hands = {"Ann": ("r7", "r2", "g5"), "Ben": HANDS["Ben"], "Cy": HANDS["Cy"]}
    for cards in zip(*hands.values(), strict=True):
        rig.tap(*cards)
    rig.tap("r9", "r7")
    rig.press("swap:2")
    places = rig.state.places
    assert {card.code for card in places.hands[0]} == {"y4#1", "y5#1", "r9#2"}
    assert {card.code for card in places.hands[2]} == {"r2#1", "g5#1"}
    rig.press("undo", "undo")
    assert {card.code for card in rig.state.places.hands[0]} == {"r7#1", "r2#1", "g5#1"}


MID_DEAL = {
    "draw for the deal": ("high",),
    "join, typed": ("join:Eve",),
    "join, by its form": ("form:join", "join:Eve"),
    "leave": ("form:leave", "seat:1"),
}


@pytest.mark.parametrize("act", MID_DEAL)
def test_nothing_changes_whose_the_cards_are_in_the_middle_of_a_deal(act: str) -> None:
    rig = Rig(setup(), options=ONE)
    rig.tap("r1", "r2", "r3", "r4")
    before = rig.state
    rig.press(*MID_DEAL[act])
    after = rig.state
    assert (after.dealing, after.match, after.is_deal_drawn_for) == (before.dealing, before.match, False)
    assert rig.lines == [] and rig.heard.notices[-1].kind is NoticeKind.REFUSED
    rig.press("no")  # out of what may be open
    rig.tap("r5", "r6", "r7", "r8", "g1")
    assert [hand.size for hand in rig.state.match.hands] == [3, 3, 3]


@pytest.mark.parametrize("reader", ["pad", "pile"])
def test_with_two_readers_a_card_out_of_the_shuffled_pile_is_laid_on_the_pad_and_drawn_at_the_pile(reader: str) -> None:
    rig = begun(TWO)
    rig.tap("r1", "r3")
    rig.press("form:count", "seat:2", "digit:4", "yes")  # Cy drew one while nobody looked
    if reader == "pile":
        on_pile(rig, "r1")
    else:
        rig.tap("r1")
    rig.press("reshuffle")
    assert rig.lines[-1] == ("Cy: draw r1#1" if reader == "pile" else "Cy: r1#1") and rig.last.ruling.is_ok

"""The simulated people and their cards keep to what hands can do, also where the record and the table differ."""

from __future__ import annotations

import random
from collections import Counter

from table_app.play.state import TableState
from table_app.rules import Card, DealCards, DealUnseen, Draw, Lay, Setup, Start, apply, face, new_match
from table_app.simulation.cards import PhysicalCards, all_cards
from table_app.simulation.manners import HONEST, Manner, Place, Press
from table_app.simulation.mending import Mending
from table_app.simulation.people import People
from table_app.simulation.scene import Scene
from tests.table.rig import Rig, setup

ALL_IN_SILENCE = Manner("all in silence", keeps_mum=1.0)


def cards_for(agreed: Setup, seed: int = 1) -> PhysicalCards:
    return PhysicalCards(agreed.deck, len(agreed.players), random.Random(seed))


def everywhere(cards: PhysicalCards) -> Counter[Card]:
    return Counter([*cards.draw_pile, *cards.discard_pile, *(card for hand in cards.hands for card in hand)])


def laid_out(laid: int) -> PhysicalCards:
    """A table where so many cards lie on the discard pile."""
    cards = cards_for(setup())
    cards.deal(7)
    for card in cards.draw_pile[:laid]:
        cards.lay(card)
    return cards


# -- what an undo can't bring back -----------------------------------------------------------------------------


def test_a_shuffled_pile_stays_shuffled_when_the_shuffle_is_taken_back() -> None:
    cards = laid_out(20)
    top, hands = cards.discard_pile[-1], [list(hand) for hand in cards.hands]
    cards.remember()
    cards.reshuffle()
    cards.remember()
    cards.draw(0)
    cards.go_back()
    assert not cards.is_mixed and cards.hands == hands
    cards.go_back()
    assert cards.is_mixed, "the record has the old discard pile, and the cards don't lie there"
    assert cards.discard_pile == [top] and cards.hands == hands
    assert everywhere(cards) == Counter(all_cards(setup().deck))


def test_a_pile_shuffled_before_the_table_was_told_is_still_shuffled_when_the_telling_is_taken_back() -> None:
    cards = laid_out(20)
    cards.shuffle_in_silence()
    cards.remember()
    cards.reshuffle()
    assert not cards.is_mixed
    cards.go_back()
    assert cards.is_mixed and len(cards.discard_pile) == 1 and cards.missing == 0


def test_the_world_that_a_power_cut_leaves_knows_that_the_pile_is_shuffled() -> None:
    cards = laid_out(20)
    cards.remember()
    cards.shuffle_in_silence()
    again = cards_for(setup(), seed=2)
    again.restore(cards.as_data())
    assert again.is_mixed and again.draw_pile == cards.draw_pile
    again.go_back()
    assert again.is_mixed and len(again.discard_pile) == 1


# -- piles that are empty --------------------------------------------------------------------------------------


def test_nothing_is_drawn_where_every_card_is_in_a_hand() -> None:
    cards = laid_out(1)
    cards.hands[0] += cards.draw_pile
    cards.draw_pile = []
    held = len(cards.hands[0])
    cards.draw(1)
    assert len(cards.hands[0]) == held and len(cards.hands[1]) == 7 and cards.draw_pile == []


def test_who_draws_in_silence_from_a_pile_that_is_empty_in_truth_lays_no_card_of_it() -> None:
    rig = Rig(cards_each=1)
    rig.begin()
    cards = cards_for(rig.setup)
    cards.deal(0)
    cards.discard_pile = [card for card in cards.draw_pile if card == Card(face("r9"), 1)]
    cards.hands[0] = [card for card in cards.draw_pile if card.face.code in ("b2", "b3")]
    cards.hands[1] = [card for card in cards.draw_pile if card.face.code in ("g2", "g3")]
    cards.draw_pile = []
    for seed in range(20):
        people = People(cards, (ALL_IN_SILENCE, HONEST, HONEST), random.Random(seed))
        people.mending.presses.clear()
        deeds = [gesture.deed for gesture in people._plan_turn(rig.state, 0)]
        assert deeds == [Press("reshuffle")], f"seed {seed}"


def test_a_turn_whose_draw_brought_nothing_has_no_drawn_card() -> None:
    rig = Rig(cards_each=1)
    rig.begin()
    scene, people = dealt_scene(rig.setup)
    people.cards.discard_pile, people.cards.draw_pile = [people.cards.draw_pile[0]], []
    after, ruling = apply(rig.state.match, Draw("Ann", at_ns=10**9))
    assert ruling.is_ok
    scene.heard(rig.state.match, after, ruling)
    assert people.cards.hands[0] == [] and people.drawn is None


# -- the truth of a deal ---------------------------------------------------------------------------------------


def dealt_scene(agreed: Setup) -> tuple[Scene, People]:
    cards = cards_for(agreed)
    cards.gather()
    people = People(cards, (HONEST,) * len(agreed.players), random.Random(1))
    return Scene(cards, people, None, {}, lambda _signal: None), people


def test_cards_known_by_their_faces_alone_are_dealt_to_whom_they_really_went() -> None:
    """A tag replaced for one of two equal cards leaves neither of them known; both are dealt all the same."""
    agreed = setup()
    scene, people = dealt_scene(agreed)
    pile = people.cards.draw_pile[::-1]
    match = new_match(agreed)
    for place, name in enumerate(("Ann", "Ben", "Cy")):
        dealt = pile[place : 3 * 7 : 3]
        after, ruling = apply(match, DealCards(name, tuple(card._replace(copy=0) for card in dealt), at_ns=0))
        assert ruling.is_ok
        scene.heard(match, after, ruling)
        assert people.cards.hands[place] == dealt
        match = after


# -- putting right what the record has wrong -------------------------------------------------------------------


def test_a_card_that_an_undo_gives_back_to_the_wrong_seat_is_given_to_its_own_again() -> None:
    rig = Rig(cards_each=3)
    rig.begin()
    scene, people = dealt_scene(rig.setup)
    cards, card = people.cards, Card(face("r7"), 1)
    cards.draw_pile.remove(card)
    cards.hands[2].append(card)
    after, ruling = apply(rig.state.match, Lay("Ann", card, at_ns=10**9))
    assert people.tapping is None and ruling.is_ok
    scene.heard(rig.state.match, after, ruling)
    assert list(people.mending.presses) == [("give:2",)]


def test_a_card_named_at_the_screen_is_found_wherever_it_lies() -> None:
    """Nobody holds one: it is taken out of the draw pile, or from under the top card, and no card is there twice."""
    scene, people = dealt_scene(setup())
    cards = people.cards
    own = [card for card in cards.draw_pile if card.face is face("r0")]
    cards.lay(own[0])
    cards.lay(cards.draw_pile[0])
    cards.lay(scene.real(Card(face("r0"))))
    assert cards.discard_pile[-1] == own[0]
    assert everywhere(cards) == Counter(all_cards(setup().deck))


def test_a_first_card_named_at_the_screen_that_a_hand_holds_stays_there() -> None:
    agreed = setup()
    scene, people = dealt_scene(agreed)
    cards, card = people.cards, Card(face("w+4"), 1)
    cards.deal(7)
    cards.draw_pile = [other for other in cards.draw_pile if other.face is not card.face]
    for hand in cards.hands:
        hand[:] = [other for other in hand if other.face is not card.face]
    cards.hands[0].append(card)
    before, _ = apply(new_match(agreed), DealUnseen(7, at_ns=0))
    after, ruling = apply(before, Start(Card(card.face), at_ns=0))
    assert [happening.word for happening in ruling.effects] == ["put-back"]
    scene.heard(before, after, ruling)
    assert card in cards.hands[0] and not cards.discard_pile


def test_a_card_of_the_seat_that_somebody_at_the_screen_plays_is_theirs_to_put_right() -> None:
    rig = Rig(cards_each=3)
    rig.begin()
    scene, people = dealt_scene(rig.setup)
    people.human = 2
    card = Card(face("r7"), 1)
    people.cards.draw_pile.remove(card)
    people.cards.hands[2].append(card)
    after, ruling = apply(rig.state.match, Lay("Ann", card, at_ns=10**9))
    scene.heard(rig.state.match, after, ruling)
    assert not people.mending.presses


def pressed(mending: Mending, state: TableState) -> list[str]:
    deeds = [gesture.deed for gesture in mending.plan(state, None)]
    assert not any(isinstance(deed, Place) for deed in deeds)
    return [deed.button for deed in deeds if isinstance(deed, Press)]


def test_who_seems_out_and_is_not_goes_back_step_by_step_where_something_was_said_since() -> None:
    rig = Rig(setup("house: no-bluff"), cards_each=1)
    rig.begin()
    rig.tap("r3")
    cards = laid_out(1)
    mending = Mending(cards, random.Random(1))
    assert pressed(mending, rig.state) == ["form:holds", "digit:7", "yes"]
    rig.press("form:score", "seat:1", "digit:0", "yes")
    assert rig.state.last_play is None
    assert pressed(mending, rig.state) == ["undo"]
    rig.press("undo", "undo")
    assert rig.state.match.out is None

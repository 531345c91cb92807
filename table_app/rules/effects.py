"""What a card causes once it is played: one small function an effect, the table of them, and the choices they ask for.

Rules `seven-o`, `stacking`, `swap-hands`, `customizable` (rulebook sections 5, 8 and 10). Whether the card may be
played was decided in `legality`; laying it, and going out with it, is in `plays`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from table_app.rules import scoring
from table_app.rules.actions import AnswerDare, Charade, Discard, Swap
from table_app.rules.cards import Colour, CustomKind, CustomRule, Effect, Face, Kind
from table_app.rules.house_rules import HouseRule
from table_app.rules.legality import out_of_place
from table_app.rules.ruling import Code, Foul, RulingBuilder
from table_app.rules.setup import WildFourMode
from table_app.rules.state import (
    CharadeQuestion,
    DareQuestion,
    DiscardQuestion,
    Draft,
    Hand,
    Penalty,
    Phase,
    ShowQuestion,
    SwapQuestion,
    WildFour,
    replaced,
)


class Play(NamedTuple):
    """A card that was laid and stands. *hand* is what its player was left with, *stacked* the debt it adds to."""

    seat: int
    face: Face
    kind: Kind
    hand: Hand
    colour_before: Colour | None = None
    stacked: int = 0
    allowed: bool = False
    proven: bool = False


# -- debts -----------------------------------------------------------------------------------------------------


def owe(table: Draft, seat: int, cards: int, ruling: RulingBuilder) -> None:
    """*seat* owes *cards* more."""
    table.owes = replaced(table.owes, seat, table.owes[seat] + cards)
    ruling.add("owes", table.names[seat], value=cards)


def take_passing(table: Draft) -> int:
    """How many cards move on with the card that was allowed to be laid on their debt; they don't any more."""
    passing, table.passing = table.passing, None
    return passing.cards if passing is not None else 0


def _pass_debt_on(table: Draft, ruling: RulingBuilder) -> None:
    """The card that was laid instead of drawing is complete: its debt, unchanged, is whose turn it is now."""
    assert table.turn is not None and table.passing is not None
    kind = table.passing.kind
    cards = take_passing(table)
    owe(table, table.turn, cards, ruling)
    table.penalty = Penalty(table.turn, cards, kind)


def settle(table: Draft, ruling: RulingBuilder) -> None:
    """After anything that changes debts: move on what passes, forgive what can't be drawn, pass a paid turn, count."""
    if table.passing is not None and table.question is None and table.phase is Phase.PLAY:
        _pass_debt_on(table, ruling)
    if table.is_owing() and table.setup.refereed and table.nothing_to_draw:
        for seat, cards in enumerate(table.owes):
            if cards:
                ruling.add("forgiven", table.names[seat], value=cards)
        clear_debts(table)
    penalty = table.penalty
    if penalty is not None and not table.owes[penalty.seat]:
        table.penalty = None
        table.wild_four = None
        if isinstance(table.question, ShowQuestion):
            table.question = None  # the debt was forgiven: there is nothing to dispute any more
        if table.phase is Phase.PLAY and table.turn == penalty.seat:
            table.next_turn(table.after(penalty.seat))
    if table.phase is Phase.OUT and not table.is_owing():
        scoring.count_tracked_hands(table, ruling)


def clear_debts(table: Draft) -> None:
    table.owes = table.fines = (0,) * len(table.names)


def _penalize(table: Draft, cards: int, kind: str | None, play: Play, ruling: RulingBuilder) -> int:
    """The next player owes *cards*, and a stack before them, and loses the turn."""
    victim = table.after(play.seat)
    total = cards + play.stacked + take_passing(table)
    owe(table, victim, total, ruling)
    table.next_turn(victim)
    table.penalty = Penalty(victim, total, kind)
    return victim


# -- the classic cards -----------------------------------------------------------------------------------------


def _number(table: Draft, play: Play, ruling: RulingBuilder) -> None:
    if HouseRule.SEVEN_O in table.setup.house:
        if play.face.rank == "7":
            table.question = SwapQuestion(play.seat, "seven-o")
            return
        if play.face.rank == "0":
            _pass_hands(table, ruling)
    table.next_turn(table.after(play.seat))


def _pass_hands(table: Draft, ruling: RulingBuilder) -> None:
    """Every hand goes on one seat in the current direction; what is owed stays with the player."""
    hands = list(table.hands)
    for seat, plays in enumerate(table.playing):
        if plays:
            hands[table.after(seat)] = table.hands[seat]
    table.hands = tuple(hands)
    table.uncalled = frozenset()
    ruling.add("pass-hands")


def _skip(table: Draft, play: Play, ruling: RulingBuilder) -> None:
    if table.passing is not None:
        table.next_turn(table.after(play.seat))  # its debt is the next player's, and nobody is skipped beside
        return
    skipped = table.after(play.seat)
    ruling.add("skip", table.names[skipped])
    table.next_turn(table.after(skipped))


def _reverse(table: Draft, play: Play, ruling: RulingBuilder) -> None:
    table.direction = -table.direction
    if table.players_left == 2 and table.passing is None:
        _skip(table, play, ruling)
        return
    ruling.add("reverse")
    table.next_turn(table.after(play.seat))


def _draw_two(table: Draft, play: Play, ruling: RulingBuilder) -> None:
    _penalize(table, 2, Effect.DRAW_TWO.value, play, ruling)


def _wild(table: Draft, play: Play, ruling: RulingBuilder) -> None:
    del ruling
    table.next_turn(table.after(play.seat))


def _wild_draw_four(table: Draft, play: Play, ruling: RulingBuilder) -> None:
    victim = _penalize(table, 4, Effect.WILD_DRAW_FOUR.value, play, ruling)
    mode = table.setup.wild_four
    open_four = WildFour(play.seat, victim, play.colour_before, play.hand, challengeable=not play.allowed)
    if mode is WildFourMode.PROVE or (mode is WildFourMode.STRICT and open_four.legal is True):
        open_four = open_four._replace(challengeable=False)
    table.wild_four = open_four
    ruling.judge(True if play.proven else open_four.legal)


# -- the special cards (section 8) -----------------------------------------------------------------------------


def _shuffle_hands(table: Draft, play: Play, ruling: RulingBuilder) -> None:
    """Every hand is gathered and dealt out again, one by one from the left: only numbers are known after."""
    total = sum(hand.size for hand in table.hands)
    order = [*table.from_left_of(play.seat), play.seat]
    each, more = divmod(total, len(order))
    for place, seat in enumerate(order):
        table.set_hand(seat, Hand((), each + (place < more)))
    table.uncalled = frozenset()
    ruling.add("shuffle-hands")
    table.next_turn(table.after(play.seat))


def _swap_hands(table: Draft, play: Play, ruling: RulingBuilder) -> None:
    del ruling
    table.question = SwapQuestion(play.seat, Effect.SWAP_HANDS.value)


def _downpour(table: Draft, play: Play, ruling: RulingBuilder) -> None:
    _others_owe(table, play, play.kind.cards, ruling)
    table.next_turn(table.after(play.seat))


def _others_owe(table: Draft, play: Play, cards: int, ruling: RulingBuilder) -> None:
    """Everybody else owes *cards*, the next player what passes on beside, and only that costs the turn."""
    victim, passing = table.after(play.seat), table.passing
    more = take_passing(table)
    for other in table.from_left_of(play.seat):
        owe(table, other, cards + (more if other == victim else 0), ruling)
    if passing is not None:
        table.penalty = Penalty(victim, more, passing.kind)


def _customizable(table: Draft, play: Play, ruling: RulingBuilder) -> None:
    rule = play.kind.custom or CustomRule(CustomKind.NONE)
    CUSTOM_EFFECTS[rule.kind](table, play, rule, ruling)


def _custom_none(table: Draft, play: Play, rule: CustomRule, ruling: RulingBuilder) -> None:
    del rule, ruling
    table.next_turn(table.after(play.seat))


def _custom_next(table: Draft, play: Play, rule: CustomRule, ruling: RulingBuilder) -> None:
    _penalize(table, rule.cards, None, play, ruling)


def _custom_others(table: Draft, play: Play, rule: CustomRule, ruling: RulingBuilder) -> None:
    _others_owe(table, play, rule.cards, ruling)
    table.next_turn(table.after(play.seat))


def _custom_again(table: Draft, play: Play, rule: CustomRule, ruling: RulingBuilder) -> None:
    """Everybody else is skipped, in the order in which their turns would have come."""
    del rule
    seat = table.after(play.seat)
    if table.passing is not None:
        table.next_turn(seat)
        return
    while seat != play.seat:
        ruling.add("skip", table.names[seat])
        seat = table.after(seat)
    table.next_turn(play.seat)


def _custom_dare(table: Draft, play: Play, rule: CustomRule, ruling: RulingBuilder) -> None:
    del ruling
    dared = table.after(play.seat)
    table.next_turn(dared)
    table.question = DareQuestion(dared, rule.cards)


def _custom_discard_wilds(table: Draft, play: Play, rule: CustomRule, ruling: RulingBuilder) -> None:
    """Every other hand that may hold a wild is asked; a tracked one without any is not."""
    del ruling
    asked = tuple(other for other in table.from_left_of(play.seat) if _may_hold_wild(table.hands[other]))
    if asked:
        table.question = DiscardQuestion(play.seat, asked, rule.kind)
    else:
        table.next_turn(table.after(play.seat))


def _may_hold_wild(hand: Hand) -> bool:
    return hand.unseen > 0 or any(held.is_wild for held in hand.known)


def _custom_charade(table: Draft, play: Play, rule: CustomRule, ruling: RulingBuilder) -> None:
    del rule, ruling
    table.question = CharadeQuestion(play.seat)


CustomFunction = Callable[[Draft, Play, CustomRule, RulingBuilder], None]
CUSTOM_EFFECTS: dict[CustomKind, CustomFunction] = {
    CustomKind.NONE: _custom_none,
    CustomKind.NEXT: _custom_next,
    CustomKind.OTHERS: _custom_others,
    CustomKind.AGAIN: _custom_again,
    CustomKind.DARE: _custom_dare,
    CustomKind.DISCARD_WILDS: _custom_discard_wilds,
    CustomKind.CHARADE: _custom_charade,
}

EffectFunction = Callable[[Draft, Play, RulingBuilder], None]
EFFECTS: dict[Effect, EffectFunction] = {
    Effect.NUMBER: _number,
    Effect.SKIP: _skip,
    Effect.REVERSE: _reverse,
    Effect.DRAW_TWO: _draw_two,
    Effect.WILD: _wild,
    Effect.WILD_DRAW_FOUR: _wild_draw_four,
    Effect.SHUFFLE_HANDS: _shuffle_hands,
    Effect.SWAP_HANDS: _swap_hands,
    Effect.DOWNPOUR: _downpour,
    Effect.CUSTOMIZABLE: _customizable,
}


# -- the last card ---------------------------------------------------------------------------------------------


def last_card_debts(table: Draft, play: Play, passing: int, ruling: RulingBuilder) -> None:
    """Rule `out`: what the last card makes others draw is drawn before the count; nothing else happens.

    *passing* is the debt that it was allowed to be laid on: a Reverse turns it to the player on the other side.
    """
    effect, rule = play.kind.effect, play.kind.custom
    if passing and effect is Effect.REVERSE:
        table.direction = -table.direction
        ruling.add("reverse")
    victim = table.after(play.seat)
    others = next_draws = 0
    if effect is Effect.DRAW_TWO:
        next_draws = 2
    elif effect is Effect.WILD_DRAW_FOUR:
        next_draws = 4
    elif effect is Effect.DOWNPOUR:
        others = play.kind.cards
    elif rule is not None and rule.kind is CustomKind.NEXT:
        next_draws = rule.cards
    elif rule is not None and rule.kind is CustomKind.OTHERS:
        others = rule.cards
    next_draws += play.stacked + passing
    for other in table.from_left_of(play.seat):
        cards = others + (next_draws if other == victim else 0)
        if cards:
            owe(table, other, cards, ruling)


def swap(table: Draft, action: Swap, ruling: RulingBuilder) -> Foul | None:
    """*player* swaps hands: after a seven, a Swap Hands, or once before the first turn where one was turned."""
    seat, other = table.seat_of(action.player), table.seat_of(action.other)
    question = table.question
    if isinstance(question, SwapQuestion) and question.seat == seat:
        rule = question.rule
    elif question is None and table.may_swap_first and table.turn == seat and not table.is_owing():
        rule = Effect.SWAP_HANDS.value
    else:
        return out_of_place(table)
    if other == seat or not table.playing[other]:
        return Foul(Code.NOT_NOW)
    mine, theirs = table.hands[seat], table.hands[other]
    table.set_hand(seat, theirs)
    table.set_hand(other, mine)
    table.uncalled -= {seat, other}
    ruling.rule = rule
    ruling.add("swap", action.player, action.other)
    if question is None:
        table.may_swap_first = False
    else:
        table.question = None
        table.next_turn(table.after(seat))
    return None


def answer_dare(table: Draft, action: AnswerDare, ruling: RulingBuilder) -> Foul | None:
    """The table says whether the dare was done; refused it costs cards, and the turn in neither case."""
    seat = table.seat_of(action.player)
    question = table.question
    if not isinstance(question, DareQuestion) or question.seat != seat:
        return out_of_place(table)
    table.question = None
    ruling.rule = Effect.CUSTOMIZABLE.value
    if not action.did:
        owe(table, seat, question.cards, ruling)
    return None


def charade(table: Draft, action: Charade, ruling: RulingBuilder) -> Foul | None:
    """The layer says who guessed it; who did may discard cards of the named colour."""
    seat = table.seat_of(action.player)
    question = table.question
    if not isinstance(question, CharadeQuestion) or question.seat != seat:
        return out_of_place(table)
    ruling.rule = Effect.CUSTOMIZABLE.value
    if action.guesser is not None:
        guesser = table.seat_of(action.guesser)
        if guesser == seat or not table.playing[guesser]:
            return Foul(Code.NOT_NOW)
        hand = table.hands[guesser]
        if hand.unseen or any(_may_go(table, CustomKind.CHARADE, held) for held in hand.known):
            table.question = DiscardQuestion(seat, (guesser,), CustomKind.CHARADE)
            return None
    table.question = None
    table.next_turn(table.after(seat))
    return None


def _may_go(table: Draft, kind: CustomKind, held: Face) -> bool:
    return held.is_wild if kind is CustomKind.DISCARD_WILDS else held.colour is table.colour


def discard(table: Draft, action: Discard, ruling: RulingBuilder) -> Foul | None:
    """Cards go under the top card; who has none left is out. The turn passes when all asked have answered."""
    seat = table.seat_of(action.player)
    faces = tuple(card.face for card in action.cards)
    question = table.question
    if not isinstance(question, DiscardQuestion) or seat not in question.seats:
        return out_of_place(table)
    hand = table.hands[seat]
    if foul := _discard_foul(table, seat, question.kind, hand, faces):
        return foul
    for wanted in faces:
        hand = hand.without(wanted)
    table.set_hand(seat, hand)
    if faces:
        table.uncalled -= {seat}
    table.discard_pile = (*table.discard_pile[:-1], *faces, *table.discard_pile[-1:])
    ruling.rule = Effect.CUSTOMIZABLE.value
    if hand.size == 0:
        ruling.add("out", action.player)
        scoring.end_play(table, seat)
        return None
    left = tuple(other for other in question.seats if other != seat)
    if left:
        table.question = question._replace(seats=left)
    else:
        table.question = None
        table.next_turn(table.after(question.layer))
    return None


def _discard_foul(table: Draft, seat: int, kind: CustomKind, hand: Hand, faces: tuple[Face, ...]) -> Foul | None:
    unseen = sum(max(faces.count(wanted) - hand.known.count(wanted), 0) for wanted in set(faces))
    if unseen > hand.unseen:
        return Foul(Code.NOT_IN_HAND)
    for wanted in set(faces):
        if table.seen_elsewhere(wanted, seat) + faces.count(wanted) > table.kind(wanted).copies:
            return Foul(Code.ALREADY_PLAYED)
    if any(not _may_go(table, kind, wanted) for wanted in faces):
        return Foul(Code.NO_MATCH)
    if kind is CustomKind.DISCARD_WILDS and any(
        faces.count(held) < hand.known.count(held) for held in hand.known if held.is_wild
    ):
        return Foul(Code.WRONG_COUNT, rule=Effect.CUSTOMIZABLE.value)
    return None

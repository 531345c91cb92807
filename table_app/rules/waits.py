"""What may come next, as data: the display's prompts, the interpreter's readings and the totality test come from it.

Every entry is an act that would be accepted; calls, catches, jump-ins and most acts of the table are not listed.
Source: transcript, *waits*.
"""

from __future__ import annotations

from table_app.rules import legality, piles, scoring
from table_app.rules.cards import Face
from table_app.rules.house_rules import HouseRule
from table_app.rules.setup import UnoMode
from table_app.rules.state import (
    CharadeQuestion,
    ColourQuestion,
    DareQuestion,
    DiscardQuestion,
    Draft,
    Hand,
    Match,
    Phase,
    ProofQuestion,
    ShowQuestion,
    SwapQuestion,
    Unseen,
)

Wait = tuple[str | None, str]
"""Who (None: the table) and what."""

SeatWait = tuple[int | None, str]


def waits(match: Match) -> tuple[Wait, ...]:
    """What may come next, as pairs of a player's name (None: the table) and a word."""
    return _named(match, _waits(Draft.of(match)))


def public_waits(match: Match) -> tuple[Wait, ...]:
    """The same as far as everybody at the table can know it: what is told before anybody acts gives no hand away."""
    table = Draft.of(match)
    table.hands = tuple(Hand((), hand.size) for hand in table.hands)
    if table.drawn is not None:
        table.drawn = table.drawn._replace(card=Unseen.CARD)  # that it was spent is what the rules say aloud
    return _named(match, _waits(table))


def _named(match: Match, seats: list[SeatWait]) -> tuple[Wait, ...]:
    return tuple((None if seat is None else match.names[seat], word) for seat, word in seats)


def _waits(table: Draft) -> list[SeatWait]:
    if table.phase is Phase.OVER:
        return [(None, "nothing")]
    if table.phase is Phase.BETWEEN:
        return _before_deal(table)
    if table.phase is Phase.DEALING:
        if piles.undealt_seats(table):
            return [(None, "deal")]
        # Where every card is dealt or set aside there is none to turn: only `undo` leads on.
        return [(None, "start")] if table.draw_pile else []
    if table.phase is Phase.OUT:
        return _after_out(table)
    if table.question is not None:
        return _for_question(table)
    return _in_turn(table)


def _before_deal(table: Draft) -> list[SeatWait]:
    if not table.setup.refereed:
        return [(seat, "out") for seat, plays in enumerate(table.playing) if plays]
    deal: list[SeatWait] = [] if table.high is not None else [(None, "deal")]
    if not piles.may_draw_for_deal(table):
        return deal
    if table.high is None:
        return deal + [(seat, "high") for seat in range(len(table.names))]
    drawn = [seat for seat, _ in table.high.drawn]
    return [(seat, "high") for seat in table.high.must if seat not in drawn]


def _after_out(table: Draft) -> list[SeatWait]:
    if table.is_owing():
        return _debts(table)
    counts: list[SeatWait] = [(seat, word) for seat in scoring.awaited_counts(table) for word in ("show", "points")]
    return counts + _reshuffle(table)


def _reshuffle(table: Draft) -> list[SeatWait]:
    return [(None, "reshuffle")] if piles.may_reshuffle(table) else []


def _debts(table: Draft) -> list[SeatWait]:
    """Who owes draws, as far as there is anything in the pile."""
    draws: list[SeatWait] = [(seat, "draw") for seat, cards in enumerate(table.owes) if cards and table.draw_pile]
    return draws + _reshuffle(table)


def _for_question(table: Draft) -> list[SeatWait]:
    question = table.question
    if isinstance(question, (ColourQuestion, SwapQuestion)):
        word = "colour" if isinstance(question, ColourQuestion) else "swap"
        asked: list[SeatWait] = [(question.seat, word)]
        if table.owes[question.seat] and table.draw_pile:
            asked.append((question.seat, "draw"))
        return asked + _reshuffle(table)
    if isinstance(question, ShowQuestion):
        return [(question.seat, "show"), (question.challenger, "find"), *_reshuffle(table)]
    if isinstance(question, ProofQuestion):
        return [(question.seat, "show"), *_reshuffle(table)]
    answers: list[SeatWait]
    if isinstance(question, DareQuestion):
        answers = [(question.seat, "dare")]
    elif isinstance(question, CharadeQuestion):
        answers = [(question.seat, "charade")]
    else:
        assert isinstance(question, DiscardQuestion)
        answers = [(seat, "discard") for seat in question.seats]
    return answers + (_debts(table) if table.is_owing() else _reshuffle(table))


def _in_turn(table: Draft) -> list[SeatWait]:
    seat = table.turn
    assert seat is not None
    asked: list[SeatWait] = []
    if table.is_owing():
        four = table.wild_four
        if four is not None and four.challengeable:
            asked.append((four.victim, "challenge"))
        if table.penalty is not None and _may_lay(table, table.penalty.seat):
            asked.append((table.penalty.seat, "play"))
        return asked + _debts(table)
    if table.may_swap_first:
        asked.append((seat, "swap"))
    if _may_lay(table, seat):
        asked.append((seat, "play"))
    return asked + _draw_or_keep(table, seat)


def _draw_or_keep(table: Draft, seat: int) -> list[SeatWait]:
    drawn = table.drawn
    asked: list[SeatWait] = []
    if drawn is None or drawn.spent:
        if table.draw_pile:
            asked.append((seat, "draw"))
        elif table.nothing_to_draw:
            asked.append((seat, "keep"))
    else:
        if drawn.card is Unseen.CARD and HouseRule.DRAW_UNTIL in table.setup.house and table.draw_pile:
            asked.append((seat, "draw"))
        if HouseRule.MUST_PLAY not in table.setup.house or not piles.must_be_played(table, seat, drawn.card):
            asked.append((seat, "keep"))
    return asked + _reshuffle(table)


def _may_lay(table: Draft, seat: int) -> bool:
    """Whether *seat* may hold a card that would be accepted, as far as the referee knows."""
    window = table.window
    if window is not None and window.seat == seat and table.setup.uno is UnoMode.REFEREE:
        return False
    if legality.last_card_foul(table, seat) is not None:
        return False
    return any(_would_stand(table, seat, wanted) for wanted in _possible(table, seat))


def _possible(table: Draft, seat: int) -> list[Face]:
    hand = table.hands[seat]
    return list(table.setup.deck.kinds) if hand.unseen else list(set(hand.known))


def _would_stand(table: Draft, seat: int, wanted: Face) -> bool:
    if table.is_owing():
        if not legality.may_stack(table, seat, wanted):
            return False
    elif not legality.is_drawn_card(table, seat, wanted) or not legality.fits(table, wanted):
        return False
    return legality.held_foul(table, seat, wanted) is None and not legality.known_unplayable(table, seat, wanted)

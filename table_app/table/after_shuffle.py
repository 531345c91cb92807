"""What a card means once somebody said that the discard pile was shuffled, though the record knows nothing of it.

It is laid, drawn, shown or discarded as any other; what can't be told to the record is a card that nobody has seen.
Nothing is allowed or refused here: that is the core's.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.rules import Card, Draw, Lay
from table_app.rules.ruling import Code
from table_app.rules.state import DiscardQuestion
from table_app.table.cards_read import lay_or_ask, told_of_silence
from table_app.table.hands_tapped import discard, show, shown_seat
from table_app.table.notices import refused
from table_app.table.noting import pile_shuffled
from table_app.table.planning import Plan, drawing_seat, shuffle_early
from table_app.table.situations import Answer, Moment


def shuffled_then_lay(moment: Moment, card: Card, reader: str) -> Answer:
    """The discard pile was shuffled, and *card*, tapped on *reader*, comes from the new draw pile.

    It is drawn at a tracked table, unless it was picked or tapped where cards are laid; else it is laid.
    """
    if shown_seat(moment.state) is not None:
        return show(replace(moment, card=card, state=pile_shuffled(moment.state)))
    if isinstance(moment.match.question, DiscardQuestion):
        return discard(replace(moment, card=card, state=pile_shuffled(moment.state)))
    options = moment.state.options
    if options.is_tracked and card.copy and options.pile_reader in ("", reader):
        return drawn_after_shuffle(moment, card)
    plan, match = Plan.of(moment), moment.match
    if match.turn is not None and shuffle_early(plan, is_certain=True):
        action = Lay(match.names[match.turn], card)
        if plan.refuses(action) is not Code.ALREADY_PLAYED:
            return Answer(told_of_silence(moment), (*plan.actions, action))
    # The record can't be told; but the table knows better which cards lie where.
    return lay_or_ask(replace(moment, state=pile_shuffled(moment.state)), card, is_shuffle_told=True)


def drawn_after_shuffle(moment: Moment, card: Card) -> Answer:
    """*card* is drawn from a pile that was shuffled early; where the record can't be told, it is a card unseen."""
    seat = drawing_seat(moment.match)
    if seat is None:
        return Answer(moment.state, notice=refused("Nobody draws now."))
    plan, name = Plan.of(moment), moment.name(seat)
    if shuffle_early(plan, is_certain=True):
        return Answer(told_of_silence(moment), (*plan.actions, _seen_or_not(plan, name, card)))
    return Answer(pile_shuffled(moment.state), (_seen_or_not(plan, name, card),))


def _seen_or_not(plan: Plan, name: str, card: Card) -> Draw:
    """The draw of *card*; of a card unseen where the record has it elsewhere: a refusal would name it."""
    seen = Draw(name, 1, (card,))
    return Draw(name, 1) if plan.refuses(seen) is Code.ALREADY_PLAYED else seen

"""What an answer took back or put into the record beside its last act, in words, and what hands must do for it.

Only the difference between two matches and what was said of it before; no rule is decided here, and no face of a hand
is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from table_app.play.history import TakenBack
from table_app.rules import (
    Allow,
    DealCards,
    DealUnseen,
    Discard,
    Draw,
    Joins,
    LastRound,
    Lay,
    Leaves,
    Match,
    Phase,
    Reshuffle,
    SetColour,
    SetDealer,
    SetDirection,
    SetHand,
    SetScore,
    SetTop,
    Start,
)
from table_app.rules.messages import Translate, _, _n, in_number, untranslated
from table_app.rules.state import CLOCKWISE
from table_app.rules.words import card_name, colour_name, deed_text

NAMED_MAX = 3
"""Deeds of one answer that are named; a debt drawn in silence by a whole table would fill the screen."""

_AGAIN = (SetDealer, SetHand, SetScore, SetColour, SetDirection, SetTop)
"""What changed the record alone: no hand moves, but it must be said what holds again."""


def taking_back_text(
    taken: Sequence[TakenBack], match: Match, translate: Translate = untranslated, restored: Lay | None = None
) -> str:
    """What was taken back, the latest deed first in *taken*, and what the table does with its hands for it.

    *match* is the match now; *restored* is a card that was laid before and lies there again.
    """
    if match.last_round:  # the bell was passed over, and rang again
        taken = [undone for undone in taken if not isinstance(undone.ruling.action, LastRound)]
    if not taken:
        return translate(_("The last action is taken back."))
    given = next((undone.ruling.action for undone in taken if isinstance(undone.ruling.action, Lay)), None)
    if restored is not None and given is not None and given.player != restored.player:
        message = translate(
            _("Taken back: the {card} was given to {player}. It is the card of {other} again; no hand moves.")
        )
        card = card_name(match, restored.card.face, translate)
        return message.format(card=card, player=given.player, other=restored.player)
    if restored is not None and given is not None:  # it was taken back by both, and lies there as it did
        taken = [undone for undone in taken if undone.ruling.action != given]
    deeds = [deed_text(undone.before, undone.ruling, translate) for undone in reversed(taken)]
    said = [translate(_("Taken back: {deed}")).format(deed=" ".join(deeds[:NAMED_MAX]))]
    if more := max(len(deeds) - NAMED_MAX, 0):
        others = _n("{count} more act of the same answer, too.", "{count} more acts of the same answer, too.")
        said.append(in_number(others, more, translate).format(count=more))
    for undone in taken:
        said += _again(undone, match, translate)
        said += () if restored is not None else _by_hand(undone, translate)
    if any(isinstance(undone.ruling.action, Reshuffle) for undone in taken):
        said.append(translate(_("Shuffled cards can't be sorted again: if the pile was shuffled, say it once more.")))
    if restored is not None and given is None:
        message = translate(_("The {card} is the card of {player} again; no hand moves."))
        said.append(message.format(card=card_name(match, restored.card.face, translate), player=restored.player))
    owing = [(match.names[seat], cards) for seat, cards in enumerate(match.owes) if cards]
    for name, cards in owing:
        said.append(translate(_("{player} must draw {value}.")).format(player=name, value=cards))
    if match.turn is not None and not owing:
        said.append(translate(_("It is {player} to play.")).format(player=match.names[match.turn]))
    return " ".join(dict.fromkeys(said))


def _again(undone: TakenBack, match: Match, translate: Translate) -> Iterator[str]:
    """What holds again that was put right."""
    action = undone.ruling.action
    if not isinstance(action, _AGAIN):
        return
    if isinstance(action, SetHand | SetScore):
        seat = match.seat_of(action.player)
        message = _("{player} has {count} cards again.")
        count = match.hands[seat].size
        if isinstance(action, SetScore):
            message, count = _("{player} has {count} points again."), match.scores[seat]
        yield translate(message).format(player=action.player, count=count)
    elif isinstance(action, SetDealer):
        yield translate(_("{player} deals again.")).format(player=match.names[match.dealer])
    elif isinstance(action, SetDirection):
        is_clockwise = match.direction == CLOCKWISE
        yield translate(
            _("The turn goes clockwise again.") if is_clockwise else _("The turn goes anticlockwise again.")
        )
    elif isinstance(action, SetTop) and match.top is not None:
        yield translate(_("The top card is the {card} again.")).format(card=card_name(match, match.top, translate))
    if isinstance(action, SetColour | SetTop) and match.colour is not None:
        yield translate(_("The colour is {colour} again.")).format(colour=colour_name(match.colour, translate))


def _by_hand(undone: TakenBack, translate: Translate) -> Iterator[str]:
    """What hands must do for this deed."""
    action, before, after = undone.ruling.action, undone.before, undone.after
    if isinstance(action, _AGAIN):
        return
    if isinstance(action, DealUnseen | DealCards):
        yield translate(_("All cards go back; deal anew."))
        return
    laid = len(before.discard_pile) - len(after.discard_pile)
    if laid > 0 and before.top is not None:
        yield _card_back(undone, laid, translate)
    if isinstance(action, Leaves):
        count = after.hands[after.seat_of(action.player)].size
        message = translate(_("{player} sits down again."))
        if count and after.phase is not Phase.BETWEEN:
            sits = _n(
                "{player} sits down again and takes {count} card from under the draw pile.",
                "{player} sits down again and takes {count} cards from under the draw pile.",
            )
            message = in_number(sits, count, translate)
        yield message.format(player=action.player, count=count)
        return
    mixed = [happening for happening in undone.ruling.effects if happening.word in MIXED]
    for happening in mixed:
        yield translate(MIXED[happening.word]).format(player=happening.player, other=happening.other)
    if mixed or isinstance(action, Joins):
        return
    for seat, name in enumerate(after.names):
        back = before.hands[seat].size - after.hands[seat].size
        if back > 0:
            yield translate(_("{player} puts {count} back on the draw pile.")).format(player=name, count=back)


MIXED = {
    "swap": _("{player} and {other} swap hands back."),
    "pass-hands": _("All hands move back by one seat."),
    "shuffle-hands": _("Shuffled hands can't be sorted again: deal them out in the old numbers."),
}
"""What happened to whole hands, and how it is turned back."""


def _card_back(undone: TakenBack, laid: int, translate: Translate) -> str:
    action, before, after = undone.ruling.action, undone.before, undone.after
    if isinstance(action, Discard):
        return translate(_("{player} takes {count} cards back.")).format(player=action.player, count=laid)
    assert before.top is not None
    card = card_name(before, before.top, translate)
    if isinstance(action, Start):
        return translate(_("The {card} goes back into the draw pile.")).format(card=card)
    player = getattr(action, "player", "")
    if isinstance(action, Allow):
        grown = (seat for seat, hand in enumerate(after.hands) if hand.size > before.hands[seat].size)
        player = after.names[next(grown, 0)]
    return translate(_("{player} takes the {card} back.")).format(player=player, card=card)


def assumed_text(match: Match, assumed: Sequence[Draw | Reshuffle | Lay], translate: Translate = untranslated) -> str:
    """That the pile was shuffled, what was laid, who drew how much: those who drew the same number in one sentence."""
    told = []
    by_player: dict[str, int] = {}
    for action in assumed:
        if isinstance(action, Reshuffle):
            told.append(translate(_("The discard pile was shuffled.")))
        elif isinstance(action, Lay):
            card = card_name(match, action.card.face, translate)
            told.append(translate(_("{player} laid the {card}.")).format(player=action.player, card=card))
        else:
            by_player[action.player] = by_player.get(action.player, 0) + action.count
    by_count: dict[int, list[str]] = {}
    for player, count in by_player.items():
        by_count.setdefault(count, []).append(player)
    return " ".join((*told, *(_drew_each(players, count, translate) for count, players in by_count.items())))


def _drew_each(players: Sequence[str], count: int, translate: Translate) -> str:
    if len(players) == 1:
        return translate(_("{player} drew {value}.")).format(player=players[0], value=count)
    both = translate(_("{players} and {player}")).format(players=", ".join(players[:-1]), player=players[-1])
    each = _n("{players} drew {count} each.", "{players} drew {count} each.")
    return in_number(each, count, translate).format(players=both, count=count)

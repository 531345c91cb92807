"""What a seat's own button, touch zone or tag means in play, and calls and catches, by whatever they are made.

One function a meaning, as in `presses`. Nothing is allowed or refused here: that is the core's.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.play.hands_tapped import choose_discarder, choose_hand, shown_seat, shows_more, was_shown_last
from table_app.play.modes import Answer, Moment
from table_app.play.notices import said
from table_app.play.planning import give_to
from table_app.play.state import QUESTION_MS, CatcherQuestion
from table_app.rules import Call, Called, Catch, Match, SetColour, SetTop, SetTurn


def seat(moment: Moment) -> Answer:
    """In this order: who was just fined for a missed call, and has drawn nothing of it, did call; a call by who must
    call; a catch of who must call by anybody else; an early call in the own turn with two cards; right after the top
    card was put right, it is this player's turn; the card laid last was this player's, or where there is none, the next
    one is. While somebody must call, a card is given to another seat by *Another laid it* and then the seat."""
    match, own = moment.match, moment.seat
    name = moment.name()
    window = match.window
    if was_fined(match, own):
        return called(moment)
    if window is not None:
        action = Call(name) if window.seat == own else Catch(name, moment.name(window.seat))
        return Answer(moment.state, (action,))
    if own == match.turn and match.hands[own].size == 2 and not match.has_called_early:
        return Answer(moment.state, (Call(name),))
    if own in match.uncalled:
        return Answer(moment.state, (Call(name),))
    ruling, last = moment.state.ruling, moment.state.last_play
    is_said_anew = ruling is not None and ruling.is_ok and isinstance(ruling.action, SetTop | SetColour)
    if is_said_anew and own != match.turn:
        return Answer(moment.state, (SetTurn(name),))  # the top card was put right, and now the turn
    if moment.state.held is not None or (last is not None and (last.seat != own or not last.undo)):
        return give(moment)
    if last is not None:
        return Answer(moment.state, notice=said("{} has nothing to call now.", name))
    after = replace(moment.state, announced=own)
    return Answer(after, notice=said("{}: the card that is tapped or drawn next is yours.", name))


def show_or_call(moment: Moment) -> Answer:
    """Whose hand is asked for and touches the own seat shows it, touched again however many cards there are; else it
    is a call or a catch, or the last card was this player's."""
    match = moment.match
    is_for_a_call = match.window is not None or moment.seat in match.uncalled or was_fined(match, moment.seat)
    if moment.seat == shown_seat(moment.state) and not is_for_a_call:
        return choose_hand(moment)
    return seat(moment)


def discard_or_called(moment: Moment) -> Answer:
    """Who was just fined for a missed call, and has drawn nothing of it, did call; else this player discards next."""
    return called(moment) if was_fined(moment.match, moment.seat) else choose_discarder(moment)


def was_fined(match: Match, seat: int) -> bool:
    """True while the fine of *seat* for a missed call is whole, and can be lifted."""
    return any(match.fines) and match.fines[seat] > 0


def give(moment: Moment) -> Answer:
    """The card laid last was this player's: who had the turn drew and kept without a word. One that waits for a word
    right after this player's hand was shown is one card more of it."""
    held = moment.state.held
    if held is not None and was_shown_last(moment.state, moment.seat):
        return shows_more(replace(moment, state=replace(moment.state, held=None)), (held.card,))
    return give_to(moment, moment.seat)


def uno(moment: Moment) -> Answer:
    """This player calls Uno."""
    return Answer(moment.state, (Call(moment.name()),))


def catch(moment: Moment) -> Answer:
    """This player is caught without a call; who caught is asked only where a wrong catch costs cards."""
    match, caught = moment.match, moment.seat
    is_due = match.window is not None and match.window.seat == caught
    if match.setup.false_catch and not is_due:
        return Answer(replace(moment.state, question=CatcherQuestion(caught, moment.at_ms + QUESTION_MS)))
    catcher = match.turn if match.turn not in (None, caught) else match.after(caught)
    assert catcher is not None
    return Answer(moment.state, (Catch(match.names[catcher], moment.name()),))


def called(moment: Moment) -> Answer:
    """The table says that this player did call; the fine is lifted."""
    return Answer(moment.state, (Called(moment.name()),))

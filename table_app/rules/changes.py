"""Players who leave or join, and what the table's owner puts right.

Rules `leave`, `join`, `set` (rulebook section 11; transcript, *Details*).
"""

from __future__ import annotations

from dataclasses import replace

from table_app.rules import calls, effects, scoring
from table_app.rules.actions import (
    Joins,
    Leaves,
    SetColour,
    SetDirection,
    SetHand,
    SetOwes,
    SetScore,
    SetTarget,
    SetTop,
    SetTurn,
)
from table_app.rules.cards import Effect
from table_app.rules.ruling import Code, Foul, RulingBuilder
from table_app.rules.setup import MAXIMUM_PLAYERS, Scoring
from table_app.rules.state import (
    ANTICLOCKWISE,
    CLOCKWISE,
    CharadeQuestion,
    ColourQuestion,
    DareQuestion,
    DiscardQuestion,
    Draft,
    Hand,
    Penalty,
    Phase,
    ProofQuestion,
    ShowQuestion,
    SwapQuestion,
    Unseen,
    replaced,
)

# -- leaving ---------------------------------------------------------------------------------------------------


def leaves(table: Draft, action: Leaves, ruling: RulingBuilder) -> Foul | None:
    """*player* leaves the match: the hand goes back, what they owed or had open lapses, play goes on."""
    seat = table.seat_of(action.player)
    if not _may_leave(table, seat):
        return Foul(Code.NOT_NOW)
    ruling.rule = "leave"
    ruling.add("left", action.player)
    was_turn = table.turn == seat
    table.playing = replaced(table.playing, seat, False)
    table.gone |= {seat}
    if table.hands:
        table.set_hand(seat, Hand())
        table.owes = replaced(table.owes, seat, 0)
        table.fines = replaced(table.fines, seat, 0)
    table.uncalled -= {seat}
    table.passes = 0
    if table.window is not None and table.window.seat == seat:
        table.window = None
    if table.players_left == 1:
        scoring.end_play(table, None)
        effects.clear_debts(table)
        scoring.win_alone(table, ruling)
        return None
    if table.phase is Phase.PLAY:
        _leave_play(table, seat, was_turn, ruling)
    elif table.phase is Phase.BETWEEN and not table.playing[table.dealer]:
        table.dealer = table.after(table.dealer, CLOCKWISE)
        ruling.add("dealer", table.names[table.dealer])
    return None


def _may_leave(table: Draft, seat: int) -> bool:
    if not table.playing[seat] or table.setup.teams or table.high is not None:
        return False
    if table.phase is Phase.DEALING or (table.phase is Phase.OUT and table.out == seat):
        return False
    return table.round_number > 0 or not table.setup.refereed


def _leave_play(table: Draft, seat: int, was_turn: bool, ruling: RulingBuilder) -> None:
    """In the middle of a round: lapse what hangs on *seat*, and let the next seat go on where it was their turn."""
    penalty = table.penalty
    if penalty is not None and penalty.seat == seat:
        table.penalty = table.wild_four = None
    if table.wild_four is not None and table.wild_four.layer == seat:
        table.wild_four = None
    moves = _lapse_question(table, seat, ruling)
    if (was_turn or moves) and table.turn == seat:
        table.next_turn(table.after(seat))
    if isinstance(table.question, ColourQuestion) and not table.playing[table.question.seat]:
        # No colour was in force before: the next player names it.
        assert table.turn is not None
        heir = table.turn
        table.question = ColourQuestion(heir, table.question.face, None, table.hands[heir], opening=True)


def _lapse_question(table: Draft, seat: int, ruling: RulingBuilder) -> bool:
    """What was open with *seat* lapses; returns whether the turn moves on because of it."""
    question = table.question
    if isinstance(question, ColourQuestion) and question.seat == seat:
        _lapse_naming(table, question, ruling)
    elif isinstance(question, ProofQuestion) and question.seat == seat:
        table.question = None
        table.colour = question.colour or question.colour_before
        if question.colour is not None:
            ruling.add("colour", value=question.colour.value)
        stacked = question.stacked.cards if question.stacked else 0
        _charge_victim(table, seat, stacked, ruling)
    elif (isinstance(question, ShowQuestion) and seat in (question.seat, question.challenger)) or (
        isinstance(question, (SwapQuestion, DareQuestion, CharadeQuestion)) and question.seat == seat
    ):
        table.question = None
    elif isinstance(question, DiscardQuestion):
        left = tuple(other for other in question.seats if other != seat)
        if question.layer == seat:
            table.question = None
        elif left:
            table.question = question._replace(seats=left)
        else:
            table.question = None
            table.next_turn(table.after(question.layer))
    else:
        return False
    return True


def _lapse_naming(table: Draft, question: ColourQuestion, ruling: RulingBuilder) -> None:
    """A colour to be named stays what it was; a Wild Draw Four's victim draws all the same, unchallenged."""
    table.colour = question.colour_before
    if question.colour_before is not None:
        table.question = None
    if table.kind(question.face).effect is Effect.WILD_DRAW_FOUR and not question.opening:
        _charge_victim(table, question.seat, question.stacked, ruling)


def _charge_victim(table: Draft, layer: int, stacked: int, ruling: RulingBuilder) -> None:
    victim = table.after(layer)
    effects.owe(table, victim, 4 + stacked, ruling)
    table.next_turn(victim)
    table.penalty = Penalty(victim, 4 + stacked, Effect.WILD_DRAW_FOUR.value)
    table.wild_four = None


# -- joining ---------------------------------------------------------------------------------------------------


def joins(table: Draft, action: Joins, ruling: RulingBuilder) -> Foul | None:
    """*player* joins between rounds, in the last seat."""
    if (
        table.phase is not Phase.BETWEEN
        or (table.setup.refereed and table.round_number == 0)
        or table.setup.teams
        or action.player in table.names
        or table.players_left >= MAXIMUM_PLAYERS
    ):
        return Foul(Code.NOT_NOW)
    score = 0
    if table.setup.scoring is not Scoring.WINNER:
        score = max(score for score, plays in zip(table.scores, table.playing, strict=True) if plays)
    table.names += (action.player,)
    table.playing += (True,)
    table.scores += (score,)
    table.hands += (Hand(),)
    table.dealt += (False,)
    table.owes += (0,)
    table.fines += (0,)
    table.counted += (None,)
    ruling.rule = "join"
    ruling.add("joined", action.player)
    return None


# -- putting right ---------------------------------------------------------------------------------------------


def _corrected(ruling: RulingBuilder) -> None:
    ruling.rule = "set"
    ruling.add("corrected")


def _outside_round(table: Draft) -> Foul | None:
    return None if table.phase is Phase.PLAY else Foul(Code.NOT_NOW)


def set_score(table: Draft, action: SetScore, ruling: RulingBuilder) -> Foul | None:
    """The score is put right, the partner's too; it never ends the match by itself."""
    for seat in table.setup.partners(table.seat_of(action.player)):
        table.scores = replaced(table.scores, seat, action.points)
    _corrected(ruling)
    return None


def set_turn(table: Draft, action: SetTurn, ruling: RulingBuilder) -> Foul | None:
    """Whose turn it is; what is open or owed lapses, an open call window too."""
    seat = table.seat_of(action.player)
    if foul := _outside_round(table):
        return foul
    if not table.playing[seat]:
        return Foul(Code.NOT_NOW)
    question = table.question
    if isinstance(question, ColourQuestion):
        table.colour = question.colour_before
    elif isinstance(question, ProofQuestion):
        table.colour = question.colour or question.colour_before
    table.question = table.penalty = table.passing = table.wild_four = table.window = None
    table.passes = 0
    effects.clear_debts(table)
    table.next_turn(seat)
    if table.colour is None and table.top is not None and table.top.is_wild:
        # Where there was no colour before, somebody must still name one.
        table.question = ColourQuestion(seat, table.top, None, table.hands[seat], opening=True)
    _corrected(ruling)
    return None


def set_hand(table: Draft, action: SetHand, ruling: RulingBuilder) -> Foul | None:
    """How many cards *player* holds, also before that hand is counted; the referee knows none of them any more."""
    seat = table.seat_of(action.player)
    is_counted_next = table.phase is Phase.OUT and seat in scoring.losers(table) and table.counted[seat] is None
    if not is_counted_next and (foul := _outside_round(table)):
        return foul
    more = action.count - table.hands[seat].size
    if not table.playing[seat] or action.count < 1 or more > table.draw_pile:
        return Foul(Code.NOT_NOW)
    hand = Hand((), action.count)
    table.set_hand(seat, hand)
    if table.wild_four is not None and table.wild_four.layer == seat:
        table.wild_four = table.wild_four._replace(hand=hand)
        ruling.judge(table.wild_four.legal)
    if isinstance(table.question, ColourQuestion) and table.question.seat == seat:
        table.question = table.question._replace(hand=hand)
    if table.drawn is not None and table.turn == seat:
        table.drawn = table.drawn._replace(card=Unseen.CARD, spent=False)
    _corrected(ruling)
    calls.number_put_right(table, seat, action.count, ruling)
    return None


def set_owes(table: Draft, action: SetOwes, ruling: RulingBuilder) -> Foul | None:
    """*player* owes exactly that; no turn hangs on it, and what hung on an older debt lapses."""
    seat = table.seat_of(action.player)
    is_before_count = table.phase is Phase.OUT and table.counted[seat] is None
    if not table.playing[seat] or not (table.phase is Phase.PLAY or is_before_count):
        return Foul(Code.NOT_NOW)
    if table.penalty is not None and table.penalty.seat == seat:
        table.penalty = None
    if table.wild_four is not None and table.wild_four.victim == seat:
        table.wild_four = None
        if isinstance(table.question, ShowQuestion):
            table.question = None
    table.owes = replaced(table.owes, seat, action.count)
    table.fines = replaced(table.fines, seat, 0)
    _corrected(ruling)
    return None


def set_target(table: Draft, action: SetTarget, ruling: RulingBuilder) -> Foul | None:
    """The match is played to that many points; one that is over goes on, with who was out of it by points."""
    is_over = table.phase is Phase.OVER
    reached = any(score >= action.points for seat, score in enumerate(table.scores) if seat not in table.gone)
    here = [seat not in table.gone for seat in range(len(table.names))]
    is_possible = table.setup.refereed and table.phase is not Phase.OUT and sum(here) > 1
    if not is_possible or reached or action.points < 1:
        return Foul(Code.MATCH_OVER if is_over and not is_possible else Code.NOT_NOW)
    table.setup = replace(table.setup, target=action.points, scores=())
    _corrected(ruling)
    if is_over or table.phase is Phase.BETWEEN:
        table.playing = tuple(here)
    if is_over:
        table.phase = Phase.BETWEEN
        table.winners = ()
        table.last_round = False
        table.dealer = table.after(table.dealer, CLOCKWISE)
        ruling.add("dealer", table.names[table.dealer])
    return None


def _is_naming(table: Draft) -> bool:
    """While a colour is to be named, or a Wild Draw Four to be proven, there is no colour to put right."""
    return isinstance(table.question, (ColourQuestion, ProofQuestion))


def set_colour(table: Draft, action: SetColour, ruling: RulingBuilder) -> Foul | None:
    if foul := _outside_round(table):
        return foul
    if _is_naming(table):
        return Foul(Code.NOT_NOW)
    table.colour = action.colour
    _corrected(ruling)
    return None


def set_direction(table: Draft, action: SetDirection, ruling: RulingBuilder) -> Foul | None:
    if foul := _outside_round(table):
        return foul
    table.direction = CLOCKWISE if action.clockwise else ANTICLOCKWISE
    _corrected(ruling)
    return None


def set_top(table: Draft, action: SetTop, ruling: RulingBuilder) -> Foul | None:
    """What the top card is, and its colour with it (none for a wild)."""
    wanted = action.card.face
    if foul := _outside_round(table):
        return foul
    if _is_naming(table):
        return Foul(Code.NOT_NOW)
    table.discard_pile = table.discard_pile[:-1]
    if table.seen_elsewhere(wanted) >= table.kind(wanted).copies:
        return Foul(Code.ALREADY_PLAYED)
    table.discard_pile += (wanted,)
    table.top = wanted
    table.colour = wanted.colour
    _corrected(ruling)
    return None

"""The referee's one step: `apply` takes a match and an action and gives the next match and the ruling.

Which room answers which action is the table `HANDLERS`; this module decides only what holds for all of them: when
nothing may be done at all, what the clock did before, what a refusal costs, and `undo`. It is total: every phase and
action has an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from table_app.rules import actions as act
from table_app.rules import (
    calls,
    challenges,
    changes,
    dealing,
    effects,
    piles,
    plays,
    scoring,
)
from table_app.rules.actions import Action, Call, Catch, Wait
from table_app.rules.legality import out_of_place
from table_app.rules.ruling import REFUSAL_RULES, Code, Foul, Ruling, RulingBuilder
from table_app.rules.setup import Setup, UnoMode
from table_app.rules.state import Draft, Hand, Match, Phase, ProofQuestion, RefusedLay, State, replaced

Handler = Callable[[Draft, Any, RulingBuilder], Foul | None]


def new_match(setup: Setup) -> Match:
    """The match of this set-up before the first deal."""
    number = len(setup.players)
    dealer = setup.players.index(setup.dealer) if setup.dealer is not None else number - 1
    zeros = (0,) * number
    return Draft(
        setup=setup,
        names=setup.players,
        playing=(True,) * number,
        scores=setup.scores or zeros,
        dealer=dealer,
        hands=(Hand(),) * number,
        dealt=(False,) * number,
        owes=zeros,
        fines=zeros,
        counted=(None,) * number,
    ).freeze()


def apply(match: Match, action: Action) -> tuple[Match, Ruling]:
    """Judge *action*: the match after it, and the ruling. A refused action leaves the match as it was, but for time
    and for what the refusal itself costs.

    Never raises for anything that somebody may do at a table; a name that nobody has is `bad-line`.
    """
    if isinstance(action, act.Undo):
        return _undo(match, action)
    begins = _begins_round(match, action)
    at_ns = action.at_ns
    if at_ns is None:
        at_ns = 0 if begins else match.now_ns
    if (at_ns < match.now_ns and not begins) or not _names_are_known(match, action):
        return match, Ruling(action, False, Code.BAD_LINE, "order")
    clocked, making = _run_clock(match, at_ns)
    draft = Draft.of(clocked)
    draft.now_ns = at_ns
    foul = _standing_foul(draft, action) or HANDLERS[type(action)](draft, action, making)
    if foul is not None:
        return _refuse(match, clocked, at_ns if not begins else match.now_ns, action, foul)
    draft.refused_lay = None
    if not _caught_on(making):
        draft.last_caught = None  # "straight after" a catch is over
    note_action(draft, action)
    effects.settle(draft, making)
    draft.before = _without_past(match) if begins else match
    return draft.freeze(), _ruling(draft, action, making, None, _accepted_rule(making))


def _accepted_rule(making: RulingBuilder) -> str:
    """The first rule that applies: a missed call, somebody who is out, then what the module that answered says."""
    rule = making.rule or "order"
    for happening in making.effects:
        if happening.word == "uno-missed":
            return "uno-call"
        if happening.word == "out":
            rule = "out"
    return rule


def _caught_on(making: RulingBuilder) -> bool:
    return bool(making.effects) and any(happening.word == "uno-missed" for happening in making.effects)


def _begins_round(match: Match, action: Action) -> bool:
    if match.phase is not Phase.BETWEEN:
        return False
    return isinstance(action, (act.DealCards, act.DealUnseen, act.GoOut))


def _without_past(match: Match) -> Match:
    """The match as the first deal finds it: nothing before it can be undone."""
    draft = Draft.of(match)
    draft.before = None
    return draft.freeze()


def _names_are_known(match: Match, action: Action) -> bool:
    for field in NAME_FIELDS[type(action)]:
        name = getattr(action, field)
        if name is not None and name not in match.names:
            return False
    return True


def _run_clock(match: Match, at_ns: int) -> tuple[Match, RulingBuilder]:
    """What ran out before the action's time stands, whatever becomes of the action."""
    making = RulingBuilder()
    if not is_due(match, at_ns):
        return match, making
    draft = Draft.of(match)
    draft.now_ns = at_ns
    run_clock(draft, at_ns, making)
    return draft.freeze(), making


# -- what holds for all actions --------------------------------------------------------------------------------

PLAYED_ALONE = (
    act.GoOut,
    act.Shows,
    act.Points,
    act.Leaves,
    act.Joins,
    act.LastRound,
    act.SetScore,
)
"""All that a table used for the score alone knows, `undo` apart."""


def _standing_foul(table: Draft, action: Action) -> Foul | None:
    """Whether anything of this kind may be done in this phase at all, before anybody looks closer."""
    if table.phase is Phase.OVER and not isinstance(action, act.SetTarget):
        return Foul(Code.MATCH_OVER)
    if table.phase is not Phase.PLAY and table.setup.refereed and (foul := _out_of_play_foul(table, action)):
        return foul
    if not _cards_are_known(table, action):
        return Foul(Code.UNKNOWN_CARD)
    if not table.setup.refereed and not isinstance(action, PLAYED_ALONE):
        return Foul(Code.NOT_NOW)
    return None


def _out_of_play_foul(table: Draft, action: Action) -> Foul | None:
    """Before the first card and after `out` players can't act, but for what belongs there."""
    if isinstance(action, act.Start):
        return Foul(Code.NOT_DEALT) if table.phase is Phase.BETWEEN or dealing.undealt_seats(table) else None
    if not isinstance(action, act.PlayerAction) or isinstance(action, (act.Call, act.DrawForDeal, act.GoOut)):
        return None
    if table.phase is Phase.OUT:
        is_for_count = isinstance(action, (act.Draw, act.Shows, act.Points))
        return None if is_for_count else Foul(Code.ROUND_OVER)
    is_dealt_before = table.phase is Phase.BETWEEN and table.round_number > 0
    return Foul(Code.ROUND_OVER if is_dealt_before else Code.NOT_DEALT)


def _cards_are_known(table: Draft, action: Action) -> bool:
    """Rule `cards`: whether the deck has every face that the action names."""
    kinds = table.setup.deck.kinds
    if isinstance(action, (act.Lay, act.Start, act.DrawForDeal, act.SetTop)):
        return action.card.face in kinds
    if isinstance(action, (act.Draw, act.Shows, act.DealCards, act.Discard)):
        for card in action.cards:
            if card.face not in kinds:
                return False
    return True


def _wait(table: Draft, action: act.Wait, ruling: RulingBuilder) -> Foul | None:
    del table, action
    ruling.rule = ruling.rule or "time"  # `turn-clock`, where that is what happened meanwhile
    return None


def _shows(table: Draft, action: act.Shows, ruling: RulingBuilder) -> Foul | None:
    if table.phase is Phase.PLAY:
        return challenges.shows(table, action, ruling)
    return scoring.show_for_count(table, action, ruling)


def _points(table: Draft, action: act.Points, ruling: RulingBuilder) -> Foul | None:
    if table.phase is Phase.PLAY:
        return out_of_place(table)
    return scoring.type_points(table, action, ruling)


HANDLERS: dict[type[Action], Handler] = {
    act.DrawForDeal: dealing.high,
    act.DealCards: dealing.deal_cards,
    act.DealUnseen: dealing.deal_unseen,
    act.Start: dealing.start,
    act.Lay: plays.lay,
    act.NameColour: plays.name_colour,
    act.Allow: plays.allow,
    act.Draw: piles.draw,
    act.Keep: piles.keep,
    act.Reshuffle: piles.reshuffle,
    act.Call: calls.call,
    act.Catch: calls.catch,
    act.Called: calls.called,
    act.Challenge: challenges.challenge,
    act.Finds: challenges.finds,
    act.Shows: _shows,
    act.Points: _points,
    act.Swap: effects.swap,
    act.Charade: effects.charade,
    act.AnswerDare: effects.answer_dare,
    act.Discard: effects.discard,
    act.Leaves: changes.leaves,
    act.Joins: changes.joins,
    act.SetDealer: dealing.set_dealer,
    act.SetTurn: changes.set_turn,
    act.SetHand: changes.set_hand,
    act.SetOwes: changes.set_owes,
    act.SetTarget: changes.set_target,
    act.SetScore: changes.set_score,
    act.SetColour: changes.set_colour,
    act.SetDirection: changes.set_direction,
    act.SetTop: changes.set_top,
    act.LastRound: scoring.last_round,
    act.GoOut: scoring.out,
    act.Wait: _wait,
}


NAME_FIELDS: dict[type[Action], tuple[str, ...]] = {
    kind: tuple(name for name in ("player", "caught", "other", "guesser") if hasattr(kind, name)) for kind in HANDLERS
} | {act.Joins: ()}
"""The fields of each action that name somebody who has to be at the table."""


# -- refusing --------------------------------------------------------------------------------------------------


def _refuse(match: Match, clocked: Match, at_ns: int, action: Action, foul: Foul) -> tuple[Match, Ruling]:
    """Refused: the cards stay where they were; what the clock did and what the refusal costs stand all the same."""
    _, making = _run_clock(match, at_ns)
    draft = Draft.of(clocked)
    draft.now_ns = at_ns
    draft.refused_lay = None
    fine = 0
    if foul.caught is not None:
        calls.caught(draft, foul.caught, making)
    elif foul.fine and foul.seat is not None:
        fine = foul.fine
        effects.owe(draft, foul.seat, fine, making)
        if foul.liftable:
            draft.fines = replaced(draft.fines, foul.seat, draft.fines[foul.seat] + fine)
    changed = clocked is not match or foul.caught is not None or fine > 0
    if not isinstance(action, act.Catch) and not _caught_on(making):
        draft.last_caught = None
    if changed:
        effects.settle(draft, making)
        draft.before = match
    if foul.lay is not None and foul.seat is not None:
        draft.refused_lay = RefusedLay(foul.lay, min(fine, draft.owes[foul.seat]))
    rule = foul.rule or REFUSAL_RULES.get(foul.code, "order")
    return draft.freeze(), _ruling(draft, action, making, foul.code, rule)


def _ruling(table: Draft, action: Action, making: RulingBuilder, code: Code | None, rule: str) -> Ruling:
    if not making.has_legal:
        if isinstance(table.question, ProofQuestion):
            making.judge(None)
        elif table.wild_four is not None:
            making.judge(table.wild_four.legal)
    return Ruling(action, code is None, code, rule, tuple(making.effects), making.has_legal, making.legal)


# -- undo ------------------------------------------------------------------------------------------------------


def _undo(match: Match, action: act.Undo) -> tuple[Match, Ruling]:
    """The last accepted action is taken back, with its penalties and with what the clock did since.

    Time goes on from the latest given; a call window that is open again starts its grace time anew.
    """
    at_ns = match.now_ns if action.at_ns is None else action.at_ns
    if at_ns < match.now_ns:
        return match, Ruling(action, False, Code.BAD_LINE, "order")
    if match.before is None:
        clocked, _ = _run_clock(match, at_ns)
        return _refuse(match, clocked, at_ns, action, Foul(Code.CANNOT_UNDO))
    draft = Draft.of(match.before)
    draft.now_ns = at_ns
    draft.clock_from_ns = at_ns
    draft.refused_lay = None
    draft.last_caught = None
    if draft.window is not None and draft.window.opened_ns is not None:
        draft.window = draft.window._replace(opened_ns=at_ns)
    return draft.freeze(), _ruling(draft, action, RulingBuilder(), None, "undo")


# -- the clock (rules `uno-call`, `turn-clock`): time comes with the actions, and none is read here


def grace_end(table: State) -> int | None:
    """The last nanosecond at which a call is in time; None if no clock runs for one."""
    window = table.window
    if window is None or window.opened_ns is None or table.setup.uno is not UnoMode.REFEREE:
        return None
    return window.opened_ns + table.setup.grace_ns


def turn_end(table: State) -> int | None:
    """The last nanosecond at which a turn is begun in time; a begun turn, an open question or a debt stops it."""
    limit = table.setup.turn_clock_ns
    if (
        limit is None
        or table.phase is not Phase.PLAY
        or table.drawn is not None
        or table.question is not None
        or table.is_owing()
    ):
        return None
    return table.clock_from_ns + limit


def deadline(table: State) -> int | None:
    """When the clock next becomes an action by itself, in nanoseconds since the round began; or None.

    The moment itself is still in time: what is due happens just after it.
    """
    grace, turn = grace_end(table), turn_end(table)
    if grace is None or turn is None:
        return turn if grace is None else grace
    return min(grace, turn)


def is_due(table: State, at_ns: int) -> bool:
    end = deadline(table)
    return end is not None and end < at_ns


def run_clock(table: Draft, at_ns: int, ruling: RulingBuilder) -> None:
    """Let happen what is due before *at_ns*, in the order in which it falls due."""
    while is_due(table, at_ns):
        grace, turn = grace_end(table), turn_end(table)
        if grace is not None and (turn is None or grace <= turn):
            assert table.window is not None
            calls.caught(table, table.window.seat, ruling)
            effects.settle(table, ruling)
        else:
            assert turn is not None
            _turn_runs_out(table, turn, at_ns, ruling)


def _turn_runs_out(table: Draft, end_ns: int, at_ns: int, ruling: RulingBuilder) -> None:
    """One unseen card is drawn, where there is one, and the turn passes."""
    seat, limit = table.turn, table.setup.turn_clock_ns
    assert seat is not None and limit is not None
    ruling.rule = "turn-clock"
    table.clock_from_ns = end_ns
    calls.close_window(table, ruling)
    if table.draw_pile:
        piles.receive(table, seat, (), 1)
        ruling.add("drew", table.names[seat], value=1)
        if not table.draw_pile and len(table.discard_pile) > 1:
            ruling.add("reshuffle-needed")
        table.passes = 0
        table.next_turn(table.after(seat))
    elif table.nothing_to_draw:
        piles.pass_turn(table, ruling)
    else:
        _skip_ahead(table, seat, end_ns, at_ns, limit)
    effects.settle(table, ruling)


def _skip_ahead(table: Draft, seat: int, end_ns: int, at_ns: int, limit: int) -> None:
    """The pile waits to be shuffled: turns go by with nothing drawn; all that are due are taken in one step."""
    turns = 1 + max(at_ns - end_ns - 1, 0) // limit
    table.clock_from_ns = end_ns + (turns - 1) * limit
    for _ in range(turns % table.players_left):
        seat = table.after(seat)
    table.next_turn(seat)


def note_action(table: Draft, action: Action) -> None:
    """The turn clock starts anew with each accepted action but a wait, a call and a catch."""
    if not isinstance(action, (Wait, Call, Catch)):
        table.clock_from_ns = table.now_ns

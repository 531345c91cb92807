"""The referee's one step: `apply` takes a match and an action and gives the next match and the ruling.

Which module answers which action is the table `HANDLERS`; this module decides only what holds for all of them: when
nothing may be done at all, what the clock did before, what a refusal costs, and `undo`. It is total: every phase and
action has an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from table_app.rules import actions as act
from table_app.rules import (
    calls,
    changes,
    clock,
    effects,
    piles,
    plays,
    scoring,
)
from table_app.rules.actions import Action
from table_app.rules.legality import out_of_place
from table_app.rules.ruling import REFUSAL_RULES, Code, Foul, Ruling, RulingBuilder
from table_app.rules.setup import Setup
from table_app.rules.state import Draft, Hand, Match, Phase, ProofQuestion, RefusedLay, replaced

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
    clocked, builder = _run_clock(match, at_ns)
    draft = Draft.of(clocked)
    draft.now_ns = at_ns
    foul = _standing_foul(draft, action) or HANDLERS[type(action)](draft, action, builder)
    if foul is not None:
        return _refuse(match, clocked, at_ns if not begins else match.now_ns, action, foul)
    draft.refused_lay = None
    if not _caught_on(builder):
        draft.last_caught = None  # "straight after" a catch is over
    clock.note_action(draft, action)
    effects.settle(draft, builder)
    draft.before = _without_past(match) if begins else match
    return draft.freeze(), _ruling(draft, action, builder, None, _accepted_rule(builder))


def _accepted_rule(builder: RulingBuilder) -> str:
    """The first rule that applies: a missed call, somebody who is out, then what the module that answered says."""
    rule = builder.rule or "order"
    for happening in builder.effects:
        if happening.word == "uno-missed":
            return "uno-call"
        if happening.word == "out":
            rule = "out"
    return rule


def _caught_on(builder: RulingBuilder) -> bool:
    return bool(builder.effects) and any(happening.word == "uno-missed" for happening in builder.effects)


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
    builder = RulingBuilder()
    if not clock.is_due(match, at_ns):
        return match, builder
    draft = Draft.of(match)
    draft.now_ns = at_ns
    clock.run(draft, at_ns, builder)
    return draft.freeze(), builder


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
        return Foul(Code.NOT_DEALT) if table.phase is Phase.BETWEEN or piles.undealt_seats(table) else None
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
        return plays.shows(table, action, ruling)
    return plays.show_for_count(table, action, ruling)


def _points(table: Draft, action: act.Points, ruling: RulingBuilder) -> Foul | None:
    if table.phase is Phase.PLAY:
        return out_of_place(table)
    return scoring.type_points(table, action, ruling)


HANDLERS: dict[type[Action], Handler] = {
    act.DrawForDeal: piles.high,
    act.DealCards: piles.deal_cards,
    act.DealUnseen: piles.deal_unseen,
    act.Start: piles.start,
    act.Lay: plays.lay,
    act.NameColour: plays.name_colour,
    act.Allow: plays.allow,
    act.Draw: piles.draw,
    act.Keep: piles.keep,
    act.Reshuffle: piles.reshuffle,
    act.Call: calls.call,
    act.Catch: calls.catch,
    act.Called: calls.called,
    act.Challenge: plays.challenge,
    act.Finds: plays.finds,
    act.Shows: _shows,
    act.Points: _points,
    act.Swap: effects.swap,
    act.Charade: effects.charade,
    act.AnswerDare: effects.answer_dare,
    act.Discard: effects.discard,
    act.Leaves: changes.leaves,
    act.Joins: changes.joins,
    act.SetDealer: piles.set_dealer,
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
    _, builder = _run_clock(match, at_ns)
    draft = Draft.of(clocked)
    draft.now_ns = at_ns
    draft.refused_lay = None
    fine = 0
    if foul.caught is not None:
        calls.caught(draft, foul.caught, builder)
    elif foul.fine and foul.seat is not None:
        fine = foul.fine
        effects.owe(draft, foul.seat, fine, builder)
        if foul.liftable:
            draft.fines = replaced(draft.fines, foul.seat, draft.fines[foul.seat] + fine)
    changed = clocked is not match or foul.caught is not None or fine > 0
    if not isinstance(action, act.Catch) and not _caught_on(builder):
        draft.last_caught = None
    if changed:
        effects.settle(draft, builder)
        draft.before = match
    if foul.lay is not None and foul.seat is not None:
        draft.refused_lay = RefusedLay(foul.lay, min(fine, draft.owes[foul.seat]))
    rule = foul.rule or REFUSAL_RULES.get(foul.code, "order")
    return draft.freeze(), _ruling(draft, action, builder, foul.code, rule)


def _ruling(table: Draft, action: Action, builder: RulingBuilder, code: Code | None, rule: str) -> Ruling:
    if not builder.has_legal:
        if isinstance(table.question, ProofQuestion):
            builder.judge(None)
        elif table.wild_four is not None:
            builder.judge(table.wild_four.legal)
    return Ruling(action, code is None, code, rule, tuple(builder.effects), builder.has_legal, builder.legal)


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

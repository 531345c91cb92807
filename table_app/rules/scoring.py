"""The end of a round and of a match: the count, the three ways of scoring, teams, the bell.

Rules `out`, `score`, `target`, `single`, `elimination`, `lowest`, `teams`, `time`, `unrefereed`, `drawn-round`
(rulebook sections 9 and 11).
"""

from __future__ import annotations

from table_app.rules.actions import GoOut, LastRound, Points
from table_app.rules.cards import Face
from table_app.rules.ruling import Code, Foul, RulingBuilder
from table_app.rules.setup import Scoring
from table_app.rules.state import CLOCKWISE, Draft, Phase, State, replaced


def end_play(table: Draft, out: int | None) -> None:
    """Play is over: no turn, nothing open. Top card, colour and direction stay to be seen."""
    number = len(table.names)
    table.phase = Phase.OUT
    table.out = out
    table.turn = table.drawn = table.question = table.window = None
    table.penalty = table.passing = table.wild_four = None
    table.has_called_early = table.may_swap_first = False
    table.counted = (None,) * number


def losers(table: Draft) -> list[int]:
    """Whose hands count, from the left of the player who is out; a partner's does not."""
    assert table.out is not None
    partners = table.setup.partners(table.out)
    return [seat for seat in table.from_left_of(table.out) if seat not in partners]


def awaited_counts(table: Draft) -> list[int]:
    """Who still has to show the hand or have its points typed in."""
    if table.phase is not Phase.OUT or table.is_owing():
        return []
    return [seat for seat in losers(table) if table.counted[seat] is None]


def hand_points(table: Draft, faces: tuple[Face, ...]) -> int:
    kinds = table.setup.deck.kinds
    return sum(kinds[held].points for held in faces)


def count_tracked_hands(table: Draft, ruling: RulingBuilder) -> None:
    """All debts are drawn: tracked hands count by themselves; without a target nothing is counted."""
    if table.setup.target is None:
        assert table.out is not None
        _end_match(table, list(table.setup.partners(table.out)), ruling)
        return
    for seat in losers(table):
        if table.counted[seat] is None and table.setup.refereed and table.hands[seat].is_tracked:
            _count(table, seat, hand_points(table, table.hands[seat].known), ruling)
    _finish_if_counted(table, ruling)


def count_hand(table: Draft, seat: int, points: int, ruling: RulingBuilder) -> None:
    """*seat*'s hand was shown or typed in and comes to *points*; the last one ends the round."""
    ruling.rule = "score"
    _count(table, seat, points, ruling)
    _finish_if_counted(table, ruling)


def _count(table: Draft, seat: int, points: int, ruling: RulingBuilder) -> None:
    table.counted = replaced(table.counted, seat, points)
    ruling.add("points", table.names[seat], value=points)


def type_points(table: Draft, action: Points, ruling: RulingBuilder) -> Foul | None:
    """The points of a loser's hand, typed in instead of shown."""
    seat = table.seat_of(action.player)
    if foul := count_foul(table, seat):
        return foul
    least, most = typed_bounds(table, seat)
    if not least <= action.points <= most:
        return Foul(Code.WRONG_COUNT, rule="typed-points")
    count_hand(table, seat, action.points, ruling)
    return None


def typed_bounds(table: State, seat: int) -> tuple[int, int]:
    """The fewest and the most points that can be left in *seat*'s hand (rule `typed-points`)."""
    kinds = table.setup.deck.kinds
    hand = table.hands[seat]
    seen = sum(kinds[held].points for held in hand.known)
    left = sorted(
        kind.points for face, kind in kinds.items() for _copy in range(kind.copies - table.seen_elsewhere(face))
    )
    if not table.setup.refereed:
        return 0, sum(left)
    return seen, seen + sum(left[-hand.unseen :] if hand.unseen else ())


def count_foul(table: Draft, seat: int) -> Foul | None:
    """Why *seat*'s hand can't be counted now, however it is told; None if it can."""
    if table.is_owing():
        return Foul(Code.OWES_CARDS)
    if seat not in awaited_counts(table):
        return Foul(Code.NOT_NOW)
    return None


def out(table: Draft, action: GoOut, ruling: RulingBuilder) -> Foul | None:
    """At a table used for the score alone, somebody is out."""
    seat = table.seat_of(action.player)
    if table.setup.refereed or table.phase is not Phase.BETWEEN or not table.playing[seat]:
        return Foul(Code.NOT_NOW)
    table.round_number += 1
    end_play(table, seat)
    ruling.rule = "out"
    ruling.add("out", action.player)
    return None


def last_round(table: Draft, action: LastRound, ruling: RulingBuilder) -> Foul | None:
    """The bell: the round under way, or the next one, is the last."""
    del action
    table.last_round = True
    ruling.rule = "time"
    ruling.add("last-round")
    return None


# -- the end of the round --------------------------------------------------------------------------------------


def _finish_if_counted(table: Draft, ruling: RulingBuilder) -> None:
    if awaited_counts(table):
        return
    if table.setup.scoring is Scoring.WINNER:
        _score_winner(table, ruling)
    else:
        _score_own_hands(table, ruling)
    end_round(table, ruling)


def _add_score(table: Draft, seat: int, points: int, ruling: RulingBuilder) -> None:
    table.scores = replaced(table.scores, seat, table.scores[seat] + points)
    ruling.add("score", table.names[seat], value=points)


def _score_winner(table: Draft, ruling: RulingBuilder) -> None:
    """Rule `score`: who is out scores the points of all other hands; with `teams` the partner carries them too."""
    assert table.out is not None
    total = sum(points or 0 for points in table.counted)
    for seat in table.setup.partners(table.out):
        _add_score(table, seat, total, ruling)


def _score_own_hands(table: Draft, ruling: RulingBuilder) -> None:
    """Rules `elimination`, `lowest`: everybody adds what is left in their own hand."""
    for seat in losers(table):
        _add_score(table, seat, table.counted[seat] or 0, ruling)


def draw_round(table: Draft, ruling: RulingBuilder) -> None:
    """Rule `drawn-round`: nothing to draw and everybody has passed; nobody scores and the deal passes on."""
    ruling.add("drawn-round")
    end_play(table, None)
    clear = (0,) * len(table.names)
    table.owes = table.fines = clear
    end_round(table, ruling)


def end_round(table: Draft, ruling: RulingBuilder) -> None:
    """The scores are added: the match is won, or the deal passes to the left."""
    target = table.setup.target
    if target is not None:
        winners = _winners(table, target, ruling)
        if winners:
            _end_match(table, winners, ruling)
            return
    table.phase = Phase.BETWEEN
    table.dealer = table.after(table.dealer, CLOCKWISE)
    ruling.add("dealer", table.names[table.dealer])


def _winners(table: Draft, target: int, ruling: RulingBuilder) -> list[int]:
    """Who has won the match with this round; nobody yet is an empty list."""
    scores = table.scores
    still_in = [seat for seat, plays in enumerate(table.playing) if plays]
    reached = [seat for seat in still_in if scores[seat] >= target]
    scoring = table.setup.scoring
    if scoring is Scoring.WINNER:
        return _best(table, still_in, highest=True) if reached or table.last_round else []
    if scoring is Scoring.LOWEST:
        return _best(table, still_in, highest=False) if reached or table.last_round else []
    for seat in reached:
        ruling.add("eliminated", table.names[seat])
    left = [seat for seat in still_in if seat not in reached]
    if not left:
        return _best(table, still_in, highest=False)
    for seat in reached:
        table.playing = replaced(table.playing, seat, False)
    if len(left) == 1 or table.last_round:
        return _best(table, left, highest=False)
    return []


def _best(table: Draft, seats: list[int], *, highest: bool) -> list[int]:
    best = (max if highest else min)(table.scores[seat] for seat in seats)
    return [seat for seat in seats if table.scores[seat] == best]


def _end_match(table: Draft, winners: list[int], ruling: RulingBuilder) -> None:
    table.phase = Phase.OVER
    table.winners = tuple(winners)
    table.turn = None
    for seat in winners:
        ruling.add("match", table.names[seat])


def win_alone(table: Draft, ruling: RulingBuilder) -> None:
    """Everybody else has left: the match is over and theirs (rule `leave`)."""
    _end_match(table, [table.playing.index(True)], ruling)

"""What the clock does by itself: the grace time of a call, and the turn clock.

Rules `uno-call`, `turn-clock`. No clock is read here: time comes with the actions, and what ran out before an action
happens first. `deadline` says when the next thing is due.
"""

from __future__ import annotations

from table_app.rules import calls, effects, piles
from table_app.rules.actions import Action, Call, Catch, Wait
from table_app.rules.ruling import RulingBuilder
from table_app.rules.setup import UnoMode
from table_app.rules.state import Draft, Phase, State


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
    grace = grace_end(table) if table.window is not None else None
    turn = turn_end(table) if table.setup.turn_clock_ns is not None else None
    if grace is None or turn is None:
        return turn if grace is None else grace
    return min(grace, turn)


def is_due(table: State, at_ns: int) -> bool:
    end = deadline(table)
    return end is not None and end < at_ns


def run(table: Draft, at_ns: int, ruling: RulingBuilder) -> None:
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

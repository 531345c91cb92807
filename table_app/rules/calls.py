"""The "Uno" call: the window in which a player may be caught, calling, catching, and lifting a fine.

Rules `uno-call`, `uno-catch`, `called` (rulebook section 7). When the grace time runs out is the business of `clock`.
"""

from __future__ import annotations

from table_app.rules.actions import Call, Called, Catch
from table_app.rules.house_rules import HouseRule
from table_app.rules.ruling import Code, Foul, RulingBuilder
from table_app.rules.setup import UnoMode
from table_app.rules.state import Draft, Phase, Window, replaced


def laid(table: Draft, seat: int, cards_left: int, opened_ns: int | None, ruling: RulingBuilder) -> None:
    """*seat* has laid a card and holds *cards_left*: with one, a call is due, unless it was made before.

    *opened_ns* is None while the card's colour is still to be named.
    """
    if cards_left != 1:
        return
    name = table.names[seat]
    if table.has_called_early and table.turn == seat:
        ruling.add("uno-called", name)
        table.uncalled -= {seat}
        return
    ruling.add("uno-due", name)
    table.window = Window(seat, opened_ns)
    if HouseRule.CALL_TO_GO_OUT in table.setup.house:
        table.uncalled |= {seat}


def close_window(table: Draft, ruling: RulingBuilder) -> None:
    """The next turn begins: the referee catches who has not called, or (mode `players`) nobody can any more."""
    window = table.window
    if window is None:
        return
    if table.setup.uno is UnoMode.REFEREE:
        caught(table, window.seat, ruling)
    else:
        table.window = None
        ruling.add("uno-closed", table.names[window.seat])


def caught(table: Draft, seat: int, ruling: RulingBuilder) -> None:
    """*seat* is caught without a call, by whomever: the fine is owed from now on."""
    fine = table.setup.uno_penalty
    table.window = None
    table.uncalled -= {seat}
    table.last_caught = seat
    ruling.add("uno-missed", table.names[seat], value=fine)
    add_fine(table, seat, fine)


def add_fine(table: Draft, seat: int, fine: int) -> None:
    """A fine for a missed call: owed, and to be lifted by ``called`` while it is whole."""
    table.owes = replaced(table.owes, seat, table.owes[seat] + fine)
    table.fines = replaced(table.fines, seat, table.fines[seat] + fine)


def call(table: Draft, action: Call, ruling: RulingBuilder) -> Foul | None:
    """*player* calls "Uno": in the window, early in the own turn, or for nothing, which costs nothing."""
    seat = table.seat_of(action.player)
    ruling.rule = "uno-call"
    if table.phase is not Phase.PLAY:
        return None
    window = table.window
    if window is not None and window.seat == seat:
        table.window = None
        table.uncalled -= {seat}
        ruling.add("uno-called", action.player)
    elif seat in table.uncalled:
        table.uncalled -= {seat}
        ruling.add("uno-called", action.player)
    elif seat == table.turn:
        table.has_called_early = True
    return None


def catch(table: Draft, action: Catch, ruling: RulingBuilder) -> Foul | None:
    """*player* catches another in the window; a wrong catch may cost (`false-catch`)."""
    seat, target = table.seat_of(action.player), table.seat_of(action.caught)
    window = table.window
    if window is not None and window.seat == target and seat != target and table.playing[seat]:
        caught(table, target, ruling)
        return None
    # A second catch of the same player comes too late, but it was honest: it costs nothing.
    is_free = table.last_caught == target
    fine = 0 if is_free or not table.playing[seat] else table.setup.false_catch
    return Foul(Code.NOTHING_TO_CATCH, seat=seat, fine=fine)


def number_put_right(table: Draft, seat: int, count: int, ruling: RulingBuilder) -> None:
    """*seat* holds *count* cards, whatever was believed: what a call for one card cost falls, while it is whole."""
    table.uncalled -= {seat}
    if count == 1:
        return
    if table.window is not None and table.window.seat == seat:
        table.window = None
    if table.fines[seat]:
        _lift_fine(table, seat, ruling)


def called(table: Draft, action: Called, ruling: RulingBuilder) -> Foul | None:
    """The table says that *player* called: the fine is lifted, if nothing of it has been drawn."""
    seat = table.seat_of(action.player)
    if not table.fines[seat]:
        return Foul(Code.NOT_NOW)
    ruling.rule = "called"
    _lift_fine(table, seat, ruling)
    table.uncalled -= {seat}
    return None


def _lift_fine(table: Draft, seat: int, ruling: RulingBuilder) -> None:
    fine = table.fines[seat]
    ruling.add("lifted", table.names[seat], value=fine)
    table.owes = replaced(table.owes, seat, table.owes[seat] - fine)
    table.fines = replaced(table.fines, seat, 0)

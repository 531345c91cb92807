"""What the table remembers beside its rulings, as lines of the journal: a hand half shown, a pile shuffled in silence.

Notes are no actions: they change no ruling, and an export leaves them out. `notes` writes what changed between two
states, `noted` reads one line again.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.table.errors import StoreDamagedError
from table_app.table.state import Showing, TableState
from table_app.transcript.notation import codes, parse_card

SHOWING = "showing"
SHUFFLED = "shuffled"
NOBODY = "-"


def notes(before: TableState, after: TableState) -> list[str]:
    """The lines for what changed from *before* to *after*, where no ruling says it."""
    lines = []
    if after.pile is not before.pile:
        lines.append(SHUFFLED)
    if after.showing is not before.showing:
        seat = NOBODY if after.showing.seat is None else str(after.showing.seat)
        lines.append(f"{SHOWING} {seat}{codes(after.showing.cards)}")
    return lines


def noted(state: TableState, line: str) -> TableState:
    """*state* with what a note says.

    :raises StoreDamagedError: if it can't be read.
    """
    words = line.split()
    try:
        if words == [SHUFFLED]:
            return replace(state, pile=replace(state.pile, cards=state.pile.cards[-1:]))
        if words[0] != SHOWING:
            raise ValueError(f"{words[0]!r} is no note")
        seat = None if words[1] == NOBODY else int(words[1])
        deck = state.match.setup.deck
        return replace(state, showing=Showing(seat, tuple(parse_card(word, deck) for word in words[2:])))
    except (ValueError, IndexError) as error:
        raise StoreDamagedError(f"The journal holds a note that can't be read: {error}.") from error

"""A table as it was: its journal's lines judged again, one by one, by the same core.

Files are opened in `opening`; nothing is written here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from table_app.play.noting import noted
from table_app.play.state import NANOSECONDS_PER_MS, Options, TableState, new_table, ruled
from table_app.record.errors import MatchUnreadableError
from table_app.record.journal import Entry, EntryKind
from table_app.rules import Card, Setup, apply, new_match
from table_app.tags.stickers import as_listed
from table_app.transcript import BadLineError, parse_action


def replay(
    setup: Setup, entries: Iterable[Entry], tags: Mapping[bytes, Card | str], options: Options | None = None
) -> TableState:
    """The table after *entries*; the round's clock stands where the last one left it, with the table's at that.

    :raises MatchUnreadableError: if a line can't be read.
    :raises StoreDamagedError: if a line is not what was written.
    """
    state = new_table(new_match(setup), tags, options)
    for entry in entries:
        line = as_listed(entry.line, tags)
        if entry.kind is EntryKind.NOTE:
            state = noted(state, line)
            continue
        try:
            action = parse_action(line, state.match)
        except BadLineError as error:
            raise MatchUnreadableError(f"it holds a line that can't be read: {error}") from error
        match, ruling = apply(state.match, action)
        state = ruled(state, match, ruling, match.now_ns // NANOSECONDS_PER_MS)
    return state

"""The matches that were put aside: which of them are not finished, and one of them taken up again.

They are read from the journal and judged again, which takes a moment, so only when somebody asks. Nothing is written
here: the loop does that when a match goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from table_app.play.modes import Answer
from table_app.play.notices import said
from table_app.play.state import MenuPage, OlderMatch, Options, TableState, resumed_at
from table_app.record.errors import StoreDamagedError, StoreError
from table_app.record.head import setup_of
from table_app.record.journal import Journal, MatchRecord
from table_app.rules import Card, Deck, Match, Phase, apply, new_match
from table_app.table.resume import replay
from table_app.transcript import BadLineError, parse_action
from table_app.transcript.header import DeckLoader

LINES_LOOKED_AT_MAX = 8_000
"""Lines judged again to find unfinished matches, the newest first: some twenty matches, half a second on a laptop."""

FOUND_MAX = 12
"""Unfinished matches that are offered; whoever has more looks into ``lastcard history``."""


def listed(answer: Answer, older: tuple[OlderMatch, ...]) -> Answer:
    """The *answer* to whoever asked for the *older* matches; where there is none, that is said."""
    if older:
        return replace(answer, state=replace(answer.state, older=older))
    notice = said("No other match is unfinished.")
    state = replace(answer.state, menu=MenuPage.CLOSED, older=(), may_have_older=False, notice=notice)
    return replace(answer, state=state, notice=notice)


@dataclass(frozen=True, slots=True)
class OlderMatches:
    """The matches of *journal* beside the one that is played; *tags_of* is the tag list for a deck."""

    journal: Journal
    tags_of: Callable[[Deck], Mapping[bytes, Card | str]]
    options: Options | None = None
    load_deck: DeckLoader | None = None

    def may_be(self) -> bool:
        """True if there is an earlier match at all that was played."""
        try:
            return bool(self.journal.played() - {self.journal.match})
        except StoreDamagedError:
            return False

    def find(self) -> tuple[OlderMatch, ...]:
        """Those that are not finished, the newest first; one that can't be read is none of them."""
        found: list[OlderMatch] = []
        left = LINES_LOOKED_AT_MAX
        try:
            played = self.journal.played() - {self.journal.match}
            records = [record for record in self.journal.matches() if record.number in played]
        except StoreDamagedError:
            return ()
        for record in reversed(records):
            if left <= 0 or len(found) == FOUND_MAX:
                break
            try:
                match, lines = self._judged(record)
            except StoreDamagedError:
                continue
            left -= lines
            if match.phase is not Phase.OVER and match.round_number:
                older = OlderMatch(record.number, record.began_at, match.names, match.scores, match.round_number)
                found.append(older)
        return tuple(found)

    def _judged(self, record: MatchRecord) -> tuple[Match, int]:
        match = new_match(setup_of(record.header, self.load_deck))
        lines = 0
        for entry in self.journal.entries(record.number):
            try:
                match, _ruling = apply(match, parse_action(entry.line, match))
            except BadLineError as error:
                raise StoreDamagedError(str(error)) from error
            lines += 1
        return match, lines

    def take_up(self, number: int, now_ms: int) -> TableState:
        """The table of the match of this *number*, asking whether to go on.

        :raises StoreError: if it can't be read.
        """
        record = next((known for known in self.journal.matches() if known.number == number), None)
        if record is None:
            raise StoreError(f"There is no match {number} in the record.")
        setup = setup_of(record.header, self.load_deck)
        entries = self.journal.entries(number, with_notes=True)
        state = resumed_at(replay(setup, entries, self.tags_of(setup.deck), self.options), now_ms)
        return vouched(state, self.journal, number)


def vouched(state: TableState, journal: Journal, number: int) -> TableState:
    """The table that comes back as the match of this *number*, with whether the *journal* knows that this is all.

    :raises StoreDamagedError: if that can't be read.
    """
    is_vouched_for, kept_to = journal.end_of(number)
    recorded = state.recorded._replace(is_vouched_for=is_vouched_for, kept_to=kept_to)
    return replace(state, recorded=recorded)

"""Which matches a damaged journal has lost, and how people are told: from the gaps between its lines.

No file is read here and no line is judged: `salvage` reads, and gives the lines by their numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from table_app.record.journal_log import Mark
from table_app.rules.messages import Sentence, _, _n

NAMED_MAX = 6
"""Days and matches that a sentence names; more is a list that nobody reads."""

NAMED_ON_SCREEN = 3
"""As many as a screen has room for."""


MONTHS = (
    _("January"),
    _("February"),
    _("March"),
    _("April"),
    _("May"),
    _("June"),
    _("July"),
    _("August"),
    _("September"),
    _("October"),
    _("November"),
    _("December"),
)


def day_text(wall_time: str) -> Sentence:
    """The day of an ISO 8601 time, as people write it; a time that makes no sense is an unknown day."""
    year, _dash, rest = wall_time[:10].partition("-")
    month, _dash, day = rest.partition("-")
    if not all(part.isascii() and part.isdigit() for part in (year, month, day)) or not 1 <= int(month) <= len(MONTHS):
        return Sentence(_("an unknown day"))
    return Sentence(_("{day} {month} {year}"), day=int(day), month=Sentence(MONTHS[int(month) - 1]), year=year)


def in_a_row(parts: list[Sentence]) -> Sentence:
    """*parts* one after the other, as they are."""
    places = "; ".join(f"{{part{number}}}" for number in range(len(parts)))
    return Sentence(places, **{f"part{number}": part for number, part in enumerate(parts)})


@dataclass(frozen=True, slots=True)
class Losses:
    """What is lost: matches *whole*, by when they began (empty: not known), and *cut*: when one began, and the round
    from which on it is lost.

    *last* is the last line that is kept: when its match began, its round, and when it was written. Not *is_end_known*:
    what came after that, if anything did, is lost too. *marked* is the one of *whole* that the mark tells of, and when
    its last line was written; not *is_first_known*: which matches came before that one is not known.
    """

    whole: tuple[str, ...] = ()
    cut: tuple[tuple[str, int], ...] = ()
    is_end_known: bool = True
    last: tuple[str, int, str] | None = None
    marked: tuple[str, str] | None = None
    is_first_known: bool = True

    @property
    def is_nothing(self) -> bool:
        return not self.whole and not self.cut and self.is_end_known

    def words(self, named_max: int = NAMED_MAX) -> Sentence:
        """What is lost, as a sentence that names at most so many days and matches."""
        if self.is_nothing:
            return Sentence(_("Nothing is lost: every line could be read."))
        whole = list(self.whole)
        marked = []
        if self.marked is not None:
            began_at, wall_time = self.marked
            whole.remove(began_at)
            marked = [Sentence(_("the match of {day}, up to {time}"), day=day_text(began_at), time=wall_time[11:16])]
        days = Counter((str(day), day) for day in map(day_text, whole))
        parts = marked + [
            Sentence(_n("{count} match of {day}", "{count} matches of {day}"), count=count, day=day)
            if count > 1
            else Sentence(_("the match of {day}"), day=day)
            for (_text, day), count in days.items()
        ]
        parts += [
            Sentence(_("the match of {day} from round {number} on"), day=day_text(began_at), number=number)
            for began_at, number in self.cut
        ]
        if len(parts) > named_max:
            left = len(parts) - named_max
            parts[named_max:] = [Sentence(_n("{count} more", "{count} more"), count=left)]
        if not self.is_first_known:
            parts.append(Sentence(_("whatever was played before that")))
        if not self.is_end_known:
            parts.append(_since(self.last))
        return Sentence(_("Lost: {what}."), what=in_a_row(parts))


def _since(last: tuple[str, int, str] | None) -> Sentence:
    if last is None:
        return Sentence(_("whatever was played so far"))
    began_at, number, wall_time = last
    message = _("whatever was played after round {number} of the match of {day} (at {time})")
    return Sentence(message, number=number, day=day_text(began_at), time=wall_time[11:16])


@dataclass
class LostLines:
    """Lets the lines through that make whole beginnings of matches, and remembers what does not.

    *heads* are the matches: header, when it began, after which line. *last* is the number of the last line that the
    files know of; None where they don't. *mark* is how far the journal had gone; without one nobody knows that.
    """

    heads: Mapping[int, tuple[str, str, int]]
    last: int | None
    mark: Mark | None
    _is_end_known: bool = False
    _rounds: dict[int, int] = field(default_factory=dict)
    _cut: dict[int, int] = field(default_factory=dict)
    _gaps: list[tuple[int, int]] = field(default_factory=list)
    _headless: dict[int, str] = field(default_factory=dict)
    _last: tuple[str, int, str] | None = None

    def sift(self, rows: Iterator[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        """The lines of *rows* (sequence, match, round …) that come before anything is missing of their match."""
        before, played = 0, None
        self._is_end_known = self.mark is not None and self.mark.is_surely_last
        for row in rows:
            sequence, match = row[0], row[1]
            if sequence > before + 1:
                self._gaps.append((before + 1, sequence - 1))
                # Whose lines are missing is not known for sure: the match before, the one after, or both.
                for touched in (played, match):
                    if touched is not None:
                        self._cut.setdefault(touched, self._rounds.get(touched, 0))
            before, played = sequence, match
            if self.mark is not None and sequence == self.mark.sequence and row[-1] != self.mark.checksum:
                self._is_end_known = False  # the mark is of another record
            if match not in self.heads:
                self._headless.setdefault(match, str(row[7]))
            elif match not in self._cut:
                self._rounds[match] = int(row[2])
                self._last = (self.heads[match][1], int(row[2]), str(row[7]))
                yield row
        last = max(self.last or 0, self.mark.sequence if self.mark is not None else 0)
        if last > before:
            self._gaps.append((before + 1, last))
            if played is not None:
                self._cut.setdefault(played, self._rounds.get(played, 0))

    def kept(self) -> list[int]:
        """The matches that are kept, whole or in part: also one that was begun and never played."""
        return [number for number in self.heads if number in self._rounds or not self._is_lost(number)]

    def _is_lost(self, number: int) -> bool:
        first = self.heads[number][2] + 1
        return number in self._cut or any(low <= first <= high for low, high in self._gaps)

    def losses(self) -> Losses:
        """What did not come through."""
        whole = [self.heads[number][1] for number in self.heads if number not in self._rounds and self._is_lost(number)]
        whole += self._headless.values()
        marked, is_first_known = None, True
        if self.mark is not None and self.mark.match:
            is_named = self.mark.match in {*self.heads, *self._headless}
            began_at = self.heads[self.mark.match][1] if self.mark.match in self.heads else self.mark.wall_time
            if not is_named:
                whole.append(began_at)
                is_first_known = bool(self.heads or self._headless) or self.mark.match == 1
            # Of one that was played on another day too, the time alone would say too little.
            if began_at in whole and began_at[:10] == self.mark.wall_time[:10]:
                marked = (began_at, self.mark.wall_time)
        cut = [
            (self.heads[number][1], max(round_number, 1))
            for number, round_number in self._cut.items()
            if number in self._rounds
        ]
        is_end_known = self._is_end_known and bool(whole or cut or not self._gaps)
        return Losses(tuple(sorted(whole)), tuple(sorted(cut)), is_end_known, self._last, marked, is_first_known)

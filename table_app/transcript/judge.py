"""A transcript refereed line by line, by the same core as the real table.

Takes lines and gives judgements; files, printing and exit codes are in ``table_app.cli.judge``.
Source: transcript, *Ruling lines*.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from table_app.rules import actions as act
from table_app.rules.engine import apply, new_match
from table_app.rules.messages import Translate, untranslated
from table_app.rules.ruling import Code, Ruling
from table_app.rules.state import CLOCKWISE, Match
from table_app.rules.waits import waits
from table_app.rules.words import ruling_text
from table_app.transcript.bad_line import BadLineError
from table_app.transcript.header import DeckLoader, HeaderError, HeaderReader
from table_app.transcript.lines import Line
from table_app.transcript.notation import parse_action, without_comment


class Judgement(NamedTuple):
    """The ruling on one action line. *problem* says what is wrong with a line that can't be read."""

    line: int
    text: str
    match: Match
    ruling: Ruling
    problem: BadLineError | None = None

    def words(self, translate: Translate = untranslated) -> str:
        """The ruling as sentences."""
        if self.problem is not None:
            problem = self.problem.words(translate)
            return f"{ruling_text(self.match, self.ruling, translate)} {problem[0].upper()}{problem[1:]}."
        return ruling_text(self.match, self.ruling, translate)

    def as_json(self, file: str, translate: Translate = untranslated) -> dict[str, Any]:
        """The keys and values of a ruling line."""
        match, ruling = self.match, self.ruling
        result: dict[str, Any] = {
            "file": file,
            "line": self.line,
            "action": self.text,
            "ok": ruling.is_ok,
            "code": ruling.code.value if ruling.code else None,
            "rule": ruling.rule,
            "text": self.words(translate),
            "effects": [str(happening) for happening in ruling.effects],
            **table_facts(match),
        }
        if ruling.has_legal:
            result["legal"] = ruling.legal
        return result


def table_facts(match: Match) -> dict[str, Any]:
    """What everybody may know of a match, under the names of the ruling line: turn, colour, hands, waits and so on."""
    names = match.names
    sizes = [hand.size for hand in match.hands] if match.setup.refereed else [0] * len(names)
    return {
        "turn": names[match.turn] if match.turn is not None else None,
        "colour": match.colour.value if match.colour is not None else None,
        "top": match.top.code if match.top is not None else None,
        "direction": "clockwise" if match.direction == CLOCKWISE else "anticlockwise",
        "hands": dict(zip(names, sizes, strict=True)),
        "owes": {name: cards for name, cards in zip(names, match.owes, strict=True) if cards},
        "waits": [list(wait) for wait in waits(match)],
        "scores": dict(zip(names, match.scores, strict=True)),
    }


ROUND_ACTIONS_MAX = 100_000
"""Each can be taken back to the deal, so each is remembered: some 400 bytes. A long round has a thousandth of it."""


class Expectation(NamedTuple):
    """A line that says what the ruling before it must be; *judgement* is that ruling, None before the first."""

    line: int
    text: str
    judgement: Judgement | None


class Judge:
    """One transcript on its way: header lines first, then an answer to every action."""

    def __init__(self, load_deck: DeckLoader | None = None) -> None:
        self._header: HeaderReader | None = HeaderReader(load_deck)
        self._match: Match | None = None
        self._last: Judgement | None = None
        self._taken = 0

    @property
    def match(self) -> Match | None:
        """The match as it stands; None while the header is being read."""
        return self._match

    def take(self, line: Line) -> Judgement | Expectation | None:
        """The answer to one line: a judgement of an action, an expectation, or None for anything else.

        :raises HeaderError: if the header can't be used.
        """
        text = without_comment(line.text)
        if not text and line.problem is None:
            return None
        if text.startswith("="):
            return Expectation(line.number, text[1:].strip(), self._last)
        if self._header is not None:
            if line.problem is not None:
                raise HeaderError(line.number, str(line.problem))
            if self._header.take(line.number, text):
                return None
            self._begin(line.number)
        self._last = self._judge(line, text)
        return self._last

    def finish(self, lines: int) -> None:
        """The transcript is over after so many *lines*.

        :raises HeaderError: if not even its header is whole.
        """
        if self._header is not None:
            self._begin(max(lines, 1))

    def _begin(self, line: int) -> None:
        assert self._header is not None
        self._match = new_match(self._header.setup(line))
        self._header = None

    def _judge(self, line: Line, text: str) -> Judgement:
        match = self._match
        assert match is not None
        try:
            if line.problem is not None:
                raise line.problem
            if self._taken >= ROUND_ACTIONS_MAX:
                raise BadLineError("a round has at most {number} actions", number=ROUND_ACTIONS_MAX)
            action = parse_action(text, match)
        except BadLineError as error:
            ruling = Ruling(act.Wait(), False, Code.BAD_LINE, "order")
            return Judgement(line.number, text, match, ruling, error)
        self._match, ruling = apply(match, action)
        self._taken = 0 if self._match.before is None else self._taken + ruling.is_ok
        return Judgement(line.number, text, self._match, ruling)

"""Listens to everything that a table puts out, and finds a face of a hand in it.

A face is public once a copy of it was laid, turned, drawn for the deal or named as the top card. Any other face that
stands in a line, a headline, a notice or on a screen has leaked; so has that of a card which a question names, but
where the card can only be a play.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from table_app.cli.terminal import Printer
from table_app.demo.pane import Log
from table_app.play.notices import Notice
from table_app.rules import Code, Face, Match, Ruling, Setup
from table_app.rules import actions as act
from table_app.rules.messages import untranslated
from table_app.rules.words import face_name
from table_app.table import Judged, Observer, TableState
from table_app.view.present import notice_text, present
from table_app.view.table_view import TableView

STANDS_STILL = act.Draw | act.Call | act.Called | act.Catch | act.Wait | act.LastRound
"""After these, what was shown a moment ago is still what was done last."""


class Listener(Observer):
    """Keeps every text with the round in which it was put out, and every face that was public by then."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._log = Log()
        self._texts: list[str] = []
        self._public: set[Face] = set()
        self._match: Match | None = None
        # A plain Wild's word stands in too many others; its code is looked for.
        named = {face.code: face for face in setup.deck.kinds}
        named |= {face_name(face): face for face in setup.deck.kinds if not face.is_wild}
        self._named = named
        words = "|".join(re.escape(word) for word in sorted(named, key=len, reverse=True))
        self._pattern = re.compile(rf"(?<![\w+#])(?:{words})(?![\w+])")
        self._known: dict[str, list[Face]] = {}
        self._is_hand_shown = False
        self._shown_ms: int | None = None
        self._denied: object = None
        self.leaks: list[str] = []
        self.heard = 0

    # -- what is put out ---------------------------------------------------------------------------------------

    def judged(self, judged: Judged) -> None:
        self._match = judged.match
        self.follow(judged.ruling, judged.match)
        if judged.ruling.is_ok and isinstance(judged.ruling.action, act.Shows | act.Points):
            self._shown_ms = judged.at_ms
        # Whatever is shown, sounded or said of it.
        self.hear(judged.public_line, *_texts(judged.cues))
        self._log.judged(judged)
        row = self._log.rows[-1]
        self.hear(row.action, row.ruling, row.cue)

    def noticed(self, notice: Notice, signal: object) -> None:
        if self._match is not None:
            self.hear(notice_text(self._match, notice))

    def show(self, state: TableState, now_ms: int) -> None:
        """The screen, but for the picker, which has all cards of the deck."""
        held = state.held
        if held is not None and not state.options.is_tracked and not self._is_hand_shown:
            self._public.add(held.card.face)  # it lies face up, to be laid
        if state.form is not None and state.form.card is not None:
            self._public.add(state.form.card.face)  # somebody named it on the screen: the one that lost its tag, say
        match, ruling = state.match, state.ruling
        self._public.update(match.discard_pile)
        if ruling is not None and isinstance(ruling.action, act.Lay | act.Start | act.DrawForDeal):
            self._public.add(ruling.action.card.face)  # also where the power went before anybody heard of it
        view = present(state, now_ms)
        self.hear(*view_texts(view))
        said: list[str] = []
        printer = Printer(untranslated)
        printer.say = said.append  # type: ignore[method-assign, assignment]  # a method, replaced for one object
        printer.show(state, now_ms)
        self.hear(*said)

    # -- what may be known -------------------------------------------------------------------------------------

    def follow(self, ruling: Ruling, match: Match) -> None:
        """What everybody has seen by this ruling."""
        action = ruling.action
        if ruling.is_ok and not isinstance(action, STANDS_STILL):
            self._is_hand_shown = isinstance(action, act.Shows)
        if self._is_hand_shown and ruling.code is Code.OWES_CARDS:
            return  # what is tapped before the cards are drawn may be of the hand that was shown
        if isinstance(action, act.Lay | act.Start | act.DrawForDeal | act.SetTop):
            self._public.add(action.card.face)
        elif isinstance(action, act.Discard):
            self._public.update(card.face for card in action.cards)
        if match.top is not None:
            self._public.add(match.top)
        if isinstance(action, act.DealCards | act.DealUnseen) and ruling.is_ok:
            self._public = set()

    def hear(self, *texts: str) -> None:
        """These texts were put out."""
        for text in texts:
            self.heard += 1
            found = self._known.get(text)
            if found is None:
                found = self._known[text] = self._faces_in(text)
            self.leaks += [f"{face.code} in {text!r}" for face in found if face not in self._public]

    def _faces_in(self, text: str) -> list[Face]:
        """The faces that a text names, by code or in words."""
        return [self._named[word] for word in self._pattern.findall(text)]


def view_texts(view: TableView) -> Iterator[str]:
    """Every text of a view, but for the picker's."""
    for each in fields(view):
        if each.name != "picker":
            yield from _texts(getattr(view, each.name))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _texts(item)
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            # A button's name is no text; a colour's letter is no face.
            if each.name not in ("button", "key", "symbol", "letter"):
                yield from _texts(getattr(value, each.name))

"""Drives a match step by step and holds every ruling against what must always be true; no test in here.

Whatever fails says so with the transcript so far, which `lastcard judge` can run.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from table_app.rules import (
    COLOURS,
    Action,
    Card,
    Colour,
    Face,
    Happening,
    HouseRule,
    Lay,
    Match,
    Phase,
    Ruling,
    Setup,
    Undo,
    Wait,
    apply,
    face,
    new_match,
    waits,
)
from table_app.rules.state import State
from table_app.rules.words import ruling_text
from table_app.transcript import action_text, header_text
from table_app.transcript.judge import Judgement
from tests.rules.ledger import Ledger
from tests.rules.tables import PLAYER_WORDS, TABLE_WORDS, acts, anything, beside

NOT_UNDONE = {"before", "now_ns", "clock_from_ns", "refused_lay", "last_caught", "window"}
"""What `undo` does not give back: time, grace time, turn clock, and what holds for the very next line only."""

FIELDS = tuple(each.name for each in fields(State))


def undone_part(match: Match) -> dict[str, Any]:
    """All of a match that an undo must give back as it was."""
    part = {name: getattr(match, name) for name in FIELDS if name not in NOT_UNDONE}
    part["window"] = match.window and (match.window.seat, match.window.opened_ns is None)
    return part


def turned(wanted: Face) -> Face:
    """The same face in the colour after its own."""
    return face(turned_colour(wanted.colour).letter + wanted.rank) if wanted.colour else wanted


def turned_colour(colour: Colour) -> Colour:
    return COLOURS[(COLOURS.index(colour) + 1) % 4]


def recoloured(action: Action) -> Action:
    """The same act at a table where every card has the next colour, and is another copy."""
    changes: dict[str, Any] = {}
    if hasattr(action, "card"):
        changes["card"] = Card(turned(action.card.face), 2)
    if hasattr(action, "cards"):
        changes["cards"] = tuple(Card(turned(card.face), 1) for card in action.cards)
    if getattr(action, "colour", None) is not None:
        changes["colour"] = turned_colour(action.colour)  # type: ignore[attr-defined]
    return replace(action, **changes) if changes else action


def recoloured_happening(happening: Happening) -> Happening:
    value = happening.value
    if happening.word == "colour":
        return happening._replace(value=turned_colour(Colour(str(value))).value)
    if happening.word in ("put-back", "set-aside", "take-back"):
        return happening._replace(value=turned(face(str(value))).code)
    return happening


class Driver:
    """A match, a twin of it in other colours, and the ledger of its cards."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.match = new_match(setup)
        self.twin = new_match(setup)
        self.lines: list[str] = []
        self.rulings: list[dict[str, Any]] = []
        self.ledger = Ledger(setup.deck.size)
        self.snapshots: list[Ledger] = []

    def transcript(self) -> str:
        return header_text(self.setup) + "\n" + "\n".join(self.lines) + "\n"

    def check(self, holds: bool, promise: str) -> None:
        assert holds, f"{promise}\n\n{self.transcript()}"

    # -- acting ------------------------------------------------------------------------------------------------

    def act(self, action: Action) -> Ruling:
        """Apply an action and check all that must hold of any ruling."""
        self.lines.append(action_text(action))
        before = self.match
        try:
            self.match, ruling = apply(before, action)
            twin_before = self.twin
            self.twin, twin_ruling = apply(twin_before, recoloured(action))
            words = ruling_text(self.match, ruling)
            judged = Judgement(len(self.lines), "", self.match, ruling).as_json("")
        except Exception as error:
            raise AssertionError(f"{error!r}\n\n{self.transcript()}") from error
        self.rulings.append(judged)
        self.check(bool(words) and "{" not in words, f"a ruling has words: {words!r}")
        self._check_twin(ruling, twin_ruling)
        self._check_refusal(before, ruling)
        self._check_ledger(before, ruling)
        self._check_state()
        return ruling

    def listed(self, number: int) -> None:
        """One of the acts that `waits` lists."""
        number, which = divmod(number, max(len(waits(self.match)), 1))
        listed = [wait for wait in waits(self.match) if wait[1] != "nothing"]
        if not listed:
            return
        player, word = listed[which % len(listed)]
        choices = acts(self.match, player, word)
        if word == "play":
            choices = [action for action in choices if apply(self.match, action)[1].is_ok]
            self.check(bool(choices), f"{player} is said to have a card to lay")
        if choices:
            self.act(choices[number % len(choices)])

    def anything(self, player: int, number: int) -> None:
        names = self.match.names
        self.act(anything(self.match, names[player % len(names)], number))

    def beside(self, number: int) -> None:
        self.act(beside(self.match, number))

    def time(self, milliseconds: int) -> None:
        self.act(Wait(at_ns=self.match.now_ns + milliseconds * 1_000_000))

    def undo(self) -> None:
        self.act(Undo())

    def do_and_undo(self, player: int, number: int) -> None:
        """Whatever is accepted, `undo` gives the state before it."""
        before, depth = self.match, len(self.snapshots)
        ledger = self.ledger.copy()
        if player % 2:
            self.anything(player, number)
        else:
            self.beside(number)
        if self.match.before is None or len(self.snapshots) == depth or self.match.phase is Phase.BETWEEN:
            return
        self.act(Undo())
        self.check(undone_part(self.match) == undone_part(before), "undo gives the state before")
        self.check(self.ledger == ledger, "undo gives the cards back")

    # -- what must hold ----------------------------------------------------------------------------------------

    def _check_twin(self, ruling: Ruling, twin: Ruling) -> None:
        same = (ruling.is_ok, ruling.code, ruling.rule, ruling.has_legal, ruling.legal)
        self.check(
            same == (twin.is_ok, twin.code, twin.rule, twin.has_legal, twin.legal),
            "which colours and copies the cards have changes no ruling",
        )
        effects = tuple(map(recoloured_happening, ruling.effects))
        self.check(effects == twin.effects, "which colours and copies the cards have changes no effect")

    def _check_refusal(self, before: Match, ruling: Ruling) -> None:
        if ruling.is_ok:
            self.check(ruling.code is None and bool(ruling.rule), "an accepted action cites a rule and no code")
            return
        self.check(ruling.code is not None and bool(ruling.rule), "a refused action has a code and a rule")
        if not ruling.effects:
            same = undone_part(self.match) | {"turn": 0, "drawn": 0, "passes": 0}
            was = undone_part(before) | {"turn": 0, "drawn": 0, "passes": 0}
            self.check(same == was or self.setup.turn_clock_ns is not None, "a refused action changes nothing")

    def _check_ledger(self, before: Match, ruling: Ruling) -> None:
        if not self.setup.refereed:
            return
        match = self.match
        if ruling.is_ok and isinstance(ruling.action, Undo):
            if self.snapshots:
                self.ledger = self.snapshots.pop()
        elif match.before is not before.before:
            begins = before.phase is Phase.BETWEEN and match.phase is Phase.DEALING
            if begins:
                self.snapshots.clear()
            self.snapshots.append(self.ledger.copy())
            self.ledger.record(before, ruling, match)
        held = dict(zip(match.names, (hand.size for hand in match.hands), strict=True))
        hands = {name: count for name, count in self.ledger.hands.items() if name in held}
        self.check({**dict.fromkeys(held, 0), **hands} == held, f"cards are conserved: hands {hands}, {held}")
        if match.phase is not Phase.BETWEEN or match.round_number:
            self.check(max(self.ledger.draw_pile, 0) == match.draw_pile, f"cards are conserved: {self.ledger}")
            self.check(self.ledger.discard_pile == len(match.discard_pile), f"cards are conserved: {self.ledger}")

    def _check_state(self) -> None:
        match = self.match
        self.check(match.draw_pile >= 0, "no more cards are out than the deck has")
        for wanted, kind in match.setup.deck.kinds.items():
            self.check(match.seen_elsewhere(wanted) <= kind.copies, f"no more {wanted.code} than there are")
        for seat, hand in enumerate(match.hands):
            self.check(hand.unseen >= 0 and match.owes[seat] >= 0, "no hand and no debt is below nothing")
            self.check(match.playing[seat] or not match.owes[seat], "who has left or is out owes nothing")
            self.check(0 <= match.fines[seat] <= match.owes[seat], "a fine is part of what is owed")
        if match.phase is Phase.PLAY:
            self.check(match.turn is not None and match.playing[match.turn], "the turn is somebody's who plays")
            self.check(bool(match.discard_pile) and match.discard_pile[-1] is match.top, "the top card lies on top")
            sizes = [hand.size for hand, plays in zip(match.hands, match.playing, strict=True) if plays]
            self.check(min(sizes) > 0, "nobody plays on with no card")
        else:
            self.check(match.turn is None and match.question is None, "between rounds it is nobody's turn")
        is_stuck = match.phase is Phase.DEALING and match.draw_pile == 0
        self.check(bool(waits(match)) or is_stuck, "there is always a way on")

    # -- what may come next ------------------------------------------------------------------------------------

    def check_waits(self) -> None:
        """What `waits` lists is accepted; of the acts that it can name, everything else is refused."""
        match = self.match
        listed = set(waits(match))
        for player, word in listed:
            if word == "nothing":
                continue
            choices = acts(match, player, word)
            results = [apply(match, action)[1] for action in choices]
            accepted = [ruling.is_ok for ruling in results]
            holds = any(accepted) if word == "play" else all(accepted)
            said = [f"{action_text(ruling.action)} {ruling.code}" for ruling in results if not ruling.is_ok]
            self.check(holds, f"waits lists {player} {word}, but {said[:3]}")
        table_acts = [(None, word) for word in TABLE_WORDS if (None, word) not in listed]
        players = [(name, word) for name in match.names for word in PLAYER_WORDS if (name, word) not in listed]
        for player, word in [*table_acts, *players]:
            for action in acts(match, player, word):
                if not self._is_unlisted(match, action):
                    ruling = apply(match, action)[1]
                    self.check(not ruling.is_ok, f"{action_text(action)} is accepted, but waits does not list it")

    def _is_unlisted(self, match: Match, action: Action) -> bool:
        """Jump-ins are not listed by design."""
        is_jump = isinstance(action, Lay) and HouseRule.JUMP_IN in self.setup.house and action.card.face is match.top
        return is_jump and match.turn is not None and match.names[match.turn] != action.player  # type: ignore[attr-defined]

    def check_again(self) -> None:
        """A transcript written out and judged again gives the same rulings."""
        from table_app.transcript import Judge, LineSplitter

        judge = Judge()
        answers = []
        for line in LineSplitter().feed(self.transcript().encode()):
            answer = judge.take(line)
            if answer is not None:
                assert isinstance(answer, Judgement)
                answers.append(answer.as_json(""))
        for again, first in zip(answers, self.rulings, strict=True):
            for key in first:
                if key not in ("line", "action"):
                    self.check(again[key] == first[key], f"judged again, line {again['line']} gives the same {key}")

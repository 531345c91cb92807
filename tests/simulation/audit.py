"""The auditor: keeps the truth apart from the referee and compares them after every ruling.

What it knows are the real cards and what people really did; it asks the core nothing.
"""

from __future__ import annotations

from collections import Counter

from table_app.play.cards_read import debts_first
from table_app.play.notices import Notice
from table_app.rules import (
    Allow,
    Call,
    Called,
    Card,
    Catch,
    Code,
    DrawForDeal,
    Effect,
    Happening,
    HouseRule,
    Lay,
    Leaves,
    Match,
    Phase,
    Ruling,
    Scoring,
    SetHand,
    SetTurn,
    Undo,
    UnoMode,
)
from table_app.rules.state import ColourQuestion
from table_app.simulation.scene import Scene
from tests.simulation.cases import Case


class WrongError(AssertionError):
    """The referee and the truth disagree."""


GOES_ON = frozenset(
    {
        "{}: card {} of {}. The next one is for {}.",
        "{}: {} of {} card.",
        "{}: {} card. Press Yes when that is all.",
        "{} discards {} card. Press Yes when that is all.",
        "The new tag is the {} from now on.",
        "The {} was set aside; turn the next card.",
        "Then the {} lies there already.",
    }
)
"""What the table says to a card that it took."""

TAG_LIST = ("Unknown tag", "That tag is a card already")
"""A new sticker that is told of twice, as after a power cut, and a tag that was forgotten in the place of its equal."""

ON_TOP = frozenset({"The {} lies on top already.", "The {} lies there already."})
IN_PILE = "That card lies in the discard pile; it is in nobody's hand."


class Auditor:
    """Follows one match. *scene* has the real cards; it must hear a ruling after the auditor does."""

    def __init__(self, case: Case, scene: Scene) -> None:
        self._case = case
        self._highs: dict[str, int] = {}
        self._scene = scene
        self._due: dict[str, bool] = {}
        self._called: set[str] = set()
        self._called_ever: set[str] = set()
        self._accused: tuple[list[Card], object] | None = None
        self._scored: tuple[dict[str, int], dict[str, int]] | None = None
        self.rulings = 0
        self.rounds = 0
        self.words: Counter[str] = Counter()

    def pressed(self, button: str, match: Match) -> None:
        """Somebody really pressed this: a call counts from here."""
        word, _, seat = button.partition(":")
        if word in ("uno", "seat") and seat.isdigit() and int(seat) < len(match.names):
            self._called.add(match.names[int(seat)])
            self._called_ever.add(match.names[int(seat)])

    def heard(self, before: Match, after: Match, ruling: Ruling) -> None:
        """A ruling, before anybody moves a card because of it."""
        self.rulings += 1
        self.words.update(happening.word for happening in ruling.effects)
        if isinstance(ruling.action, Lay):
            self._laid(before, ruling)
        elif not ruling.is_ok:
            self._refused(before, ruling)
        self._follow_calls(before, after, ruling)
        self._check_verdict(before, ruling)
        if isinstance(ruling.action, DrawForDeal) and ruling.is_ok:
            self._check_draw_for_deal(ruling)
        is_bell = before.last_round and before.setup.target is not None
        if is_bell and after.phase is Phase.OVER and not isinstance(ruling.action, Leaves):
            self._check_best_wins(before, after)
        if after.round_number > before.round_number:
            self.settle()
            self.rounds += 1

    def told(self, notice: Notice, card: Card, match: Match) -> None:
        """*card* was tapped, and all that came of it was said: that must be true."""
        pile = self._scene.cards.discard_pile
        if notice.text in ON_TOP:
            # In a real evening nobody gathers, shuffles and deals in the time in which a card is tapped twice.
            is_true = (bool(pile) and pile[-1] == card) or match.phase is Phase.BETWEEN
        elif notice.text == IN_PILE:
            is_true = card in pile
        elif notice.text.endswith("If it was shuffled, press Shuffled."):
            is_true = card in pile or self._scene.cards.is_mixed  # and once that is said, the card counts
        elif notice.text.startswith(("That card was shown already.", "That card was drawn a moment ago")):
            is_true = self._scene.cards.holder(card) is not None
        elif notice.text == debts_first().text:
            is_true = match.is_owing()
        else:
            is_true = notice.text in GOES_ON or notice.text.startswith(TAG_LIST)
        self._say(is_true, f"{card.code} was tapped, and the table only said {notice.text!r}")

    # -- laying ------------------------------------------------------------------------------------------------

    def _laid(self, before: Match, ruling: Ruling) -> None:
        action = ruling.action
        assert isinstance(action, Lay)
        card = self._scene.real(action.card)
        owner = self._scene.people.tapping
        if owner is None:
            owner = self._scene.cards.holder(card)
        seat = before.seat_of(action.player)
        is_its_own = owner == seat
        hand = self._scene.cards.hands[seat]
        if ruling.is_ok:
            lies_there = card in self._scene.cards.discard_pile
            self._say(not lies_there, f"{card.code} was accepted, and lies in the discard pile already")
            if is_its_own and before.turn == seat and not before.is_owing():
                self._say(self._fits(before, card), f"{card.code} was accepted on {before.top}")
            if before.kind(card.face).effect is Effect.WILD_DRAW_FOUR:
                self._accused = ([held for held in hand if held != card], before.colour)
            return
        code = ruling.code
        if not is_its_own or any(happening.word == "uno-missed" for happening in ruling.effects):
            return
        reasons = {
            Code.NO_MATCH: not self._fits(before, card),
            Code.NOT_YOUR_TURN: before.turn != seat,
            Code.OWES_CARDS: before.is_owing() or bool(self._due),
            Code.DRAWN_CARD: before.drawn is not None and self._scene.people.drawn != card,
            Code.WILD_DRAW_FOUR: any(held.face.colour is before.colour for held in hand if held != card),
            Code.NOT_CALLED: HouseRule.CALL_TO_GO_OUT in before.setup.house,
            Code.NAME_COLOUR: isinstance(before.question, ColourQuestion),
            Code.CHOOSE_SWAP: before.question is not None,
            Code.SHOW_HAND: before.question is not None,
            Code.ROUND_OVER: before.phase is not Phase.PLAY,
        }
        if code is Code.NOT_IN_HAND and self._case.has_silence:
            return  # drawn without a word into a hand that had been shown
        assert code is not None
        self._say(reasons.get(code, False), f"{action.player}'s {card.code} was refused ({code}) on {before.top}")

    @staticmethod
    def _fits(match: Match, card: Card) -> bool:
        """The rule of matching as it is printed on every sheet."""
        top = match.top
        return (
            card.face.is_wild
            or card.face.colour is match.colour
            or (top is not None and not top.is_wild and top.rank == card.face.rank)
        )

    def _refused(self, before: Match, ruling: Ruling) -> None:
        """Nobody presses what can't be, but for a catch that comes too late and a call that is said too late."""
        action = ruling.action
        is_late = isinstance(action, Catch | Called | Call)
        if isinstance(action, Allow):
            is_late = before.refused_lay is None or ruling.code is Code.OWES_CARDS
        self._say(is_late or self._case.has_silence, f"{action} was refused ({ruling.code})")

    # -- calls -------------------------------------------------------------------------------------------------

    def _follow_calls(self, before: Match, after: Match, ruling: Ruling) -> None:
        if isinstance(ruling.action, Undo | SetHand | SetTurn):
            self._due.clear()
        for happening in ruling.effects:
            self._follow_call(happening, before)
        if isinstance(ruling.action, Undo) and after.window is not None:
            self._due[after.names[after.window.seat]] = True
        if before.turn != after.turn or after.round_number != before.round_number:
            layer = ruling.action.player if isinstance(ruling.action, Lay) else None
            self._called &= {name for name in self._called if name == layer or name in self._due}
        if isinstance(ruling.action, Undo):
            self._called |= self._called_ever  # a call that had lapsed counts again
        window = None if after.window is None else after.names[after.window.seat]
        stale = [name for name in self._due if name != window and after.phase is Phase.PLAY]
        self._say(not stale, f"{stale} should have called, and the referee said nothing")

    def _follow_call(self, happening: Happening, before: Match) -> None:
        name = str(happening.player)
        if happening.word == "uno-due":
            self._due[name] = True
        elif happening.word == "uno-called":
            self._say(name in self._called, f"a call of {name} was heard that nobody made")
            self._due.pop(name, None)
        elif happening.word == "uno-missed":
            self._due.pop(name, None)
        elif happening.word == "uno-closed":
            self._say(before.setup.uno is UnoMode.PLAYERS, f"the window of {name} closed with nothing said")
            self._due.pop(name, None)
        elif happening.word == "left":
            self._due.pop(name, None)
        elif happening.word in ("out", "drawn-round"):
            self._due.clear()

    # -- verdicts and scores -----------------------------------------------------------------------------------

    def _check_verdict(self, before: Match, ruling: Ruling) -> None:
        words = {happening.word for happening in ruling.effects}
        if not words & {"guilty", "innocent"} or self._accused is None:
            return
        hand, colour = self._accused
        is_bluff = any(card.face.colour is colour for card in hand) and colour is not None
        codes = [card.code for card in hand]
        self._say(("guilty" in words) == is_bluff, f"verdict {words}, but the hand was {codes}, {colour}")

    def _check_draw_for_deal(self, ruling: Ruling) -> None:
        """The highest number deals; who ties for it draws again."""
        action = ruling.action
        assert isinstance(action, DrawForDeal)
        face = action.card.face
        self._highs[action.player] = int(face.rank) if face.is_number else -1
        told = [str(happening.player) for happening in ruling.effects]
        if not told:
            return
        best = [name for name, number in self._highs.items() if number == max(self._highs.values())]
        word = "dealer" if len(best) == 1 else "tie"
        is_right = sorted(told) == sorted(best) and all(happening.word == word for happening in ruling.effects)
        self._say(is_right, f"{told} by the draw for the deal, but the cards say {self._highs}")
        self._highs = {}

    def _check_best_wins(self, before: Match, after: Match) -> None:
        """The bell rang: the best total of those who played the last round wins, ties shared."""
        seats = [seat for seat, plays in enumerate(before.playing) if plays]
        choose = max if before.setup.scoring is Scoring.WINNER else min
        best = choose(after.scores[seat] for seat in seats)
        wanted = [seat for seat in seats if after.scores[seat] == best]
        self._say(
            sorted(after.winners) == wanted, f"{after.winners} won at the bell, but the scores are {after.scores}"
        )

    def moved(self, before: Match, ruling: Ruling) -> None:
        """The same ruling, now that the cards have moved because of it."""
        if isinstance(ruling.action, Undo) and ruling.is_ok:
            self._scored = None
        self._note_scores(before, ruling)

    def settle(self) -> None:
        """The round is behind us: nobody can show one card more of a hand that the record believed to be smaller."""
        scored, self._scored = self._scored, None
        if scored is not None:
            self._say(scored[0] == scored[1], f"scored {scored[0]}, but the hands say {scored[1]}")

    def _note_scores(self, before: Match, ruling: Ruling) -> None:
        found = {str(h.player): int(h.value or 0) for h in ruling.effects if h.word == "score"}
        if not found or before.out is None:
            return
        kinds = before.setup.deck.kinds
        points = [sum(kinds[card.face].points for card in hand) for hand in self._scene.cards.hands]
        partners = before.setup.partners(before.out)
        losers = [seat for seat in before.from_left_of(before.out) if seat not in partners]
        if before.setup.scoring is Scoring.WINNER:
            wanted = {before.names[seat]: sum(points[loser] for loser in losers) for seat in partners}
        else:
            wanted = {before.names[seat]: points[seat] for seat in losers}
        self._scored = (found, wanted)

    # -- the state ---------------------------------------------------------------------------------------------

    def check(self, match: Match) -> None:
        """Compare what the referee believes with where the cards really are; nothing is on its way just now."""
        if match.phase in (Phase.BETWEEN, Phase.DEALING) or not match.setup.refereed:
            return
        cards = self._scene.cards
        for seat, hand in enumerate(cards.hands):
            believed = match.hands[seat]
            if not self._case.has_silence:
                self._say(
                    believed.size == len(hand), f"{match.names[seat]}: {believed.size} believed, {len(hand)} held"
                )
                lacking = Counter(believed.known) - Counter(card.face for card in hand)
                self._say(not lacking, f"{match.names[seat]}: {lacking} believed and not held")
        if not self._case.has_silence and not cards.is_mixed:
            left = len(cards.draw_pile) + cards.missing
            self._say(match.draw_pile == left, f"{match.draw_pile} believed in the draw pile, {left} could be known")
        self._say(match.top is cards.discard_pile[-1].face, f"{match.top} believed on top")

    @staticmethod
    def _say(is_right: bool, wrong: str) -> None:
        if not is_right:
            raise WrongError(wrong)

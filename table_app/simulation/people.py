"""Simulated people: what they decide to do with their hands, from what everybody at the table can see and hear.

They look at their own cards and listen to the referee; they don't know what the referee knows. Decisions only: moving
cards and pressing buttons is done by `table_app.simulation.scene`. All chance comes from one seeded generator.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from table_app.play.planning import FEW_LEFT
from table_app.play.state import TableState
from table_app.rules import Card, Code, Colour, CustomKind, Effect, HouseRule, Match, Phase, Shows, waits
from table_app.rules.state import DiscardQuestion, ProofQuestion, ShowQuestion
from table_app.simulation.cards import PhysicalCards
from table_app.simulation.glance import drawn_for_the_deal, fits, still_to_show, worth_laying
from table_app.simulation.manners import (
    DRAW_MS,
    HOLD_MS,
    PRESS_MS,
    SHOW_GAP_MS,
    SHOW_HOLD_MS,
    THINK_MS,
    TOO_SOON_MS,
    Gesture,
    Manner,
    Mischief,
    Place,
    Press,
)
from table_app.simulation.mending import Mending, typed


@dataclass(slots=True)
class People:
    """Everybody at the table. *human* is the seat that somebody at the screen plays, if any.

    *drawn* is the card that was drawn in this turn. *tapping* is whose card is being laid, as the people know it: the
    referee may take it for another's. *refused* are the cards that nobody tries again in this turn. *types* is how
    often the points of a hand are typed, not shown. *did* counts what hands did that they should not.
    """

    cards: PhysicalCards
    manners: Sequence[Manner]
    chance: random.Random
    human: int | None = None
    mischief: Mischief = field(default_factory=Mischief)
    has_slipped: bool = False
    tapping: int | None = None
    is_hurried: bool = False
    shouted: set[int] = field(default_factory=set)
    refused: set[Card] = field(default_factory=set)
    drawn: Card | None = None
    types: float = 0.0
    did: Counter[str] = field(default_factory=Counter)
    mending: Mending = field(init=False)

    def __post_init__(self) -> None:
        self.mending = Mending(self.cards, self.chance)

    def notice(self, before: Match, after: Match) -> None:
        """People follow the play: with the turn a slip is forgotten."""
        if before.turn != after.turn or before.phase is not after.phase:
            self.has_slipped = False
            self.refused.clear()

    # -- deciding ---------------------------------------------------------------------------------------------

    def plan(self, state: TableState) -> list[Gesture]:
        """What hands do next, from what the screen shows; nothing if it is the human's turn to do something."""
        match = state.match
        put_right = self.mending.plan(state, self.tapping)
        if put_right:
            return put_right
        fined = [seat for seat in self.shouted if seat < len(match.fines) and match.fines[seat]]
        self.shouted.difference_update(fined)
        if fined:
            return [self._press(f"called:{fined[0]}")]
        for player, word in self._awaited(state):
            seat = match.seat_of(player) if player is not None else None
            if seat is not None and seat == self.human and word != "show":
                continue  # theirs to do; but a hand that is counted is shown by whoever sits beside
            planned = self._plan_for(state, seat, word)
            if planned:
                return planned
        return []

    def _awaited(self, state: TableState) -> list[tuple[str | None, str]]:
        """What is awaited, one entry for each seat that has to do something, the most pressing first."""
        match = state.match
        awaited = list(waits(match))
        words = [word for _, word in awaited]
        if "high" in words and (match.high is not None or state.is_deal_drawn_for):
            return [wait for wait in awaited if wait[1] == "high"]
        if "challenge" in words:
            return [wait for wait in awaited if wait[1] == "challenge"]
        return awaited

    def _plan_for(self, state: TableState, seat: int | None, word: str) -> list[Gesture]:
        match = state.match
        if seat is None:
            return self._plan_table(state, word)
        if word in ("play", "draw", "keep") and match.owes[seat]:
            return self._plan_debt(state, seat, word)
        if word in ("play", "draw", "keep"):
            return self._hurry(state, seat) or self._plan_turn(state, seat)
        if word == "colour":
            return [self._press(f"colour:{self._best_colour(seat)}")]
        if word == "challenge":
            return self._plan_challenge(state, seat)
        if word == "show":
            return self._type_points(state, seat) or self._show_hand(state, seat)
        if word == "high" and (match.high is not None or state.is_deal_drawn_for):
            return self._tap_all([drawn_for_the_deal(match, self.cards, self.chance)])
        if word == "swap":
            others = match.from_left_of(seat)
            fewest = min(others, key=lambda other: len(self.cards.hands[other]))
            return [self._press(f"swap:{fewest}")]
        if word == "dare":
            return [self._press("yes" if self.chance.random() < 0.5 else "no")]
        if word == "charade":
            guesser = self.chance.choice([*match.from_left_of(seat), None])
            return [self._press("no" if guesser is None else f"seat:{guesser}")]
        if word == "discard":
            return self._plan_discard(state, seat)
        if word == "out":
            return [self._press(f"seat:{self.chance.randrange(len(match.names))}")]
        return []

    def _plan_discard(self, state: TableState, seat: int) -> list[Gesture]:
        """All wilds, or some of the colour that was named; then Yes."""
        match = state.match
        hand = self.cards.hands[seat]
        wilds = [card for card in hand if card.face.is_wild]
        named = [card for card in hand if card.face.colour is match.colour]
        assert isinstance(match.question, DiscardQuestion)
        going = wilds if match.question.kind is CustomKind.DISCARD_WILDS else named
        going = still_to_show(self.cards, going, state.showing.cards if state.showing.seat == seat else ())
        if state.showing.seat != seat:
            return [self._press(f"seat:{seat}")]
        return self._tap_all(going) or [self._press("yes")]

    def _plan_table(self, state: TableState, word: str) -> list[Gesture]:
        match = state.match
        if word == "deal" and state.options.is_tracked:
            return self._deal_next(state)
        if word == "deal":
            return [Gesture(self._between(THINK_MS), Press("deal"))]
        if word == "start":
            return self._tap(self.cards.draw_pile[-1])
        if word == "reshuffle":
            needed = match.is_owing() or match.draw_pile == 0
            return [self._press("reshuffle")] if needed and match.phase in (Phase.PLAY, Phase.OUT) else []
        return []

    def _deal_next(self, state: TableState) -> list[Gesture]:
        """The next card over the reader; it goes into its hand when the whole deal stands."""
        if not state.dealing:
            self.cards.gather()
        card = self.cards.draw_pile[-1 - len(state.dealing)]
        return [Gesture(self._between(SHOW_GAP_MS), Place((card,), SHOW_HOLD_MS, draws=True))]

    def _draw(self, state: TableState) -> Gesture:
        """A card is drawn: over the reader where every card is seen, else a button says it."""
        left = state.match.draw_pile
        is_untold = left > FEW_LEFT or state.match.phase is Phase.OUT or len(state.match.discard_pile) < 2
        if left and not self.cards.draw_pile and is_untold:
            self.cards.shuffle_in_silence()
        if (not left or not self.cards.draw_pile) and not state.match.nothing_to_draw:
            return self._press("reshuffle")
        if state.options.is_tracked and state.match.draw_pile:
            return Gesture(self._between(PRESS_MS), Place((self.cards.draw_pile[-1],), SHOW_HOLD_MS, draws=True))
        return self._press("draw")

    def _plan_debt(self, state: TableState, seat: int, word: str) -> list[Gesture]:
        """Draw what is owed; where it can be stacked on, perhaps that; in silence, perhaps nothing."""
        match = state.match
        penalty = match.penalty
        if word == "play" and penalty is not None:
            same = [card for card in self.cards.hands[seat] if match.kind(card.face).effect.value == penalty.kind]
            if same and self._would_lay(match, seat, same[0]) and self.chance.random() < 0.6:
                return self._lay(match, seat, same[0])
            return []
        if penalty is not None and penalty.seat == seat and self._keeps_mum(state, seat) and not any(match.fines):
            return self._lay_after(match, seat) or [self._draw(state)]
        return [self._draw(state)]

    def _keeps_mum(self, state: TableState, seat: int) -> bool:
        mum = self.manners[seat].keeps_mum
        return mum > 0 and not state.options.is_tracked and self.chance.random() < mum

    def _lay_after(self, match: Match, seat: int) -> list[Gesture]:
        """*seat* drew without a word, and the next player lays; nothing where that one can't."""
        follower = match.after(seat)
        if follower == seat or match.drawn is not None or not match.draw_pile:
            return []
        playable = [card for card in self.cards.hands[follower] if self._would_lay(match, follower, card)]
        if not playable:
            return []
        self.tapping = follower
        first, *then = self._tap(self.chance.choice(playable))
        drawn_ms = DRAW_MS * max(match.owes[seat], 1)
        return [first._replace(wait_ms=first.wait_ms + drawn_ms), *then]

    def _hurry(self, state: TableState, seat: int) -> list[Gesture]:
        """Now and then somebody lays before it is their turn, or the very same card as the top one."""
        match = state.match
        others = match.from_left_of(seat)
        eager = [other for other in others if self.manners[other].hurries and self.cards.hands[other]]
        if eager and not self.has_slipped:
            other = self.chance.choice(eager)
            if self.chance.random() < self.manners[other].hurries:
                self.has_slipped = self.is_hurried = True
                self.tapping = other
                cards = [card for card in self.cards.hands[other] if card.face is not match.top]
                self.did["laid out of turn"] += bool(cards)
                return self._tap(self.chance.choice(cards)) if cards else []
        if HouseRule.JUMP_IN not in match.setup.house or match.top is None or match.top.is_wild or match.top_is_turned:
            return []
        for other in others:
            same = [card for card in self.cards.hands[other] if card.face is match.top]
            if same and len(self.cards.hands[other]) > 2 and match.window is None and self.chance.random() < 0.5:
                self.tapping = other
                return self._tap(same[0])
        return []

    def _plan_turn(self, state: TableState, seat: int) -> list[Gesture]:
        """Lay a card that fits, or draw; now and then a slip."""
        match = state.match
        drawn = match.drawn is not None
        self.tapping = seat
        hand = self.cards.hands[seat]
        if not drawn and self._slips(match, seat):
            wrong = [card for card in hand if not fits(match, card)]
            if wrong:
                self.has_slipped = True
                self.mischief.wrong_card = False
                self.did["laid what does not fit"] += 1
                return self._tap(self.chance.choice(wrong))
        candidates = ([] if self.drawn is None else [self.drawn]) if drawn else hand
        playable = [card for card in candidates if self._would_lay(match, seat, card)]
        if match.drawn is not None and match.drawn.spent:
            playable = []
        if not (drawn and HouseRule.MUST_PLAY in match.setup.house):
            playable = worth_laying(match, self.cards, seat, playable, self.chance)
        if playable:
            was_uncalled = state.ruling is not None and state.ruling.code is Code.NOT_CALLED
            call = [self._press(f"uno:{seat}")] if was_uncalled else []
            return call + self._lay(match, seat, self._choose(match, seat, playable))
        if drawn:
            goes_on = HouseRule.DRAW_UNTIL in match.setup.house and (match.names[seat], "draw") in waits(match)
            return [self._draw(state) if goes_on else self._press("keep")]
        if match.draw_pile and self.cards.draw_pile and self._keeps_mum(state, seat):
            silent = self._lay_unseen(match, seat) or self._lay_after(match, seat)
            if silent:
                self.did["drew in silence"] += 1
                return silent
        if match.draw_pile:
            return [self._draw(state)]
        return [self._press("reshuffle" if not match.nothing_to_draw else "keep")]

    def _lay_unseen(self, match: Match, seat: int) -> list[Gesture]:
        """The card drawn without a word fits, and is laid at once: the record misses a draw."""
        if not self.cards.draw_pile:
            return []  # by the record there are cards to draw, and none lie there: the pile is shuffled first
        card = self.cards.draw_pile[-1]
        if self.chance.random() < 0.5 or card.face.is_wild or not fits(match, card):
            return []
        return self._tap(card)

    def _slips(self, match: Match, seat: int) -> bool:
        if self.has_slipped or match.owes[seat]:
            return False
        return self.mischief.wrong_card or self.chance.random() < self.manners[seat].slips

    def _would_lay(self, match: Match, seat: int, card: Card) -> bool:
        if card in self.refused or (match.penalty is None and not fits(match, card)):
            return False
        if match.kind(card.face).effect is not Effect.WILD_DRAW_FOUR:
            return True
        hand = self.cards.hands[seat]
        is_bluff = any(held.face.colour is match.colour for held in hand if held != card)
        if not is_bluff or len(hand) == 1:
            return True
        return self.mischief.bluff or self.chance.random() < self.manners[seat].bluffs

    def _choose(self, match: Match, seat: int, playable: list[Card]) -> Card:
        """Coloured cards first, wilds when nothing else fits; a bluffer's Wild Draw Four before all."""
        fours = [card for card in playable if match.kind(card.face).effect is Effect.WILD_DRAW_FOUR]
        if fours and (self.mischief.bluff or self.manners[seat].bluffs):
            self.mischief.bluff = False
            return fours[0]
        coloured = [card for card in playable if not card.face.is_wild]
        return self.chance.choice(coloured or playable)

    def _lay(self, match: Match, seat: int, card: Card) -> list[Gesture]:
        """The tap, and before or after it the call, if this leaves one card and it is not forgotten."""
        tap = self._tap(card)
        if len(self.cards.hands[seat]) != 2:
            return tap
        if self.mischief.forget_uno or self.chance.random() < self.manners[seat].forgets:
            self.mischief.forget_uno = False
            return self._forget(match, seat, tap)
        call = Gesture(self._between(PRESS_MS), Press(f"uno:{seat}"))
        return [call, *tap] if self.chance.random() < 0.5 else [*tap, call]

    def _forget(self, match: Match, seat: int, tap: list[Gesture]) -> list[Gesture]:
        """No call is pressed: it was shouted, or somebody catches, or nobody says a word."""
        if self.manners[seat].shouts and self.chance.random() < self.manners[seat].shouts:
            self.shouted.add(seat)
            self.did["shouted a call"] += 1
        watchers = [other for other in match.from_left_of(seat) if self.manners[other].catches]
        if watchers and seat not in self.shouted and self.chance.random() < self.manners[watchers[0]].catches:
            return [*tap, Gesture(self._between(PRESS_MS), Press(f"catch:{seat}"))]
        return tap

    def _plan_challenge(self, state: TableState, seat: int) -> list[Gesture]:
        if self.chance.random() < self.manners[seat].challenges:
            return [self._press("challenge")]
        return [self._draw(state)]

    def _type_points(self, state: TableState, seat: int) -> list[Gesture]:
        """The points of a hand that is counted are typed, if nobody feels like tapping it card by card."""
        match = state.match
        is_begun = bool(state.showing.cards) or state.showing.seat not in (None, seat)
        if match.phase is not Phase.OUT or is_begun or self.chance.random() >= self.types:
            return []
        points = sum(match.kind(card.face).points for card in self.cards.hands[seat])
        return [self._press(button) for button in typed(points)]

    def _show_hand(self, state: TableState, seat: int) -> list[Gesture]:
        """Tap the rest of the hand on the reader, card by card, for the referee alone."""
        match, hand = state.match, self.cards.hands[seat]
        if match.wild_four is not None and not isinstance(match.question, ProofQuestion):
            # For a challenge: the hand just after the card was laid, without what was drawn since.
            hand = hand[: len(hand) - (match.hands[seat].size - match.wild_four.hand.size)]
        ruling = state.ruling
        is_refused = ruling is not None and isinstance(ruling.action, Shows) and ruling.code is Code.ALREADY_PLAYED
        if is_refused and isinstance(match.question, ProofQuestion):
            self.refused.add(self.cards.discard_pile[-1])
            return [self._press("undo")]  # it can't be proven now; another card is laid
        if is_refused and isinstance(match.question, ShowQuestion):
            return self._show_in_private(match, hand)
        self.tapping = seat
        taps = self._tap_all(still_to_show(self.cards, hand, state.showing.cards))
        if not taps and not match.setup.refereed and not state.showing.cards:
            return [self._press(press) for press in typed(0)]
        if not taps and (not match.setup.refereed or state.showing.cards):
            return [self._press("yes")]  # the screen says as many as are held
        return taps

    def _show_in_private(self, match: Match, hand: list[Card]) -> list[Gesture]:
        """The record has a card of this hand in the pile and can't be put right now: the challenger says."""
        assert match.wild_four is not None
        is_guilty = any(card.face.colour is match.wild_four.colour_before for card in hand)
        return [self._press(f"finds:{'guilty' if is_guilty else 'innocent'}")]

    def _tap_all(self, cards: list[Card]) -> list[Gesture]:
        gestures: list[Gesture] = []
        for number, card in enumerate(cards):
            wait = self._between(THINK_MS) if number == 0 else self._between(SHOW_GAP_MS)
            gestures.append(Gesture(wait, Place((card,), SHOW_HOLD_MS)))
        return gestures

    def _best_colour(self, seat: int) -> Colour:
        """The colour of most of one's cards; ties by the order of the colours."""
        held = Counter(card.face.colour for card in self.cards.hands[seat] if card.face.colour is not None)
        return max(Colour, key=lambda colour: held[colour])

    # -- hands ------------------------------------------------------------------------------------------------

    def _between(self, span_ms: tuple[int, int]) -> int:
        return self.chance.randint(*span_ms)

    def _press(self, button: str) -> Gesture:
        return Gesture(self._between(PRESS_MS), Press(button))

    def _tap(self, *cards: Card) -> list[Gesture]:
        tap = Gesture(self._between(THINK_MS), Place(cards, HOLD_MS))
        seat = self.tapping
        if seat is None or not self.manners[seat].fumbles or self.chance.random() >= self.manners[seat].fumbles:
            return [tap]
        return self._fumble(tap, seat)

    def _fumble(self, tap: Gesture, seat: int) -> list[Gesture]:
        """Lifted too soon, tapped twice, or two cards at once, and then as it should be."""
        again = tap._replace(wait_ms=self._between(PRESS_MS))
        assert isinstance(tap.deed, Place)
        kind = self.chance.choice(("soon", "twice", "two"))
        others = [card for card in self.cards.hands[seat] if card not in tap.deed.cards]
        kind = kind if others or kind != "two" else "soon"
        self.did[FUMBLES[kind]] += 1
        if kind == "two":
            both = tap.deed._replace(cards=(*tap.deed.cards, others[0]), hold_ms=2 * HOLD_MS)
            return [tap._replace(deed=both), again]
        if kind == "twice":
            return [tap, again]
        return [tap._replace(deed=tap.deed._replace(hold_ms=TOO_SOON_MS)), again]


FUMBLES = {"soon": "lifted too soon", "twice": "tapped twice", "two": "two cards at once"}

"""People at a table with a reader and a buzzer alone: they know their cards, the rules, and what they hear. For tests.

What they know of the match is a match of their own, ruled by the core as the table's is, and their cards. They never
look at the table: only cues come back, and where one is not what they expect they are at a loss.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from hardware.signals import TagPlaced, TagRemoved
from table_app.play.hands_tapped import RIGHT_AFTER_MS
from table_app.rules import (
    COLOURS,
    Action,
    Call,
    Card,
    Catch,
    Challenge,
    DealUnseen,
    Draw,
    Keep,
    Lay,
    Match,
    NameColour,
    Phase,
    Reshuffle,
    Shows,
    Start,
    apply,
    new_match,
    waits,
)
from table_app.rules.state import ColourQuestion
from table_app.tags.buttons import command_buttons
from tests.table.rig import Rig, uid

MOVES_MAX = 6_000
"""Acts in a match; an honest one to 200 points takes some hundreds."""

ASKED_AGAIN_HEARD_MS = 13_500
GRACE_OVER_MS = 7_000


class DeafError(AssertionError):
    """They heard what they did not expect."""


class PeopleByEar:
    """Plays a whole match at *rig* with cards and command tags, by *seed*; *done* counts what happened on the way."""

    def __init__(self, rig: Rig, seed: int) -> None:
        self.rig = rig
        self.chance = random.Random(seed)
        self.mind: Match = new_match(rig.setup)
        self.done: Counter[str] = Counter()
        self.draw_pile: list[Card] = []
        self.discard_pile: list[Card] = []
        self.hands: list[list[Card]] = []
        self.is_silent = False
        self.gives = ""
        self.shown: list[Card] = []
        buttons = command_buttons(len(rig.setup.players))
        self._tags = {button: uid(700 + number) for number, button in enumerate(buttons)}
        rig.table.know_tags({**rig.tags, **{tag: button for button, tag in self._tags.items()}})

    # -- hands and ears ------------------------------------------------------------------------------------------

    def tag(self, button: str, *expected: str) -> str:
        return self._touch(self._tags[button], expected or ("accepted",), button)

    def tap(self, card: Card, *expected: str) -> str:
        return self._touch(self.rig.uid(card.code), expected or ("accepted",), card.code)

    def wait(self, later_ms: int, expected: str) -> None:
        before = len(self.rig.heard.sounds)
        self.rig.wait(later_ms)
        self._compare(before, (expected,), f"waiting {later_ms} ms")

    def _touch(self, number: bytes, expected: tuple[str, ...], what: str) -> str:
        before = len(self.rig.heard.sounds)
        self.rig.now_ms += 1_000
        self.rig.send(TagPlaced(self.rig.now_ms, "pad", number))
        self.rig.send(TagRemoved(self.rig.now_ms, "pad", number))
        return self._compare(before, expected, what)

    def _compare(self, before: int, expected: tuple[str, ...], what: str) -> str:
        """The cue heard: the one after the tick, if there is one."""
        heard = self.rig.heard.sounds[before:]
        cue = heard[-1] if heard else ""
        if cue not in expected:
            raise DeafError(f"{what}: heard {heard}, expected one of {expected}; {self.rig.lines[-4:]}")
        return cue

    # -- what they know ------------------------------------------------------------------------------------------

    def know(self, action: Action) -> None:
        """*action* happened."""
        self.mind, ruling = apply(self.mind, action)
        assert ruling.is_ok, (action, ruling)

    def fits(self, card: Card, mind: Match | None = None) -> bool:
        mind = mind or self.mind
        return mind.turn is not None and apply(mind, Lay(mind.names[mind.turn], card))[1].is_ok

    def name(self, seat: int) -> str:
        return self.mind.names[seat]

    @property
    def turn(self) -> int:
        assert self.mind.turn is not None
        return self.mind.turn

    def take(self, seat: int) -> Card:
        card = self.draw_pile.pop()
        self.hands[seat].append(card)
        return card

    def happens(self, word: str, chance: float) -> bool:
        """Whether something happens now: sometimes, and soon if it never did."""
        if self.chance.random() > (chance if self.done[word] else max(chance, 0.5)):
            return False
        self.done[word] += 1
        return True

    # -- a round -------------------------------------------------------------------------------------------------

    def play_match(self) -> None:
        while self.mind.phase is not Phase.OVER:
            self.deal()
            for _ in range(MOVES_MAX):
                if self.mind.phase is Phase.PLAY or self.mind.is_owing():
                    self.act()
                else:
                    break
            self.count()

    def deal(self) -> None:
        self.draw_pile = [card for card in self.rig.tags.values() if isinstance(card, Card)]
        self.chance.shuffle(self.draw_pile)
        self.hands = [[self.draw_pile.pop() for _ in range(7)] for _ in self.mind.names]
        self.discard_pile = []
        self.know(DealUnseen(7))
        self.rig.now_ms += 60_000  # cards are gathered, shuffled and dealt
        while self.mind.phase is Phase.DEALING:
            card = self.draw_pile.pop()
            self.tap(card, "accepted")
            self.know(Start(card))
            if self.mind.phase is Phase.DEALING:
                self.draw_pile.insert(0, card)
            else:
                self.discard_pile.append(card)

    def act(self) -> None:
        """One act of whoever is waited for."""
        question, words = self.mind.question, {word for _name, word in waits(self.mind)}
        if len(self.draw_pile) < 6 and question is None and not self.mind.draw_pile and len(self.discard_pile) > 1:
            self.shuffle_again()
        elif isinstance(question, ColourQuestion):
            self.name_colour(question.seat)
        elif "challenge" in words and self.chance.random() < 0.7:
            self.challenge()
        elif self.mind.is_owing():
            self.pay()
        else:
            self.play()

    def shuffle_again(self) -> None:
        pile = self.discard_pile[:-1]
        self.chance.shuffle(pile)
        self.draw_pile, self.discard_pile = pile, self.discard_pile[-1:]
        self.tag("reshuffle")
        self.know(Reshuffle())
        self.done["shuffled"] += 1

    def pay(self) -> None:
        seat = next(seat for seat, cards in enumerate(self.mind.owes) if cards)
        owed = self.mind.owes[seat]
        if owed > len(self.draw_pile):
            owed = len(self.draw_pile)
        after = apply(self.mind, Draw(self.name(seat), owed))[0]
        can_lay = after.turn is not None and not after.is_owing() and after.turn != seat
        can_lay = can_lay and any(self.fits(card, after) for card in self.hands[after.turn or 0])
        if (
            self.mind.phase is Phase.PLAY
            and can_lay
            and owed < self.mind.draw_pile
            and self.happens("drawn unsaid", 0.2)
        ):
            for _card in range(owed):
                self.take(seat)
                self.know(Draw(self.name(seat), 1))
            self.is_silent = True
            self.lay(self.turn, self.choose(self.turn))
            return
        self.tag("draw")
        count = min(owed, self.mind.draw_pile)
        for _card in range(count):
            self.take(seat)
        self.know(Draw(self.name(seat), count))

    def play(self) -> None:
        seat = self.turn
        hand = self.hands[seat]
        if len(hand) > 2 and self.happens("paused", 0.01):
            self.tag("pause")
            self.tag("pause")
        wrong = [card for card in hand if not self.fits(card) and not card.face.is_wild]
        if len(hand) > 2 and wrong and self.happens("wrong card", 0.05):
            self.tap(self.chance.choice(wrong), "refused")
        if any(self.fits(card) for card in hand):
            self.lay(seat, self.choose(seat))
            return
        drawn = self.take(seat)
        before = self.mind
        self.know(Draw(self.name(seat), 1))
        if self.may_be_silent(before, seat) and self.happens("given", 0.3):
            self.know(Keep(self.name(seat)))
            # By the record it is still the turn of *seat*: the next player says whose the card is.
            self.gives = "form:give" if before.hands[seat].size == 2 else "seat"
            self.lay(self.turn, self.choose(self.turn, is_plain=True))
            return
        self.tag("draw")
        if self.fits(drawn):
            self.lay(seat, drawn)
        else:
            self.tag("keep")
            self.know(Keep(self.name(seat)))

    def may_be_silent(self, before: Match, seat: int) -> bool:
        """The one who draws keeps it, and the next has a plain card to lay that makes no call due."""
        after, ruling = apply(self.mind, Keep(self.name(seat)))
        if not ruling.is_ok or after.turn is None or before.hands[seat].size < 2 or before.draw_pile < 10:
            return False
        hand = self.hands[after.turn]
        return len(hand) > 2 and any(self.fits(card, after) and card.face.is_number for card in hand)

    def choose(self, seat: int, *, is_plain: bool = False) -> Card:
        cards = [card for card in self.hands[seat] if self.fits(card) and (card.face.is_number or not is_plain)]
        return self.chance.choice(cards)

    def lay(self, seat: int, card: Card) -> None:
        """*seat* lays *card*: it may be asked for, taken back, or given; and then a call may be due."""
        is_early = len(self.hands[seat]) == 2 and not self.is_silent and not self.gives and self.chance.random() < 0.3
        if is_early:
            self.tag(f"seat:{seat}")
            self.know(Call(self.name(seat)))
        is_last = len(self.hands[seat]) == 1
        accepted = "round-won" if is_last else "accepted"
        # Given to another seat it may be refused first: a hand that was shown is known, and has no such card.
        self.tap(card, *(("refused",) if self.is_silent else (accepted, "refused") if self.gives else (accepted,)))
        if self.is_silent:
            self.tag(f"seat:{seat}", accepted)
            self.is_silent = False
        elif self.gives == "seat":
            self.tag(f"seat:{seat}")
        elif self.gives:
            self.tag("form:give", "asked")
            self.tag(f"seat:{seat}")
            self.done["given while a call was due"] += 1
        elif len(self.hands[seat]) > 2 and not card.face.is_wild and self.happens("undone", 0.03):
            self.tag("undo")
            self.tap(card)
        self.gives = ""
        self.hands[seat].remove(card)
        self.discard_pile.append(card)
        self.shown = list(self.hands[seat])  # what a challenge shows, whatever is drawn since
        self.know(Lay(self.name(seat), card))
        if isinstance(self.mind.question, ColourQuestion):
            self.name_colour(seat)
        if self.mind.window is not None:
            self.call_or_not(seat)

    def name_colour(self, seat: int) -> None:
        colour = self.chance.choice(COLOURS)
        self.tag(f"colour:{colour}")
        self.know(NameColour(self.name(seat), colour))

    def call_or_not(self, seat: int) -> None:
        if self.happens("shouted", 0.2):
            self.know(Call(self.name(seat)))
            self.wait(GRACE_OVER_MS, "missed-call")
            self.tag(f"seat:{seat}")
        elif self.happens("caught", 0.2):
            catcher = self.mind.after(seat)
            self.tag(f"seat:{catcher}", "missed-call")
            self.know(Catch(self.name(catcher), self.name(seat)))
        else:
            self.tag(f"seat:{seat}")
            self.know(Call(self.name(seat)))

    def challenge(self) -> None:
        """The hand is tapped card by card, each no more than a click, and the last one settles it."""
        assert self.mind.wild_four is not None
        heard = self.tag("challenge", "asked", "accepted", "guilty")
        owing = self.mind.wild_four.layer
        self.know(Challenge(self.name(self.mind.wild_four.victim)))
        if heard == "asked":
            hand = self.shown
            for card in hand[:-1]:
                self.tap(card, "tick")
            heard = self.tap(hand[-1], "accepted", "guilty")
            self.know(Shows(self.name(owing), tuple(hand)))
            self.rig.now_ms += RIGHT_AFTER_MS  # the hand is taken up again
            self.done["challenged"] += 1
        # Who draws is heard, and nobody else has seen the hand.
        assert (self.mind.owes[owing] > 0) is (heard == "guilty")

    def count(self) -> None:
        while shown := [name for name, word in waits(self.mind) if word == "show" and name is not None]:
            seat = self.mind.names.index(shown[0])
            self.tag(f"seat:{seat}", "tick")
            action = Shows(self.name(seat), tuple(self.hands[seat]))
            is_end = apply(self.mind, action)[0].phase is Phase.OVER
            for card in self.hands[seat][:-1]:
                self.tap(card, "tick")
            self.tap(self.hands[seat][-1], "match-won" if is_end else "accepted")
            self.know(replace(action))

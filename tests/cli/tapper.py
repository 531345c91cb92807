"""A person who enrols a deck at a simulated reader, at a human pace and with human mistakes, on virtual time.

How long the person takes for each thing is an assumption, in milliseconds below: a sorted deck with its stickers on in
one hand, the screen in view. What the table does meanwhile is the real thing: driver, tracker, enrolment, tag list,
buzzer on its pin.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from enum import Enum

from hardware.gpio.devices import GpioBuzzer
from hardware.simulated import Ntag213, Phone, SimulatedPad, SimulatedTag
from hardware.simulated.gpio import SimulatedGpio
from table_app.cli.cards.tapping import LOOK_EVERY_MS, Sounds, Tapping
from table_app.cli.cards.taps import EnrolSession
from table_app.rules import Card
from table_app.tags.enrolling import Enrolment, Outcome, all_cards
from table_app.tags.labelling import LabelWriter

NEXT_CARD_MS = (2_000, 4_500)  # put the card away, read the next face, take it, bring it to the pad
REACTION_MS = (250, 500)  # from the sound to lifting
ANSWER_MS = (1_200, 2_500)  # read a question on the screen and press a key
PATIENCE_MS = 1_500  # no sound: lift, and lay it anew
EARLY_LIFT_MS = 20  # a hand that only brushes the pad
MISTAKE_EVERY = 15  # one card in so many


class Mistake(Enum):
    SAME_AGAIN = "lays the card before once more"
    TWO_AT_ONCE = "lays two cards"
    TOO_SHORT = "brushes the pad"
    PHONE = "the phone lies on the pad"


@dataclass
class Tapper:
    """*truth* is which tag is stuck on which card; *mistakes* what was done wrong; *answers_ms* from laid to sound."""

    enrolment: Enrolment
    seed: int
    is_writing: bool = False
    now_ms: int = 0
    mistakes: list[Mistake] = field(default_factory=list)
    answers_ms: list[int] = field(default_factory=list)
    sounds: int = 0

    def __post_init__(self) -> None:
        self.source = random.Random(self.seed)
        self.pad = SimulatedPad()
        writer = LabelWriter({}, self.pad.talk) if self.is_writing else None
        self.session = EnrolSession(self.enrolment, writer)
        cards = all_cards(self.enrolment.deck)
        self.truth = {card: Ntag213(b"\x04" + self.source.randbytes(6)) for card in cards}
        gpio = SimulatedGpio()
        gpio.watch_buzzer(self._heard)
        self.tapping = Tapping(self.session, self.pad, Sounds(GpioBuzzer(pin_factory=gpio.pin_factory)))
        self.last: Card | None = None

    def _heard(self, frequency_hz: float | None) -> None:
        self.sounds += frequency_hz is not None

    def enrol_all(self) -> None:
        """Tap until every card has its tag."""
        while not self.session.is_over:
            self._pass(self._between(NEXT_CARD_MS))
            if self.source.randrange(MISTAKE_EVERY) == 0:
                self._err(self.source.choice(list(Mistake)))
            self._tap_asked()

    def _tap_asked(self) -> None:
        asked = self.enrolment.asked
        assert asked is not None
        laid_ms = self.now_ms
        while self._lay([self.truth[asked]], PATIENCE_MS) is not Outcome.ENROLLED:
            self._pass(self._between(NEXT_CARD_MS))
            laid_ms = self.now_ms
        self.answers_ms.append(self.answered_ms - laid_ms)
        self.last = asked

    def _lay(self, tags: list[SimulatedTag], patience_ms: int) -> Outcome | None:
        """Lay, wait for an answer, lift; what the answer was."""
        for tag in tags:
            self.pad.place(tag)
        outcome = self._pass(patience_ms, until_answered=True)
        self.answered_ms = self.now_ms
        if outcome is Outcome.ASKED:
            self._pass(self._between(ANSWER_MS))
            self._step(["n"])
        elif outcome is not None:
            self._pass(self._between(REACTION_MS))
        for tag in tags:
            self.pad.lift(tag)
        return outcome

    def _err(self, mistake: Mistake) -> None:
        asked = self.enrolment.asked
        if asked is None or self.last is None:
            return
        self.mistakes.append(mistake)
        before = self.enrolment.tags
        if mistake is Mistake.SAME_AGAIN:
            assert self._lay([self.truth[self.last]], PATIENCE_MS) is Outcome.ASKED
        elif mistake is Mistake.TWO_AT_ONCE:
            assert self._lay([self.truth[self.last], self.truth[asked]], PATIENCE_MS) is Outcome.REFUSED
        elif mistake is Mistake.PHONE:
            assert self._lay([Phone(self.seed)], PATIENCE_MS) is Outcome.REFUSED
        else:
            self.pad.place(self.truth[asked])
            self._pass(EARLY_LIFT_MS)
            self.pad.lift(self.truth[asked])
        self._pass(self._between(NEXT_CARD_MS))
        if mistake is not Mistake.TOO_SHORT:
            assert self.enrolment.tags == before, f"seed {self.seed}: {mistake.value}"
        elif self.enrolment.asked != asked:  # short, and read all the same
            self.last = asked

    def _pass(self, duration_ms: int, *, until_answered: bool = False) -> Outcome | None:
        end_ms = self.now_ms + duration_ms
        while self.now_ms < end_ms and not self.session.is_over:
            outcome = self._step([])
            if until_answered and outcome is not None:
                return outcome
        return None

    def _step(self, keys: list[str]) -> Outcome | None:
        self.now_ms += LOOK_EVERY_MS
        answers = self.tapping.step(self.now_ms, keys)
        return answers[-1].outcome if answers else None

    def _between(self, limits: tuple[int, int]) -> int:
        return self.source.randint(*limits)

"""What signals come to at real tables: the examples of each situation, the states of a whole match, and rare places.

Every signal of `test_handlers` is sent to every state; what comes of it is put under the meaning that was looked up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from hardware.signals import ButtonPressed, CardPicked, DeviceBack, DeviceLost, Signal, TagPlaced, TagRemoved
from table_app.play.hands_tapped import found_in_shown_hand
from table_app.play.history import RoundPoints
from table_app.play.interpreter import ANSWERS, interpret
from table_app.play.modes import CARDS, Mode, SignalKind, mode_of, sort
from table_app.play.notices import NoticeKind
from table_app.play.places import Places
from table_app.play.state import CatcherQuestion, Form, LabelQuestion, Options, Pause, TableState, ruled
from table_app.rules import Card, apply, face
from tests.play.documented import Outcome
from tests.play.test_handlers import BY_TAG, DEALT, EXAMPLES, LAST_CARD, PUT_ASIDE, SIGNALS, tracked
from tests.play.test_heard import QUESTIONS
from tests.table.by_ear import PeopleByEar
from tests.table.rig import Rig, remembering, setup, table_at, uid


def without_a_reader(rig: Rig, *codes: str) -> None:
    """Name these cards by hand while the reader is gone."""
    rig.send(DeviceLost(rig.now_ms, "pad", "The reader is gone."))
    rig.pick(*codes)
    rig.send(DeviceBack(rig.now_ms, "pad"))


FIVE = ("players: Ann, Ben, Cy, Dan, Eve",)

EVERY = 9
"""Of the states of a match so many are looked at: one in so many signals."""


def outcome(signal: Signal, state: TableState) -> Outcome:
    """What *signal* comes to at this table."""
    answer = interpret(signal, state)
    after = answer.state
    if answer.begins_match or answer.takes_up is not None:
        return Outcome.ACTS
    if answer.actions:
        is_ok = False
        for action in answer.actions:
            match, ruling = apply(after.match, action)
            after, is_ok = ruled(after, match, ruling, signal.at_ms), ruling.is_ok
        return Outcome.ACTS if is_ok else Outcome.REFUSES
    if answer.notice is not None and answer.notice.kind in (NoticeKind.REFUSED, NoticeKind.SEVERAL):
        return Outcome.REFUSES
    is_asked = after.question is not None and after.question != state.question
    if is_asked or (after.form is not None and after.form != state.form):
        return Outcome.ASKS
    return Outcome.SHOWS if answer.notice is None else Outcome.TELLS


def of_a_match(seed: int) -> list[TableState]:
    """States of a whole match, without what the table itself asks there."""
    states: list[TableState] = []
    rig = Rig(setup("target: 200"))
    people, send = PeopleByEar(rig, seed), rig.send

    def sent(signal: Signal) -> None:
        if len(rig.heard.signals) % EVERY == 0:
            states.append(replace(rig.state, question=None))
        send(signal)

    rig.send = sent  # type: ignore[method-assign]  # a method, replaced for one object
    people.play_match()
    return states


def after(
    *signals: str, lines: tuple[str, ...] = (), cards_each: int = 7, options: Options | None = None
) -> TableState:
    """The table after these presses (``seat:1``), taps (``=r5``) and waits (``7000``)."""
    rig = Rig(setup(*lines), cards_each=cards_each, options=options)
    for signal in signals:
        if signal.isdigit():
            rig.wait(int(signal))
        elif signal.startswith("="):
            rig.tap(signal[1:])
        else:
            rig.press(signal)
    return rig.state


def rare() -> Iterator[tuple[TableState, Signal]]:
    """Signals in places where few tables come."""

    def press(state: TableState, *buttons: str) -> Iterator[tuple[TableState, Signal]]:
        return ((state, ButtonPressed(300_000, button)) for button in buttons)

    begun = ("deal", "=r9")
    fined = after(*begun, "=r1", "7000", cards_each=2)
    yield from press(fined, "called:0", "seat:0", "give:1")
    yield from press(after(*begun, "=r1", cards_each=2), "catch:0", "uno:0", "seat:0", "seat:1")
    yield from press(after(*begun, "=r+2", "7000", cards_each=2), "called:0")
    out = after(*begun, "form:count", "seat:1", "digit:1", "yes", "=r1", "=r2", cards_each=2)
    yield from press(out, "called:0", "seat:0", "seat:2")
    yield from press(after(*begun, "=b1"), "allow")
    stacked = table_at([*DEALT, "Ann: r+2"], setup("house: stacking"))
    yield stacked, CardPicked(300_000, "y+2")
    yield table_at([*DEALT, "table: set hand Cy 92", "Ann: r+2"]), CardPicked(300_000, "r5")
    yield from press(table_at([*DEALT, "table: set hand Cy 93"]), "keep")
    yield from press(table_at([*DEALT, "Ann: draw"], setup("house: draw-until")), "draw", "draw-one")
    counted_out = after("deal", "=r9", "=r3", "=b1", lines=("players: Ann, Ben",), cards_each=1)
    blue_two = next(number for number, card in counted_out.tags.items() if card == Card(face("b2"), 1))
    yield counted_out, TagPlaced(counted_out.ruled_ms + 500, "pad", blue_two)
    resync = replace(table_at(DEALT), form=Form("resync", 400_000))
    yield from press(resync, "seat:1")
    scored = (RoundPoints(1, (("Ann", 5),)),)
    yield from press(
        replace(
            table_at(DEALT),
            form=Form("round-score", 400_000),
            history=remembering(table_at(DEALT), round_points=scored),
        ),
        "seat:1",
    )
    unseen = after("deal", "=r9", options=Options(2, is_tracked=True))
    yield (
        unseen,
        TagPlaced(300_000, "pad", next(uid for uid, card in unseen.tags.items() if card == Card(face("r1"), 1))),
    )
    swaps = setup("edition: 2018", "deck: 2018-swap")
    yield from press(table_at(["table: deal 7", "table: start wswap", "Ann: red"], swaps), "swap:1")
    jumps = tracked(table_at([*DEALT, "Ann: r3"], setup("house: jump-in")))
    jumper = Card(face("r3"), 2)
    jumps = replace(jumps, tags={b"jumper": jumper}, history=remembering(jumps, places=Places((), ((), (), (jumper,)))))
    yield jumps, TagPlaced(300_000, "pad", b"jumper")
    counted = table_at(LAST_CARD)
    yield from press(counted, "seat:1", "seat:0")
    yield from press(table_at([*DEALT, "Ann: w+4 blue", "Ben: challenge"]), "yes")
    last = after(*begun, "=r1", "=g1", cards_each=1)
    yield last, CardPicked(300_000, "r5")
    yield from press(last, "yes")
    owed = table_at([*DEALT, "table: set hand Ann 1", "table: set hand Cy 98", "Ann: r+2"])
    yield from press(owed, "seat:0")
    yield owed, CardPicked(300_000, "r5")
    challenged = after(*begun, "=w+4", "colour:blue", "challenge", cards_each=2)
    yield from press(challenged, "seat:0", "seat:1")
    many = after(*begun, "=r1", lines=FIVE)
    yield from press(many, "seat:4", "give:4")
    free = after(*begun, "=r1", "seat:1", "seat:1", "=g1", "=g2", cards_each=1)
    yield from press(free, "yes")
    lines = ("edition: 2018", "custom: discard-wilds", "uno: players")
    fined_in_discards = after(*begun, "=wcustom", "colour:red", "catch:0", lines=lines, cards_each=2)
    yield from press(fined_in_discards, "seat:0")
    discards = EXAMPLES[Mode.DISCARD]
    yield from press(discards, "seat:0", "seat:1", "seat:2")
    dealing = after("=r1", "=r2", options=Options(1, is_tracked=True))
    uids = {card: number for number, card in dealing.tags.items()}
    yield dealing, TagPlaced(300_000, "pad", uids[Card(face("r1"), 1)])
    yield dealing, TagPlaced(300_000, "pad", uids[Card(face("r3"), 1)])
    number = replace(table_at(DEALT), form=Form("count", 400_000, seat=1, digits="12345"))
    yield from press(number, "digit:1", "yes")
    yield from press(replace(number, form=Form("count", 400_000, seat=1)), "yes")
    yield number, CardPicked(300_000, "rs")
    yield from press(replace(table_at(DEALT), form=Form("turn", 400_000)), "seat:1")
    yield replace(table_at(DEALT), form=Form("top", 400_000)), CardPicked(300_000, "w")
    yield from press(replace(table_at(DEALT), form=Form("resync", 400_000)), "no")
    yield replace(table_at(DEALT), pause=Pause.ASKED), TagRemoved(300_000, "pad", b"none")


def walked() -> Mapping[tuple[Mode, SignalKind], set[Outcome]]:
    """What each kind of signal came to in each situation."""
    seen: dict[tuple[Mode, SignalKind], set[Outcome]] = defaultdict(set)
    every = [*EXAMPLES.values(), *of_a_match(9)]
    pairs = [
        (replace(tracked(state) if kind in BY_TAG else state, older=(PUT_ASIDE,)), signal)
        for state in every
        for kind, signal in SIGNALS.items()
    ]
    pairs += [(state, signal) for state in every for kind, signal in SIGNALS.items() if kind in CARDS]
    for state, signal in [*pairs, *rare()]:
        moment = found_in_shown_hand(sort(signal, state))
        seen[mode_of(state), moment.kind].add(outcome(signal, state))
    return seen


def answered() -> Mapping[tuple[type, SignalKind], set[Outcome]]:
    """What each answer to the table's own questions came to."""
    seen: dict[tuple[type, SignalKind], set[Outcome]] = defaultdict(set)
    for state in _asking():
        question = type(state.question)
        for kind in ANSWERS[question]:
            word = "form:give" if kind is SignalKind.FORM else kind.value
            for button in {word.replace("N", str(seat)) for seat in range(len(state.match.names))}:
                signal = ButtonPressed(SIGNALS_MS, button)
                if sort(signal, state).kind is kind and not _is_no_answer(state, button):
                    seen[question, kind].add(outcome(signal, state))
    return seen


SIGNALS_MS = 300_000


def _is_no_answer(state: TableState, button: str) -> bool:
    """Who was caught can't have caught; and a card is this seat's by that seat touched once more."""
    question = state.question
    return isinstance(question, CatcherQuestion) and button == f"seat:{question.seat}"


def _asking() -> Iterator[TableState]:
    for state in EXAMPLES.values():
        listed = replace(state, tags={uid(11): Card(face("g0"), 1)})
        asked = interpret(SIGNALS[SignalKind.LABELLED_TAG], listed).state
        if isinstance(asked.question, LabelQuestion):
            yield asked
    for make in QUESTIONS.values():
        rig, ask = make()
        ask()
        yield rig.state
    rig = Rig(options=Options(2, is_tracked=True))
    rig.press("deal")
    rig.tap("r9", "r1")
    rig.press("seat:0")
    rig.tap("r2")
    yield rig.state

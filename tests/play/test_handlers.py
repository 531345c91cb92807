"""Every kind of signal has an answer in every situation; the table of meanings is whole and makes its own document."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardware.signals import (
    ButtonPressed,
    CardLabel,
    CardPicked,
    DeviceBack,
    DeviceLost,
    DeviceNote,
    ReaderDisturbed,
    SeveralTags,
    Signal,
    TagPlaced,
    TagRemoved,
)
from table_app.play.hands_tapped import found_in_shown_hand
from table_app.play.history import Deed, Showing
from table_app.play.interpreter import interpret
from table_app.play.modes import CARDS, Mode, SignalKind, mode_of, sort
from table_app.play.places import Places
from table_app.play.state import DrawnQuestion, Form, OlderMatch, Options, Pause, TableState, ruled
from table_app.rules import Card, Ruling, Shows, apply, face
from table_app.view.present import notice_text, present
from tests.table.rig import remembering, setup, table_at, uid

DEALT = ("table: deal 7", "table: start r9")
LAST_CARD = ("table: deal Ann r1", "table: deal 7", "table: start r9", "Ann: r1")

EXAMPLES: dict[Mode, TableState] = {
    Mode.DEAL: table_at([]),
    Mode.FIRST_CARD: table_at(DEALT[:1]),
    Mode.TURN: table_at(DEALT),
    Mode.DRAWN: table_at([*DEALT, "Ann: draw"]),
    Mode.OWES: table_at([*DEALT, "Ann: r+2"]),
    Mode.CHALLENGE: table_at([*DEALT, "Ann: w+4 blue"]),
    Mode.COLOUR: table_at([*DEALT, "Ann: w"]),
    Mode.SWAP: table_at([*DEALT, "Ann: r7"], setup("house: seven-o")),
    Mode.SHOW: table_at([*DEALT, "Ann: w+4 blue", "Ben: challenge"]),
    Mode.DARE: table_at([*DEALT, "Ann: wcustom red"], setup("edition: 2018", "custom: dare 2")),
    Mode.CHARADE: table_at([*DEALT, "Ann: wcustom red"], setup("edition: 2018", "custom: charade")),
    Mode.DISCARD: table_at([*DEALT, "Ann: wcustom red"], setup("edition: 2018", "custom: discard-wilds")),
    Mode.LAST_DEBTS: table_at(["table: deal Ann r+2", *DEALT, "Ann: r+2"]),
    Mode.COUNT: table_at(LAST_CARD),
    Mode.SCORE_ALONE: table_at([], setup("plays: unrefereed")),
    Mode.OVER: table_at(LAST_CARD, setup("target: none")),
    Mode.HIGH: replace(table_at([]), is_deal_drawn_for=True),
    Mode.DEAL_SEEN: replace(table_at([]), options=Options(is_tracked=True)),
    Mode.PAUSED: replace(table_at(DEALT), pause=Pause.RESUMED),
    Mode.CHOOSE_SEAT: replace(table_at(DEALT), form=Form("count", 20_000)),
    Mode.CHOOSE_CARD: replace(table_at(DEALT), form=Form("top", 20_000)),
    Mode.CHOOSE_COLOUR: replace(table_at(DEALT), form=Form("colour", 20_000)),
    Mode.CHOOSE_DIRECTION: replace(table_at(DEALT), form=Form("direction", 20_000)),
    Mode.CHOOSE_NUMBER: replace(table_at(DEALT), form=Form("count", 20_000, seat=1, digits="1")),
    Mode.CHOOSE_TAG: replace(table_at(DEALT), form=Form("tag", 20_000, card=Card(face("r5")))),
    Mode.CHOOSE_NAME: replace(table_at([], setup("plays: unrefereed")), form=Form("join", 20_000)),
}

SIGNALS: dict[SignalKind, Signal] = {
    SignalKind.CARD: CardPicked(9_000, "r5"),
    SignalKind.PILE_CARD: TagPlaced(9_000, "pile", uid(3)),
    SignalKind.STRAY_CARD: TagPlaced(9_000, "pad", uid(4)),
    SignalKind.OTHERS_CARD: TagPlaced(9_000, "pad", uid(5)),
    SignalKind.DISCARDED_CARD: TagPlaced(9_000, "pad", uid(6)),
    SignalKind.SHOWN_CARD: TagPlaced(9_000, "pad", uid(9)),
    SignalKind.MORE_CARD: TagPlaced(9_000, "pad", uid(10)),
    SignalKind.FORM: ButtonPressed(9_000, "form:turn"),
    SignalKind.DIGIT: ButtonPressed(9_000, "digit:4"),
    SignalKind.DIRECTION: ButtonPressed(9_000, "direction:clockwise"),
    SignalKind.JOIN: ButtonPressed(9_000, "join:Fox"),
    SignalKind.LABELLED_TAG: TagPlaced(9_000, "pad", uid(998), label=CardLabel("g0#1", "classic")),
    SignalKind.UNKNOWN_TAG: TagPlaced(9_000, "pad", uid(999)),
    SignalKind.UNKNOWN_CARD: CardPicked(9_000, "x17"),
    SignalKind.LYING_TAG: TagPlaced(9_000, "pad", uid(5), lay_there=True),
    SignalKind.TAG_REMOVED: TagRemoved(9_000, "pad", uid(1)),
    SignalKind.SEVERAL_TAGS: SeveralTags(9_000, "pad"),
    SignalKind.DISTURBED: ReaderDisturbed(9_000, "pad"),
    SignalKind.DEVICE_LOST: DeviceLost(9_000, "pad", "The reader is gone."),
    SignalKind.DEVICE_BACK: DeviceBack(9_000, "pad"),
    SignalKind.DEVICE_NOTE: DeviceNote(9_000, "pad", "It is a clone."),
    SignalKind.SEAT: ButtonPressed(9_000, "seat:1"),
    SignalKind.GIVE: ButtonPressed(9_000, "give:1"),
    SignalKind.COLOUR: ButtonPressed(9_000, "colour:red"),
    SignalKind.UNO: ButtonPressed(9_000, "uno:0"),
    SignalKind.CATCH: ButtonPressed(9_000, "catch:0"),
    SignalKind.CALLED: ButtonPressed(9_000, "called:0"),
    SignalKind.FINDS: ButtonPressed(9_000, "finds:guilty"),
    SignalKind.SWAP: ButtonPressed(9_000, "swap:1"),
    SignalKind.UNKNOWN_BUTTON: ButtonPressed(9_000, "seat:77"),
    **{
        kind: ButtonPressed(9_000, kind.value)
        for kind in (
            SignalKind.DEAL,
            SignalKind.DRAW,
            SignalKind.DRAW_ONE,
            SignalKind.KEEP,
            SignalKind.CHALLENGE,
            SignalKind.ALLOW,
            SignalKind.UNDO,
            SignalKind.RESHUFFLE,
            SignalKind.YES,
            SignalKind.NO,
            SignalKind.AGAIN,
            SignalKind.MENU,
            SignalKind.PUT_RIGHT,
            SignalKind.RULES,
            SignalKind.PAUSE,
            SignalKind.BELL,
            SignalKind.HIGH,
            SignalKind.OLDER,
            SignalKind.OLDER_NEXT,
        )
    },
    SignalKind.TAKE_UP: ButtonPressed(9_000, "take-up:7"),
}
PUT_ASIDE = OlderMatch(7, "2026-01-01T18:30:00", ("Ann", "Ben", "Cy"), (120, 80, 0), 3)


CARDS_BY_TAG: dict[bytes, Card | str] = {
    uid(3): Card(face("y4"), 2),
    uid(4): Card(face("y5"), 2),
    uid(5): Card(face("y6"), 2),
    uid(6): Card(face("y7"), 1),
    uid(7): Card(face("y8"), 1),
    uid(11): Card(face("g0"), 1),
}
BY_TAG = (*CARDS, SignalKind.LABELLED_TAG)
"""What is told by what the list says of tags."""


def tracked(state: TableState) -> TableState:
    """The same table with two readers, where some cards are known to lie in hands and in the discard pile."""
    places = Places((Card(face("y7"), 1), Card(face("y8"), 1)), ((), (Card(face("y6"), 2),), ()))
    history = remembering(state, places=places)
    return replace(state, tags=CARDS_BY_TAG, history=history, options=Options(is_tracked=True, pile_reader="pile"))


OF_SHOWN_HAND = (SignalKind.SHOWN_CARD, SignalKind.MORE_CARD)


def shown(state: TableState) -> TableState:
    """The same table right after Ann has shown a hand."""
    card = Card(face("y9"), 1)
    deed = Deed(Ruling(Shows("Ann", (card,), at_ns=8_000_000_000), True, None, "challenge"))
    tags: dict[bytes, Card | str] = {uid(9): card, uid(10): Card(face("y9"), 2)}
    history = remembering(state, deed=deed, shown=(Showing(0, (card,)),))
    return replace(state, tags=tags, ruling=deed.ruling, history=history)


def test_every_situation_has_an_example_here() -> None:
    assert set(EXAMPLES) == set(Mode)
    assert {found: mode_of(state) for found, state in EXAMPLES.items()} == {s: s for s in Mode}


def test_every_kind_of_signal_has_an_example_here() -> None:
    state = replace(tracked(EXAMPLES[Mode.TURN]), older=(PUT_ASIDE,))
    after_hand = shown(EXAMPLES[Mode.OVER])
    moments = {kind: sort(one, after_hand if kind in OF_SHOWN_HAND else state) for kind, one in SIGNALS.items()}
    assert {kind: found_in_shown_hand(moment).kind for kind, moment in moments.items()} == {k: k for k in SignalKind}


@pytest.mark.parametrize("found", Mode)
@pytest.mark.parametrize("kind", SignalKind)
def test_every_signal_is_answered_everywhere(found: Mode, kind: SignalKind) -> None:
    state = replace(EXAMPLES[found], older=(PUT_ASIDE,))
    if kind in BY_TAG:
        state = shown(state) if kind in OF_SHOWN_HAND else tracked(state)
    answer = interpret(SIGNALS[kind], state)
    is_answered = (
        bool(answer.actions)
        or answer.notice is not None
        or answer.begins_match
        or answer.takes_up is not None
        or kind is SignalKind.OLDER_NEXT  # a page where there is only one
        or answer.state.question is not None
        or answer.state.menu != state.menu
        or answer.state.form != state.form
        or answer.state.pause != state.pause
    )
    assert is_answered or kind is SignalKind.TAG_REMOVED
    assert answer.state.match is state.match  # only actions change a match
    after = answer.state
    for action in answer.actions:
        match, ruling = apply(after.match, action)
        after = ruled(after, match, ruling, 9_000)
        assert ruling.code != "bad-line"
    assert present(after, 9_000).seats
    if answer.notice is not None:
        assert notice_text(state.match, answer.notice).strip()


@pytest.mark.parametrize("found", Mode)
def test_the_same_signal_at_the_same_table_gives_the_same_answer(found: Mode) -> None:
    for signal in SIGNALS.values():
        first, second = interpret(signal, EXAMPLES[found]), interpret(signal, EXAMPLES[found])
        assert (first.actions, first.notice) == (second.actions, second.notice)


@pytest.mark.parametrize("kind", [kind for kind in SignalKind if kind is not SignalKind.TAG_REMOVED])
def test_a_question_of_the_table_never_swallows_a_signal(kind: SignalKind) -> None:
    asked = replace(EXAMPLES[Mode.TURN], question=DrawnQuestion(Card(face("r5")), 28_000))
    answer = interpret(SIGNALS[kind], asked)
    assert (
        answer.actions or answer.notice or answer.state.question or answer.state.form or answer.state.menu != "closed"
    )


def test_a_card_with_a_tag_and_one_picked_mean_the_same() -> None:
    state = EXAMPLES[Mode.TURN]
    tagged = TableState(state.history, {uid(5): Card(face("r5"), 1)})
    by_tag = interpret(TagPlaced(9_000, "pad", uid(5)), tagged).actions
    by_hand = interpret(CardPicked(9_000, "r5"), tagged).actions
    assert [str(action.card.face.code) for action in (*by_tag, *by_hand)] == ["r5", "r5"]  # type: ignore[attr-defined]

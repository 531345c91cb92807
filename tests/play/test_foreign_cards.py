"""A card of another deck is no card here, however it is named and whatever the table waits for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hardware.signals import ButtonPressed, CardLabel, CardPicked, Signal, TagPlaced
from table_app.play.interpreter import interpret
from table_app.play.modes import Mode, SignalKind, sort
from table_app.play.state import Options, TableState
from table_app.record.journal import Entry, EntryKind
from table_app.rules import DECKS, Card, Face, SetHand, Shows, face
from table_app.rules.cards import BUILT_IN_WILDS
from table_app.table.resume import replay
from tests.play.test_handlers import EXAMPLES, tracked
from tests.table.rig import Rig, setup, uid

ALL_FACES = {one for deck in DECKS.values() for one in deck.kinds} | {face(code) for code in BUILT_IN_WILDS}
FOREIGN = ("wshuffle", "wcustom", "wcustom1", "wswap", "wrain1")


def foreign(state: TableState) -> list[Face]:
    return sorted((one for one in ALL_FACES if one not in state.match.setup.deck), key=lambda one: one.code)


@pytest.mark.parametrize("found", Mode)
@pytest.mark.parametrize("is_tracked", [False, True])
def test_no_card_of_another_deck_means_anything_anywhere(found: Mode, is_tracked: bool) -> None:
    state = tracked(EXAMPLES[found]) if is_tracked else EXAMPLES[found]
    deck = state.match.setup.deck
    assert foreign(state)
    for one in foreign(state):
        listed = replace(state, tags={**state.tags, uid(700): Card(one, 1), uid(701): Card(one)})
        signals: dict[Signal, SignalKind] = {
            CardPicked(9_000, one.code): SignalKind.UNKNOWN_CARD,
            CardPicked(9_000, one.code.upper()): SignalKind.UNKNOWN_CARD,
            TagPlaced(9_000, "pad", uid(700)): SignalKind.UNKNOWN_TAG,
            TagPlaced(9_000, "pile", uid(701)): SignalKind.UNKNOWN_TAG,
            TagPlaced(9_000, "pad", uid(702), label=CardLabel(f"{one.code}#9", deck.name)): SignalKind.UNKNOWN_TAG,
            TagPlaced(9_000, "pad", uid(703), label=CardLabel(one.code, "another")): SignalKind.UNKNOWN_TAG,
        }
        for signal, kind in signals.items():
            assert sort(signal, listed).kind is kind, (signal, found)
            answer = interpret(signal, listed)
            assert answer.actions == (), (signal, found)
            assert answer.notice is not None, (signal, found)
            assert (answer.state.showing, answer.state.dealing) == (state.showing, state.dealing)


@pytest.mark.parametrize("found", Mode)
def test_every_card_of_the_deck_can_be_picked(found: Mode) -> None:
    state = EXAMPLES[found]
    for one in state.match.setup.deck.kinds:
        assert sort(CardPicked(9_000, one.code), state).kind is SignalKind.CARD


@pytest.mark.parametrize("code", FOREIGN)
def test_a_foreign_card_does_not_stop_a_tracked_table(code: str) -> None:
    rig = Rig(options=Options(is_tracked=True, cards_each=2))
    rig.pick(code)
    assert rig.state.dealing == ()
    rig.press("form:tag")
    rig.pick(code)
    assert rig.state.form is not None and rig.state.form.card is None
    rig.send(TagPlaced(rig.now_ms, "pad", uid(900)))
    assert rig.state.tags.get(uid(900)) is None


@pytest.mark.parametrize("code", FOREIGN)
def test_a_foreign_card_is_not_counted(code: str) -> None:
    rig = Rig(setup("players: Ann, Ben"), cards_each=1)
    rig.begin()
    rig.tap("r5")
    rig.press("seat:1")
    rig.pick(code)
    assert rig.state.showing.cards == ()
    assert rig.lines[-1] == "Ann: r5#1"


@pytest.mark.parametrize("form", ["resync", "top"])
def test_a_foreign_card_puts_nothing_right(form: str) -> None:
    rig = Rig()
    rig.begin()
    rig.press(f"form:{form}")
    rig.pick("wshuffle")
    assert rig.state.form is not None and rig.state.form.card is None


@pytest.mark.parametrize("form", ["resync", "top"])
def test_what_is_refused_in_part_is_not_done_at_all(form: str) -> None:
    rig = Rig(options=Options(is_tracked=True, cards_each=1))
    rig.tap("y1", "y2", "r0", "r9")
    before, lines = rig.state.match, rig.lines
    rig.press(f"form:{form}")
    rig.pick("r0")  # by the record it is Ann's whole hand
    if form == "resync":
        rig.press("seat:1")
    after = rig.state.match
    assert (after.turn, after.top, after.colour, after.hands) == (before.turn, before.top, before.colour, before.hands)
    assert rig.last.ruling.code == "already-played"
    assert [line for line in rig.lines[len(lines) :] if line.startswith("table: set")] == ["table: set top r0"]


def test_a_hand_half_shown_in_an_older_record_comes_back_without_its_foreign_cards() -> None:
    lines = ("table: deal Ann r1", "table: deal 7", "table: start r9", "Ann: r1")
    entries = [*(Entry(line, 1) for line in lines), Entry("showing 1* wshuffle r5 wcustom1", 1, EntryKind.NOTE)]
    state = replay(setup(), entries, {})
    assert state.showing.is_free and state.showing.cards == (Card(face("r5")),)
    done = interpret(ButtonPressed(9_000, "yes"), state).actions
    assert done == (SetHand("Ben", 1), Shows("Ben", (Card(face("r5")),)))

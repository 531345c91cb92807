"""What a tracked table tells before a player acts gives nothing away of the hand that it knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from hardware.signals import TagPlaced, TagRemoved
from table_app.cli.terminal import Printer
from table_app.play.cues import awaited_seats
from table_app.play.state import Options
from table_app.rules import Card, apply, face, waits
from table_app.rules.messages import untranslated
from table_app.rules.words import ruling_text
from table_app.transcript import parse_action
from table_app.view.present import present
from tests.simulation.leaks import view_texts
from tests.table.rig import Rig, setup, uid

HANDS = {
    "fits": ["r1", "r2", "r3"],
    "fits nothing": ["y1", "y2", "y3"],
    "wild": ["w", "y1", "y2"],
    "draw two": ["r+2", "y1", "y2"],
    "four, and may": ["w+4", "y1", "y2"],
    "four, and may not": ["w+4", "r1", "y2"],
}
OTHERS = ["g1", "g2", "g3", "b1", "b2", "b3"]
HOUSE = ("", "must-play", "draw-until", "stacking", "jump-in", "seven-o")


def tracked(hand: Sequence[str], house: str = "", top: str = "r9") -> Rig:
    """Ann, whose turn it is, is dealt *hand* over the reader, and then *top* is turned."""
    lines = [f"house: {house}"] if house else []
    rig = Rig(setup(*lines), options=Options(3, is_tracked=True, pile_reader="pile"))
    for number, code in enumerate(hand):
        rig.tap(code, OTHERS[number], OTHERS[number + 3])
    rig.tap(top)
    return rig


def draw(rig: Rig, number: bytes) -> None:
    """A card passes the reader at the draw pile."""
    rig.now_ms += 1000
    rig.send(TagPlaced(rig.now_ms, "pile", number))
    rig.send(TagRemoved(rig.now_ms, "pile", number))


def told(rig: Rig) -> tuple[object, ...]:
    """All that is told: the screen, the terminal, the lights, the sounds."""
    state = rig.state
    view = present(state, rig.now_ms)
    said: list[str] = []
    printer = Printer(untranslated)
    printer.say = said.append  # type: ignore[method-assign, assignment]  # a method, replaced for one object
    printer.show(state, rig.now_ms)
    buttons = [(control.button, control.emphasis) for control in view.controls]
    return list(view_texts(view)), buttons, said, awaited_seats(state), rig.heard.sounds[-1:]


@pytest.mark.parametrize("house", HOUSE)
@pytest.mark.parametrize("top", ["r9", "r+2#2", "w#4"])
def test_what_is_told_before_a_turn_is_the_same_whatever_is_held(house: str, top: str) -> None:
    first = told(tracked(HANDS["fits"], house, top))
    for hand in HANDS.values():
        assert told(tracked(hand, house, top)) == first, hand


@pytest.mark.parametrize("house", HOUSE)
def test_what_is_told_after_a_seen_draw_is_the_same_whatever_was_drawn_that_may_be_laid(house: str) -> None:
    everything = []
    for code in ("r7", "b9", "w#2", "w+4"):
        rig = tracked(HANDS["fits nothing"], house)
        draw(rig, rig.uid(code))
        assert rig.lines[-1].startswith("Ann: draw")
        everything.append(told(rig))
    assert everything == everything[:1] * 4


def test_who_has_nothing_that_fits_is_asked_to_lay_or_draw_as_anybody_is() -> None:
    rig = tracked(HANDS["fits nothing"])
    assert "play" not in {word for _name, word in waits(rig.state.match)}
    assert present(rig.state, rig.now_ms).prompt == "Ann: lay a card or draw."


def test_a_seen_draw_that_the_record_has_elsewhere_waits_for_shuffled_and_is_not_named() -> None:
    rig = tracked(("b6", "b6#2", "y1"))
    rig.table.state = replace(rig.state, tags={**rig.tags, uid(900): Card(face("b6"))})
    before = len(rig.lines)
    draw(rig, uid(900))
    assert len(rig.lines) == before and rig.state.held is not None
    assert not any("blue 6" in text for text in view_texts(present(rig.state, rig.now_ms)))


@pytest.mark.parametrize("line", ["Ann: draw b6", "Ann: draw b6#1"])
def test_a_refused_draw_names_no_card(line: str) -> None:
    match = tracked(("b6", "b6#2", "y1")).state.match
    _after, ruling = apply(match, parse_action(line, match))
    assert ruling.code is not None
    assert "blue" not in ruling_text(match, ruling)

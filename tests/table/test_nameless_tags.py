"""A new tag for one of two equal cards: which of them it is nobody knows, but a tag is still one card."""

from __future__ import annotations

from hardware.signals import TagPlaced, TagRemoved
from table_app.rules import Card, face
from table_app.table.resume import replay
from table_app.table.state import ShuffleQuestion
from tests.table.rig import Rig, uid

NEW = uid(999)


def tap_new(rig: Rig, later_ms: int = 400) -> None:
    rig.now_ms += later_ms
    rig.send(TagPlaced(rig.now_ms, "pad", NEW))
    rig.send(TagRemoved(rig.now_ms, "pad", NEW))


def begun() -> Rig:
    """The new tag is a red 7, and which of the two is not known."""
    rig = Rig()
    rig.begin()
    rig.press("form:tag")
    rig.pick("r7")
    tap_new(rig)
    assert rig.state.tags[NEW] == Card(face("r7"))
    return rig


def test_tapped_twice_it_is_laid_once() -> None:
    rig = begun()
    tap_new(rig)
    assert rig.lines[-1] == "Ann: r7"
    before = rig.state.match
    tap_new(rig)
    assert rig.state.match is before and rig.state.question is None
    assert rig.heard.notices[-1].text == "The {} lies on top already."


def test_a_table_that_comes_back_knows_it_too() -> None:
    rig = begun()
    tap_new(rig)
    again = replay(rig.setup, rig.entries, rig.state.tags, rig.state.options)
    assert again.last_play == rig.state.last_play
    assert again.last_play is not None and again.last_play.tag == NEW


def test_the_other_of_the_two_is_laid_on_it() -> None:
    rig = begun()
    tap_new(rig)
    rig.tap("r7#2")
    assert rig.lines[-1] == "Ben: r7#2"
    before = rig.state.match
    rig.tap("r7#1")
    assert isinstance(rig.state.question, ShuffleQuestion), "there are only two"
    rig.press("no")
    assert rig.state.match is before


def test_refused_it_may_be_tapped_again_and_taken_back_too() -> None:
    rig = begun()
    rig.tap("b9")
    tap_new(rig)
    tap_new(rig)
    assert rig.lines[-2:] == ["Ben: r7", "Ben: r7"] and not rig.last.ruling.is_ok
    rig.press("undo", "undo")  # of a refused card the first says that nothing was laid
    tap_new(rig)
    assert rig.lines[-1] == "Ann: r7" and rig.last.ruling.is_ok
    rig.press("undo")
    tap_new(rig)
    assert rig.lines[-1] == "Ann: r7" and rig.last.ruling.is_ok


def test_while_a_hand_is_shown_it_counts_once_also_when_the_power_goes_meanwhile() -> None:
    rig = begun()
    rig.tap("w+4")
    rig.press("colour:blue", "challenge")
    tap_new(rig)
    tap_new(rig)
    assert rig.state.showing.cards == (Card(face("r7")),)
    assert rig.heard.notices[-1].text == "That card was shown already; take the next one."
    again = replay(rig.setup, rig.entries, rig.state.tags, rig.state.options)
    assert again.showing == rig.state.showing and again.showing.has(Card(face("r7")), NEW)
    rig.tap("r7#1")
    assert len(rig.state.showing.cards) == 2, "the other of the two"
    rig.press("undo", "undo")
    tap_new(rig)
    assert rig.state.showing.cards == (Card(face("r7")),)

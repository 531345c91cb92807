"""Anybody can write on a sticker: where the list has a tag for each such card, a label alone is asked about, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.signals import CardLabel, TagPlaced, TagRemoved
from hardware.simulated import Ntag213, SimulatedPad
from hardware.tags.labels import LabelReader
from hardware.tags.type2 import write_label
from table_app.play.state import QUESTION_MS, LabelQuestion, Options
from table_app.rules import DECKS, Card, Phase, face
from table_app.settings import read_settings
from table_app.table import OpenedTable, Table, open_table
from table_app.table import devices as opened_devices
from table_app.table.opening import REGISTRY_FILE
from table_app.table.options import table_options
from table_app.tags.enrolling import all_cards
from table_app.tags.registry import EnrolledTag, Registry
from table_app.view.present import present
from tests.table.rig import Rig, files, setup, uid

DECK = DECKS["classic"]
OWN = bytes.fromhex("04AA0000000001")
"""The number of the pupil's own sticker."""


def tap(rig: Rig, code: str, number: bytes = OWN) -> None:
    """Tap a sticker on which *code* is written, and lift it again."""
    rig.now_ms += 1_000
    rig.send(TagPlaced(rig.now_ms, "pad", number, 0, CardLabel(code, "classic")))
    rig.send(TagRemoved(rig.now_ms, "pad", number))


def said(rig: Rig) -> str:
    """What the screen asks."""
    question = present(rig.state, rig.now_ms).question
    return "" if question is None else question.text


@pytest.fixture
def rig() -> Rig:
    """A table with a tag for every card, in its first turn."""
    rig = Rig()
    rig.begin()
    return rig


@pytest.mark.parametrize("code", ["w+4", "w+4#1", "r5#2", "g0"])
def test_a_sticker_of_ones_own_lays_nothing_and_is_asked_about_once(rig: Rig, code: str) -> None:
    before, lines = rig.state.match, rig.lines
    tap(rig, code)
    assert isinstance(rig.state.question, LabelQuestion) and "is none of them" in said(rig)
    rig.press("no")
    assert rig.heard.notices[-1].text.startswith("Then this tag is no card")
    tap(rig, code)
    assert rig.state.question is None and rig.heard.notices[-1].text.startswith("Unknown tag")
    assert (rig.state.match, rig.lines) == (before, lines)
    tap(rig, code, uid(901))
    assert isinstance(rig.state.question, LabelQuestion), "another sticker is another question"


def test_the_question_names_no_card(rig: Rig) -> None:
    """It may be one that was drawn, or one of a hand that is shown."""
    tap(rig, "w+4")
    assert isinstance(rig.state.question, LabelQuestion) and "Wild" not in said(rig)
    seen = Rig(options=Options(2, is_tracked=True))
    seen.press("deal")
    seen.tap("r9")
    tap(seen, "w+4")
    assert isinstance(seen.state.question, LabelQuestion) and "Wild" not in said(seen)
    counted = Rig(cards_each=1)
    counted.begin()
    counted.tap("r1")
    assert counted.phase() is Phase.OUT
    tap(counted, "w+4")
    assert isinstance(counted.state.question, LabelQuestion) and "Wild" not in said(counted)


def test_nobody_answers_and_nothing_was_laid(rig: Rig) -> None:
    lines = rig.lines
    tap(rig, "w+4")
    rig.wait(QUESTION_MS + 2)
    assert rig.state.question is None and rig.lines == lines
    tap(rig, "w+4")
    assert isinstance(rig.state.question, LabelQuestion), "it was not answered"


def test_another_card_in_place_of_an_answer_is_laid(rig: Rig) -> None:
    tap(rig, "w+4")
    rig.tap("r5")
    assert rig.lines[-1] == "Ann: r5#1" and rig.state.question is None


# -- the honest case -----------------------------------------------------------------------------------------------


def kept_table(folder: Path, rig: Rig) -> OpenedTable:
    """A table whose list on the disk has a tag for every card."""
    registry = Registry(folder / REGISTRY_FILE)
    registry.put_all(
        [
            EnrolledTag(tag, "classic", card.face.code, card.copy)
            for tag, card in rig.tags.items()
            if isinstance(card, Card)
        ]
    )
    registry.close()
    opened = open_table(files(folder), setup(), rig.now_ms)
    rig.journal.close()
    rig.journal = opened.journal
    rig.table = Table(opened.state, opened.journal, observers=[rig.heard], enrol=opened.enrol)
    return opened


@pytest.mark.parametrize(("code", "forgotten"), [("r5#2", []), ("r0", ["r0"])])
def test_a_lost_sticker_replaced_by_a_labelled_one_is_laid_and_never_asked_about_again(
    tmp_path: Path, code: str, forgotten: list[str]
) -> None:
    rig = Rig()
    opened = kept_table(tmp_path, rig)
    rig.begin()
    tap(rig, code)
    rig.press("yes")
    assert rig.lines[-1].startswith(f"Ann: {code.partition('#')[0]}") and rig.last.ruling.is_ok
    rig.press("undo")
    tap(rig, code)
    assert rig.state.question is None and rig.last.ruling.is_ok, "it is known"
    opened.close()
    registry = Registry(tmp_path / REGISTRY_FILE)
    known = registry.tag(OWN)
    assert known is not None and known.code == code.partition("#")[0]
    assert [
        one for one in ("r5", "r0") if sum(tag.code == one for tag in registry.tags()) < 2 and one in forgotten
    ] == (forgotten)
    assert (registry.tag(rig.uid("r0")) is None) is bool(forgotten)
    registry.close()
    again = open_table(files(tmp_path), setup(), rig.now_ms, is_new=True)
    assert OWN in again.state.tags
    again.close()


def test_a_card_whose_tag_is_not_in_the_list_is_taken_at_its_word(rig: Rig) -> None:
    """One of the two red 5s has no tag in the list: this may well be it."""
    listed = {tag: card for tag, card in rig.state.tags.items() if card != Card(face("r5"), 2)}
    rig.table.know_tags(listed)
    tap(rig, "r5#2")
    assert rig.lines[-1] == "Ann: r5#2" and rig.state.question is None


def test_a_labelled_sticker_can_be_a_cards_new_tag(rig: Rig) -> None:
    rig.press("form:tag")
    rig.pick("r5")
    tap(rig, "b3#1")
    assert rig.state.question is None
    meaning = rig.state.tags[OWN]
    assert isinstance(meaning, Card) and meaning.face is face("r5")


def test_what_asked_and_was_answered_yes_means_what_a_card_means_there() -> None:
    """Between two rounds it may be the first card; while a colour is awaited it waits for it as any card."""
    rig = Rig()
    tap(rig, "r5")
    rig.press("yes")
    assert rig.state.question is None and rig.state.match.top is face("r5")
    rig.tap("w#1")
    tap(rig, "r7", uid(902))
    rig.press("yes")
    assert rig.lines[-1] == "Ann: w#1" and rig.state.match.turn == rig.state.match.seat_of("Ann")
    rig.press("colour:red")
    assert rig.lines[-1].startswith("Ben: r7")
    assert OWN in rig.state.tags and uid(902) in rig.state.tags


# -- settings, and the whole way -----------------------------------------------------------------------------------


def settings_with(folder: Path, labels: str) -> Path:
    path = folder / "lastcard.toml"
    path.write_text(f'[reader]\nlabels = "{labels}"\n')
    return path


def test_a_guests_labelled_deck_is_played_with_where_labels_are_trusted(tmp_path: Path) -> None:
    options = table_options(read_settings(settings_with(tmp_path, "trust")))
    rig = Rig(options=options)
    rig.press("deal")
    for number, code in enumerate(("r9#1", "r5#2", "r5#1")):
        tap(rig, code, uid(800 + number))
    assert rig.state.question is None and [line.partition("#")[0] for line in rig.lines[-2:]] == ["Ann: r5", "Ben: r5"]


@pytest.mark.parametrize("labels", ["ask", "trust", "off"])
def test_a_label_is_read_from_the_tag_unless_the_settings_turn_labels_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, labels: str
) -> None:
    pad = SimulatedPad()
    tag = Ntag213(OWN)
    pad.driver.start()
    pad.place(tag)
    pad.clock.wait_us(10_000)
    pad.talk(lambda transceiver, found: write_label(transceiver, found, CardLabel("w+4#1", "classic")))
    pad.lift(tag)
    opened = opened_devices.Devices()
    reader = opened_devices._labelled(opened, read_settings(settings_with(tmp_path, labels)), pad)
    assert isinstance(reader, LabelReader) is (labels != "off")
    rig = Rig(options=table_options(read_settings(tmp_path / "lastcard.toml")))
    rig.begin()
    opened.know(rig.state.tags)
    before = rig.lines
    for now_ms in range(1_000, 2_000, 50):
        if now_ms == 1_500:
            pad.place(tag)
        for signal in reader.poll(now_ms):
            rig.now_ms += 100
            rig.send(TagPlaced(rig.now_ms, "pad", signal.uid, signal.sak, signal.label))  # type: ignore[union-attr]  # all are
    is_asked = isinstance(rig.state.question, LabelQuestion)
    assert (is_asked, len(rig.lines) > len(before)) == {
        "ask": (True, False),
        "trust": (False, True),
        "off": (False, False),
    }[labels]


def test_a_phone_is_not_told_to_be_enrolled(rig: Rig) -> None:
    rig.send(TagPlaced(rig.now_ms, "pad", b"\x08\x01\x02\x03", 0x20))
    assert "phone" in rig.heard.notices[-1].text
    rig.send(TagPlaced(rig.now_ms, "pad", b"\x9a\x01\x02\x03", 0x08))
    assert "enrol" in rig.heard.notices[-1].text, "a MIFARE Classic may be a card's"


def test_every_card_of_a_whole_pack_is_guarded(rig: Rig) -> None:
    for card in all_cards(DECK):
        lines = rig.lines
        tap(rig, card.code)
        assert isinstance(rig.state.question, LabelQuestion) and rig.lines == lines, card.code
        rig.wait(QUESTION_MS + 2)

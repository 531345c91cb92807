"""A deck whose tags say what they are is known at a table without its list; labels are written where they may be."""

from __future__ import annotations

import pytest

from hardware.diagnosis.examining import examine
from hardware.signals import CardLabel, Signal, TagPlaced
from hardware.simulated import FudanClone, MifareClassic1K, Ntag213, Ntag216, Phone, SimulatedPad, SimulatedTag
from hardware.tags.labels import LabelReader
from hardware.tags.type2 import read_label, write_label
from table_app.play.interpreter import interpret
from table_app.play.state import Options
from table_app.rules import DECKS, Card, face
from table_app.table import Table, new_table
from table_app.tags.checking import PackCheck
from table_app.tags.enrolling import Enrolled, Outcome, all_cards
from table_app.tags.labelling import LabelWriter, facts_lines
from table_app.tags.registry import EnrolledTag
from table_app.tags.stickers import sticker_card
from tests.table.rig import Rig, setup, tagged_deck, uid

DECK = DECKS["classic"]
UID = bytes.fromhex("04AABBCCDDEEFF")
CLASSIC_UID = bytes.fromhex("9A123456")


class Desk:
    """A simulated pad and what is laid on it, one thing after the other."""

    def __init__(self) -> None:
        self.pad = SimulatedPad()
        self.now_ms = 0

    def lay(self, tag: SimulatedTag, reader: LabelReader | None = None) -> list[Signal]:
        """Lay *tag* until it is told of; it stays there."""
        self.pad.field.clear()
        self._poll(10, reader)
        self.pad.place(tag)
        return [signal for signal in self._poll(5, reader) if isinstance(signal, TagPlaced)]

    def _poll(self, times: int, reader: LabelReader | None) -> list[Signal]:
        signals: list[Signal] = []
        for _ in range(times):
            self.now_ms += 50
            signals += (reader or self.pad).poll(self.now_ms)
        return signals


@pytest.fixture
def desk() -> Desk:
    return Desk()


# -- at the live table -------------------------------------------------------------------------------------------


def test_a_labelled_deck_is_played_with_at_a_table_that_has_no_list_of_it(desk: Desk) -> None:
    """From the label on the tag through the real driver to the ruling."""
    tags = {card.code: Ntag213(uid(number)) for number, card in enumerate(all_cards(DECK))}
    for code in ("r9#1", "r5#2", "b3#1"):
        desk.lay(tags[code])
        label = CardLabel(code, "classic")
        desk.pad.talk(lambda transceiver, found, label=label: write_label(transceiver, found, label))  # type: ignore[misc]
    rig = Rig()
    rig.table = Table(new_table(rig.state.match, {}), rig.journal, observers=[rig.heard])
    reader = LabelReader(desk.pad)
    rig.press("deal")
    for code in ("r9#1", "r5#2", "b3#1"):
        for signal in desk.lay(tags[code], reader):
            assert isinstance(signal, TagPlaced)
            rig.now_ms += 1_000
            rig.send(TagPlaced(rig.now_ms, "pad", signal.uid, signal.sak, signal.label))
    assert rig.lines[-3:] == ["table: start r9#1", "Ann: r5#2", "Ben: b3#1"]
    assert [judged.ruling.is_ok for judged in rig.heard.done[-2:]] == [True, False]


def labels(signals: list[Signal]) -> list[CardLabel | None]:
    return [signal.label for signal in signals if isinstance(signal, TagPlaced)]


def placed(label: CardLabel | None, number: bytes = UID) -> TagPlaced:
    return TagPlaced(9_000, "pad", number, 0, label)


def test_the_list_is_right_where_the_label_says_otherwise() -> None:
    rig = Rig()
    rig.begin()
    number = rig.uid("r5")
    answer = interpret(placed(CardLabel("b3#1", "classic"), number), rig.state)
    assert [action.card for action in answer.actions] == [Card(face("r5"), 1)]  # type: ignore[attr-defined]


def test_of_two_tags_for_one_card_the_labelled_one_is_a_card_of_its_own_where_labels_are_trusted() -> None:
    rig = Rig(options=Options(trusts_labels=True))
    rig.begin()
    answer = interpret(placed(CardLabel("r5#1", "classic")), rig.state)
    assert [action.card for action in answer.actions] == [sticker_card(face("r5"), UID, ())]  # type: ignore[attr-defined]  # all are lays


@pytest.mark.parametrize("code", ["r5", "zz", "r5#9", "r5#x", "r5#", "wrain1"])
def test_a_label_of_another_deck_or_without_sense_changes_nothing(code: str) -> None:
    rig = Rig()
    rig.begin()
    other = interpret(placed(CardLabel(code, "h2o")), rig.state)
    assert not other.actions and other.notice is not None and "h2o" in other.notice.parts
    if code not in ("r5", "r5#"):
        senseless = interpret(placed(CardLabel(code, "classic")), rig.state)
        assert not senseless.actions and senseless.notice is not None


# -- the reader --------------------------------------------------------------------------------------------------


def test_only_tags_that_no_list_knows_are_read(desk: Desk) -> None:
    reader = LabelReader(desk.pad, known={uid(1)})
    known, strange = Ntag213(uid(1)), Ntag213(uid(2))
    for tag in (known, strange):
        desk.lay(tag)
        desk.pad.talk(lambda transceiver, found: write_label(transceiver, found, CardLabel("r5#1", "classic")))
    assert labels(desk.lay(known, reader)) == [None]
    first = desk.lay(strange, reader)
    assert labels(first) == [CardLabel("r5#1", "classic")]
    frames = desk.pad.field.frames
    desk.lay(known, reader)
    unread = desk.pad.field.frames - frames
    frames = desk.pad.field.frames
    desk.lay(strange, reader)
    assert unread < desk.pad.field.frames - frames, "a tag of the list costs no frame more"


def test_a_tag_written_anew_and_another_one_of_its_number_are_what_is_on_them(desk: Desk) -> None:
    reader = LabelReader(desk.pad)
    first, twin = Ntag213(UID), Ntag213(UID)
    for tag, code in ((first, "r5#1"), (twin, "g3#1"), (first, "y2#1")):
        desk.lay(tag)
        desk.pad.talk(lambda transceiver, found, code=code: write_label(transceiver, found, CardLabel(code, "classic")))  # type: ignore[misc]
        assert labels(desk.lay(tag, reader)) == [CardLabel(code, "classic")]
    assert labels(desk.lay(twin, reader)) == [CardLabel("g3#1", "classic")]
    twin.memory[16:24] = bytes(8)
    assert labels(desk.lay(twin, reader)) == [None]


def test_a_quick_tap_is_enough_for_a_tag_that_was_read_before(desk: Desk) -> None:
    tag = Ntag213(UID)
    desk.lay(tag)
    desk.pad.talk(lambda transceiver, found: write_label(transceiver, found, CardLabel("r5#1", "classic")))
    fresh, reader = LabelReader(desk.pad), LabelReader(desk.pad)
    desk.lay(tag, reader)
    remembered = {True: 0, False: 0}
    for frames in range(1, 40):
        for one in (fresh, reader):
            desk.pad.field.clear()
            desk._poll(10, one)
            desk.pad.place(tag)
            desk.pad.field.lift(tag, after_frames=frames)
            for signal in desk._poll(5, one):
                if isinstance(signal, TagPlaced):
                    remembered[one is reader] += signal.label is not None
            fresh = LabelReader(desk.pad)
    assert remembered[True] > remembered[False] > 0


def test_a_tag_lifted_before_its_label_was_read_is_told_of_without_it(desk: Desk) -> None:
    tag = Ntag213(UID)
    desk.lay(tag)
    desk.pad.talk(lambda transceiver, found: write_label(transceiver, found, CardLabel("r5#1", "classic")))
    for frames in range(1, 40):
        reader = LabelReader(desk.pad)
        desk.pad.field.clear()
        desk._poll(10, reader)
        desk.pad.place(tag)
        desk.pad.field.lift(tag, after_frames=frames)
        for signal in desk._poll(5, reader):
            if isinstance(signal, TagPlaced):
                assert signal.uid == UID and signal.label in (None, CardLabel("r5#1", "classic")), frames


def test_tags_without_pages_are_told_of_as_they_are(desk: Desk) -> None:
    reader = LabelReader(desk.pad)
    for tag, sak in ((MifareClassic1K(CLASSIC_UID), 0x08), (Phone(1), 0x20), (Ntag213(UID), 0x00)):
        (signal,) = desk.lay(tag, reader)
        assert isinstance(signal, TagPlaced) and (signal.sak, signal.label) == (sak, None)


# -- writing -----------------------------------------------------------------------------------------------------

TAG = EnrolledTag(UID, "classic", "r5", 2)


def write(desk: Desk, tag: SimulatedTag, listed: EnrolledTag = TAG, *, is_replacing: bool = False) -> Enrolled:
    writer = LabelWriter({listed.uid: listed}, desk.pad.talk, is_replacing=is_replacing)
    (signal,) = desk.lay(tag)
    answer = writer.take(signal)
    assert answer is not None
    return answer


@pytest.mark.parametrize("kind", [Ntag213, Ntag216, FudanClone])
def test_a_listed_tag_gets_its_label_and_no_lock_is_set(desk: Desk, kind: type[Ntag213]) -> None:
    tag = kind(UID)
    head = bytes(tag.memory[:16])
    tail = bytes(tag.memory[tag.user_pages.stop * 4 :])
    answer = write(desk, tag)
    assert answer.outcome is Outcome.ENROLLED and "written and read back" in answer.text
    assert desk.pad.talk(read_label) == CardLabel("r5#2", "classic")
    assert bytes(tag.memory[:16]) == head, "serial number, lock bytes and capability container stay"
    assert bytes(tag.memory[tag.user_pages.stop * 4 :]) == tail, "dynamic lock bytes and configuration stay"
    assert "stands there already" in write(desk, tag).text


def test_a_classic_is_left_alone_and_a_stranger_refused(desk: Desk) -> None:
    classic = MifareClassic1K(CLASSIC_UID)
    before = bytes(classic.memory)
    answer = write(desk, classic, EnrolledTag(CLASSIC_UID, "classic", "r5", 1))
    assert answer.outcome is Outcome.TOLD and "left alone" in answer.text and bytes(classic.memory) == before
    stranger = write(desk, Ntag213(uid(7)))
    assert stranger.outcome is Outcome.REFUSED and "enrol it first" in stranger.text


def test_what_somebody_else_wrote_is_overwritten_only_when_told(desk: Desk) -> None:
    tag = Ntag213(UID)
    link = bytes.fromhex("D1010B55046578616D706C652E6F")  # a link, as a phone writes it
    tag.memory[16 : 16 + len(link) + 3] = bytes((0x03, len(link))) + link + b"\xfe"
    before = bytes(tag.memory)
    answer = write(desk, tag)
    assert answer.outcome is Outcome.REFUSED and "--replace" in answer.text and bytes(tag.memory) == before
    assert write(desk, tag, is_replacing=True).outcome is Outcome.ENROLLED


def test_a_tag_lifted_in_the_middle_of_writing_never_names_a_wrong_card(desk: Desk) -> None:
    for frames in range(1, 120):
        tag = Ntag213(UID)
        write(desk, tag, EnrolledTag(UID, "classic", "b+2", 1))
        writer = LabelWriter({UID: TAG}, desk.pad.talk)
        (signal,) = desk.lay(tag)
        desk.pad.field.lift(tag, after_frames=frames)
        answer = writer.take(signal)
        assert answer is not None
        desk.lay(tag)
        label = desk.pad.talk(read_label)
        if answer.outcome is Outcome.ENROLLED:
            assert label == CardLabel("r5#2", "classic")
        else:
            assert "not written" in answer.text
            assert label in (None, CardLabel("b+2#1", "classic"), CardLabel("r5#2", "classic")), frames
        assert write(desk, tag).outcome is Outcome.ENROLLED, "laid again, it is written"


# -- reading -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "said"),
    [
        (Ntag213(UID), ("NTAG213", "144 bytes")),
        (Ntag216(UID), ("NTAG216", "872 bytes")),
        (FudanClone(UID), ("clone", "144 bytes")),
        (MifareClassic1K(CLASSIC_UID), ("MIFARE Classic 1K", "(4 bytes)")),
        (Phone(3), ("bank card, pass or phone", "another number each time")),
    ],
)
def test_reading_says_what_a_tag_is(desk: Desk, tag: SimulatedTag, said: tuple[str, ...]) -> None:
    desk.lay(tag)
    text = str(facts_lines(desk.pad.talk(examine), None))
    assert all(part in text for part in said) and "not in the list" in text


def test_reading_says_what_stands_on_it_and_what_the_list_says(desk: Desk) -> None:
    tag = Ntag213(UID)
    write(desk, tag)
    lines = dict(facts_lines(desk.pad.talk(examine), TAG, "red 5 (2 of 2)"))
    assert lines["contents"] == "r5#2 of the deck classic"
    assert lines["list"] == "red 5 (2 of 2), r5#2 of the deck classic"


# -- checking ----------------------------------------------------------------------------------------------------


def test_a_check_names_what_is_missing_double_and_unknown() -> None:
    listed = {
        number: EnrolledTag(number, "classic", card.face.code, card.copy)
        for number, card in tagged_deck(setup()).items()
        if isinstance(card, Card)
    }
    listed[uid(500)] = EnrolledTag(uid(500), "h2o", "wrain1", 1)
    found = PackCheck(listed, DECK)
    said = []
    for number in (*range(106, -1, -1), 5, 500, 600):
        answer = found.take(TagPlaced(0, "pad", uid(number), 0))
        assert answer is not None
        said.append(answer.outcome)
    assert said == [Outcome.ENROLLED] * 107 + [Outcome.TOLD, Outcome.REFUSED, Outcome.REFUSED]
    assert [card.code for card in found.missing()] == ["w+4#4"]
    assert found.doubles == ["red 3 (1 of 2)"]
    assert found.strangers == {uid(500): "wrain1#1 of the deck h2o", uid(600): "not in the list"}
    found.take(TagPlaced(0, "pad", uid(107), 0))
    assert not found.missing() and not found.is_complete, "strangers are among them"


def test_a_check_tells_of_a_label_that_names_another_card() -> None:
    found = PackCheck({UID: TAG}, DECK)
    answer = found.take(placed(CardLabel("g3#1", "classic")))
    assert answer is not None and answer.outcome is Outcome.REFUSED and "green 3" in answer.text
    assert found.seen == 1


def test_a_checked_pack_is_the_one_that_was_named() -> None:
    blue = EnrolledTag(UID, "classic", "r5", 2, "blue")
    assert PackCheck({UID: blue}, DECK, "blue").take(placed(None)) == Enrolled(Outcome.ENROLLED, "red 5 (2 of 2)", blue)
    other = PackCheck({UID: blue}, DECK).take(placed(None))
    assert other is not None and "pack blue" in other.text

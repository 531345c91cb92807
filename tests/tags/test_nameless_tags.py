"""A new tag for one of several equal cards: which of them it is nobody knows, but a tag is still one card.

Every case is played twice, with a card that is known by its tag and with one whose new tag says its face alone; and
again with a power cut before each tap of it, with the tag list on a disk.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from hardware.signals import CardLabel, DeviceBack, DeviceLost, TagPlaced, TagRemoved
from table_app.play.noting import noted
from table_app.play.state import Options, TableState
from table_app.rules import Card, Phase, face
from table_app.table import Table, open_table
from table_app.table.opening import REGISTRY_FILE, OpenedTable
from table_app.table.resume import replay
from table_app.tags.checking import PackCheck
from table_app.tags.enrolling import card_words, new_words
from table_app.tags.exchange import read_tags, tags_as_csv
from table_app.tags.registry import EnrolledTag, Registry
from table_app.tags.stickers import STICKERS_FROM, STICKERS_TO, is_sticker, sticker_card
from tests.connections import closed_at_the_end
from tests.table.honest import HonestPeople, play_fair_round
from tests.table.rig import Rig, files, setup, tagged_deck, uid

NEW, NEWER = uid(999), uid(998)
DECK = setup().deck


class Case(NamedTuple):
    """*steps* are buttons; ``NEW`` taps the card, perhaps on another reader; ``tap:``, ``pick:`` name one."""

    code: str
    steps: str
    lines: tuple[str, ...] = ()
    options: Options = Options()


CASES = {
    "the first card, tapped twice": Case("r7", "deal NEW NEW"),
    "laid, Ben draws": Case("r7", "deal tap:r9 NEW draw NEW"),
    "laid, a later card taken back": Case("r7", "deal tap:r9 NEW tap:g7 undo NEW"),
    "laid, given to Ben": Case("r7", "deal tap:r9 NEW give:1 NEW"),
    "refused and allowed": Case("r7", "deal tap:r9,b9 NEW allow NEW"),
    "a debt asked for": Case("r7", "deal tap:r9,r+2 NEW yes NEW"),
    "the top card put right": Case("r7", "deal tap:r9 form:top NEW NEW"),
    "named by hand while the reader was away": Case("r7", "deal tap:r9 lost pick:r7 back NEW yes NEW"),
    "a Wild Draw Four that is challenged": Case("w+4", "deal tap:r9 NEW colour:blue challenge NEW"),
    "shown to who challenges": Case("r7", "deal tap:r9,w+4 colour:blue challenge NEW NEW undo NEW"),
    "lies there where wilds are discarded": Case(
        "wcustom", "deal tap:r9 NEW colour:blue NEW yes", ("edition: 2018", "custom: discard-wilds")
    ),
    "discarded by Ann, and again by Ben": Case(
        "w", "deal tap:r9,wcustom colour:blue NEW NEW yes NEW yes", ("edition: 2018", "custom: discard-wilds")
    ),
    "counted in two hands": Case("r7", "deal tap:r9,r5 NEW NEW", options=Options(1)),
    "the last card that went out": Case(
        "r7", "deal tap:r9,r5 seat:0 draw keep NEW NEW", ("players: Ann, Ben",), Options(2)
    ),
    "dealt twice": Case("r7", "NEW NEW tap:g1 NEW", options=Options(2, True)),
    "set aside": Case("rs", "deal NEW NEW", ("edition: 2022",)),
    "laid where it may have been drawn": Case("r7", "deal tap:r9 NEW yes NEW", options=Options(7, True)),
    "drawn where it may have been laid": Case("r7", "deal tap:r9 NEW no NEW NEW", options=Options(7, True)),
    "two readers": Case("r7", "deal tap:r9 NEW@pile NEW@pile NEW NEW", options=Options(7, True, "pile")),
    "shuffled since": Case("r7", "deal tap:r9 NEW tap:g7 reshuffle NEW yes NEW"),
}


def kept(folder: Path, case: Case) -> None:
    """The list of a pack in which every card has its tag."""
    registry = Registry(folder / REGISTRY_FILE)
    deck = setup(*case.lines).deck
    tags = [EnrolledTag(tag, deck.name, card.face.code, card.copy) for tag, card in cards_of(case).items()]
    registry.put_all(tags)
    registry.close()


def cards_of(case: Case) -> dict[bytes, Card]:
    return {tag: card for tag, card in tagged_deck(setup(*case.lines)).items() if isinstance(card, Card)}


class Played:
    """A table with its record and its tag list in a folder, and the card that is tapped."""

    def __init__(self, folder: Path, case: Case, *, is_new: bool, is_cut: bool) -> None:
        self.folder, self.case, self.is_cut = folder, case, is_cut
        folder.mkdir(exist_ok=True)
        kept(folder, case)
        self.rig = Rig(setup(*case.lines), options=case.options)
        self.opened: OpenedTable | None = None
        self.start()
        self.tag = NEW if is_new else next(tag for tag, card in cards_of(case).items() if card.face.code == case.code)
        if is_new:
            self.new_tag(NEW)

    @property
    def state(self) -> TableState:
        return self.rig.state

    def new_tag(self, tag: bytes) -> None:
        self.rig.press("form:tag")
        self.rig.pick(self.case.code)
        self.tap(tag)

    def start(self) -> None:
        """The table starts, or comes back after the power was away."""
        rig = self.rig
        if self.opened is not None:
            self.opened.close()
        opened = self.opened = open_table(files(self.folder), rig.setup, rig.now_ms, options=self.case.options)
        rig.journal.close()
        rig.journal = opened.journal
        closed_at_the_end.append(opened.journal.close)
        rig.table = Table(opened.state, opened.journal, observers=[rig.heard], enrol=opened.enrol)
        if rig.state.pause is not None:
            rig.press("yes")

    def tap(self, tag: bytes, reader: str = "pad") -> None:
        self.rig.now_ms += 400
        self.rig.send(TagPlaced(self.rig.now_ms, reader, tag))
        self.rig.send(TagRemoved(self.rig.now_ms, reader, tag))

    def step(self, step: str) -> None:
        rig, (word, _, rest) = self.rig, step.partition(":")
        if step.startswith("NEW"):
            if self.is_cut and rig.state.question is None:
                self.start()
            self.tap(self.tag, step.partition("@")[2] or "pad")
        elif word == "tap":
            rig.tap(*rest.split(","))
        elif word == "pick":
            rig.pick(rest)
        elif word == "lost":
            rig.send(DeviceLost(rig.now_ms, "pad", "gone."))
        elif word == "back":
            rig.send(DeviceBack(rig.now_ms, "pad"))
        else:
            rig.press(step)

    def looks(self) -> list[object]:
        """All that can be seen, but for the number of the card."""
        state, number = self.rig.state, re.compile(r"#\d+")
        shown = [card.face.code for card in (*state.showing.cards, *state.dealing)]
        lines = [number.sub("", line) for line in self.rig.lines]
        notice = state.notice and (state.notice.text, state.notice.parts)
        return [lines, notice, type(state.question).__name__, shown, state.match.owes, state.match.hands]

    def play(self) -> list[list[object]]:
        looks = []
        for step in self.case.steps.split():
            self.step(step)
            looks.append([step, *self.looks()])
        assert self.opened is not None
        self.opened.close()
        return looks


@pytest.mark.parametrize("is_cut", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_a_new_tag_counts_as_often_as_one_that_is_known(name: str, is_cut: bool, tmp_path: Path) -> None:
    case = CASES[name]
    known = Played(tmp_path / "known", case, is_new=False, is_cut=is_cut).play()
    new = Played(tmp_path / "new", case, is_new=True, is_cut=is_cut)
    meaning = new.state.tags[NEW]
    assert isinstance(meaning, Card) and is_sticker(meaning.copy), "the case is about a card that is not known"
    assert new.play() == known


def test_a_replayed_record_knows_where_it_lies(tmp_path: Path) -> None:
    table = Played(tmp_path, CASES["laid, Ben draws"], is_new=True, is_cut=False)
    for step in ("deal", "tap:r9", "NEW"):
        table.step(step)
    rig = table.rig
    again = replay(rig.setup, rig.entries, rig.state.tags, rig.state.options)
    assert again.places == rig.state.places and again.last_play == rig.state.last_play
    assert again.places.discard_pile[-1] == rig.state.tags[NEW]


def test_the_tags_of_the_equal_cards_are_known_after_a_power_cut_too(tmp_path: Path) -> None:
    table = Played(tmp_path, Case("r7", ""), is_new=True, is_cut=False)
    for step in ("deal", "tap:r9", "NEW"):
        table.step(step)
    table.start()
    assert {table.rig.uid("r7"), table.rig.uid("r7#2"), NEW} <= set(table.state.tags)
    table.rig.tap("r7#2")
    assert table.rig.lines[-1] == "Ben: r7#2"
    before = table.state.match
    table.rig.tap("r7")
    assert table.state.held is not None and table.state.match is before, "there are only two"


def test_both_equal_cards_get_new_tags_and_are_two_cards_ever_after(tmp_path: Path) -> None:
    table = Played(tmp_path, Case("r7", ""), is_new=True, is_cut=False)
    table.new_tag(NEWER)
    told = {tag: table.state.tags[tag] for tag in (NEW, NEWER)}
    assert len(set(told.values())) == 2
    table.start()
    assert told == {tag: table.state.tags[tag] for tag in (NEW, NEWER)}
    for step in ("deal", "tap:r9", "NEW"):
        table.step(step)
    table.start()
    table.tap(NEWER)
    assert [line.partition("#")[0] for line in table.rig.lines[-2:]] == ["Ann: r7", "Ben: r7"]
    before = table.state.match
    for tag in (NEW, NEWER):
        table.tap(tag)
        table.rig.press("no")
    assert table.state.match is before


def test_one_card_may_lose_its_new_tag_again(tmp_path: Path) -> None:
    table = Played(tmp_path, Case("r7", ""), is_new=True, is_cut=False)
    for step in ("deal", "tap:r9", "NEW", "undo"):
        table.step(step)
    table.new_tag(NEWER)
    table.tag = NEWER
    for step in ("NEW", "NEW"):
        table.step(step)
    assert sum("r7" in line for line in table.rig.lines) == 2, "once before, and once since"


def test_where_all_others_lie_in_the_pile_it_is_known_which_one_has_the_new_tag() -> None:
    rig = Rig()
    rig.begin()
    rig.tap("r7#2")
    rig.press("form:tag")
    rig.pick("r7")
    rig.now_ms += 1_000
    rig.send(TagPlaced(rig.now_ms, "pad", NEW))
    assert rig.state.tags[NEW] == Card(face("r7"), 1) and rig.uid("r7") not in rig.state.tags


def test_a_card_in_a_known_hand_may_have_lost_its_tag_there() -> None:
    """Ann was seen to be dealt a red 7, and lays it with its new tag: it is asked, not drawn in silence."""
    rig = Rig(options=Options(2, True))
    rig.tap("r7", "g1", "g2", "g3", "g4", "g5", "r9")
    rig.press("form:tag")
    rig.pick("r7")
    rig.send(TagPlaced(rig.now_ms, "pad", NEW))
    rig.send(TagRemoved(rig.now_ms, "pad", NEW))
    rig.send(TagPlaced(rig.now_ms + 1_000, "pad", NEW))
    assert type(rig.state.question).__name__ == "DrawnQuestion"
    rig.now_ms += 2_000
    lines = len(rig.lines)
    while rig.state.question is not None:
        rig.press("yes")
    assert len(rig.lines) == lines + 1


@pytest.mark.parametrize("label", ["r7", "r7#1"])
def test_two_labels_that_do_not_say_which_card_they_are_on_are_two_cards(label: str) -> None:
    rig = Rig(options=Options(trusts_labels=True))
    rig.begin()
    for tag in (NEW, NEW, NEWER):
        rig.now_ms += 1_000
        rig.send(TagPlaced(rig.now_ms, "pad", tag, 0, CardLabel(label, "classic")))
        rig.send(TagRemoved(rig.now_ms, "pad", tag))
    assert [line.partition("#")[0] for line in rig.lines[-2:]] == ["Ann: r7", "Ben: r7"]


def test_a_sticker_has_its_number_by_its_uid_and_no_other_tag_has_the_same() -> None:
    first = sticker_card(face("r7"), NEW, set())
    assert first == sticker_card(face("r7"), NEW, set()) and STICKERS_FROM <= first.copy <= STICKERS_TO
    second = sticker_card(face("r7"), NEW, {first})
    assert second != first and is_sticker(second.copy)
    last = Card(face("r7"), STICKERS_TO)
    assert all(is_sticker(sticker_card(face("r7"), uid(number), {last}).copy) for number in range(999))


def test_a_hand_shown_by_an_older_program_is_read() -> None:
    rig = Rig()
    rig.begin()
    seven, nine = face("r7"), face("r9")
    state = replace(rig.state, tags={**rig.state.tags, NEW: Card(seven, 1)})
    after = noted(state, f"showing 1 r9#2 r7@{NEW.hex()} r7@{NEWER.hex()}")
    assert after.showing.cards == (Card(nine, 2), Card(seven, 1), Card(seven))


# -- honest play -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_honest_people_with_new_tags_are_never_refused_and_a_second_tap_counts_nothing(seed: int) -> None:
    rig = Rig(setup("players: Ann, Ben, Cy", "target: 150"))
    people = HonestPeople(rig, seed)
    chosen = people.random.sample([card for card in rig.tags.values() if isinstance(card, Card)], 24)
    for number, card in enumerate(chosen):
        rig.press("form:tag")
        rig.pick(card.face.code)
        rig.know(card, uid(2_000 + number))
        rig.tap(card.code)
    people.taps_twice = True
    while rig.state.match.phase is not Phase.OVER:
        play_fair_round(people, seed)


# -- the list ----------------------------------------------------------------------------------------------------


def listed(*tags: bytes) -> dict[bytes, EnrolledTag]:
    """Both red 7 have tags, and these new ones."""
    found = {uid(copy): EnrolledTag(uid(copy), "classic", "r7", copy) for copy in (1, 2)}
    for tag in tags:
        found[tag] = EnrolledTag(tag, "classic", "r7", sticker_card(face("r7"), tag, set()).copy)
    return found


@pytest.mark.parametrize(
    ("tags", "tapped", "cards", "lost"),
    [
        ((NEW,), (uid(2), NEW), {NEW: 1}, {uid(1)}),
        ((NEW,), (NEW, uid(1)), {NEW: 2}, {uid(2)}),
        ((NEW, NEWER), (NEWER, NEW), {NEW: 1, NEWER: 2}, {uid(1), uid(2)}),
        ((NEW, NEWER), (NEWER, uid(1)), {NEWER: 2}, {NEW, uid(2)}),
        ((NEW,), (uid(1), uid(2)), {}, {NEW}),
    ],
)
def test_going_through_the_pack_finds_out_which_tag_was_lost(
    tags: tuple[bytes, ...], tapped: tuple[bytes, ...], cards: dict[bytes, int], lost: set[bytes], tmp_path: Path
) -> None:
    registry = Registry(tmp_path / REGISTRY_FILE)
    registry.put_all(list(listed(*tags).values()))
    check = PackCheck({tag.uid: tag for tag in registry.tags()}, DECK)
    for number, tag in enumerate(tapped):
        assert check.settled() == [], "one card more is still to be tapped"
        check.take(TagPlaced(number, "pad", tag))
    assert not any(card.face.code == "r7" for card in check.missing())
    (settled,) = check.settled()
    registry.put_all(settled.new, settled.lost)
    assert {tag.uid: tag.copy for tag in settled.new} == cards and set(settled.lost) == lost
    assert sorted(card.copy for card in registry.cards(DECK).values()) == [1, 2]
    assert new_words(DECK, registry.tags()) == ""
    registry.close()


def test_a_match_that_was_interrupted_while_the_pack_was_gone_through_still_knows_the_card(tmp_path: Path) -> None:
    table = Played(tmp_path, Case("r7", ""), is_new=True, is_cut=False)
    for step in ("deal", "tap:r9", "NEW"):
        table.step(step)
    registry = Registry(tmp_path / REGISTRY_FILE)
    check = PackCheck({tag.uid: tag for tag in registry.tags()}, DECK)
    for number, tag in enumerate((NEW, table.rig.uid("r7#2"))):
        check.take(TagPlaced(number, "pad", tag))
    (settled,) = check.settled()
    registry.put_all(settled.new, settled.lost)
    registry.close()
    table.start()
    assert table.state.tags[NEW] == Card(face("r7"), 1)
    before = table.state.match
    table.tap(NEW)
    assert table.state.match is before and table.state.lies_on_top(Card(face("r7"), 1))


def test_a_list_with_a_new_tag_tells_it_and_counts_cards_not_tags(tmp_path: Path) -> None:
    registry = Registry(tmp_path / REGISTRY_FILE)
    tags = list(listed(NEW).values())
    registry.put_all(tags)
    assert registry.count("classic") == 2 and [pack.tags for pack in registry.packs()] == [2]
    assert card_words(DECK, registry.cards(DECK)[NEW]) == "red 7 (new tag, one of 2)"
    assert new_words(DECK, registry.tags()).startswith("New tags in the place of lost ones: red 7.")
    assert read_tags(tags_as_csv(tags).encode(), "csv", lambda name: DECK) == list(zip((2, 3, 4), tags, strict=True))
    assert registry.tag(NEW).label == CardLabel("r7", "classic")  # type: ignore[union-attr]  # it is in the list
    with pytest.raises(ValueError, match="1 of r0, not a copy"):
        registry.move(NEW, DECK, "r0", STICKERS_FROM)
    registry.close()

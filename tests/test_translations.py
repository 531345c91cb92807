"""Every language says everything, with the same places in every sentence, and fits where the original fits."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from string import Formatter

import pygame
import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from click.testing import CliRunner

from hardware.signals import ButtonPressed, CardPicked
from table_app.cli import lastcard
from table_app.display import text as words
from table_app.display.scene import Leafing, paint
from table_app.display.theme import TABLE
from table_app.play.interpreter import interpret
from table_app.play.modes import Mode
from table_app.play.state import MenuPage, OlderMatch
from table_app.record.journal import OpenedJournal, journal_in_memory
from table_app.record.losses import Losses
from table_app.record.upkeep import Care
from table_app.rules import DealUnseen, apply, new_match
from table_app.rules.cards import COLOURS, DECKS
from table_app.rules.words import face_name, ruling_text
from table_app.table.opening import told_of
from table_app.translations import DOMAIN, LOCALE_FOLDER, languages, translator
from table_app.view.cards import colour_key, colour_letter
from table_app.view.present import present
from table_app.view.table_view import TableView
from tests.connections import closed_at_the_end
from tests.play.test_handlers import EXAMPLES, SIGNALS
from tests.table.rig import setup

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "table_app"
LANGUAGES = sorted(path.name for path in LOCALE_FOLDER.iterdir())
MAKE = "run: make translations"
EXTRACTED = re.search(r"^MARKED := (.+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def keywords() -> dict[str, tuple[int, ...] | None]:
    """The functions whose first argument is a message, as the Makefile names them, and those that have two forms."""
    assert EXTRACTED is not None
    found: dict[str, tuple[int, ...] | None] = {}
    for mark in EXTRACTED[1].split():
        name, _, arguments = mark.partition(":")
        found[name] = tuple(int(number) for number in arguments.split(",")) if arguments else None
    return found


def forms(message: object) -> tuple[str, ...]:
    """A message, or both forms of one with a number."""
    return tuple(str(form) for form in message) if isinstance(message, list | tuple) else (str(message),)


@cache
def messages() -> frozenset[tuple[str, ...]]:
    """All messages of the source."""
    found = extract_from_dir(SOURCE, keywords=keywords())
    return frozenset(forms(message) for _file, _line, message, _comments, _context in found)


def po(language: str) -> Catalog:
    with (LOCALE_FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        return read_po(file, locale=language)


def places(message: str) -> Counter[str]:
    """The names in the braces of *message*; nameless ones are numbered in their order."""
    number = 0
    found: Counter[str] = Counter()
    for _text, name, specification, conversion in Formatter().parse(message):
        if name is None:
            continue
        if name == "":
            name, number = str(number), number + 1
        found[f"{name}!{conversion}:{specification}"] += 1
    return found


def test_there_is_german() -> None:
    assert "de" in languages()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_is_in_step_with_the_written_one(language: str) -> None:
    with (LOCALE_FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
        compiled = {forms(message.id): forms(message.string) for message in read_mo(file) if message.id}
    assert compiled == {forms(message.id): forms(message.string) for message in po(language) if message.id}, MAKE


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_in_the_catalogue_and_no_other(language: str) -> None:
    written = {forms(message.id) for message in po(language) if message.id}
    assert messages() - written == set(), MAKE
    assert written - messages() == set(), MAKE


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated_with_its_places(language: str) -> None:
    for message in po(language):
        if message.id:
            assert message.string and not message.fuzzy, f"not translated: {message.id!r}"
            assert len(forms(message.string)) == len(forms(message.id)), f"not translated: {message.id!r}"
            for said in (*forms(message.id), *forms(message.string)):
                assert places(said) == places(forms(message.id)[0]) and said, f"{message.id!r} and {message.string!r}"


def test_two_places_of_one_name_and_a_place_left_out_are_noticed() -> None:
    assert places("{} of {}") == places("{0}: {1}") != places("{1}")
    assert places("{player}") != places("{players}")


def calls() -> Iterator[tuple[str, ast.Call]]:
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in keywords():
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def test_whatever_is_marked_or_noticed_stands_there_as_a_text_that_is_found() -> None:
    """A message put together beforehand, or an f-string, would never be in a catalogue."""
    # What makes a notice of its own parameter.
    passed_on = ("table_app/play/notices.py:",)
    seen = 0
    for where, call in calls():
        first = call.args[0] if call.args else None
        if not where.startswith(passed_on):
            assert isinstance(first, ast.Constant) and isinstance(first.value, str), where
            assert any(first.value == message[0] for message in messages()), where
            seen += 1
    assert seen >= len(messages()) > 300


# -- how it looks --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_colours_have_letters_and_keys_of_their_own(language: str) -> None:
    translate = translator(language)
    letters = [colour_letter(colour, translate) for colour in COLOURS]
    assert len(set(letters)) == len(COLOURS)
    assert all(1 <= len(letter) <= 2 for letter in letters), f"no room on a card: {letters}"
    assert not any(one != other and other.startswith(one) for one in letters for other in letters)
    keys = [colour_key(colour, translate) for colour in COLOURS]
    assert len(set(keys)) == len(COLOURS) and all(len(key) == 1 for key in keys)


def test_english_and_german_letters() -> None:
    english, german = translator("en"), translator("de")
    assert [colour_letter(colour, english) for colour in COLOURS] == ["R", "Y", "G", "B"]
    assert [colour_letter(colour, german) for colour in COLOURS] == ["R", "Ge", "Gr", "B"]
    assert [colour_key(colour, english) for colour in COLOURS] == ["r", "y", "g", "b"]
    assert [colour_key(colour, german) for colour in COLOURS] == ["r", "e", "g", "b"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_faces_have_one_name(language: str) -> None:
    for deck in DECKS.values():
        names = Counter(face_name(face, translator(language)) for face in deck.kinds)
        assert max(names.values()) == 1, names.most_common(3)


def scenes(language: str) -> Iterator[tuple[str, TableView, Leafing]]:
    """Every situation, what every signal is answered in it, and the picker's pages."""
    translate = translator(language)
    for found, state in EXAMPLES.items():
        yield found, present(state, 0, translate), Leafing()
        if state.form is not None:
            continue  # a form takes the room of what is said beside it; that may be cut until the form is closed
        for kind, signal in SIGNALS.items():
            after = interpret(signal, state).state
            if after.notice is not None or after.question is not None:
                yield f"{found}, {kind}", present(after, 0, translate), Leafing()
        menu = interpret(ButtonPressed(0, "menu"), state).state
        yield f"{found}, menu", present(menu, 0, translate), Leafing()
    names = tuple(f"Maximiliane {number}" for number in range(10))
    aside = tuple(OlderMatch(number, "2026-11-29T20:15:00", names, (499,) * 10, 12) for number in range(1, 7))
    listed = replace(EXAMPLES[Mode.PAUSED], menu=MenuPage.OLDER, older=aside, may_have_older=True)
    yield "matches that were put aside", present(listed, 0, translate), Leafing()
    yield "the button for them", present(replace(listed, menu=MenuPage.CLOSED), 0, translate), Leafing()
    turn = present(EXAMPLES[Mode.TURN], 0, translate)
    for stage in ("", *(colour.value for colour in COLOURS), "wilds"):
        yield f"picker {stage}", turn, Leafing(0, True, stage)
    asked = interpret(CardPicked(0, "r5"), EXAMPLES[Mode.OWES]).state
    yield "debts", present(asked, 0, translate), Leafing()


PATH = Path("/var/lib/lastcard/journal.sqlite")


def started(losses: Losses | None, *, restored: bool = False, is_newer: bool = False) -> OpenedJournal:
    """A journal that was put aside at the start, with a last match in the new one."""
    journal = journal_in_memory(wall_time=lambda: "2026-11-29T20:15:00", boot="this")
    closed_at_the_end.append(journal.close)
    if losses is not None:
        journal.begin_match("players: Ann, Ben")
    aside = PATH.with_name("journal.damaged-12.sqlite")
    copy = PATH.with_name("journal.copy-123.sqlite") if restored else None
    return OpenedJournal(journal, aside, copy, losses, is_newer)


def start_messages() -> Iterator[tuple[str, list[str]]]:
    """What the start may have to tell, at its longest."""
    days = tuple(f"2026-{month}-2{day}T20:15:00" for month in ("09", "12") for day in range(9))
    last = (days[-1], 12, days[-1])
    cut = tuple((day, 12) for day in days)
    for name, journal in (
        ("newer", started(None, is_newer=True)),
        ("unreadable", started(None)),
        ("nothing", started(Losses())),
        ("much", started(Losses(days * 2, cut, False, last), restored=True)),
        ("cut", started(Losses((), cut[:3], False, last), restored=True)),
        ("all", started(Losses((), (), False, None))),
    ):
        yield name, list(told_of(journal))
        journal.journal.close()


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_what_the_start_tells_of_a_damaged_record_is_translated_and_shown_whole(
    language: str, size: tuple[int, int]
) -> None:
    pygame.font.init()
    translate = translator(language)
    care = Care(PATH, lambda _: None)
    found: list[tuple[str, list[str]]] = [*start_messages()]
    found.append(("beside the play", [care.found_damaged_text()]))
    for name, told in found:
        state = replace(EXAMPLES[Mode.TURN], messages=tuple(told))
        view = present(state, 0, translate)
        canvas = paint(pygame.Surface(size, 0, 32), view, TABLE, Leafing())
        for message, banner in zip(told, view.banners, strict=True):
            assert (banner.text == message) is (language == "en"), f"{name}: {banner.text}"
        for placed in canvas.placed:
            assert not placed.text.endswith(words.ELLIPSIS), f"{name}: {placed}"
            assert placed.drawn.h > 0.9 * placed.box.h or placed.drawn.h >= canvas.px(11), f"{name}: {placed}"


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_shown_whole(language: str, size: tuple[int, int]) -> None:
    pygame.font.init()
    for name, view, leafing in scenes(language):
        canvas = paint(pygame.Surface(size, 0, 32), view, TABLE, leafing)
        for placed in canvas.placed:
            assert not placed.text.endswith(words.ELLIPSIS), f"{name}: {placed}"
            assert placed.drawn.h > 0.9 * placed.box.h or placed.drawn.h >= canvas.px(11), f"{name}: {placed}"


# -- the commands --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "cards", "said"),
    [
        ("en", 1, "Everybody has 1 card."),
        ("en", 7, "Everybody has 7 cards."),
        ("de", 1, "Alle haben 1 Karte."),
        ("de", 7, "Alle haben 7 Karten."),
    ],
)
def test_a_number_has_the_form_that_it_has_in_the_language(language: str, cards: int, said: str) -> None:
    match, ruling = apply(new_match(setup()), DealUnseen(cards))
    assert ruling_text(match, ruling, translator(language)).startswith(said)


def test_judge_and_rules_speak_german(tmp_path: Path) -> None:
    transcript = tmp_path / "match.table"
    transcript.write_text("players: Ann, Ben\n\ntable: deal 7\ntable: start r9\nAnn: b3\nAnn r5\n", encoding="utf-8")
    judged = CliRunner().invoke(lastcard, ["judge", "--lang", "de", str(transcript)])
    assert "Das passt nicht: blaue 3. Oben liegt: rote 9." in judged.stdout
    assert "Diese Zeile ist nicht lesbar. Der Doppelpunkt fehlt." in judged.stdout
    rules = CliRunner().invoke(lastcard, ["rules", "--lang", "de"]).stdout
    assert "Nur wer dran ist, darf eine Karte legen oder ziehen" in rules


def test_the_demonstration_speaks_german(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "table_app", "demo", "--lang", "de", "--speed", "max", "--display", "none"]
    command += ["--seconds", "20", "--directory", str(tmp_path)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert "Das passt nicht: rote 4. Oben liegt: grüner Richtungswechsel." in printed
    assert "Ana legt: " in printed

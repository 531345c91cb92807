"""Promises of the documentation: pages agree with the data, and the rulebook knows every rule that is cited."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from firmware_bridge.firmware import buttons
from hardware.gpio.devices import CLOSED_MS
from table_app.appliance.checks import BOX_SETTINGS, BOX_STATE
from table_app.cli import lastcard
from table_app.cli.cards.command import cards
from table_app.cli.judge import judge
from table_app.decks import (
    COPIES_MAXIMUM,
    DECK_KEYS,
    EFFECT_WORDS,
    FILE_BYTES_MAX,
    POINTS_MAXIMUM,
    SMALLEST_DECK,
    SPECIAL_KEYS,
    DeckFileError,
    load_deck,
)
from table_app.record.copies import COPIES_MAX
from table_app.rules import DECKS
from table_app.rules.rulebook import PARAGRAPHS
from table_app.setup.box_settings import CORNER_FILE, SET_UP_FILE
from table_app.tags.lists import COPY_EVERY

ROOT = Path(__file__).parent.parent


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", sorted(_generator().PAGES))
def test_generated_page_agrees_with_the_data(name: str) -> None:
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert page == _generator().PAGES[name](), "run: .venv/bin/python docs/generate.py"


def test_rulebook_page_has_every_paragraph() -> None:
    page = (ROOT / "docs" / "reference" / "rulebook.md").read_text(encoding="utf-8")
    for paragraph in PARAGRAPHS:
        assert f"**`{paragraph.name}`** {paragraph.text.split('{')[0]}" in page, paragraph.name


def test_every_rule_that_a_ruling_cites_is_in_the_rulebook() -> None:
    names = {paragraph.name for paragraph in PARAGRAPHS}
    cases = [str(path) for path in sorted((ROOT / "tests" / "cases").rglob("*.table"))]
    result = CliRunner().invoke(judge, ["--json", *cases])
    cited = {json.loads(line)["rule"] for line in result.stdout.splitlines()}
    assert len(cited) > 30
    assert cited <= names, f"the rulebook has no {sorted(cited - names)}"


def test_the_page_on_enrolling_names_commands_and_options_that_are_there() -> None:
    page = (ROOT / "docs" / "enrolling.md").read_text(encoding="utf-8")
    named = re.findall(r"lastcard ((?:cards )?\w+)((?: --[a-z]+)?)", page)
    assert {name for name, _ in named} >= {f"cards {name}" for name in cards.commands} | {"doctor"}
    for name, option in named:
        helped = CliRunner().invoke(lastcard, [*name.split(), "--help"])
        assert helped.exit_code == 0 and option.strip() in helped.output, f"{name} {option}"


PAGES = sorted([ROOT / "README.md", ROOT / "systemd/README.md", *(ROOT / "docs").rglob("*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_of_the_pages_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\((?!http)([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link


# -- deck files --------------------------------------------------------------------------------------------------

DECKS_PAGE = ROOT / "docs/decks/README.md"


def test_the_deck_of_the_page_on_deck_files_can_be_played_and_counts_what_it_says(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", DECKS_PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "own.toml").write_text(example, encoding="utf-8")
    deck = load_deck(tmp_path / "own.toml")
    kinds = {face.code: kind for face, kind in deck.kinds.items()}
    assert (deck.name, kinds["r1"].copies, kinds["g1"].copies, "b3" in kinds) == ("farm", 1, 2, False)
    assert (kinds["rs"].points, kinds["w"].points, kinds["b+2"].points) == (10, 20, 20)
    assert (kinds["when"].title, kinds["when"].copies, kinds["when"].points) == ("Wild Hen", 2, 40)


def test_the_page_on_deck_files_has_every_effect_key_limit_and_built_in_deck() -> None:
    page = DECKS_PAGE.read_text(encoding="utf-8")
    effects = re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)
    assert set(effects) == set(EFFECT_WORDS)
    for key in (*DECK_KEYS, *SPECIAL_KEYS):
        assert re.search(rf"(?:^|\[){key}(?: =|\]\]?)", page, re.MULTILINE) or f"`{key} =" in page, key
    assert f"at most {COPIES_MAXIMUM} times" in page and f"at most {POINTS_MAXIMUM}." in page
    assert f"has {SMALLEST_DECK} cards at least" in page and f"at most {FILE_BYTES_MAX // 1024} kB" in page
    for name in DECKS:
        assert f"`{name}`" in page


def test_the_faults_on_the_page_on_deck_files_are_told_just_so(tmp_path: Path) -> None:
    (tmp_path / "farm.toml").write_text(
        'name = "farm"\n\n[cards]\n1 = 2\n2 = 2\n3 = 2\n9 = 2\nq7 = 1\n\n[points]\n\n9 = 2000\n', encoding="utf-8"
    )
    with pytest.raises(DeckFileError) as caught:
        load_deck(tmp_path / "farm.toml")
    page = DECKS_PAGE.read_text(encoding="utf-8")
    for problem in caught.value.problems:
        assert f"    {problem.text(Path('farm.toml'))}\n" in page


# -- other pages ---------------------------------------------------------------------------------------------------


def test_the_page_on_wires_has_the_debouncer_s_numbers() -> None:
    page = (ROOT / "docs/how-to/wires.md").read_text(encoding="utf-8")
    assert f"**{CLOSED_MS} ms**" in page and CLOSED_MS == buttons.CLOSED_MS


def test_the_page_on_the_record_has_the_numbers_of_the_lists_copies() -> None:
    page = (ROOT / "docs/how-to/record.md").read_text(encoding="utf-8")
    assert f"every {COPY_EVERY} tags" in page and COPIES_MAX == 5


def test_the_page_on_whose_table_is_meant_names_the_places_of_the_box() -> None:
    page = (ROOT / "docs/how-to/whose-table.md").read_text(encoding="utf-8")
    for place in (f"/{BOX_SETTINGS}", f"/{BOX_STATE}", SET_UP_FILE, CORNER_FILE):
        assert f"`{place}`" in page


def test_what_the_program_needs_ends_before_the_version_that_may_break_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(line for extra in project["optional-dependencies"].values() for line in extra),
    ]
    for line in wanted:
        assert re.search(r"<\d|==\d", line.partition(";")[0]), line


def test_the_tutorial_s_round_goes_as_it_says(tmp_path: Path) -> None:
    lines = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8").splitlines()
    settings = [line.strip() for line in lines if line.startswith(("    [table]", "    players =", "    cards-each ="))]
    (tmp_path / "practice.toml").write_text("\n".join(settings) + "\n", encoding="utf-8")
    typed = [line.removeprefix("    > ") for line in lines if line.startswith("    > ")]
    said = [line.strip() for line in lines if line.startswith(("    ✓", "    ✗"))]
    command = next(line.strip() for line in lines if line.startswith("    lastcard play")).split()[1:]
    command[command.index("/tmp/practice")] = "record"
    done = subprocess.run(
        [sys.executable, "-m", "table_app", *command],
        input="\n".join(typed) + "\n",
        cwd=tmp_path,
        env={**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    heard = [line for line in done.stdout.splitlines() if line.startswith(("✓", "✗"))]
    assert heard == said, done.stdout + done.stderr

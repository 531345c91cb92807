"""Promises of the documentation: pages agree with the data, and the rulebook knows every rule that is cited."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from table_app.cli import lastcard
from table_app.cli.cards import cards
from table_app.cli.judge import judge
from table_app.rules.rulebook import PARAGRAPHS

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


@pytest.mark.parametrize("link", re.findall(r"\]\((?!http)([^)#]+)\)", (ROOT / "docs/enrolling.md").read_text("utf-8")))
def test_links_of_the_page_on_enrolling_lead_somewhere(link: str) -> None:
    assert (ROOT / "docs" / link).exists()

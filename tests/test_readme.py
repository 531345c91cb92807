"""The README keeps its word: its commands exist, its examples print what stands there."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from click.testing import CliRunner

from table_app.cli import COMMANDS, lastcard
from table_app.cli.judge import judge

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = [textwrap.dedent(found[0]) for found in re.finditer(r"(?m)(?:^    .*\n(?:\n(?=    ))?)+", README)]


def _block(start: str) -> str:
    return next(block for block in BLOCKS if block.startswith(start))


def test_every_command_that_the_readme_names_is_there() -> None:
    named = set(re.findall(r"`lastcard (\w+)", README))
    assert named
    assert named <= set(COMMANDS)
    for name in named:
        assert CliRunner().invoke(lastcard, [name, "--help"]).exit_code == 0


def test_every_command_is_in_the_readme() -> None:
    assert set(COMMANDS) <= set(re.findall(r"`lastcard (\w+)", README))


def test_the_dispute_is_settled_as_the_readme_says(tmp_path: Path) -> None:
    dispute = tmp_path / "dispute.table"
    dispute.write_text(_block("players:"), encoding="utf-8")
    printed = CliRunner().invoke(judge, [str(dispute)]).stdout
    assert _block("7 ✓").strip() in printed


def test_the_refused_play_is_one_that_the_demonstration_really_shows(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "table_app", "demo", "--speed", "max", "--display", "none"]
    command += ["--seconds", "20", "--directory", str(tmp_path)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    words = " ".join(_block("4.2 s").split())
    assert words in [" ".join(re.sub(r"#\d", "", line).split()) for line in printed.splitlines()]


@pytest.mark.parametrize("link", re.findall(r"\]\((?!http)([^)#]+)\)", README))
def test_links_lead_somewhere(link: str) -> None:
    assert (ROOT / link).exists()

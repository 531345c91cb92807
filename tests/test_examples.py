"""The example programs do what their first lines say, on nothing but the packages' doors."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROMISES = {
    "judge_a_match.py": ((), "line 6: Ann: g4: The green 4 does not go on the red 9."),
    "read_tags.py": (("simulated",), "04:1a:2b:3c:4d:5e:80 is there\n04:1a:2b:3c:4d:5e:80 has gone"),
    "buzzer.py": (("show",), "2600 Hz for 200 ms"),
    "own_table.py": ((), "✗ @2 Cy: g7#1 - The green 7 does not go on the blue 2."),
    "simulated_evening.py": (("3",), "minutes of their time"),
}


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_an_example_prints_what_it_promises(path: Path, tmp_path: Path) -> None:
    arguments, promised = PROMISES[path.name]
    done = subprocess.run(
        [sys.executable, path, *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert promised in done.stdout

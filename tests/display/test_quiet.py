"""Where there is no desktop, nothing but our own sentences stands on the terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from table_app.display.errors import NoDisplayError, why_no_display
from table_app.display.quiet import runtime_directory

WINDOW = """
from table_app.display.errors import NoDisplayError
from table_app.display.window import TableWindow
try:
    TableWindow(lambda: 0)
except NoDisplayError as error:
    print(error)
"""


def test_without_a_desktop_no_library_complains() -> None:
    wanted = ("PATH", "HOME", "PYTHONPATH", "LD_LIBRARY_PATH")
    environment = {key: value for key, value in os.environ.items() if key in wanted}
    environment |= {"PYGAME_HIDE_SUPPORT_PROMPT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", WINDOW], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert "No window can be opened" in done.stdout


def test_a_runtime_directory_that_was_missing_is_gone_afterwards_and_a_given_one_stays(tmp_path: Path) -> None:
    given = {"XDG_RUNTIME_DIR": str(tmp_path)}
    with runtime_directory(given):
        assert given == {"XDG_RUNTIME_DIR": str(tmp_path)}
    missing: dict[str, str] = {}
    with runtime_directory(missing):
        made = Path(missing["XDG_RUNTIME_DIR"])
        assert made.is_dir()
    own = Path(f"/run/user/{os.getuid()}")
    assert made == own or (not made.exists() and not missing)


def test_what_a_pygame_for_older_processors_says_of_itself_is_not_shown() -> None:
    said = "Your system is avx2 capable but pygame was not built with support for it."
    program = f"import table_app.display, warnings; warnings.warn({said!r}, RuntimeWarning); warnings.warn('else')"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)
    assert "avx2" not in done.stderr.replace(program, "") and "UserWarning: else" in done.stderr


@pytest.mark.parametrize("screen", [{}, {"DISPLAY": ":9"}, {"SDL_VIDEODRIVER": "nothing"}], ids=str)
def test_why_no_window_opens_is_said_in_the_language_of_the_table(
    screen: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    for name, value in screen.items():
        monkeypatch.setenv(name, value)
    asked: list[str] = []

    def translate(message: str) -> str:
        asked.append(message)
        return f"{message} (hier)"

    error = NoDisplayError(why_no_display("SDL says so"))
    assert str(error).startswith("No window can be opened") and "SDL says so" in str(error)
    assert error.words(translate) == f"{error} (hier)"
    assert NoDisplayError(error.words(translate)).words(translate) == f"{error} (hier)", "said once, it stays"
    assert len(asked) == 2 and all("{reason}" in message for message in asked), "what the catalogue holds"

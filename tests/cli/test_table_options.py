"""What the settings say of a table beside its rules, and the sentences where they can't be meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from table_app.settings import SettingsError, read_settings
from table_app.table.options import table_options


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('colours = ["pink", "teal", "pink"]', "pink twice; give each seat its own"),
        ('colours = ["mauve"]', "there are orange, sky"),
    ],
)
def test_colours_that_can_not_be_are_refused_with_what_to_do(line: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "lastcard.toml"
    path.write_text(f'[table]\nplayers = ["Ann", "Ben", "Cy"]\n{line}\n')
    with pytest.raises(SettingsError, match=words):
        table_options(read_settings(path))

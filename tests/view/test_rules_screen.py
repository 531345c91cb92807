"""The rules in force can be read on the screen, before the first deal and any time after, and never hide the play."""

from __future__ import annotations

from table_app.rules.rulebook import rulebook
from table_app.view.present import present
from table_app.view.table_view import TextScreen
from tests.table.rig import Rig, table_at


def test_before_the_first_deal_the_rules_are_one_press_away() -> None:
    rig = Rig()
    assert "rules" in [control.button for control in present(rig.state, rig.now_ms).controls]
    rig.press("rules")
    screen = present(rig.state, rig.now_ms).screen
    assert isinstance(screen, TextScreen)
    for name, text in rulebook(rig.setup):
        assert f"# {name}" in screen.paragraphs
        assert text in screen.paragraphs
    rig.press("rules")
    assert present(rig.state, rig.now_ms).screen is None


def test_a_card_laid_while_somebody_reads_brings_the_table_back() -> None:
    rig = Rig()
    rig.begin()
    rig.press("rules")
    assert present(rig.state, rig.now_ms).screen is not None
    rig.tap("r3")
    view = present(rig.state, rig.now_ms)
    assert view.screen is None
    assert view.headline is not None and "red 3" in view.headline.text


def test_the_key_that_opened_the_rules_puts_them_away_again() -> None:
    rig = Rig()
    rig.begin()
    rig.press("rules")
    (back,) = present(rig.state, rig.now_ms).controls
    assert (back.button, back.key, back.other_key) == ("rules", "escape", "r")
    opener = next(control for control in present(table_at([]), 0).controls if control.button == "rules")
    assert opener.key == back.other_key

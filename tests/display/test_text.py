"""Whatever people type as a name is drawn or left out, and never stops the table."""

from __future__ import annotations

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_app.display import text as words

pygame.font.init()


@given(st.text(max_size=60))
def test_any_text_at_all_can_be_drawn(typed: str) -> None:
    tidy = words.clean(typed)
    fitted = words.fit(tidy, True, 120, 40, 24, 10)
    for line in fitted.lines:
        picture = words.picture(line, fitted.size, True, (255, 255, 255))
        assert picture.get_width() <= 120


@pytest.mark.parametrize("typed", ["Ana\x00", "\x07Ana", "A\u200bna", "\u202eAna", "Ana\ud800", "  Ana\r\n\t"])
def test_what_cannot_be_seen_is_left_out(typed: str) -> None:
    assert words.clean(typed) == "Ana"


def test_a_letter_with_its_accent_apart_is_put_together() -> None:
    assert words.clean("Nova\u0301kova\u0301") == "Nováková"


def test_a_long_text_shrinks_before_it_is_cut() -> None:
    short = words.fit_line("Ben", True, 100, 40, 24, 12)
    longer = words.fit_line("Bartholomew", True, 100, 40, 24, 12)
    longest = words.fit_line("Bartholomew Featherstonehaugh", True, 100, 40, 24, 12)
    assert short == words.Fitted(24, ("Ben",))
    assert 12 <= longer.size < 24
    assert longer.lines == ("Bartholomew",)
    assert longest.size == 12
    assert longest.lines[0].startswith("Barth")
    assert longest.lines[0].endswith(words.ELLIPSIS)


# Letters, digits and blanks of Latin-1, in words that Debian 12's Hypothesis knows too.
LATIN = [letter for letter in map(chr, range(256)) if letter.isalnum() or letter in " \u00a0"]


@given(st.text(st.sampled_from(LATIN), max_size=200), st.integers(30, 300))
def test_wrapping_loses_no_letter(typed: str, widest: int) -> None:
    tidy = words.clean(typed)
    lines = words.wrap(tidy, 14, False, widest)
    assert "".join(lines).replace(" ", "") == tidy.replace(" ", "")
    assert all(words.width(line, 14, False) <= widest for line in lines)


def test_a_million_letters_take_no_longer_than_a_thousand() -> None:
    assert len(words.clean("a" * 1_000_000)) == words.LONGEST_TEXT


def test_a_number_stays_with_its_word() -> None:
    said = words.clean("Dealt:  each\N{NO-BREAK SPACE}7")
    assert said == "Dealt: each\N{NO-BREAK SPACE}7"
    assert words.wrap(said, 20, True, words.width("Dealt: each", 20, True)) == ["Dealt:", "each\N{NO-BREAK SPACE}7"]

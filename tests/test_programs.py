"""A missing program never passes for a test that ran."""

from __future__ import annotations

import pytest

from tests.programs import REQUIRE_VARIABLE, requires_program


def test_a_missing_program_skips_and_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(REQUIRE_VARIABLE, raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"no-such-program.*package no-such-package"):
        requires_program("no-such-program", "no-such-package")


def test_where_programs_are_required_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REQUIRE_VARIABLE, "1")
    with pytest.raises(pytest.fail.Exception, match="no-such-package"):
        requires_program("no-such-program", "no-such-package")


def test_a_program_that_is_there_is_found() -> None:
    assert requires_program("sh", "dash").endswith("/sh")

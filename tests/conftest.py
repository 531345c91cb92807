"""What holds for all tests: Hypothesis finds the same on every machine, however slow, and keeps no files."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("everywhere", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile("everywhere")

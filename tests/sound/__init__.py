"""Tests of what is heard, with the real mixer."""

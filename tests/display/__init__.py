"""Tests of the screen, with real pygame."""

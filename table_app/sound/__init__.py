"""What the table sounds like: patterns for a buzzer, and a loudspeaker that stands in for one."""

from __future__ import annotations

from table_app.sound.patterns import PATTERNS, BuzzerCue, duration_ms, pattern_for

__all__ = ["PATTERNS", "BuzzerCue", "duration_ms", "pattern_for"]

"""What the host's half of the conversation counts; nothing is counted here, that is ``link``'s."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge.frames import FrameCounters


@dataclass(slots=True)
class LinkCounters:
    """What was dropped or done twice on the host's side, for ``lastcard firmware status``."""

    frames: FrameCounters = field(default_factory=FrameCounters)
    unknown: int = 0
    """Frames with a right check sum whose content can't be."""
    stale: int = 0
    """Frames of another session."""
    doubled: int = 0
    """Events that had been taken already."""
    early: int = 0
    """Events that came before a lost one, and will come again."""
    repeated: int = 0
    """Commands that had to be sent again."""
    crowded: int = 0
    """Events refused for now because nobody had taken those before."""
    sessions: int = 0

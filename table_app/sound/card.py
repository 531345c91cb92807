"""Whether there is a sound card, asked before anybody opens one. No sound is made here, and pygame is not needed."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def has_sound_card(environment: Mapping[str, str] = os.environ, root: Path = Path("/")) -> bool:
    """Whether there is anything to play on; asked before SDL tries, because ALSA's library complains on the terminal.

    On Linux: a card's playback device (``/dev/snd/pcm…p``) or a sound server. Elsewhere, or where another driver than
    ALSA was asked for by name, SDL finds out by itself.
    """
    driver = environment.get("SDL_AUDIODRIVER", "")
    if not sys.platform.startswith("linux") or driver not in ("", "alsa"):
        return True
    if driver != "alsa":
        runtime = environment.get("XDG_RUNTIME_DIR", "")
        if environment.get("PULSE_SERVER"):
            return True
        if runtime and any((Path(runtime) / name).exists() for name in ("pulse/native", "pipewire-0")):
            return True
    return any((root / "dev" / "snd").glob("pcm*p"))

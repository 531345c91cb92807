"""Lets a laptop's loudspeakers sound what the simulated buzzer's pin does: a square wave, on or off.

Which cue sounds when is not known here, and there is no thread and no clock: whoever moves the pin says so,
and pygame's mixer plays on by itself. Where there is no sound the table plays on without it.
"""

from __future__ import annotations

from array import array
from functools import lru_cache

import pygame

from table_app.sound.card import has_sound_card

RATE_HZ = 44_100
# 512 frames are 12 ms: the shortest cue, a tick of 15 ms, still comes out as a tick.
BUFFER_FRAMES = 512
FULL_SCALE = 32_767
# The loop must hold whole periods, or it clicks; about this long keeps the pitch right within 0.3 %.
LOOP_MS = 200
# What a small loudspeaker can play at all.
LOWEST_HZ, HIGHEST_HZ = 40.0, 12_000.0
# Of full scale. A square wave is far louder than speech at the same peak; the first is a polite buzzer, the second
# is heard at the table and not in the next room.
LOUD, QUIET = 0.18, 0.04
# Patterns know about a dozen pitches.
WAVE_CACHE = 32


@lru_cache(maxsize=WAVE_CACHE)
def square_wave(frequency_hz: float, rate_hz: int, channels: int, loudness: float) -> bytes:
    """Signed 16-bit samples of a square wave: a whole number of periods, about ``LOOP_MS`` long. *loudness* is its peak
    as a share of full scale.

    The pitch of the loop is that of whole samples, which is within 0.3 % of *frequency_hz*.
    """
    periods = max(1, round(frequency_hz * LOOP_MS / 1000))
    frames = max(2, round(periods * rate_hz / frequency_hz))
    high = round(FULL_SCALE * loudness)
    samples = array("h")
    for frame in range(frames):
        level = high if (2 * periods * frame // frames) % 2 == 0 else -high
        samples.extend([level] * channels)
    return samples.tobytes()


class Loudspeaker:
    """Plays what a buzzer's pin does. *problem* is empty, or one sentence on why nothing is heard."""

    def __init__(self, *, quiet: bool = False) -> None:
        """Open the mixer; where that fails the object is silent and says why in *problem*."""
        self.problem = ""
        self._loudness = QUIET if quiet else LOUD
        self._channel: pygame.mixer.Channel | None = None
        self._sounds: dict[float, pygame.mixer.Sound] = {}
        self._rate_hz, self._channels = RATE_HZ, 1
        if not has_sound_card():
            self.problem = (
                "The buzzer is not heard: this machine has no sound card. The table plays on and shows everything."
            )
            return
        try:
            pygame.mixer.init(RATE_HZ, -16, 1, BUFFER_FRAMES)
            got = pygame.mixer.get_init()
            if not got or got[1] != -16:
                raise pygame.error("the sound card takes no 16-bit samples")
            self._rate_hz, _, self._channels = got
            self._channel = pygame.mixer.Channel(0)
        except (pygame.error, NotImplementedError, ImportError) as reason:
            self.problem = (
                f"The buzzer is not heard: no sound can be played here ({reason}). "
                "Check the sound settings; the table plays on and shows everything."
            )

    def pin_changed(self, frequency_hz: float | None) -> None:
        """The pin began to swing at *frequency_hz*, or fell silent (None or 0)."""
        if self._channel is None:
            return
        try:
            if not frequency_hz:
                self._channel.stop()
                return
            pitch = min(max(float(frequency_hz), LOWEST_HZ), HIGHEST_HZ)
            self._channel.play(self._sound(pitch), loops=-1)
        except pygame.error as reason:  # the sound card was taken out
            self._channel = None
            self.problem = f"The buzzer is not heard any more ({reason}). Check the sound settings and start again."

    def _sound(self, frequency_hz: float) -> pygame.mixer.Sound:
        if frequency_hz not in self._sounds:
            if len(self._sounds) >= WAVE_CACHE:
                self._sounds.clear()
            wave = square_wave(frequency_hz, self._rate_hz, self._channels, self._loudness)
            self._sounds[frequency_hz] = pygame.mixer.Sound(buffer=wave)
        return self._sounds[frequency_hz]

    def close(self) -> None:
        """Fall silent and give the sound card back; may be called twice."""
        if self._channel is not None:
            self._channel.stop()
            self._channel = None
        self._sounds.clear()
        if pygame.mixer.get_init():
            pygame.mixer.quit()

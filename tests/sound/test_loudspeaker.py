"""What the pin does is heard: real samples out of SDL's mixer, written to a file by its disk driver.

The file is the clock: it grows as the sound card would play, so durations are counted in samples, not in
seconds.
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from table_app.sound.card import has_sound_card
from table_app.sound.loudspeaker import BUFFER_FRAMES, RATE_HZ, Loudspeaker

BYTES_A_FRAME = 2
# Ten seconds on a machine that does nothing else for us; the file normally grows every 12 ms.
MOST_LOOKS = 2000


@pytest.fixture
def recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    path = tmp_path / "sound.raw"
    monkeypatch.setenv("SDL_AUDIODRIVER", "disk")
    monkeypatch.setenv("SDL_DISKAUDIOFILE", str(path))
    yield path
    pygame.mixer.quit()


def let_it_play(path: Path, frames: int) -> int:
    """Wait until *frames* more are in the file; the number that is in it then."""

    def length() -> int:
        return path.stat().st_size // BYTES_A_FRAME if path.exists() else 0

    wanted = length() + frames
    for _ in range(MOST_LOOKS):
        if length() >= wanted:
            return length()
        threading.Event().wait(0.005)
    raise AssertionError(f"the recording stopped growing at {length()} frames")


def samples(path: Path) -> array[int]:
    data = path.read_bytes()
    read = array("h")
    read.frombytes(data[: len(data) // 2 * 2])
    return read


def sounding(recorded: array[int]) -> tuple[int, int]:
    """Where the first stretch that is not silent begins and ends."""
    begin = next(index for index, sample in enumerate(recorded) if sample)
    end = next((index for index in range(begin, len(recorded)) if not recorded[index]), len(recorded))
    return begin, end


def pitch_hz(stretch: array[int]) -> float:
    rises = [i for i in range(1, len(stretch)) if stretch[i - 1] < 0 < stretch[i]]
    return (len(rises) - 1) * RATE_HZ / (rises[-1] - rises[0])


@pytest.mark.parametrize("frequency_hz", [420.0, 900.0, 2100.0, 2600.0])
def test_the_loudspeaker_plays_the_pins_frequency(recording: Path, frequency_hz: float) -> None:
    speaker = Loudspeaker()
    assert speaker.problem == ""
    speaker.pin_changed(frequency_hz)
    let_it_play(recording, RATE_HZ // 2)
    speaker.pin_changed(None)
    let_it_play(recording, 2 * BUFFER_FRAMES)
    speaker.close()
    recorded = samples(recording)
    begin, end = sounding(recorded)
    assert pitch_hz(recorded[begin:end]) == pytest.approx(frequency_hz, rel=0.004)


def test_it_sounds_exactly_as_long_as_the_pin_swings(recording: Path) -> None:
    speaker = Loudspeaker()
    before = let_it_play(recording, RATE_HZ // 10)
    speaker.pin_changed(2100.0)
    after = let_it_play(recording, RATE_HZ // 5)
    speaker.pin_changed(None)
    let_it_play(recording, RATE_HZ // 5)
    speaker.close()
    recorded = samples(recording)
    begin, end = sounding(recorded)
    # Between a look at the file and the change of the pin the mixer may go on by a few buffers.
    slack = 6 * BUFFER_FRAMES
    assert begin == pytest.approx(before, abs=slack)
    assert end - begin == pytest.approx(after - before, abs=slack)
    assert not any(recorded[end:]), "it must stay silent once the pin is"


def test_a_new_frequency_takes_the_place_of_the_old_one(recording: Path) -> None:
    speaker = Loudspeaker()
    speaker.pin_changed(2600.0)
    let_it_play(recording, RATE_HZ // 4)
    speaker.pin_changed(1500.0)
    let_it_play(recording, RATE_HZ // 4)
    speaker.close()
    recorded = samples(recording)
    begin, end = sounding(recorded)
    eighth = RATE_HZ // 8
    assert pitch_hz(recorded[begin : begin + eighth]) == pytest.approx(2600, rel=0.004)
    assert pitch_hz(recorded[end - eighth : end]) == pytest.approx(1500, rel=0.004)


def test_without_a_sound_card_it_is_silent_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "no-such-driver")
    pygame.mixer.quit()
    speaker = Loudspeaker()
    assert "not heard" in speaker.problem
    assert speaker.problem.endswith(".")
    speaker.pin_changed(2100.0)
    speaker.pin_changed(None)
    speaker.close()
    speaker.close()


def test_a_machine_without_a_sound_card_is_known_before_anything_complains(tmp_path: Path) -> None:
    assert not has_sound_card({}, tmp_path)
    (tmp_path / "dev" / "snd").mkdir(parents=True)
    (tmp_path / "dev" / "snd" / "pcmC0D0c").touch()
    assert not has_sound_card({}, tmp_path), "a microphone plays nothing"
    (tmp_path / "dev" / "snd" / "pcmC0D0p").touch()
    assert has_sound_card({}, tmp_path)


@pytest.mark.parametrize("environment", [{"SDL_AUDIODRIVER": "disk"}, {"PULSE_SERVER": "tcp:there"}])
def test_a_driver_or_a_server_asked_for_by_name_is_tried(environment: dict[str, str], tmp_path: Path) -> None:
    assert has_sound_card(environment, tmp_path)


def test_a_sound_server_of_the_user_is_enough(tmp_path: Path) -> None:
    (tmp_path / "pipewire-0").touch()
    assert has_sound_card({"XDG_RUNTIME_DIR": str(tmp_path)}, tmp_path)

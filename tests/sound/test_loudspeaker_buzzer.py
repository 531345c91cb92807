"""A table without a buzzer sounds on its sound card, as loud as the settings say, and nobody waits for it."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import table_app.table.devices as devices_module
from firmware_bridge.access import Identity
from hardware.diagnosis.checks import Status
from hardware.diagnosis.reader import Machine
from hardware.ports import Tone
from table_app.appliance.checks import Voice, check_audio
from table_app.cli.cards.tapping import open_sounds
from table_app.rules import DECKS
from table_app.settings import read_settings
from table_app.sound import PATTERNS, BuzzerCue
from table_app.sound.loudspeaker import LOUD, QUIET, Loudspeaker
from table_app.sound.loudspeaker_buzzer import LoudspeakerBuzzer
from table_app.table.devices import Devices, open_devices
from table_app.table.threads import ThreadedBuzzer
from tests.sound.test_loudspeaker import let_it_play, recording, samples, sounding
from tests.systemd.trees import put

__all__ = ["recording"]
LONGEST_S = 30.0


@pytest.mark.parametrize(("quiet", "loudness"), [(False, LOUD), (True, QUIET)])
def test_a_pattern_is_played_in_time_and_as_loud_as_it_shall_be(recording: Path, quiet: bool, loudness: float) -> None:
    buzzer = LoudspeakerBuzzer(quiet=quiet)
    buzzer.open()
    assert buzzer.problem == ""
    buzzer.sound((Tone(900, 100, 50), Tone(900, 100)), 1_000)
    let_it_play(recording, 4410)
    buzzer.poll(1_100)
    let_it_play(recording, 2205)
    buzzer.poll(1_150)
    let_it_play(recording, 4410)
    buzzer.poll(1_250)
    let_it_play(recording, 2205)
    buzzer.close()
    buzzer.close()
    recorded = samples(recording)
    assert max(recorded) == pytest.approx(32_767 * loudness, rel=0.01)
    _, end = sounding(recorded)
    again, last = sounding(recorded[end:])
    assert again > 0 and last > again, "two tones, and a silence between them"
    assert not any(recorded[end + last :])


def opened(tmp_path: Path, pins: str, reader: str = "none") -> Devices:
    file = tmp_path / "lastcard.toml"
    file.write_text(f"[pins]\nuse = 'off'\n{pins}", encoding="utf-8")
    return open_devices(read_settings(file), reader, DECKS["classic"], lambda: 0, lambda: None)


@pytest.mark.parametrize(
    ("pins", "is_heard"),
    [
        ("", True),
        ("sound = 'loudspeaker'\n", True),
        ("sound = 'buzzer'\n", False),
        ("buzzer-loudness = 'off'\n", False),
        ("sound = 'loudspeaker'\nbuzzer-loudness = 'off'\n", False),
    ],
)
def test_where_no_buzzer_opens_the_sound_card_is_used_unless_the_settings_say_otherwise(
    pins: str, is_heard: bool, tmp_path: Path, recording: Path
) -> None:
    devices = opened(tmp_path, pins)
    assert (devices.buzzer is not None) is is_heard and devices.messages == ()
    if devices.buzzer is not None:
        devices.buzzer.sound(PATTERNS[BuzzerCue.MISSED_CALL], 0)
        let_it_play(recording, 2205)
    devices.close()
    assert recording.exists() is is_heard
    if is_heard:
        assert any(samples(recording))


def test_a_board_has_a_buzzer_of_its_own_unless_a_loudspeaker_was_asked_for(tmp_path: Path, recording: Path) -> None:
    devices = opened(tmp_path, "", "serial:/dev/none")
    assert devices.buzzer is not None
    devices.close()
    assert not recording.exists()
    devices = opened(tmp_path, "sound = 'loudspeaker'\n", "serial:/dev/none")
    let_it_play(recording, 441)
    devices.close()


def test_a_loudspeaker_that_was_insisted_on_and_is_not_there_is_told_and_any_other_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices_module, "has_sound_card", lambda: False)
    assert opened(tmp_path, "").messages == ()
    silent = opened(tmp_path, "sound = 'loudspeaker'\n")
    assert silent.buzzer is None and "no sound card" in silent.messages[0]


def test_a_sound_card_that_hangs_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opened on the buzzer's own thread: what is sounded meanwhile is asked for at once, and heard later or never."""
    is_asked, goes_on = threading.Event(), threading.Event()

    def hanging(self: LoudspeakerBuzzer) -> None:
        is_asked.set()
        goes_on.wait(LONGEST_S)

    monkeypatch.setattr(LoudspeakerBuzzer, "open", hanging)
    speaker = LoudspeakerBuzzer()
    threaded = ThreadedBuzzer(speaker, lambda: 0, speaker.open)
    assert is_asked.wait(LONGEST_S)
    threaded.sound(PATTERNS[BuzzerCue.TICK], 0)
    threaded.poll(0)
    goes_on.set()
    threaded.close()


def test_tapping_sounds_by_the_same_settings(tmp_path: Path, recording: Path) -> None:
    file = tmp_path / "lastcard.toml"
    for pins, in_window, is_heard in (
        ("", True, True),
        ("", False, False),
        ("sound = 'loudspeaker'\n", False, True),
        ("buzzer-loudness = 'off'\n", True, False),
        ("sound = 'buzzer'\n", True, False),
    ):
        recording.unlink(missing_ok=True)
        file.write_text(f"[pins]\nuse = 'off'\n{pins}", encoding="utf-8")
        open_sounds(read_settings(file), has_window=in_window).close()
        assert recording.exists() is is_heard, pins


def test_a_pin_is_free_where_the_loudspeaker_takes_the_buzzers_place(tmp_path: Path) -> None:
    file = tmp_path / "lastcard.toml"
    file.write_text("[pins]\nsound = 'loudspeaker'\n[buttons]\ndraw = 18\n", encoding="utf-8")
    assert read_settings(file).pins("buttons") == {"draw": 18}


def test_a_speaker_without_a_sound_driver_is_silent_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "no-such-driver")
    buzzer = LoudspeakerBuzzer()
    buzzer.sound((Tone(900, 10),), 0)
    buzzer.open()
    assert "not heard" in buzzer.problem and Loudspeaker().problem
    buzzer.sound((Tone(900, 10),), 0)
    buzzer.close()


# -- the doctor --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("has_card", "voice", "status", "said"),
    [
        (True, Voice(), Status.PASSED, "where no buzzer opens, loud"),
        (True, Voice("loudspeaker", "quiet"), Status.PASSED, "the table's voice, quiet"),
        (True, Voice("buzzer"), Status.PASSED, "buzzer alone"),
        (True, Voice(loudness="off"), Status.NOT_CHECKED, "no sound"),
        (False, Voice(), Status.NOT_CHECKED, "only voice"),
        (False, Voice("loudspeaker"), Status.FAILED, "ask for a loudspeaker"),
    ],
)
def test_the_doctor_says_what_the_table_sounds_with(
    has_card: bool, voice: Voice, status: Status, said: str, tmp_path: Path
) -> None:
    if has_card:
        put(tmp_path, "proc/asound/cards", " 0 [Headphones     ]: bcm2835 - Headphones\n      bcm2835\n")
    check = check_audio(Machine(tmp_path, Identity(0, frozenset({0}))), voice)
    assert check.status is status and said in check.sentence
    assert bool(check.fix) is (status is Status.FAILED)

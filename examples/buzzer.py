"""Sound a pattern on the buzzer: here that of a missed call.

python examples/buzzer.py        a buzzer on GPIO 18 of a Raspberry Pi
python examples/buzzer.py show   print what would sound
"""

from __future__ import annotations

import sys
import time

from hardware import HardwareError, Pattern, open_buzzer
from table_app.sound import PATTERNS, BuzzerCue

PIN = 18


def as_text(pattern: Pattern) -> str:
    """A pattern to be read: pitch and length of each tone, and the pause after it."""
    return ", ".join(f"{tone.frequency_hz} Hz for {tone.on_ms} ms, {tone.off_ms} ms of silence" for tone in pattern)


def main() -> None:
    pattern = PATTERNS[BuzzerCue.MISSED_CALL]
    if sys.argv[1:] == ["show"]:
        print(as_text(pattern))
        return
    try:
        buzzer = open_buzzer(PIN, passive=True)
    except HardwareError as error:
        sys.exit(str(error))
    begun = time.monotonic()
    buzzer.sound(pattern, 0)
    length_ms = sum(tone.on_ms + tone.off_ms for tone in pattern)
    while (now_ms := int((time.monotonic() - begun) * 1_000)) <= length_ms:
        buzzer.poll(now_ms)
        time.sleep(0.005)
    buzzer.close()


if __name__ == "__main__":
    main()

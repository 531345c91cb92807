"""Read tags without any game: print what comes onto the reader and what goes.

python examples/read_tags.py             an RC522 on SPI
python examples/read_tags.py simulated   a simulated reader, onto which one simulated tag is laid
"""

from __future__ import annotations

import sys
import time

from hardware import DeviceLost, HardwareError, SeveralTags, TagPlaced, TagReader, TagRemoved, open_reader
from hardware.simulated import Ntag213, SimulatedPad

LOOK_EVERY_S = 0.025


def told(reader: TagReader, now_ms: int) -> list[str]:
    """What the reader noticed since it was last asked, in words."""
    words = []
    for signal in reader.poll(now_ms):
        match signal:
            case TagPlaced(uid=uid):
                words.append(f"{uid.hex(':')} is there")
            case TagRemoved(uid=uid):
                words.append(f"{uid.hex(':')} has gone")
            case SeveralTags():
                words.append("several tags at once: lay one at a time")
            case DeviceLost(reason=reason):
                words.append(f"the reader stopped answering: {reason}")
    return words


def simulate() -> None:
    """Lay a simulated tag onto a simulated reader and lift it again, in virtual time."""
    pad, tag = SimulatedPad(), Ntag213(bytes.fromhex("041a2b3c4d5e80"))
    pad.poll(0)
    pad.place(tag)
    for now_ms in range(0, 3_000, 25):
        if now_ms == 1_000:
            pad.lift(tag)
        for words in told(pad, now_ms):
            print(words)
    pad.close()


def main() -> None:
    if sys.argv[1:] == ["simulated"]:
        simulate()
        return
    try:
        reader = open_reader()
    except HardwareError as error:
        sys.exit(str(error))
    try:
        while True:
            for words in told(reader, int(time.monotonic() * 1_000)):
                print(words)
            time.sleep(LOOK_EVERY_S)
    except KeyboardInterrupt:
        reader.close()


if __name__ == "__main__":
    main()

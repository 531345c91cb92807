"""What reading costs: transfers, air time and the wait for TagPlaced, beside the PyPI package ``mfrc522``.

``python tests/benchmarks/reader.py`` prints one JSON object. All of it is virtual time on the simulated
chip, so that every run gives the same figures; a transfer counts 20 µs and its bits at 1 MHz. The package's
figure is null if ``mfrc522`` is not installed (``pip install --no-deps mfrc522==0.0.7``).
"""

from __future__ import annotations

import importlib
import json
import random
import sys
import warnings
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from hardware.signals import TagPlaced
from hardware.simulated import Ntag213, SimulatedPad, VirtualClock, rpi_gpio
from hardware.simulated import spidev as simulated_spidev
from hardware.simulated.chip import SimulatedMfrc522
from hardware.simulated.field import Field
from hardware.simulated.gpio import SimulatedGpio
from hardware.tags import iso14443a
from hardware.tags.iso14443a import Tag
from hardware.tags.reader import POLL_PERIOD_MS
from hardware.tags.type2 import Type2Tag

UID = bytes.fromhex("04112233445566")
# The floor at 106 kbit/s: bit times of all frames, frame delays and the reader's own gaps (ISO/IEC 14443-3).
UID_FLOOR_US = 4_450
FOUR_PAGES_FLOOR_US = 6_540
LAYINGS = 2_000
SEED = 1


def measure(act: Callable[[SimulatedPad], None], *, with_tag: bool) -> tuple[int, int]:
    """Transfers and microseconds of *act* on a pad in its usual state: polled before, the tag at rest."""
    pad = SimulatedPad()
    pad.driver.start()
    if with_tag:
        pad.place(Ntag213(UID))
        pad.clock.wait_us(POLL_PERIOD_MS * 1_000)
    iso14443a.identify(pad.driver)
    pad.clock.wait_us(POLL_PERIOD_MS * 1_000)
    transfers, began_us = pad.spi.transfers, pad.clock.now_us()
    act(pad)
    return pad.spi.transfers - transfers, pad.clock.now_us() - began_us


def look(pad: SimulatedPad) -> None:
    iso14443a.identify(pad.driver)


def read_uid(pad: SimulatedPad) -> None:
    found = iso14443a.activate(pad.driver)
    assert isinstance(found, Tag)
    assert found.uid == UID


def read_uid_and_pages(pad: SimulatedPad) -> None:
    found = iso14443a.activate(pad.driver)
    assert isinstance(found, Tag)
    Type2Tag(pad.driver, found).read(4)


def placed_latencies_ms() -> list[float]:
    """From the moment a card is laid, anywhere in the poll period, to TagPlaced in the caller's hands."""
    source = random.Random(SEED)
    pad = SimulatedPad()
    latencies = []
    now_ms = 0
    for _ in range(LAYINGS):
        for _ in range(8):  # let the last card be gone, and its removal be told
            now_ms += POLL_PERIOD_MS
            pad.poll(now_ms)
        tag = Ntag213(b"\x04" + source.randbytes(6))
        laid_us = now_ms * 1_000 + source.randrange(POLL_PERIOD_MS * 1_000)
        pad.field.place(tag, at_us=laid_us)
        while True:
            now_ms += POLL_PERIOD_MS
            if any(isinstance(signal, TagPlaced) for signal in pad.poll(now_ms)):
                break
        latencies.append((pad.clock.now_us() - laid_us) / 1_000)
        pad.lift(tag)
    return sorted(latencies)


def package_idle_poll_transfers() -> int | None:
    """What the unmodified package spends on a field with no tag in it."""
    clock = VirtualClock()
    chip = SimulatedMfrc522(clock, Field(clock))
    modules = {
        "spidev": simulated_spidev.as_module({(0, 0): chip}),
        **rpi_gpio.as_modules(SimulatedGpio()),
    }
    with patch.dict(sys.modules, modules), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the package negates booleans with ~
        try:
            package: Any = importlib.import_module("mfrc522")
        except ImportError:
            return None
        reader = package.MFRC522()
        clock.wait_us(10_000)
        before: int = reader.spi.transfers
        reader.MFRC522_Request(reader.PICC_REQIDL)
        return int(reader.spi.transfers - before)


def results() -> dict[str, float | int | None]:
    idle_transfers, _ = measure(look, with_tag=False)
    uid_transfers, uid_us = measure(read_uid, with_tag=True)
    pages_transfers, pages_us = measure(read_uid_and_pages, with_tag=True)
    latencies = placed_latencies_ms()
    return {
        "idle_poll_transfers": idle_transfers,
        "uid7_transfers": uid_transfers,
        "uid7_four_pages_transfers": pages_transfers,
        "mfrc522_idle_poll_transfers": package_idle_poll_transfers(),
        "placed_p99_ms": round(latencies[len(latencies) * 99 // 100], 2),
        "uid7_air_ratio_1mhz": round(uid_us / UID_FLOOR_US, 3),
        "four_pages_air_ratio_1mhz": round(pages_us / FOUR_PAGES_FLOOR_US, 3),
    }


if __name__ == "__main__":
    print(json.dumps(results(), indent=2))

"""How fast the line to a board is, as one JSON object.

    python tests/benchmarks/bridge.py [--samples N]

``frames_per_second``: a message coded into a frame and decoded from it again, on one core.
``placed_p99_ms_serial``: from a sticker laid to its TagPlaced on the host, in real time, with the firmware in
MicroPython behind a pty; null where MicroPython's unix port can't be had.
``placed_p99_ms_spi``: the same with the host's own driver on the same simulated chip.
``idle_bytes_per_second``: both directions of a line on which nothing happens.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from firmware_bridge.frames import FrameReader, encode_frame
from firmware_bridge.link import Link
from firmware_bridge.messages import Envelope, Placed
from firmware_bridge.payloads import decode_message, encode_message
from firmware_bridge.port import BoardPort, Line, open_line
from hardware.bridged.bridge import Bridge, random_session
from hardware.bridged.parts import BridgedReader
from hardware.clock import SystemClock
from hardware.rc522.chip import Rc522
from hardware.signals import Signal, TagPlaced
from hardware.simulated import Ntag213, VirtualClock
from hardware.simulated.chip import SimulatedMfrc522
from hardware.simulated.field import Field
from hardware.simulated.microcontroller import (
    SimulatedMicrocontroller,
    find_micropython,
    flash_firmware,
)
from hardware.simulated.spidev import SimulatedSpiDev
from hardware.tags.reader import PollingTagReader

FRAMES = 20_000
IDLE_MS = 20_000
# How often a table's device thread polls.
POLL_S = 0.001
GIVE_UP_S = 5.0


def frames_per_second() -> float:
    placed = Placed(12, "pad", bytes.fromhex("04112233445566"), b"\x44\x00", 0)
    reader = FrameReader()
    started = time.perf_counter()
    for number in range(FRAMES):
        frame = encode_frame(encode_message(Envelope(0x1234, number % 256, placed)))
        for payload in reader.receive_data(frame):
            decode_message(payload)
    return FRAMES / (time.perf_counter() - started)


def milliseconds() -> int:
    return time.monotonic_ns() // 1_000_000


def latencies(
    poll: Callable[[int], Sequence[Signal]], exchange: Callable[[Ntag213 | None, Ntag213], None], samples: int
) -> list[float]:
    """Lay another sticker in place of the last one again and again, at random moments."""
    rng = random.Random(1)
    found = []
    before: Ntag213 | None = None
    for number in range(samples):
        pause_until = time.perf_counter() + rng.uniform(0.02, 0.08)
        while time.perf_counter() < pause_until:
            poll(milliseconds())
            time.sleep(POLL_S)
        tag = Ntag213(bytes((4, number % 256, *rng.randbytes(5))))
        exchange(before, tag)
        laid = time.perf_counter()
        while True:
            signals = poll(milliseconds())
            if any(isinstance(signal, TagPlaced) and signal.uid == tag.uid for signal in signals):
                break
            if time.perf_counter() - laid > GIVE_UP_S:
                raise RuntimeError("a sticker was never told of")
            time.sleep(POLL_S)
        found.append((time.perf_counter() - laid) * 1000)
        before = tag
    return found


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


class RealTimeSpi:
    """A simulated bus whose chip lives on the system's clock."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.field = Field(self.clock)
        self._spi = SimulatedSpiDev({(0, 0): SimulatedMfrc522(self.clock, self.field)})
        self._spi.open(0, 0)
        self._spi.max_speed_hz = 1_000_000
        self._start_ns = time.monotonic_ns()

    def sync(self) -> None:
        self.clock.now_ns = max(self.clock.now_ns, time.monotonic_ns() - self._start_ns)

    def xfer2(self, data: list[int]) -> list[int]:
        self.sync()
        reply = self._spi.xfer2(data)
        while time.monotonic_ns() - self._start_ns < self.clock.now_ns:
            pass  # the bus takes as long as a real one
        return reply

    def close(self) -> None:
        self._spi.close()


def placed_over_spi(samples: int) -> list[float]:
    spi = RealTimeSpi()
    reader = PollingTagReader(Rc522(spi, SystemClock()))

    def exchange(before: Ntag213 | None, tag: Ntag213) -> None:
        spi.sync()
        if before is not None:
            spi.field.lift(before)
        spi.field.place(tag)

    return latencies(reader.poll, exchange, samples)


def placed_over_serial(samples: int) -> list[float]:
    with tempfile.TemporaryDirectory() as home:
        flash = Path(home) / "flash"
        flash.mkdir()
        flash_firmware(flash)
        board = SimulatedMicrocontroller(flash, Path(home) / "port", real_time=True)
        board.plug_in()
        try:
            bridge = Bridge(BoardPort(Link(random_session), str(board.port)))
            reader = BridgedReader(bridge)
            give_up = time.perf_counter() + GIVE_UP_S
            while not bridge.is_connected:
                if time.perf_counter() > give_up:
                    raise RuntimeError(f"the board never answered: {bridge.fault}")
                reader.poll(milliseconds())
                time.sleep(POLL_S)
            return latencies(reader.poll, board.exchange, samples)
        finally:
            board.close()


class CountingLine:
    """A line that counts what goes over it."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self.carried = 0

    def read(self, size: int = 1, /) -> bytes:
        data = self._line.read(size)
        self.carried += len(data)
        return data

    def write(self, data: bytes, /) -> int | None:
        self.carried += len(data)
        return self._line.write(data)

    def close(self) -> None:
        self._line.close()


def idle_bytes_per_second() -> float:
    with tempfile.TemporaryDirectory() as home:
        flash = Path(home) / "flash"
        flash.mkdir()
        flash_firmware(flash)
        board = SimulatedMicrocontroller(flash, Path(home) / "port")
        board.plug_in()
        lines: list[CountingLine] = []

        def counting(address: str) -> CountingLine:
            lines.append(CountingLine(open_line(address)))
            return lines[-1]

        port = BoardPort(Link(random_session), str(board.port), open_line=counting)
        try:
            for now_ms in range(0, 2_000, 5):
                board.advance_to_ms(now_ms)
                port.poll(now_ms)
            if not port.is_connected:
                raise RuntimeError(f"the board never answered: {port.fault}")
            before = lines[-1].carried
            for now_ms in range(2_000, 2_000 + IDLE_MS, 5):
                board.advance_to_ms(now_ms)
                port.poll(now_ms)
            return (lines[-1].carried - before) * 1000 / IDLE_MS
        finally:
            port.close()
            board.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=int, default=200, help="stickers laid on each reader")
    samples = parser.parse_args().samples
    has_board = find_micropython() is not None
    serial = placed_over_serial(samples) if has_board else None
    spi = placed_over_spi(samples)
    result = {
        "frames_per_second": round(frames_per_second()),
        "placed_p99_ms_serial": None if serial is None else round(percentile(serial, 0.99), 1),
        "placed_p50_ms_serial": None if serial is None else round(percentile(serial, 0.5), 1),
        "placed_p99_ms_spi": round(percentile(spi, 0.99), 1),
        "placed_p50_ms_spi": round(percentile(spi, 0.5), 1),
        "idle_bytes_per_second": round(idle_bytes_per_second(), 1) if has_board else None,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main()

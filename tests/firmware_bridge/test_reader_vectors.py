"""The host's reader against the same vectors as the board's: neither may change alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hardware.ports import Answer, Collision, DeviceFaultError, Noise, Reply, Silence, Transceiver
from hardware.rc522.chip import Rc522
from hardware.signals import DeviceBack, DeviceLost, ReaderDisturbed, SeveralTags, Signal, TagPlaced, TagRemoved
from hardware.simulated import VirtualClock
from hardware.tags import iso14443a
from hardware.tags.reader import PollingTagReader
from hardware.tags.tracker import Look, Seen, TagTracker

REPLIES: dict[str, Callable[..., Reply]] = {
    "answer": lambda data, last_bits: Answer(bytes.fromhex(data), last_bits),
    "silence": Silence,
    "noise": Noise,
    "collision": Collision,
}


class ReplayedRadio:
    """A Transceiver that answers each exchange as recorded, if it is the recorded one."""

    chip_note = ""

    def __init__(self, exchanges: list[dict[str, Any]]) -> None:
        self.left = list(exchanges)

    def step(self) -> dict[str, Any]:
        step = dict(self.left.pop(0))
        if "fault" in step:
            raise DeviceFaultError(step["fault"])
        return step

    def start(self) -> None:
        assert self.step() == {"start": True}

    def check(self) -> None:
        assert self.step() == {"check": True}

    def close(self) -> None: ...

    def exchange(self, frame: bytes, *, last_bits: int = 0, answer_bytes: int, timeout_us: int) -> Reply:
        step = self.step()
        kind, *values = step.pop("reply")
        assert step == {
            "frame": frame.hex(),
            "last_bits": last_bits,
            "answer_bytes": answer_bytes,
            "timeout_us": timeout_us,
        }
        return REPLIES[kind](*values)

    def send(self, frame: bytes) -> None:
        assert self.step() == {"frame": frame.hex()}


class ReplayedSpi:
    """A bus that answers each transfer as recorded, at the cost it had then."""

    def __init__(self, clock: VirtualClock, transfers: list[list[str]]) -> None:
        self._clock = clock
        self.left = list(transfers)

    def xfer2(self, data: list[int]) -> list[int]:
        sent, reply = self.left.pop(0)
        assert bytes(data).hex() == sent
        self._clock.now_ns += 20_000 + len(data) * 8_000
        return list(bytes.fromhex(reply))

    def close(self) -> None: ...


def describe(found: iso14443a.Found) -> list[Any]:
    match found:
        case iso14443a.Tag(uid, _, sak):
            return ["tag", uid.hex(), sak]
        case Noise(reason):
            return ["noise", reason]
        case Collision(bit):
            return ["collision", bit]
    return ["silence"]


def look(radio: Transceiver) -> list[Any]:
    try:
        return describe(iso14443a.identify(radio))
    except DeviceFaultError as fault:
        return ["fault", str(fault)]


def as_recorded(signal: Signal) -> list[str]:
    match signal:
        case TagPlaced(_, _, uid):
            return ["Placed", uid.hex()]
        case TagRemoved(_, _, uid):
            return ["Removed", uid.hex()]
        case SeveralTags():
            return ["Several"]
        case ReaderDisturbed():
            return ["Disturbed"]
        case DeviceLost(_, _, reason):
            return ["ReaderLost", reason]
        case DeviceBack():
            return ["ReaderBack"]
    raise AssertionError(signal)


def test_the_protocol_asks_and_concludes_as_recorded(vectors: dict[str, Any]) -> None:
    for vector in vectors["readings"]:
        radio = ReplayedRadio(vector["exchanges"])
        found = [look(radio) for _ in vector["found"]]
        assert found == vector["found"], vector["name"]
        assert radio.left == []


def test_the_driver_moves_the_recorded_bytes(vectors: dict[str, Any]) -> None:
    for vector in vectors["readings"]:
        clock = VirtualClock()
        spi = ReplayedSpi(clock, vector["transfers"])
        driver = Rc522(spi, clock)
        driver.start()
        clock.wait_us(2_000)
        found = []
        for _ in vector["found"]:
            found.append(look(driver))
            clock.wait_us(40_000)
        assert found == vector["found"], vector["name"]
        assert spi.left == []


def test_the_tracker_concludes_as_recorded(vectors: dict[str, Any]) -> None:
    for vector in vectors["looks"]:
        tracker = TagTracker("pad")
        for now_ms, look, signals in vector["steps"]:
            if look == "pause":
                tracker.pause()
                continue
            seen = Look(look) if look in ("silence", "noise", "several") else Seen(bytes.fromhex(look))
            told = [as_recorded(signal) for signal in tracker.observe(seen, now_ms)]
            assert told == signals, (vector["seed"], now_ms)


def test_the_polled_reader_asks_and_tells_as_recorded(vectors: dict[str, Any]) -> None:
    for vector in vectors["visits"]:
        radio = ReplayedRadio([])
        reader = PollingTagReader(radio, name="pad")
        for now_ms, steps, signals in vector["polls"]:
            radio.left = list(steps)
            told = [as_recorded(signal) for signal in reader.poll(now_ms)]
            assert told == signals, (vector["name"], now_ms)
            assert radio.left == [], (vector["name"], now_ms)


def test_the_visits_hold_everything_that_a_reader_tells(vectors: dict[str, Any]) -> None:
    told = {signal[0] for vector in vectors["visits"] for _, _, signals in vector["polls"] for signal in signals}
    assert told == {"Placed", "Removed", "Several", "Disturbed", "ReaderLost", "ReaderBack"}

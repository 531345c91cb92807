"""What the host's reader does on the simulated chip, written down for ``vectors.json``.

Scenes and recording only; which file they go to is ``record_vectors``, and who must do the same is tested in
``test_reader_vectors`` and ``board_vectors``.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final, TypeVar

from hardware.ports import Answer, Collision, DeviceFaultError, Noise, Reply
from hardware.rc522.chip import Rc522
from hardware.signals import (
    DeviceBack,
    DeviceLost,
    ReaderDisturbed,
    SeveralTags,
    TagPlaced,
    TagRemoved,
)
from hardware.simulated import MifareClassic1K, Ntag213, SimulatedTag, VirtualClock
from hardware.simulated.chip import SimulatedMfrc522
from hardware.simulated.faults import AirFaults
from hardware.simulated.field import Field, Reception
from hardware.simulated.spidev import SimulatedSpiDev
from hardware.tags import iso14443a
from hardware.tags.reader import PollingTagReader
from hardware.tags.tracker import Look, Seen, TagTracker

Result = TypeVar("Result")

# Long enough for a reader that noise disturbs for 1.5 s, and for one that comes back.
VISIT_MS: Final = 2_600


def looks() -> list[dict[str, Any]]:
    """Random visits of tags, seen at an uneven pace, as the host's tracker judges them."""
    recorded = []
    uids = [bytes.fromhex("04112233445566"), bytes.fromhex("04aabbccddeeff"), bytes.fromhex("deadbeef")]
    for seed in range(12):
        rng = random.Random(seed)
        tracker = TagTracker("pad")
        now_ms = 0
        steps: list[list[Any]] = []
        while len(steps) < 120:
            kind = rng.choice(["silence", "silence", "noise", "several", "tag", "tag", "tag", "pause"])
            uid = rng.choice(uids)
            for _ in range(1 if kind == "pause" else rng.choice([1, 2, 3, 5, 8, 35])):
                now_ms += rng.choice([50, 50, 50, 50, 20, 130])
                if kind == "pause":
                    tracker.pause()
                    steps.append([now_ms, kind, []])
                    continue
                look = Seen(uid) if kind == "tag" else Look(kind)
                signals = [_signal(signal) for signal in tracker.observe(look, now_ms)]
                steps.append([now_ms, uid.hex() if kind == "tag" else kind, signals])
        recorded.append({"seed": seed, "steps": steps})
    return recorded


def _signal(signal: object) -> list[str]:
    match signal:
        case TagPlaced(_, _, uid):
            return ["Placed", uid.hex()]
        case TagRemoved(_, _, uid):
            return ["Removed", uid.hex()]
        case SeveralTags():
            return ["Several"]
        case ReaderDisturbed():
            return ["Disturbed"]
    raise AssertionError(signal)


Act = Callable[["_Recorder"], object]


class _Recorder:
    """Stands between the driver and its bus, and between the protocol and the driver."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.field = Field(self.clock)
        self.chip = SimulatedMfrc522(self.clock, self.field)
        self._spi = SimulatedSpiDev({(0, 0): self.chip})
        self._spi.open(0, 0)
        self._spi.max_speed_hz = 1_000_000
        self.transfers: list[list[str]] = []
        self.exchanges: list[dict[str, Any]] = []
        self.driver = Rc522(self, self.clock)

    def xfer2(self, data: list[int]) -> list[int]:
        reply = self._spi.xfer2(data)
        self.transfers.append([bytes(data).hex(), bytes(reply).hex()])
        return reply

    def close(self) -> None:
        self._spi.close()

    # A Transceiver.

    chip_note = ""

    def unplug(self, is_off: bool) -> None:
        self._spi.stuck_at = 0xFF if is_off else None

    def start(self) -> None:
        self._record({"start": True}, self.driver.start)

    def check(self) -> None:
        self._record({"check": True}, self.driver.check)

    def _record(self, step: dict[str, Any], act: Callable[[], Result]) -> Result:
        """Do *act* and note *step*, with the fault if it fails."""
        self.exchanges.append(step)
        try:
            return act()
        except DeviceFaultError as fault:
            step["fault"] = str(fault)
            raise

    def exchange(self, frame: bytes, *, last_bits: int = 0, answer_bytes: int, timeout_us: int) -> Reply:
        step: dict[str, Any] = {
            "frame": frame.hex(),
            "last_bits": last_bits,
            "answer_bytes": answer_bytes,
            "timeout_us": timeout_us,
        }

        def act() -> Reply:
            return self.driver.exchange(frame, last_bits=last_bits, answer_bytes=answer_bytes, timeout_us=timeout_us)

        reply = self._record(step, act)
        step["reply"] = describe(reply)
        return reply

    def send(self, frame: bytes) -> None:
        self._record({"frame": frame.hex()}, lambda: self.driver.send(frame))


def describe(outcome: object) -> list[Any]:
    """An outcome in JSON; the halves' tests have the same words."""
    match outcome:
        case Answer(data, last_bits):
            return ["answer", data.hex(), last_bits]
        case Noise(reason):
            return ["noise", reason]
        case Collision(bit):
            return ["collision", bit]
        case iso14443a.Tag(uid, _, sak):
            return ["tag", uid.hex(), sak]
    return ["silence"]


Disturb = Callable[[bytes, Reception | None], Reception | None]


def _flip(bit: int) -> Disturb:
    def disturb(frame: bytes, reception: Reception | None) -> Reception | None:
        if reception is not None and reception.bits > bit:
            damaged = bytearray(reception.data)
            damaged[bit // 8] ^= 1 << bit % 8
            reception.data = bytes(damaged)
        return reception

    return disturb


def _parity(frame: bytes, reception: Reception | None) -> Reception | None:
    if reception is not None:
        reception.parity_wrong = True
    return reception


def _start(frame: bytes, reception: Reception | None) -> Reception | None:
    if reception is not None:
        reception.start_wrong = True
    return reception


def _air(seed: int, rate: float) -> Disturb:
    return AirFaults(random.Random(seed), silence=rate, flip=rate, start=rate / 2, cut=rate / 2, invented=rate / 10)


def readings() -> list[dict[str, Any]]:
    """Looks of the host's driver at the simulated chip: each transfer, each exchange and what was found."""
    first = bytes.fromhex("04112233445566")
    scenes: list[tuple[str, list[SimulatedTag], dict[str, Any]]] = [
        ("nothing there", [], {}),
        ("a sticker of seven bytes", [Ntag213(first)], {}),
        ("a card of four bytes", [MifareClassic1K(bytes.fromhex("deadbeef"))], {}),
        ("a UID of four bytes that begins with 88h", [SimulatedTag(b"\x88\x01\x02\x03", atqa=b"\x04\x00", sak=8)], {}),
        ("a UID of ten bytes", [SimulatedTag(bytes(range(1, 11)), atqa=b"\x84\x00", sak=0x20)], {}),
        ("two stickers", [Ntag213(first), Ntag213(bytes.fromhex("04992233445566"))], {}),
        ("a sticker and a card", [Ntag213(first), MifareClassic1K(bytes.fromhex("deadbeef"))], {}),
        ("a parity bit wrong", [Ntag213(first)], {"disturb": _parity}),
        ("the start of the answer damaged", [Ntag213(first)], {"disturb": _start}),
        ("bit 3 flipped", [Ntag213(first)], {"disturb": _flip(3)}),
        ("bit 20 flipped", [Ntag213(first)], {"disturb": _flip(20)}),
    ]
    chip_faults: list[tuple[str, Act]] = [
        ("a chip that grows hot", lambda recorder: recorder.chip.overheat(lasts=True)),
        ("a chip whose antenna goes off", lambda recorder: recorder.chip.turn_antenna_off()),
        ("a chip that gets stuck in its encrypted mode", lambda recorder: recorder.chip.stick_crypto()),
        ("a chip whose supply dips", lambda recorder: recorder.chip.brown_out()),
    ]
    scenes += [(name, [Ntag213(first)], {"then": fault}) for name, fault in chip_faults]
    scenes += [(f"a sticker that leaves after {n} frames", [Ntag213(first)], {"frames": n}) for n in range(1, 6)]
    recorded = []
    for name, tags, trouble in scenes:
        recorder = _Recorder()
        recorder.driver.start()
        found = []
        for tag in tags:
            recorder.field.place(tag)
        recorder.clock.wait_us(2_000)
        for tag in tags:
            if "frames" in trouble:
                recorder.field.lift(tag, after_frames=trouble["frames"])
        recorder.field.disturb = trouble.get("disturb")
        for _ in range(3):
            try:
                found.append(describe(iso14443a.identify(recorder)))
            except DeviceFaultError as fault:
                found.append(["fault", str(fault)])
            recorder.clock.wait_us(40_000)
            if "then" in trouble:
                trouble["then"](recorder)
        recorded.append(
            {"name": name, "transfers": recorder.transfers, "exchanges": recorder.exchanges, "found": found}
        )
    return recorded


def visits() -> list[dict[str, Any]]:
    """Whole visits of tags as the host's polled reader sees them: what it asks the radio, and what it tells."""
    one = Ntag213(bytes.fromhex("04112233445566"))
    two = MifareClassic1K(bytes.fromhex("deadbeef"))

    def lay(*tags: SimulatedTag) -> Act:
        def act(recorder: _Recorder) -> None:
            for tag in tags:
                recorder.field.place(tag)

        return act

    def lift(*tags: SimulatedTag) -> Act:
        def act(recorder: _Recorder) -> None:
            for tag in tags:
                recorder.field.lift(tag)

        return act

    def air(disturb: Disturb) -> Act:
        return lambda recorder: setattr(recorder.field, "disturb", disturb)

    scenes: list[tuple[str, list[tuple[int, Act]]]] = [
        ("laid and lifted", [(300, lay(one)), (900, lift(one))]),
        ("exchanged in one movement", [(300, lay(one)), (800, lift(one)), (800, lay(two))]),
        ("two at once, then one", [(300, lay(one, two)), (800, lift(two))]),
        ("a chip that lost its settings", [(300, lay(one)), (700, lambda recorder: recorder.chip.brown_out())]),
        (
            "a chip pulled off its wires and put back",
            [
                (300, lay(one)),
                (700, lambda recorder: recorder.unplug(True)),
                (1_400, lambda recorder: recorder.unplug(False)),
                (1_400, lambda recorder: recorder.chip.brown_out()),
            ],
        ),
        (
            "a chip that grows hot and cools down",
            [
                (300, lay(one)),
                (700, lambda recorder: recorder.chip.overheat(lasts=True)),
                (1_400, lambda recorder: recorder.chip.cool_down()),
            ],
        ),
        ("nothing but noise", [(500, air(_parity)), (500, lay(one))]),
    ]
    scenes += [
        (f"bad air, seed {seed}", [(0, air(_air(seed, rate))), (300, lay(one)), (1_500, lift(one)), (1_600, lay(two))])
        for seed, rate in enumerate((0.02, 0.05, 0.1, 0.2, 0.3))
    ]
    return [{"name": name, "polls": _polls(script, (one, two))} for name, script in scenes]


def _polls(script: list[tuple[int, Act]], tags: tuple[SimulatedTag, ...]) -> list[list[Any]]:
    recorder = _Recorder()
    reader = PollingTagReader(recorder, name="pad")
    polls: list[list[Any]] = []
    for now_ms in range(0, VISIT_MS, 50):
        for at_ms, act in script:
            if at_ms == now_ms:
                act(recorder)
        recorder.clock.advance_to_ms(now_ms)
        recorder.exchanges = []
        told = [_told(signal) for signal in reader.poll(now_ms)]
        polls.append([now_ms, recorder.exchanges, told])
    for tag in tags:
        tag.lose_power()
    return polls


def _told(signal: object) -> list[str]:
    match signal:
        case DeviceLost(_, _, reason):
            return ["ReaderLost", reason]
        case DeviceBack():
            return ["ReaderBack"]
    return _signal(signal)

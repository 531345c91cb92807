"""Writes ``firmware_bridge/vectors.json``: run it after a wanted change of the wire or of the reader's logic.

    python tests/firmware_bridge/record_vectors.py

Frames come from the PyPI package ``cobs`` and from ``zlib``, messages are written out by hand here, and what
a reader does is recorded from the host's driver on the simulated chip. The tests replay all of it on both
halves, so a change of one half alone fails.
"""

from __future__ import annotations

import json
import random
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cobs import cobs

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from hardware import iso14443a  # noqa: E402
from hardware.ports import Answer, Collision, Noise, Reply  # noqa: E402
from hardware.rc522 import Rc522  # noqa: E402
from hardware.signals import ReaderDisturbed, SeveralTags, TagPlaced, TagRemoved  # noqa: E402
from hardware.simulated import MifareClassic1K, Ntag213, SimulatedTag, VirtualClock  # noqa: E402
from hardware.simulated.chip import SimulatedMfrc522  # noqa: E402
from hardware.simulated.field import Field, Reception  # noqa: E402
from hardware.simulated.spidev import SimulatedSpiDev  # noqa: E402
from hardware.tag_tracker import Look, Seen, TagTracker  # noqa: E402

VECTORS = ROOT / "firmware_bridge" / "vectors.json"


def frames() -> list[dict[str, str]]:
    rng = random.Random(1)
    payloads = [
        b"\x02\x34\x12\x00",
        b"\x00\x00\x00\x00",
        bytes(range(256)),
        bytes(range(1, 251)),
        bytes(range(1, 252)) + b"\x00",
        b"\x01" * 250,
        b"\x01" * 254,
        b"\x01" * 255,
        b"\xff" * 504,
        bytes(768),
        rng.randbytes(768),
        b"\x03\x0a\x0d\x11\x13 all that a terminal would take for its own",
    ]
    payloads += [rng.randbytes(rng.randint(4, 60)) for _ in range(20)]
    # A check sum's own bytes count too: payloads whose end makes the last group exactly full.
    payloads += [rng.randbytes(n).replace(b"\x00", b"\x01") for n in range(246, 256)]
    return [
        {
            "payload": payload.hex(),
            "wire": (b"\x00" + cobs.encode(payload + struct.pack("<I", zlib.crc32(payload))) + b"\x00").hex(),
        }
        for payload in payloads
    ]


def not_frames() -> list[dict[str, str]]:
    def wire(payload: bytes, check: int | None = None) -> bytes:
        check = zlib.crc32(payload) if check is None else check
        return b"\x00" + bytes(cobs.encode(payload + struct.pack("<I", check))) + b"\x00"

    turned = int.from_bytes(zlib.crc32(b"\x02\x34\x12\x00").to_bytes(4, "big"), "little")
    return [
        {"why": "boot text", "wire": b"\x00MicroPython v1.29.0 on 2026-06-01; Raspberry Pi Pico\r\n>>> \x00".hex()},
        {"why": "wrong check sum", "wire": wire(b"\x02\x34\x12\x00", 0x12345678).hex()},
        {"why": "check sum high byte first", "wire": wire(b"\x02\x34\x12\x00", turned).hex()},
        {"why": "too short", "wire": wire(b"\x02\x34\x12").hex()},
        {"why": "nothing but a check sum", "wire": wire(b"").hex()},
        {"why": "a group longer than the frame", "wire": "0009010200"},
        {"why": "too long", "wire": wire(random.Random(2).randbytes(769)).hex()},
        {"why": "far too long", "wire": "00" + "41" * 5000 + "00"},
    ]


def _message(kind: int, session: int, number: int, body: bytes, name: str, **fields: Any) -> dict[str, Any]:
    payload = struct.pack("<BHB", kind, session, number) + body
    return {"message": name, "session": session, "number": number, "fields": fields, "payload": payload.hex()}


def messages() -> list[dict[str, Any]]:
    uid = "04112233445566"
    tag = bytes.fromhex("03706164" + "07" + uid + "4400" + "00")
    tag_fields = {"reader": "pad", "uid": uid, "atqa": "4400", "sak": 0}
    return [
        _message(0x01, 0x1234, 0, b"\x01\x01", "Hello", lowest=1, highest=1),
        _message(0x01, 0xFFFF, 0, b"\x02\x05", "Hello", lowest=2, highest=5),
        _message(0x02, 0x1234, 255, b"", "HostAlive"),
        _message(0x10, 0x1234, 1, b"", "Sound", beeps=[]),
        _message(
            0x10,
            0x1234,
            2,
            bytes.fromhex("b801640014007003ffff0000"),
            "Sound",
            beeps=[[440, 100, 20], [880, 65535, 0]],
        ),
        _message(0x10, 7, 3, bytes.fromhex("010002000300") * 64, "Sound", beeps=[[1, 2, 3]] * 64),
        _message(0x11, 0x1234, 4, b"\x05\x02", "Show", seats=[0, 2, 9]),
        _message(0x11, 0x1234, 5, b"\x00\x00", "Show", seats=[]),
        _message(0x12, 0x1234, 6, b'{"watchdog_ms": 0}', "Change", json='{"watchdog_ms": 0}'),
        _message(0x12, 0x1234, 7, '{"buttons": {"žába": 2}}'.encode(), "Change", json='{"buttons": {"žába": 2}}'),
        _message(0x13, 0x1234, 8, b"\x00", "Restart", into=0),
        _message(0x13, 0x1234, 9, b"\x01", "Restart", into=1),
        _message(0x14, 0x1234, 10, b"\x02", "Ask", topic=2),
        _message(
            0x41,
            0,
            0,
            bytes.fromhex("0101efbeadde05") + b"1.0.0",
            "Announce",
            lowest=1,
            highest=1,
            boot=0xDEADBEEF,
            firmware="1.0.0",
        ),
        _message(
            0x42,
            0x1234,
            0,
            bytes.fromhex("01efbeadde05") + b"1.0.0" + b"\x04Pico" + b"\x07\x04\x02" + b"\x03pad\x04pile",
            "Welcome",
            protocol=1,
            boot=0xDEADBEEF,
            firmware="1.0.0",
            board="Pico",
            buttons=7,
            lamps=4,
            readers=["pad", "pile"],
        ),
        _message(0x43, 0x1234, 0, b"\x01\x01\x051.0.0", "Refuse", lowest=1, highest=1, firmware="1.0.0"),
        _message(0x44, 0x1234, 9, bytes.fromhex("10270000ffff"), "BoardAlive", uptime_s=10000, dropped=65535),
        _message(0x45, 0x1234, 9, b"\x00", "Done", result=0, text=""),
        _message(0x45, 0x1234, 9, b"\x01no", "Done", result=1, text="no"),
        _message(0x50, 0x1234, 1, b"\x00\x00" + tag, "Lying", age_ms=0, **tag_fields),
        _message(
            0x50,
            0x1234,
            1,
            bytes.fromhex("0100" + "03706164" + "00" + "0000" + "00"),
            "Lying",
            age_ms=1,
            reader="pad",
            uid="",
            atqa="0000",
            sak=0,
        ),
        _message(0x51, 0x1234, 2, b"\xff\xff" + tag, "Placed", age_ms=65535, **tag_fields),
        _message(
            0x51,
            0x1234,
            2,
            bytes.fromhex("0200" + "0470696c65" + "04deadbeef" + "0400" + "08"),
            "Placed",
            age_ms=2,
            reader="pile",
            uid="deadbeef",
            atqa="0400",
            sak=8,
        ),
        _message(0x52, 0x1234, 3, b"\x02\x01" + tag, "Removed", age_ms=258, **tag_fields),
        _message(0x53, 0x1234, 4, b"\x00\x00\x03pad", "Several", age_ms=0, reader="pad"),
        _message(0x54, 0x1234, 5, b"\x00\x00\x03pad", "Disturbed", age_ms=0, reader="pad"),
        _message(0x55, 0x1234, 6, b"\x05\x00\x06seat:3", "Pressed", age_ms=5, button="seat:3"),
        _message(
            0x56,
            0x1234,
            7,
            b"\x00\x00\x03pad\x0bno 3.3 Volt",
            "ReaderLost",
            age_ms=0,
            reader="pad",
            text="no 3.3 Volt",
        ),
        _message(0x57, 0x1234, 8, b"\x00\x00\x03pad", "ReaderBack", age_ms=0, reader="pad"),
        _message(0x58, 0x1234, 9, b"\x00\x00\x03pad\x07a clone", "ReaderNote", age_ms=0, reader="pad", text="a clone"),
    ]


def not_messages() -> list[dict[str, str]]:
    head = "34120000"[:6]
    return [
        {"why": "a kind that does not exist", "payload": "7f" + head},
        {"why": "a greeting too short", "payload": "01" + head + "01"},
        {"why": "a greeting too long", "payload": "01" + head + "010101"},
        {"why": "half a tone", "payload": "10" + head + "b80164"},
        {"why": "65 tones", "payload": "10" + head + "010002000300" * 65},
        {"why": "an eleventh seat", "payload": "11" + head + "0004"},
        {"why": "settings that are no text", "payload": "12" + head + "ff"},
        {"why": "a restart into nowhere", "payload": "13" + head + "02"},
        {"why": "a topic that does not exist", "payload": "14" + head + "03"},
        {"why": "a UID of five bytes", "payload": "51" + head + "0000" + "03706164" + "050102030405" + "440000"},
        {"why": "a tag laid without a UID", "payload": "51" + head + "0000" + "03706164" + "00" + "440000"},
        {"why": "a name longer than the message", "payload": "55" + head + "0000" + "0861"},
        {"why": "a name that is no text", "payload": "55" + head + "0000" + "01ff"},
    ]


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

    def start(self) -> None:
        self.driver.start()

    def check(self) -> None:
        self.driver.check()

    def exchange(self, frame: bytes, *, last_bits: int = 0, answer_bytes: int, timeout_us: int) -> Reply:
        reply = self.driver.exchange(frame, last_bits=last_bits, answer_bytes=answer_bytes, timeout_us=timeout_us)
        self.exchanges.append(
            {
                "frame": frame.hex(),
                "last_bits": last_bits,
                "answer_bytes": answer_bytes,
                "timeout_us": timeout_us,
                "reply": describe(reply),
            }
        )
        return reply

    def send(self, frame: bytes) -> None:
        self.driver.send(frame)
        self.exchanges.append({"frame": frame.hex()})


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


def _flip(bit: int) -> Callable[[Reception | None], Reception | None]:
    def disturb(reception: Reception | None) -> Reception | None:
        if reception is not None and reception.bits > bit:
            damaged = bytearray(reception.data)
            damaged[bit // 8] ^= 1 << bit % 8
            reception.data = bytes(damaged)
        return reception

    return disturb


def _parity(reception: Reception | None) -> Reception | None:
    if reception is not None:
        reception.parity_wrong = True
    return reception


def _start(reception: Reception | None) -> Reception | None:
    if reception is not None:
        reception.start_wrong = True
    return reception


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
    scenes += [(f"a sticker that leaves after {n} frames", [Ntag213(first)], {"frames": n}) for n in range(1, 6)]
    recorded = []
    for name, tags, trouble in scenes:
        recorder = _Recorder()
        recorder.start()
        found = []
        for tag in tags:
            recorder.field.place(tag)
        recorder.clock.wait_us(2_000)
        for tag in tags:
            if "frames" in trouble:
                recorder.field.lift(tag, after_frames=trouble["frames"])
        recorder.field.disturb = trouble.get("disturb")
        for _ in range(3):
            found.append(describe(iso14443a.identify(recorder)))
            recorder.clock.wait_us(40_000)
        recorded.append(
            {"name": name, "transfers": recorder.transfers, "exchanges": recorder.exchanges, "found": found}
        )
    return recorded


def main() -> None:
    vectors = {
        "about": "Golden bytes for both halves of the bridge; written by tests/firmware_bridge/record_vectors.py",
        "frames": frames(),
        "not_frames": not_frames(),
        "messages": messages(),
        "not_messages": not_messages(),
        "looks": looks(),
        "readings": readings(),
    }
    with VECTORS.open("w") as file:
        file.write("{\n")
        file.write(",\n".join(f" {json.dumps(key)}: {_lines(value)}" for key, value in vectors.items()))
        file.write("\n}\n")


def _lines(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value)
    return "[\n" + ",\n".join("  " + json.dumps(item, ensure_ascii=True) for item in value) + "\n ]"


if __name__ == "__main__":
    main()

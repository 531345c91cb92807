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
from pathlib import Path
from typing import Any

from cobs import cobs

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.firmware_bridge.reader_recording import looks, readings, visits  # noqa: E402  # the path first

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
        _message(0x01, 0x1234, 0, b"\x01\x02", "Hello", lowest=1, highest=2),
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
            0x15,
            0x1234,
            11,
            b"\x03pad" + bytes.fromhex("001288133004cbfb"),
            "Exchange",
            reader="pad",
            frame="3004cbfb",
            last_bits=0,
            answer_bytes=18,
            timeout_us=5000,
        ),
        _message(
            0x15,
            0x1234,
            12,
            b"\x04pile" + bytes.fromhex("0000000050" + "0057cd"),
            "Exchange",
            reader="pile",
            frame="500057cd",
            last_bits=0,
            answer_bytes=0,
            timeout_us=0,
        ),
        _message(
            0x15,
            0x1234,
            13,
            b"\x03pad" + bytes.fromhex("0740ce31") + b"\x52" * 64,
            "Exchange",
            reader="pad",
            frame="52" * 64,
            last_bits=7,
            answer_bytes=64,
            timeout_us=12750,
        ),
        _message(
            0x41,
            0,
            0,
            bytes.fromhex("0102efbeadde05") + b"1.0.0",
            "Announce",
            lowest=1,
            highest=2,
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
        _message(0x43, 0x1234, 0, b"\x01\x02\x051.0.0", "Refuse", lowest=1, highest=2, firmware="1.0.0"),
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
        {"why": "an exchange of nothing", "payload": "15" + head + "03706164" + "00128813"},
        {"why": "an exchange with nobody", "payload": "15" + head},
        {"why": "an exchange of 65 bytes", "payload": "15" + head + "03706164" + "00128813" + "52" * 65},
        {"why": "an answer of 65 bytes", "payload": "15" + head + "03706164" + "00418813" + "52"},
        {"why": "eight bits of the last byte", "payload": "15" + head + "03706164" + "08128813" + "52"},
        {"why": "an answer that is not waited for", "payload": "15" + head + "03706164" + "00120000" + "52"},
        {"why": "a wait that no timer can count", "payload": "15" + head + "03706164" + "0012cf31" + "52"},
        {"why": "an exchange with a reader that is no text", "payload": "15" + head + "01ff" + "00128813" + "52"},
        {"why": "a UID of five bytes", "payload": "51" + head + "0000" + "03706164" + "050102030405" + "440000"},
        {"why": "a tag laid without a UID", "payload": "51" + head + "0000" + "03706164" + "00" + "440000"},
        {"why": "a name longer than the message", "payload": "55" + head + "0000" + "0861"},
        {"why": "a name that is no text", "payload": "55" + head + "0000" + "01ff"},
    ]


def replies() -> list[dict[str, Any]]:
    """What came back on the air, and how a board's Done says it."""
    page = bytes(range(16)).hex() + "0c0d"
    return [
        {"reply": ["answer", page, 0], "text": f"answer 0 {page}"},
        {"reply": ["answer", "0a", 4], "text": "answer 4 0a"},
        {"reply": ["answer", "00" * 64, 0], "text": "answer 0 " + "00" * 64},
        {"reply": ["silence"], "text": "silence"},
        {"reply": ["collision", 31], "text": "collision 31"},
        {"reply": ["noise", "a parity bit is wrong"], "text": "noise a parity bit is wrong"},
    ]


def main() -> None:
    vectors = {
        "about": "Golden bytes for both halves of the bridge; written by tests/firmware_bridge/record_vectors.py",
        "frames": frames(),
        "not_frames": not_frames(),
        "messages": messages(),
        "not_messages": not_messages(),
        "replies": replies(),
        "looks": looks(),
        "readings": readings(),
        "visits": visits(),
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

"""Frames: golden bytes in both directions, on both halves, and every way in which a line damages them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from cobs import cobs

from firmware_bridge.firmware import frames as board_frames
from firmware_bridge.frames import (
    ENCODED_MAX,
    PAYLOAD_MAX,
    FrameReader,
    cobs_decode,
    cobs_encode,
    decode_frame,
    encode_frame,
)

Receive = Callable[[bytes], list[bytes]]


def host_receiver() -> Receive:
    return FrameReader().receive_data


def board_receiver() -> Receive:
    reader = board_frames.FrameReader()

    def receive(data: bytes) -> list[bytes]:
        payloads = (reader.receive(byte) for byte in data)
        return [payload for payload in payloads if payload is not None]

    return receive


BOTH = pytest.mark.parametrize("receiver", [host_receiver, board_receiver], ids=["host", "board"])
ENCODERS = pytest.mark.parametrize("encode", [encode_frame, board_frames.encode_frame], ids=["host", "board"])


@ENCODERS
def test_payloads_become_the_golden_bytes(vectors: dict[str, Any], encode: Callable[[bytes], bytes]) -> None:
    for vector in vectors["frames"]:
        assert encode(bytes.fromhex(vector["payload"])).hex() == vector["wire"]


@BOTH
def test_the_golden_bytes_become_payloads_whole_and_byte_by_byte(
    vectors: dict[str, Any], receiver: Callable[[], Receive]
) -> None:
    payloads = [bytes.fromhex(vector["payload"]) for vector in vectors["frames"]]
    stream = b"".join(bytes.fromhex(vector["wire"]) for vector in vectors["frames"])
    assert receiver()(stream) == payloads
    one_by_one = receiver()
    assert [payload for byte in stream for payload in one_by_one(bytes((byte,)))] == payloads


@BOTH
def test_what_is_no_frame_is_skipped_and_costs_no_good_one(
    vectors: dict[str, Any], receiver: Callable[[], Receive]
) -> None:
    good = encode_frame(b"good frame")
    for vector in vectors["not_frames"]:
        assert receiver()(good + bytes.fromhex(vector["wire"]) + good) == [b"good frame"] * 2, vector["why"]


@BOTH
def test_text_right_before_and_behind_a_frame_does_not_harm_it(receiver: Callable[[], Receive]) -> None:
    rng = random.Random(4)
    for _ in range(500):
        before, behind = (rng.randbytes(rng.randint(0, 80)).replace(b"\x00", b">") for _ in range(2))
        assert receiver()(before + encode_frame(b"good frame") + behind) == [b"good frame"]


def test_stuffing_is_that_of_an_independent_implementation() -> None:
    rng = random.Random(5)
    for length in [*range(20), *range(250, 260), *range(505, 512), PAYLOAD_MAX]:
        for zeros in (0.0, 0.01, 0.5):
            data = bytes(0 if rng.random() < zeros else rng.randint(1, 255) for _ in range(length))
            assert cobs_encode(data) == cobs.encode(data)
            assert board_frames.cobs_encode(data) == cobs.encode(data)
            assert cobs_decode(cobs.encode(data)) == data == board_frames.cobs_decode(cobs.encode(data))


def test_a_payload_longer_than_the_bound_is_refused() -> None:
    with pytest.raises(ValueError, match="not 769"):
        encode_frame(bytes(PAYLOAD_MAX + 1))
    assert len(encode_frame(b"\x01" * PAYLOAD_MAX)) <= ENCODED_MAX + 2


def test_a_flood_without_delimiters_holds_one_frame_of_memory() -> None:
    reader = FrameReader()
    for _ in range(100):
        assert reader.receive_data(b"\xff" * 4096) == []
        assert len(reader._pending) <= ENCODED_MAX
    assert reader.receive_data(b"\x00" + encode_frame(b"good")) == [b"good"]
    assert reader.counters.too_long == 1
    assert reader.counters.skipped_bytes == 100 * 4096


def damaged(wire: bytes, rng: random.Random) -> Iterable[tuple[str, bytes]]:
    """One flipped bit, one lost, one doubled and one swapped byte, each at a random place."""
    at = rng.randrange(len(wire))
    bit = 1 << rng.randrange(8)
    yield f"bit {bit} of byte {at} flipped", wire[:at] + bytes((wire[at] ^ bit,)) + wire[at + 1 :]
    yield f"byte {at} lost", wire[:at] + wire[at + 1 :]
    yield f"byte {at} doubled", wire[: at + 1] + wire[at:]
    at = rng.randrange(len(wire) - 1)
    yield f"bytes {at} and {at + 1} swapped", wire[:at] + wire[at + 1 : at + 2] + wire[at : at + 1] + wire[at + 2 :]


def survive_damage(receiver: Callable[[], Receive], seed: int, count: int) -> None:
    rng = random.Random(seed)
    receive = receiver()
    for number in range(count):
        # Most are as short as events are; one in fifty has groups of 254 bytes and more.
        length = rng.randint(200, PAYLOAD_MAX) if number % 50 == 0 else rng.randint(4, 40)
        payload = rng.randbytes(length)
        if number % 100 == 0:
            payload = payload.replace(b"\x00", b"\x01")
        for what, wire in damaged(encode_frame(payload), rng):
            # Two frames later the line must be in step again, and nothing but what was sent may have come.
            arrived = receive(wire + encode_frame(b"second") + encode_frame(b"third!"))
            because = f"seed {seed}, frame {number} {payload.hex()}, {what}"
            assert arrived[-1:] == [b"third!"], because
            assert all(came in (payload, b"second") for came in arrived[:-1]), because
            assert len(arrived) <= 3, because


@BOTH
def test_no_damage_makes_another_message(receiver: Callable[[], Receive]) -> None:
    survive_damage(receiver, seed=6, count=3_000)


@pytest.mark.long  # pytest -m long tests/firmware_bridge/test_frames.py
@pytest.mark.timeout(600)
@BOTH
def test_no_damage_makes_another_message_in_100_000_frames(receiver: Callable[[], Receive]) -> None:
    survive_damage(receiver, seed=7, count=100_000)


def test_every_single_flipped_bit_of_a_frame_is_noticed() -> None:
    wire = encode_frame(b"\x51\x34\x12\x02\x00\x00\x03pad\x04\xde\xad\xbe\xef\x04\x00\x08")
    body = wire[1:-1]
    for at in range(len(body)):
        for bit in range(8):
            changed = body[:at] + bytes((body[at] ^ 1 << bit,)) + body[at + 1 :]
            with pytest.raises(ValueError):
                decode_frame(changed)

"""Messages: golden payloads in both directions on the host, and what can't be said."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

import pytest

from firmware_bridge import messages as m
from firmware_bridge.payloads import decode_message, encode_message


def plain(value: Any) -> Any:
    """A field of a message as the vectors write it."""
    match value:
        case bytes():
            return value.hex()
        case m.Beep(frequency_hz, on_ms, off_ms):
            return [frequency_hz, on_ms, off_ms]
        case m.Result() | m.Topic() | m.RestartInto():
            return int(value)
        case frozenset():
            return sorted(value)
        case tuple():
            return [plain(item) for item in value]
    return value


def test_golden_payloads_say_what_the_vectors_say(vectors: dict[str, Any]) -> None:
    for vector in vectors["messages"]:
        envelope = decode_message(bytes.fromhex(vector["payload"]))
        message = envelope.message
        assert type(message).__name__ == vector["message"]
        assert (envelope.session, envelope.number) == (vector["session"], vector["number"])
        fields = {field.name: plain(getattr(message, field.name)) for field in dataclasses.fields(message)}
        assert fields == vector["fields"]


def test_what_was_decoded_is_said_in_the_same_bytes(vectors: dict[str, Any]) -> None:
    for vector in vectors["messages"]:
        payload = bytes.fromhex(vector["payload"])
        assert encode_message(decode_message(payload)) == payload


def test_every_kind_of_message_has_a_vector(vectors: dict[str, Any]) -> None:
    named = {vector["message"] for vector in vectors["messages"]}
    assert named == {kind.__name__ for kind in m.Message.__args__}


def test_what_cant_be_is_refused(vectors: dict[str, Any]) -> None:
    for vector in vectors["not_messages"]:
        with pytest.raises(m.MessageError):
            decode_message(bytes.fromhex(vector["payload"]))
            pytest.fail(vector["why"])


def test_any_bytes_are_a_message_or_a_message_error() -> None:
    rng = random.Random(8)
    kinds = [*range(0x16), *range(0x40, 0x5A)]
    for _ in range(20_000):
        payload = bytes((rng.choice(kinds),)) + rng.randbytes(rng.randint(3, 30))
        try:
            envelope = decode_message(payload)
        except m.MessageError:
            continue
        assert encode_message(envelope) == payload, payload.hex()


@pytest.mark.parametrize(
    "message",
    [
        m.Sound((m.Beep(440, 10),) * 65),
        m.Sound((m.Beep(70_000, 10),)),
        m.Sound((m.Beep(440, -1),)),
        m.Show(frozenset({10})),
        m.Show(frozenset({-1})),
        m.Exchange("pad", b"", answer_bytes=1, timeout_us=1),
        m.Exchange("pad", b"0" * 65),
        m.Exchange("pad", b"0", last_bits=8),
        m.Exchange("pad", b"0", answer_bytes=65, timeout_us=1),
        m.Exchange("pad", b"0", answer_bytes=1),
        m.Exchange("pad", b"0", answer_bytes=1, timeout_us=12_751),
        m.Exchange("x" * 256, b"0"),
        m.Pressed(0, "x" * 256),
        m.Pressed(70_000, "x"),
    ],
)
def test_what_cant_be_said_is_an_error_before_it_is_sent(message: m.Message) -> None:
    with pytest.raises(ValueError):
        encode_message(m.Envelope(1, 1, message))

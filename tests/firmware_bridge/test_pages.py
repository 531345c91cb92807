"""The pages agree with the programs: pins with the board's settings, the protocol with the messages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from firmware_bridge import link, messages
from firmware_bridge.firmware import link as board_link
from firmware_bridge.firmware import messages as board_messages
from firmware_bridge.firmware import reader as board_reader
from firmware_bridge.firmware import settings
from firmware_bridge.frames import PAYLOAD_MAX, PAYLOAD_MIN
from hardware.bridged.bridge import ANSWER_MS
from hardware.rc522.chip import TIMER_STEP_US, TIMER_STEPS_MAX

ROOT = Path(__file__).parents[2]
PICO = (ROOT / "docs" / "how-to" / "pico.md").read_text(encoding="utf-8")
PROTOCOL = (ROOT / "firmware_bridge" / "PROTOCOL.md").read_text(encoding="utf-8")
# The Pico's header, pin 1 to 40 (Raspberry Pi Pico data sheet, figure 2).
GROUNDS = (3, 8, 13, 18, 23, 28, 33, 38)
HEADER = {
    **dict(zip([pin for pin in range(1, 21) if pin not in GROUNDS], range(16), strict=True)),
    21: 16,
    22: 17,
    24: 18,
    25: 19,
    26: 20,
    27: 21,
    29: 22,
    31: 26,
    32: 27,
    34: 28,
}


def rows() -> list[list[str]]:
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in PICO.splitlines() if line.startswith("| ")
    ]


def wired() -> dict[str, int]:
    """What the wiring table says: part and its pin, to the GP number."""
    found = {}
    for row in rows():
        if len(row) == 4 and (match := re.fullmatch(r"GP(\d+)", row[2])):
            found[f"{row[0]} {row[1]}"] = int(match[1])
            assert HEADER[int(row[3])] == int(match[1]), row
    return found


def test_the_wiring_table_is_what_a_board_without_settings_does() -> None:
    table, defaults = wired(), settings.DEFAULTS
    spi: Any = defaults["spi"]
    readers: Any = defaults["readers"]
    buttons: Any = defaults["buttons"]
    lamps: Any = defaults["lamps"]
    buzzer: Any = defaults["buzzer"]
    wanted = {f"RC522 {name.upper()}": spi[name] for name in ("sck", "mosi", "miso")}
    wanted["RC522 SDA (chip select)"] = readers[0]["cs"]
    for name, pin in buttons.items():
        seat = name.partition(":")[2]
        wanted[f"button `{name}`{f' (seat {int(seat) + 1})' if seat else ''} to GND"] = pin
    wanted |= {f"lamp of seat {seat} through a resistor to GND": pin for seat, pin in enumerate(lamps, 1)}
    wanted["buzzer to GND"] = buzzer["pin"]
    assert table == wanted


def test_the_example_of_settings_is_valid() -> None:
    (example,) = re.findall(r"```json\n(.*?)```", PICO, re.DOTALL)
    whole = settings.check(settings.merged(settings.DEFAULTS, json.loads(example)))
    assert [reader["name"] for reader in whole["readers"]] == ["pad", "pile"]


def test_the_table_of_settings_names_all_of_them() -> None:
    named = {row[0].strip("`") for row in rows() if row[0].startswith("`")}
    assert named == set(settings.DEFAULTS)


def test_the_protocol_page_has_every_kind_of_message() -> None:
    table = {
        name: int(kind, 16) for kind, name in re.findall(r"^\| ([0-9A-F]{2})h \| (\w+) \|", PROTOCOL, re.MULTILINE)
    }
    vectors = json.loads((ROOT / "firmware_bridge" / "vectors.json").read_text())["messages"]
    assert table == {vector["message"]: int(vector["payload"][:2], 16) for vector in vectors}


def test_the_protocol_page_names_the_numbers_that_are_in_force() -> None:
    assert f"Version {messages.PROTOCOL_VERSION}." in PROTOCOL
    assert f"a payload has {PAYLOAD_MIN} to {PAYLOAD_MAX} bytes" in PROTOCOL
    assert f"every {link.HELLO_PERIOD_MS} ms" in PROTOCOL
    assert f"for {link.SILENCE_MS / 1000} s" in PROTOCOL
    assert f"every {link.ALIVE_PERIOD_MS} ms" in PROTOCOL
    assert f"every {link.REPEAT_MS} ms" in PROTOCOL
    assert f"nobody has taken {link.EVENTS_MAX} events" in PROTOCOL
    assert "Up to eight" in PROTOCOL and board_link.WINDOW == link.COMMANDS_MAX == 8


def test_both_halves_and_the_page_keep_the_same_bounds_on_the_air() -> None:
    assert board_messages.RADIO_BYTES_MAX == messages.RADIO_BYTES_MAX
    assert board_messages.RADIO_TIMEOUT_US_MAX == messages.RADIO_TIMEOUT_US_MAX == TIMER_STEP_US * TIMER_STEPS_MAX
    assert (board_messages.PROTOCOL_LOWEST, board_messages.PROTOCOL_VERSION) == (
        messages.PROTOCOL_LOWEST,
        messages.PROTOCOL_VERSION,
    )
    assert f"up to {messages.RADIO_TIMEOUT_US_MAX:,}" in PROTOCOL
    assert f"frame of 1 to {messages.RADIO_BYTES_MAX} bytes" in PROTOCOL
    assert f"look by itself for {board_reader.HOLD_MS} ms" in PROTOCOL and board_reader.HOLD_MS >= 2 * link.REPEAT_MS
    assert f"waits {ANSWER_MS // 1000} s for an" in PROTOCOL


def test_both_halves_keep_the_same_times() -> None:
    assert board_link.SILENCE_MS == link.SILENCE_MS
    assert board_link.ALIVE_PERIOD_MS == link.ALIVE_PERIOD_MS
    assert board_link.REPEAT_MS == link.REPEAT_MS

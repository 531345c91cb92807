"""The board's one settings file: what is wired where. Read at start, checked whole, changed over the line.

No pin is opened here. A file that can't be used is never half used: the defaults stand in for all of it,
and the reason is told.
"""

import json
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FILE = "settings.json"
_NEW_FILE = "settings.new"
FILE_BYTES_MAX = 2048
# All of them must fit into one report (PAYLOAD_MAX in ``frames``); ten buttons, ten lamps and two readers do.
REPORT_BYTES_MAX = 740

BUTTONS_MAX = 10
LAMPS_MAX = 10
READERS_MAX = 2
NAME_BYTES_MAX = 16
# GP0 to GP22 and GP26 to GP28 are the pins that a Pico brings out; 23 to 25 are its own.
PINS = tuple(range(23)) + (26, 27, 28)
GAINS_DB = (18, 23, 33, 38, 43, 48)
# The RP2040's watchdog counts to 8388 ms at most. A turn may take 15 ms, and a chip that doesn't wake up 150 ms: below
# a second a sound program would be restarted for ever, with nobody able to reach it.
WATCHDOG_MS_MIN = 1000
WATCHDOG_MS_MAX = 8388

DEFAULTS: "dict[str, Any]" = {
    "spi": {"bus": 0, "sck": 18, "mosi": 19, "miso": 16, "speed_hz": 1000000},
    "readers": [{"name": "pad", "cs": 17, "reset": None, "gain_db": 38}],
    "buttons": {"seat:0": 2, "seat:1": 3, "seat:2": 4, "seat:3": 5, "draw": 6, "challenge": 7, "undo": 8},
    "buzzer": {"pin": 15, "passive": True},
    "lamps": [10, 11, 12, 13],
    "watchdog_ms": 8000,
}


class SettingsError(ValueError):
    """A setting can't be; the text names it."""


def _object(value: "Any", where: str, names: "tuple[str, ...]") -> "Any":
    if not isinstance(value, dict):
        raise SettingsError(f"{where} must be an object")
    for name in value:
        if name not in names:
            raise SettingsError(f"{where} has no setting {name}; it knows {', '.join(names)}")
    for name in names:
        if name not in value:
            raise SettingsError(f"{where} lacks {name}")
    return value


def _whole(value: "Any", where: str, lowest: int, highest: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value <= highest:
        raise SettingsError(f"{where} must be a whole number from {lowest} to {highest}")


def _name(value: "Any", where: str) -> None:
    # Half a pair of UTF-16 passes for a letter here, and no host can read it.
    if not isinstance(value, str) or any(0xD800 <= ord(letter) < 0xE000 for letter in value):
        raise SettingsError(f"{where} must be a text")
    if not 0 < len(value.encode()) <= NAME_BYTES_MAX:
        raise SettingsError(f"{where} must be a text of 1 to {NAME_BYTES_MAX} bytes")


class _Pins:
    """Sees to it that no pin has two uses."""

    def __init__(self) -> None:
        self._uses: dict[int, str] = {}

    def take(self, pin: "Any", where: str) -> None:
        if not isinstance(pin, int) or isinstance(pin, bool) or pin not in PINS:
            raise SettingsError(f"{where} must be a GP number: 0 to 22, 26, 27 or 28")
        if pin in self._uses:
            raise SettingsError(f"{where} and {self._uses[pin]} are both on GP{pin}")
        self._uses[pin] = where


def _check_readers(readers: "Any", pins: _Pins) -> None:
    if not isinstance(readers, list) or len(readers) > READERS_MAX:
        raise SettingsError(f"readers must be a list of at most {READERS_MAX}")
    names: list[str] = []
    for reader in readers:
        _object(reader, "a reader", ("name", "cs", "reset", "gain_db"))
        _name(reader["name"], "a reader's name")
        if reader["name"] in names:
            raise SettingsError(f"two readers are named {reader['name']}")
        names.append(reader["name"])
        pins.take(reader["cs"], f"cs of reader {reader['name']}")
        if reader["reset"] is not None:
            pins.take(reader["reset"], f"reset of reader {reader['name']}")
        if reader["gain_db"] not in GAINS_DB:
            raise SettingsError("gain_db must be 18, 23, 33, 38, 43 or 48")


def check(settings: "Any") -> "Any":
    """Return *settings* if all of it can be, or raise SettingsError."""
    _object(settings, "the file", tuple(sorted(DEFAULTS)))
    pins = _Pins()
    spi = _object(settings["spi"], "spi", ("bus", "sck", "mosi", "miso", "speed_hz"))
    _whole(spi["bus"], "spi bus", 0, 1)
    _whole(spi["speed_hz"], "spi speed_hz", 100000, 10000000)
    for name in ("sck", "mosi", "miso"):
        pins.take(spi[name], f"spi {name}")
    _check_readers(settings["readers"], pins)
    buttons = settings["buttons"]
    if not isinstance(buttons, dict) or len(buttons) > BUTTONS_MAX:
        raise SettingsError(f"buttons must be an object of at most {BUTTONS_MAX} names and pins")
    for name in buttons:
        _name(name, "a button's name")
        pins.take(buttons[name], f"button {name}")
    if settings["buzzer"] is not None:
        buzzer = _object(settings["buzzer"], "buzzer", ("pin", "passive"))
        pins.take(buzzer["pin"], "buzzer")
        if not isinstance(buzzer["passive"], bool):
            raise SettingsError("passive must be true or false")
    lamps = settings["lamps"]
    if not isinstance(lamps, list) or len(lamps) > LAMPS_MAX:
        raise SettingsError(f"lamps must be a list of at most {LAMPS_MAX} pins, one a seat")
    for seat in range(len(lamps)):
        pins.take(lamps[seat], f"lamp {seat}")
    if settings["watchdog_ms"] != 0 or isinstance(settings["watchdog_ms"], bool):
        _whole(settings["watchdog_ms"], "watchdog_ms must be 0, or it", WATCHDOG_MS_MIN, WATCHDOG_MS_MAX)
    if len(json.dumps(settings).encode()) > REPORT_BYTES_MAX:
        raise SettingsError("the settings are too long; give the buttons shorter names")
    return settings


def reason(error: Exception) -> str:
    """What *error* says; MicroPython has no words for bytes that are no text."""
    if isinstance(error, UnicodeError):
        return "it is no text"
    return str(error) or type(error).__name__


def load() -> "tuple[Any, str]":
    """Return the settings in force and why the file was not used; no file is no fault."""
    try:
        with open(FILE) as file:
            text = file.read(FILE_BYTES_MAX + 1)
        if len(text) > FILE_BYTES_MAX:
            raise SettingsError(f"it is longer than {FILE_BYTES_MAX} characters")
        return check(merged(DEFAULTS, json.loads(text))), ""
    except OSError:
        return DEFAULTS, ""
    except Exception as error:  # no text, no JSON, or so deeply nested that the memory does not suffice
        return DEFAULTS, f"The board's settings.json can't be used ({reason(error)}), so the usual pins are in force."


def merged(settings: "Any", changes: "Any") -> "Any":
    """Return *settings* with each top-level value of *changes* in place of the old one."""
    if not isinstance(changes, dict):
        raise SettingsError("settings must be an object")
    whole = dict(settings)
    whole.update(changes)
    return whole


def change(settings: "Any", text: str) -> "Any":
    """Check and store what *text* (JSON) changes; return the whole, which counts from the next start on.

    The file is written beside the old one and put in its place at once, so that a pulled plug leaves one of
    the two.
    """
    whole = check(merged(settings, json.loads(text)))
    stored = json.dumps(whole)
    with open(_NEW_FILE, "w") as file:
        file.write(stored)
    os.rename(_NEW_FILE, FILE)
    return whole

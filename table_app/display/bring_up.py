"""Brings up a screen on whatever machine this is: which drivers to try, in which order, and why not the others.

A screen is sought through the kernel (kmsdrm), on a Wayland or an X11 desktop, or not at all: a table without one goes
on with buzzer, buttons and tags. Which DRM card is told by the connector that something is plugged into, never by its
number, which changes from one start to the next. Nothing is painted here, pygame is not
imported, and no screen is no error.

Everything about the machine is read below one root directory; the window itself is opened by a function that is given.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, Generic, TypeVar

from hardware.header_spi import config_name
from hardware.machine import is_raspberry_pi

# How often a table without a screen looks whether one was plugged in: reading some small files costs nothing.
LOOK_AGAIN_MS: Final = 5_000
# A screen that is there and could not be opened is tried again: soon, because what held it (a boot splash) lets go in
# seconds, then ever more seldom, because each try may flicker and costs some hundred milliseconds.
TRY_AGAIN_MS: Final = 5_000
TRY_AGAIN_MS_MAX: Final = 5 * 60_000
ATTEMPT_FILE: Final = "display-attempt"

Opened = TypeVar("Opened")


class Driver(StrEnum):
    """A way to the screen, by SDL's name for its driver."""

    KMSDRM = "kmsdrm"
    WAYLAND = "wayland"
    X11 = "x11"


@dataclass(frozen=True, slots=True)
class Connector:
    """A socket for a screen: *card* is the N of /dev/dri/cardN, *name* the kernel's, such as ``HDMI-A-1``.

    *is_sure* is false where the kernel can't tell whether something is plugged in (VGA, composite).
    """

    card: int
    name: str
    is_sure: bool = True


@dataclass(frozen=True, slots=True)
class Attempt:
    """One way to try. *environment* is what SDL is to be told for it; *reason* why it is worth trying."""

    driver: Driver
    environment: Mapping[str, str]
    reason: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What to try, in order, and what not, as sentences for the log."""

    attempts: tuple[Attempt, ...]
    left_out: tuple[str, ...]


def connectors(root: Path = Path("/")) -> list[Connector]:
    """The sockets that something is plugged into, or may be; the sure ones first, a built-in panel before a plug."""
    found = []
    for entry in (root / "sys/class/drm").glob("card*-*"):
        match = re.fullmatch(r"card(\d+)-(.+)", entry.name)
        # A write-back "connector" is a way into memory, not out to a screen.
        if match is None or match[2].startswith("Writeback"):
            continue
        try:
            status = (entry / "status").read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            continue
        if status in ("connected", "unknown"):
            found.append(Connector(int(match[1]), match[2], status == "connected"))
    return sorted(found, key=lambda one: (not one.is_sure, not one.name.startswith(("DSI", "DPI")), one.card, one.name))


def plan(root: Path = Path("/"), environment: Mapping[str, str] = os.environ) -> Plan:
    """What to try on this machine, in this session."""
    asked = environment.get("SDL_VIDEODRIVER")
    if asked:
        return Plan((), (f"SDL_VIDEODRIVER={asked} is set, so nothing else is tried.",))
    attempts: list[Attempt] = []
    left_out: list[str] = []
    desktop = next((name for name in ("WAYLAND_DISPLAY", "DISPLAY") if environment.get(name)), "")
    if desktop:
        left_out.append(f"kmsdrm: a desktop holds the screen ({desktop} is set).")
    else:
        _plan_kmsdrm(root, attempts, left_out)
    for driver, variable in ((Driver.WAYLAND, "WAYLAND_DISPLAY"), (Driver.X11, "DISPLAY")):
        if environment.get(variable):
            settings = {"SDL_VIDEODRIVER": str(driver), "SDL_RENDER_VSYNC": "1"}
            attempts.append(Attempt(driver, settings, f"{variable} is {environment[variable]}"))
        else:
            left_out.append(f"{driver}: {variable} is not set.")
    return Plan(tuple(attempts), tuple(left_out))


def _plan_kmsdrm(root: Path, attempts: list[Attempt], left_out: list[str]) -> None:
    cards = [entry for entry in (root / "dev/dri").glob("card*") if entry.name.removeprefix("card").isdigit()]
    if not cards:
        fix = f" Put dtoverlay=vc4-kms-v3d into {config_name(root)}." if is_raspberry_pi(root) else ""
        left_out.append(f"kmsdrm: there is no /dev/dri/card*.{fix}")
        return
    found = connectors(root)
    if not found:
        left_out.append("kmsdrm: no screen says that it is plugged in (no connector in /sys/class/drm is connected).")
    tried: set[int] = set()
    for connector in found:
        if connector.card in tried:
            continue
        tried.add(connector.card)
        # SDL (2.24 to 2.32) takes the index as the N of /dev/dri/cardN.
        # With vsync the page flips are not asynchronous, which Pi 4 and 5 have shown as garbage.
        settings = {
            "SDL_VIDEODRIVER": str(Driver.KMSDRM),
            "SDL_KMSDRM_DEVICE_INDEX": str(connector.card),
            "SDL_RENDER_VSYNC": "1",
        }
        doubt = "" if connector.is_sure else ", perhaps"
        reason = f"{connector.name} of /dev/dri/card{connector.card} is connected{doubt}"
        attempts.append(Attempt(Driver.KMSDRM, settings, reason))


def _name(attempt: Attempt) -> str:
    return f"{attempt.driver} {attempt.environment.get('SDL_KMSDRM_DEVICE_INDEX', '')}".strip()


class Screen(Generic[Opened]):
    """A table's screen, there or not. *opener* opens a window or raises an ``OSError``, as
    ``window.NoDisplayError`` is; *log* takes sentences.

    *run_directory* outlives a crash but not a stop: what was being tried when the process died is not tried again, so
    that a driver that takes the process down with it can't keep the table from starting. A way counts as tried until
    its first picture was shown: some drivers open well, and die on that.
    """

    def __init__(
        self,
        opener: Callable[[], Opened],
        log: Callable[[str], None],
        *,
        root: Path = Path("/"),
        environment: MutableMapping[str, str] = os.environ,
        run_directory: Path | None = None,
    ) -> None:
        self._opener = opener
        self._log = log
        self._root = root
        self._environment = environment
        self._attempt_file = None if run_directory is None else run_directory / ATTEMPT_FILE
        self._given = dict(environment)
        self._seen: list[Connector] = []
        self._look_again_ms = 0
        self._try_again_ms = 0
        self._patience_ms = TRY_AGAIN_MS
        self._opened_ms = 0
        self._lost = ""
        self._said: frozenset[str] = frozenset()
        self._saying: list[str] = []
        self.window: Opened | None = None
        self.driver: str = ""

    def bring_up(self, now_ms: int) -> Opened | None:
        """Try one way after another; the window, or None if there is no way. Says what came of each."""
        self._look_again_ms = now_ms + LOOK_AGAIN_MS
        self._opened_ms = now_ms
        self._try_again_ms = now_ms + self._patience_ms
        self._patience_ms = min(2 * self._patience_ms, TRY_AGAIN_MS_MAX)
        self._seen = connectors(self._root)
        made = plan(self._root, self._given)
        for sentence in made.left_out:
            self._say(f"not {sentence}" if not sentence.startswith("SDL_") else sentence)
        fatal = self._fatal_attempts()
        asked = self._given.get("SDL_VIDEODRIVER")
        if asked:
            self._try("the one that was asked for", asked, {})
        # What was lost the last time comes last.
        for attempt in sorted(made.attempts, key=lambda one: _name(one) == self._lost):
            name = _name(attempt)
            if name in fatal:
                self._say(f"not {name}: the program died on it the last time.")
                continue
            if self._try(attempt.reason, name, attempt.environment):
                break
        if self.window is None:
            self._say("none. The table goes on with buzzer, buttons and tags.")
        self._said, self._saying = frozenset(self._saying), []
        return self.window

    def _say(self, sentence: str) -> None:
        """Into the log, unless the try before said the same: a screen may be missing for months."""
        self._saying.append(sentence)
        if sentence not in self._said:
            self._log(f"Display: {sentence}")

    def _try(self, reason: str, name: str, settings: Mapping[str, str]) -> bool:
        self._environment.update(settings)
        self._note_attempt(name)
        try:
            self.window = self._opener()
        except OSError as error:
            self._note_attempt("")
            self._say(f"{name} ({reason}) can't be used: {error}")
            for key in settings:
                self._environment.pop(key, None)
                if key in self._given:
                    self._environment[key] = self._given[key]
        else:
            self.driver = name
            self._say(f"{name} ({reason}).")
        return self.window is not None

    def settle(self) -> None:
        """The first picture is on the screen, or the program ends in good order: this way killed nobody."""
        if self._trying:
            self._note_attempt("")

    def lose(self, reason: str, now_ms: int) -> None:
        """The window, which is closed, can't be used any more; another way or the same is tried later."""
        self._log(f"Display: {self.driver} was lost: {reason}")
        self._note_attempt("")
        for key in ("SDL_VIDEODRIVER", "SDL_KMSDRM_DEVICE_INDEX", "SDL_RENDER_VSYNC"):
            self._environment.pop(key, None)
            if key in self._given:
                self._environment[key] = self._given[key]
        self.window, self._lost, self.driver = None, self.driver, ""
        self._said = frozenset()
        if now_ms - self._opened_ms >= TRY_AGAIN_MS_MAX:
            self._patience_ms = TRY_AGAIN_MS  # it was good for a while
        self._try_again_ms = now_ms + self._patience_ms

    def poll(self, now_ms: int) -> Opened | None:
        """Look whether a screen was plugged in since, and try one that could not be used again after a while; the
        window if there is one now and was none before."""
        if self.window is not None or now_ms < self._look_again_ms:
            return None
        self._look_again_ms = now_ms + LOOK_AGAIN_MS
        if connectors(self._root) != self._seen:
            self._log("Display: something was plugged in or out; trying again.")
            self._patience_ms = TRY_AGAIN_MS
        elif now_ms < self._try_again_ms:
            return None
        return self.bring_up(now_ms)

    # -- what killed us --------------------------------------------------------------------------------------------

    def _fatal_attempts(self) -> set[str]:
        if self._attempt_file is None:
            return set()
        try:
            return {line for line in self._attempt_file.read_text(encoding="utf-8").splitlines() if line}
        except (OSError, UnicodeDecodeError):
            return set()

    def _note_attempt(self, name: str) -> None:
        """Write what is being tried below what was fatal before; with nothing, take the last one back."""
        if self._attempt_file is None:
            return
        fatal = sorted(self._fatal_attempts() - {self._trying})
        self._trying = name
        lines = [*fatal, name] if name else fatal
        try:
            self._attempt_file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        except OSError:
            self._attempt_file = None  # without the file we are only less clever after a crash

    _trying = ""

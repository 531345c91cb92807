"""``lastcard firmware``: puts the firmware onto a board on USB, and shows how a board is doing.

Words and exit codes only; the work is ``firmware_bridge.install``'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import click

from firmware_bridge.adjusting import named_values, read_settings, set_settings
from firmware_bridge.errors import BridgeError
from firmware_bridge.install import BoardStatus
from firmware_bridge.install import install as install_firmware
from firmware_bridge.install import status as board_status
from hardware.bridged.bridge import as_hardware_error, random_session
from hardware.clock import SystemClock
from table_app.cli import SuggestingGroup
from table_app.printing import json_text, say

# A firmware that is older or newer than this program may not report all that this one's does.
UNTOLD = "?"
PORT_HELP = (
    "The board's port, best by its lasting name (/dev/serial/by-id/...); without it the one board on USB is taken."
)


@contextmanager
def _as_device() -> Iterator[None]:
    """A fault of the line is a fault of a device, as the command line tells it."""
    try:
        yield
    except BridgeError as fault:
        raise as_hardware_error(fault) from fault


@click.group(cls=SuggestingGroup)
def firmware() -> None:
    """The microcontroller that carries reader, buttons and buzzer."""


@firmware.command()
@click.option("--port", metavar="PORT", help=PORT_HELP)
def install(port: str | None) -> None:
    """Put the firmware onto a board, start it and check it. Settings on the board stay."""
    with _as_device():
        welcome = install_firmware(port, SystemClock(), random_session, say)
    say(f"Done: {_about(welcome.board, welcome.firmware, welcome.readers)}.")
    click.echo("Play with it: lastcard play --reader serial")


@firmware.command()
@click.option("--port", metavar="PORT", help=PORT_HELP)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def status(port: str | None, as_json: bool) -> None:
    """Show a board's version, readers, wiring and counters."""
    with _as_device():
        report = board_status(port, SystemClock(), random_session)
    if as_json:
        click.echo(json_text(asdict(report)))
    else:
        for line in _lines(report):
            say(line)


@firmware.command()
@click.option("--port", metavar="PORT", help=PORT_HELP)
@click.option("--json", "as_json", is_flag=True, help="The board's own JSON, as in its settings.json.")
def settings(port: str | None, as_json: bool) -> None:
    """Show a board's settings, each as `lastcard firmware set` takes it."""
    with _as_device():
        found = read_settings(port, SystemClock(), random_session)
    if as_json:
        click.echo(json_text(found))
    else:
        for name, value in named_values(found):
            say(f"{name} {value}")


@firmware.command("set")
@click.argument("assignments", nargs=-1, required=True, metavar="NAME VALUE...")
@click.option("--port", metavar="PORT", help=PORT_HELP)
def set_command(assignments: tuple[str, ...], port: str | None) -> None:
    """Change settings on a board and restart it with them: `readers.pile.cs 20`, `buzzer.passive false`.

    Lists are numbers with commas between them (`lamps 10,11,12`); `none` takes away what is not wired
    (`buttons.undo none`). Several at once are changed together or not at all.
    """
    if len(assignments) % 2:
        raise click.UsageError(f"{assignments[-1]} has no value; write NAME VALUE, such as: buzzer.pin 14")
    pairs = list(zip(assignments[::2], assignments[1::2], strict=True))
    with _as_device():
        found = set_settings(port, SystemClock(), random_session, pairs)
    values = dict(named_values(found))
    for name, _ in pairs:
        say(f"{name} {values.get(name, 'none')}")
    click.echo("The board has restarted with it.")


def _about(board: str, version: str, readers: tuple[str, ...]) -> str:
    return f"{board}, firmware {version}, readers: {', '.join(readers) or 'none'}"


def _lines(report: BoardStatus) -> list[str]:
    welcome, counters = report.welcome, report.counters
    up_s, free = (counters.get(name, UNTOLD) for name in ("uptime_s", "memory_free"))
    lines = [
        f"{report.address}: {_about(welcome.board, welcome.firmware, welcome.readers)}",
        f"  protocol {welcome.protocol}, up for {up_s} s, {free} bytes free",
    ]
    for reader in report.readers:
        lines.append(f"  reader {reader['name']}: {reader['fault'] or f'works, chip version {_version(reader)}'}")
    buttons = ", ".join(f"{name} GP{pin}" for name, pin in report.settings.get("buttons", {}).items())
    lines.append(f"  buttons: {buttons or 'none'}")
    lamps = ", ".join(f"seat {seat} GP{pin}" for seat, pin in enumerate(report.settings.get("lamps", ())))
    lines.append(f"  lamps: {lamps or 'none'}")
    buzzer = report.settings.get("buzzer")
    lines.append(f"  buzzer: {_buzzer(buzzer.get('pin', UNTOLD), buzzer.get('passive')) if buzzer else 'none'}")
    lines.append(f"  counted by the board since its start: {_counted(counters.get('counters', {})) or UNTOLD}")
    lines.append(f"  counted here while asking: {_counted(report.host)}")
    if counters.get("note"):
        lines.append(f"  {counters['note']}")
    if counters.get("last_fault"):
        lines.append(f"  last fault of the program: {counters['last_fault']}")
    return lines


def _version(reader: Mapping[str, Any]) -> str:
    return UNTOLD if reader["version"] is None else f"{reader['version']:02X}h"


def _counted(counters: Mapping[str, int]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counters.items())


def _buzzer(pin: object, is_passive: object) -> str:
    return f"GP{pin}, {'passive' if is_passive else 'active'}"

"""``lastcard firmware``: puts the firmware onto a board on USB, and shows how a board is doing.

Words and exit codes only; the work is ``firmware_bridge.install``'s.
"""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from firmware_bridge.errors import BridgeError
from firmware_bridge.install import BoardStatus
from firmware_bridge.install import install as install_firmware
from firmware_bridge.install import status as board_status
from hardware.bridged import as_hardware_error, random_session
from hardware.clock import SystemClock

PORT_HELP = "The board's serial port, such as /dev/ttyACM0; without it the one board on USB is taken."


@click.group()
def firmware() -> None:
    """The microcontroller that carries reader, buttons and buzzer."""


@firmware.command()
@click.option("--port", metavar="PORT", help=PORT_HELP)
def install(port: str | None) -> None:
    """Put the firmware onto a board, start it and check it. Settings on the board stay."""
    try:
        welcome = install_firmware(port, SystemClock(), random_session, click.echo)
    except BridgeError as fault:
        raise as_hardware_error(fault) from fault
    click.echo(f"Done: {_about(welcome.board, welcome.firmware, welcome.readers)}.")
    click.echo("Play with it: lastcard play --reader serial")


@firmware.command()
@click.option("--port", metavar="PORT", help=PORT_HELP)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def status(port: str | None, as_json: bool) -> None:
    """Show a board's version, readers, wiring and counters."""
    try:
        report = board_status(port, SystemClock(), random_session)
    except BridgeError as fault:
        raise as_hardware_error(fault) from fault
    if as_json:
        click.echo(json.dumps(asdict(report)))
    else:
        for line in _lines(report):
            click.echo(line)


def _about(board: str, version: str, readers: tuple[str, ...]) -> str:
    return f"{board}, firmware {version}, readers: {', '.join(readers) or 'none'}"


def _lines(report: BoardStatus) -> list[str]:
    welcome, counters = report.welcome, report.counters
    lines = [
        f"{report.address}: {_about(welcome.board, welcome.firmware, welcome.readers)}",
        f"  protocol {welcome.protocol}, up for {counters['uptime_s']} s, {counters['memory_free']} bytes free",
    ]
    for reader in report.readers:
        how = reader["fault"] or f"works, chip version {reader['version']:02X}h"
        lines.append(f"  reader {reader['name']}: {how}")
    buttons = ", ".join(f"{name} GP{pin}" for name, pin in report.settings["buttons"].items())
    lines.append(f"  buttons: {buttons or 'none'}")
    lamps = ", ".join(f"seat {seat} GP{pin}" for seat, pin in enumerate(report.settings["lamps"]))
    lines.append(f"  lamps: {lamps or 'none'}")
    buzzer = report.settings["buzzer"]
    lines.append(f"  buzzer: {_buzzer(buzzer['pin'], buzzer['passive']) if buzzer else 'none'}")
    counted = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counters["counters"].items())
    lines.append(f"  counted since its start: {counted}")
    if counters["last_fault"]:
        lines.append(f"  last fault of the program: {counters['last_fault']}")
    return lines


def _buzzer(pin: int, is_passive: bool) -> str:
    return f"GP{pin}, {'passive' if is_passive else 'active'}"

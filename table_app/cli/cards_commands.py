"""``lastcard cards enrol --commands``: stickers that are buttons, asked for one by one, by the pad and the terminal."""

from __future__ import annotations

from contextlib import ExitStack

import click

from hardware.signals import Signal
from table_app.cli.cards_place import Place
from table_app.cli.counted import counted
from table_app.cli.tapping import open_sounds, open_tapped, run_on_terminal
from table_app.table.clock import now_ms
from table_app.table.commands import COMMANDS_FILE, CommandEnrolment, command_words, open_commands
from table_app.table.enrolling import Enrolled

KEYS = "Enter: leave this one out · b: the one before · q: stop"


class CommandSession:
    """An enrolment of command tags obeying keys."""

    def __init__(self, enrolment: CommandEnrolment) -> None:
        self.enrolment = enrolment
        self.is_stopped = False

    @property
    def is_over(self) -> bool:
        return self.is_stopped or self.enrolment.asked is None

    def prompt(self) -> str:
        asked, left = self.enrolment.asked, self.enrolment.left
        return "" if asked is None else f"Lay the tag for {command_words(asked)} on the pad. {left} left."

    def take(self, signal: Signal) -> Enrolled | None:
        return self.enrolment.take(signal)

    def obey(self, key: str) -> Enrolled | None:
        if key.startswith("q"):
            self.is_stopped = True
        elif key.startswith("b"):
            self.enrolment.back()
        else:
            self.enrolment.skip()
        return None


def enrol_commands(place: Place, reader: str | None) -> None:
    """Ask for a tag for each button of this table."""
    seats = len(place.settings.setup().players)
    with ExitStack() as closing:
        registry = closing.enter_context(place.registry())
        opened = open_commands(place.directory / COMMANDS_FILE)
        if opened.moved_aside is not None:
            click.echo(
                f"The list of command tags was unreadable. It is kept as {opened.moved_aside}; enrol them anew.",
                err=True,
            )
        commands = opened.commands
        closing.callback(commands.close)
        session = CommandSession(CommandEnrolment(commands, registry, seats))
        if session.is_over:
            click.echo("Every button has its tag.")
            return
        device = open_tapped(place, reader)
        closing.callback(device.close)
        sounds = open_sounds(place.settings)
        closing.callback(sounds.close)
        click.echo(f"{counted(session.enrolment.left, 'button')} to go. {KEYS}")
        run_on_terminal(session, device, sounds, now_ms)
        left = session.enrolment.left
        verb = "has" if left == 1 else "have"
        click.echo(f"{counted(left, 'button')} {verb} no tag yet." if left else "Done.")

"""``lastcard cards enrol --commands``: stickers that are buttons, asked for one by one, by the pad and the terminal."""

from __future__ import annotations

from contextlib import ExitStack

import click

from hardware.readers import is_simulated
from hardware.signals import Signal
from hardware.tags.labels import TalkingReader
from table_app.cli.cards.place import Place
from table_app.cli.cards.tapping import open_tapped, unknown_key, word_of
from table_app.cli.cards.tapping_window import Shown, run_where_seen
from table_app.cli.counted import counted
from table_app.printing import say
from table_app.table import TableError
from table_app.table.opening import BUTTONS_LOST, told_of_list
from table_app.table.simulated_hand import StickerHand, Stickers, command_stickers
from table_app.tags.buttons import (
    COMMANDS_FILE,
    CommandEnrolment,
    button_named,
    command_words,
    is_needed,
    open_commands,
)
from table_app.tags.enrolling import Enrolled
from table_app.view.enrol import present_commands
from table_app.view.table_view import TableView

TITLE = "Last Card: giving buttons their tags"
STICKERS_FILE = "simulated-command-stickers.json"
KEYS = "Enter: leave this one out · b: the one before · q: stop"


class CommandSession:
    """An enrolment of command tags obeying keys."""

    def __init__(self, enrolment: CommandEnrolment) -> None:
        self.enrolment = enrolment
        self.is_stopped = False

    @property
    def is_over(self) -> bool:
        return self.is_stopped or self.enrolment.asked is None

    needs_answer = False

    def prompt(self) -> str:
        asked, left = self.enrolment.asked, self.enrolment.left
        if asked is None:
            return ""
        may_stop = "" if is_needed(asked) else " Not every table needs it; q stops here."
        return f"Lay the tag for {command_words(asked)} on the pad. {left} left.{may_stop}"

    def take(self, signal: Signal) -> Enrolled | None:
        return self.enrolment.take(signal)

    def view(self, said: Enrolled | None, trouble: str) -> TableView:
        return present_commands(self.enrolment, said, trouble)

    def obey(self, key: str) -> Enrolled | None:
        word = word_of(key)
        if word == "quit":
            self.is_stopped = True
        elif word == "back":
            self.enrolment.back()
        elif word == "skip":
            self.enrolment.skip()
        else:
            return unknown_key(KEYS)
        return None


def enrol_commands(
    place: Place, reader: str | None, display: str = "none", full_screen: bool = False, only: str | None = None
) -> None:
    """Ask for a tag for each button of this table, or for those in *only*, in the window or on the terminal."""
    seats = len(place.settings.setup().players)
    with ExitStack() as closing:
        registry = closing.enter_context(place.registry())
        opened = open_commands(place.directory / COMMANDS_FILE)
        for said in told_of_list(opened, BUTTONS_LOST):
            say(said, err=True)
        commands = opened.tags
        closing.callback(commands.close)
        try:
            wanted = None if only is None else tuple(button_named(word, seats) for word in only.split(","))
        except ValueError as error:
            raise TableError(f"--only: {error}") from error
        session = CommandSession(CommandEnrolment(commands, registry, seats, only=wanted))
        if session.is_over:
            click.echo("Every button has its tag. To give one another, such as a lost one: --only draw.")
            return
        device, hand = _open_reader_and_hand(place, reader, session.enrolment)
        closing.callback(device.close)
        first = f"{counted(session.enrolment.left, 'button')} to go. {KEYS}"
        run_where_seen(session, device, hand, place, Shown(display, full_screen, TITLE), first)
        click.echo(_missing_text(session.enrolment))


def _missing_text(enrolment: CommandEnrolment) -> str:
    """What has no tag yet; of what no table needs only the names."""
    missing = len(enrolment.missing)
    if not missing:
        return "Every button has its tag."
    if not any(is_needed(button) for button in enrolment.missing):
        names = ", ".join(command_words(button) for button in enrolment.missing)
        return f"Every button that a table needs has its tag. Without one, for another day: {names}."
    return f"{counted(missing, 'button')} {'has' if missing == 1 else 'have'} no tag yet."


def _open_reader_and_hand(
    place: Place, reader: str | None, enrolment: CommandEnrolment
) -> tuple[TalkingReader, StickerHand[str] | None]:
    """The reader; a simulated one has a hand that lays the stickers asked for, from a box of their own."""
    if not is_simulated(reader or place.settings.text("reader", "kind")):
        return open_tapped(place, reader), None
    click.echo("The reader is simulated, and so is the hand that lays the stickers.", err=True)
    stickers = Stickers(command_stickers(), place.directory / STICKERS_FILE)
    hand = StickerHand(stickers, lambda: enrolment.asked)
    return hand, hand

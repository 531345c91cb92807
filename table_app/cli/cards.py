"""``lastcard cards``: enrols the deck's tags card by card, lists them, and forgets one.

Terminal only; what a tag laid on the pad does is in ``table_app.table.enrolling``.
"""

from __future__ import annotations

import sys
import threading
from collections import deque
from contextlib import ExitStack
from pathlib import Path

import click

from hardware.board import READER_KINDS, ReaderKind, open_reader
from hardware.bridged import open_bridge
from hardware.ports import TagReader
from table_app.cli.devices import board_address, check_reader, is_on_a_board, reader_settings
from table_app.rules import Card, Deck
from table_app.rules.words import face_name
from table_app.settings import Settings, read_settings, settings_path
from table_app.settings import state_directory as directory_of
from table_app.table import TableError
from table_app.table.clock import now_ms
from table_app.table.enrolling import Enrolment, Outcome
from table_app.table.opening import REGISTRY_FILE
from table_app.table.registry import Registry, open_registry, uid_text
from table_app.table.store import make_directory
from table_app.transcript.header import deck_loader_beside

KEYS = "Enter: leave this card out · b: the card before · q: stop"
LOOK_EVERY_MS = 20
KEYS_MAX = 64
"""Lines typed ahead of the reader; more is a cat on the keyboard."""


@click.group()
@click.option("--settings", "settings_file", type=click.Path(path_type=Path), help="The settings file.")
@click.option("--state-directory", type=click.Path(path_type=Path), help="Where the tag list is kept.")
@click.pass_context
def cards(context: click.Context, settings_file: Path | None, state_directory: Path | None) -> None:
    """The cards and their tags."""
    path = settings_file or settings_path()
    settings = read_settings(path)
    context.obj = Place(settings, state_directory or directory_of(settings))


class Place:
    """Where the tag list is, and which deck it is about."""

    def __init__(self, settings: Settings, directory: Path) -> None:
        self.settings = settings
        self.directory = directory
        self.deck: Deck = settings.setup(load_deck=deck_loader_beside(settings.path)).deck

    def registry(self) -> Registry:
        """The tag list.

        :raises StoreError: if it can't be opened.
        """
        make_directory(self.directory)
        opened = open_registry(self.directory / REGISTRY_FILE)
        if opened.moved_aside is not None:
            click.echo(f"The tag list was unreadable. It is kept as {opened.moved_aside}; enrol the cards anew.")
        return opened.registry

    def words(self, card: Card) -> str:
        """A card as people say it: ``red 5 (2 of 2)``."""
        kind = self.deck.kinds[card.face]
        name = face_name(card.face, title=kind.title)
        return f"{name} ({card.copy} of {kind.copies})" if kind.copies > 1 else name


@cards.command()
@click.option(
    "--reader",
    metavar="[auto|spi|mfrc522|serial|serial:PORT]",
    callback=check_reader,
    help="Which card reader (auto).",
)
@click.option("--move", "is_move", is_flag=True, help="Give tags and cards that have a meaning a new one.")
@click.option("--only", metavar="CODES", help="Only these cards, such as r5,w+4.")
@click.pass_obj
def enrol(place: Place, reader: str | None, is_move: bool, only: str | None) -> None:
    """Put a name to each tag, card by card."""
    codes = None if only is None else tuple(code.strip() for code in only.split(","))
    with ExitStack() as closing:
        registry = place.registry()
        closing.callback(registry.close)
        try:
            enrolment = Enrolment(registry, place.deck, is_move=is_move, only=codes)
        except ValueError as error:
            raise TableError(f"--only: {error}; write codes such as r5, gs or w+4.") from error
        if enrolment.asked is None:
            click.echo(f"Every card of the deck {place.deck.name} has its tag.")
            return
        device = _open_reader(place, reader or place.settings.text("reader", "kind"))
        closing.callback(device.close)
        _enrol_all(place, enrolment, device)


def _open_reader(place: Place, wanted: str) -> TagReader:
    """The reader to lay tags on, which must be a real one.

    :raises HardwareError: if there is none, with what to do.
    """
    if is_on_a_board(wanted):
        return open_bridge(board_address(wanted)).reader()
    kind: ReaderKind = next((known for known in READER_KINDS if known == wanted and known != "simulated"), "auto")
    return open_reader(kind, reader_settings(place.settings))


def _enrol_all(place: Place, enrolment: Enrolment, device: TagReader) -> None:
    """Ask for card after card until all are done or the keyboard says stop."""
    click.echo(f"{enrolment.left} cards of the deck {place.deck.name} to enrol. {KEYS}")
    keys: deque[str] = deque(maxlen=KEYS_MAX)
    pressed = threading.Event()
    threading.Thread(target=_read_keys, args=(keys, pressed), daemon=True).start()
    asked = None
    while enrolment.asked is not None:
        if enrolment.asked != asked:
            asked = enrolment.asked
            click.echo(f"Lay the {place.words(asked)} on the pad. {enrolment.left} left.")
        for signal in device.poll(now_ms()):
            answer = enrolment.take(signal)
            if answer is not None:
                click.echo(f"  {'✓' if answer.outcome is Outcome.ENROLLED else '✗'} {answer.text}")
        while keys:
            if not _obey(keys.popleft(), enrolment):
                click.echo(f"Stopped; {enrolment.left} cards have no tag yet. Go on with the same command.")
                return
        pressed.wait(LOOK_EVERY_MS / 1000)
        pressed.clear()
    click.echo("Done.")


def _read_keys(keys: deque[str], pressed: threading.Event) -> None:
    """Lines from the terminal; at its end the enrolment goes on by the pad alone."""
    for line in sys.stdin:
        keys.append(line.strip().lower())
        pressed.set()


def _obey(key: str, enrolment: Enrolment) -> bool:
    """Do what a key says; False to stop."""
    if key.startswith("q"):
        return False
    if key.startswith("b"):
        enrolment.back()
    elif not key:
        enrolment.skip()
    return True


@cards.command("list")
@click.pass_obj
def list_cards(place: Place) -> None:
    """List the tags, and which cards have none yet."""
    registry = place.registry()
    try:
        known = registry.cards(place.deck)
        for uid, card in known.items():
            click.echo(f"{uid_text(uid):<29} {card.code:<8} {place.words(card)}")
        missing = registry.missing(place.deck)
        click.echo(f"{len(known)} cards of the deck {place.deck.name} have a tag, {len(missing)} have none.")
    finally:
        registry.close()


@cards.command()
@click.argument("uid")
@click.pass_obj
def forget(place: Place, uid: str) -> None:
    """Forget what the tag with this number is, such as "04 A1 5C 22 6B 80 80"."""
    try:
        number = bytes.fromhex(uid.replace(":", " "))
    except ValueError:
        raise TableError(f"{uid!r} is no tag's number; write it as: lastcard cards list does.") from None
    registry = place.registry()
    try:
        tag = registry.forget(number)
    finally:
        registry.close()
    if tag is None:
        raise TableError(f"There is no tag {uid_text(number)} in the list.")
    click.echo(f"{uid_text(number)} was {tag.name}; it means nothing now.")

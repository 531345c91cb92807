"""``lastcard cards write`` and ``read``: what stands on the tags themselves.

Putting parts together and saying what came of it; what is written where is in ``table_app.tags.labelling``.
"""

from __future__ import annotations

from contextlib import ExitStack

import click

from hardware.diagnosis.examining import examine
from hardware.ports import HardwareError
from hardware.signals import Signal, TagPlaced
from hardware.tags.labels import TalkingReader
from hardware.tags.sticker import Sticker
from table_app.cli.cards.place import Place, pack_options, reader_option
from table_app.cli.cards.tapping import STOP_KEYS, Stoppable, open_sounds, run_on_terminal
from table_app.cli.cards.taps import one_after_the_other, open_reader_and_hand
from table_app.printing import json_text, printable
from table_app.rules import Card
from table_app.table import TableError
from table_app.table.clock import now_ms
from table_app.tags.enrolling import Enrolled, Outcome, all_cards, card_words, device_text
from table_app.tags.labelling import LabelWriter, facts_lines
from table_app.tags.registry import EnrolledTag, Registry


class WriteSession(Stoppable):
    """A writer obeying keys; over when every tag of the list has been laid."""

    def __init__(self, writer: LabelWriter) -> None:
        self.writer = writer
        super().__init__()

    @property
    def is_over(self) -> bool:
        return self._is_stopped or not self.writer.left

    def prompt(self) -> str:
        return f"Lay the cards one by one, in any order, each until the sound. {self.writer.left} to go."

    def take(self, signal: Signal) -> Enrolled | None:
        return self.writer.take(signal)


@click.command()
@pack_options
@reader_option
@click.option("--replace", "is_replacing", is_flag=True, help="Overwrite what somebody else wrote on a tag.")
@click.pass_obj
def write(place: Place, deck: str | None, pack: str | None, reader: str | None, is_replacing: bool) -> None:
    """Write on each tag which card it is, so that the deck works at other tables. Nothing is ever locked."""
    place = place.tried_with(reader)
    chosen = place.deck(deck)
    with ExitStack() as closing:
        registry = closing.enter_context(place.registry())
        tags = {tag.uid: tag for tag in registry.tags(chosen.name, pack)}
        if not tags:
            raise TableError(f"No card of the deck {chosen.name} has a tag; begin with: lastcard cards enrol")
        device, hand = open_reader_and_hand(place, reader, chosen, one_after_the_other(all_cards(chosen)))
        closing.callback(device.close)
        sounds = open_sounds(place.settings)
        closing.callback(sounds.close)
        session = WriteSession(LabelWriter(tags, device.talk, is_replacing=is_replacing))
        click.echo(STOP_KEYS)
        run_on_terminal(session, device, sounds, now_ms, hand)
        done = len(session.writer.done)
        click.echo(f"Cards done: {done} of {len(tags)}; left: {session.writer.left}.")


class ReadSession(Stoppable):
    """Reads the first tag that is laid, and is over."""

    def __init__(self, device: TalkingReader, place: Place, registry: Registry) -> None:
        self.sticker: Sticker | None = None
        self.tag: EnrolledTag | None = None
        self.words = ""
        self._device = device
        self._place = place
        self._registry = registry
        super().__init__()

    @property
    def is_over(self) -> bool:
        return self._is_stopped or self.sticker is not None

    def prompt(self) -> str:
        return "Lay a card or a tag on the pad."

    def take(self, signal: Signal) -> Enrolled | None:
        if not isinstance(signal, TagPlaced):
            return device_text(signal)
        try:
            self.sticker = self._device.talk(examine)
        except HardwareError as error:
            return Enrolled(Outcome.REFUSED, str(error))
        self.tag = self._registry.tag(self.sticker.uid)
        deck = None if self.tag is None else self._place.find_deck(self.tag.deck)
        if self.tag is not None and deck is not None:
            try:
                self.words = card_words(deck, Card(deck.face(self.tag.code), self.tag.copy))
            except (ValueError, KeyError):  # of a deck file that has lost this card since
                self.words = ""
        return Enrolled(Outcome.ENROLLED, "read")


@click.command()
@reader_option
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
@click.pass_obj
def read(place: Place, reader: str | None, as_json: bool) -> None:
    """Say what a tag is: its kind, number, size, contents, and which card of which deck."""
    place = place.tried_with(reader)
    with ExitStack() as closing:
        registry = closing.enter_context(place.registry())
        chosen = place.deck(None)
        device, hand = open_reader_and_hand(place, reader, chosen, one_after_the_other(all_cards(chosen)[:1]))
        closing.callback(device.close)
        sounds = open_sounds(place.settings)
        closing.callback(sounds.close)
        session = ReadSession(device, place, registry)
        run_on_terminal(session, device, sounds, now_ms, hand, is_aside=as_json)
        if session.sticker is None:
            return
        lines = facts_lines(session.sticker, session.tag, session.words)
        if as_json:
            click.echo(json_text(dict(lines), indent=2))
            return
        for heading, text in lines:
            click.echo(f"{heading + ':':<10} {printable(text)}")

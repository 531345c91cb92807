"""``lastcard cards enrol`` and ``check``: giving cards their tags, and going through a deck.

Putting parts together and saying what came of it; what a tap means is in ``table_app.table``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import replace

import click

from hardware.readers import is_simulated
from hardware.signals import Signal, TagPlaced
from hardware.tags.labels import LabelReader, TalkingReader
from table_app.cli.cards.buttons import enrol_commands
from table_app.cli.cards.place import Place, pack_options, reader_option
from table_app.cli.cards.tapping import (
    STOP_KEYS,
    Stoppable,
    open_sounds,
    open_tapped,
    run_on_terminal,
    unknown_key,
    word_of,
)
from table_app.cli.cards.tapping_window import Shown, run_where_seen
from table_app.cli.counted import counted
from table_app.printing import printable
from table_app.rules import Card, Deck
from table_app.rules.words import face_name
from table_app.table import TableError
from table_app.table.clock import now_ms
from table_app.table.simulated_hand import StickerHand, Stickers, deck_stickers
from table_app.tags.checking import PackCheck
from table_app.tags.enrolling import (
    Enrolled,
    Enrolment,
    Outcome,
    all_cards,
    card_words,
    missing_words,
)
from table_app.tags.labelling import LabelWriter
from table_app.tags.registry import uid_text
from table_app.view.enrol import present_enrolment
from table_app.view.table_view import TableView

TITLE = "Last Card: giving cards their tags"
STICKERS_FILE = "simulated-stickers.json"
MOVE_KEYS = "y: it is this card from now on · n: it stays as it is"
ENROL_KEYS = "Enter: leave this card out · b: the card before · q: stop, and go on another day"
EXIT_INCOMPLETE = 1

MISSING_NAMED = 12
"""Faces named when an enrolment stops; lastcard cards list names them all."""


# -- enrol -------------------------------------------------------------------------------------------------------


class EnrolSession:
    """An enrolment obeying keys; *writer* also writes on each tag which card it is."""

    def __init__(self, enrolment: Enrolment, writer: LabelWriter | None = None) -> None:
        self.enrolment = enrolment
        self.is_stopped = False
        self._writer = writer

    @property
    def is_over(self) -> bool:
        return self.is_stopped or self.enrolment.asked is None

    @property
    def needs_answer(self) -> bool:
        return self.enrolment.offer is not None

    def prompt(self) -> str:
        enrolment = self.enrolment
        if enrolment.asked is None:
            return ""
        words = card_words(enrolment.deck, enrolment.asked)
        return f"Lay the {words} on the pad. {enrolment.tags} of {enrolment.deck.size} done."

    def take(self, signal: Signal) -> Enrolled | None:
        answer = self.enrolment.take(signal)
        if self._writer is None or answer is None or not isinstance(signal, TagPlaced):
            return answer
        if answer.outcome is Outcome.ASKED and (twins := self._writer.twins_text(signal.uid)):
            self.enrolment.offer = None
            return Enrolled(Outcome.REFUSED, twins)
        if answer.tag is None:
            return answer
        written = self._writer.write(answer.tag)
        return Enrolled(written.outcome, f"{answer.text}; {written.text}", answer.tag)

    def view(self, said: Enrolled | None, trouble: str) -> TableView:
        return present_enrolment(self.enrolment, said, trouble)

    def obey(self, key: str) -> Enrolled | None:
        word = word_of(key)
        if word == "skip" and self.enrolment.offer is not None:
            word = "no"
        if word == "quit":
            self.is_stopped = True
        elif word == "skip":
            self.enrolment.skip()
        elif word == "back":
            self.enrolment.back()
        elif word in ("yes", "no"):
            answer = self.enrolment.answer(word == "yes")
            if self._writer is not None and answer is not None and answer.tag is not None:
                return replace(
                    answer, text=f"{answer.text}; written on it is what was: lastcard cards write mends that"
                )
            return answer
        else:
            return unknown_key(ENROL_KEYS if self.enrolment.offer is None else MOVE_KEYS)
        return None

    def summary(self) -> str:
        """What is done, what is missing, and how to go on."""
        enrolment = self.enrolment
        missing = enrolment.missing()
        verb = "has its" if enrolment.tags == 1 else "have their"
        done = f"{enrolment.tags} of {enrolment.deck.size} cards {verb} tag"
        if not missing:
            return f"{done}: the deck is complete. Try it with: lastcard cards check"
        names = missing_words(enrolment.deck, missing)
        more = f" and {len(names) - MISSING_NAMED} other faces" if len(names) > MISSING_NAMED else ""
        said = f"{', '.join(names[:MISSING_NAMED])}{more}"
        return f"{done}. Missing: {said}. Go on whenever you like with the same command."


@click.command()
@pack_options
@reader_option
@click.option("--only", metavar="CODES", help="Only these cards or buttons, such as r5,w+4#2, also if they have tags.")
@click.option("--commands", "is_for_commands", is_flag=True, help="Instead of cards: a tag for each button.")
@click.option("--write", "is_writing", is_flag=True, help="Also write on each tag which card it is.")
@click.option("--replace", "is_replacing", is_flag=True, help="With --write: overwrite what somebody else wrote on it.")
@click.option("--display", type=click.Choice(("auto", "window", "none")), default="auto", help="Which screen (auto).")
@click.option("--full-screen", is_flag=True, help="Fill the screen.")
@click.pass_obj
def enrol(
    place: Place,
    deck: str | None,
    pack: str | None,
    reader: str | None,
    only: str | None,
    is_for_commands: bool,
    is_writing: bool,
    is_replacing: bool,
    display: str,
    full_screen: bool,
) -> None:
    """Give each card its tag: one tap a card, in a fixed order."""
    if is_replacing and not is_writing:
        raise TableError("--replace is about what is written on the tags: give --write with it.")
    place = place.tried_with(reader)
    if is_for_commands:
        enrol_commands(place, reader, display, full_screen, only)
        return
    chosen = place.deck(deck)
    codes = None if only is None else tuple(code.strip() for code in only.split(","))
    with ExitStack() as closing:
        registry = closing.enter_context(place.registry())
        try:
            enrolment = Enrolment(registry, chosen, pack=pack or "", only=codes)
        except ValueError as error:
            raise TableError(f"--only: {error}; write codes such as r5, gs or w+4#2.") from error
        if enrolment.asked is None:
            click.echo(f"Every card of the deck {chosen.name} has its tag. To give one another: --only CODE.")
            return
        device, hand = open_reader_and_hand(place, reader, chosen, lambda: enrolment.asked)
        closing.callback(device.close)
        writer = LabelWriter({}, device.talk, is_replacing=is_replacing) if is_writing else None
        session = EnrolSession(enrolment, writer)
        first = f"{counted(enrolment.left, 'card')} of the deck {chosen.name} to go. {ENROL_KEYS}"
        run_where_seen(session, device, hand, place, Shown(display, full_screen, TITLE), first)
        click.echo(printable(session.summary()))


def open_reader_and_hand(
    place: Place, reader: str | None, deck: Deck, wanted: Callable[[], Card | None]
) -> tuple[TalkingReader, StickerHand[Card] | None]:
    """The reader; a simulated one has a hand that lays the cards *wanted*, one after the other."""
    if not is_simulated(reader or place.settings.text("reader", "kind")):
        return open_tapped(place, reader), None
    click.echo("The reader is simulated, and so is the hand that lays the cards.", err=True)
    hand = StickerHand(Stickers(deck_stickers(deck), place.directory / STICKERS_FILE), wanted)
    return hand, hand


# -- check -------------------------------------------------------------------------------------------------------


class CheckSession(Stoppable):
    """A check obeying keys; over when every card was tapped."""

    def __init__(self, check: PackCheck) -> None:
        self.check = check
        super().__init__()

    @property
    def is_over(self) -> bool:
        return self._is_stopped or not self.check.missing()

    def prompt(self) -> str:
        return f"Tap the cards in any order. {self.check.seen} of {self.check.deck.size}."

    def take(self, signal: Signal) -> Enrolled | None:
        return self.check.take(signal)


@click.command()
@pack_options
@reader_option
@click.pass_context
def check(context: click.Context, deck: str | None, pack: str | None, reader: str | None) -> None:
    """Go through a deck, in any order: what is missing, double or unknown."""
    place: Place = context.obj.tried_with(reader)
    chosen = place.deck(deck)
    with ExitStack() as closing:
        registry = closing.enter_context(place.registry())
        tags = {tag.uid: tag for tag in registry.tags()}
        found = PackCheck(tags, chosen, pack or "")
        if not any((tag.deck, tag.pack) == (chosen.name, pack or "") for tag in tags.values()):
            raise TableError(f"No card of the deck {chosen.name} has a tag; begin with: lastcard cards enrol")
        device, hand = open_reader_and_hand(place, reader, chosen, one_after_the_other(all_cards(chosen)))
        closing.callback(device.close)
        sounds = open_sounds(place.settings)
        closing.callback(sounds.close)
        click.echo(STOP_KEYS)
        run_on_terminal(CheckSession(found), LabelReader(device), sounds, now_ms, hand)
    settled = found.settled()
    if settled:
        with place.registry() as registry:
            registry.put_all([tag for one in settled for tag in one.new], [uid for one in settled for uid in one.lost])
    for line in check_lines(found):
        click.echo(printable(line))
    if not found.is_complete:
        context.exit(EXIT_INCOMPLETE)


def check_lines(found: PackCheck) -> list[str]:
    """What a check has found."""
    lines = [f"{found.seen} of {found.deck.size} cards {'is' if found.seen == 1 else 'are'} there."]
    missing = found.missing()
    if missing:
        lines.append(f"Missing: {', '.join(missing_words(found.deck, missing))}.")
    if found.doubles:
        lines.append(f"Tapped twice: {', '.join(found.doubles)}.")
    lines += [f"Unknown: {uid_text(uid)}, {what}." for uid, what in found.strangers.items()]
    for one in found.settled():
        name = face_name(one.face, title=found.deck.kinds[one.face].title)
        lines.append(f"{name}: all its cards were tapped, so the tag that was lost is known now, and forgotten.")
    if found.is_complete:
        lines.append("The deck is complete.")
    return lines


def one_after_the_other(cards: Iterable[Card]) -> Callable[[], Card | None]:
    """What a simulated hand takes next: each card once."""
    left = list(cards)
    return lambda: left.pop(0) if left else None

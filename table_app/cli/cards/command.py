"""``lastcard cards``: the list of tags on a terminal: list, export, import, forget.

What needs the reader is in ``taps`` and ``labels``.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import click

from table_app.cli import SuggestingGroup
from table_app.cli.cards.labels import read, write
from table_app.cli.cards.place import Place, find_place, pack_options
from table_app.cli.cards.taps import check, enrol
from table_app.cli.counted import counted
from table_app.cli.whose_table import give_to_caller
from table_app.printing import say
from table_app.rules import Card
from table_app.small_files import STANDARD, read_small_input, write_text
from table_app.table import TableError
from table_app.tags.buttons import command_words
from table_app.tags.enrolling import card_words, missing_words, new_words
from table_app.tags.exchange import FILE_BYTES_MAX, FORMATS, TagFileError, read_tags, tags_as_csv, tags_as_json
from table_app.tags.lists import UID_LENGTHS
from table_app.tags.registry import EnrolledTag, Registry, pack_text, uid_of, uid_text


@click.group(cls=SuggestingGroup)
@click.option("--settings", "settings_file", type=click.Path(path_type=Path), help="The settings file.")
@click.option("--state-directory", type=click.Path(path_type=Path), help="Where the tag list is kept.")
@click.pass_context
def cards(context: click.Context, settings_file: Path | None, state_directory: Path | None) -> None:
    """The cards and their tags."""
    context.obj = find_place(settings_file, state_directory)


for tapped in (enrol, check, write, read):
    cards.add_command(tapped)


@cards.command("list")
@pack_options
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
@click.pass_obj
def list_cards(place: Place, deck: str | None, pack: str | None, as_json: bool) -> None:
    """List the tags of a pack, and which cards have none yet."""
    chosen = place.deck(deck)
    with place.registry() as registry:
        tags = registry.tags(chosen.name, pack or "")
        if as_json:
            click.echo(tags_as_json(tags), nl=False)
            return
        for tag in tags:
            try:
                words = card_words(chosen, Card(chosen.face(tag.code), tag.copy))
            except (ValueError, KeyError):  # of a deck file that has lost this card since
                words = "no card of this deck any more"
            say(f"{uid_text(tag.uid):<29} {tag.name:<10} {words}")
        missing = [Card(chosen.face(code), copy) for code, copy in registry.missing(chosen, pack or "")]
        name = pack_text(chosen.name, pack or "")
        tagged = registry.count(chosen.name, pack or "")
        have, lack = ("has" if count == 1 else "have" for count in (tagged, len(missing)))
        say(f"{counted(tagged, 'card')} of the deck {name} {have} a tag, {len(missing)} {lack} none.")
        if tags and missing:
            say(f"Without a tag: {', '.join(missing_words(chosen, missing))}.")
        if new := new_words(chosen, tags):
            say(new)
        others = [entry for entry in registry.packs() if (entry.deck, entry.name) != (chosen.name, pack or "")]
        for entry in others:
            say(f"Also in the list: {pack_text(entry.deck, entry.name)}: {counted(entry.tags, 'tag')}.")
    _list_buttons(place)


def _list_buttons(place: Place) -> None:
    """The tags that are buttons, where there are any."""
    with place.commands() as commands:
        buttons = commands.buttons() if commands is not None else {}
    if buttons:
        click.echo("Tags that are buttons:")
    for uid, button in sorted(buttons.items(), key=lambda pair: pair[1]):
        say(f"{uid_text(uid):<29} {command_words(button)}")


@cards.command()
@click.argument("file", default=STANDARD)
@pack_options
@click.option("--format", "format_name", type=click.Choice(FORMATS), help="CSV or JSON (by the file's name).")
@click.pass_obj
def export(place: Place, file: str, deck: str | None, pack: str | None, format_name: str | None) -> None:
    """Write the tag list to FILE (-: the terminal), all of it or one deck or pack."""
    with place.registry() as registry:
        tags = registry.tags(None if deck is None else place.deck(deck).name, pack)
    text = (tags_as_json if (format_name or _format_of(file)) == "json" else tags_as_csv)(tags)
    if file == STANDARD:
        click.echo(text, nl=False)
        return
    try:
        write_text(Path(file), text, made=give_to_caller)
    except OSError as error:
        raise TableError(f"{file} can't be written ({error.strerror}); name another file.") from error
    say(f"{counted(len(tags), 'tag')} written to {file}.")


@cards.command("import")
@click.argument("file")
@click.option("--deck", metavar="FILE", help="A deck file (.toml) that the list is about.")
@click.option("--format", "format_name", type=click.Choice(FORMATS), help="CSV or JSON (by the file's name).")
@click.option("--replace", "is_replacing", is_flag=True, help="Where tags or cards are taken, the file is right.")
@click.pass_obj
def import_tags(place: Place, file: str, deck: str | None, format_name: str | None, is_replacing: bool) -> None:
    """Add the tags in FILE (-: standard input) to the list; if anything is wrong with it, nothing is imported."""
    try:
        data = read_small_input(file, FILE_BYTES_MAX)
    except OSError as error:
        raise TableError(f"{file} can't be read ({error.strerror}); name a file that is there.") from error
    try:
        found = read_tags(data, format_name or _format_of(file), cache(lambda name: place.find_deck(name, deck)))
        with place.registry() as registry:
            new = [tag for line, tag in found if _is_new(registry, line, tag, is_replacing)]
            registry.put_all(new)
    except TagFileError as error:
        raise TableError(f"{file}, {error}. Nothing was imported.") from error
    known = len(found) - len(new)
    say(f"{counted(len(new), 'tag')} imported; {known} {'was' if known == 1 else 'were'} there already.")


def _format_of(file: str) -> str:
    return "json" if file.lower().endswith(".json") else "csv"


def _is_new(registry: Registry, line: int, tag: EnrolledTag, is_replacing: bool) -> bool:
    """False for a tag that is in the list just so.

    :raises TagFileError: if the list has another meaning for the tag, or another tag for the card.
    """
    held = registry.tag(tag.uid)
    if held == tag:
        return False
    if is_replacing:
        return True
    if held is not None:
        reason = f"the tag {uid_text(tag.uid)} is {held.name} of the deck {held.deck_text} in the list"
        raise TagFileError(line, f"{reason}; to change that, add --replace")
    taken = registry.tag_of(tag.deck, tag.code, tag.copy, tag.pack)
    if taken is not None:
        reason = f"{tag.name} of the deck {tag.deck_text} has the tag {uid_text(taken.uid)} in the list"
        raise TagFileError(line, f"{reason}; to change that, add --replace")
    return True


@cards.command()
@click.argument("uids", metavar="[UID]...", nargs=-1)
@click.option("--all", "is_all", is_flag=True, help="All tags of the pack.")
@pack_options
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def forget(place: Place, uids: tuple[str, ...], is_all: bool, deck: str | None, pack: str | None, yes: bool) -> None:
    """Forget what tags are, by their numbers such as "04 A1 5C 22 6B 80 80", or a whole pack with --all."""
    if bool(uids) == is_all:
        raise TableError("Name the tags to forget as lastcard cards list writes them, or a whole pack with --all.")
    if is_all:
        _forget_pack(place, place.deck(deck).name, pack or "", is_sure=yes)
        return
    if len(uids) in UID_LENGTHS and all(len(text) <= len("0x04") for text in uids):  # one number, its blanks not quoted
        uids = (" ".join(uids),)
    numbers = []
    for text in uids:
        try:
            numbers.append(uid_of(text))
        except ValueError:
            raise TableError(f"{text!r} is no tag's number; write it as lastcard cards list does.") from None
    with place.registry() as registry, place.commands() as commands:
        buttons = commands.buttons() if commands is not None else {}
        for number in numbers:
            if registry.tag(number) is None and number not in buttons:
                raise TableError(f"There is no tag {uid_text(number)} in the list; nothing was forgotten.")
        for number in numbers:
            tag = registry.forget(number)
            if tag is not None:
                say(f"{uid_text(number)} was {tag.name} of the deck {tag.deck_text}; it means nothing now.")
            button = commands.forget(number) if commands is not None else None
            if button is not None:
                say(f"{uid_text(number)} was the button {command_words(button)}; it means nothing now.")


def _forget_pack(place: Place, deck: str, pack: str, *, is_sure: bool) -> None:
    name = pack_text(deck, pack)
    with place.registry() as registry:
        count = len(registry.tags(deck, pack))
        if not count:
            raise TableError(f"No card of the deck {name} has a tag; there is nothing to forget.")
        if not is_sure and not click.confirm(f"Forget {counted(count, 'tag')} of the deck {name}?"):
            click.echo("Nothing was forgotten.")
            return
        forgotten = registry.forget_pack(deck, pack)
        verb = "means" if forgotten == 1 else "mean"
        say(f"{counted(forgotten, 'tag')} of the deck {name} {verb} nothing now.")

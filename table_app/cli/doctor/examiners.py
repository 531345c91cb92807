"""What ``lastcard doctor`` asks: a list of examiners, each a function from the patient to its checks.

To have something more examined, write such a function beside what it is about and add it to `EXAMINERS`. Facts about
reader and machine are ``hardware.diagnosis.reader``; how a check is printed is the command's.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from hardware.diagnosis.checks import Check, failed, guarded, not_checked, passed
from hardware.diagnosis.reader import CardTest, Machine, check_machine
from hardware.header_spi import spi_devices
from hardware.machine import header_chip, is_raspberry_pi
from hardware.readers import NO_READER, diagnose, is_on_a_board, is_simulated, split_word
from table_app.appliance.checks import appliance_checks, is_box, voice_of
from table_app.called import as_called
from table_app.cli.cards.place import Place
from table_app.cli.counted import counted
from table_app.cli.doctor.journal_check import journal_check
from table_app.cli.whose_table import WhoseTable, find_table
from table_app.record.copies import copies
from table_app.record.files import set_aside
from table_app.settings import Settings, SettingsError
from table_app.table import StoreDamagedError, StoreError, TableError
from table_app.table.devices import reader_settings, second_reader
from table_app.table.opening import JOURNAL_FILE, REGISTRY_FILE
from table_app.tags.enrolling import new_words
from table_app.tags.lists import is_empty
from table_app.tags.registry import Registry


@dataclass(frozen=True, slots=True)
class Patient:
    """The table that is examined: its settings (*trouble*: why its own can't be used), machine and directory.

    *reader_kind* is as in the settings; *card* is the live test with a card; *table* says whose it is.
    """

    settings: Settings
    directory: Path
    reader_kind: str
    trouble: str = ""
    machine: Machine = field(default_factory=Machine)
    card: CardTest = field(default_factory=CardTest)
    table: WhoseTable | None = None


Examiner = Callable[[Patient], Sequence[Check]]


def examine_settings(patient: Patient) -> Sequence[Check]:
    """Whether the settings file says something that can be."""
    if patient.trouble:
        sentence, _, fix = patient.trouble.partition("; ")
        fix = fix[:1].upper() + fix[1:] or "Mend the file, or move it away."
        return [failed("settings", sentence.rstrip(".") + ".", fix)]
    if patient.settings.path is None:
        return [passed("settings", "There is no settings file, so what holds by itself holds.")]
    if is_empty(patient.settings.path):
        said = f"{patient.settings.path} is empty, so what holds by itself holds."
        return [not_checked("settings", said, "If something stood in it, a power cut took it: write it again.")]
    return [passed("settings", f"{patient.settings.path} is in order.")]


def examine_reader(patient: Patient) -> Sequence[Check]:
    """Machine, wires and reader, in the order in which to mend."""
    try:
        wired, pile = reader_settings(patient.settings), second_reader(patient.settings)
    except SettingsError as error:
        return [
            *check_machine(patient.machine),
            failed("reader settings", str(error), "Correct it in the settings file."),
        ]
    return diagnose(wired, kind=patient.reader_kind, machine=patient.machine, card=patient.card, besides=pile)


def examine_storage(patient: Patient) -> Sequence[Check]:
    """Whether what happens at the table can be kept, and which cards have tags."""
    directory = patient.directory
    there = next((folder for folder in (directory, *directory.parents) if folder.exists()), directory)
    if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
        fix = "Give this user the right to write there, or set [storage] directory."
        return [
            failed("storage", f"Nothing can be kept in {directory}: {there} can't be written by this user.", fix),
            not_checked("journal", "The record could not be looked at."),
            not_checked("cards", "The tag list could not be looked at."),
        ]
    return [
        passed("storage", f"Record and tag list are kept in {directory}."),
        *guarded(
            "journal", lambda: _closed("journal", directory / JOURNAL_FILE) or journal_check(directory / JOURNAL_FILE)
        ),
        *guarded("cards", lambda: _closed("cards", directory / REGISTRY_FILE) or _cards(patient)),
    ]


def _closed(name: str, path: Path) -> Check | None:
    """What is to be said of a file of the table's that this user may not use; None where there is nothing to say."""
    if not path.exists() or os.access(path, os.R_OK | os.W_OK):
        return None
    user, owner = (_user_name(number) for number in (os.geteuid(), path.stat().st_uid))
    if user == owner:
        return failed(name, f"{path} is closed to its own owner.", f"Run: chmod u+rw {shlex.quote(str(path))}")
    said = f"The user {user} may not read and write {path}; it belongs to {owner}."
    return failed(name, said, f"If {user} shall run this table: sudo chown {user}: {shlex.quote(str(path))}")


def _user_name(number: int) -> str:
    import pwd  # only Unix has it, and only there a file has an owner

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def _cards(patient: Patient) -> Check:
    path = patient.directory / REGISTRY_FILE
    kept, aside = len(copies(path)), [one.name for one in set_aside(path)]
    if is_empty(path):
        if kept:
            said = f"The tag list {path} is gone; {counted(kept, 'copy is', 'copies are')} left."
            return failed("cards", said, "Start the table: it restores the newest copy.")
        if aside:
            said = f"No card has a tag; the list that could not be read is kept as {aside[-1]}."
            return failed("cards", said, f"Give them theirs with {as_called('cards enrol')}, or import a copy.")
        if why := _no_tags_wanted(patient):
            return not_checked("cards", f"No card has a tag, and none needs one: {why}.")
        return not_checked("cards", "No card has a tag yet.", f"Give them theirs with {as_called('cards enrol')}.")
    try:
        deck = Place(patient.settings, patient.directory).deck(None)
        registry = Registry(path)
    except StoreDamagedError as error:
        by_hand = f"Import a copy of the list with {as_called('cards import')}, or enrol anew."
        return failed("cards", str(error), "Start the table: it restores the newest copy." if kept else by_hand)
    except StoreError as error:
        return failed("cards", f"The tag list can't be used. {error}", "Give this user the right to write there.")
    except (SettingsError, TableError) as error:
        return failed("cards", str(error), "Correct the rules in the settings file.")
    try:
        packs = [pack for pack in registry.packs() if pack.deck == deck.name]
        others = sum(pack.tags for pack in registry.packs()) - sum(pack.tags for pack in packs)
        new = new_words(deck, registry.tags(deck.name))
    finally:
        registry.close()
    laid_by = f" Put aside earlier: {', '.join(aside)}." if aside else ""
    if not packs:
        also = f"; {others} of other decks have" if others else ""
        if not aside and (why := _no_tags_wanted(patient)):
            return not_checked("cards", f"No card of the deck {deck.name} has a tag{also}, and none needs one: {why}.")
        fix = f"Give them theirs with {as_called('cards enrol')}."
        return not_checked("cards", f"No card of the deck {deck.name} has a tag{also}.{laid_by}", fix)
    said = ", ".join(f"{pack.tags} of {deck.size}" + (f" (pack {pack.name})" if pack.name else "") for pack in packs)
    known = counted(kept, "copy", "copies")
    sentence = f"Cards of the deck {deck.name} that have tags: {said}; {known}.{new and ' '}{new}{laid_by}"
    if all(pack.tags < deck.size for pack in packs):
        return not_checked("cards", sentence, f"Give the others theirs with {as_called('cards enrol')}.")
    return passed("cards", sentence)


def _no_tags_wanted(patient: Patient) -> str:
    """Why cards need no tags here, in half a sentence; empty where they do."""
    kind, root = patient.reader_kind, patient.machine.root
    if is_simulated(kind):
        return "the simulated reader's cards have their own"
    known, _address = split_word(kind)
    is_elsewhere = known is not None and known.is_looked_for and not (is_raspberry_pi(root) or spi_devices(root))
    return "without a reader cards are picked" if kind == NO_READER or is_elsewhere else ""


def _has_buzzer(patient: Patient) -> bool:
    """Whether there are pins for one, on this machine or on a board."""
    if is_on_a_board(patient.reader_kind):
        return True
    return patient.settings.text("pins", "use") != "off" and header_chip(patient.machine.root) is not None


def examine_box(patient: Patient) -> Sequence[Check]:
    """Screen, input, sound, service, disk, supply and clock: what a table in a box needs."""
    machine = patient.machine
    voice = replace(voice_of(patient.settings), has_buzzer=_has_buzzer(patient))
    checks = appliance_checks(machine, patient.directory.absolute(), voice=voice)
    table = patient.table or find_table(None, patient.directory, machine.root, user=machine.identity.user)
    if not is_box(machine) or table.is_box_at(patient.directory):
        return checks
    said = f"This machine is a table in a box; its own record and settings were not examined, but {patient.directory}."
    # Never what would be refused: whoever may mean the box does so by naming nothing.
    fix = f"Run: {as_called('doctor')}." if table.may_mean_box else f"Run: sudo {as_called('doctor')}."
    return [not_checked("box", said, fix), *checks]


EXAMINERS: tuple[Examiner, ...] = (examine_settings, examine_reader, examine_storage, examine_box)
"""In the order in which to mend."""


def examine(patient: Patient) -> Iterator[Check]:
    """All checks, each as soon as it is known; an examiner that breaks off is one failed check, the others go on."""
    for examiner in EXAMINERS:
        yield from guarded(examiner.__name__.removeprefix("examine_"), partial(examiner, patient))

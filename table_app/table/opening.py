"""Opening a table's files: the lock, the tag list, the journal, and the match that was under way in it.

What can't be opened is told in words and the table goes on without it; only a table that already runs in the same
directory is a reason not to start.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from table_app.play.noting import way_line
from table_app.play.state import Options, TableState, begin_at, new_table, resumed_at
from table_app.record.copies import copies
from table_app.record.errors import MatchUnreadableError, StoreDamagedError, StoreError, TableBusyError
from table_app.record.files import DirectoryLock, make_directory, set_aside
from table_app.record.head import setup_of
from table_app.record.journal import IN_MEMORY, Journal, OpenedJournal, begin_anew, journal_in_memory, open_journal
from table_app.record.journal_log import LOG
from table_app.record.losses import NAMED_ON_SCREEN, day_text
from table_app.record.read_only_journal import read_journal
from table_app.rules import Card, Deck, Phase, Setup, new_match
from table_app.rules.messages import Sentence, _
from table_app.table import clock
from table_app.table.older import OlderMatches, vouched
from table_app.table.resume import replay
from table_app.tags.buttons import COMMANDS_FILE, open_commands, read_commands
from table_app.tags.lists import OpenedList
from table_app.tags.registry import open_registry, read_registry
from table_app.transcript import header_text
from table_app.transcript.header import DeckLoader

JOURNAL_FILE = "journal.sqlite"
REGISTRY_FILE = "tags.sqlite"
SCORE_DIRECTORY = "score"
"""Below the table's own directory: a match that is refereed there is not disturbed by one that is only scored."""


@dataclass(frozen=True, slots=True)
class TableFiles:
    """Where a table keeps things, and who tells the time and the boot: *wall_time* gives ISO 8601.

    A test has its own clock; by default it is the machine's.

    *registry* is the tag list, where that is not in the *directory*.
    """

    directory: Path
    wall_time: Callable[[], str] = clock.wall_time
    boot: str = field(default_factory=clock.boot_id)
    load_deck: DeckLoader | None = None
    registry: Path | None = None


@dataclass(slots=True)
class OpenedTable:
    """A table ready to run: its *state*, its *journal*, and whether a match under way *is_resumed*."""

    state: TableState
    journal: Journal
    is_resumed: bool
    lock: DirectoryLock | None
    registry_path: Path | None = None
    older: OlderMatches | None = None

    def enrol(self, uid: bytes, card: Card) -> None:
        """Keep a card's new tag in the tag list.

        :raises StoreError: if it can't be written.
        """
        if self.registry_path is None:
            return
        registry = open_registry(self.registry_path).tags
        try:
            deck = self.state.match.setup.deck
            packs = [pack.name for pack in registry.packs() if pack.deck == deck.name]
            registry.move(uid, deck, card.face.code, card.copy, packs[0] if len(packs) == 1 else "")
        finally:
            registry.close()

    def close(self) -> None:
        """Close the journal and let another table in."""
        self.journal.close()
        if self.lock is not None:
            self.lock.release()
            self.lock = None


def open_table(
    files: TableFiles,
    setup: Setup,
    now_ms: int,
    *,
    tags: Mapping[bytes, Card | str] | None = None,
    options: Options | None = None,
    is_new: bool = False,
) -> OpenedTable:
    """Open the table kept in *files*: the match under way there, or, where there is none or *is_new*, one of *setup*.

    A match in which nothing was done yet gives way to one of another *setup*: whoever answered anew who plays did not
    answer for nothing. One that is over comes back to its scores where the next one would be like it. *tags* are used
    instead of the tag list (a simulated deck), which is mended all the same.

    :raises TableBusyError: if another table runs there.
    """
    messages: list[str] = []
    trouble = ""
    lock = None
    list_path = None if tags is not None else files.registry or files.directory / REGISTRY_FILE
    try:
        make_directory(files.directory)
        lock = DirectoryLock(files.directory)
        opened = open_journal(files.directory / JOURNAL_FILE, wall_time=files.wall_time, boot=files.boot)
    except TableBusyError:
        raise
    except StoreError as error:
        trouble = f"Nothing is kept: {error}"
        opened = read_journal(files.directory / JOURNAL_FILE, wall_time=files.wall_time, boot=files.boot)
        opened.journal.standing_trouble = trouble
    opened, state = _opened_state(files, opened, tags, options, messages)
    if tags is not None:
        _mend_lists(files, setup.deck, messages)
    journal = opened.journal
    is_new = is_new or _gives_way(journal, header_text(setup))
    trouble = trouble or journal.standing_trouble
    older = OlderMatches(journal, lambda deck: _tags(files, deck, tags, []), options, files.load_deck)
    is_resumed = (
        state is not None
        and not is_new
        and (state.match.phase is not Phase.OVER or _is_next_alike(journal, state, setup, options))
    )
    if state is not None and is_resumed:
        state = vouched(resumed_at(state, now_ms), journal, journal.match)
    else:
        state = begin_at(new_table(new_match(setup), _tags(files, setup.deck, tags, messages), options), now_ms)
        try:
            journal.begin_match(header_text(setup))
        except StoreError as error:
            trouble = str(error)
    state = replace(state, messages=tuple(messages), trouble=trouble, may_have_older=older.may_be())
    return OpenedTable(state, journal, is_resumed, lock, list_path, older)


def _opened_state(
    files: TableFiles,
    opened: OpenedJournal,
    tags: Mapping[bytes, Card | str] | None,
    options: Options | None,
    messages: list[str],
) -> tuple[OpenedJournal, TableState | None]:
    """The match under way, or None; where even a mended journal can't be kept, the table plays without one."""
    try:
        return _last_state(files, opened, tags, options, messages)
    except StoreError as error:
        opened.journal.close()
        opened = OpenedJournal(journal_in_memory(wall_time=files.wall_time, boot=files.boot))
        opened.journal.standing_trouble = str(error)
        return opened, None


def _is_next_alike(journal: Journal, state: TableState, setup: Setup, options: Options | None) -> bool:
    """Whether the match that begins with a press on the scores is the one that the table is set up for today."""
    record = journal.last_match()
    is_same_setup = record is not None and record.header == header_text(setup)
    return is_same_setup and state.recorded.way == way_line(options or Options())


def _gives_way(journal: Journal, header: str) -> bool:
    """Whether the last match is of another set-up, and nothing was done in it."""
    record = journal.last_match()
    return record is not None and record.header != header and next(journal.entries(record.number), None) is None


def _last_state(
    files: TableFiles,
    opened: OpenedJournal,
    tags: Mapping[bytes, Card | str] | None,
    options: Options | None,
    messages: list[str],
) -> tuple[OpenedJournal, TableState | None]:
    """The match under way in the journal, or None; a journal that makes no sense is moved aside."""
    state = None
    try:
        record = opened.journal.last_match()
        if record is not None:
            setup = setup_of(record.header, files.load_deck)
            known = _tags(files, setup.deck, tags, messages)
            state = replay(setup, opened.journal.entries(record.number, with_notes=True), known, options)
    except MatchUnreadableError as error:
        assert record is not None
        message = _("The match of {day} can't go on: {reason}. It stays in the record, and another match begins.")
        messages.append(Sentence(message, day=day_text(record.began_at), reason=error))
    except StoreDamagedError:
        if opened.losses is not None or opened.journal.path.name == IN_MEMORY:
            raise  # it was mended a moment ago: the disk does not keep what is written
        opened.journal.close()
        again = begin_anew(opened.journal.path, wall_time=files.wall_time, boot=files.boot)
        return _last_state(files, again, tags, options, messages)
    if opened.moved_aside is not None or opened.losses is not None:
        messages += told_of(opened)
    elif not opened.journal.is_end_known:
        messages.append(end_of(opened.journal))
    return opened, state


def end_of(journal: Journal) -> Sentence:
    """Up to when the record goes, where nothing beside it says how far it had gone."""
    last = journal.last_wall_time()
    if not last:
        return Sentence(_("The record holds nothing that was played. Nothing shows whether anything ever was."))
    message = _("The record goes up to {time} on {day}. Nothing shows whether more was played after that.")
    return Sentence(message, time=last[11:16], day=day_text(last))


def told_of(opened: OpenedJournal) -> list[str]:
    """What was lost with a journal that could not be used, and what became of it: each has a strip on the screen."""
    if opened.is_newer:
        message = _(
            "The record was made by a newer Last Card, and another one is begun. "
            "For the old one install that Last Card and give the file its old name."
        )
        return [Sentence(message), Sentence(_("The old record is kept whole as {path}."), path=opened.moved_aside)]
    where: list[str] = []
    if opened.moved_aside is not None:
        is_log = opened.moved_aside.name.endswith(LOG)
        log_kept = _("The record was gone; its log is kept as {path}.")
        kept = log_kept if is_log else _("The damaged record is kept as {path}.")
        where = [Sentence(kept, path=opened.moved_aside)]
    if opened.losses is None:
        return [Sentence(_("The record was damaged.")), *where]
    lost = opened.losses.words(NAMED_ON_SCREEN)
    if opened.journal.last_match() is None and opened.losses.whole:
        message = _("The record was unreadable; nothing could be read, and a new record is begun. {lost}")
        return [Sentence(message, lost=lost), *where]
    if opened.journal.last_match() is None:
        return [Sentence(_("The record was unreadable; nothing could be read, and a new record is begun.")), *where]
    if opened.restored is None:
        return [Sentence(_("The record was damaged; what could be read is restored. {lost}"), lost=lost), *where]
    message = _("The record was damaged; what could be read of it and its copy {copy} is restored. {lost}")
    return [Sentence(message, copy=opened.restored.name, lost=lost), *where]


TAGS_LOST = _("The tag list was unreadable. It is kept as {path}; enrol the cards anew.")
BUTTONS_LOST = _(
    "The list of command tags was unreadable. It is kept as {path}; "
    "give the buttons their tags again with lastcard cards enrol --commands."
)


def told_of_list(opened: OpenedList[Any], lost: str) -> list[Sentence]:
    """What became of a list of tags that could not be used as it was; *lost* is said of one of which nothing is left,
    as long as no tag has taken the place of what was in it."""
    if opened.restored is not None:
        message = _("The list of tags {path} was damaged or gone. Its tags are restored from the copy {copy}.")
        told = [Sentence(message, path=opened.tags.path.name, copy=opened.restored.name)]
    elif opened.read:
        message = _("The list of tags {path} was damaged. What could be read of it is restored; check the deck.")
        told = [Sentence(message, path=opened.tags.path.name)]
    else:
        aside = [] if opened.tags.has_tags else set_aside(opened.tags.path)
        return [Sentence(lost, path=aside[-1])] if aside else []
    if opened.moved_aside is not None:
        told.append(Sentence(_("The damaged list is kept as {path}."), path=opened.moved_aside))
    return told


def _tags(
    files: TableFiles, deck: Deck, tags: Mapping[bytes, Card | str] | None, messages: list[str]
) -> Mapping[bytes, Card | str]:
    if tags is not None:
        return tags
    path = files.registry or files.directory / REGISTRY_FILE
    try:
        opened = open_registry(path)
    except StoreError as error:
        try:
            opened = OpenedList(read_registry(path))
        except StoreError:
            messages.append(str(error))
            return {}
    messages += told_of_list(opened, TAGS_LOST)
    known: dict[bytes, Card | str] = {**_commands(files, messages), **opened.tags.cards(deck)}
    opened.tags.close()
    return known


def _mend_lists(files: TableFiles, deck: Deck, messages: list[str]) -> None:
    """Restore the lists of tags, where they are damaged, at a table that uses none: doctor says that a start does."""
    path = files.registry or files.directory / REGISTRY_FILE
    if path.exists() or copies(path):
        _tags(files, deck, None, messages)
    else:
        _commands(files, messages)


def _commands(files: TableFiles, messages: list[str]) -> dict[bytes, str]:
    """The tags that are buttons; a table that never had any makes no list of them."""
    path = (files.registry or files.directory / REGISTRY_FILE).with_name(COMMANDS_FILE)
    if not (path.exists() or copies(path)):
        return {}
    try:
        opened = open_commands(path)
    except StoreError as error:
        try:
            opened = OpenedList(read_commands(path))
        except StoreError:
            messages.append(str(error))
            return {}
    messages += told_of_list(opened, BUTTONS_LOST)
    found = dict(opened.tags.buttons())
    opened.tags.close()
    return found

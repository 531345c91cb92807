"""Carries out what is chosen in the maintenance corner, and says what came of it.

What may be chosen is ``appliance.maintenance``'s; what needs the loop is asked of the box by its functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Protocol

from hardware.diagnosis.checks import Check
from hardware.diagnosis.reader import Machine
from table_app.appliance.awaiting import Awaiting
from table_app.appliance.checks import appliance_checks, voice_of
from table_app.appliance.kiosk import Page
from table_app.appliance.maintenance import Choice
from table_app.appliance.requests import (
    Request,
    RequestError,
    answer,
    answer_stamp,
    ask_root,
    is_about_update,
    is_updating,
)
from table_app.cli.kiosk.texts import network_paragraphs, settings_paragraphs
from table_app.rules.messages import Translate, _, untranslated
from table_app.settings import Settings


class Box(Protocol):
    """What the corner asks of the box."""

    @property
    def settings(self) -> Settings: ...

    @property
    def is_all_kept(self) -> bool: ...

    def restart(self) -> None:
        """End in good order; systemd starts the table anew."""

    def set_up_anew(self) -> None:
        """Ask again who plays and how."""

    def device_checks(self) -> Iterable[Check]: ...


class Corner:
    """The corner's hands, for one box. *root* is where root's requests and answers are."""

    def __init__(
        self, box: Box, directory: Path, translate: Translate, log: Callable[[str], None], root: Path = Path("/")
    ) -> None:
        self._box = box
        self._directory = directory
        self._translate = translate
        self._log = log
        self._root = root
        self._awaiting = Awaiting(root)
        self._answer_seen = answer_stamp(root)
        self._is_update_told = self._was_updating = False
        self.is_coming_back = False
        """Whether the end of the program, when it comes, is asked for as the beginning of another."""

    def carry_out(self, choice: Choice, now_ms: int) -> Page:
        """Do it; what to show for it, as title and paragraphs."""
        translate = self._translate
        match choice:
            case Choice.RESTART_TABLE:
                self.is_coming_back = True
                self._box.restart()
                return translate(_("Restart the table")), (translate(_("The table starts anew.")),)
            case Choice.SET_UP:
                self._box.set_up_anew()
                return translate(_("Set up anew")), (translate(_("The table starts anew and asks.")),)
            case Choice.NETWORK:
                return translate(_("Network")), network_paragraphs(translate)
            case Choice.DOCTOR:
                voice = voice_of(self._box.settings)
                of_box = appliance_checks(Machine(self._root), self._directory, voice=voice)
                checks = [*self._box.device_checks(), *of_box]
                return translate(_("Doctor")), tuple(
                    f"{check.name}: {check.sentence} {check.fix}".strip() for check in checks
                )
            case Choice.SETTINGS | Choice.ALL_SETTINGS:
                return translate(_("All settings")), settings_paragraphs(self._box.settings, translate)
            case Choice.SHUT_DOWN | Choice.RESTART_MACHINE | Choice.UPDATE:
                return self._ask_root(Request(choice), now_ms)

    def _ask_root(self, request: Request, now_ms: int) -> Page:
        translate = self._translate
        try:
            ask_root(request, translate, self._root)
        except RequestError as error:
            return translate(_("Not possible")), (str(error),)
        self._awaiting.asked(request, now_ms)
        self.is_coming_back = request is not Request.SHUT_DOWN
        if request is Request.UPDATE:
            self._is_update_told = True
            said = _("Looking for an update. This may take some minutes; the table can be played at meanwhile.")
            return translate(_("Update")), (translate(said),)
        kept = translate(_("The match is saved.")) if self._box.is_all_kept else ""
        said = translate(_("The machine does what was asked in a few seconds."))
        return translate(_("One moment")), (f"{kept} {said}".strip(),)

    @property
    def is_updating(self) -> bool:
        """Whether an update is under way, also one that was asked for by the program before this one."""
        return is_updating(self._root)

    def look(self, now_ms: int) -> Page | None:
        """What came of what was asked, also by the program before this one, or that nothing came of it, or that an
        update is still under way; mostly None."""
        translate, stamp = self._translate, answer_stamp(self._root)
        if stamp != self._answer_seen:
            self._answer_seen = stamp
            self._is_update_told = True  # its mark lies there a moment longer than its answer
            self._awaiting.answered()
            self.is_coming_back = False
            about = _("Update") if is_about_update(self._root) else _("Not possible")
            if answer(untranslated, self._root):
                self._log(f"{about}: {answer(untranslated, self._root)}")
            return translate(about), (answer(translate, self._root),)
        awaited = self._awaiting.poll(now_ms, translate)
        if awaited is not None:
            request, said = awaited
            self.is_coming_back = False
            self._log(f"Request: {said}")
            about = (
                _("Update") if request is Request.UPDATE else _("One moment") if self.is_updating else _("Not possible")
            )
            return translate(about), (said,)
        was_updating, self._was_updating = self._was_updating, self.is_updating
        if was_updating and not self._was_updating:
            self._is_update_told = False
        if self._was_updating and not self._is_update_told:
            self._is_update_told = True
            return translate(_("Update")), (translate(_("An update is at work. Leave the plug in.")),)
        return None

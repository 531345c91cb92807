"""Everything else that can be had of a match once it was played: exports, history, statistics, files, other screens.

No face of a hand may stand in any of it; only the journal, its copies and an unredacted export hold hands, and those
can be read by their owner alone. A redacted export must be judgeable, and come to the same scores.
"""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from hardware.machine import Keeping
from table_app.appliance.maintenance import ENDS_PLAY, Maintenance, Page
from table_app.appliance.pages import asking_view, farewell_view, maintenance_view, resting_view
from table_app.cli.records import export, history, stats
from table_app.record.archive import open_records, record_of, transcript
from table_app.rules import Code, Match
from table_app.rules import actions as act
from table_app.rules.messages import untranslated
from table_app.settings import read_settings
from table_app.setup.adjusting import Adjusting
from table_app.transcript.judge import Judge, Judgement
from table_app.transcript.lines import Line
from tests.simulation.leaks import Listener, view_texts

OTHERS_MAY_READ = 0o077


def redacted_faults(journal: Path, match: Match) -> list[str]:
    """What is wrong with the redacted export of the first match in *journal*, which ended as *match*."""
    with open_records(journal) as records:
        lines = list(transcript(records, record_of(records, 1), is_redacted=True))
    return transcript_faults(lines, match)


def transcript_faults(lines: list[str], match: Match) -> list[str]:
    """Lines that can't be read, faces of hands in a line or in its ruling, scores that are not those of *match*."""
    listener, judge, faults = Listener(match.setup), Judge(), []
    for number, text in enumerate(lines, 1):
        judged = judge.take(Line(number, text))
        if not isinstance(judged, Judgement):
            continue
        if judged.ruling.code is Code.BAD_LINE:
            faults.append(f"{text!r} can't be judged: {judged.words()}")
        if isinstance(judged.ruling.action, act.Shows | act.DealCards):
            faults.append(f"{text!r} holds a hand")
        listener.follow(judged.ruling, judged.match)
        listener.hear(judged.text, judged.words(), *(str(happening) for happening in judged.ruling.effects))
    if judge.match is None or judge.match.scores != match.scores:
        found = None if judge.match is None else judge.match.scores
        faults.append(f"redacted it comes to {found}, but the scores are {match.scores}")
    return faults + listener.leaks


def output_faults(folder: Path, match: Match) -> list[str]:
    """What is wrong with what the commands print, the files that lie there, and the box's own screens."""
    journal = next(folder.rglob("journal.sqlite"))
    faults = redacted_faults(journal, match)
    listener = Listener(match.setup)
    place = ["--state-directory", str(journal.parent)]
    for command in (history, stats):
        result = CliRunner().invoke(command, place)
        if result.exit_code:
            faults.append(f"{command.name} ended with {result.exit_code}: {result.output}")
        listener.hear(*result.output.splitlines())
    listener.hear(*box_texts())
    whole = folder / "whole.table"
    CliRunner().invoke(export, [*place, "1", "--to", str(whole)])
    for path in folder.rglob("*"):
        if path.is_file() and path.stat().st_mode & OTHERS_MAY_READ:
            faults.append(f"{path.name} can be read by others")
    whole.unlink()
    return faults + listener.leaks


def box_texts() -> list[str]:
    """What the box itself shows: all pages of its maintenance corner, and the screens of a table left alone."""
    corner = Maintenance("1234")
    views = [asking_view(untranslated), resting_view((), untranslated)]
    kept = [(keeping, trouble) for keeping in Keeping for trouble in ("", "The disk is full.")]
    views += [farewell_view(*one, is_back, untranslated) for one in kept for is_back in (True, False)]
    adjusting = Adjusting(read_settings(None), {}, lambda _text: None)
    for page in Page:
        corner.page = page
        for choice in ENDS_PLAY:
            corner.asked = choice
            views.append(maintenance_view(corner, adjusting, 0, untranslated))
    return [text for view in views for text in view_texts(view)]

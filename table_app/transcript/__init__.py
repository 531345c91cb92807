"""Transcripts: a match as text, read, written and judged.

`parse_action` and `action_text` are one action and its line; `Judge` referees a whole transcript line by line.
"""

from __future__ import annotations

from table_app.transcript.bad_line import BadLineError
from table_app.transcript.header import HeaderError, HeaderReader, header_text, read_header
from table_app.transcript.judge import Expectation, Judge, Judgement, table_facts
from table_app.transcript.lines import Line, LineSplitter, read_lines
from table_app.transcript.notation import action_text, parse_action

__all__ = [
    "BadLineError",
    "Expectation",
    "HeaderError",
    "HeaderReader",
    "Judge",
    "Judgement",
    "Line",
    "LineSplitter",
    "action_text",
    "header_text",
    "parse_action",
    "read_header",
    "read_lines",
    "table_facts",
]

"""People at a table with a reader and a buzzer alone: they know their cards, the rules, and what they hear. For tests.

What they know of the match is a match of their own, ruled by the core as the table's is, and their cards. They never
look at the table: only cues come back, and where one is not what they expect they are at a loss.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from hardware.signals import TagPlaced, TagRemoved
from table_app.rules import (
    COLOURS,
    Action,
    Call,
    Card,
    Catch,
    Challenge,
    DealUnseen,
    Draw,
    Keep,
    Lay,
    Match,
    NameColour,
    Phase,
    Reshuffle,
    Shows,
    Start,
    apply,
    new_match,
    waits,
)
from table_app.rules.state import ColourQuestion
from table_app.table.commands import command_buttons
from table_app.table.hands_tapped import RIGHT_AFTER_MS
from tests.table.rig import Rig, uid

MOVES_MAX = 6_000
"""Acts in a match; an honest one to 200 points takes some hundreds."""


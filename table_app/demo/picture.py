"""Saves a picture of a screen without a window. Has a room of its own because it needs pygame, which a run without
a picture must not.
"""

from __future__ import annotations

from pathlib import Path

from table_app.display.save_picture import save_picture
from table_app.display.scene import render
from table_app.display.theme import TABLE
from table_app.display.window import DEMO_SIZE
from table_app.view.table_view import TableView


def save(view: TableView, path: Path) -> None:
    """Draw *view* and save it as PNG."""
    import pygame

    pygame.font.init()
    width, height = DEMO_SIZE
    save_picture(render(view, width, height, TABLE), path)

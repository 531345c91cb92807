"""A surface as a file; what is on it is painted elsewhere."""

from __future__ import annotations

from pathlib import Path

import pygame

from table_app.display.errors import DisplayError


def save_picture(surface: pygame.Surface, path: str | Path, what: str = "screenshot") -> None:
    """Write *surface* as a picture; the suffix says which kind. *what* it is, is said where it can't be written.

    :raises DisplayError: where the file can't be written.
    """
    try:
        pygame.image.save(surface, str(path))
    except (pygame.error, OSError) as reason:
        raise DisplayError(
            f"The {what} can't be written to {path} ({reason}). Name a directory that you may write to."
        ) from reason

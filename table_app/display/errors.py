"""What can go wrong with a screen, and in words why no window could be opened. Nothing is opened or asked here."""

from __future__ import annotations

import os

from table_app.rules.messages import Sentence, Translate, _, words_of


class DisplayError(Exception):
    """The screen can't be used; the text is a sentence with what to do next."""


class NoDisplayError(DisplayError, OSError):
    """There is no screen, or no driver for it."""

    def words(self, translate: Translate) -> str:
        """The text in the language of *translate*."""
        return words_of(self.args[0] if self.args else str(self), translate)


class DisplayLostError(DisplayError):
    """The screen was there, and can't be painted on any more."""


def why_no_display(reason: str) -> Sentence:
    """A sentence for people out of SDL's *reason*."""
    asked = os.environ.get("SDL_VIDEODRIVER")
    if asked:
        return Sentence(
            _(
                "No window can be opened with the video driver {driver} ({reason}). "
                "Unset SDL_VIDEODRIVER, or run without a screen."
            ),
            driver=asked,
            reason=reason,
        )
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return Sentence(
            _(
                "No window can be opened on this desktop ({reason}). "
                "Check that you are logged in to it and may use it, or run without a screen."
            ),
            reason=reason,
        )
    return Sentence(
        _(
            "No window can be opened: there is no desktop, and no screen of its own ({reason}). "
            "Start from a desktop; on a Raspberry Pi without one use Debian's python3-pygame or pygame-ce "
            "and be in the groups video, render and input; or run without a screen."
        ),
        reason=reason,
    )

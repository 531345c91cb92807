"""Which of pygame's events the window knows, by kind and key; nothing is decided here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import pygame

# Nothing here follows a moving pointer; these would only fill the queue.
UNWANTED = (pygame.MOUSEMOTION, pygame.FINGERMOTION, pygame.MULTIGESTURE, pygame.MOUSEWHEEL, pygame.TEXTINPUT)
MOUSE_TOUCH_IDS = frozenset({-1, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF})  # fingers made up from a mouse: SDL_MOUSE_TOUCHID
REPAINTING = frozenset(
    {
        pygame.VIDEORESIZE,
        pygame.VIDEOEXPOSE,
        pygame.WINDOWEXPOSED,
        pygame.WINDOWSIZECHANGED,
        pygame.WINDOWRESTORED,
        pygame.WINDOWSHOWN,
    }
)
KEY_NAMES: Mapping[int, str] = MappingProxyType(
    {
        pygame.K_RETURN: "return",
        pygame.K_KP_ENTER: "return",
        pygame.K_ESCAPE: "escape",
        pygame.K_SPACE: "space",
        pygame.K_LEFT: "left",
        pygame.K_RIGHT: "right",
        pygame.K_PAGEUP: "left",
        pygame.K_PAGEDOWN: "right",
        pygame.K_BACKSPACE: "backspace",
    }
)
SIGN_NAMES: Mapping[int, str] = MappingProxyType(
    {
        pygame.K_PLUS: "+",
        pygame.K_KP_PLUS: "+",
        pygame.K_EQUALS: "+",  # on many keyboards the plus stands on this key, above the equals sign
        pygame.K_MINUS: "-",
        pygame.K_KP_MINUS: "-",
        **{getattr(pygame, f"K_KP{digit}"): str(digit) for digit in range(10)},
    }
)
"""Signs told by their key: where no word is asked for no text is sent, and what Shift makes of a key is not known."""


def listen_for_text(is_wanted: bool) -> None:
    """Let letters be composed (an accent, then its letter) while a word is asked for.

    Without a need for it an on-screen keyboard may come up on some desktops.
    """
    if is_wanted:
        pygame.event.set_allowed(pygame.TEXTINPUT)
        pygame.key.start_text_input()
    else:
        pygame.event.set_blocked(pygame.TEXTINPUT)
        pygame.key.stop_text_input()

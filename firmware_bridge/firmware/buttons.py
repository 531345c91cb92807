"""Debounced buttons: levels and times in, presses out. Pure; the pins are ``board``'s."""

# A contact chatters for 5 to 20 ms; nobody presses twice within 30.
DEBOUNCE_MS = 30


class Buttons:
    """A press counts at the first touch, the next one only after the contact was open for 30 ms unbroken.

    :param names: logical names, in the order of the levels given to ``poll``.
    """

    def __init__(self, names: "list[str]") -> None:
        self._names = names
        self._closed = [False] * len(names)
        self._open_since_ms: list[int | None] = [None] * len(names)

    def poll(self, closed: "list[bool]", now_ms: int) -> "list[str]":
        """Take how the contacts stand and return the names of those newly pressed."""
        pressed = []
        for index, name in enumerate(self._names):
            was_closed = self._closed[index]
            self._closed[index] = closed[index]
            if was_closed and not closed[index]:
                self._open_since_ms[index] = now_ms
            elif closed[index] and not was_closed:
                since_ms = self._open_since_ms[index]
                if since_ms is None or now_ms - since_ms >= DEBOUNCE_MS:
                    pressed.append(name)
        return pressed

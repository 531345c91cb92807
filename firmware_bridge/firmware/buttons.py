"""Debounced buttons: levels and times in, presses out. Pure; the pins are ``board``'s."""

# A spike on a long wire takes microseconds, and a finger's shortest tap 30 ms.
CLOSED_MS = 10
# A contact chatters for 5 to 20 ms; nobody presses twice within 30.
OPEN_MS = 30


class Buttons:
    """A press counts once the contact was closed at every look for 10 ms, two looks at least; the next one only after
    it was open for 30 ms unbroken.

    :param names: logical names, in the order of the levels given to ``poll``.
    """

    def __init__(self, names: "list[str]") -> None:
        self._names = names
        self._closed = [False] * len(names)
        self._since_ms: list[int | None] = [None] * len(names)
        self._is_ready = [True] * len(names)

    def poll(self, closed: "list[bool]", now_ms: int) -> "list[str]":
        """Take how the contacts stand and return the names of those newly pressed."""
        pressed = []
        for index, name in enumerate(self._names):
            since_ms = self._since_ms[index]
            if closed[index] != self._closed[index]:
                if closed[index] and (since_ms is None or now_ms - since_ms >= OPEN_MS):
                    self._is_ready[index] = True
                self._closed[index] = closed[index]
                self._since_ms[index] = now_ms
            elif closed[index] and self._is_ready[index] and since_ms is not None and now_ms - since_ms >= CLOSED_MS:
                self._is_ready[index] = False
                pressed.append(name)
        return pressed

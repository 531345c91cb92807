"""Debounced buttons: levels and times in, presses out. Pure; the pins are ``board``'s."""

# The shortest press of a hand is some 50 ms; what is coupled into a wire of seat length is over after a few.
CLOSED_MS = 10
# Two looks can both hit a spike of something that hums.
CLOSED_LOOKS = 3
# A contact chatters for 5 to 20 ms; nobody presses twice within 30.
OPEN_MS = 30


class Buttons:
    """A press counts once three looks over 10 ms have all found the contact closed, the next one only after it was
    open for 30 ms.

    :param names: logical names, in the order of the levels given to ``poll``.
    """

    def __init__(self, names: "list[str]") -> None:
        self._names = names
        self._closed = [False] * len(names)
        self._pressed = [False] * len(names)
        self._since_ms = [0] * len(names)
        self._looks = [0] * len(names)

    def poll(self, closed: "list[bool]", now_ms: int) -> "list[str]":
        """Take how the contacts stand and return the names of those newly pressed, the first that touched first."""
        pressed = []
        for index in range(len(self._names)):
            if not self._closed[index] and now_ms - self._since_ms[index] >= OPEN_MS:
                self._pressed[index] = False
            if closed[index] != self._closed[index]:
                self._closed[index] = closed[index]
                self._since_ms[index] = now_ms
                self._looks[index] = 0
            if not closed[index] or self._pressed[index]:
                continue
            self._looks[index] = min(self._looks[index] + 1, CLOSED_LOOKS)
            if self._looks[index] == CLOSED_LOOKS and now_ms - self._since_ms[index] >= CLOSED_MS:
                self._pressed[index] = True
                pressed.append((self._since_ms[index], index))
        return [self._names[index] for _since_ms, index in sorted(pressed)]

"""One reader on the board: looks at a steady pace, tracks presence, brings a failed chip back.

The board's own source for what the host has in ``hardware/tags/reader.py``, over any radio. What it found is
sent by ``app``.
"""

from . import messages as m
from .iso14443a import ANSWER, COLLISION, HALT_FRAME, NOISE, SILENCE, TAG, identify
from .rc522 import ReaderError
from .tracker import LOOK_NOISE, LOOK_SEVERAL, LOOK_SILENCE, Tracker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

POLL_PERIOD_MS = 50
# Two must agree; the third is for the one in some hundred that comes damaged.
READS_A_LOOK = 3
RETRY_FIRST_MS = 100
RETRY_LONGEST_MS = 1_000
# While the host talks to a tag, a look would send it back to rest. So long after an answer the host may take for
# its next frame, which is two repeats of a lost one; then looks go on, whatever became of the host.
HOLD_MS = 300


def reply_text(reply: "Any") -> str:
    """A radio's reply as the host reads it: the word, and behind it what belongs to it."""
    if reply[0] == ANSWER:
        return f"answer {reply[2]} {reply[1].hex()}"
    if reply[0] == NOISE:
        return f"noise {reply[1]}"
    return f"collision {reply[1]}" if reply[0] == COLLISION else "silence"


class Reader:
    """``poll`` returns (kind, body) of the messages to tell; ``lying`` and ``fault`` are how things stand."""

    def __init__(self, name: str, radio: "Any") -> None:
        self.name = name
        self.fault = ""
        self._radio = radio
        self._tracker = Tracker()
        self._next_ms: int | None = None
        self._works = False
        self._lost_told = False
        self._retry_ms = RETRY_FIRST_MS
        self._note_told = ""
        self._tags: dict[bytes, tuple[bytes, int]] = {}  # what is known of the present tag and of the newest one

    @property
    def settled(self) -> bool:
        """True once it is sure what lies there; never while several tags do."""
        return self._works and self._tracker.settled and not self._tracker.several

    @property
    def version(self) -> int:
        """The chip's version register; 0 before it has answered."""
        version: int = self._radio.version
        return version

    @property
    def is_lost(self) -> bool:
        return self._lost_told

    def lying(self) -> bytes:
        """The body of a message that says what lies there."""
        return self._body(self._tracker.present or b"")

    def disorder(self) -> "list[int]":
        """The kinds of message that say why it can't be known what lies there, if that was told before."""
        if not self._works:
            return []
        kinds = [m.SEVERAL] if self._tracker.several else []
        return kinds + [m.DISTURBED] if self._tracker.disturbed else kinds

    def note(self) -> str:
        """What should be told once about a working chip; empty if nothing."""
        return self._note_told

    def poll(self, now_ms: int) -> "list[tuple[int, bytes]]":
        if self._next_ms is not None and now_ms < self._next_ms:
            return []
        due_ms = now_ms if self._next_ms is None else max(self._next_ms, now_ms - POLL_PERIOD_MS)
        self._next_ms = due_ms + POLL_PERIOD_MS
        told: list[tuple[int, bytes]] = []
        if not self._works and not self._start(told, now_ms):
            return told
        try:
            look = self._look()
        except ReaderError as fault:
            self._lose(fault, told)
            if not self._start(told, now_ms):
                return told
            try:
                look = self._look()
            except ReaderError as second:
                self._lose(second, told)
                self._back_off(now_ms)
                return told
        note = self._radio.chip_note()
        if note and note != self._note_told:
            self._note_told = note
            told.append((m.READER_NOTE, m.text(self.name) + m.text(note)))
        for kind, uid in self._tracker.observe(look, now_ms):
            told.append((kind, self._body(uid) if uid else m.text(self.name)))
        return told

    def exchange(self, frame: bytes, last_bits: int, answer_bytes: int, timeout_us: int, now_ms: int) -> str:
        """Send the host's *frame* and return what came back; raise ReaderError if the reader does not work.

        Looks wait meanwhile. A fault is left to the next look, which heals it and tells of it.
        """
        if not self._works:
            raise ReaderError(self.fault or "The reader has not started yet. Try again in a moment.")
        self._next_ms = now_ms
        if not answer_bytes:
            self._radio.send(frame)
            self._next_ms = now_ms + POLL_PERIOD_MS
            return "silence"
        reply = self._radio.exchange(frame, last_bits, answer_bytes, timeout_us)
        self._next_ms = now_ms + HOLD_MS
        return reply_text(reply)

    def _body(self, uid: bytes) -> bytes:
        atqa, sak = self._tags.get(uid, (b"\x00\x00", 0))
        return m.tag_body(self.name, uid, atqa, sak)

    def _look(self) -> "Any":
        """Look once; a new tag, and several tags, are believed when two reads at once say the same."""
        found = identify(self._radio)
        if found[0] == SILENCE:
            if self._tracker.is_quiet():
                return LOOK_SILENCE
            self._radio.check()
            found = self._read_after(found)
            if found[0] == SILENCE:
                return LOOK_SILENCE
        if found[0] == TAG and found[1] == self._tracker.present:
            self._remember(found)
            return found[1]
        reads = [found]
        while len(reads) < READS_A_LOOK:
            found = self._read_after(found)
            reads.append(found)
            if found[0] == TAG and reads.count(found) == 2:
                self._remember(found)
                return found[1]
            if found[0] == COLLISION and sum(read[0] == COLLISION for read in reads) == 2:
                return LOOK_SEVERAL
        return LOOK_SILENCE if all(read[0] == SILENCE for read in reads[1:]) else LOOK_NOISE

    def _read_after(self, last: "Any") -> "Any":
        """Read once more. A tag whose answer was lost waits for a selection: send it to rest before."""
        if last[0] == SILENCE:
            self._radio.send(HALT_FRAME)
        return identify(self._radio)

    def _remember(self, found: "Any") -> None:
        _, uid, atqa, sak = found
        present = self._tracker.present
        kept = self._tags.get(present) if present is not None else None
        self._tags = {uid: (atqa, sak)}
        if present is not None and kept is not None and present != uid:
            self._tags[present] = kept

    def _start(self, told: "list[tuple[int, bytes]]", now_ms: int) -> bool:
        try:
            self._radio.start()
        except ReaderError as fault:
            self._lose(fault, told)
            self._back_off(now_ms)
            return False
        self._works = True
        self.fault = ""
        if self._lost_told:
            self._lost_told = False
            told.append((m.READER_BACK, m.text(self.name)))
        self._retry_ms = RETRY_FIRST_MS
        return True

    def _lose(self, fault: Exception, told: "list[tuple[int, bytes]]") -> None:
        self._works = False
        self.fault = str(fault)
        self._tracker.pause()
        if not self._lost_told:
            self._lost_told = True
            told.append((m.READER_LOST, m.text(self.name) + m.text(self.fault)))

    def _back_off(self, now_ms: int) -> None:
        self._next_ms = now_ms + self._retry_ms
        self._retry_ms = min(self._retry_ms * 2, RETRY_LONGEST_MS)

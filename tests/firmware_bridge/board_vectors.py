"""Replays ``vectors.json`` on the board's half, inside MicroPython: ``micropython board_vectors.py FILE``.

Prints one line a fault and ``done N`` with the number of vectors at the end. Runs in MicroPython's unix port
with the directory that holds ``firmware`` on its path.
"""

import json
import sys

from firmware import frames, iso14443a, rc522, reader, tracker
from firmware import messages as m

KINDS = {
    "Hello": m.HELLO,
    "HostAlive": m.HOST_ALIVE,
    "Sound": m.SOUND,
    "Show": m.SHOW,
    "Change": m.CHANGE,
    "Restart": m.RESTART,
    "Ask": m.ASK,
    "Exchange": m.EXCHANGE,
}
EVENTS = {
    "Lying": m.LYING,
    "Placed": m.PLACED,
    "Removed": m.REMOVED,
    "Several": m.SEVERAL,
    "Disturbed": m.DISTURBED,
    "Pressed": m.PRESSED,
    "ReaderLost": m.READER_LOST,
    "ReaderBack": m.READER_BACK,
    "ReaderNote": m.READER_NOTE,
}
SIGNALS = {m.PLACED: "Placed", m.REMOVED: "Removed", m.SEVERAL: "Several", m.DISTURBED: "Disturbed"}
LOOKS = {"silence": tracker.LOOK_SILENCE, "noise": tracker.LOOK_NOISE, "several": tracker.LOOK_SEVERAL}

checked = 0


def expect(got, wanted, what):
    global checked
    checked += 1
    if got != wanted:
        print("FAULT", what, "got", got, "wanted", wanted)


def check_frames(vectors):
    for vector in vectors["frames"]:
        payload, wire = bytes.fromhex(vector["payload"]), bytes.fromhex(vector["wire"])
        expect(frames.encode_frame(payload), wire, "encoded frame")
        cutter = frames.FrameReader()
        got = [found for found in (cutter.receive(byte) for byte in wire) if found is not None]
        expect(got, [payload], "decoded frame")
    good = frames.encode_frame(b"good")
    for vector in vectors["not_frames"]:
        cutter = frames.FrameReader()
        got = [cutter.receive(byte) for byte in good + bytes.fromhex(vector["wire"]) + good]
        expect([found for found in got if found is not None], [b"good"] * 2, vector["why"])


def as_lists(value):
    if isinstance(value, (list, tuple)):
        return [as_lists(item) for item in value]
    return value.hex() if isinstance(value, bytes) else value


def event_body(kind, fields):
    if "uid" in fields:
        rest = m.tag_body(fields["reader"], bytes.fromhex(fields["uid"]), bytes.fromhex(fields["atqa"]), fields["sak"])
    elif kind == m.PRESSED:
        rest = m.text(fields["button"])
    else:
        rest = m.text(fields["reader"])
        if "text" in fields:
            rest += m.text(fields["text"])
    return m.age(fields["age_ms"]) + rest


def board_body(name, fields):
    if name == "Announce":
        return m.ANNOUNCE, m.announce_body(fields["boot"], fields["firmware"])
    if name == "Welcome":
        return m.WELCOME, bytes((fields["protocol"],)) + m.welcome_body(
            fields["boot"],
            fields["firmware"],
            fields["board"],
            fields["buttons"],
            fields["lamps"],
            fields["readers"],
        )
    if name == "Refuse":
        return m.REFUSE, m.refuse_body(fields["firmware"])
    if name == "BoardAlive":
        return m.BOARD_ALIVE, m.board_alive_body(fields["uptime_s"], fields["dropped"])
    if name == "Done":
        return m.DONE, bytes((fields["result"],)) + fields["text"].encode()
    return EVENTS[name], event_body(EVENTS[name], fields)


def command_fields(name, fields):
    order = {
        "Hello": ("lowest", "highest"),
        "HostAlive": (),
        "Sound": ("beeps",),
        "Show": ("seats",),
        "Change": ("json",),
        "Restart": ("into",),
        "Ask": ("topic",),
        "Exchange": ("reader", "frame", "last_bits", "answer_bytes", "timeout_us"),
    }[name]
    return [KINDS[name]] + [fields[field] for field in order]


def check_messages(vectors):
    for vector in vectors["messages"]:
        name, fields = vector["message"], vector["fields"]
        payload = bytes.fromhex(vector["payload"])
        kind, session, number, body = m.unpack(payload)
        expect((session, number), (vector["session"], vector["number"]), name)
        if name in KINDS:
            expect(as_lists(m.command(kind, body)), command_fields(name, fields), name)
        else:
            made_kind, made_body = board_body(name, fields)
            expect(m.pack(made_kind, session, number, made_body), payload, name)
    for vector in vectors["not_messages"]:
        kind, _, _, body = m.unpack(bytes.fromhex(vector["payload"]))
        expect(m.command(kind, body), None, vector["why"])


def check_looks(vectors):
    for vector in vectors["looks"]:
        watcher = tracker.Tracker()
        for now_ms, look, signals in vector["steps"]:
            if look == "pause":
                watcher.pause()
                continue
            seen = LOOKS[look] if look in LOOKS else bytes.fromhex(look)
            got = [
                [SIGNALS[kind], uid.hex()] if uid else [SIGNALS[kind]] for kind, uid in watcher.observe(seen, now_ms)
            ]
            expect(got, signals, f"look of seed {vector['seed']} at {now_ms}")


class Clock:
    now = 0

    def now_us(self):
        return self.now // 1000

    def wait_us(self, duration):
        if duration > 0:
            self.now += duration * 1000


class ReplayedBus:
    """Answers each transfer as recorded, if it is the recorded one."""

    def __init__(self, clock, transfers, what):
        self.clock = clock
        self.left = transfers
        self.what = what

    def xfer(self, data):
        if not self.left:
            raise OSError("a transfer more than was recorded: " + self.what)
        sent, reply = self.left.pop(0)
        expect(data.hex(), sent, "transfer of " + self.what)
        self.clock.now += 20000 + len(data) * 8000
        return bytes.fromhex(reply)


def reply_as_recorded(reply):
    if reply[0] == "answer":
        return iso14443a.ANSWER, bytes.fromhex(reply[1]), reply[2]
    if reply[0] == "silence":
        return (iso14443a.SILENCE,)
    return iso14443a.NOISE if reply[0] == "noise" else iso14443a.COLLISION, reply[1]


def check_replies(vectors):
    for vector in vectors["replies"]:
        expect(reader.reply_text(reply_as_recorded(vector["reply"])), vector["text"], "reply")


class ReplayedRadio:
    def __init__(self, exchanges, what):
        self.left = exchanges
        self.what = what

    version = 0x92

    def chip_note(self):
        return ""

    def _step(self, wanted):
        if not self.left:
            raise OSError("a step more than was recorded: " + self.what)
        step = self.left.pop(0)
        if wanted is not None:
            expect([key for key in step if key != "fault"], [wanted], "step of " + self.what)
        if "fault" in step:
            raise rc522.ReaderError(step["fault"])
        return step

    def start(self):
        self._step("start")

    def check(self):
        self._step("check")

    def exchange(self, frame, last_bits, answer_bytes, timeout_us):
        step = self._step(None)
        wanted = (step["frame"], step.get("last_bits"), step.get("answer_bytes"), step.get("timeout_us"))
        expect((frame.hex(), last_bits, answer_bytes, timeout_us), wanted, "exchange of " + self.what)
        return reply_as_recorded(step["reply"])

    def send(self, frame):
        expect({"frame": frame.hex()}, self._step(None), "frame without answer of " + self.what)


def describe(found):
    if found[0] == iso14443a.TAG:
        return ["tag", found[1].hex(), found[3]]
    if found[0] == iso14443a.NOISE:
        return ["noise", found[1]]
    return ["collision", found[1]] if found[0] == iso14443a.COLLISION else ["silence"]


def look(radio):
    try:
        return describe(iso14443a.identify(radio))
    except rc522.ReaderError as fault:
        return ["fault", str(fault)]


def check_readings(vectors):
    for vector in vectors["readings"]:
        name, found = vector["name"], vector["found"]
        radio = ReplayedRadio(list(vector["exchanges"]), name)
        expect([look(radio) for _ in found], found, name)
        expect(radio.left, [], "exchanges left of " + name)
        clock = Clock()
        bus = ReplayedBus(clock, list(vector["transfers"]), name)
        chip = rc522.Rc522(bus, clock)
        chip.start()
        clock.wait_us(2000)
        got = []
        for _ in found:
            got.append(look(chip))
            clock.wait_us(40000)
        expect(got, found, name)
        expect(bus.left, [], "transfers left of " + name)


def told_as_recorded(kind, body):
    if kind == m.READER_LOST:
        return ["ReaderLost", body[5:].decode()]
    if kind == m.READER_BACK:
        return ["ReaderBack"]
    name = SIGNALS[kind]
    return [name, body[5 : 5 + body[4]].hex()] if name in ("Placed", "Removed") else [name]


def check_visits(vectors):
    for vector in vectors["visits"]:
        radio = ReplayedRadio([], vector["name"])
        visitor = reader.Reader("pad", radio)
        for now_ms, steps, signals in vector["polls"]:
            radio.left = list(steps)
            told = [told_as_recorded(kind, body) for kind, body in visitor.poll(now_ms)]
            expect(told, signals, f"{vector['name']} at {now_ms} ms")
            expect(radio.left, [], f"steps left of {vector['name']} at {now_ms} ms")


def main():
    with open(sys.argv[1]) as file:
        vectors = json.load(file)
    check_frames(vectors)
    check_messages(vectors)
    check_replies(vectors)
    check_looks(vectors)
    check_readings(vectors)
    check_visits(vectors)
    print("done", checked)


main()

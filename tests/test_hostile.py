"""Every command with names, paths, files and values that a terminal would obey; every byte that it writes is looked at.

What a board reports: `tests/cli/test_firmware.py`; what is asked of root: `tests/systemd/test_requests.py`.
"""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path

import click
import ndef
import pytest

from hardware.simulated import Ntag213
from table_app.cli import COMMANDS, lastcard
from table_app.decks import DeckFileError, load_deck
from table_app.printing import json_text, printable
from table_app.rules import DECKS
from table_app.table.simulated_hand import deck_stickers
from table_app.tags.registry import open_registry
from tests.table.rig import uid

ROOT = Path(__file__).parents[1]
NASTY = "".join(
    [
        *map(chr, (*range(1, 0x20), *range(0x7F, 0xA0))),  # C0, DEL, C1
        "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",  # bidirectional controls
        "\u200b\u2028\u2029\ufeff\U000e0041\ufffe",
    ]
)
TITLE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e"
FORGED = "FORGED: all is well"
HOSTILE = f"{TITLE}\r\n{FORGED}\x7f"
"""Fits into a file's name, and begins a line of its own where nobody takes care."""

HOSTILE_NAME = HOSTILE + "\udcff"
"""Also with a byte that is no text."""

TIMEOUT_S = 60


def run(
    folder: Path, *arguments: str, typed: str | bytes = "", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    own = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "config"), "XDG_STATE_HOME": str(folder / "state")}
    return subprocess.run(
        [sys.executable, "-m", "table_app", *arguments],
        input=typed.encode("utf-8", "surrogateescape") if isinstance(typed, str) else typed,
        capture_output=True,
        cwd=ROOT,
        env={**os.environ, "SDL_VIDEODRIVER": "dummy", **own, **(environment or {})},
        timeout=TIMEOUT_S,
        check=False,
    )


def is_obeyed(character: str) -> bool:
    """Whether a terminal would do more than draw it."""
    return unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} and character not in "\n\t"


def check_bytes(written: bytes) -> str:
    """The text; nothing in it is obeyed, no line of it is forged and no command ended in a traceback."""
    text = written.decode("utf-8")
    assert [character for character in text if is_obeyed(character)] == [], text
    assert not any(line.lstrip().startswith("FORGED") for line in text.split("\n")), text
    assert "Traceback" not in text, text
    return text


def hostile_files(folder: Path) -> dict[str, str]:
    """Files of each kind, hostile in name and content."""
    contents = {
        "key.toml": f"[table]\n{json.dumps(HOSTILE)} = 1\n",
        "section.toml": f"[{json.dumps(HOSTILE)}]\na = 1\n",
        "value.toml": f"[table]\nplayers = [{json.dumps(HOSTILE)}, 'Ben']\n",
        "choice.toml": f"[reader]\nkind = {json.dumps(HOSTILE)}\n",
        "rule.toml": f"[rules]\ndeck = {json.dumps(HOSTILE)}\n",
        "button.toml": f"[buttons]\n{json.dumps(HOSTILE)} = 5\n",
        "directory.toml": f"[storage]\ndirectory = {json.dumps(str(folder / HOSTILE / 'kept'))}\n",
        "broken.toml": f"[table\n{TITLE}\n",
        "deck.toml": f"name = {json.dumps(HOSTILE)}\n{json.dumps(HOSTILE)} = 1\n[cards]\n{json.dumps(HOSTILE)} = 1\n"
        f"1 = 9\n[[special]]\ncode = 'wx'\nname = {json.dumps(HOSTILE)}\neffect = {json.dumps(HOSTILE)}\n",
        "table": f"players: Ann, Ben\ntable: deal 7\ntable: start r9\n= {TITLE} 1\nAnn: {TITLE}\n= ok; turn {TITLE}\n"
        f"{TITLE}\nAnn: r5 # {TITLE}\n",
        "header.table": f"players: Ann, {TITLE}\n{TITLE}: x\n",
        "csv": f"uid,deck,card\n{TITLE},{TITLE},{TITLE}\n",
        "deck.csv": f"uid,deck,card\n04 A1 5C 22 6B 80 80,{TITLE},r5\n",
        "json": json.dumps([{"uid": HOSTILE, "deck": HOSTILE, "card": HOSTILE}]),
        "column.json": json.dumps([{HOSTILE: 1}]),
    }
    made = {}
    for name, content in contents.items():
        path = folder / f"{HOSTILE_NAME}-{name}"
        path.write_text(content, encoding="utf-8")
        made[name] = str(path)
    return made


def hostile_record(folder: Path) -> Path:
    """A record and a tag list into which somebody wrote what no table would."""
    state = folder / f"record-{HOSTILE_NAME}"
    where = ("--state-directory", str(state))
    played = run(folder, "play", "--display", "none", "--reader", "none", *where, typed="deal\nr9\nquit\n")
    assert played.returncode == 0, played.stderr
    run(folder, "score", "--display", "none", *where, typed="quit\n")
    with sqlite3.connect(state / "journal.sqlite") as journal:
        guards = journal.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _sql in guards:
            journal.execute(f"DROP TRIGGER {name}")
        journal.execute("UPDATE matches SET header = replace(header, 'players: ', ?)", (f"players: {TITLE}, ",))
        journal.execute("UPDATE matches SET began_at = ?", (HOSTILE,))
        for _name, sql in guards:
            journal.execute(sql)
    journal.close()
    registry = open_registry(state / "tags.sqlite").tags
    registry.enrol(uid(1), DECKS["classic"], "r5", 1)
    registry.close()
    rows = [(uid(2), HOSTILE, HOSTILE, "r5"), (uid(3), "classic", HOSTILE, "r5"), (uid(4), "classic", "", HOSTILE)]
    with sqlite3.connect(state / "tags.sqlite") as tags:
        tags.executemany("INSERT INTO tags (uid, deck, pack, code, copy) VALUES (?, ?, ?, ?, 1)", rows)
    tags.close()
    sticker = Ntag213(next(iter(deck_stickers(DECKS["classic"]).values())))
    message = b"".join(ndef.message_encoder([ndef.TextRecord(HOSTILE[:40]), ndef.UriRecord(f"http://{TITLE}")]))
    sticker.memory[16 : 16 + len(message) + 3] = bytes((0x03, len(message))) + message + b"\xfe"
    kept = json.dumps({number.hex(): sticker.memory.hex() for number in deck_stickers(DECKS["classic"]).values()})
    (state / "simulated-stickers.json").write_text(kept, encoding="utf-8")
    return state


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


@pytest.fixture(scope="module")
def files(folder: Path) -> dict[str, str]:
    return hostile_files(folder)


@pytest.fixture(scope="module")
def record(folder: Path) -> Path:
    return hostile_record(folder)


QUIET = ("--display", "none", "--reader", "none")
TYPED = f"{TITLE}\n{HOSTILE}\nAnn: {TITLE}\n{NASTY}\nquit\n"
SETTINGS = [f"{kind}.toml" for kind in ("key", "section", "value", "choice", "rule", "button", "directory", "broken")]


def cases(files: Mapping[str, str], record: Path, folder: Path) -> dict[str, list[tuple[str, ...]]]:
    """Arguments for each command, by its words."""
    gone, state = str(folder / f"{HOSTILE_NAME}-gone"), ("--state-directory", str(record))
    settings = [("--settings", files[name]) for name in SETTINGS] + [("--settings", gone)]
    plain = folder / "plain.toml"
    plain.write_text("", encoding="utf-8")
    lists = ("cards", "--settings", str(plain), *state)
    simulated, board = ("--reader", "simulated"), ("--reader", f"serial:{gone}")
    read_records = [*settings, state, ("--score", *state), ("--state-directory", gone)]
    fast = ("--seconds", "1", "--speed", "max", "--quiet")
    return {
        "demo": [
            ("--lang", HOSTILE),
            ("--speed", HOSTILE),
            ("--display", "none", "--directory", f"{gone}-demo", *fast),
            ("--display", "none", "--directory", f"{files['csv']}/below", *fast),
            ("--screenshot", f"{gone}/a.png", *fast),
        ],
        "play": [
            *((*QUIET, *one) for one in settings),
            (*QUIET, "--players", f"{TITLE},Ben", *state),
            (*QUIET, "--lang", HOSTILE),
            (*QUIET, *state),
            (*QUIET, "--state-directory", files["csv"]),
            ("--reader", HOSTILE),
            ("--display", "none", *board, *state),
        ],
        "kiosk": [("--reader", HOSTILE), ("--settings", HOSTILE, "extra", HOSTILE)],
        "score": [
            *(("--display", "none", *one) for one in settings),
            (*QUIET[:2], "--players", f"{TITLE},Ben"),
            (*QUIET[:2], *state),
        ],
        "history": read_records,
        "export": [*read_records, (*state, "--to", f"{gone}/x")],
        "stats": read_records,
        "cards list": [
            *(("cards", *one, "list") for one in settings),
            *((*lists, "list", *more) for more in ((), ("--json",), ("--deck", HOSTILE), ("--pack", HOSTILE))),
            (*lists, "list", "--deck", files["deck.toml"]),
        ],
        "cards export": [(*lists, "export", *more) for more in ((), ("--format", "json"), (f"{gone}/x.csv",))],
        "cards import": [
            *((*lists, "import", files[name]) for name in ("csv", "deck.csv", "json", "column.json", "table")),
            (*lists, "import", gone),
            (*lists, "import", "-"),
        ],
        "cards forget": [
            (*lists, "forget", HOSTILE),
            (*lists, "forget", "--all", "--deck", HOSTILE),
            (*lists, "forget", "--all", "--pack", TITLE, "--yes"),
        ],
        "cards enrol": [
            (*lists, "enrol", "--display", "none", *simulated, "--deck", files["deck.toml"], "--write"),
            (*lists, "enrol", "--only", HOSTILE),
            (*lists, "enrol", "--reader", HOSTILE),
        ],
        "cards check": [(*lists, "check", *board), (*lists, "check", "--deck", gone + ".toml")],
        "cards write": [(*lists, "write", *simulated, "--pack", HOSTILE), (*lists, "write", *simulated)],
        "cards read": [(*lists, "read", *simulated), (*lists, "read", *simulated, "--json")],
        "doctor": [
            *settings,
            state,
            ("--json", *state),
            ("--json", "--settings", files["key.toml"]),
            ("--json", *board, *state),
            (*board, *state),
            ("--reader", HOSTILE),
        ],
        "settings": [(), ("--where",), ("--where", HOSTILE), ("--pin",)],
        **{
            f"firmware {name}": [("firmware", name, "--port", gone, *more), ("firmware", name, HOSTILE)]
            for name, more in (("status", ()), ("install", ()), ("settings", ("--json",)), ("set", (TITLE, TITLE)))
        },
        "judge": [
            *(
                (files[one], *how)
                for one in ("table", "header.table", "csv")
                for how in ((), ("--json",), ("--check",))
            ),
            *((gone,), (files["table"], "--lang", HOSTILE), ("-",), ("--check", "-"), ("--json", "-")),
        ],
        "rules": [*settings, ("--deck", HOSTILE), ("--lang", HOSTILE), ("--players", HOSTILE), ("--stacking", TITLE)],
        "deck check": [("deck", "check", path) for path in (*files.values(), gone)],
        "": [(HOSTILE,), (f"--{HOSTILE}",), ("cards", HOSTILE), ("judge", "--" + TITLE), ("--version",), ("--help",)],
    }


def leaves(group: click.Group, above: str = "") -> Iterator[str]:
    """The words of each command that does something."""
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        words = f"{above} {name}".strip()
        if isinstance(command, click.Group):
            yield from leaves(command, words)
        else:
            yield words


ALL = [*leaves(lastcard), ""]


@pytest.mark.parametrize("words", ALL, ids=lambda words: words or "no command")
def test_no_command_writes_what_a_terminal_obeys(words: str, files: dict[str, str], record: Path, folder: Path) -> None:
    environment = {"LANG": HOSTILE, "LANGUAGE": TITLE, "LASTCARD_LANG": TITLE, "TERM": TITLE, "DISPLAY": HOSTILE}
    given = cases(files, record, folder)[words]
    assert given
    group = words.split(" ")[0] if words.split(" ")[0] in COMMANDS else ""
    for arguments in given:
        whole = arguments if arguments[:1] == (group,) or not group else (group, *arguments)
        done = run(folder, *whole, typed=TYPED, environment=environment)
        said = check_bytes(done.stdout) + check_bytes(done.stderr)
        assert said, whole
        if "--json" in whole and done.stdout and words != "cards export":
            for line in done.stdout.splitlines() if words == "judge" else [done.stdout]:
                json.loads(line)


def test_the_places_of_the_environment_are_printed_harmless(folder: Path) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "STATE_DIRECTORY"):
        done = run(folder, "settings", "--where", environment={name: str(folder / HOSTILE_NAME)})
        assert "owned" in check_bytes(done.stdout) + check_bytes(done.stderr) or name == "XDG_CONFIG_HOME"


def test_a_box_logs_nothing_that_is_obeyed(files: dict[str, str], folder: Path) -> None:
    """Its log is the system's journal."""
    with subprocess.Popen(
        [sys.executable, "-m", "table_app", "kiosk", "--reader", "none", "--settings", files["key.toml"] + "-gone"],
        cwd=ROOT,
        env={
            **os.environ,
            "SDL_VIDEODRIVER": "dummy",
            "XDG_STATE_HOME": str(folder / HOSTILE_NAME),
            "HOME": str(folder),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as box:
        assert box.stderr is not None and box.stdout is not None
        first = box.stderr.readline()
        box.send_signal(signal.SIGTERM)
        threading.Timer(TIMEOUT_S, box.kill).start()
        rest = box.stderr.read() + box.stdout.read()
    assert "owned" in check_bytes(first)
    check_bytes(rest)


def test_a_terminal_gets_nothing_else_than_a_pipe(files: dict[str, str]) -> None:
    main, other = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "table_app", "judge", "--check", files["table"]], cwd=ROOT, stdout=other, stderr=other
    ) as judging:
        os.close(other)
        written = b""
        ends_at = time.monotonic() + TIMEOUT_S
        while time.monotonic() < ends_at and select.select([main], [], [], TIMEOUT_S)[0]:
            try:
                piece = os.read(main, 65_536)
            except OSError:  # the other side is closed
                break
            if not piece:
                break
            written += piece
        judging.wait(TIMEOUT_S)
    os.close(main)
    assert "expected" in check_bytes(written.replace(b"\r\n", b"\n"))


def test_every_character_that_is_obeyed_is_an_escape_in_text_and_in_json() -> None:
    every = [chr(number) for number in range(sys.maxunicode + 1) if not 0xD800 < number < 0xE000]
    shown = printable("".join(every))
    assert not any(is_obeyed(character) for character in shown) and "\n" not in shown
    for character in NASTY:
        assert printable(character) == json_text(character)[1:-1] != character
    assert json.loads(json_text({"".join(every): every})) == {"".join(every): every}
    assert printable("Zoë\u00a0 é 5\u202f€ Ω א ✓") == "Zoë\u00a0 é 5\u202f€ Ω א ✓", "what people write stays"


@pytest.mark.parametrize("key", ["name", "special.name", "special.dare"])
@pytest.mark.parametrize("character", ["\x1b", "\n", "\x7f", "\x9b", "\u202e", "\u2028", "\U000e0041"])
def test_a_name_that_no_screen_can_show_is_refused_before_anything_is_written(
    key: str, character: str, tmp_path: Path
) -> None:
    words = {"name": "farm", "special.name": "Wild Hen", "special.dare": "sing"}
    words[key] += character
    deck = tmp_path / "own.toml"
    quoted = {name: json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f") for name, text in words.items()}
    deck.write_text(
        f"name = {quoted['name']}\n[cards]\n1 = 9\n[[special]]\ncode = 'whe'\neffect = 'dare 1'\n"
        f"name = {quoted['special.name']}\ndare = {quoted['special.dare']}\n",
        encoding="utf-8",
    )
    with pytest.raises(DeckFileError, match=f"U\\+{ord(character):04X}"):
        load_deck(deck)
    where = ("--state-directory", str(tmp_path / "state"))
    done = run(
        tmp_path, "cards", *where, "enrol", "--write", "--reader", "simulated", "--display", "none", "--deck", str(deck)
    )
    assert done.returncode == 2 and f"U+{ord(character):04X}" in check_bytes(done.stderr)
    assert not (tmp_path / "state").exists()


def test_commands_are_all_there() -> None:
    assert {words.split(" ")[0] for words in ALL if words} == set(COMMANDS)

"""``lastcard demo``: a match of simulated people at a simulated reader, in a window or as lines.

Options, places and the process that comes back after a power cut; the evening itself is in ``table_app.demo``.
"""

from __future__ import annotations

import math
import os
import re
import signal
import subprocess
import sys
import uuid
from datetime import UTC, datetime
from pathlib import Path

import click

from table_app.demo.run import Runner, RunOptions
from table_app.printing import say
from table_app.record.errors import StoreError
from table_app.rules.messages import Translate, _
from table_app.simulation.evening import WORLD_FILE, EveningOptions
from table_app.small_files import write_text
from table_app.table.opening import TableFiles
from table_app.translations import TranslationMissingError, translator

DEFAULT_SEED = 4
DEFAULT_PLAYERS = 3
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
CHILD = "LASTCARD_DEMO_CHILD"
COME_BACK = "LASTCARD_DEMO_COME_BACK"
SIZE_PX = (240, 8192)
"""The shortest and the longest side of a window that anything can be read in."""
EXAMPLE_SIZE = "1024x600"


# A generic class for newer versions of click alone; Debian 12 has one that is none.
class Speed(click.ParamType):  # type: ignore[type-arg]
    """A factor, or ``max``."""

    name = "X|max"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float | str:
        if str(value).lower() == "max":
            return "max"
        try:
            factor = float(str(value))
        except ValueError:
            factor = 0.0
        if not 0.1 <= factor <= 100:
            self.fail(f"{value!r} is neither a factor from 0.1 to 100 nor max", param, ctx)
        return factor


class Size(click.ParamType):  # type: ignore[type-arg]  # as above
    """Width and height in pixels, such as 1024x600."""

    name = "WxH"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        found = re.fullmatch(r"(\d{1,5})[xX\N{MULTIPLICATION SIGN}](\d{1,5})", str(value).strip())
        size = (0, 0) if found is None else (int(found[1]), int(found[2]))
        if not all(SIZE_PX[0] <= length <= SIZE_PX[1] for length in size):
            lowest, highest = SIZE_PX
            self.fail(f"{value!r} is no size; write {EXAMPLE_SIZE}, each from {lowest} to {highest} pixels", param, ctx)
        return size


class Seconds(click.FloatRange):
    """Seconds of the table's time, up to a day."""

    def __init__(self) -> None:
        super().__init__(0, 86_400)

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = float(super().convert(value, param, ctx))  # type: ignore[arg-type]  # click's own looseness
        if math.isnan(seconds):
            self.fail("that is not a number of seconds", param, ctx)
        return seconds


def demo_directory() -> Path:
    """Where demonstrations keep their journal and transcripts: the user's state directory."""
    state = os.environ.get("XDG_STATE_HOME")
    base = Path(state) if state else Path.home() / ".local" / "state"
    return base / "lastcard" / "demo"


@click.command()
@click.option("--seed", default=DEFAULT_SEED, show_default=True, help="The same seed gives the same match.")
@click.option("--players", default=DEFAULT_PLAYERS, show_default=True, type=click.IntRange(2, 10))
@click.option("--target", default=500, show_default=True, type=click.IntRange(1, 100_000), help="Points to play to.")
@click.option("--speed", default="1", show_default=True, type=Speed(), help="How fast; max: as fast as it goes.")
@click.option("--display", type=click.Choice(["auto", "window", "none"]), default="auto", show_default=True)
@click.option("--size", type=Size(), help=f"The window's size in pixels, such as {EXAMPLE_SIZE}; by itself as fits.")
@click.option("--screenshot", type=click.Path(path_type=Path, dir_okay=False), help="Save the last screen as PNG.")
@click.option("--seconds", type=Seconds(), help="End after this much of the table's time.")
@click.option("--power-cut", type=Seconds(), help="Cut the power after this much of the table's time.")
@click.option("--quiet", is_flag=True, help="No sound.")
@click.option("--directory", type=click.Path(path_type=Path, file_okay=False), help="Where journal and transcript go.")
@click.option("--lang", "language", metavar="LANG", help="In this language, such as de.")
def demo(
    seed: int,
    players: int,
    target: int,
    speed: float | str,
    display: str,
    size: tuple[int, int] | None,
    screenshot: Path | None,
    seconds: float | None,
    power_cut: float | None,
    quiet: bool,
    directory: Path | None,
    language: str | None,
) -> None:
    """Watch simulated people play a match with simulated cards, refereed by the real table."""
    if screenshot is not None and (screenshot.suffix.lower() != ".png" or not screenshot.absolute().parent.is_dir()):
        say(f"lastcard demo: {screenshot} can't be the picture: name a .png in a folder that is there.", err=True)
        sys.exit(2)
    if CHILD not in os.environ:
        sys.exit(_supervise(directory or demo_directory()))
    is_coming_back = COME_BACK in os.environ
    folder = directory or demo_directory()
    run = RunOptions(
        speed=None if speed == "max" else float(speed),
        until_ms=None if seconds is None else int(seconds * 1000),
        power_cut_ms=None if power_cut is None or is_coming_back else int(power_cut * 1000),
        screenshot=screenshot,
        with_sound=not quiet,
        size=size,
    )
    try:
        translate = translator(language)
        if not is_coming_back:
            _begin_anew(folder)
        files = TableFiles(folder, wall_time=_wall_time, boot=str(uuid.uuid4()))
        options = EveningOptions(seed, players, target)
        runner = Runner(options, run, files, say, translate, go_on=is_coming_back)
    except (StoreError, TranslationMissingError, OSError) as error:
        say(f"lastcard demo: {error}", err=True)
        sys.exit(2)
    if is_coming_back:
        click.echo(translate(_("The power is back; the table goes on in the same turn.")))
    _run(runner, display, translate)


def _run(runner: Runner, display: str, translate: Translate) -> None:
    from table_app.demo.pane import PowerCutError

    for number in ENDINGS:
        signal.signal(number, _interrupt)
    try:
        try:
            if display == "none" or not _run_window(runner, translate, is_wanted=display == "window"):
                runner.run_lines()
        except PowerCutError:
            click.echo(translate(_("The power is cut.")))
            sys.stdout.flush()
            runner.cut_power()
        except KeyboardInterrupt:
            click.echo("")
            runner.tell_end()
    except BrokenPipeError:
        raise  # whoever read our lines has seen enough; said nothing by the one place that ends all commands
    except OSError as error:
        say(f"lastcard demo: {error}", err=True)
        sys.exit(2)
    finally:
        runner.evening.close()


def _interrupt(number: int, frame: object) -> None:
    """Being told to end is taken as Ctrl-C is: the transcript is written first, and told again changes nothing.

    make, and a terminal, tell both this process and the one that supervises it.
    """
    del number, frame
    for told in ENDINGS:
        signal.signal(told, signal.SIG_IGN)
    raise KeyboardInterrupt


def _run_window(runner: Runner, translate: Translate, *, is_wanted: bool) -> bool:
    """Run in a window; False where there is none and none was asked for."""
    from table_app.display.errors import NoDisplayError

    try:
        runner.run_window()
    except NoDisplayError as error:
        reason = error.words(translate)
        if is_wanted:
            say(f"lastcard demo: {reason}", err=True)
            sys.exit(2)
        goes_on = translate(_("The demonstration goes on without one."))
        say(f"{reason} {goes_on}", err=True)
        return False
    return True


def _wall_time() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _begin_anew(folder: Path) -> None:
    """Yesterday's demonstration is not gone on with; its transcripts stay.

    :raises OSError: if nothing can be kept there, before anybody has played.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.glob("journal.sqlite*"):
            path.unlink()
        world = folder / WORLD_FILE
        write_text(world, "")
        world.unlink()
    except OSError as error:
        message = f"Nothing can be kept in {folder} ({error.strerror}); name another place with --directory."
        raise OSError(message) from error


def _supervise(folder: Path) -> int:
    """Run the demonstration in a process of its own, and start it again when its power was cut.

    What this process is told (to end, say) it passes on.
    """
    # The Debian package lies in a directory of its own, which the child would not look into by itself.
    own = str(Path(__file__).parents[2])
    before = os.environ.get("PYTHONPATH")
    environment = os.environ | {CHILD: "1", "PYTHONPATH": os.pathsep.join([own, before] if before else [own])}
    command = [sys.executable, "-m", "table_app", *(sys.argv[1:] or ["demo"])]
    while True:
        with subprocess.Popen(command, env=environment) as child:
            _pass_signals_on(child)
            while True:
                try:
                    status = child.wait()
                    break
                except KeyboardInterrupt:
                    continue
        if status != -signal.SIGKILL:
            return status if status >= 0 else 128 - status
        if not (folder / WORLD_FILE).exists():
            click.echo("The demonstration was ended from outside. Start it again with the same command.", err=True)
            return 128 - status
        environment = environment | {COME_BACK: "1"}


def _pass_signals_on(child: subprocess.Popen[bytes]) -> None:
    """Ctrl-C reaches the child by itself where both are in the foreground of one terminal; all else is passed on."""

    def pass_on(number: int, frame: object) -> None:
        del frame
        child.send_signal(number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, pass_on)

    def interrupt(number: int, frame: object) -> None:
        if not _is_in_the_foreground():
            pass_on(number, frame)

    signal.signal(signal.SIGINT, interrupt)


def _is_in_the_foreground() -> bool:
    """Whether Ctrl-C at a terminal reaches this process and its child alike."""
    try:
        return os.tcgetpgrp(sys.__stdin__.fileno() if sys.__stdin__ is not None else 0) == os.getpgrp()
    except (OSError, ValueError):
        return False

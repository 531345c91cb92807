"""The command ``lastcard``: one module a command, each imported only when it is called.

Only what all commands share lives here: finding them, and turning errors into a sentence and exit status 2.
"""

from __future__ import annotations

import contextlib
import difflib
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TextIO

import click

from table_app.printing import guard_streams, printable, say

COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "demo": ("table_app.cli.demo", "demo"),
        "play": ("table_app.cli.play", "play"),
        "kiosk": ("table_app.cli.kiosk.command", "kiosk"),
        "score": ("table_app.cli.score", "score"),
        "history": ("table_app.cli.records", "history"),
        "export": ("table_app.cli.records", "export"),
        "stats": ("table_app.cli.records", "stats"),
        "cards": ("table_app.cli.cards.command", "cards"),
        "doctor": ("table_app.cli.doctor.command", "doctor"),
        "settings": ("table_app.cli.settings", "settings"),
        "firmware": ("table_app.cli.firmware", "firmware"),
        "judge": ("table_app.cli.judge", "judge"),
        "rules": ("table_app.cli.rules", "rules"),
        "deck": ("table_app.cli.deck", "deck"),
    }
)
"""Module and function of each command, in the order in which help lists them."""

EXIT_TROUBLE = 2
SUGGESTED_FROM = 0.6
"""How alike a word must be to be suggested, from 0 to 1: two letters changed places in a short one."""
HELP_OPTIONS = ("-h", "--help")
SHORT_HELP_MAX = 200
"""Letters of a command's help in the list: longer than any, so that it is wrapped and never cut."""
_HELP_INSTEAD: type[Exception] | tuple[()] = getattr(click.exceptions, "NoArgsIsHelpError", ())
"""How click says that a command was given nothing: its text is our own help, in lines. Before 8.2 there is none."""


class SuggestingGroup(click.Group):
    """A group that names the nearest command to one that it does not have."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in self.list_commands(ctx):
            near = difflib.get_close_matches(args[0].lower(), self.list_commands(ctx), n=1, cutoff=SUGGESTED_FROM)
            meant = f" Did you mean {near[0]!r}?" if near else ""
            raise click.UsageError(f"No such command {args[0]!r}.{meant}", ctx)
        return super().resolve_command(ctx, args)


class LazyGroup(SuggestingGroup):
    """A group that imports a command's module only when it is wanted, so that ``judge`` starts without pygame."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = COMMANDS.get(cmd_name)
        if found is None:
            return None
        module, name = found
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """As click does it, but for a command whose module can't be imported: it is listed without its help."""
        rows = []
        for name in self.list_commands(ctx):
            try:
                command = self.get_command(ctx, name)
            except ImportError as error:
                rows.append((name, f"can't be used here ({error})"))
                continue
            if command is not None:
                rows.append((name, command.get_short_help_str(SHORT_HELP_MAX)))
        with formatter.section("Commands"):
            formatter.write_dl(rows)


@click.group(cls=LazyGroup, context_settings={"help_option_names": list(HELP_OPTIONS)})
@click.version_option(package_name="lastcard", prog_name="lastcard")
def lastcard() -> None:
    """Last Card: a referee for a real card table.

    Works with UNO® cards; not affiliated with Mattel.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; every error that people can meet is one sentence on standard error."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # what is printed here is ours
    guard_streams()
    try:
        given = list(sys.argv[1:] if arguments is None else arguments)
        status = lastcard.main(args=given, prog_name="lastcard", standalone_mode=False)
        sys.exit(status if isinstance(status, int) else 0)
    except click.ClickException as error:
        if not isinstance(error, _HELP_INSTEAD):  # click quotes what was given as it is, lines and all
            vars(error)["message"] = printable(error.message)
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        click.echo("Aborted!", err=True)
        sys.exit(1)
    except _told_errors() as error:
        say(f"lastcard: {error}", err=True)
        sys.exit(EXIT_TROUBLE)
    except BrokenPipeError:
        _silence(sys.stdout)  # whoever read it has seen enough
        sys.exit(EXIT_TROUBLE)
    except OSError as error:
        say(f"lastcard: {error.filename or 'output'}: {error.strerror or error}.", err=True)
        _silence(sys.stdout)
        sys.exit(EXIT_TROUBLE)


def _silence(stream: TextIO) -> None:
    """What is still to be written to *stream* goes nowhere, so that closing it at the end can't fail again."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _told_errors() -> tuple[type[Exception], ...]:
    """The errors whose text is a sentence; imported only when one of them may be there already."""
    roots = {
        "hardware.ports": "HardwareError",
        "table_app.record.errors": "TableError",
        "table_app.settings": "SettingsError",
        "table_app.display.errors": "DisplayError",
        "table_app.translations": "TranslationMissingError",
    }
    return tuple(getattr(sys.modules[module], name) for module, name in roots.items() if module in sys.modules)

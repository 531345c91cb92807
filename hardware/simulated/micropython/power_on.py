"""What the simulated board does when it gets power: run ``main.py`` if there is one, then offer the prompt.

The working directory is the board's flash. The prompt speaks MicroPython's raw mode, as
``shared/runtime/pyexec.c`` of MicroPython does and as mpremote expects; the friendly mode only shows itself.
"""

import builtins
import io
import os
import struct
import sys

import uselect
import world

BANNER = (
    b'MicroPython v1.29.0 on 2026-06-01; Simulated board with RP2040\r\nType "help()" for more information.\r\n>>> '
)


class _MicroPython:
    """The board's ``micropython`` module as far as the firmware uses it: the port beneath has no such byte."""

    interrupt = 3

    def kbd_intr(self, byte):
        self.interrupt = byte
        world.tell(world.INTERRUPT, struct.pack("<b", byte))


_micropython = sys.modules["micropython"] = _MicroPython()
_plain_import = builtins.__import__
_compile_us = int(os.getenv("LASTCARD_COMPILE_MS") or 0) * 1000


def _slow_import(name, *rest):
    """Import as a board does, which compiles for a while; what comes over the line meanwhile may interrupt it."""
    if name != "micropython":
        world.request(world.WAIT, struct.pack("<I", _compile_us))
        poll = uselect.poll()
        poll.register(sys.stdin, uselect.POLLIN)
        while poll.poll(0):
            if sys.stdin.buffer.read(1)[0] == _micropython.interrupt:
                raise KeyboardInterrupt
    return _plain_import(name, *rest)


if _compile_us:
    builtins.__import__ = _slow_import


def _write(data):
    while data:
        written = sys.stdout.buffer.write(data)
        data = data[written or 0 :]


def _read_byte(poll):
    while True:
        poll.poll(-1)
        piece = sys.stdin.buffer.read(1)
        if piece:
            return piece


def _execute(code, names):
    """Run *code* with its output on the line; return the text of what it raised."""
    try:
        exec(compile(code.decode(), "<stdin>", "exec"), names)
    except SystemExit:
        raise
    except BaseException as error:
        trace = io.StringIO()
        sys.print_exception(error, trace)
        return trace.getvalue().replace("\n", "\r\n").encode()
    return b""


def _raw_prompt(poll, names):
    _write(b"raw REPL; CTRL-B to exit\r\n>")
    code = b""
    while True:
        byte = _read_byte(poll)
        if byte == b"\x01":
            code = b""
            _write(b"raw REPL; CTRL-B to exit\r\n>")
        elif byte == b"\x02":
            return
        elif byte == b"\x03":
            code = b""
        elif byte == b"\x04":
            if not code:
                names.clear()
                names["__name__"] = "__main__"
                _write(b"OK\r\nMPY: soft reboot\r\nraw REPL; CTRL-B to exit\r\n>")
                continue
            _write(b"OK")
            fault = _execute(code, names)
            _write(b"\x04" + fault + b"\x04>")
            code = b""
        else:
            code += byte


def prompt():
    poll = uselect.poll()
    poll.register(sys.stdin, uselect.POLLIN)
    names = {"__name__": "__main__"}
    world.request(world.PROMPT)
    _write(BANNER)
    while True:
        byte = _read_byte(poll)
        if byte == b"\x01":
            _raw_prompt(poll, names)
            _write(BANNER)
        elif byte in (b"\r", b"\x03"):
            _write(b"\r\n>>> ")
        elif byte == b"\x04":
            return
        else:
            _write(byte)


def power_on():
    while True:
        try:
            os.stat("main.py")
            with open("main.py") as file:
                source = file.read()
        except OSError:
            source = ""
        try:
            exec(compile(source, "main.py", "exec"), {"__name__": "__main__"})
        except SystemExit:
            raise
        except BaseException as error:
            trace = io.StringIO()
            sys.print_exception(error, trace)
            _write(trace.getvalue().replace("\n", "\r\n").encode())
        prompt()


power_on()

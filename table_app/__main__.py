"""``python -m table_app``: the command ``lastcard``, and without arguments the demonstration."""

from __future__ import annotations

import sys

from table_app.cli import main

if __name__ == "__main__":
    main(sys.argv[1:] or ["demo"])

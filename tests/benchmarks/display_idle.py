"""Measures what an idle window costs: CPU per cent of one core, under Xvfb, for 30 s. Prints one JSON
object.

Run with ``python tests/benchmarks/display_idle.py``; it needs Debian's package xvfb. The demonstration's
window is shown an equal view and waited on once a second, as the table does when nothing happens. Exit status
1: over 3 %.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.display.under_xvfb import lines_of, window_process, x_server

SECONDS = 30
MOST_PERCENT = 3.0


def main() -> int:
    xvfb = shutil.which("Xvfb")
    if not xvfb:
        print("Xvfb is not installed; Debian's package xvfb brings it.", file=sys.stderr)
        return 2
    with x_server(xvfb) as environment, window_process(environment, 1280, 600, seconds=SECONDS) as process:
        idle = next(words for words in lines_of(process) if words[0] == "idle")
    spent_s, lasted_s, painted = float(idle[1]), float(idle[2]), int(idle[3])
    percent = 100 * spent_s / lasted_s
    print(
        json.dumps(
            {
                "benchmark": "display_idle",
                "seconds": round(lasted_s, 2),
                "cpu_seconds": round(spent_s, 3),
                "percent_of_one_core": round(percent, 2),
                "frames_painted": painted,
                "limit_percent": MOST_PERCENT,
            }
        )
    )
    return 0 if percent < MOST_PERCENT else 1


if __name__ == "__main__":
    sys.exit(main())

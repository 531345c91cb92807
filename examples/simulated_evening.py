"""A whole evening of simulated people, with everything real from the reader's driver up; and who won.

python examples/simulated_evening.py [SEED]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from table_app.simulation.evening import Evening, EveningOptions
from table_app.table import TableFiles

LONGEST_MS = 12 * 60 * 60 * 1_000


def main() -> None:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with tempfile.TemporaryDirectory() as folder:
        evening = Evening(EveningOptions(seed, players=4, target=200), TableFiles(Path(folder)))
        evening.advance(LONGEST_MS, until=lambda: evening.is_over)
        match = evening.match
        print(f"{match.round_number} rounds in {evening.now_ms // 60_000} minutes of their time")
        for name, score in sorted(zip(match.names, match.scores, strict=True), key=lambda pair: -pair[1]):
            print(f"{name:>8} {score}")
        evening.close()


if __name__ == "__main__":
    main()

"""Referee a match that was written down, and say what was refused and why.

    python examples/judge_a_match.py FILE.table

Without a file it judges the dispute of the README.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from table_app.transcript import Judge, Judgement, read_lines

DISPUTE = b"""\
players: Ann, Ben, Cy

table: deal Ann r5 r7 b1 y2 g4 w+4 w
table: deal 7
table: start r9
Ann: g4
Ann: w+4 blue
Ben: challenge
"""


def refusals(transcript: bytes) -> list[Judgement]:
    """Every ruling of the match that refused something.

    :raises table_app.transcript.HeaderError: if the match has no header that can be used.
    """
    judge = Judge()
    answers = [judge.take(line) for line in read_lines(io.BytesIO(transcript))]
    return [answer for answer in answers if isinstance(answer, Judgement) and not answer.ruling.is_ok]


def main() -> None:
    transcript = Path(sys.argv[1]).read_bytes() if len(sys.argv) > 1 else DISPUTE
    for judgement in refusals(transcript):
        print(f"line {judgement.line}: {judgement.text}: {judgement.words()} (rule {judgement.ruling.rule})")


if __name__ == "__main__":
    main()

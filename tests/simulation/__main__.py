"""Simulates matches by seed and compares the referee with the truth: ``python -m tests.simulation --rounds 1000``.

A failure prints its seed and the command that repeats it, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter

from hardware.signals import Signal
from table_app.play.notices import Notice
from table_app.table.loop import Judged, Observer
from tests.simulation.cases import case
from tests.simulation.deeds import KINDS
from tests.simulation.world import simulate

REPORT_EVERY = 500

PER_ROUND = ("given_wrongly", "presses_to_mend", "presses_wished", "questions")
COUNTED = ("rounds", "rulings", *PER_ROUND, "power_cuts", "unplugs")


class Trace(Observer):
    """Prints everything that happens, for whoever looks into a failure."""

    def signal(self, signal: Signal) -> None:
        sys.stdout.write(f"    {signal}\n")

    def judged(self, judged: Judged) -> None:
        effects = "; ".join(str(happening) for happening in judged.ruling.effects)
        sys.stdout.write(f"{judged.line}  [{judged.ruling.code or 'ok'}] {effects}\n")

    def noticed(self, notice: Notice, signal: Signal | None) -> None:
        sys.stdout.write(f"    - {notice.text} {notice.parts}\n")


def main() -> int:
    """Simulate until enough rounds were played."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--chip", action="store_true", help="through whole simulated chips")
    parser.add_argument("--go-on", action="store_true", help="report failures and go on")
    parser.add_argument("--trace", action="store_true", help="print every signal and ruling")
    parser.add_argument("--matches", type=int, help="this many matches, whatever rounds they have")
    options = parser.parse_args()
    totals: Counter[str] = Counter()
    ways: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    pressed: Counter[str] = Counter()
    wished: Counter[str] = Counter()
    began, seed = time.monotonic(), options.seed
    while totals["rounds"] < options.rounds if options.matches is None else totals["matches"] < options.matches:
        found = case(seed)
        chip = " --chip" if options.chip else ""
        try:
            outcome = simulate(found, is_chip=options.chip, observers=[Trace()] if options.trace else [])
        except Exception as error:
            totals["failures"] += 1
            totals["rounds"] += 1
            if not isinstance(error, AssertionError) or not str(error):
                traceback.print_exc()
            sys.stderr.write(f"seed {seed} ({found.way}): {error}\n")
            sys.stderr.write(f"  repeat: python -m tests.simulation --seed {seed} --matches 1{chip}\n")
            if not options.go_on:
                return 1
        else:
            for name in COUNTED:
                totals[name] += getattr(outcome, name)
            ways[found.way] += outcome.rounds
            kinds.update(outcome.kinds)
            pressed.update(outcome.pressed)
            wished.update(outcome.wished)
        totals["matches"] += 1
        seed += 1
        if totals["matches"] % REPORT_EVERY == 0:
            sys.stdout.write(f"{totals['rounds']} rounds, {totals['failures']} failures, next seed {seed}\n")
            sys.stdout.flush()
    took = time.monotonic() - began
    for kind, count in sorted(kinds.items()):
        sys.stdout.write(f"{count:8} {kind}\n")
    for kind in sorted(KINDS - set(kinds)):
        sys.stdout.write(f"       0 {kind}: never\n")
    rounds = max(totals["rounds"], 1)
    for counts, purpose in ((wished, "wished"), (pressed, "to put right")):
        for cause, count in counts.most_common():
            sys.stdout.write(f"{count / rounds:8.3f} presses a round {purpose}: {cause}\n")
    for name in PER_ROUND:
        sys.stdout.write(f"{totals[name] / rounds:8.2f} {name} a round\n")
    by_way = {str(way): count for way, count in ways.items()}
    facts = ", ".join(f"{name} {count}" for name, count in totals.items())
    sys.stdout.write(f"{facts}; rounds by set-up {by_way}; {took:.0f} s\n")
    return 1 if totals["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())

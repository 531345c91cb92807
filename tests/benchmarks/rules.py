"""How fast the rules are, and RLCard's Uno beside them on the same machine in the same run.

    python tests/benchmarks/rules.py [SECONDS]

Prints one JSON object. A step is one ruling of ours and one step of theirs; as many of one as of the other are taken,
and the best of several runs counts. Ours is a tracked four-player classic match to 500 with calls, challenges and
scores; theirs (two players, none of these) through its environment and in the bare game loop. Without RLCard (the
extra ``benchmark``) its two numbers are null.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from table_app.rules import (
    Action,
    Call,
    Card,
    Challenge,
    DealCards,
    Draw,
    Face,
    Keep,
    Lay,
    Match,
    NameColour,
    Phase,
    Reshuffle,
    Setup,
    Start,
    apply,
    new_match,
    waits,
)
from table_app.rules.cards import COLOURS
from table_app.transcript import Judge, LineSplitter, action_text, header_text

PLAYERS = ("Ann", "Ben", "Cy", "Dee")
STEPS = 20_000
RUNS = 5
IMPORTS = 10


class People:
    """Four people who hold real cards, all of which the referee sees, and play a match to the end."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.match = new_match(Setup(PLAYERS))
        self.actions: list[Action] = []
        self.pile: list[Face] = []

    def do(self, action: Action) -> None:
        self.match, ruling = apply(self.match, action)
        assert ruling.is_ok, f"{action_text(action)}: {ruling.code}"
        self.actions.append(action)

    def deal(self) -> None:
        kinds = self.match.setup.deck.kinds
        self.pile = [wanted for wanted, kind in kinds.items() for _ in range(kind.copies)]
        self.chance.shuffle(self.pile)
        for player in PLAYERS:
            self.do(DealCards(player, self.take(7)))
        while self.match.phase is Phase.DEALING:
            (card,) = self.take(1)
            self.do(Start(card))
            if self.match.phase is Phase.DEALING:
                self.pile.insert(0, card.face)

    def take(self, count: int) -> tuple[Card, ...]:
        return tuple(Card(self.pile.pop()) for _ in range(count))

    def reshuffle(self) -> None:
        self.pile = list(self.match.discard_pile[:-1])
        self.chance.shuffle(self.pile)
        self.do(Reshuffle())

    def play(self) -> list[Action]:
        while self.match.phase is not Phase.OVER:
            if self.match.phase is Phase.BETWEEN:
                self.deal()
            else:
                self.move()
        return self.actions

    def move(self) -> None:
        awaited = dict(reversed([(word, player) for player, word in waits(self.match)]))
        if "reshuffle" in awaited:
            self.reshuffle()
        elif "colour" in awaited:
            self.do_colour(str(awaited["colour"]))
        elif "challenge" in awaited and self.chance.random() < 0.3:
            self.do(Challenge(str(awaited["challenge"])))
        elif "play" in awaited and ("draw" not in awaited or self.chance.random() < 0.9):
            self.lay(self.match, str(awaited["play"]))
        elif "draw" in awaited:
            player = str(awaited["draw"])
            owed = self.match.owes[self.match.seat_of(player)]
            count = min(max(owed, 1), len(self.pile))
            self.do(Draw(player, count, self.take(count)))
        else:
            self.do(Keep(str(awaited["keep"])))

    def do_colour(self, player: str) -> None:
        self.do(NameColour(player, self.chance.choice(COLOURS)))

    def lay(self, match: Match, player: str) -> None:
        hand = match.hands[match.seat_of(player)]
        drawn = match.drawn
        held = list(hand.known) if drawn is None else [wanted for wanted in hand.known if wanted is drawn.card]
        self.chance.shuffle(held)
        for wanted in held:
            colour = self.chance.choice(COLOURS) if wanted.is_wild else None
            action = Lay(player, Card(wanted), colour)
            if apply(match, action)[1].is_ok:
                if hand.size == 2 and self.chance.random() < 0.8:
                    self.do(Call(player))
                self.do(action)
                return
        raise AssertionError(f"{player} was said to have a card to lay")


def best(run: Callable[[], int]) -> float:
    """Steps a second in the best of several runs; *run* says how many steps it took."""
    result = 0.0
    for _ in range(RUNS):
        begun = time.perf_counter()
        steps = run()
        result = max(result, steps / (time.perf_counter() - begun))
    return result


def run_actions(matches: list[list[Action]]) -> int:
    steps = 0
    for actions in matches:
        match = new_match(Setup(PLAYERS))
        for action in actions:
            match, _ = apply(match, action)
        steps += len(actions)
    return steps


def run_text(transcripts: list[bytes]) -> int:
    steps = 0
    for transcript in transcripts:
        judge = Judge()
        for line in LineSplitter().feed(transcript):
            if judge.take(line) is not None:
                steps += 1
        assert judge.match is not None and judge.match.phase is Phase.OVER
    return steps


def rlcard_rates(steps: int) -> tuple[float | None, float | None]:
    """Steps a second through RLCard's environment and in its bare game loop, or None where it is not installed."""
    try:
        import rlcard
        from rlcard.agents import RandomAgent
        from rlcard.games.uno import Game
    except ImportError as error:
        print(f"RLCard can't be imported: {error}", file=sys.stderr)
        return None, None

    environment = rlcard.make("uno", config={"seed": 1})
    environment.set_agents([RandomAgent(environment.num_actions) for _ in range(environment.num_players)])

    def run_environment() -> int:
        taken = 0
        while taken < steps:
            trajectories, _ = environment.run(is_training=False)
            taken += sum(len(trajectory) // 2 for trajectory in trajectories)
        return taken

    def run_game() -> int:
        chance = random.Random(1)
        taken = 0
        while taken < steps:
            game = Game()
            game.init_game()
            while not game.is_over():
                game.step(chance.choice(game.get_legal_actions()))
                taken += 1
        return taken

    return best(run_environment), best(run_game)


def import_ms() -> float:
    """How long `import table_app.rules` takes in a fresh interpreter, once its bytecode is written."""
    code = "import time; begun = time.perf_counter(); import table_app.rules; print(time.perf_counter() - begun)"
    command = [sys.executable, "-c", code]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as folder:
        environment["PYTHONPYCACHEPREFIX"] = folder
        root = Path(__file__).parents[2]
        runs = [
            subprocess.run(command, cwd=root, env=environment, capture_output=True, check=True) for _ in range(IMPORTS)
        ]
    return 1000 * min(float(run.stdout) for run in runs)


def main() -> None:
    matches: list[list[Action]] = []
    seed = 0
    while sum(map(len, matches)) < STEPS:
        seed += 1
        matches.append(People(seed).play())
    header = header_text(Setup(PLAYERS)) + "\n"
    transcripts = [(header + "\n".join(map(action_text, actions)) + "\n").encode() for actions in matches]
    longest = max(transcripts, key=len)
    text = best(lambda: run_text(transcripts))
    environment, game = rlcard_rates(sum(map(len, matches)))
    whole = best(lambda: run_text([longest]))
    rates = {
        "rulings_per_second_actions": round(best(lambda: run_actions(matches))),
        "rulings_per_second_text": round(text),
        "rlcard_env_steps_per_second": environment and round(environment),
        "rlcard_game_steps_per_second": game and round(game),
        "match_rejudge_ms": round(1000 * run_text([longest]) / whole, 2),
        "import_ms": round(import_ms(), 2),
    }
    print(json.dumps(rates))


if __name__ == "__main__":
    main()

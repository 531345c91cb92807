"""Changes one small thing in the program at a time and asks whether its tests notice: a sample of mutants, by seed.

    python -m tests.mutants hardware --sample 16 --seed 1
    python -m tests.mutants table_app/rules --sample 30

A condition is turned, a number is off by one, an `and` becomes an `or`. Each mutant is tried in a copy of the tree, by
the tests of its own package (`tests/hardware` for `hardware`, and so on), those first that name the changed module;
unchanged the tree must pass them. Those that no test noticed are printed as FILE:LINE with what was changed, and the
last line is one JSON object. It is a measurement, never a test: some changes mean nothing, which a reader has to tell.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

ROOT = Path(__file__).parents[1]
TEST_TIMEOUT_S = 600
"""A mutant that makes a loop endless counts as noticed: its tests never pass."""

TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


class Mutant(NamedTuple):
    """*was* at *start* to *end* of the file's bytes becomes *now*."""

    path: Path
    line: int
    start: int
    end: int
    was: str
    now: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.was}  ->  {self.now}"


def changed(node: ast.AST) -> ast.expr | None:
    """The node with one small thing changed; None where nothing is to be changed."""
    match node:
        case ast.Compare(left=left, ops=[operator, *more], comparators=comparators):
            return ast.Compare(left, [TURNED[type(operator)](), *more], comparators)
        case ast.BoolOp(op=operator, values=values):
            return ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return operand
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as operator, right=right):
            return ast.BinOp(left, ast.Sub() if isinstance(operator, ast.Add) else ast.Add(), right)
        case ast.Constant(value=bool() as value):
            return ast.Constant(not value)
        case ast.Constant(value=int() as value):
            return ast.Constant(value + 1)
    return None


def passed_over(tree: ast.Module) -> set[ast.AST]:
    """Nodes that are no behaviour: annotations, and what stands in an f-string, which has no place of its own."""
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        annotations = [getattr(node, name, None) for name in ("annotation", "returns")]
        for root in (*annotations, node if isinstance(node, ast.JoinedStr) else None):
            if isinstance(root, ast.AST):
                skipped.update(ast.walk(root))
    return skipped


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every mutant of one file."""
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    tree = ast.parse(source)
    skipped = passed_over(tree)
    for node in ast.walk(tree):
        if node in skipped or not isinstance(node, ast.expr) or (new := changed(node)) is None:
            continue
        assert node.end_lineno is not None and node.end_col_offset is not None
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        now = ast.unparse(ast.fix_missing_locations(new))
        yield Mutant(path, node.lineno, start, end, source[start:end].decode(), f"({now})")


def in_order(tests: Path, changed_module: Path) -> list[Path]:
    """The test files below *tests*, those first that name the changed module: nearly every mutant dies there."""
    name = ".".join(changed_module.with_suffix("").parts).removesuffix(".__init__")
    named = re.compile(rf"\b{re.escape(name)}\b")
    files = sorted(tests.rglob("test_*.py")) if tests.is_dir() else [tests]
    return sorted(files, key=lambda file: not named.search(file.read_text(encoding="utf-8")))


def passes(tree: Path, tests: Sequence[Path]) -> bool:
    """Whether the project as it is at *tree* passes these tests."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *map(str, tests)]
    done = subprocess.run(
        command,
        cwd=tree,
        env={**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        timeout=TEST_TIMEOUT_S,
        check=False,
    )
    return done.returncode == 0


def is_noticed(mutant: Mutant, tree: Path, tests: str) -> bool:
    """Whether the tests fail on the mutant, in the copy of the project at *tree*."""
    module = mutant.path.relative_to(ROOT)
    path = tree / module
    source = path.read_bytes()
    path.write_bytes(source[: mutant.start] + mutant.now.encode() + source[mutant.end :])
    try:
        return not passes(tree, in_order(tree / tests, module))
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_bytes(source)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.splitlines()[0])
    parser.add_argument("package", help="a package of the project, such as hardware or table_app/rules")
    parser.add_argument("--sample", type=int, default=16, help="how many mutants are tried")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--tests", help="the tests that are to notice; by default those of the package")
    asked = parser.parse_args()
    package = asked.package.strip("/")
    tests = asked.tests or f"tests/{package.removeprefix('table_app/')}"
    everything = [mutant for path in sorted((ROOT / package).rglob("*.py")) for mutant in mutants_of(path)]
    if not everything or not (ROOT / tests).exists():
        parser.error(f"there is nothing to change in {package}, or no {tests}")
    sample = random.Random(asked.seed).sample(everything, min(asked.sample, len(everything)))
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "project"
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".venv", ".git", ".*_cache", "__pycache__", "dist"))
        if not passes(tree, [tree / tests]):
            parser.error(f"{tests} does not pass as it is: mend that first")
        unnoticed = 0
        for mutant in sample:
            if not is_noticed(mutant, tree, tests):
                unnoticed += 1
                click.echo(mutant)
    click.echo(json.dumps({"package": package, "seed": asked.seed, "tried": len(sample), "unnoticed": unnoticed}))


if __name__ == "__main__":
    main()

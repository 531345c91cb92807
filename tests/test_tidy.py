"""The shape of the project, kept by reading its source: which way imports point, what each room may use, how long
things are. An exception stands here with its reason, or not at all.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("firmware_bridge", "hardware", "table_app")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))

LOWER_PACKAGES = {
    "firmware_bridge": set[str](),
    "hardware": {"firmware_bridge"},
    "table_app": {"firmware_bridge", "hardware"},
}
"""Imports point from the table to the hardware to the bridge, and never back; nothing imports the tests."""

FLOORS = (
    ("rules", "small_files", "called", "pin", "settings_pins", "translations", "sound"),
    ("names", "printing", "toml_text"),
    ("decks",),
    ("transcript",),
    ("settings",),
    ("record",),
    ("tags",),
    ("play",),
    ("table",),
    ("view",),
    ("display",),
    ("setup",),
    ("simulation",),
    ("appliance", "demo"),
    ("cli",),
    ("__main__",),
)
"""The packages and modules of ``table_app`` from the ground up: an import points to a floor below, or stays at home."""

PURE_STANDARD_LIBRARY = {
    "__future__",
    "collections",
    "dataclasses",
    "enum",
    "functools",
    "itertools",
    "operator",
    "re",
    "types",
    "typing",
}
"""All that the rules may use beside themselves: no clock, no chance, no input or output."""

ROOMS = {
    "pygame": ("table_app/display/", "table_app/sound/", "table_app/demo/picture.py"),
    "spidev": ("hardware/",),
    "serial": ("firmware_bridge/port.py",),
    "gpiozero": ("hardware/",),
    "ndef": ("hardware/tags/type2.py",),
    "sqlite3": ("table_app/record/", "table_app/tags/"),
}
"""A library that only some rooms may know, and which."""

CLOCKS_AND_CHANCE = {"time", "random", "datetime", "secrets"}
TIMELESS = (
    "table_app/rules/",
    "table_app/transcript/",
    "table_app/play/interpreter",
    "table_app/play/cues",
    "hardware/tags/tracker.py",
)
"""Where time is input and nothing is left to chance."""

MODULE_LINES = 600
FUNCTION_LINES = 70
LONG_MODULES: dict[str, str] = {}
LONG_FUNCTIONS: dict[str, str] = {}
FOLDER_MODULES = 20
"""Exceptions: a path (and ``:function``), and the reason why it would not read better in two."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imported(path: Path) -> Iterator[str]:
    """The full names of all modules that a file imports, wherever in it."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            yield ".".join(part for part in (base, node.module or "") if part)


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def neighbours() -> dict[str, set[str]]:
    """Which modules of the product each module imports, wherever in it, at its head or in a function."""
    names = {module_name(path): path for path in MODULES}
    found: dict[str, set[str]] = {}
    for name, path in names.items():
        others: set[str] = set(imported(path))
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ImportFrom) and not node.level:
                modules = {f"{node.module}.{alias.name}" for alias in node.names} & names.keys()
                others |= modules
                if len(modules) == len(node.names):  # modules were asked for, and nothing that the package offers
                    others.discard(str(node.module))
        found[name] = (others & names.keys()) - {name}
    return found


def reached(start: str, graph: dict[str, set[str]]) -> set[str]:
    """All that *start* imports, and what that imports, and so on."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph[waiting.pop()] - seen
        seen |= new
        waiting += new
    return seen


def roots(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imported(path)}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_down(path: Path) -> None:
    package = path.relative_to(ROOT).parts[0]
    allowed = LOWER_PACKAGES[package] | {package}
    wrong = (roots(path) & {*PACKAGES, "tests"}) - allowed
    assert not wrong, f"{name_of(path)} imports {', '.join(sorted(wrong))}"


@pytest.mark.parametrize("path", [path for path in MODULES if path.is_relative_to(ROOT / "table_app")], ids=name_of)
def test_imports_never_point_up_a_floor(path: Path) -> None:
    floors = {name: floor for floor, names in enumerate(FLOORS) for name in names}
    own = path.relative_to(ROOT / "table_app").with_suffix("").parts[0]
    if own == "__init__":
        assert not [name for name in imported(path) if name.startswith("table_app.")]
        return
    others = {name.split(".")[1] for name in imported(path) if name.startswith("table_app.")}
    wrong = [name for name in others if floors[name] > floors[own] or (floors[name] == floors[own] and name != own)]
    assert not wrong, f"{name_of(path)} imports {', '.join(sorted(wrong))}"


@pytest.mark.parametrize("path", sorted((ROOT / "table_app/rules").rglob("*.py")), ids=name_of)
def test_rules_are_pure(path: Path) -> None:
    for name in imported(path):
        is_rules = name == "table_app.rules" or name.startswith("table_app.rules.")
        assert is_rules or name.split(".")[0] in PURE_STANDARD_LIBRARY, f"{name_of(path)} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_libraries_stay_in_their_rooms(path: Path) -> None:
    for library in roots(path) & set(ROOMS):
        assert name_of(path).startswith(ROOMS[library]), f"{library} does not belong in {name_of(path)}"


@pytest.mark.parametrize("path", [path for path in MODULES if name_of(path).startswith(TIMELESS)], ids=name_of)
def test_time_is_input_and_nothing_is_left_to_chance(path: Path) -> None:
    wrong = roots(path) & CLOCKS_AND_CHANCE
    assert not wrong, f"{name_of(path)} imports {', '.join(sorted(wrong))}"


def rings() -> set[frozenset[str]]:
    """Modules of which each imports each, if only by way of others."""
    graph = neighbours()
    reach = {name: reached(name, graph) for name in graph}
    return {frozenset(other for other in reach[name] if name in reach[other]) for name in graph if name in reach[name]}


def test_no_two_modules_import_each_other_not_even_by_a_longer_way() -> None:
    assert not rings(), "; ".join(f"these import each other: {', '.join(sorted(ring))}" for ring in rings())


def modules_by_folder() -> dict[str, int]:
    counted = Counter(name_of(path.parent) for path in MODULES if path.name != "__init__.py")
    return {folder: number for folder, number in counted.items() if "/firmware" not in folder}


def test_a_folder_has_at_most_twenty_modules() -> None:
    for folder, number in modules_by_folder().items():
        assert number <= FOLDER_MODULES, f"{folder} has {number} modules"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_and_functions_are_short(path: Path) -> None:
    name = name_of(path)
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= MODULE_LINES or name in LONG_MODULES, f"{name} has {lines} lines"
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            where = f"{name}:{node.name}"
            assert length <= FUNCTION_LINES or where in LONG_FUNCTIONS, f"{where} has {length} lines"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_say_what_they_are_for(path: Path) -> None:
    assert ast.get_docstring(tree_of(path)), f"{name_of(path)} has no docstring"


def test_exceptions_are_still_needed() -> None:
    for name in LONG_MODULES:
        assert len((ROOT / name).read_text(encoding="utf-8").splitlines()) > MODULE_LINES, f"{name} is short now"
    for where in LONG_FUNCTIONS:
        name, function = where.split(":")
        lengths = [
            (node.end_lineno or node.lineno) - node.lineno + 1
            for node in ast.walk(tree_of(ROOT / name))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == function
        ]
        assert max(lengths, default=0) > FUNCTION_LINES, f"{where} is short now"

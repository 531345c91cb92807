"""Every view at every size: nothing leaves its box or lies on anything else, and fingers find their aim."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pygame
import pygame.freetype
import pytest

from table_app.display import text as words
from table_app.display.canvas import Canvas, Press
from table_app.display.geometry import Box
from table_app.display.layout import frame, metrics
from table_app.display.scene import Leafing, paint, render
from table_app.display.theme import TABLE
from table_app.setup.presenting import present_first_start
from table_app.setup.steps import FirstStart
from table_app.view.table_view import StartScreen, TableView
from tests.display import sample_views

SIZES = ((800, 480), (1024, 600), (1920, 1080), (480, 800))
VIEWS = sample_views.every_view()
# Made to overflow; it must stay within its boxes, but can't be read in full.
OVERFLOWING = frozenset({"long-words"})


@pytest.fixture(scope="module", autouse=True)
def fonts() -> None:
    pygame.font.init()


def painted(view: TableView, size: tuple[int, int], leafing: Leafing | None = None) -> Canvas:
    return paint(pygame.Surface(size, 0, 32), view, TABLE, leafing)


def scenes(size: tuple[int, int]) -> Iterator[tuple[str, Canvas]]:
    for name, view in VIEWS.items():
        yield name, painted(view, size)
    for stage in ("", "red", "wilds"):
        yield f"picker {stage}", painted(sample_views.reader_lost(), size, Leafing(0, True, stage))
    for page in range(3):
        yield f"page {page}", painted(sample_views.rulebook(), size, Leafing(page))


def with_panes(size: tuple[int, int]) -> Iterator[tuple[str, Canvas]]:
    width, height = size
    wide = (round(width * 1.6), max(height, round(width * 0.75)))
    for hand in (0, 1, 7, 16):
        for name in ("play", "missed-call", "crowded", "scores", "long-words"):
            yield (
                f"{name} with pane, hand of {hand}",
                painted(sample_views.with_demo(VIEWS[name], hand), wide),
            )


@pytest.mark.parametrize("size", SIZES)
def test_no_text_leaves_its_box_or_the_screen(size: tuple[int, int]) -> None:
    for name, canvas in (*scenes(size), *with_panes(size)):
        whole = Box(0, 0, *canvas.surface.get_size())
        for placed in canvas.placed:
            assert placed.box.contains(placed.drawn), f"{name}: {placed}"
            assert whole.contains(placed.box), f"{name}: {placed}"


@pytest.mark.parametrize("size", SIZES)
def test_no_text_lies_on_another(size: tuple[int, int]) -> None:
    for name, canvas in (*scenes(size), *with_panes(size)):
        for first, second in combinations(canvas.placed, 2):
            assert not first.drawn.overlaps(second.drawn), f"{name}: {first} and {second}"


@pytest.mark.parametrize("size", SIZES)
def test_ordinary_texts_are_shown_whole(size: tuple[int, int]) -> None:
    for name, canvas in scenes(size):
        if name in OVERFLOWING:
            continue
        for placed in canvas.placed:
            assert not placed.text.endswith(words.ELLIPSIS), f"{name}: {placed}"
            assert placed.drawn.h > 0.9 * placed.box.h or placed.drawn.h >= canvas.px(11), f"{name}: {placed}"


@pytest.mark.parametrize("size", SIZES)
def test_no_two_targets_overlap_and_all_are_on_the_screen(size: tuple[int, int]) -> None:
    for name, canvas in (*scenes(size), *with_panes(size)):
        whole = Box(0, 0, *canvas.surface.get_size())
        for target in canvas.targets:
            assert whole.contains(target.box), f"{name}: {target}"
        for first, second in combinations(canvas.targets, 2):
            assert not first.box.overlaps(second.box), f"{name}: {first} and {second}"


@pytest.mark.parametrize("size", SIZES)
def test_every_target_on_the_table_is_as_large_as_a_finger_needs(size: tuple[int, int]) -> None:
    # 20 mm on a seven-inch panel of 800x480 are 104 pixels; other sizes are that panel, enlarged.
    touch = metrics(*size).touch
    assert touch >= 103
    for name, canvas in scenes(size):
        for target in canvas.targets:
            assert target.box.w >= touch, f"{name}: {target}"
            assert target.box.h >= touch, f"{name}: {target}"


def test_a_panels_true_size_decides_where_it_is_known() -> None:
    assert metrics(1280, 720, width_mm=170.0).touch == round(20 * 1280 / 170)
    assert metrics(800, 480, width_mm=154.1).touch == metrics(800, 480).touch
    assert metrics(800, 480, width_mm=20.0).touch == 120, "no more than a quarter of the short side"


@pytest.mark.parametrize("size", [(1, 1), (37, 19), (200, 900), (320, 240), (3000, 200)])
@pytest.mark.parametrize("name", ["crowded", "long-words", "reader-lost", "scores-ten", "rulebook", "resume"])
def test_absurd_window_sizes_are_survived(size: tuple[int, int], name: str) -> None:
    painted(VIEWS[name], size)
    painted(sample_views.with_demo(VIEWS[name], 16), size)


def test_every_view_is_drawn_without_a_window() -> None:
    pygame.display.quit()
    for name, view in VIEWS.items():
        picture = render(view, 800, 480, TABLE)
        assert len({tuple(picture.get_at((x, y))) for x in range(0, 800, 7) for y in range(0, 480, 7)}) >= (
            1 if name == "empty" else 4
        )


def test_seats_stand_clockwise_in_their_order() -> None:
    """Going from seat to seat, the angle round the middle of the table grows clockwise, once round in all."""
    import math

    for size in SIZES[:3]:
        for count in range(2, 11):
            canvas = painted(sample_views.play(count), size)
            boxes = {t.name: t.box for t in canvas.targets if t.name.startswith("seat:")}
            assert len(boxes) == count
            bar_top = min(t.box.y for t in canvas.targets if not t.name.startswith("seat:"))
            middle = (size[0] / 2, bar_top / 2)
            angles = [
                math.atan2(boxes[f"seat:{i}"].centre[1] - middle[1], boxes[f"seat:{i}"].centre[0] - middle[0])
                for i in range(count)
            ]
            steps = [(b - a) % (2 * math.pi) for a, b in zip(angles, [*angles[1:], angles[0]], strict=True)]
            assert sum(steps) == pytest.approx(2 * math.pi), f"{count} seats at {size}: {angles}"


def test_the_top_card_is_the_largest_thing_on_the_felt() -> None:
    for count in range(2, 11):
        view = sample_views.play(count)
        surface = pygame.Surface((800, 480), 0, 32)
        paint(surface, view)
        fill = TABLE.card("red").fill
        column_counts = [sum(surface.get_at((x, y))[:3] == fill for y in range(30, 340)) for x in range(180, 420)]
        assert max(column_counts) >= 100, f"{count} players: the card is less than 20 mm high"


def test_the_shipped_font_has_every_character_the_display_shows() -> None:
    pygame.freetype.init()
    said = {words.ELLIPSIS + "/0123456789"}
    for name, canvas in scenes((800, 480)):
        if name not in OVERFLOWING:
            said |= {placed.text for placed in canvas.placed}
    for _, canvas in with_panes((800, 480)):
        said |= {placed.text for placed in canvas.placed if "Party" not in placed.text}
    letters = "ÁČĎÉĚÍŇÓŘŠŤÚŮÝŽąćęłńśźżäöüßñ¡¿çœàèìòùâêîôûășțğışøåæ€„“”’–—·×"
    for file in words.FONT_FILES.values():
        font = pygame.freetype.Font(str(words.FONT_DIRECTORY / file), 20)
        for text in (*said, letters):
            missing = [c for c, m in zip(text, font.get_metrics(text), strict=True) if m is None]
            assert not missing, f"{file} has no {missing} for {text!r}"


def test_a_font_that_lacks_a_character_is_noticed_by_the_check_above() -> None:
    pygame.freetype.init()
    font = pygame.freetype.Font(str(words.FONT_DIRECTORY / "DejaVuSans.ttf"), 20)
    assert font.get_metrics("漢") == [None]


def test_card_targets_name_every_face_of_a_colour() -> None:
    canvas = painted(sample_views.reader_lost(), (480, 800), Leafing(0, True, "blue"))
    codes = [t.name for t in canvas.targets if t.press is Press.CARD]
    assert len(codes) == len(set(codes)) == 13


def test_the_pane_takes_nothing_of_the_tables_own_width() -> None:
    parts = frame(1280, 480, has_pane=True)
    assert (parts.table.w, parts.table.h) == (800, 480)
    assert parts.pane == Box(800, 0, 480, 480)


@pytest.mark.parametrize("size", [*SIZES, (1280, 720)])
def test_what_the_ways_to_set_up_mean_is_written_in_one_size(size: tuple[int, int]) -> None:
    view = present_first_start(FirstStart())
    canvas = paint(pygame.Surface(size, 0, 32), view, TABLE)
    assert isinstance(view.screen, StartScreen)
    told = [line for line in canvas.placed if not any(target.box.overlaps(line.drawn) for target in canvas.targets)]
    placed = " ".join(line.text for line in told)
    handlers = [line for line in told if any(line.text in said for said in view.screen.paragraphs)]
    assert all(said in placed for said in view.screen.paragraphs)
    assert len({line.drawn.h for line in handlers}) == 1

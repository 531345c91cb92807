"""The display's own signs, drawn, none of them a font's: the four colours' shapes, ranks and controls.

A shape must be told from the others without its colour and from every side of the table: they look the same
turned by a quarter, and differ in outline and in what is filled. All are this project's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from table_app.display.pen import Drawing, Pen, on_circle

CENTRE = (0.5, 0.5)


def red(pen: Pen) -> None:
    """A full disc."""
    pen.disc(CENTRE, 0.44)


def yellow(pen: Pen) -> None:
    """A sun with eight rays."""
    points = [on_circle(CENTRE, 0.5 if i % 2 == 0 else 0.27, i * 22.5) for i in range(16)]
    pen.polygon(points)


def green(pen: Pen) -> None:
    """A hollow diamond."""
    pen.polygon([(0.5, 0.01), (0.99, 0.5), (0.5, 0.99), (0.01, 0.5)])
    pen.polygon([(0.5, 0.29), (0.71, 0.5), (0.5, 0.71), (0.29, 0.5)], hole=True)


def blue(pen: Pen) -> None:
    """A cross."""
    pen.block(0.36, 0.03, 0.28, 0.94, 0.06)
    pen.block(0.03, 0.36, 0.94, 0.28, 0.06)


def skip(pen: Pen) -> None:
    """No way through."""
    pen.disc(CENTRE, 0.46)
    pen.disc(CENTRE, 0.33, hole=True)
    pen.stroke([(0.26, 0.74), (0.74, 0.26)], 0.13)


def reverse(pen: Pen) -> None:
    """Two arrows that pass each other."""
    pen.stroke([(0.32, 0.82), (0.32, 0.32)], 0.13)
    pen.arrowhead((0.32, 0.06), -90, 0.36)
    pen.stroke([(0.68, 0.18), (0.68, 0.68)], 0.13)
    pen.arrowhead((0.68, 0.94), 90, 0.36)


def draw(pen: Pen) -> None:
    """A card taken from a pile."""
    pen.block(0.08, 0.3, 0.5, 0.66, 0.07)
    pen.block(0.15, 0.37, 0.36, 0.52, 0.03, hole=True)
    pen.block(0.36, 0.04, 0.56, 0.72, 0.08, hole=True)
    pen.block(0.41, 0.08, 0.5, 0.66, 0.07)
    pen.block(0.62, 0.25, 0.08, 0.32, 0.0, hole=True)
    pen.block(0.5, 0.37, 0.32, 0.08, 0.0, hole=True)


def pile(pen: Pen) -> None:
    """A pile of cards, seen from the side of its corner."""
    for y in (0.62, 0.44, 0.26):
        pen.polygon([(0.5, y - 0.22), (1.0, y), (0.5, y + 0.22), (0.0, y)], hole=True)
        pen.polygon([(0.5, y - 0.15), (0.9, y + 0.02), (0.5, y + 0.2), (0.1, y + 0.02)])


def keep(pen: Pen) -> None:
    """A hand that holds cards: a fan of three."""
    for degrees in (-118, -90, -62):
        far = on_circle((0.5, 0.95), 0.72, degrees)
        near = on_circle((0.5, 0.95), 0.3, degrees)
        pen.stroke([near, far], 0.25)
    for degrees in (-104, -76):
        pen.polygon(
            [
                on_circle((0.5, 0.95), 0.2, degrees),
                on_circle((0.5, 0.95), 0.95, degrees - 1.6),
                on_circle((0.5, 0.95), 0.95, degrees + 1.6),
            ],
            hole=True,
        )


def uno(pen: Pen) -> None:
    """A single card that is called out: a card in a speech bubble."""
    pen.block(0.03, 0.06, 0.94, 0.7, 0.16)
    pen.polygon([(0.2, 0.7), (0.24, 1.0), (0.5, 0.72)])
    pen.block(0.37, 0.16, 0.26, 0.5, 0.05, hole=True)


def called(pen: Pen) -> None:
    """It was said: a speech bubble with a tick."""
    pen.block(0.03, 0.06, 0.94, 0.7, 0.16)
    pen.polygon([(0.2, 0.7), (0.24, 1.0), (0.5, 0.72)])
    with pen.carving():
        pen.stroke([(0.29, 0.42), (0.44, 0.56), (0.71, 0.26)], 0.12)


def catch(pen: Pen) -> None:
    """A speech bubble that is crossed out: the call was missed."""
    pen.block(0.03, 0.06, 0.94, 0.7, 0.16)
    pen.polygon([(0.2, 0.7), (0.24, 1.0), (0.5, 0.72)])
    with pen.carving():
        pen.stroke([(0.34, 0.25), (0.66, 0.57)], 0.12)
        pen.stroke([(0.66, 0.25), (0.34, 0.57)], 0.12)


def challenge(pen: Pen) -> None:
    """Scales."""
    pen.stroke([(0.5, 0.1), (0.5, 0.9)], 0.08)
    pen.stroke([(0.14, 0.22), (0.86, 0.22)], 0.08)
    pen.stroke([(0.3, 0.92), (0.7, 0.92)], 0.09)
    for x in (0.18, 0.82):
        pen.stroke([(x, 0.22), (x - 0.14, 0.58)], 0.045)
        pen.stroke([(x, 0.22), (x + 0.14, 0.58)], 0.045)
        pen.polygon([on_circle((x, 0.56), 0.18, degrees) for degrees in range(0, 181, 15)])


def undo(pen: Pen) -> None:
    """An arrow going back round."""
    pen.arc((0.54, 0.55), 0.31, 150, 430, 0.12)
    pen.polygon([(0.05, 0.3), (0.5, 0.3), (0.22, 0.66)])


def allow(pen: Pen) -> None:
    """A tick in a ring: it stands after all."""
    pen.disc(CENTRE, 0.47)
    pen.disc(CENTRE, 0.37, hole=True)
    pen.stroke([(0.3, 0.52), (0.45, 0.66), (0.71, 0.36)], 0.12)


def yes(pen: Pen) -> None:
    """A tick."""
    pen.stroke([(0.14, 0.54), (0.4, 0.8), (0.87, 0.22)], 0.17)


def no(pen: Pen) -> None:
    """A cross on its side."""
    pen.stroke([(0.2, 0.2), (0.8, 0.8)], 0.17)
    pen.stroke([(0.8, 0.2), (0.2, 0.8)], 0.17)


def menu(pen: Pen) -> None:
    """Three lines."""
    for y in (0.24, 0.5, 0.76):
        pen.stroke([(0.16, y), (0.84, y)], 0.11)


def book(pen: Pen) -> None:
    """An open book."""
    pen.polygon([(0.04, 0.2), (0.46, 0.3), (0.46, 0.9), (0.04, 0.8)])
    pen.polygon([(0.96, 0.2), (0.54, 0.3), (0.54, 0.9), (0.96, 0.8)])


def swap(pen: Pen) -> None:
    """Two arrows, there and back."""
    pen.stroke([(0.2, 0.32), (0.66, 0.32)], 0.12)
    pen.arrowhead((0.94, 0.32), 0, 0.32)
    pen.stroke([(0.8, 0.7), (0.34, 0.7)], 0.12)
    pen.arrowhead((0.06, 0.7), 180, 0.32)


def seat(pen: Pen) -> None:
    """A person."""
    pen.disc((0.5, 0.3), 0.22)
    pen.polygon([on_circle((0.5, 0.95), 0.4, degrees) for degrees in range(180, 361, 10)])


def leave(pen: Pen) -> None:
    """A person and an arrow away."""
    pen.disc((0.32, 0.34), 0.18)
    pen.polygon([on_circle((0.32, 0.9), 0.32, degrees) for degrees in range(180, 361, 10)])
    pen.stroke([(0.62, 0.5), (0.78, 0.5)], 0.1)
    pen.arrowhead((0.98, 0.5), 0, 0.24)


def forward(pen: Pen) -> None:
    """To the next page."""
    pen.stroke([(0.36, 0.18), (0.68, 0.5), (0.36, 0.82)], 0.15)


def back(pen: Pen) -> None:
    """To the page before."""
    pen.stroke([(0.64, 0.18), (0.32, 0.5), (0.64, 0.82)], 0.15)


def power(pen: Pen) -> None:
    """The power switch's sign."""
    pen.arc((0.5, 0.55), 0.36, -50, 230, 0.12)
    pen.stroke([(0.5, 0.08), (0.5, 0.48)], 0.12)


def reader(pen: Pen) -> None:
    """Waves from a pad."""
    pen.block(0.1, 0.78, 0.8, 0.16, 0.06)
    for radius in (0.16, 0.34):
        pen.arc((0.5, 0.74), radius, 215, 325, 0.1)
    pen.disc((0.5, 0.68), 0.07)


def unplug(pen: Pen) -> None:
    """A plug out of its socket."""
    pen.block(0.08, 0.36, 0.3, 0.28, 0.06)
    pen.stroke([(0.36, 0.43), (0.5, 0.43)], 0.06)
    pen.stroke([(0.36, 0.57), (0.5, 0.57)], 0.06)
    pen.block(0.64, 0.36, 0.28, 0.28, 0.06)


def several(pen: Pen) -> None:
    """Two cards at once."""
    pen.block(0.06, 0.14, 0.46, 0.7, 0.07)
    pen.block(0.36, 0.22, 0.58, 0.76, 0.08, hole=True)
    pen.block(0.42, 0.26, 0.48, 0.7, 0.07)


def bluff(pen: Pen) -> None:
    """A mask."""
    pen.polygon([(0.02, 0.3), (0.5, 0.4), (0.98, 0.3), (0.9, 0.7), (0.62, 0.72), (0.5, 0.6), (0.38, 0.72), (0.1, 0.7)])
    pen.disc((0.28, 0.52), 0.085, hole=True)
    pen.disc((0.72, 0.52), 0.085, hole=True)


def wrong(pen: Pen) -> None:
    """A card that is crossed out."""
    pen.block(0.22, 0.04, 0.56, 0.92, 0.08)
    with pen.carving():
        pen.stroke([(0.36, 0.34), (0.64, 0.66)], 0.1)
        pen.stroke([(0.64, 0.34), (0.36, 0.66)], 0.1)


def _round(pen: Pen, way: int) -> None:
    """Three quarters of a circle that end, on the right or the left, in an arrow pointing down."""
    end = 10 if way > 0 else 170
    pen.arc(CENTRE, 0.37, end - way * 280, end - way * 8, 0.13)
    neck = on_circle(CENTRE, 0.37, end)
    pen.arrowhead(on_circle(neck, 0.24, end + way * 97), end + way * 97, 0.4)


def clockwise(pen: Pen) -> None:
    """Once round, clockwise."""
    _round(pen, 1)


def anticlockwise(pen: Pen) -> None:
    """Once round, anticlockwise."""
    _round(pen, -1)


def flag(pen: Pen) -> None:
    """The goal."""
    pen.stroke([(0.22, 0.1), (0.22, 0.92)], 0.09)
    pen.polygon([(0.26, 0.1), (0.88, 0.3), (0.26, 0.52)])


def warning(pen: Pen) -> None:
    """Look here."""
    pen.polygon([(0.5, 0.04), (0.98, 0.92), (0.02, 0.92)])
    pen.block(0.45, 0.36, 0.1, 0.28, 0.04, hole=True)
    pen.disc((0.5, 0.77), 0.065, hole=True)


def notice(pen: Pen) -> None:
    """Something to know."""
    pen.disc(CENTRE, 0.46)
    pen.disc((0.5, 0.27), 0.08, hole=True)
    pen.block(0.43, 0.42, 0.14, 0.36, 0.05, hole=True)


def question(pen: Pen) -> None:
    """Something to answer."""
    pen.disc(CENTRE, 0.48)
    with pen.carving():
        pen.arc((0.5, 0.38), 0.14, 180, 400, 0.1)
        pen.stroke([(0.6, 0.47), (0.5, 0.56), (0.5, 0.63)], 0.1)
        pen.disc((0.5, 0.79), 0.06)


def cross_out(pen: Pen) -> None:
    """Refused: a full disc with a cross in it."""
    pen.disc(CENTRE, 0.47)
    with pen.carving():
        pen.stroke([(0.34, 0.34), (0.66, 0.66)], 0.13)
        pen.stroke([(0.66, 0.34), (0.34, 0.66)], 0.13)


def note(pen: Pen) -> None:
    """A sound."""
    pen.stroke([(0.4, 0.76), (0.4, 0.14), (0.82, 0.08), (0.82, 0.66)], 0.09)
    pen.disc((0.28, 0.78), 0.15)
    pen.disc((0.7, 0.68), 0.15)


def crown(pen: Pen) -> None:
    """The winner."""
    pen.polygon([(0.08, 0.24), (0.3, 0.5), (0.5, 0.12), (0.7, 0.5), (0.92, 0.24), (0.84, 0.84), (0.16, 0.84)])


def pick(pen: Pen) -> None:
    """A grid of cards to choose from."""
    for x in (0.08, 0.4, 0.72):
        for y in (0.1, 0.56):
            pen.block(x, y, 0.2, 0.34, 0.04)


def reshuffle(pen: Pen) -> None:
    """Two paths that cross."""
    pen.stroke([(0.06, 0.28), (0.3, 0.28), (0.6, 0.72), (0.72, 0.72)], 0.1)
    pen.stroke([(0.06, 0.72), (0.3, 0.72), (0.6, 0.28), (0.72, 0.28)], 0.1)
    pen.arrowhead((0.97, 0.72), 0, 0.26)
    pen.arrowhead((0.97, 0.28), 0, 0.26)


def play(pen: Pen) -> None:
    """Go on."""
    pen.polygon([(0.2, 0.08), (0.92, 0.5), (0.2, 0.92)])


def bell(pen: Pen) -> None:
    """The last round is rung in."""
    pen.disc((0.5, 0.36), 0.28)
    pen.polygon([(0.22, 0.36), (0.78, 0.36), (0.84, 0.68), (0.94, 0.78), (0.06, 0.78), (0.16, 0.68)])
    pen.stroke([(0.5, 0.1), (0.5, 0.04)], 0.1)
    pen.disc((0.5, 0.88), 0.09)


SHAPES: Mapping[str, Drawing] = MappingProxyType({"red": red, "yellow": yellow, "green": green, "blue": blue})
"""The shape of each card colour."""

SYMBOLS: Mapping[str, Drawing] = MappingProxyType(
    {
        drawing.__name__: drawing
        for drawing in (
            red, yellow, green, blue, skip, reverse, draw, pile, keep, uno, called, catch, challenge, undo,
            allow, yes, no, menu, book, swap, seat, leave, forward, back, power, reader, unplug, several,
            bluff, wrong, clockwise, anticlockwise, flag, warning, notice, question, cross_out, note, crown,
            pick, reshuffle, play, bell,
        )
    }
)  # fmt: skip
"""Every sign by the name that a control gives."""

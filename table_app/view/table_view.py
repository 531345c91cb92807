"""Everything that stands on the screen, as plain data: a ``TableView`` is drawn, and nothing else is.

Every text here is final: translated, with its numbers in it, ready to be shown. What the words mean, which
controls apply and whose turn it is was decided elsewhere; no rule, no geometry, no colour value and no pygame
may live here. Two equal views look the same, which is how the window knows that there is nothing to redraw.

Names of buttons are those of ``hardware.signals.ButtonPressed``; the display sends them back as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What sort of thing is being said; each has a sign of its own beside its colour."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    ALARM = "alarm"
    NOTICE = "notice"


class Direction(StrEnum):
    """Which way the turn goes round, as seen from above the table."""

    CLOCKWISE = "clockwise"
    ANTICLOCKWISE = "anticlockwise"


@dataclass(frozen=True, slots=True)
class ColourView:
    """A card colour. *key* is ``red``, ``yellow``, ``green`` or ``blue``; *letter* is the language's."""

    key: str
    name: str
    letter: str


@dataclass(frozen=True, slots=True)
class CardView:
    """A card's face.

    *code* is the face code (``r5``), sent back when the card is picked. *rank* is what stands large on it:
    ``skip``, ``reverse`` and ``wild`` are drawn; any other short text, such as ``7`` or ``+2``, is written.
    *colour* is None for a wild; *name* is the card in words.
    """

    code: str
    rank: str
    colour: ColourView | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class SeatView:
    """One player, in seating order.

    *cards_word* stands beside the number where there are no cards to be drawn; *score_words* is the score with its
    word, for a seat that has room for both.
    *owes*, *call*, *gone* and *note* are short words shown only where they hold (``owes 2``, ``Uno!``,
    ``out``, ``dealer``). *colour_index* tells players apart beside their names and wraps round. *button* is
    what a touch sends; empty, the seat can't be pressed. *is_choice* marks the seats offered in a question.
    """

    name: str
    cards: int
    cards_word: str = ""
    score: str = ""
    score_words: str = ""
    colour_index: int = 0
    is_turn: bool = False
    owes: str = ""
    call: str = ""
    gone: str = ""
    note: str = ""
    button: str = ""
    is_choice: bool = False


@dataclass(frozen=True, slots=True)
class Headline:
    """The last ruling in words, and the *rule* that it cites (empty: none)."""

    text: str
    kind: Kind = Kind.NOTICE
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Alarm:
    """What has to be seen from across the room: it covers the middle of the table."""

    title: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Banner:
    """Something about the table rather than the game: a lost reader, an unknown tag, a full disk."""

    text: str
    kind: Kind = Kind.ALARM


@dataclass(frozen=True, slots=True)
class Control:
    """Something to press.

    *symbol* names a drawing of ``symbols.py`` (also the four colours); *colour* fills the button with a card
    colour, *person* is a seat's colour, shown as a dot (None: none). *key* is the keyboard's shortcut, a single
    character or a pygame key name such as ``return``; *other_key* does the same and is not shown.
    """

    button: str
    label: str
    symbol: str = ""
    colour: str = ""
    enabled: bool = True
    emphasis: bool = False
    key: str = ""
    person: int | None = None
    other_key: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """Something only the table can answer; the *answers* come first among the controls."""

    text: str
    answers: tuple[Control, ...]


WILDS = "wilds"
"""The group of a picker's cards that have no colour."""


@dataclass(frozen=True, slots=True)
class Picker:
    """Cards that may be named by hand, where no reader can. *back* is the word for going back.

    *lit* are the codes of cards to be pointed out, such as those that may be laid on a debt. Where it *stays* it is put
    away by a press only, for as long as it serves the same *purpose*, and begins with the group *first*. *keys* are the
    letters by which a card is typed, each with its group: a colour's key, or `WILDS`.
    """

    control: Control
    title: str
    cards: tuple[CardView, ...]
    back: str
    wilds: str
    lit: frozenset[str] = frozenset()
    stays: bool = False
    purpose: str = ""
    first: str = ""
    keys: tuple[tuple[str, str], ...] = ()


NAME_LETTERS_MAX = 16
"""Letters of a name; a longer one has no room at a seat."""


@dataclass(frozen=True, slots=True)
class Typing:
    """A word of one's own, such as a name; the display shows what is typed, and sends *prefix* and the word.

    *control* opens the keys on the screen; *rows* are their letters, *delete*, *done* and *back* the words of the rest.
    No more than *letters_max* letters are taken: a longer name has no room at a seat.
    """

    control: Control
    title: str
    prefix: str
    rows: tuple[str, ...]
    delete: str
    done: str
    back: str
    letters_max: int = NAME_LETTERS_MAX


@dataclass(frozen=True, slots=True)
class LogRow:
    """One thing that happened: the tag's *uid*, the *action*, the *ruling* with its *rule*, and the *cue*."""

    uid: str
    action: str
    ruling: str
    rule: str = ""
    cue: str = ""
    kind: Kind = Kind.NOTICE


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card in the hand of the person at the laptop; pressing it sends *button*, if that is not empty."""

    card: CardView
    button: str
    is_hinted: bool = False


@dataclass(frozen=True, slots=True)
class DemoPane:
    """What stands beside the table in a demonstration. *rows* are oldest first; the newest is lowest.

    *pace* holds how fast it goes, its pause and its end.
    """

    title: str
    legend: tuple[str, ...] = ()
    rows: tuple[LogRow, ...] = ()
    hand_title: str = ""
    hand: tuple[HandCard, ...] = ()
    seats_title: str = ""
    seats: tuple[Control, ...] = ()
    mischief_title: str = ""
    mischief: tuple[Control, ...] = ()
    pace_title: str = ""
    pace: tuple[Control, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the final scores."""

    place: str
    name: str
    score: str
    colour_index: int = 0
    is_winner: bool = False


@dataclass(frozen=True, slots=True)
class Labelled:
    """Something to copy down, such as a path or a command, under its *label*."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class StartScreen:
    """Before the play, and whether to go on: a few sentences, perhaps the top card to compare."""

    title: str
    lead: str = ""
    paragraphs: tuple[str, ...] = ()
    card: CardView | None = None


@dataclass(frozen=True, slots=True)
class ScoresScreen:
    """The final scores, best first, and what to do with the record of the match."""

    title: str
    standings: tuple[Standing, ...]
    notes: tuple[Labelled, ...] = ()


@dataclass(frozen=True, slots=True)
class TextScreen:
    """Pages to read, such as the rulebook; the display breaks them into pages and turns them itself.

    A paragraph that starts with ``# `` is a heading. *page* is the word before the page's number.
    """

    title: str
    paragraphs: tuple[str, ...]
    page: str
    previous: str
    next: str


@dataclass(frozen=True, slots=True)
class EnrolScreen:
    """Cards being given their tags: the *card* that is to be laid now, in words in *title* (None: there is none).

    *done* of *total* have tags, *count* says so; *headline* is the last answer; *missing* names what has none.
    """

    title: str
    count: str
    done: int
    total: int
    card: CardView | None = None
    headline: Headline | None = None
    missing: str = ""


@dataclass(frozen=True, slots=True)
class TableView:
    """The whole screen. Where *screen* is given it takes the table's place; controls and the demo pane stay.

    *draw_pile* and *target* are short texts (``61 left``, ``to 500``). *alarm* covers the felt. *sought* is the colour
    that *prompt* asks for, which need not be the one in force. *shortcuts* are controls that only a keyboard has.
    """

    top_card: CardView | None = None
    colour: ColourView | None = None
    direction: Direction | None = None
    direction_name: str = ""
    seats: tuple[SeatView, ...] = ()
    headline: Headline | None = None
    prompt: str = ""
    sought: ColourView | None = None
    banners: tuple[Banner, ...] = ()
    alarm: Alarm | None = None
    question: Question | None = None
    controls: tuple[Control, ...] = ()
    shortcuts: tuple[Control, ...] = ()
    picker: Picker | None = None
    typing: Typing | None = None
    draw_pile: str = ""
    target: str = ""
    demo: DemoPane | None = None
    screen: StartScreen | ScoresScreen | TextScreen | EnrolScreen | None = None

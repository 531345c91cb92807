"""What the table remembers beside its rulings, as lines of the journal: a hand half shown, a pile shuffled in silence.

Notes are no actions: they change no ruling, and an export leaves them out. `notes` writes what changed between two
states, `noted` reads one line again; `READERS` is the list of all notes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from hardware.signals import Signal
from table_app.play.history import RoundPoints, Showing
from table_app.play.places import Places
from table_app.play.state import Options, TableState
from table_app.record.errors import MatchUnreadableError
from table_app.record.head import DECK, check_deck, deck_line
from table_app.rules import Card
from table_app.transcript.notation import codes, parse_card

SHOWING = "showing"
SHUFFLED = "shuffled"
"""Only in older records."""
KNOWN = "known"
AWAY, BACK = "reader-away", "reader-back"
"""Only in older records."""
DEALT = "dealt"
PUT_BACK = "put-back"
"""A refused card is in its hand again: Undo takes back what was done before it."""
DRAWN_FOR, NOT_DRAWN_FOR = "deal-drawn-for", "deal-not-drawn-for"
PAUSED, GOES_ON = "paused", "goes-on"
TAKEN_UP = "taken-up"
WAY = "way"
ROUND_POINTS = "round-points"
PLAYED = "played-ms"
"""How long was played so far, where no act says it: with the score alone."""
TOGETHER, UNDONE = "together", "undone"
"""The next actions are one answer, or take one back; how many stands behind the word."""
NOBODY = "-"
FREE = "*"
CLOSE = "~"
READ_BY = "@"
"""Only in older records."""


def notes(before: TableState, after: TableState) -> list[str]:
    """The lines for what changed from *before* to *after*, where no ruling says it."""
    lines = []
    if after.places is not before.places:
        new = [card for card in after.places.discard_pile if card not in before.places.discard_pile]
        lines.append(f"{KNOWN}{codes(tuple(new))}")
    if after.recorded.way != before.recorded.way:
        lines.append(after.recorded.way)
    if after.recorded.deck != before.recorded.deck:
        lines.append(after.recorded.deck)
    if after.showing is not before.showing:
        seat = NOBODY if after.showing.seat is None else str(after.showing.seat)
        marks = f"{FREE if after.showing.is_free else ''}{CLOSE if after.showing.is_close else ''}"
        lines.append(f"{SHOWING} {seat}{marks}{codes(after.showing.cards)}")
    if after.dealing is not before.dealing:
        lines.append(_dealt_line(before, after))
    if after.earlier_ms != before.earlier_ms:
        lines.append(f"{PLAYED} {after.earlier_ms}")
    if after.is_deal_drawn_for is not before.is_deal_drawn_for:
        lines.append(DRAWN_FOR if after.is_deal_drawn_for else NOT_DRAWN_FOR)
    if after.history.refused is not before.history.refused:
        lines.append(PUT_BACK)
    if after.pause is not before.pause:
        lines.append(PAUSED if after.pause is not None else GOES_ON)
    right = after.correction
    if right is not None and right is not before.correction:
        # Seats, not names: a name may hold blanks.
        seats = [(after.match.seat_of(name), value) for name, value in right.points]
        lines.append(f"{ROUND_POINTS} {right.number} {' '.join(f'{seat}={value}' for seat, value in seats)}")
    return lines


def to_be_recorded(state: TableState) -> TableState:
    """*state* as it is once `notes` has told what has changed since the journal last said how the table is.

    Told with an action only: at the start, or when another match begins, nobody has seen a change.
    """
    way, deck = way_line(state.options), deck_line(state.match.setup.deck)
    return replace(state, recorded=state.recorded._replace(way=way, deck=deck))


def way_line(options: Options) -> str:
    """How a match is played, which the table goes on with however it is set up when the match is taken up again."""
    seen = "tracked" if options.is_tracked else "counted"
    limit = NOBODY if options.time_limit_ms is None else str(options.time_limit_ms)
    colours = ",".join(map(str, options.colours)) or NOBODY
    return f"{WAY} {options.cards_each} {seen} {limit} {colours}"


def answer_notes(count: int, *, is_undo: bool) -> list[str]:
    """The line before the actions of an answer that are several: they are taken back together."""
    return [f"{UNDONE if is_undo else TOGETHER} {count}"] if count > 1 else []


def _dealt_line(before: TableState, after: TableState) -> str:
    """One more card, as a rule; all of them where one was taken back."""
    new = after.dealing
    if new[:-1] == before.dealing:
        return f"{DEALT} +{codes(new[-1:])}"
    return f"{DEALT} ={codes(new)}"


def source_of(signal: Signal | None) -> str:
    """Where an action came from, as the journal says it."""
    if signal is None:
        return "clock"
    return str(getattr(signal, "source", "tag"))


def noted(state: TableState, line: str) -> TableState:
    """*state* with what a note says.

    :raises MatchUnreadableError: if it can't be read.
    """
    try:
        word, *words = line.split()
        if word == SHOWING:
            words = [words[0], *(code for code in words[1:] if _is_of_this_deck(state, code))]
        return READERS[word](state, words)
    except (ValueError, IndexError, KeyError) as error:
        raise MatchUnreadableError(f"it holds a note that can't be read: {error}") from error


def _is_of_this_deck(state: TableState, word: str) -> bool:
    """False of a card of another deck, which an older record may hold."""
    deck = state.match.setup.deck
    return parse_card(word.partition(READ_BY)[0], deck).face in deck


def pile_shuffled(state: TableState) -> TableState:
    """Only the top card still lies where the discard pile was."""
    places = state.places
    return replace(state, history=state.history.knows(Places(places.discard_pile[-1:], places.hands)))


def pile_knows(state: TableState, card: Card) -> TableState:
    """Of the equal cards, the one in the discard pile that was named by hand is *card*."""
    places = state.places
    pile = list(places.discard_pile)
    pile[len(pile) - 1 - pile[::-1].index(Card(card.face))] = card
    return replace(state, history=state.history.knows(Places(tuple(pile), places.hands)))


def _known(state: TableState, words: list[str]) -> TableState:
    return pile_knows(state, parse_card(words[0], state.match.setup.deck))


def _shuffled(state: TableState, words: list[str]) -> TableState:
    if words:
        raise ValueError(f"{words[0]!r} is too much")
    return pile_shuffled(state)


def _showing(state: TableState, words: list[str]) -> TableState:
    is_close, word = words[0].endswith(CLOSE), words[0].removesuffix(CLOSE)
    seat = word.removesuffix(FREE)
    cards = tuple(_shown(state, word) for word in words[1:])
    return replace(state, showing=Showing(None if seat == NOBODY else int(seat), cards, word.endswith(FREE), is_close))


def _shown(state: TableState, word: str) -> Card:
    """``r5#2``; in older records ``r7@04a1b2``, a card by its tag, which says today which one it is."""
    code, _, tag = word.partition(READ_BY)
    card, meaning = parse_card(code, state.match.setup.deck), state.tags.get(bytes.fromhex(tag))
    return meaning if isinstance(meaning, Card) and meaning.face is card.face else card


def _dealt(state: TableState, words: list[str]) -> TableState:
    cards = tuple(parse_card(word, state.match.setup.deck) for word in words[1:])
    return replace(state, dealing=(*(state.dealing if words[0] == "+" else ()), *cards))


def _drawn_for(state: TableState, words: list[str]) -> TableState:
    del words
    return replace(state, is_deal_drawn_for=True)


def _not_drawn_for(state: TableState, words: list[str]) -> TableState:
    del words
    return replace(state, is_deal_drawn_for=False)


def _put_back(state: TableState, words: list[str]) -> TableState:
    del words
    return replace(state, history=replace(state.history, refused=None))


def _stands(state: TableState, words: list[str]) -> TableState:
    """Nothing: a pause is over when the table starts again, which asks by itself whether to go on."""
    del words
    return state


def _way(state: TableState, words: list[str]) -> TableState:
    """The match's own way goes before that of the table; which readers there are is the table's."""
    cards_each, seen, limit, colours = words
    if seen not in ("tracked", "counted"):
        raise ValueError(f"{seen!r} is no way to play")
    options = state.options._replace(
        cards_each=int(cards_each),
        is_tracked=seen == "tracked",
        time_limit_ms=None if limit == NOBODY else int(limit),
        colours=() if colours == NOBODY else tuple(int(colour) for colour in colours.split(",")),
    )
    return replace(state, options=options, recorded=state.recorded._replace(way=" ".join((WAY, *words))))


def _deck(state: TableState, words: list[str]) -> TableState:
    """The deck file is the one that the match was played with."""
    line = " ".join((DECK, *words))
    check_deck(line, state.match.setup.deck)
    return replace(state, recorded=state.recorded._replace(deck=line))


def _together(state: TableState, words: list[str]) -> TableState:
    return replace(state, history=state.history.begin(int(words[0]), is_undo=False))


def _undone(state: TableState, words: list[str]) -> TableState:
    return replace(state, history=state.history.begin(int(words[0]), is_undo=True))


def _played(state: TableState, words: list[str]) -> TableState:
    return replace(state, earlier_ms=int(words[0]))


def _points(state: TableState, words: list[str]) -> TableState:
    number = int(words[0])
    pairs = [word.partition("=") for word in words[1:]]
    points = RoundPoints(number, tuple((state.match.names[int(seat)], int(value)) for seat, _, value in pairs))
    return replace(state, correction=points)


READERS: Mapping[str, Callable[[TableState, list[str]], TableState]] = MappingProxyType(
    {
        SHOWING: _showing,
        SHUFFLED: _shuffled,
        KNOWN: _known,
        AWAY: _stands,
        BACK: _stands,
        DEALT: _dealt,
        DRAWN_FOR: _drawn_for,
        NOT_DRAWN_FOR: _not_drawn_for,
        PUT_BACK: _put_back,
        PAUSED: _stands,
        GOES_ON: _stands,
        TAKEN_UP: _stands,
        WAY: _way,
        DECK: _deck,
        ROUND_POINTS: _points,
        PLAYED: _played,
        TOGETHER: _together,
        UNDONE: _undone,
    }
)

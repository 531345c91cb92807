"""Where a table stands, and what kind of signal has come: the two keys under which `handlers` looks up an answer.

Sorting only; what a signal means in a situation is in `handlers`, and no rule is decided here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from hardware.signals import (
    ButtonPressed,
    CardPicked,
    DeviceBack,
    DeviceLost,
    DeviceNote,
    ReaderDisturbed,
    SeveralTags,
    Signal,
    TagPlaced,
    TagRemoved,
)
from hardware.tags.iso14443a import Tag
from hardware.tags.sticker import known_without_asking
from table_app.play.form_steps import FORMS, Step, next_step
from table_app.play.notices import Notice
from table_app.play.state import TableState
from table_app.rules import COLOURS, Action, Card, Colour, Face, Phase, apply, waits
from table_app.rules.ruling import Ruling
from table_app.rules.state import Match
from table_app.tags.registry import card_of, card_of_label
from table_app.tags.stickers import sticker_card


class Mode(StrEnum):
    """What the table is waiting for, as far as it changes what a signal means.

    The ``choose-`` ones are the steps of what is being put right (`form_steps`).
    """

    DEAL = "deal"
    FIRST_CARD = "first-card"
    TURN = "turn"
    DRAWN = "drawn"
    OWES = "owes"
    CHALLENGE = "challenge"
    COLOUR = "colour"
    SWAP = "swap"
    SHOW = "show"
    DARE = "dare"
    CHARADE = "charade"
    DISCARD = "discard"
    LAST_DEBTS = "last-debts"
    COUNT = "count"
    SCORE_ALONE = "score-alone"
    OVER = "over"
    HIGH = "draw-for-the-deal"
    DEAL_SEEN = "deal-seen"
    PAUSED = "paused"
    CHOOSE_SEAT = "choose-seat"
    CHOOSE_CARD = "choose-card"
    CHOOSE_COLOUR = "choose-colour"
    CHOOSE_DIRECTION = "choose-direction"
    CHOOSE_NUMBER = "choose-number"
    CHOOSE_NAME = "choose-name"
    CHOOSE_TAG = "choose-tag"


class SignalKind(StrEnum):
    """The kinds of signal, with a button for each thing that a button can be pressed for."""

    CARD = "card"
    PILE_CARD = "card from the draw pile"
    STRAY_CARD = "card that nobody was dealt"
    OTHERS_CARD = "card of another hand"
    DISCARDED_CARD = "card of the discard pile"
    SHOWN_CARD = "card of a hand that was just shown"
    MORE_CARD = "card more of a hand that was just shown"
    LABELLED_TAG = "labelled tag, one too many"
    UNKNOWN_TAG = "unknown tag"
    UNKNOWN_CARD = "unknown card"
    LYING_TAG = "tag that lay there at the start"
    TAG_REMOVED = "tag removed"
    SEVERAL_TAGS = "several tags"
    DISTURBED = "reader disturbed"
    DEVICE_LOST = "device lost"
    DEVICE_BACK = "device back"
    DEVICE_NOTE = "device note"
    SEAT = "seat:N"
    GIVE = "give:N"
    DEAL = "deal"
    DRAW = "draw"
    DRAW_ONE = "draw-one"
    KEEP = "keep"
    COLOUR = "colour:X"
    UNO = "uno:N"
    CATCH = "catch:N"
    CALLED = "called:N"
    CHALLENGE = "challenge"
    FINDS = "finds:X"
    SWAP = "swap:N"
    ALLOW = "allow"
    UNDO = "undo"
    RESHUFFLE = "reshuffle"
    YES = "yes"
    NO = "no"
    AGAIN = "again"
    MENU = "menu"
    PUT_RIGHT = "put-right"
    RULES = "rules"
    FORM = "form:X"
    DIGIT = "digit:N"
    DIRECTION = "direction:X"
    JOIN = "join:X"
    PAUSE = "pause"
    BELL = "bell"
    HIGH = "high"
    OLDER = "older"
    OLDER_NEXT = "older-next"
    TAKE_UP = "take-up:N"
    UNKNOWN_BUTTON = "unknown button"


BUTTONS_WITH_SEAT = (
    SignalKind.SEAT,
    SignalKind.GIVE,
    SignalKind.UNO,
    SignalKind.CATCH,
    SignalKind.CALLED,
    SignalKind.SWAP,
)
PLAIN_BUTTONS = (
    SignalKind.DEAL,
    SignalKind.DRAW,
    SignalKind.DRAW_ONE,
    SignalKind.KEEP,
    SignalKind.CHALLENGE,
    SignalKind.ALLOW,
    SignalKind.UNDO,
    SignalKind.RESHUFFLE,
    SignalKind.YES,
    SignalKind.NO,
    SignalKind.AGAIN,
    SignalKind.MENU,
    SignalKind.PUT_RIGHT,
    SignalKind.RULES,
    SignalKind.PAUSE,
    SignalKind.BELL,
    SignalKind.HIGH,
    SignalKind.OLDER,
    SignalKind.OLDER_NEXT,
)
SPECIAL_WITH_OLDER = frozenset({Mode.DEAL, Mode.DEAL_SEEN, Mode.SCORE_ALONE, Mode.OVER, Mode.PAUSED})
"""Where another match may go on instead: no round is under way, or the table stands still."""

CARDS = (
    SignalKind.CARD,
    SignalKind.PILE_CARD,
    SignalKind.STRAY_CARD,
    SignalKind.OTHERS_CARD,
    SignalKind.DISCARDED_CARD,
    SignalKind.SHOWN_CARD,
    SignalKind.MORE_CARD,
)
"""The kinds of card, by where the table knows it to lie."""

_BY_PREFIX = {kind.value.partition(":")[0]: kind for kind in BUTTONS_WITH_SEAT}
SEAT_PREFIXES = frozenset(_BY_PREFIX)
"""Words that stand before a seat's number."""
_BY_WORD = {kind.value: kind for kind in PLAIN_BUTTONS}
_BY_COLOUR = {f"colour:{colour}": colour for colour in COLOURS}
_FINDINGS = {"finds:guilty": True, "finds:innocent": False}
_DIRECTIONS = {"direction:clockwise": True, "direction:anticlockwise": False}
_FORMS = {f"form:{word}" for word in FORMS}
_DIGITS = {f"digit:{digit}" for digit in "0123456789"}
JOIN_PREFIX = "join:"
TAKE_UP_PREFIX = "take-up:"


@dataclass(frozen=True, slots=True)
class Moment:
    """A signal, sorted: its *kind*, and whichever of the other fields that kind has. *text* is for people.

    *is_sticker* is false of a tag that can be no card's: a bank card, a pass, a phone.
    """

    state: TableState
    at_ms: int
    kind: SignalKind
    card: Card | None = None
    seat: int = -1
    colour: Colour | None = None
    guilty: bool = False
    is_clockwise: bool = True
    device: str = ""
    tag: bytes = b""
    number: int = 0
    text: str = ""
    is_sticker: bool = True

    @property
    def match(self) -> Match:
        return self.state.match

    def name(self, seat: int | None = None) -> str:
        """The player in this *seat*, or in the seat that the signal names."""
        return self.match.names[self.seat if seat is None else seat]

    def foresee(self, match: Match, action: Action) -> tuple[Match, Ruling]:
        """What the core would say to *action* now; nothing has happened by asking."""
        return apply(match, replace(action, at_ns=max(self.state.at_ns(self.at_ms), match.now_ns)))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a signal comes to: what was done by it, what the table says to it, and what it remembers.

    *actions* happen together: all are in the record, or none. *begins_match*: a new match with the same set-up.
    *is_undo*: they take an answer back. *lists_older*: earlier matches are looked through for unfinished ones;
    *takes_up*: the one of this number goes on. *is_read_anew*: the signal is looked up again at the table as it is
    now, or, with *is_read_after*, once the actions are done. *enrols*: this tag is this card from now.
    """

    state: TableState
    actions: tuple[Action, ...] = ()
    notice: Notice | None = None
    begins_match: bool = False
    is_undo: bool = False
    lists_older: bool = False
    takes_up: int | None = None
    is_read_anew: bool = False
    is_read_after: bool = False
    enrols: tuple[bytes, Card] | None = None


def mode_of(state: TableState) -> Mode:
    """What the table waits for: to go on, the next step of a form, or what the match waits for."""
    match = state.match
    if state.pause is not None:
        return Mode.PAUSED
    if state.form is not None:
        step = next_step(state.form)
        assert step is not None  # a form whose last step is done is carried out at once
        return _BY_STEP[step]
    if match.phase is Phase.OVER:
        return Mode.OVER
    words = {word for _, word in waits(match)}
    if "high" in words and (match.high is not None or state.is_deal_drawn_for):
        return Mode.HIGH
    if "deal" in words and state.options.is_tracked:
        return Mode.DEAL_SEEN
    for word, found in _BY_WAIT:
        if word in words:
            if found is Mode.SHOW and match.phase is Phase.OUT:
                return Mode.COUNT
            if found is Mode.SWAP and match.question is None:
                continue  # the opening Swap Hands may be left out
            return found
    if match.phase is Phase.BETWEEN:
        return Mode.DEAL
    if match.phase is Phase.OUT:
        return Mode.LAST_DEBTS
    if match.is_owing():
        return Mode.OWES
    return Mode.DRAWN if match.drawn is not None else Mode.TURN


_BY_STEP = {
    Step.SEAT: Mode.CHOOSE_SEAT,
    Step.CARD: Mode.CHOOSE_CARD,
    Step.COLOUR: Mode.CHOOSE_COLOUR,
    Step.DIRECTION: Mode.CHOOSE_DIRECTION,
    Step.ROUND: Mode.CHOOSE_NUMBER,
    Step.NUMBER: Mode.CHOOSE_NUMBER,
    Step.NAME: Mode.CHOOSE_NAME,
    Step.TAG: Mode.CHOOSE_TAG,
}
_BY_WAIT = (
    ("deal", Mode.DEAL),
    ("start", Mode.FIRST_CARD),
    ("out", Mode.SCORE_ALONE),
    ("show", Mode.SHOW),
    ("colour", Mode.COLOUR),
    ("swap", Mode.SWAP),
    ("dare", Mode.DARE),
    ("charade", Mode.CHARADE),
    ("discard", Mode.DISCARD),
    ("challenge", Mode.CHALLENGE),
)


def sort(signal: Signal, state: TableState) -> Moment:
    """*signal* under its kind, with what it names made plain."""
    at_ms = signal.at_ms
    match signal:
        case TagPlaced(uid=uid, reader=reader, lay_there=True):
            return Moment(state, at_ms, SignalKind.LYING_TAG, tag=uid, device=reader)
        case TagPlaced(uid=uid):
            return _tag(signal, uid, state)
        case TagRemoved(reader=reader, uid=uid):
            return Moment(state, at_ms, SignalKind.TAG_REMOVED, tag=uid, device=reader)
        case SeveralTags(reader=reader):
            return Moment(state, at_ms, SignalKind.SEVERAL_TAGS, device=reader)
        case ReaderDisturbed(reader=reader):
            return Moment(state, at_ms, SignalKind.DISTURBED, device=reader)
        case CardPicked(code=code):
            card = card_of(state.match.setup.deck, code, 0)
            return Moment(state, at_ms, SignalKind.UNKNOWN_CARD if card is None else SignalKind.CARD, card, text=code)
        case ButtonPressed(button=button):
            return _button(button, state, at_ms)
        case DeviceLost(device=device, reason=reason):
            return Moment(state, at_ms, SignalKind.DEVICE_LOST, device=device, text=reason)
        case DeviceBack(device=device):
            return Moment(state, at_ms, SignalKind.DEVICE_BACK, device=device)
        case DeviceNote(device=device, text=text):
            return Moment(state, at_ms, SignalKind.DEVICE_NOTE, device=device, text=text)


def _tag(signal: TagPlaced, uid: bytes, state: TableState) -> Moment:
    listed = _in_play(state, uid)
    if isinstance(listed, str):
        return _button(listed, state, signal.at_ms)
    card, deck = listed, signal.label.deck if signal.label is not None else ""
    if listed is None and uid in state.strangers:
        deck = ""
    elif listed is None:
        card = _by_label(signal, state)
    if card is None:
        kind = SignalKind.UNKNOWN_TAG
    elif listed is None and not state.options.trusts_labels and _are_all_tagged(state, card.face):
        kind = SignalKind.LABELLED_TAG
    else:
        kind = kind_by_place(state, card, signal.reader)
    known = known_without_asking(Tag(uid, b"", signal.sak or 0))
    is_sticker = card is not None or known is None or known.can_be_card
    return Moment(state, signal.at_ms, kind, card=card, tag=uid, device=signal.reader, text=deck, is_sticker=is_sticker)


def _are_all_tagged(state: TableState, face: Face) -> bool:
    """True where the list has a tag for each card of this face, so that one more is a card's second, or no card's."""
    tags = sum(isinstance(meaning, Card) and meaning.face is face for meaning in state.tags.values())
    return tags >= state.match.kind(face).copies


def kind_by_place(state: TableState, card: Card, reader: str) -> SignalKind:
    """Which kind of card this is, by where it is known to lie."""
    is_of_the_pile = reader == state.options.pile_reader
    if state.lies_in_pile(card):
        return SignalKind.DISCARDED_CARD
    if not state.options.is_tracked:
        return SignalKind.CARD
    match = state.match
    holder = state.places.holder(card)
    if is_of_the_pile:
        return SignalKind.PILE_CARD if holder is None else SignalKind.OTHERS_CARD
    if holder is not None:
        return SignalKind.CARD if holder == match.turn else SignalKind.OTHERS_CARD
    if match.phase is not Phase.PLAY or match.turn is None:
        return SignalKind.PILE_CARD
    if state.options.pile_reader or any(state.may_hold(seat, card) for seat in range(len(match.names))):
        return SignalKind.STRAY_CARD
    return SignalKind.PILE_CARD


def _in_play(state: TableState, tag: bytes) -> Card | str | None:
    """What the list says of a tag; None of a card that is none of this match's deck."""
    meaning = state.tags.get(tag)
    return None if isinstance(meaning, Card) and meaning.face not in state.match.setup.deck else meaning


def _by_label(signal: TagPlaced, state: TableState) -> Card | None:
    """The card of a tag that no list knows, by what is written on it; None if it is none of this deck's.

    Where it does not say which of the equal cards it is, or the list gives that one to another tag, nobody knows.
    """
    card = None if signal.label is None else card_of_label(signal.label, state.match.setup.deck)
    if card is None or (card.copy and card not in state.tags.values()):
        return card
    return sticker_card(card.face, signal.uid, state.tags.values())


def _button(button: str, state: TableState, at_ms: int) -> Moment:
    if button in _BY_WORD:
        return Moment(state, at_ms, _BY_WORD[button], text=button)
    if button in _BY_COLOUR:
        return Moment(state, at_ms, SignalKind.COLOUR, colour=_BY_COLOUR[button], text=button)
    if button in _FINDINGS:
        return Moment(state, at_ms, SignalKind.FINDS, guilty=_FINDINGS[button], text=button)
    if button in _DIRECTIONS:
        return Moment(state, at_ms, SignalKind.DIRECTION, is_clockwise=_DIRECTIONS[button], text=button)
    if button in _FORMS:
        return Moment(state, at_ms, SignalKind.FORM, text=button.partition(":")[2])
    if button in _DIGITS:
        return Moment(state, at_ms, SignalKind.DIGIT, text=button.partition(":")[2])
    if button.startswith(JOIN_PREFIX):
        return Moment(state, at_ms, SignalKind.JOIN, text=button.removeprefix(JOIN_PREFIX))
    if button.startswith(TAKE_UP_PREFIX):
        return _take_up(button, state, at_ms)
    prefix, _, number = button.partition(":")
    kind = _BY_PREFIX.get(prefix)
    # At most two digits: ten seats are the most there are.
    if kind is not None and number.isascii() and number.isdigit() and len(number) <= 2:
        seat = int(number)
        if seat < len(state.match.names) and state.match.playing[seat]:
            return Moment(state, at_ms, kind, seat=seat, text=button)
    return Moment(state, at_ms, SignalKind.UNKNOWN_BUTTON, text=button)


def _take_up(button: str, state: TableState, at_ms: int) -> Moment:
    """Only a match that the table itself has listed can be taken up."""
    for older in state.older:
        if button == f"{TAKE_UP_PREFIX}{older.number}":
            return Moment(state, at_ms, SignalKind.TAKE_UP, number=older.number, text=button)
    return Moment(state, at_ms, SignalKind.UNKNOWN_BUTTON, text=button)

"""One action and its one text form, the transcript line, in both directions.

No file, no header and no ruling here. Source: transcript, *Faces* and *Actions*.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from table_app.rules import actions as act
from table_app.rules.actions import Action
from table_app.rules.cards import COLOURS, Card, Colour, Deck
from table_app.rules.setup import NANOSECONDS
from table_app.rules.state import Match
from table_app.transcript.bad_line import BadLineError
from table_app.transcript.player_names import CARD, NOBODY, TABLE, check_name

_TIME = re.compile(r"@(\d{1,12})(?:\.(\d{1,9}))?(?=[ \t]|$)")
_NUMBER = re.compile(r"\d{1,9}")
_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#.*", re.DOTALL)


def without_comment(line: str) -> str:
    """The line without its comment (a ``#`` at its start or after a blank) and without blanks at either end."""
    return _COMMENT.sub("", line).strip(" \t")


# -- reading ---------------------------------------------------------------------------------------------------


def parse_action(text: str, match: Match) -> Action:
    """The action that a line without comment says, at the table of *match* (its players and its deck).

    :raises BadLineError: if it can't be read.
    """
    at_ns: int | None = None
    rest = text.strip(" \t")
    if rest.startswith("@"):
        time = _TIME.match(rest)
        if time is None:
            raise BadLineError("{word} is not a time; write @12 or @12.5, then a blank", word=_short(rest.split()[0]))
        at_ns = int(time[1]) * NANOSECONDS + int((time[2] or "").ljust(9, "0"))
        rest = rest[time.end() :].lstrip(" \t")
    who, colon, what = rest.partition(":")
    if not colon:
        raise BadLineError("there is no colon; write who, a colon, then what: {example}", example=_example(match))
    who, what = who.strip(" \t"), what.strip(" \t")
    words = what.split()
    if not words:
        raise BadLineError("nothing is said after the colon; write for example {example}", example=_example(match))
    if who == TABLE:
        return _table_action(words, what, match, at_ns)
    _known(who, match)
    return _player_action(who, words, what, match, at_ns)


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")


def _example(match: Match) -> str:
    return f"{match.names[0]}: r5"


def _known(name: str, match: Match) -> str:
    if name not in match.names:
        raise BadLineError(
            "nobody here is called {name}; the players are {names}", name=_short(name), names=", ".join(match.names)
        )
    return name


def _number(word: str, lowest: int = 0) -> int:
    if not _NUMBER.fullmatch(word) or int(word) < lowest:
        raise BadLineError("{word} is not a number from {lowest} on", word=_short(word), lowest=lowest)
    return int(word)


def parse_card(word: str, deck: Deck) -> Card:
    """A face code, perhaps with the copy (``r5#2``).

    :raises BadLineError: if it is none.
    """
    found = CARD.fullmatch(word.lower())
    if found:
        try:
            return Card(deck.face(found[1]), int(found[2] or 0))
        except ValueError:
            pass
    raise BadLineError("{word} is not a card; cards look like r5, gs, b+2, yr, w, w+4", word=_short(word))


def _cards(words: list[str], match: Match) -> tuple[Card, ...]:
    return tuple(parse_card(word, match.setup.deck) for word in words)


def _colour(word: str) -> Colour:
    try:
        return Colour(word.lower())
    except ValueError:
        raise BadLineError(
            "{word} is not a colour; it is one of {colours}", word=_short(word), colours=", ".join(COLOURS)
        ) from None


def _alone(words: list[str]) -> None:
    if len(words) > 1:
        raise BadLineError("{word} does not belong after {before}", word=_short(words[1]), before=words[0])


def _one(words: list[str], wrong: BadLineError) -> str:
    if len(words) != 2:
        raise wrong
    return words[1]


def _one_card(words: list[str], match: Match) -> Card:
    wrong = BadLineError("after {word} comes one card, and nothing else", word=words[0])
    return parse_card(_one(words, wrong), match.setup.deck)


def _one_number(words: list[str]) -> int:
    return _number(_one(words, BadLineError("after {word} comes a number, and nothing else", word=words[0])))


def _rest(what: str) -> str:
    """All behind the first word: a name may hold blanks."""
    return what.split(None, 1)[1].strip(" \t") if len(what.split(None, 1)) > 1 else ""


def _name_first(text: str, match: Match) -> tuple[str, list[str]]:
    """A known name at the start of *text*, the longest that leaves a word behind it, and the words behind it."""
    for name in sorted(match.names, key=len, reverse=True):
        if text.startswith(name) and text[len(name) :][:1] in (" ", "\t"):
            return name, text[len(name) :].split()
    if text in match.names:
        return text, []
    raise BadLineError(
        "{text} does not begin with a player; the players are {names}", text=_short(text), names=", ".join(match.names)
    )


PlayerReader = Callable[[str, list[str], str, Match], Action]


def _read_draw(who: str, words: list[str], what: str, match: Match) -> Action:
    if len(words) == 1:
        return act.Draw(who)
    if words[1].isdigit():
        if len(words) > 2:
            raise BadLineError(
                "{word} does not belong after draw {cards}", word=_short(words[2]), cards=_short(words[1])
            )
        return act.Draw(who, _number(words[1], 1))
    cards = _cards(words[1:], match)
    return act.Draw(who, len(cards), cards)


def _read_high(who: str, words: list[str], what: str, match: Match) -> Action:
    return act.DrawForDeal(who, _one_card(words, match))


def _read_finds(who: str, words: list[str], what: str, match: Match) -> Action:
    wrong = BadLineError("after {word} comes guilty or innocent, and nothing else", word=words[0])
    found = _one(words, wrong).lower()
    if found not in ("guilty", "innocent"):
        raise BadLineError("{word} is no finding; write finds guilty or finds innocent", word=_short(words[1]))
    return act.Finds(who, found == "guilty")


def _read_charade(who: str, words: list[str], what: str, match: Match) -> Action:
    guesser = _rest(what)
    if guesser.lower() == NOBODY and guesser not in match.names:
        return act.Charade(who, None)
    return act.Charade(who, _known(guesser, match))


PLAYER_WORDS: dict[str, PlayerReader] = {
    "draw": _read_draw,
    "high": _read_high,
    "finds": _read_finds,
    "charade": _read_charade,
    "catch": lambda who, words, what, match: act.Catch(who, _known(_rest(what), match)),
    "swap": lambda who, words, what, match: act.Swap(who, _known(_rest(what), match)),
    "shows": lambda who, words, what, match: act.Shows(who, _cards(words[1:], match)),
    "discard": lambda who, words, what, match: act.Discard(who, _cards(words[1:], match)),
    "points": lambda who, words, what, match: act.Points(who, _one_number(words)),
}
PLAYER_WORDS_ALONE: dict[str, Callable[[str], Action]] = {
    "keep": act.Keep,
    "uno": act.Call,
    "challenge": act.Challenge,
    "did": lambda who: act.AnswerDare(who, True),
    "refused": lambda who: act.AnswerDare(who, False),
    "out": act.GoOut,
}


def _player_action(who: str, words: list[str], what: str, match: Match, at_ns: int | None) -> Action:
    word = words[0].lower()
    if word in PLAYER_WORDS_ALONE:
        _alone(words)
        return _at(PLAYER_WORDS_ALONE[word](who), at_ns)
    if word in PLAYER_WORDS:
        return _at(PLAYER_WORDS[word](who, words, what, match), at_ns)
    if word in COLOURS:
        _alone(words)
        return act.NameColour(who, Colour(word), at_ns=at_ns)
    card = parse_card(word, match.setup.deck)
    if len(words) == 1:
        return act.Lay(who, card, at_ns=at_ns)
    if not card.face.is_wild:
        raise BadLineError(
            "{word} does not belong after {card}: only a wild names a colour", word=_short(words[1]), card=card.code
        )
    if len(words) > 2:
        raise BadLineError("{word} does not belong after the colour", word=_short(words[2]))
    return act.Lay(who, card, _colour(words[1]), at_ns=at_ns)


def _at(action: Action, at_ns: int | None) -> Action:
    return action if at_ns is None else replace(action, at_ns=at_ns)


def _read_deal(words: list[str], what: str, match: Match) -> Action:
    rest = _rest(what)
    if rest.isdigit():
        return act.DealUnseen(_number(rest, 1))
    name, codes = _name_first(rest, match)
    if not codes:
        raise BadLineError("the cards that were dealt to {name} are missing", name=name)
    return act.DealCards(name, _cards(codes, match))


SET_NUMBERS: dict[str, Callable[[str, int], Action]] = {
    "hand": act.SetHand,
    "owes": act.SetOwes,
    "score": act.SetScore,
}


def _read_set(words: list[str], what: str, match: Match) -> Action:
    rest = _rest(what)
    key, value = [*rest.split(None, 1), "", ""][:2]
    key = key.lower()
    if key in ("turn", "dealer"):
        name = _known(value.strip(" \t"), match)
        return act.SetTurn(name) if key == "turn" else act.SetDealer(name)
    if key in SET_NUMBERS:
        name, numbers = _name_first(value, match)
        if len(numbers) != 1:
            raise BadLineError("after set {key} come a player and one number", key=key)
        return SET_NUMBERS[key](name, _number(numbers[0]))
    if key == "target":
        return act.SetTarget(_number(value, 1))
    if key == "colour":
        return act.SetColour(_colour(value))
    if key == "direction":
        if value.lower() not in ("clockwise", "anticlockwise"):
            raise BadLineError("{word} is no direction; it is clockwise or anticlockwise", word=_short(value))
        return act.SetDirection(value.lower() == "clockwise")
    if key == "top":
        return act.SetTop(parse_card(value, match.setup.deck))
    raise BadLineError(
        "{key} can't be set; what can: turn, hand, owes, score, colour, direction, top, dealer, target",
        key=_short(key),
    )


TableReader = Callable[[list[str], str, Match], Action]
TABLE_WORDS: dict[str, TableReader] = {
    "deal": _read_deal,
    "set": _read_set,
    "start": lambda words, what, match: act.Start(_one_card(words, match)),
    "leaves": lambda words, what, match: act.Leaves(_known(_rest(what), match)),
    "joins": lambda words, what, match: act.Joins(check_name(_rest(what), match.names)),
    "called": lambda words, what, match: act.Called(_known(_rest(what), match)),
}
TABLE_WORDS_ALONE: dict[str, Callable[[], Action]] = {
    "reshuffle": act.Reshuffle,
    "allow": act.Allow,
    "last-round": act.LastRound,
    "wait": act.Wait,
    "undo": act.Undo,
}


def _table_action(words: list[str], what: str, match: Match, at_ns: int | None) -> Action:
    word = words[0].lower()
    if word in TABLE_WORDS_ALONE:
        _alone(words)
        return _at(TABLE_WORDS_ALONE[word](), at_ns)
    if word in TABLE_WORDS:
        return _at(TABLE_WORDS[word](words, what, match), at_ns)
    known = ", ".join(sorted(TABLE_WORDS | TABLE_WORDS_ALONE))
    raise BadLineError("{word} is not something the table can do; it can {known}", word=_short(words[0]), known=known)


# -- writing ---------------------------------------------------------------------------------------------------


def time_text(at_ns: int) -> str:
    """Nanoseconds as the seconds of a transcript line: 3500000000 is ``3.5``."""
    seconds, rest = divmod(at_ns, NANOSECONDS)
    return f"{seconds}.{rest:09d}".rstrip("0") if rest else str(seconds)


def codes(cards: tuple[Card, ...]) -> str:
    return "".join(f" {card.code}" for card in cards)


def _lay_text(action: act.Lay) -> str:
    return action.card.code + (f" {action.colour}" if action.colour else "")


def _draw_text(action: act.Draw) -> str:
    if action.cards:
        return f"draw{codes(action.cards)}"
    return "draw" if action.count == 1 else f"draw {action.count}"


PLAYER_TEXTS: dict[type[act.PlayerAction], Callable[..., str]] = {
    act.Lay: _lay_text,
    act.Draw: _draw_text,
    act.DrawForDeal: lambda action: f"high {action.card.code}",
    act.Keep: lambda action: "keep",
    act.Call: lambda action: "uno",
    act.Catch: lambda action: f"catch {action.caught}",
    act.Challenge: lambda action: "challenge",
    act.Shows: lambda action: f"shows{codes(action.cards)}",
    act.Finds: lambda action: "finds guilty" if action.guilty else "finds innocent",
    act.Points: lambda action: f"points {action.points}",
    act.Swap: lambda action: f"swap {action.other}",
    act.Charade: lambda action: f"charade {action.guesser or NOBODY}",
    act.AnswerDare: lambda action: "did" if action.did else "refused",
    act.Discard: lambda action: f"discard{codes(action.cards)}",
    act.NameColour: lambda action: str(action.colour),
    act.GoOut: lambda action: "out",
}
TABLE_TEXTS: dict[type[Action], Callable[..., str]] = {
    act.DealCards: lambda action: f"deal {action.player}{codes(action.cards)}",
    act.DealUnseen: lambda action: f"deal {action.count}",
    act.Start: lambda action: f"start {action.card.code}",
    act.Reshuffle: lambda action: "reshuffle",
    act.Leaves: lambda action: f"leaves {action.player}",
    act.Joins: lambda action: f"joins {action.player}",
    act.Called: lambda action: f"called {action.player}",
    act.Allow: lambda action: "allow",
    act.SetDealer: lambda action: f"set dealer {action.player}",
    act.SetTurn: lambda action: f"set turn {action.player}",
    act.SetHand: lambda action: f"set hand {action.player} {action.count}",
    act.SetOwes: lambda action: f"set owes {action.player} {action.count}",
    act.SetScore: lambda action: f"set score {action.player} {action.points}",
    act.SetTarget: lambda action: f"set target {action.points}",
    act.SetColour: lambda action: f"set colour {action.colour}",
    act.SetDirection: lambda action: f"set direction {'clockwise' if action.clockwise else 'anticlockwise'}",
    act.SetTop: lambda action: f"set top {action.card.code}",
    act.LastRound: lambda action: "last-round",
    act.Wait: lambda action: "wait",
    act.Undo: lambda action: "undo",
}


def action_text(action: Action) -> str:
    """The action as its transcript line: `parse_action` gives the same action again."""
    time = "" if action.at_ns is None else f"@{time_text(action.at_ns)} "
    if isinstance(action, act.PlayerAction):
        return f"{time}{action.player}: {PLAYER_TEXTS[type(action)](action)}"
    return f"{time}{TABLE}: {TABLE_TEXTS[type(action)](action)}"

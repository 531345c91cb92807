"""Rulings in words that a ten-year-old follows: one sentence for what was done or why not, one for each effect.

Only words: nothing here decides. *translate* is a gettext function; every sentence is one message with named places.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from table_app.rules import actions as act
from table_app.rules.cards import Colour, Face
from table_app.rules.messages import Counted, Translate, _, _n, in_number, untranslated
from table_app.rules.ruling import Code, Happening, Ruling
from table_app.rules.scoring import typed_bounds
from table_app.rules.state import (
    CLOCKWISE,
    CharadeQuestion,
    ColourQuestion,
    DareQuestion,
    DiscardQuestion,
    Match,
    Phase,
    ProofQuestion,
    ShowQuestion,
    SwapQuestion,
)
from table_app.rules.waits import public_waits

COLOUR_WORDS = {
    Colour.RED: _("red"),
    Colour.YELLOW: _("yellow"),
    Colour.GREEN: _("green"),
    Colour.BLUE: _("blue"),
}
COLOURED_WORDS: dict[Colour, dict[str, str]] = {
    Colour.RED: {"": _("red {rank}"), "s": _("red Skip"), "r": _("red Reverse"), "+2": _("red Draw Two")},
    Colour.YELLOW: {
        "": _("yellow {rank}"),
        "s": _("yellow Skip"),
        "r": _("yellow Reverse"),
        "+2": _("yellow Draw Two"),
    },
    Colour.GREEN: {"": _("green {rank}"), "s": _("green Skip"), "r": _("green Reverse"), "+2": _("green Draw Two")},
    Colour.BLUE: {"": _("blue {rank}"), "s": _("blue Skip"), "r": _("blue Reverse"), "+2": _("blue Draw Two")},
}
"""Each as a whole: in many languages the colour's form depends on what it stands with. Under "" are the numbers."""
WILD_WORDS = {
    "w": _("Wild"),
    "w+4": _("Wild Draw Four"),
    "wshuffle": _("Wild Shuffle Hands"),
    "wswap": _("Wild Swap Hands"),
    "wcustom": _("Wild Customizable"),
    "wcustom1": _("Wild Customizable 1"),
    "wcustom2": _("Wild Customizable 2"),
    "wcustom3": _("Wild Customizable 3"),
    "wrain1": _("Wild Downpour 1"),
    "wrain2": _("Wild Downpour 2"),
}


def colour_name(colour: Colour, translate: Translate = untranslated) -> str:
    return translate(COLOUR_WORDS[colour])


def face_name(wanted: Face, translate: Translate = untranslated, title: str = "") -> str:
    """A card in words: *red 7*, *green Skip*, *Wild*; *title* is a deck file's own name for a special card."""
    if wanted.colour is None:
        return title or translate(WILD_WORDS.get(wanted.code, wanted.code))
    words = COLOURED_WORDS[wanted.colour]
    return translate(words.get(wanted.rank, words[""])).format(rank=wanted.rank)


def ruling_text(match: Match, ruling: Ruling, translate: Translate = untranslated) -> str:
    """The ruling in words; *match* is the match after it. What has no place now is told what is awaited instead."""
    sentences = [_refusal(match, ruling, translate) if ruling.code else _deed(match, ruling, translate)]
    if isinstance(ruling.action, act.Leaves) and ruling.is_ok and match.phase is Phase.PLAY:
        message = _("The hand goes back under the draw pile, and what {player} owed or had open lapses.")
        return " ".join(
            (*effect_sentences(ruling, translate, match.before), translate(message).format(player=ruling.action.player))
        )
    if ruling.code is Code.NOT_NOW and not isinstance(ruling.action, (act.Leaves, act.Joins)):
        sentences += [wait_text(player, word, translate) for player, word in public_waits(match)[:1]]
    sentences += effect_sentences(ruling, translate, match.before)
    return " ".join(sentence for sentence in sentences if sentence)


def deed_text(match: Match, ruling: Ruling, translate: Translate = untranslated) -> str:
    """What was done, without what came of it where that says nothing of the deed itself."""
    if not ruling.code and (deed := _deed(match, ruling, translate)):
        return deed
    return ruling_text(match, ruling, translate)


# -- what was done ---------------------------------------------------------------------------------------------

DEEDS: dict[type[act.Action], str | Counted] = {
    act.DrawForDeal: _("{player} draws the {card} for the deal."),
    act.DealCards: _("Cards in the hand of {player}: {count}."),
    act.DealUnseen: _n("Everybody has {count} card.", "Everybody has {count} cards."),
    act.Start: _("The first card is the {card}."),
    act.Lay: _("{player} laid the {card}."),
    act.NameColour: _("{player} names {colour}."),
    act.Allow: _("The table lets the card stand."),
    act.Draw: "",
    act.Keep: _("{player} ends the turn."),
    act.Reshuffle: _("The discard pile is shuffled and becomes the draw pile."),
    act.Call: _("{player} says Uno."),
    act.Catch: _("{player} catches {caught}."),
    act.Called: _("{player} did call; the table heard it."),
    act.Challenge: _("{player} challenges the Wild Draw Four."),
    act.Finds: _("{player} has seen the hand."),
    act.Shows: _("{player} shows the hand to the referee."),
    act.Points: "",
    act.Swap: "",
    act.Charade: _("{player} says who guessed it."),
    act.AnswerDare: "",
    act.Discard: _n("{player} discards {count} card.", "{player} discards {count} cards."),
    act.Leaves: "",
    act.Joins: "",
    act.SetDealer: _("{player} deals."),
    act.SetTurn: _("The turn goes to {player}."),
    act.SetHand: _("Cards in the hand of {player}: {count}."),
    act.SetOwes: _("{player} must draw {count}."),
    act.SetScore: _n("{player} has {points} point.", "{player} has {points} points."),
    act.SetTarget: _n("The match is played to {points} point.", "The match is played to {points} points."),
    act.SetColour: _("The colour is {colour}."),
    act.SetDirection: "",
    act.SetTop: _("The top card is the {card}."),
    act.LastRound: "",
    act.GoOut: "",
    act.Wait: _("Time passes."),
    act.Undo: _("The last action is taken back."),
}


def _deed(match: Match, ruling: Ruling, translate: Translate) -> str:
    action = ruling.action
    if isinstance(action, act.AnswerDare):
        message: str | Counted = _("{player} did the dare.") if action.did else _("{player} does not do the dare.")
    elif isinstance(action, act.Wait) and ruling.effects:
        return ""
    elif isinstance(action, act.DealUnseen) and any(hand.known for hand in match.hands):
        message = _n("Everybody else has {count} card.", "Everybody else has {count} cards.")
    elif isinstance(action, act.SetOwes) and not action.count:
        message = _("{player} has nothing to draw.")
    elif isinstance(action, act.SetDirection):
        is_clockwise = match.direction == CLOCKWISE
        message = _("The turn goes clockwise.") if is_clockwise else _("The turn goes anticlockwise.")
    elif isinstance(action, act.Lay) and isinstance(match.question, (ColourQuestion, ProofQuestion)):
        message = _("{player} laid a {card}.")
    else:
        message = DEEDS[type(action)]
    places = _places(match, action, translate)
    if isinstance(message, Counted):
        number = places["points"] if isinstance(action, act.SetScore | act.SetTarget) else places["count"]
        message = in_number(message, int(str(number)), translate)
    else:
        message = translate(message) if message else ""
    return message.format(**places)


def _places(match: Match, action: act.Action, translate: Translate) -> dict[str, object]:
    places: dict[str, object] = {name: getattr(action, name, "") for name in ("player", "caught", "count", "points")}
    card = getattr(action, "card", None)
    if card is not None:
        places["card"] = card_name(match, card.face, translate)
    colour = getattr(action, "colour", None)
    if colour is not None:
        places["colour"] = colour_name(colour, translate)
    if isinstance(action, (act.DealCards, act.Discard)):
        places["count"] = len(action.cards)
    return places


def card_name(match: Match, wanted: Face, translate: Translate = untranslated) -> str:
    """A card in words, by the deck's own name where it has one."""
    kind = match.setup.deck.kinds.get(wanted)
    return face_name(wanted, translate, kind.title if kind is not None else "")


# -- why not ---------------------------------------------------------------------------------------------------

REASONS: dict[Code, str] = {
    Code.NOT_CALLED: _("{player} has not called Uno and can't lay the last card before that."),
    Code.NOT_YOUR_TURN: _("It is {turn}'s turn, not {player}'s."),
    Code.NO_MATCH: _("The {card} does not go on the {top}. It needs the same colour, number or sign."),
    Code.NOT_IN_HAND: _("{player} does not hold that card."),
    Code.ALREADY_PLAYED: _("Every {card} in the deck is already somewhere else, so it can't be here too."),
    Code.UNKNOWN_CARD: _("There is no {card} in this deck."),
    Code.WILD_DRAW_FOUR: _("{player} holds a card of the colour in force, so the Wild Draw Four must wait."),
    Code.DRAWN_CARD: _("After drawing, only the drawn card may be laid in this turn."),
    Code.OWES_CARDS: _("Cards that are owed must be drawn first: {debts}."),
    Code.NAME_COLOUR: _("{asked} must name a colour first."),
    Code.CHOOSE_SWAP: _("{asked} must first choose whom to swap hands with."),
    Code.SHOW_HAND: _("{asked} must show the hand first."),
    Code.CANNOT_CHALLENGE: _("There is no Wild Draw Four that {player} may challenge now."),
    Code.NOTHING_TO_CATCH: _("{caught} can't be caught now."),
    Code.ALREADY_DRAWN: _("Only one card may be drawn in a turn: lay it or keep it."),
    Code.NOTHING_TO_KEEP: _("{player} has to lay a card or draw one first."),
    Code.MUST_PLAY: _("The drawn card fits, so by the house rule it must be laid."),
    Code.WRONG_COUNT: _("That is not the right number of cards: {player} has {hand} to show."),
    Code.NOT_DEALT: _("There is no first card yet: deal, then turn one over."),
    Code.NO_CARDS_LEFT: _("There aren't that many cards: the draw pile holds {pile}."),
    Code.ROUND_OVER: _("The round is over; count, or deal the next one."),
    Code.MATCH_OVER: _("The match is over."),
    Code.CANNOT_UNDO: _("There is nothing left to take back in this round."),
    Code.NOT_NOW: _("That can't be done now. What may come next:"),
    Code.BAD_LINE: _("This line can't be read."),
}


def _refusal(match: Match, ruling: Ruling, translate: Translate) -> str:
    action = ruling.action
    assert ruling.code is not None
    message = _reason(match, action, ruling.code)
    places = _places(match, action, translate) | _refusal_places(match, action, translate)
    return translate(message).format(**places)


def _reason(match: Match, action: act.Action, code: Code) -> str:
    """Why, as closely as it can be said; `REASONS` has what holds in general."""
    if code is Code.BAD_LINE and action.at_ns is not None and action.at_ns < match.now_ns:
        return _("This line can't be read: its time is earlier than that of a line above it.")
    if code is Code.OWES_CARDS and not any(match.owes):
        return _("Cards that are owed must be drawn first.")
    if code is Code.WRONG_COUNT and isinstance(action, act.Points):
        return _("{player} can't have {points} points in the hand: from {least} to {most} are possible.")
    if code is Code.NO_MATCH and isinstance(action, act.Discard):
        return _("That card can't be discarded now.")
    if code is Code.NO_MATCH and match.top is not None and match.top.is_wild:
        return _("The {card} does not go there: the colour that was named is {colour_in_force}.")
    if code is Code.NOT_YOUR_TURN and isinstance(action, act.Lay):
        return _("It is {turn}'s turn, not {player}'s. The card goes back to the hand.")
    if code is Code.NOT_NOW and isinstance(action, (act.Joins, act.Leaves)):
        return _why_not_now(match, action)
    if code is Code.NO_CARDS_LEFT and match.setup.refereed and not match.draw_pile:
        if match.nothing_to_draw:
            return _("There is nothing left to draw, and nothing to shuffle: lay a card, or end the turn.")
        return _("The draw pile is empty: first shuffle the discard pile.")
    return REASONS[code]


def _why_not_now(match: Match, action: act.Joins | act.Leaves) -> str:
    """Why nobody joins or leaves now, and what to do (rules `join` and `leave`)."""
    if match.setup.teams:
        return _("Nobody can join or leave a match in teams: start a new one with the names.")
    if match.setup.refereed and match.round_number == 0:
        return _("Nobody can join or leave before the first round: choose again who plays.")
    if isinstance(action, act.Joins):
        if match.phase is not Phase.BETWEEN:
            return _("{player} can join between rounds: play this round to its end, then join before the next deal.")
        if action.player in match.names:
            return _("Somebody is called {player} already: choose another name.")
        return _("Ten players are the most there can be: {player} can join when somebody has left.")
    if not match.playing[match.seat_of(action.player)]:
        return _("{player} has already left, or is out of the match.")
    if match.phase is Phase.OUT:
        return _("{player} is out, and can leave when the others' hands are counted.")
    return _(
        "Nobody can leave while cards are dealt or drawn for the deal: {player} can leave once the first card is "
        "turned."
    )


def _refusal_places(match: Match, action: act.Action, translate: Translate) -> dict[str, object]:
    owing = [f"{name} {cards}" for name, cards in zip(match.names, match.owes, strict=True) if cards]
    cards = getattr(action, "cards", ())
    places: dict[str, object] = {
        "turn": match.names[match.turn] if match.turn is not None else "",
        "top": card_name(match, match.top, translate) if match.top is not None else "",
        "colour_in_force": colour_name(match.colour, translate) if match.colour is not None else "",
        "debts": ", ".join(owing),
        "pile": match.draw_pile if match.setup.refereed else 0,
        "asked": _asked(match),
        "hand": _cards_to_show(match, action),
    }
    if isinstance(action, act.Points):
        places["least"], places["most"] = typed_bounds(match, match.seat_of(action.player))
    if not hasattr(action, "card"):
        unknown = [card.face for card in cards if card.face not in match.setup.deck]
        some = unknown[0] if unknown else cards[0].face if cards else None
        # Which card of a hand that is shown, drawn or dealt is at fault stays between the hand and the referee.
        is_of_hand = isinstance(action, act.Shows) or (isinstance(action, (act.Draw, act.DealCards)) and not unknown)
        is_public = some is not None and not is_of_hand
        places["card"] = card_name(match, some, translate) if some and is_public else translate(_("such card"))
    return places


def _asked(match: Match) -> str:
    question = match.question
    if isinstance(question, (ColourQuestion, SwapQuestion, ShowQuestion, ProofQuestion, DareQuestion)):
        return match.names[question.seat]
    if isinstance(question, CharadeQuestion):
        return match.names[question.seat]
    if isinstance(question, DiscardQuestion):
        return ", ".join(match.names[seat] for seat in question.seats)
    return ""


def _cards_to_show(match: Match, action: act.Action) -> int:
    player = getattr(action, "player", None)
    if player not in match.names:
        return 0
    seat = match.seat_of(player)
    if isinstance(match.question, ShowQuestion) and match.wild_four is not None and match.question.seat == seat:
        return match.wild_four.hand.size
    return match.hands[seat].size


# -- what it caused --------------------------------------------------------------------------------------------

EFFECT_WORDS: dict[str, str | Counted] = {
    "skip": _("{player} is skipped."),
    "reverse": _("The direction of play is reversed."),
    "owes": _("{player} must draw {value}."),
    "drew": _("{player} drew {value}."),
    "colour": _("The colour is {colour}."),
    "uno-due": _("{player} has one card left and must call Uno."),
    "uno-called": _("{player} called Uno."),
    "uno-missed": _("{player} did not call Uno and must draw {value}."),
    "uno-closed": _("Nobody caught {player}, who did not call Uno."),
    "number": _("{player} shows {value}, more than was thought: the number is put right."),
    "guilty": _("{player} held a card of the colour: guilty."),
    "innocent": _("{player} held no card of the colour: innocent."),
    "swap": _("{player} and {other} swap hands."),
    "pass-hands": _("All hands move on by one seat."),
    "shuffle-hands": _("All hands are shuffled and dealt out again."),
    "put-back": _("It goes back into the draw pile; turn another card."),
    "set-aside": _("It is set aside; turn another card."),
    "reshuffle-needed": _("The draw pile is empty: shuffle the discard pile."),
    "forgiven": _("There is nothing left to draw: {player} is forgiven {value}."),
    "out": _("{player} is out."),
    "points": _n("{player} has {value} point left in the hand.", "{player} has {value} points left in the hand."),
    "score": _("{player} scores {value}."),
    "eliminated": _("{player} is out of the match."),
    "match": _("{player} has won the match."),
    "dealer": _("{player} deals."),
    "tie": _("{player} draws again."),
    "left": _("{player} leaves the match."),
    "joined": _("{player} joins."),
    "drawn-round": _("Nobody can draw or lay: the round is a draw."),
    "lifted": _n("The {value} card for {player} is lifted.", "The {value} cards for {player} are lifted."),
    "take-back": _("It goes back to the hand."),
    "allowed": _("It stays in the record as allowed."),
    "corrected": _("That is put right."),
    "last-round": _("This is the last round."),
}


HELD_WORDS: dict[str, dict[Colour, str]] = {
    "guilty": {
        Colour.RED: _("{player} held a red card: guilty."),
        Colour.YELLOW: _("{player} held a yellow card: guilty."),
        Colour.GREEN: _("{player} held a green card: guilty."),
        Colour.BLUE: _("{player} held a blue card: guilty."),
    },
    "innocent": {
        Colour.RED: _("{player} held no red card: innocent."),
        Colour.YELLOW: _("{player} held no yellow card: innocent."),
        Colour.GREEN: _("{player} held no green card: innocent."),
        Colour.BLUE: _("{player} held no blue card: innocent."),
    },
}
"""A verdict names the colour that was looked for: not the one in force, which the Wild Draw Four has changed."""
HELD_QUESTIONS: dict[Colour, str] = {
    Colour.RED: _("Did {player} hold a red card?"),
    Colour.YELLOW: _("Did {player} hold a yellow card?"),
    Colour.GREEN: _("Did {player} hold a green card?"),
    Colour.BLUE: _("Did {player} hold a blue card?"),
}
OWES_MORE = _("{player} must draw {value} more.")
"""What a lost challenge costs: the four are owed already."""


class Sought(NamedTuple):
    """What a Wild Draw Four is judged by: whether the hand of *seat* held a card of *colour* (None: there was none)."""

    seat: int
    colour: Colour | None


def sought(match: Match) -> Sought | None:
    """What is looked for while a Wild Draw Four may be challenged, or the hand behind it is shown; else None.

    It is the colour before the card; of one stacked on another the colour that the last one named (rule `stacking`).
    """
    if isinstance(match.question, ProofQuestion):
        return Sought(match.question.seat, match.question.colour_before)
    four = match.wild_four
    if four is None or not (four.challengeable or isinstance(match.question, ShowQuestion)):
        return None
    return Sought(four.layer, four.colour_before)


def sought_text(match: Match, translate: Translate = untranslated) -> str:
    """The question that decides a challenge, such as *Did Ann hold a red card?*; empty where none is open."""
    found = sought(match)
    if found is None or found.colour is None:
        return ""
    return translate(HELD_QUESTIONS[found.colour]).format(player=match.names[found.seat])


def effect_sentences(ruling: Ruling, translate: Translate = untranslated, before: Match | None = None) -> list[str]:
    """One sentence for each effect, in their order; who drew time and again while the clock ran is told once.

    *before* is the match before it, by which a verdict names its colour.
    """
    is_clock = isinstance(ruling.action, act.Wait)
    happenings = _summed(ruling.effects) if is_clock else list(ruling.effects)
    owes = OWES_MORE if any(happening.word == "innocent" for happening in happenings) else EFFECT_WORDS["owes"]
    words = {**EFFECT_WORDS, "owes": owes}
    looked_for = sought(before) if before is not None else None
    if looked_for is not None and looked_for.colour is not None:
        words |= {verdict: said[looked_for.colour] for verdict, said in HELD_WORDS.items()}
    return [_effect_sentence(happening, words[happening.word], translate) for happening in happenings]


def _summed(happenings: Iterable[Happening]) -> list[Happening]:
    """What came several times, once; cards drawn by the same player are added up."""
    drawn: dict[Happening, int] = {}
    for happening in happenings:
        one = happening._replace(value=None) if happening.word == "drew" else happening
        drawn[one] = drawn.get(one, 0) + (int(happening.value or 0) if happening.word == "drew" else 0)
    return [one._replace(value=count) if one.word == "drew" else one for one, count in drawn.items()]


def _effect_sentence(happening: Happening, message: str | Counted, translate: Translate) -> str:
    colour = colour_name(Colour(str(happening.value)), translate) if happening.word == "colour" else ""
    if isinstance(message, Counted):
        said = in_number(message, int(happening.value or 0), translate)
    else:
        said = translate(message)
    return said.format(player=happening.player, other=happening.other, value=happening.value, colour=colour)


# -- what is awaited -------------------------------------------------------------------------------------------

WAIT_WORDS: dict[str, str] = {
    "deal": _("Deal the cards."),
    "start": _("Turn the first card."),
    "high": _("{player} draws a card for the deal."),
    "play": _("{player} lays a card."),
    "draw": _("{player} draws."),
    "keep": _("{player} keeps the card."),
    "colour": _("{player} names a colour."),
    "swap": _("{player} chooses whom to swap hands with."),
    "challenge": _("{player} may challenge."),
    "show": _("{player} shows the hand to the referee."),
    "find": _("{player} says what was found."),
    "dare": _("{player} does the dare or not."),
    "charade": _("{player} says who guessed it."),
    "discard": _("{player} may discard."),
    "reshuffle": _("Shuffle the discard pile into a new draw pile."),
    "points": _("The points of {player} are typed in."),
    "out": _("{player} is out."),
    "nothing": _("The match is over."),
}


def wait_text(player: str | None, word: str, translate: Translate = untranslated) -> str:
    """One entry of `waits` in words."""
    return translate(WAIT_WORDS[word]).format(player=player)

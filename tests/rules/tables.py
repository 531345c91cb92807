"""Tables to try the rules on: random set-ups, and the acts that somebody could come up with at them.

No test in here. Acts are chosen by numbers, so that Hypothesis can shrink them and a seeded generator can go deep.
"""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import strategies as st

from table_app.rules import (
    COLOURS,
    DECKS,
    EDITIONS,
    NANOSECONDS,
    Action,
    Allow,
    AnswerDare,
    Call,
    Called,
    Card,
    Catch,
    Challenge,
    Charade,
    CustomKind,
    CustomRule,
    DealCards,
    DealUnseen,
    Discard,
    Draw,
    DrawForDeal,
    Face,
    Finds,
    GoOut,
    Hand,
    HouseRule,
    Joins,
    Keep,
    LastRound,
    Lay,
    Leaves,
    Match,
    NameColour,
    Phase,
    Points,
    Reshuffle,
    Scoring,
    SetColour,
    SetDealer,
    SetDirection,
    SetHand,
    SetOwes,
    SetScore,
    SetTarget,
    SetTop,
    SetTurn,
    Setup,
    Shows,
    Start,
    Swap,
    UnoMode,
    Wait,
    WildFourMode,
    agreed_deck,
    face,
)
from table_app.rules.state import DiscardQuestion, ShowQuestion

NAMES = ("Ann", "Ben", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jo")
LATE_COMERS = ("Kim", "Lee", "Mo")
CARD_KINDS = [CustomKind.NEXT, CustomKind.OTHERS, CustomKind.DARE]


def custom_rules() -> st.SearchStrategy[tuple[CustomRule, ...]]:
    rule = st.builds(
        lambda kind, cards: CustomRule(kind, cards if kind in CARD_KINDS else 0),
        st.sampled_from(list(CustomKind)),
        st.integers(1, 3),
    )
    return st.lists(rule, min_size=1, max_size=3).map(tuple)


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    """Any set-up that does not contradict itself; a plain one is the simplest."""
    players = NAMES[: draw(st.integers(2, 10))]
    edition = EDITIONS[draw(st.sampled_from(["classic", "2018", "h2o", "2022"]))]
    deck = DECKS[draw(st.sampled_from(["2018", "2018-swap"]))] if edition.deck == "2018" else DECKS[edition.deck]
    custom = draw(custom_rules()) if face("wcustom") in deck else None
    house = set(draw(st.sets(st.sampled_from(list(HouseRule)))))
    scoring = draw(st.sampled_from(list(Scoring)))
    if len(players) < 4 or len(players) % 2 or scoring is not Scoring.WINNER:
        house.discard(HouseRule.TEAMS)
    targets: list[int | None] = [500, 60] if scoring is not Scoring.WINNER else [500, 60, None]
    return Setup(
        players=players,
        edition=edition,
        deck=agreed_deck(deck, edition, custom, draw(st.sampled_from([50, 40]))),
        dealer=draw(st.sampled_from([None, players[0]])),
        target=draw(st.sampled_from(targets)),
        scoring=scoring,
        wild_four=draw(st.sampled_from(list(WildFourMode))),
        uno=draw(st.sampled_from(list(UnoMode))),
        grace_ns=draw(st.sampled_from([5, 2])) * NANOSECONDS,
        house=frozenset(house),
        refereed=draw(st.sampled_from([True, True, True, True, True, True, True, False])),
        wrong_play=draw(st.sampled_from([0, 2])),
        false_catch=draw(st.sampled_from([0, 1])),
        uno_penalty=draw(st.sampled_from([2, 4])),
        turn_clock_ns=draw(st.sampled_from([None, 4 * NANOSECONDS])),
    )


# -- the acts that `waits` names -------------------------------------------------------------------------------


def playing(match: Match) -> list[str]:
    return [name for name, plays in zip(match.names, match.playing, strict=True) if plays]


def deck_faces(match: Match) -> list[Face]:
    return list(match.setup.deck.kinds)


def lays(match: Match, player: str, faces: list[Face] | None = None) -> Iterator[Lay]:
    """Every card of the deck, a wild with a colour named."""
    for wanted in deck_faces(match) if faces is None else faces:
        yield Lay(player, Card(wanted), COLOURS[0] if wanted.is_wild else None)


def free_faces(match: Match, count: int) -> tuple[Card, ...]:
    """As many cards as asked for that lie in no seen hand and not in the discard pile, spread over the deck."""
    found: list[Face] = []
    faces = deck_faces(match)
    while len(found) < count:
        before = len(found)
        for wanted in faces[::7] + faces:
            copies = match.setup.deck.kinds[wanted].copies
            if len(found) < count and match.seen_elsewhere(wanted) + found.count(wanted) < copies:
                found.append(wanted)
        if len(found) == before:
            break
    return tuple(Card(wanted) for wanted in found)


def free_for_high(match: Match) -> list[Card]:
    """The cards that are still in the pile in the draw for the deal."""
    drawn = [wanted for _, wanted in match.high.drawn] if match.high else []
    kinds = match.setup.deck.kinds
    return [Card(wanted) for wanted in list(kinds)[::4] if drawn.count(wanted) < kinds[wanted].copies]


def each_free_card(match: Match) -> list[Card]:
    """One of every face of which a copy may still be unseen."""
    kinds = match.setup.deck.kinds
    return [Card(wanted) for wanted in kinds if match.seen_elsewhere(wanted) < kinds[wanted].copies]


def shown(match: Match, player: str) -> Shows:
    """A hand that this player may show: the seen cards, and free ones for the unseen."""
    seat = match.seat_of(player)
    hand: Hand = match.hands[seat]
    if isinstance(match.question, ShowQuestion) and match.wild_four is not None and match.question.seat == seat:
        hand = match.wild_four.hand
    return Shows(player, tuple(map(Card, hand.known)) + free_faces(match, hand.unseen))


def typed(match: Match, player: str) -> Points:
    """Points that this player may have left: those of the seen cards; with the score alone a few."""
    kinds = match.setup.deck.kinds
    seen = sum(kinds[held].points for held in match.hands[match.seat_of(player)].known)
    return Points(player, seen if match.setup.refereed else 12)


def shown_with_more(match: Match, player: str, more: int) -> Shows:
    """The same hand and *more* cards that were drawn without a word."""
    cards = shown(match, player).cards
    kinds = match.setup.deck.kinds
    free = [
        card
        for card in each_free_card(match)
        if cards.count(card) + match.seen_elsewhere(card.face) < kinds[card.face].copies
    ]
    return Shows(player, cards + tuple(free[:more]))


def discards(match: Match, player: str) -> list[Discard]:
    seat = match.seat_of(player)
    question = match.question
    wilds = tuple(Card(held) for held in match.hands[seat].known if held.is_wild)
    if isinstance(question, DiscardQuestion) and question.kind is CustomKind.DISCARD_WILDS:
        return [Discard(player, wilds)]
    fitting = tuple(Card(held) for held in match.hands[seat].known if held.colour is match.colour)
    return [Discard(player, ()), Discard(player, fitting)]


def acts(match: Match, player: str | None, word: str) -> list[Action]:
    """The acts that this entry of `waits` stands for; all of them are accepted, of `play` at least one."""
    if player is None:
        table_acts: dict[str, list[Action]] = {
            "deal": [DealUnseen(1)],
            "start": [Start(card) for card in each_free_card(match)],
            "reshuffle": [Reshuffle()],
            "nothing": [],
        }
        return table_acts[word]
    others = [name for name in playing(match) if name != player]
    player_acts: dict[str, list[Action]] = {
        "high": [DrawForDeal(player, card) for card in free_for_high(match)],
        "play": list(lays(match, player)),
        "draw": [Draw(player), *(Draw(player, 1, (card,)) for card in each_free_card(match)[::3])],
        "keep": [Keep(player)],
        "colour": [NameColour(player, colour) for colour in COLOURS],
        "swap": [Swap(player, other) for other in others],
        "challenge": [Challenge(player)],
        "show": [shown(match, player)] if match.setup.refereed else [Shows(player, ())],
        "find": [Finds(player, True), Finds(player, False)],
        "dare": [AnswerDare(player, True), AnswerDare(player, False)],
        "charade": [Charade(player, None), *(Charade(player, other) for other in others)],
        "discard": list(discards(match, player)),
        "points": [typed(match, player)],
        "out": [GoOut(player)],
    }
    return player_acts[word]


PLAYER_WORDS = tuple(
    "high play draw keep colour swap challenge show find dare charade discard points out".split()  # noqa: SIM905
)
TABLE_WORDS = ("deal", "start", "reshuffle")


# -- anything at all -------------------------------------------------------------------------------------------


def anything(match: Match, player: str, number: int) -> Action:
    """Some act of *player* or the table that need not make any sense now; *number* chooses."""
    number, kind = divmod(number, 30)
    faces = deck_faces(match)
    card = Card(faces[number % len(faces)])
    names = match.names
    other = names[number % len(names)]
    colour = COLOURS[number % 4]
    count = 1 + number % 4
    held = match.hands[match.seat_of(player)].known
    from_hand = Card(held[number % len(held)]) if held else card
    choices: list[Action] = [
        Call(player),
        Catch(player, other),
        Lay(player, from_hand, colour if from_hand.face.is_wild and number % 3 else None),
        Lay(player, card, colour if card.face.is_wild and number % 3 else None),
        Lay(player, Card(match.top) if match.top else card),
        Draw(player, count),
        Draw(player, 1, (card,)),
        Keep(player),
        Challenge(player),
        shown(match, player),
        Shows(player, (card,)) if number % 2 else shown_with_more(match, player, count),
        Finds(player, bool(number % 2)),
        Points(player, count),
        Swap(player, other),
        Charade(player, other if number % 3 else None),
        AnswerDare(player, bool(number % 2)),
        Discard(player, (from_hand,) * (number % 3)),
        NameColour(player, colour),
        GoOut(player),
        DrawForDeal(player, card),
        DealCards(player, free_faces(match, count)),
        DealUnseen(count),
        Start(card),
        Reshuffle(),
        Leaves(player) if match.phase is not Phase.PLAY or number % 4 == 0 else Allow(),
        Joins(LATE_COMERS[number % 3]),
        Called(player),
        Allow(),
        _put_right(match, player, number),
        Wait(),
    ]
    return choices[kind]


def beside(match: Match, number: int) -> Action:
    """Something that makes sense now although `waits` never lists it: calls, catches, jump-ins, acts of the table."""
    number, kind = divmod(number, 9)
    names = match.names
    player = names[number % len(names)]
    caught = names[match.window.seat] if match.window else player
    fined = next((name for name, fine in zip(names, match.fines, strict=True) if fine), player)
    wanted = match.top or deck_faces(match)[number % 40]
    choices: list[Action] = [
        Catch(player, caught),
        Call(caught),
        Called(fined),
        Allow(),
        Lay(player, Card(wanted), None if wanted.colour else COLOURS[number % 4]),
        Leaves(player),
        Joins(LATE_COMERS[number % 3]),
        _put_right(match, player, number // 3),
        _put_right(match, player, number // 3),
    ]
    return choices[kind]


def _put_right(match: Match, player: str, number: int) -> Action:
    number, kind = divmod(number, 10)
    faces = deck_faces(match)
    most = match.hands[match.seat_of(player)].size + match.draw_pile if match.setup.refereed else 5
    sizes = (0, 1, 2, 3, 4, most - 1, most, most + 1)
    choices: list[Action] = [
        SetHand(player, sizes[number % len(sizes)]),
        SetScore(player, number % 70),
        SetTurn(player),
        SetColour(COLOURS[number % 4]),
        SetDirection(bool(number % 2)),
        SetTop(Card(faces[number % len(faces)])),
        LastRound(),
        SetDealer(player),
        SetOwes(player, number % 5),
        SetTarget(30 + 30 * (number % 40)),
    ]
    return choices[kind]

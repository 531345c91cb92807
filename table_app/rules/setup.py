"""What a table agreed before the first card: edition, deck, scoring, house rules and cards each, as data.

Nothing here decides a play; the rules read these values. Source: rulebook sections 3, 9 and 10, transcript (header).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from table_app.rules.cards import DECKS, CustomRule, Deck, customized, face, repriced
from table_app.rules.house_rules import HouseRule, contradiction
from table_app.rules.messages import Sentence, _

NANOSECONDS = 1_000_000_000
"""Times inside the core are whole nanoseconds, so that *exactly at the end* is exact."""

MINIMUM_PLAYERS = 2
MAXIMUM_PLAYERS = 10


@dataclass(frozen=True, slots=True)
class Edition:
    """A printed edition of the rules (rulebook section 3)."""

    name: str
    deck: str
    target: int | None = 500
    first_card_is_a_number: bool = False
    dealer_is_named: bool = False
    every_wild_counts: int | None = None


EDITIONS: Mapping[str, Edition] = MappingProxyType(
    {
        edition.name: edition
        for edition in (
            Edition("classic", "classic"),
            Edition("2018", "2018"),
            Edition(
                "2022",
                "2018",
                target=None,
                first_card_is_a_number=True,
                dealer_is_named=True,
                every_wild_counts=50,
            ),
            Edition("h2o", "h2o"),
        )
    }
)


class Scoring(StrEnum):
    WINNER = "winner"
    ELIMINATION = "elimination"
    LOWEST = "lowest"


class WildFourMode(StrEnum):
    CHALLENGE = "challenge"
    STRICT = "strict"
    PROVE = "prove"


class UnoMode(StrEnum):
    REFEREE = "referee"
    PLAYERS = "players"


class SetupError(ValueError):
    """A set-up that contradicts itself; *key* is the header key to blame, the text a sentence."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


@dataclass(frozen=True, slots=True)
class Setup:
    """One table's agreement. *grace_ns* and *turn_clock_ns* are nanoseconds, penalties numbers of cards.

    :raises SetupError: if it contradicts itself.
    """

    players: tuple[str, ...]
    edition: Edition = EDITIONS["classic"]
    deck: Deck = DECKS["classic"]
    dealer: str | None = None
    target: int | None = 500
    scoring: Scoring = Scoring.WINNER
    wild_four: WildFourMode = WildFourMode.CHALLENGE
    uno: UnoMode = UnoMode.REFEREE
    grace_ns: int = 5 * NANOSECONDS
    house: frozenset[HouseRule] = frozenset()
    refereed: bool = True
    wrong_play: int = 0
    false_catch: int = 0
    uno_penalty: int = 2
    turn_clock_ns: int | None = None
    scores: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        for check in (_check_players, _check_scoring, _check_house, _check_teams, _check_dealer):
            check(self)

    @property
    def teams(self) -> bool:
        return HouseRule.TEAMS in self.house

    def partners(self, seat: int) -> tuple[int, ...]:
        """The seats that share *seat*'s score: with `teams` the one opposite too, in seat order."""
        if not self.teams:
            return (seat,)
        half = len(self.players) // 2
        return tuple(sorted((seat, (seat + half) % len(self.players))))


def _check_players(setup: Setup) -> None:
    number = len(setup.players)
    if not MINIMUM_PLAYERS <= number <= MAXIMUM_PLAYERS:
        message = f"{number} player{'s' if number != 1 else ''}: from 2 to 10 can play; name them all"
        raise SetupError("players", message)
    if len(set(setup.players)) != number:
        raise SetupError("players", "two players have the same name; call one of them something else")


def _check_scoring(setup: Setup) -> None:
    if setup.target is not None and setup.target < 1:
        raise SetupError("target", "the target must be at least 1 point, or none")
    if setup.scoring is not Scoring.WINNER and setup.target is None:
        raise SetupError("scoring", f"{setup.scoring} needs a target; give one, such as target: 500")
    if setup.scores and len(setup.scores) != len(setup.players):
        raise SetupError("scores", "there must be one score for each player")
    if setup.target is not None and any(score >= setup.target for score in setup.scores):
        raise SetupError("scores", f"a score is at or over the target of {setup.target}; the match would be over")


def _check_house(setup: Setup) -> None:
    if reason := contradiction([rule.row for rule in HouseRule if rule in setup.house]):
        raise SetupError("house", reason)


def _check_teams(setup: Setup) -> None:
    if not setup.teams:
        return
    number = len(setup.players)
    if number < 4 or number % 2:
        raise SetupError("house", f"teams need an even number of players from four on; there are {number}")
    if setup.scoring is not Scoring.WINNER:
        raise SetupError("house", f"teams can't be combined with scoring: {setup.scoring}")
    if setup.scores and any(
        setup.scores[seat] != setup.scores[partner] for seat in range(number) for partner in setup.partners(seat)
    ):
        raise SetupError("scores", "partners share one score; give both the same, or only one of them")


def _check_dealer(setup: Setup) -> None:
    if setup.dealer is not None and setup.dealer not in setup.players:
        raise SetupError("dealer", f"{setup.dealer} does not play; the dealer must be one of the players")


def agreed_deck(
    deck: Deck, edition: Edition, custom: tuple[CustomRule, ...] | None = None, wild_points: int = 50
) -> Deck:
    """*deck* as this table plays it: points by edition and option, and the Customizable rules.

    :raises SetupError: if Customizable rules are agreed (*custom* is not None) for a deck without such cards.
    """
    blank = face("wcustom")
    if custom is not None and blank not in deck:
        raise SetupError("custom", f"the deck {deck.name} has no Customizable cards; leave custom out")
    result = customized(deck, custom or ())
    if edition.every_wild_counts is not None:
        return repriced(result, edition.every_wild_counts, all_wilds=True)
    return repriced(result, wild_points, all_wilds=False) if wild_points != 50 else result


DRAW_PILE_MIN = 4
"""Cards left to draw once the first one is turned: what one Wild Draw Four takes."""


def most_cards_each(deck_size: int, players: int) -> int:
    """The largest number of cards each that leaves the first card and some to draw, at least 1."""
    return max((deck_size - 1 - DRAW_PILE_MIN) // players, 1)


def too_few_cards_text(deck_size: int, players: int, wanted: int) -> Sentence | None:
    """That the deck is too small for so many, and what to do; None where it is not."""
    most = most_cards_each(deck_size, players)
    if wanted <= most:
        return None
    message = _(
        "{players} players can't have {wanted} cards each of a deck of {size}, with some left to draw: {most} each at "
        "most. Write cards-each = {most} under [table] in the settings, or let fewer play."
    )
    return Sentence(message, players=players, wanted=wanted, size=deck_size, most=most)

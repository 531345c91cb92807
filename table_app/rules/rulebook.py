"""The rulebook in words: one paragraph a rule, under the short name that rulings cite, for the set-up in force.

Only words, and when they hold; what the referee does is in the other modules. Rulings where the printed sheets disagree
or are silent carry their reason. *translate* is a gettext function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from table_app.rules.cards import CustomKind, Deck, Effect
from table_app.rules.house_rules import PRICES, HouseRule, Price
from table_app.rules.messages import Translate, _, _n, in_number, untranslated
from table_app.rules.setup import NANOSECONDS, Scoring, Setup, UnoMode, WildFourMode

Condition = Callable[[Setup], bool]


def always(setup: Setup) -> bool:
    del setup
    return True


def refereed(setup: Setup) -> bool:
    return setup.refereed


def house(rule: HouseRule) -> Condition:
    return lambda setup: rule in setup.house and (setup.refereed or rule.row.holds_unrefereed)


def costs(price: Price) -> Condition:
    return lambda setup: setup.refereed and price.cards(setup) > 0


def has(effect: Effect) -> Condition:
    return lambda setup: setup.refereed and any(kind.effect is effect for kind in setup.deck.kinds.values())


def mode(wanted: WildFourMode) -> Condition:
    return lambda setup: setup.refereed and setup.wild_four is wanted


class Paragraph(NamedTuple):
    """One paragraph: the rule's short *name*, its words, and *when* it holds.

    *reason*: why it is ruled so, where printed sheets disagree or are silent.
    """

    name: str
    text: str
    when: Condition = refereed
    reason: str = ""


PLAY: tuple[Paragraph, ...] = (
    Paragraph(
        "dealer",
        _(
            "Each player draws one card, and the highest number deals. A card without a number counts as nothing; "
            "whoever ties for the highest draws again; the cards go back. You may also just name the dealer. After "
            "each round the deal passes to the left."
        ),
        lambda setup: setup.refereed and not setup.edition.dealer_is_named,
        _("The sheets do not say what a tie or a card without a number means. Counting it as nothing needs no table."),
    ),
    Paragraph(
        "dealer",
        _("The dealer is named, so that the youngest can start, say. After each round the deal passes to the left."),
        lambda setup: setup.refereed and setup.edition.dealer_is_named,
    ),
    Paragraph("deal", _("Everybody gets seven cards. The rest is the draw pile.")),
    Paragraph(
        "first-card",
        _(
            "The top card of the draw pile is turned over and begins the discard pile. A number: the player left of "
            "the dealer begins. Skip: that player loses the turn. Reverse: play goes the other way and the dealer "
            "begins. Draw Two: the player left of the dealer draws two and loses the turn. A wild: that player names "
            "the colour, then plays. Wild Draw Four: it goes back, and another is turned."
        ),
        lambda setup: setup.refereed and not setup.edition.first_card_is_a_number,
        _(
            "One translated sheet skips the player on the right for a Skip; all others, and the table of effects, say "
            "the left. Special wilds are treated as a plain Wild, since nobody has played them. The first card was "
            "turned and not played, so nobody stacks on it or jumps in on it, and it moves no hands."
        ),
    ),
    Paragraph(
        "first-card",
        _(
            "The top card of the draw pile is turned over. Anything but a number is set aside and another is turned; "
            "the number begins the discard pile, and the player left of the dealer begins."
        ),
        lambda setup: setup.refereed and setup.edition.first_card_is_a_number,
    ),
    Paragraph("turn", _("Only the player whose turn it is may lay a card or draw one, and lays one card, not two.")),
    Paragraph(
        "match",
        _(
            "A card may be laid if it has the colour in force, or the same number or sign as the top card. After a "
            "wild only the named colour fits."
        ),
    ),
    Paragraph(
        "wild",
        _(
            "A Wild may be laid on any turn, whatever else you hold. You name a colour, which may be the one already "
            "in force. Until it is named nobody else plays."
        ),
    ),
    Paragraph(
        "draw",
        _(
            "Instead of laying a card you may draw one, also if you could lay one. Lay the drawn card at once if it "
            "fits, or keep it; then the turn ends."
        ),
    ),
    Paragraph("drawn-card", _("After drawing, no other card than the drawn one may be laid in this turn.")),
    Paragraph("exchange", _("Players never trade or show cards, except where a rule says so.")),
    Paragraph(
        "reshuffle",
        _(
            "When the draw pile is empty the top card stays, and the rest of the discard pile is shuffled and becomes "
            "the draw pile. Cards still owed are then drawn."
        ),
        refereed,
        _("If there is nothing left to shuffle either, what can't be drawn is forgiven: no card can be invented."),
    ),
    Paragraph("skip", _("Skip: the next player loses the turn.")),
    Paragraph(
        "reverse",
        _("Reverse: play goes the other way round. When two players are left it is a Skip."),
    ),
    Paragraph("draw-two", _("Draw Two: the next player draws two cards and loses the turn.")),
    Paragraph(
        "wild-draw-four",
        _(
            "Wild Draw Four: you name a colour, and the next player draws four cards and loses the turn. It is legal "
            "only if you hold no card of the colour in force. Cards of the same number, and other wilds, do not count."
        ),
        refereed,
        _(
            "As a last card it is always legal, since no other card is held; nobody challenges it, and "
            "the four are drawn."
        ),
    ),
    Paragraph(
        "challenge",
        _(
            "You may bluff with a Wild Draw Four. The next player may challenge before drawing. You then show your "
            "hand to the referee alone. Guilty: you draw the four, and the challenger plays on. Innocent: the "
            "challenger draws {challenge} and loses the turn. The named colour stands."
        ),
        mode(WildFourMode.CHALLENGE),
    ),
    Paragraph(
        "challenge",
        _(
            "A Wild Draw Four seen to be illegal is refused and goes back to the hand. If the referee can't know, it "
            "stands, and the next player may challenge before drawing. Guilty: the layer draws the four. Innocent: "
            "the challenger draws {challenge} and loses the turn."
        ),
        mode(WildFourMode.STRICT),
    ),
    Paragraph(
        "challenge",
        _(
            "A Wild Draw Four must be legal. If the referee can't know, the layer shows the rest of the hand to the "
            "referee before the card stands; if it was a bluff, it goes back to the hand. Nobody challenges."
        ),
        mode(WildFourMode.PROVE),
    ),
    Paragraph(
        "uno-call",
        _(
            "Whoever lays the last card but one must call Uno, from the start of that turn on. Whoever has not called "
            "when {grace} are over, or when the next turn begins, draws {penalty}. The referee sees to it; "
            "other players may catch sooner."
        ),
        lambda setup: setup.refereed and setup.uno is UnoMode.REFEREE,
        _(
            "The duty comes from laying a card: who comes to one card by a swap owes no call. The time counts from "
            "naming the colour, so that nobody is caught while choosing. Who would begin the next own turn uncalled is "
            "caught first."
        ),
    ),
    Paragraph(
        "uno-call",
        _(
            "Whoever lays the last card but one must call Uno, from the start of that turn on, before another player "
            "says that the call was missed. When the next turn has begun it is too late to be caught."
        ),
        lambda setup: setup.refereed and setup.uno is UnoMode.PLAYERS,
        _("The duty comes from laying a card: who comes to one card by a swap owes no call."),
    ),
    Paragraph(
        "uno-catch",
        _(
            "Any other player may catch who has laid the last card but one without calling, until the next turn "
            "begins. Caught, that player draws {penalty}, which costs no turn."
        ),
    ),
    Paragraph(
        "called",
        _(
            "A machine hears no voice. If the table says that the call was made aloud, the fine is lifted, as long as "
            "none of it has been drawn."
        ),
        refereed,
        _("The referee is there to help a table, not to overrule its ears."),
    ),
    Paragraph(
        "shuffle-hands",
        _(
            "Wild Shuffle Hands: you gather all hands, shuffle them and deal them out again one by one from the left. "
            "You name a colour."
        ),
        has(Effect.SHUFFLE_HANDS),
        _("Hands may be unequal afterwards. As a last card it is a plain Wild."),
    ),
    Paragraph(
        "swap-hands",
        _("Wild Swap Hands: you swap your whole hand with a player of your choice, and name a colour."),
        has(Effect.SWAP_HANDS),
        _("As a last card it is a plain Wild."),
    ),
    Paragraph(
        "downpour",
        _("Wild Downpour: all other players draw as many cards as it says. Nobody loses a turn. You name a colour."),
        has(Effect.DOWNPOUR),
        _("As a last card the cards are drawn before the count, as with a Draw Two."),
    ),
    Paragraph(
        "customizable",
        _("Wild Customizable: you name a colour. {custom}"),
        has(Effect.CUSTOMIZABLE),
        _("As a last card it is a plain Wild, but cards that it makes others draw are drawn before the count."),
    ),
    Paragraph(
        "owes",
        _("Cards that are owed are drawn before anything else happens."),
    ),
    Paragraph(
        "cards",
        _("A card can only come from where it is: not from the discard pile, nor from another player's hand."),
    ),
    Paragraph(
        "order",
        _("Everything at the table has its place; anything out of place is refused and changes nothing."),
        always,
    ),
)


AROUND_PLAY: tuple[Paragraph, ...] = (
    Paragraph(
        "out",
        _(
            "Whoever lays the last card ends the round. If that card makes others draw, they draw first, and those "
            "cards count."
        ),
        always,
    ),
    Paragraph(
        "unrefereed",
        _("The table is used for the score alone: say who is out, then show or type what the others hold."),
        lambda setup: not setup.refereed,
    ),
    Paragraph(
        "score",
        _("Whoever is out scores the points of all cards that the others still hold; nobody else scores. {points}"),
        lambda setup: setup.scoring is Scoring.WINNER and setup.target is not None and not setup.teams,
    ),
    Paragraph(
        "score",
        _("What is left in the hands is counted after each round. {points}"),
        lambda setup: setup.scoring is not Scoring.WINNER,
    ),
    Paragraph(
        "target",
        _("Whoever first reaches {target} points has won the match."),
        lambda setup: setup.target is not None and setup.scoring is Scoring.WINNER,
    ),
    Paragraph(
        "single",
        _("There are no points: who is out first has won."),
        lambda setup: setup.target is None,
    ),
    Paragraph(
        "elimination",
        _(
            "Every player adds the points left in the own hand. Whoever reaches {target} is out of the match. The last "
            "two play on as two, until one of them reaches it; the other has won."
        ),
        lambda setup: setup.scoring is Scoring.ELIMINATION,
    ),
    Paragraph(
        "lowest",
        _(
            "Every player adds the points left in the own hand. When somebody reaches {target} the match is over, and "
            "the lowest total wins; equal lowest totals win together."
        ),
        lambda setup: setup.scoring is Scoring.LOWEST,
    ),
    Paragraph(
        "time",
        _("A bell may end the match: the round under way is finished, then the best total wins, ties together."),
        lambda setup: setup.target is not None,
    ),
    *(Paragraph(rule.row.word, rule.row.text, house(rule), rule.row.reason) for rule in HouseRule),
    Paragraph(
        "turn-clock",
        _("House rule. A turn not begun within {clock} is a card drawn, and the turn passes."),
        lambda setup: setup.refereed and setup.turn_clock_ns is not None,
    ),
    *(Paragraph(price.key, price.text, costs(price)) for price in PRICES if price.text),
    Paragraph(
        "drawn-round",
        _(
            "If there is nothing to draw and everybody has passed, the round ends, nobody scores and "
            "the deal passes on."
        ),
        refereed,
        _("The sheets do not say what happens then; without this the round would never end."),
    ),
    Paragraph(
        "leave",
        _(
            "A player may leave. The hand goes back under the draw pile, what was owed or open lapses, and the next "
            "seat goes on. When one player is left, that player has won."
        ),
        lambda setup: not setup.teams,
        _("A Wild Draw Four laid by somebody who leaves can't be challenged any more; its four are drawn."),
    ),
    Paragraph(
        "join",
        _("A player may join between rounds, in the last seat, with no points."),
        lambda setup: not setup.teams and setup.scoring is Scoring.WINNER,
        _("With no points, since nobody has scored against the newcomer."),
    ),
    Paragraph(
        "join",
        _("A player may join between rounds, in the last seat, with the highest total of those still in."),
        lambda setup: not setup.teams and setup.scoring is not Scoring.WINNER,
        _("Where points are bad, coming late must not be an advantage."),
    ),
    Paragraph(
        "belief",
        _(
            "In a hand that the referee has not seen, the number of cards is what it believes, and real cards go "
            "before it: who shows more has drawn without a word, and the number is put right. Who shows fewer is asked "
            "for the rest."
        ),
        refereed,
        _("A card kept back could be the one that matters; one card more can only do harm to its holder."),
    ),
    Paragraph(
        "typed-points",
        _("Points that are typed for a hand must be such as that hand can have."),
        lambda setup: setup.target is not None,
    ),
    Paragraph(
        "allow",
        _(
            "The table may let a refused card stand; the record says so. Also one laid by who has to draw and lose the "
            "turn, instead of drawing: those cards are then the next player's."
        ),
        refereed,
    ),
    Paragraph(
        "undo",
        _("The last action may be taken back, as often as wanted within the round, with its penalties."),
        always,
    ),
    Paragraph(
        "set",
        _(
            "Whoever keeps the table may put right a count, a score, the turn, the colour, the direction, the top "
            "card, what somebody has to draw, the dealer or the target."
        ),
        always,
    ),
)


PARAGRAPHS: tuple[Paragraph, ...] = PLAY + AROUND_PLAY

CUSTOM_WORDS: dict[CustomKind, str] = {
    CustomKind.NONE: _("Nothing more happens."),
    CustomKind.NEXT: _("The next player draws {cards} and loses the turn."),
    CustomKind.OTHERS: _("All others draw {cards}."),
    CustomKind.AGAIN: _("Everybody else is skipped: you play again."),
    CustomKind.DARE: _("The next player does the dare ({dare}) or draws {cards}; it costs no turn."),
    CustomKind.DISCARD_WILDS: _("All others discard their wilds."),
    CustomKind.CHARADE: _("Whoever guesses your charade may discard cards of the named colour."),
}
CARDS = _n("{count} card", "{count} cards")
SECONDS = _n("{count} second", "{count} seconds")
POINTS_WORDS = _("Numbers count what they say, Skip, Reverse and Draw Two 20, wilds {wilds}.")


def rulebook(setup: Setup, translate: Translate = untranslated) -> Iterator[tuple[str, str]]:
    """The rules in force at this table, as pairs of a short name and a paragraph."""
    places = _places(setup, translate)
    for paragraph in PARAGRAPHS:
        if paragraph.when(setup):
            yield paragraph.name, translate(paragraph.text).format(**places)


def _places(setup: Setup, translate: Translate) -> dict[str, object]:
    no_bluff = HouseRule.NO_BLUFF in setup.house
    places: dict[str, object] = {price.field: price.cards(setup) for price in PRICES}
    return places | {
        "challenge": 4 if no_bluff else 6,
        "grace": _seconds(setup.grace_ns, translate),
        "penalty": in_number(CARDS, setup.uno_penalty, translate).format(count=setup.uno_penalty),
        "custom": _custom_words(setup.deck, translate),
        "points": _points_words(setup.deck, translate),
        "target": setup.target,
        "clock": _seconds(setup.turn_clock_ns or 0, translate),
    }


def _seconds(nanoseconds: int, translate: Translate) -> str:
    message = in_number(SECONDS, 1 if nanoseconds == NANOSECONDS else 2, translate)
    return message.format(count=f"{nanoseconds / NANOSECONDS:g}")


def _custom_words(deck: Deck, translate: Translate) -> str:
    rules = [kind.custom for kind in deck.kinds.values() if kind.custom is not None]
    unique = list(dict.fromkeys(rules))
    return " ".join(
        translate(CUSTOM_WORDS[rule.kind]).format(cards=rule.cards, dare=rule.dare or "…") for rule in unique
    )


def _points_words(deck: Deck, translate: Translate) -> str:
    wilds = sorted({kind.points for wanted, kind in deck.kinds.items() if wanted.is_wild})
    return translate(POINTS_WORDS).format(wilds=", ".join(str(points) for points in wilds))

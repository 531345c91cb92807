"""The rulebook's words for the deal, a turn, the calls and the cards (rulebook sections 4 to 8).

Only words, and when they hold.
"""

from __future__ import annotations

from table_app.rules.cards import Effect
from table_app.rules.paragraph import Paragraph, always, has, mode, refereed
from table_app.rules.paragraph import mark as _
from table_app.rules.setup import UnoMode, WildFourMode

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

"""What a press means: a seat's own button, the buttons of the table, a touch, a key; they are all the same.

One function a meaning; which of them applies when is in `handlers`. Each takes a `Moment` and gives an `Answer`, and
its first line says the meaning in words. Nothing is allowed or refused here: that is the core's.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from table_app.play import calling
from table_app.play.clock import is_past_limit
from table_app.play.hands_tapped import take_back_shown
from table_app.play.modes import SEAT_PREFIXES, Answer, Moment, SignalKind
from table_app.play.notices import Notice, refused, said
from table_app.play.planning import Plan, drawing_seat, lead_to
from table_app.play.state import (
    NANOSECONDS_PER_MS,
    QUESTION_MS,
    Form,
    LabelQuestion,
    MenuPage,
    Pause,
    TableState,
    start_clock,
    stop_clock,
)
from table_app.rules import (
    Allow,
    AnswerDare,
    Card,
    Challenge,
    Charade,
    DealUnseen,
    Draw,
    Finds,
    GoOut,
    Keep,
    LastRound,
    Lay,
    NameColour,
    Phase,
    SetColour,
    Swap,
    waits,
)
from table_app.rules.state import CharadeQuestion, ColourQuestion, DareQuestion, ShowQuestion, SwapQuestion
from table_app.tags.stickers import sticker_card

OLDER_SHOWN = 4
"""Matches on one page of the smallest panel, with a button for each."""

# -- the turn --------------------------------------------------------------------------------------------------


def draw(moment: Moment) -> Answer:
    """All that a player owes is drawn, as far as the pile goes, where anything is owed; else one card by the player
    whose turn it is, or whose seat was touched just before: those between drew and kept without a word."""
    match = moment.match
    seat = drawing_seat(match)
    if seat is None:
        return Answer(moment.state, notice=refused("Nobody draws now."))
    plan, announced = Plan.of(moment), moment.state.announced
    if announced is not None and announced != seat and lead_to(plan, announced):
        plan.add(Draw(match.names[announced], 1))
        return Answer(moment.state, tuple(plan.actions))
    count = max(min(match.owes[seat], match.draw_pile), 1)
    return Answer(moment.state, (Draw(match.names[seat], count),))


def draw_one(moment: Moment) -> Answer:
    """One card is drawn, also where more are owed."""
    seat = drawing_seat(moment.match)
    if seat is None:
        return Answer(moment.state, notice=refused("Nobody draws now."))
    return Answer(moment.state, (Draw(moment.name(seat), 1),))


def keep(moment: Moment) -> Answer:
    """The player whose turn it is keeps the drawn card, or passes where nothing can be drawn."""
    match = moment.match
    assert match.turn is not None
    return Answer(moment.state, (Keep(match.names[match.turn]),))


def name_colour(moment: Moment) -> Answer:
    """The colour of the wild is named, and a card that was laid before is laid now; once more, another colour is put
    right while the wild lies on top."""
    match = moment.match
    assert moment.colour is not None
    question = match.question
    if question is None and match.phase is Phase.PLAY and match.top is not None and match.top.is_wild:
        return Answer(moment.state, (SetColour(moment.colour),))
    seat = question.seat if isinstance(question, ColourQuestion) else match.turn
    assert seat is not None
    plan = Plan.of(moment)
    plan.add(NameColour(match.names[seat], moment.colour))
    if moment.state.next_card is not None and plan.match.turn is not None:
        plan.add(Lay(plan.match.names[plan.match.turn], moment.state.next_card))
    return Answer(moment.state, tuple(plan.actions))


def challenge(moment: Moment) -> Answer:
    """The player who has to draw four challenges the Wild Draw Four."""
    match = moment.match
    seat = match.wild_four.victim if match.wild_four is not None else match.turn
    assert seat is not None
    return Answer(moment.state, (Challenge(match.names[seat]),))


def finds(moment: Moment) -> Answer:
    """The challenger, who was shown the hand in private, says what was found."""
    match = moment.match
    question = match.question
    if not isinstance(question, ShowQuestion):
        return Answer(moment.state, notice=refused("No hand is being shown for a challenge now."))
    return Answer(moment.state, (Finds(match.names[question.challenger], moment.guilty),))


def swap(moment: Moment) -> Answer:
    """Hands are swapped with this player."""
    match = moment.match
    seat = match.question.seat if isinstance(match.question, SwapQuestion) else match.turn
    assert seat is not None
    return Answer(moment.state, (Swap(match.names[seat], moment.name()),))


def swap_or_call(moment: Moment) -> Answer:
    """Hands are swapped with this player; who has to choose and touches the own seat calls."""
    question = moment.match.question
    is_own = isinstance(question, SwapQuestion) and question.seat == moment.seat
    return calling.seat(moment) if is_own else swap(moment)


# -- the table -------------------------------------------------------------------------------------------------


def deal(moment: Moment) -> Answer:
    """Everybody has been dealt to."""
    return Answer(moment.state, (DealUnseen(moment.state.cards_each),))


def allow(moment: Moment) -> Answer:
    """The card that was just refused stands after all."""
    return Answer(moment.state, (Allow(),))


def undo(moment: Moment) -> Answer:
    """The last answer is taken back, with all its actions; while a hand is being shown or dealt, its last card. Right
    after a card that was refused it says that nothing was laid, and after a new tag that it stays; once more takes back
    what was done before it.

    What that answer had taken back itself is done again: a card given to another seat is who had it before's. The bell
    of a time limit that is reached stays.
    """
    state = moment.state
    if shown := take_back_shown(moment) or refused_card_back(moment) or tag_stays(moment):
        return shown
    actions = state.history.undo(is_bell_kept=is_past_limit(state, moment.at_ms))
    if not actions:
        return Answer(state, notice=refused("The time is up; the bell can't be taken back."))
    return Answer(state, actions, is_undo=True)


def menu(moment: Moment) -> Answer:
    """The rarer buttons are shown, or put away again."""
    is_closed = moment.state.menu is MenuPage.CLOSED
    return Answer(replace(moment.state, menu=MenuPage.MORE if is_closed else MenuPage.CLOSED))


def rules(moment: Moment) -> Answer:
    """The rules in force are shown to be read, or put away again."""
    is_open = moment.state.menu is MenuPage.RULES
    return Answer(replace(moment.state, menu=MenuPage.CLOSED if is_open else MenuPage.RULES))


def put_right(moment: Moment) -> Answer:
    """What can be put right is shown."""
    return Answer(replace(moment.state, menu=MenuPage.PUT_RIGHT))


def bell(moment: Moment) -> Answer:
    """The bell: the match ends with the round under way, or with the next one."""
    return Answer(replace(moment.state, menu=MenuPage.CLOSED), (LastRound(),))


def draw_for_the_deal(moment: Moment) -> Answer:
    """Each player draws a card for the deal; pressed again, the dealer stays who it is."""
    state = moment.state
    if ("high" not in {word for _name, word in waits(state.match)}) or state.match.high is not None:
        return Answer(state, notice=refused("The dealer is known already."))
    if state.dealing:
        return Answer(state, notice=refused("Cards are dealt already: deal them all, or take them back with Undo."))
    after = replace(state, is_deal_drawn_for=not state.is_deal_drawn_for, menu=MenuPage.CLOSED)
    if after.is_deal_drawn_for:
        return Answer(after, notice=said("Each player draws a card and taps it; the highest number deals."))
    return Answer(after, notice=said("{} deals.", moment.name(state.match.dealer)))


# -- standing still --------------------------------------------------------------------------------------------


def pause(moment: Moment) -> Answer:
    """The table stands still, and its clocks with it."""
    after = replace(moment.state, pause=Pause.ASKED, menu=MenuPage.CLOSED, form=None)
    return Answer(stop_clock(after, moment.at_ms), notice=said("The table is paused."))


def go_on(moment: Moment) -> Answer:
    """The table goes on in the same turn."""
    return Answer(_going_on(moment), notice=said("The table goes on."))


def go_on_by_it(moment: Moment) -> Answer:
    """The table goes on, and this means what it does there."""
    return Answer(_going_on(moment), is_read_anew=True)


def other_card_lies_there(moment: Moment) -> Answer:
    """The table goes on, and what does not agree is put right first."""
    after = _going_on(moment)
    if moment.match.phase is not Phase.PLAY:
        return Answer(after, notice=said("The table goes on. Undo takes back what did not happen."))
    return Answer(replace(after, form=Form("resync", moment.at_ms + QUESTION_MS)))


def _going_on(moment: Moment) -> TableState:
    menu = MenuPage.CLOSED if moment.state.menu is MenuPage.OLDER else moment.state.menu
    return start_clock(replace(moment.state, pause=None, menu=menu), moment.at_ms)


def out(moment: Moment) -> Answer:
    """This player is out (the score alone is kept)."""
    state, action = moment.state, GoOut(moment.name())
    if moment.foresee(moment.match, action)[1].is_ok:
        # No act of the round that was just played is in the record, so its time is not either.
        played_ms = state.at_ns(moment.at_ms) // NANOSECONDS_PER_MS
        state = replace(state, earlier_ms=state.earlier_ms + played_ms)
    return Answer(state, (action,))


def another_match(moment: Moment) -> Answer:
    """Another match begins, with the same players and rules."""
    return Answer(moment.state, begins_match=True)


# -- matches that were put aside -------------------------------------------------------------------------------


def older_matches(moment: Moment) -> Answer:
    """The earlier matches that are not finished are shown, or put away again."""
    state = moment.state
    if state.menu is MenuPage.OLDER:
        return Answer(replace(state, menu=MenuPage.CLOSED))
    return Answer(replace(state, menu=MenuPage.OLDER, older_from=0), lists_older=True)


def next_older(moment: Moment) -> Answer:
    """The next few of them are shown, and after the last the first again."""
    state = moment.state
    first = state.older_from + OLDER_SHOWN
    return Answer(replace(state, older_from=first if first < len(state.older) else 0))


def take_up(moment: Moment) -> Answer:
    """That match goes on; the one that lies here stays in the record, and can be taken up again."""
    return Answer(moment.state, takes_up=moment.number)


# -- answers to what a card asks -------------------------------------------------------------------------------


def did_the_dare(moment: Moment) -> Answer:
    """The dare was done."""
    return _dare(moment, did=True)


def refused_the_dare(moment: Moment) -> Answer:
    """The dare was refused."""
    return _dare(moment, did=False)


def _dare(moment: Moment, *, did: bool) -> Answer:
    question = moment.match.question
    assert isinstance(question, DareQuestion)
    return Answer(moment.state, (AnswerDare(moment.name(question.seat), did),))


def guessed(moment: Moment) -> Answer:
    """This player guessed the charade; whose charade it is and touches the own seat calls."""
    question = moment.match.question
    if isinstance(question, CharadeQuestion) and question.seat == moment.seat:
        return calling.seat(moment)
    return _charade(moment, moment.name())


def nobody_guessed(moment: Moment) -> Answer:
    """Nobody guessed the charade."""
    return _charade(moment, None)


def _charade(moment: Moment, guesser: str | None) -> Answer:
    question = moment.match.question
    assert isinstance(question, CharadeQuestion)
    return Answer(moment.state, (Charade(moment.name(question.seat), guesser),))


# -- presses that change nothing -------------------------------------------------------------------------------


def nothing_open(moment: Moment) -> Answer:
    """Nothing: there is no question to answer."""
    return Answer(moment.state, notice=said("There is no question to answer now."))


def out_of_place(moment: Moment) -> Answer:
    """Nothing: it says that this has no place here."""
    if moment.match.phase is Phase.OVER:
        return Answer(moment.state, notice=refused("The match is over. Press Again for another one."))
    if moment.kind is SignalKind.OLDER:
        return Answer(moment.state, notice=refused("Pause first: another match can go on while this one stands still."))
    return Answer(moment.state, notice=refused("That has no place here now."))


def unknown_button(moment: Moment) -> Answer:
    """Nothing: no such button or seat is in use; it says which seats are."""
    prefix, _colon, number = moment.text.partition(":")
    if prefix in SEAT_PREFIXES and number.lstrip("-").isdecimal():
        playing = [(seat + 1, name) for seat, name in enumerate(moment.match.names) if moment.match.playing[seat]]
        seats = ", ".join(f"{seat} {name}" for seat, name in playing)
        if 0 <= int(number) < len(moment.match.names):
            return Answer(
                moment.state, notice=refused("{} plays no more. The seats are: {}.", moment.name(int(number)), seats)
            )
        return Answer(moment.state, notice=refused("There is no seat {}. The seats are: {}.", int(number) + 1, seats))
    return Answer(moment.state, notice=refused("The button {} has no meaning at this table.", moment.text))


def refused_card_back(moment: Moment) -> Answer | None:
    """The refused card goes back to its player's hand, and nothing changes; None where no card was just refused."""
    history = moment.state.history
    if history.refused is None:
        return None
    after = replace(moment.state, history=replace(history, refused=None))
    return Answer(after, notice=_refused_card_notice(moment, history.refused))


def _refused_card_notice(moment: Moment, refused: Lay) -> Notice:
    """What becomes of the card, and what Undo takes back if it is pressed once more."""
    last = moment.state.history.last
    face, player = refused.card.face, refused.player
    if moment.match.before is None or last is None:
        return said(
            "The {} goes back to the hand of {}: nothing was laid, and nothing can be taken back.", face, player
        )
    if isinstance(last.action, Lay) and last.is_ok:
        return said(
            "The {} goes back to the hand of {}: nothing was laid. Undo once more takes back the {} of {}.",
            face,
            player,
            last.action.card.face,
            last.action.player,
        )
    return said(
        "The {} goes back to the hand of {}: nothing was laid. Undo once more takes back what was done before.",
        face,
        player,
    )


NEW_TAG_TOLD = said("The new tag is the {} from now on.")
"""Without its card."""


def choose_tag(moment: Moment) -> Answer:
    """This tag is the card's from now on, in place of the one that was lost."""
    form = moment.state.form
    assert form is not None and form.card is not None
    after, card = with_new_tag(moment.state, form.card, moment.tag)
    return Answer(
        replace(after, form=None), notice=replace(NEW_TAG_TOLD, parts=(card.face,)), enrols=(moment.tag, card)
    )


def with_new_tag(state: TableState, card: Card, tag: bytes) -> tuple[TableState, Card]:
    """The table where *tag* is a new one of a card like this, and which card that is."""
    card = _tagged_anew(state, card, tag)
    # Where it may be any of the equal cards, none of their tags is forgotten: `card` is none of theirs then.
    known = {uid: meaning for uid, meaning in state.tags.items() if meaning != card}
    return replace(state, tags=MappingProxyType({**known, tag: card})), card


def ask_whether_new(moment: Moment) -> Answer:
    """It asks whether it is such a card's new tag: the list has one for each of them, and a label anybody can write."""
    assert moment.card is not None
    question = LabelQuestion(moment.card, moment.tag, moment.device, moment.at_ms + QUESTION_MS)
    return Answer(replace(moment.state, question=question))


def no_card(moment: Moment, question: LabelQuestion) -> Answer:
    """It is no card, and is an unknown tag from now on, whatever is written on it."""
    after = replace(moment.state, strangers=moment.state.strangers | {question.tag})
    return Answer(after, notice=refused("Then this tag is no card here. Nothing has changed."))


def tag_stays(moment: Moment) -> Answer | None:
    """Undo right after a new tag: the tag stays, and no card is taken back; None where nothing of the kind was said."""
    notice = moment.state.notice
    if notice is None or notice.text != NEW_TAG_TOLD.text:
        return None
    stays = said("The new tag stays the {}. Undo once more takes back what was done before.", *notice.parts)
    return Answer(moment.state, notice=stays)


def _tagged_anew(state: TableState, card: Card, tag: bytes) -> Card:
    """Which card has the new *tag* that was lost by one of this face: a known one only where it can be no other."""
    face, places = card.face, state.places
    copies = state.match.kind(face).copies
    if card.copy or copies == 1:
        return Card(face, card.copy or 1)
    printed = [Card(face, copy) for copy in range(1, copies + 1)]
    tagged = {meaning for meaning in state.tags.values() if isinstance(meaning, Card) and meaning.face is face}
    shown = (hand.cards for hand in (state.showing, *state.shown))
    seen = {*places.discard_pile, *(card for hand in (*places.hands, state.dealing, *shown) for card in hand)}
    untagged = [card for card in printed if card not in tagged and card not in seen]
    if untagged:
        return untagged[0]
    # A card in a hand may have lost its sticker there; nobody puts one on a card of the discard pile.
    elsewhere = [card for card in {*printed, *tagged} if card not in places.discard_pile]
    lying = sum(lies.face is face for lies in places.discard_pile)
    if len(elsewhere) == 1 and lying == copies - 1:
        return elsewhere[0]
    return sticker_card(face, tag, tagged | seen)

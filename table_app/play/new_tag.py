"""A card's new tag, in place of one that was lost: which card it is from now on, and that no Undo takes it back.

The form that asks for it is in `form_steps`; lists of tags are kept by `registry`.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from table_app.play.notices import refused, said
from table_app.play.situations import Answer, Moment
from table_app.play.state import QUESTION_MS, LabelQuestion, TableState
from table_app.rules import Card
from table_app.tags.stickers import sticker_card

TOLD = said("The new tag is the {} from now on.")
"""Without its card."""


def choose_tag(moment: Moment) -> Answer:
    """This tag is the card's from now on, in place of the one that was lost."""
    form = moment.state.form
    assert form is not None and form.card is not None
    after, card = with_new_tag(moment.state, form.card, moment.tag)
    return Answer(replace(after, form=None), notice=replace(TOLD, parts=(card.face,)), enrols=(moment.tag, card))


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
    if notice is None or notice.text != TOLD.text:
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

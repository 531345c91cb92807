"""A card's new tag, in place of one that was lost: which card it is from now on, and that no Undo takes it back.

The form that asks for it is in `form_steps`; lists of tags are kept by `registry`.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from table_app.rules import Card, Face
from table_app.table.notices import said
from table_app.table.situations import Answer, Moment
from table_app.table.state import TableState

TOLD = said("The new tag is the {} from now on.")
"""Without its card."""


def choose_tag(moment: Moment) -> Answer:
    """This tag is the card's from now on, in place of the one that was lost."""
    form = moment.state.form
    assert form is not None and form.card is not None
    tags = moment.state.tags
    lost = [form.card] if form.card.copy else _may_be_lost(moment.state, form.card.face)
    card = lost[0]
    # Where it may be another of the equal cards, none of their tags is forgotten while this match lasts, and which of
    # them it is nobody knows.
    known = {
        uid: meaning._replace(copy=0) if isinstance(meaning, Card) and meaning == card else meaning
        for uid, meaning in tags.items()
        if meaning != card or len(lost) > 1
    }
    now = card._replace(copy=0) if len(lost) > 1 else card
    after = replace(moment.state, form=None, tags=MappingProxyType({**known, moment.tag: now}))
    return Answer(after, notice=replace(TOLD, parts=(card.face,)), enrols=(moment.tag, card))


def tag_stays(moment: Moment) -> Answer | None:
    """Undo right after a new tag: the tag stays, and no card is taken back; None where nothing of the kind was said."""
    notice = moment.state.notice
    if notice is None or notice.text != TOLD.text:
        return None
    stays = said("The new tag stays the {}. Undo once more takes back what was done before.", *notice.parts)
    return Answer(moment.state, notice=stays)


def _may_be_lost(state: TableState, face: Face) -> list[Card]:
    """Which of the equal cards it may be: one without a tag, else those that were not seen in this round."""
    cards = [Card(face, copy) for copy in range(1, state.match.kind(face).copies + 1)]
    tagged = set(state.tags.values())
    seen = {*state.places.discard_pile, *(card for hand in state.places.hands for card in hand)}
    untagged = [card for card in cards if card not in tagged]
    return untagged[:1] or [card for card in cards if card not in seen] or cards

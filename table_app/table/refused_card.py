"""Undo right after a card that was refused: it means that card, which nothing was done with, and not the one before.

Nothing is taken back here; the next Undo does that.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.rules import Lay
from table_app.table.notices import Notice, said
from table_app.table.situations import Answer, Moment


def refused_card_back(moment: Moment) -> Answer | None:
    """The refused card goes back to its player's hand, and nothing changes; None where no card was just refused."""
    past = moment.state.past
    if past.refused is None:
        return None
    after = replace(moment.state, past=replace(past, refused=None))
    return Answer(after, notice=_notice(moment, past.refused))


def _notice(moment: Moment, refused: Lay) -> Notice:
    """What becomes of the card, and what Undo takes back if it is pressed once more."""
    deeds = moment.state.past.deeds
    face, player = refused.card.face, refused.player
    if moment.match.before is None or not deeds:
        return said(
            "The {} goes back to the hand of {}: nothing was laid, and nothing can be taken back.", face, player
        )
    last = deeds[-1].ruling.action
    if isinstance(last, Lay) and deeds[-1].ruling.is_ok:
        return said(
            "The {} goes back to the hand of {}: nothing was laid. Undo once more takes back the {} of {}.",
            face,
            player,
            last.card.face,
            last.player,
        )
    return said(
        "The {} goes back to the hand of {}: nothing was laid. Undo once more takes back what was done before.",
        face,
        player,
    )

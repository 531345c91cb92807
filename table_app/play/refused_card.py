"""Undo right after a card that was refused: it means that card, which nothing was done with, and not the one before.

Nothing is taken back here; the next Undo does that.
"""

from __future__ import annotations

from dataclasses import replace

from table_app.play.notices import Notice, said
from table_app.play.situations import Answer, Moment
from table_app.rules import Lay


def refused_card_back(moment: Moment) -> Answer | None:
    """The refused card goes back to its player's hand, and nothing changes; None where no card was just refused."""
    history = moment.state.history
    if history.refused is None:
        return None
    after = replace(moment.state, history=replace(history, refused=None))
    return Answer(after, notice=_notice(moment, history.refused))


def _notice(moment: Moment, refused: Lay) -> Notice:
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

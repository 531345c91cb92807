"""What hands must do when an action is taken back: the record can be undone by a press, the cards can't.

Only the difference between two matches, in words; no rule is decided here, and no face of a hand is named.
"""

from __future__ import annotations

from table_app.rules import Match
from table_app.rules.words import Translate, face_name, untranslated


def _(message: str) -> str:
    """Mark a message for the catalogue; it is translated where it is said."""
    return message


def taking_back_text(before: Match, after: Match, translate: Translate = untranslated) -> str:
    """What the table does with its hands to come from *before* back to *after*."""
    sentences = [translate(_("The last action is taken back."))]
    laid = len(before.discard_pile) - len(after.discard_pile)
    for seat, name in enumerate(after.names):
        grows = after.hands[seat].size - before.hands[seat].size
        if grows > 0 and laid > 0 and before.top is not None:
            message = _("{player} takes the {card} back.")
            title = before.setup.deck.kinds[before.top].title if before.top in before.setup.deck else ""
            card = face_name(before.top, translate, title)
            sentences.append(translate(message).format(player=name, card=card))
        elif grows < 0 and laid == 0 and after.round_number == before.round_number:
            message = _("{player} puts {count} back on the draw pile.")
            sentences.append(translate(message).format(player=name, count=-grows))
    if after.turn is not None:
        sentences.append(translate(_("It is {player} to play.")).format(player=after.names[after.turn]))
    return " ".join(sentences)

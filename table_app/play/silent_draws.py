"""What an answer put into the record beside its last act, in words: draws that nobody said, for a card given to a seat.

Only words; what was drawn is in `deeds`, and why in `giving`. No face of a hand is named.
"""

from __future__ import annotations

from collections.abc import Sequence

from table_app.rules import Draw, Reshuffle
from table_app.rules.messages import Counted, Translate, _, in_number, untranslated


def _n(one: str, many: str) -> Counted:
    """Mark a message with a number for the catalogue, in both its forms."""
    return Counted(one, many)


def silent_draws_text(draws: Sequence[Draw | Reshuffle], translate: Translate = untranslated) -> str:
    """That the pile was shuffled; who drew how much, each player once, those who drew the same number in one sentence.

    >>> silent_draws_text([Draw("Fox", 1), Draw("Owl", 1)])
    'Fox and Owl drew 1 each.'
    """
    by_player: dict[str, int] = {}
    shuffled = [translate(_("The discard pile was shuffled.")) for act in draws if isinstance(act, Reshuffle)]
    for draw in draws:
        if isinstance(draw, Reshuffle):
            continue
        by_player[draw.player] = by_player.get(draw.player, 0) + draw.count
    by_count: dict[int, list[str]] = {}
    for player, count in by_player.items():
        by_count.setdefault(count, []).append(player)
    return " ".join((*shuffled, *(_sentence(players, count, translate) for count, players in by_count.items())))


def _sentence(players: Sequence[str], count: int, translate: Translate) -> str:
    if len(players) == 1:
        return translate(_("{player} drew {value}.")).format(player=players[0], value=count)
    both = translate(_("{players} and {player}")).format(players=", ".join(players[:-1]), player=players[-1])
    each = _n("{players} drew {count} each.", "{players} drew {count} each.")
    return in_number(each, count, translate).format(players=both, count=count)

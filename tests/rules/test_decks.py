"""The decks that come along hold the cards of their sheets, with their points (rulebook section 2)."""

from __future__ import annotations

import pytest

from table_app.rules.cards import COLOURS, DECKS, Effect, face, repriced

CLASSIC_WILDS = {"w": (4, 50), "w+4": (4, 50)}
CUSTOMIZABLE = {"wcustom": (3, 40)}


@pytest.mark.parametrize(
    ("deck", "size", "wilds"),
    [
        ("classic", 108, CLASSIC_WILDS),
        ("playing-cards", 108, CLASSIC_WILDS),
        ("2018", 112, CLASSIC_WILDS | CUSTOMIZABLE | {"wshuffle": (1, 40)}),
        ("2018-swap", 112, CLASSIC_WILDS | CUSTOMIZABLE | {"wswap": (1, 40)}),
        ("h2o", 112, CLASSIC_WILDS | {"wrain1": (2, 50), "wrain2": (2, 50)}),
    ],
)
def test_a_deck_has_the_cards_of_its_sheet(deck: str, size: int, wilds: dict[str, tuple[int, int]]) -> None:
    kinds = DECKS[deck].kinds
    assert DECKS[deck].size == size
    assert {each.code: (kind.copies, kind.points) for each, kind in kinds.items() if each.is_wild} == wilds
    for colour in COLOURS:
        coloured = {each.rank: (kind.copies, kind.points) for each, kind in kinds.items() if each.colour is colour}
        numbers = {str(number): (2, number) for number in range(1, 10)}
        assert coloured == {"0": (1, 0)} | numbers | dict.fromkeys(("s", "r", "+2"), (2, 20))


def test_a_downpour_is_as_heavy_as_it_says() -> None:
    kinds = DECKS["h2o"].kinds
    assert [kinds[face(f"wrain{cards}")].cards for cards in (1, 2)] == [1, 2]


@pytest.mark.parametrize(("all_wilds", "codes"), [(False, {"w"}), (True, {"w", "w+4", "wshuffle", "wcustom"})])
def test_other_points_are_for_the_plain_wild_or_for_every_wild(all_wilds: bool, codes: set[str]) -> None:
    kinds = repriced(DECKS["2018"], 45, all_wilds).kinds
    assert {each.code for each, kind in kinds.items() if kind.points == 45} == codes
    assert kinds[face("w+4")].effect is Effect.WILD_DRAW_FOUR

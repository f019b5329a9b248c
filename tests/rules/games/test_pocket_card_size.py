"""Pocket Wargame on cards of a size that the set-up does not tell."""

from dataclasses import replace

import pytest
from shapely import box

from rules.games.pocket import GAME
from rules.games.pocket.battlefield import battlefield
from rules.games.pocket.units import units_on
from rules.scene import Piece, Scene
from rules.setup import Player, Setup
from rules.state import State
from tests.rules.games.cards import a_scene

SETUP = Setup("pocket", (800.0, 700.0), (Player("Ann", "red", "near"), Player("Bob", "blue", "far")))
SMALL_MM = (67.0, 44.0)


def a_coin(x_mm: float, y_mm: float) -> Piece:
    return Piece("u", "coin", "gbp-1p", (x_mm, y_mm), box(x_mm - 9, y_mm - 9, x_mm + 9, y_mm + 9), face="heads")


def laid(size_mm: tuple[float, float], *coins: Piece, columns: int = 3) -> Scene:
    """Two rows of cards, 3 mm between them; the first lies at (100, 100)."""
    length, breadth = size_mm
    cards = []
    for column in range(columns):
        for row in range(2):
            x, y = 100 + column * (breadth + 3), 100 + row * (length + 3)
            outline = box(x - breadth / 2, y - length / 2, x + breadth / 2, y + length / 2)
            cards.append(Piece(f"k{column}{row}", "card", f"{row + 2}H", (x, y), outline, rotation_deg=90.0))
    return Scene((800.0, 700.0), (*cards, *coins))


def units_of(scene: Scene, setup: Setup = SETUP):
    return units_on(battlefield(scene, setup), scene, setup)


@pytest.mark.parametrize("setup", [SETUP, replace(SETUP, card_mm=SMALL_MM, card="own")])
def test_a_coin_beside_small_cards_lies_beside_them(setup: Setup) -> None:
    """11.5 mm beyond a small card's edge, which a poker card's is 1.75 mm within; a penny's rim is 10.2 mm off."""
    assert units_of(laid(SMALL_MM, a_coin(100 - 22 - 11.5, 85)), setup) == ()
    assert [unit.cell for unit in units_of(laid(SMALL_MM, a_coin(100 - 22 + 5, 85)), setup)] == [(1, 1)]


def test_a_small_card_that_was_put_a_place_on_was_not_nudged() -> None:
    scene = laid(SMALL_MM)
    moved = replace(scene.pieces[0], position_mm=(124.0, 100.0), footprint=box(102, 66.5, 146, 133.5))
    after = replace(scene, pieces=(moved, *scene.pieces[1:]))
    (ruling,) = [each for each in GAME.judge(scene, after, SETUP, State()) if each.piece == "k00"]
    assert ruling.verdict == "no"


def test_the_ground_of_small_cards_is_as_they_lie() -> None:
    """Cards of 57 x 37 mm have less than half a poker card's area."""
    length, breadth = 57.0, 37.0
    field = battlefield(laid((length, breadth)), SETUP)
    assert {round(field.outline(each).area, 3) for each in field.locations} == {length * breadth}


@pytest.mark.parametrize("size_mm", [(88.0, 63.0), (91.0, 66.0)])
def test_cards_of_about_the_told_size_are_of_it(size_mm: tuple[float, float]) -> None:
    field = battlefield(laid(size_mm), SETUP)
    assert (field.length_mm, field.breadth_mm) == SETUP.card_mm


def test_a_size_that_is_told_holds_whatever_is_drawn() -> None:
    """A scene typed by hand draws every card as a poker card."""
    told = replace(SETUP, card_mm=SMALL_MM, card="own")
    assert battlefield(laid((88.9, 63.5)), told).breadth_mm == SMALL_MM[1]


def test_few_cards_or_points_tell_no_size() -> None:
    for scene in (laid(SMALL_MM, columns=1), a_scene({(1, 1): "2H", (2, 1): "3D", (3, 1): "4H"})):
        assert battlefield(scene, SETUP).length_mm == SETUP.card_mm[0]
    points = tuple(replace(card, footprint=box(0, 0, 1, 1)) for card in laid(SMALL_MM).pieces)
    assert battlefield(Scene((800.0, 700.0), points), SETUP).length_mm == SETUP.card_mm[0]

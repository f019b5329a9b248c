"""Where a typed piece goes."""

from dataclasses import replace

import pytest
from shapely import Point, Polygon

from rules.map import Map, Place
from rules.match import start
from tests.ui.builders import a_coin, a_scene, a_setup
from ui.where import where_mm

TOWNS = Map(places=(Place(Point(50, 60), "town", "Oakham"), Place(Polygon([(0, 0), (9, 0), (9, 9)]), "city", "Wye")))


@pytest.fixture
def match():
    setup = a_setup()
    return start(setup.__class__("omms", setup.table_size_mm, setup.players, TOWNS), a_scene(a_coin("c1")))


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("311.2, 140.9", (311.2, 140.9)),
        (" 12 34 ", (12.0, 34.0)),
        ("12,34 mm", (12.0, 34.0)),
        ("c1", (100.0, 120.0)),
        ("oakham", (50.0, 60.0)),
    ],
)
def test_places(match, said, place):
    assert where_mm(said, match) == place


def a_card(name, cls, x):
    outline = Point(x, 150.0).buffer(45, cap_style="square")
    return replace(a_coin(name, cls, at=(x, 150.0)), kind="card", footprint=outline)


def test_a_card_is_named_by_what_it_is_and_a_coin_keeps_its_end_on_it():
    """Its owner is told by the end of the card: in the middle of one it was nobody's."""
    cards = [a_card("k1", "10H", 200.0), a_card("k2", "QH", 300.0), a_card("k3", "QH", 400.0)]
    match = start(a_setup(), a_scene(a_coin("c1", at=(204.0, 132.0)), *cards))
    assert where_mm("k2", match, "c1") == (304.0, 132.0)
    assert where_mm("10h", match) == (200.0, 150.0)
    with pytest.raises(ValueError, match="is no place"):
        where_mm("QH", match, "c1")  # there are two


def test_a_town_with_an_outline_is_a_place_in_it(match):
    assert TOWNS.places[1].geometry.contains(Point(where_mm("Wye", match)))


@pytest.mark.parametrize("said", ["", "there", "12", "1,2,3", "nan, 3", "1e5 2"])
def test_what_is_no_place_is_said(match, said):
    with pytest.raises(ValueError, match="is no place: type x, y in mm"):
        where_mm(said, match)


def test_a_place_beside_the_table_is_said(match):
    with pytest.raises(ValueError, match="400, 10 is not on the table: it is 320 by 240 mm"):
        where_mm("400, 10", match)

"""Where a typed piece goes."""

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


def test_a_town_with_an_outline_is_a_place_in_it(match):
    assert TOWNS.places[1].geometry.contains(Point(where_mm("Wye", match)))


@pytest.mark.parametrize("said", ["", "there", "12", "1,2,3", "nan, 3", "1e5 2"])
def test_what_is_no_place_is_said(match, said):
    with pytest.raises(ValueError, match="is no place: type x, y in mm"):
        where_mm(said, match)


def test_a_place_beside_the_table_is_said(match):
    with pytest.raises(ValueError, match="400, 10 is not on the table: it is 320 by 240 mm"):
        where_mm("400, 10", match)

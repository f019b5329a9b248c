"""The ruling file: what other programs read."""

from shapely import Polygon
from shapely.geometry import shape

from rules.game import Ruling
from rules.ruling_file import rulings_document


def test_a_region_whose_outline_crosses_itself_is_written_as_what_it_encloses():
    bow_tie = Polygon([(0, 0), (10, 10), (10, 0), (0, 10)])
    (feature,) = rulings_document([Ruling("cover", "k1", "yes", "X-1", "because", geometry=bow_tie)])["features"]
    drawn = shape(feature["geometry"])
    assert drawn.is_valid and drawn.area == 50


def test_every_property_that_the_file_promises_is_there():
    (feature,) = rulings_document([Ruling("judge", "a", "no", "X-2", "because", margin_mm=-0.12345678)])["features"]
    assert feature == {
        "type": "Feature",
        "geometry": None,
        "properties": {
            "ruling": "judge",
            "piece": "a",
            "other": None,
            "verdict": "no",
            "margin_mm": -0.123457,
            "sigma_mm": 0.0,
            "rule": "X-2",
            "why": "because",
        },
    }

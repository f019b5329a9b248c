"""The ruling file: strict GeoJSON that anybody can read back."""

from __future__ import annotations

import pytest
import shapely
from shapely import GeometryCollection, LineString, MultiPolygon, Polygon, box
from shapely.geometry import shape

from rules.files.ruling_file import rulings_document
from rules.game import Ruling


@pytest.mark.parametrize("neck_mm", [4e-7, 4e-8, 1e-3])
def test_a_region_with_a_neck_thinner_than_the_decimals_stays_valid(neck_mm: float) -> None:
    left, right = 5 - neck_mm / 2, 5 + neck_mm / 2
    hourglass = Polygon([(0, 0), (10, 0), (right, 5), (10, 10), (0, 10), (left, 5)])
    assert hourglass.is_valid
    ruling = Ruling("reach", "a", "yes", "OSMCG-2.1", "a moves", geometry=hourglass)
    read = shape(rulings_document([ruling])["features"][0]["geometry"])
    assert read.is_valid
    assert read.area == pytest.approx(50, abs=0.01)


def test_a_region_whose_outline_crosses_itself_is_written_as_what_it_encloses() -> None:
    # Two triangles, 10 and 20 mm wide, whose tips meet a third of the way up.
    crossed = Polygon([(5, 0), (15, 0), (0, 20), (20, 20)])
    (feature,) = rulings_document([Ruling("cover", "k1", "yes", "X-1", "because", geometry=crossed)])["features"]
    read = shape(feature["geometry"])
    assert read.is_valid
    assert read.area == pytest.approx(10 * (20 / 3) / 2 + 20 * (40 / 3) / 2)


def test_outer_rings_go_counter_clockwise_and_holes_clockwise() -> None:
    frame = box(0, 0, 9, 9).difference(box(3, 3, 6, 6))
    for clockwise in (
        frame,
        MultiPolygon([frame, box(20, 0, 29, 9)]),
        GeometryCollection([LineString([(0, 0), (1, 1)]), frame]),
    ):
        drawn = shapely.orient_polygons(clockwise, exterior_cw=True)
        (feature,) = rulings_document([Ruling("reach", "a", "yes", "X-1", "because", geometry=drawn)])["features"]
        read = shape(feature["geometry"])
        assert read.equals(drawn) and read.geom_type == drawn.geom_type
        areas = [part for part in shapely.get_parts(read) if isinstance(part, Polygon)]
        assert all(area.exterior.is_ccw and not any(hole.is_ccw for hole in area.interiors) for area in areas)


@pytest.mark.parametrize("region", [Polygon(), Polygon([(0, 0), (20, 1e-8), (20, -1e-8)])])
def test_a_region_of_which_nothing_is_left_is_null(region: Polygon) -> None:
    (feature,) = rulings_document([Ruling("reach", "a", "yes", "X-1", "because", geometry=region)])["features"]
    assert feature["geometry"] is None


def test_every_property_that_the_file_promises_is_there() -> None:
    (feature,) = rulings_document([Ruling("judge", "a", "no", "X-2", "because", margin_mm=-0.12345678)])["features"]
    promised = {"ruling": "judge", "piece": "a", "other": None, "verdict": "no", "rule": "X-2", "why": "because"}
    assert feature["geometry"] is None
    assert feature["properties"] == {**promised, "margin_mm": -0.123457, "sigma_mm": 0.0}


def test_numbers_have_six_decimals_everywhere_and_nought_has_no_sign() -> None:
    told = {"distance_mm": 63.400000000000006, "cut": [{"by": "e", "at": (0.1 + 0.2, 1.0)}]}
    (feature,) = rulings_document([Ruling("target", "a", "no", "X-1", "because", margin_mm=-0.0, extra=told)])[
        "features"
    ]
    found = feature["properties"]
    assert (found["distance_mm"], found["cut"]) == (63.4, [{"by": "e", "at": [0.3, 1.0]}])
    assert str(found["margin_mm"]) == "0.0"


def test_a_line_between_two_pieces_at_one_place_is_null() -> None:
    line = LineString([(3, 4), (3, 4)])
    (feature,) = rulings_document([Ruling("engaged", "a", "yes", "T-1", "", other="b", geometry=line)])["features"]
    assert feature["geometry"] is None

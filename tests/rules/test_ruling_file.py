"""The ruling file: strict GeoJSON that anybody can read back."""

from __future__ import annotations

import pytest
from shapely import Polygon
from shapely.geometry import shape

from rules.game import Ruling
from rules.ruling_file import rulings_document


@pytest.mark.parametrize("neck_mm", [4e-7, 4e-8, 1e-3])
def test_a_region_with_a_neck_thinner_than_the_decimals_stays_valid(neck_mm: float) -> None:
    left, right = 5 - neck_mm / 2, 5 + neck_mm / 2
    hourglass = Polygon([(0, 0), (10, 0), (right, 5), (10, 10), (0, 10), (left, 5)])
    assert hourglass.is_valid
    ruling = Ruling("reach", "a", "yes", "OSMCG-2.1", "a moves", geometry=hourglass)
    read = shape(rulings_document([ruling])["features"][0]["geometry"])
    assert read.is_valid
    assert read.area == pytest.approx(50, abs=0.01)

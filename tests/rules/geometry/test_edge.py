"""Points a hair beyond an edge: on the other side, past pointed corners and in the nooks of an outline too."""

from __future__ import annotations

import pytest
from shapely import Point, Polygon

from rules.geometry.edge import over_edge
from rules.scene import Point2

TIP = Polygon([(0, 0), (100, 5), (100, -20)])
NOOK = Polygon([(0, 0), (100, 0), (100, 100), (50, 10), (0, 100)])


@pytest.mark.parametrize(
    ("here", "area", "gap_mm"),
    [((-0.2, 0.05), TIP, 0.2062), ((50.03, 9.8), NOOK, 0.2022), ((50, -0.3), NOOK, 0.3), ((0, 0), TIP, 0)],
)
def test_over_the_edge_is_the_other_side(here: Point2, area: Polygon, gap_mm: float) -> None:
    beyond, away_mm = over_edge(here, area)
    assert away_mm == pytest.approx(gap_mm, abs=1e-4)
    assert area.intersects(Point(beyond)) != area.intersects(Point(here))
    assert Point(beyond).distance(Point(here)) < gap_mm + 0.0021

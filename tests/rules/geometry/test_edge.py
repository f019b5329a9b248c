"""Points near an edge: what lies a hair beyond it, past pointed corners and in nooks too, and which border counts."""

from __future__ import annotations

import pytest
from shapely import Point, Polygon, box

from rules.geometry.edge import inset_mm, over_edge
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


def test_what_a_border_follows_does_not_count_in_whatever_order_it_is_told() -> None:
    """6 mm from one obstacle and 5 from another: told in that order, the first one's border counted."""
    beside = [box(56, -10, 70, 100), box(0, -20, 56, 0)]
    area = box(0, 0, 56, 100)
    assert [inset_mm(area, Point(50, 5), beside=order) for order in (beside, beside[::-1])] == pytest.approx([50, 50])

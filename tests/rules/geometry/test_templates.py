"""Templates: their size worked out by formula, and what they cover."""

from __future__ import annotations

import math

import pytest
from shapely import box

from rules.geometry.templates import arc_steps, cone, covers, disc, triangle


def test_disc_lies_within_its_circle_by_less_than_the_sagitta() -> None:
    round_mm = disc((10, 20), 300)
    reach = [math.hypot(x - 10, y - 20) for x, y in round_mm.exterior.coords]
    assert reach == pytest.approx([300] * len(reach))
    assert round_mm.exterior.distance(box(9.9, 19.9, 10.1, 20.1)) > 300 - 0.02 - 0.15
    assert round_mm.area == pytest.approx(math.pi * 300**2, rel=1e-4)


def test_disc_of_nothing_and_less() -> None:
    assert disc((0, 0), 0).is_empty
    with pytest.raises(ValueError, match="-1"):
        disc((0, 0), -1)


def test_triangle_points_at_its_aim() -> None:
    canister = triangle((0, 0), (0, 5), 152.4, 50.8)
    assert canister.area == pytest.approx(152.4 * 50.8 / 2)
    assert canister.bounds == pytest.approx((-25.4, 0, 25.4, 152.4))
    with pytest.raises(ValueError, match="direction"):
        triangle((1, 1), (1, 1), 10, 5)


def test_cone_is_a_sector() -> None:
    spread = cone((0, 0), (3, 3), 100, 60)
    assert spread.area == pytest.approx(math.pi * 100**2 / 6, rel=1e-3)
    assert spread.centroid.x == pytest.approx(spread.centroid.y)
    with pytest.raises(ValueError, match="direction"):
        cone((1, 1), (1, 1), 10, 60)


@pytest.mark.parametrize(("left_mm", "covered"), [(10.0, False), (10.1, False), (9.99, True), (0.0, True)])
def test_a_touch_is_no_cover(left_mm: float, covered: bool) -> None:
    assert covers(disc((0, 0), 10), box(left_mm, -5, left_mm + 10, 5)) is covered


def test_boxes_that_share_an_edge_touch() -> None:
    assert not covers(box(0, 0, 10, 10), box(10, 0, 20, 10))
    assert covers(box(0, 0, 10, 10), box(9.999, 0, 20, 10))


def test_small_arcs_have_few_steps() -> None:
    assert arc_steps(0.01) == 4
    assert arc_steps(300) > 250

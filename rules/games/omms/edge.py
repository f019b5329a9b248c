"""Whether a unit's road point lies on the table, without which no move begins or ends there (C4.7), and by how much."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rules.games.omms.condition import Condition, fact
from rules.games.omms.footing import Reading, joined_points
from rules.geometry.discs import SAME_MM
from rules.margin import CLOSE_SIGMAS, Margin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.games.omms.coins import Coin
    from rules.games.omms.table import Table
    from rules.geometry.roads import RoadPoint
    from rules.scene import Point2

# Of a place so far beyond a side the point of a road that is nearest to it is the one that is farthest on that side.
_FAR_MM = 1e6


def is_on_table(at_mm: Point2, size_mm: tuple[float, float]) -> bool:
    """Whether a place lies on a table of that size, or at its very edge."""
    return all(inside_mm >= -SAME_MM for _, inside_mm in _sides(at_mm, size_mm))


def off_table(unit: Coin) -> Condition:
    """The refusal of a unit whose road runs beyond the table's edge where it stands."""
    return fact(False, "C4.7", f"{unit} stands on a road that lies off the table there")


def over_edge(table: Table, unit: Coin, point: RoadPoint) -> Iterator[Reading]:
    """Where a unit stands that is 3 sigma farther along its road, if the table's edge lies between."""
    size_mm, far_mm = table.scene.table_size_mm, CLOSE_SIGMAS * unit.sigma_mm
    is_on = is_on_table(point.at_mm, size_mm)
    for side, (inward, inside_mm) in enumerate(_sides(point.at_mm, size_mm)):
        if abs(inside_mm) > far_mm or (inside_mm >= -SAME_MM) != is_on:
            continue
        sign = -_FAR_MM if is_on else _FAR_MM
        aim_mm = (point.at_mm[0] + sign * inward[0], point.at_mm[1] + sign * inward[1])
        for there in joined_points(table.country.roads, point, aim_mm, far_mm):
            if is_on_table(there.at_mm, size_mm) != is_on:
                beyond_mm = abs(_sides(there.at_mm, size_mm)[side][1])
                share = abs(inside_mm) / max(abs(inside_mm) + beyond_mm, SAME_MM)
                margin = Margin(share * math.dist(there.at_mm, point.at_mm), unit.sigma_mm)
                yield Reading(there, margin, "off the table" if is_on else "on the table")


def _sides(at_mm: Point2, size_mm: tuple[float, float]) -> tuple[tuple[Point2, float], ...]:
    """For each side of the table the direction in which it lies, and how far inside of it a place is."""
    (x_mm, y_mm), (width_mm, height_mm) = at_mm, size_mm
    return ((1, 0), x_mm), ((-1, 0), width_mm - x_mm), ((0, 1), y_mm), ((0, -1), height_mm - y_mm)

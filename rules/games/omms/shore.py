"""Whether a unit stands on dry land, or floats, where 3 sigma of its place leave that open (OMMS-3.4, note 9, C3.4)."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import shapely
from shapely import box
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from rules.games.omms.ground_reach import Rover, ground_of
from rules.geometry.open_ground import HERE_MM
from rules.margin import CLOSE_SIGMAS, Margin

if TYPE_CHECKING:
    from collections.abc import Callable

    from rules.games.omms.table import Country, Table
    from rules.scene import Point2


def shore_doubts(table: Table, asked: Rover, comes: Callable[[Rover], bool]) -> list[Margin]:
    """How far a unit is from the shore, if its way would be open, or barred, on the other side within 3 sigma."""
    unit = asked.unit
    shore = _shore(table.country, table.scene.table_size_mm, unit.role)
    if not unit.sigma_mm or not shore.dwithin(unit.point, CLOSE_SIGMAS * unit.sigma_mm):
        return []
    away_mm = unit.point.distance(shore)
    at_mm = nearest_points(shore, unit.point)[0].coords[0]
    other = replace(asked, unit=replace(unit, at_mm=_beyond(unit.at_mm, (at_mm[0], at_mm[1]), away_mm)))
    return [Margin(away_mm, unit.sigma_mm)] if comes(other) != comes(asked) else []


@lru_cache(maxsize=16)
def _shore(country: Country, table_size_mm: tuple[float, float], role: str) -> BaseGeometry:
    """Where land or water ends but at the table's edge."""
    # Part by part: no water at all, or water that also touches the table's edge, is a collection and has no boundary.
    parts = shapely.get_parts(ground_of(country, table_size_mm, role))
    shore = shapely.difference(shapely.union_all(shapely.boundary(parts)), box(0, 0, *table_size_mm).boundary)
    shapely.prepare(shore)
    return shore


def _beyond(from_mm: Point2, at_mm: Point2, away_mm: float) -> Point2:
    """The place just beyond `at_mm`, seen from `from_mm`; `from_mm` itself if `away_mm`, their distance, is 0."""
    if not away_mm:
        return from_mm
    far = 1 + 2 * HERE_MM / math.dist(from_mm, at_mm)
    x_mm, y_mm = (start + (end - start) * far for start, end in zip(from_mm, at_mm, strict=True))
    return x_mm, y_mm

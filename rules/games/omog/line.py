"""The line of fire from man to man, and how it lies to the area of a thing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from shapely import LineString, Polygon

from rules.games.omog.soldier import Soldier
from rules.geometry.depth import depth_mm
from rules.geometry.templates import TOUCH_MM
from rules.kept import Kept

# The interiors of a line and an area meet (DE-9IM): a touch is no crossing.
_CROSSES = "T********"


def _lines_of_fire(pairs: Sequence[tuple[Soldier, Soldier]]) -> list[LineString]:
    ends = np.array([(shooter.position_mm, target.position_mm) for shooter, target in pairs], float)
    lines: list[LineString] = np.asarray(shapely.linestrings(ends), object).tolist()
    return lines


# The segments from centre to centre, of shooter and target each.
lines_of_fire = Kept(_lines_of_fire, most=16384)


def line_of_fire(shooter: Soldier, target: Soldier) -> LineString:
    """The segment from centre to centre."""
    return lines_of_fire(((shooter, target),))[0]


def crosses(line: LineString, area: Polygon) -> bool:
    """Whether the segment enters the area's interior; a cut thinner than `TOUCH_MM` is but a touch (C4.2)."""
    return _cut_mm(line, area) > TOUCH_MM


def clearance_mm(line: LineString, area: Polygon) -> float:
    """The gap between segment and area; if the segment crosses it, minus how far it must shift to clear it."""
    cut_mm = _cut_mm(line, area)
    return -cut_mm if cut_mm > TOUCH_MM else float(line.distance(area))


def _cut_mm(line: LineString, area: Polygon) -> float:
    """How deep the segment runs in the area; 0 for one that enters it nowhere."""
    if line.length == 0 or not area.intersects(line) or not line.relate_pattern(area, _CROSSES):
        return 0.0
    return depth_mm(line, area)

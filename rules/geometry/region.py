"""A region that is known before it is drawn: who comes near it can be asked at once, its border when somebody looks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry

from rules.compiled import compiled
from rules.geometry.border import Flags
from rules.geometry.gap import gap2
from rules.geometry.levels import areal
from rules.geometry.screens import Floats, Ints, is_solid
from rules.geometry.union import united
from rules.scene import Point2

# Parts and holes smaller than this are rounding beside an obstacle.
_SPECK_MM2 = 0.05
# What is looked at beyond the farthest point of a region.
_BESIDE_MM = 1.0
# Outlines go into obstacles by less than this: by the sagitta of their chords, and what paths may shave off.
_RIM_MM = 0.1


class Region(Protocol):
    """Where somebody may be; table frame, mm."""

    @property
    def area(self) -> BaseGeometry:
        """The region, drawn."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is in it."""

    def farthest_mm(self, from_mm: Point2) -> float:
        """A distance from there beyond which no point of it lies; minus infinity for the empty region."""

    def near(self, shapes: Sequence[Polygon], within_mm: float) -> NDArray[np.bool_]:
        """Which of the shapes come within that distance of it."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """A region that is drawn already."""

    area: BaseGeometry

    @property
    def is_empty(self) -> bool:
        """Whether nothing is in it."""
        return self.area.is_empty

    def farthest_mm(self, from_mm: Point2) -> float:
        """A distance from there beyond which no point of it lies; minus infinity for the empty region."""
        return -math.inf if self.is_empty else float(shapely.hausdorff_distance(self.area, Point(from_mm)))

    def near(self, shapes: Sequence[Polygon], within_mm: float) -> NDArray[np.bool_]:
        """Which of the shapes come within that distance; only what lies about each is asked."""
        found = np.zeros(len(shapes), bool)
        if self.is_empty or not len(shapes):
            return found
        boxes = _boxes(shapes, within_mm)
        for number in np.flatnonzero(_meet(boxes, self.area.bounds)).tolist():
            about = shapely.clip_by_rect(self.area, *boxes[number])
            found[number] = about.dwithin(shapes[number], within_mm)
        return found


@dataclass(frozen=True, eq=False)
class Lit:
    """All that some outlines hold which may overlap, less some holes.

    outlines  (n, 2) mm: corners of all outlines, counter-clockwise, one behind the other
    first     (m + 1,) the corners of outline k are `outlines[first[k]:first[k + 1]]`
    holes     obstacles: outlines go into them by less than `_RIM_MM`
    bounds    convex: what lies outside does not count
    start     where all paths begin
    """

    outlines: Floats
    first: Ints
    holes: Sequence[Polygon]
    bounds: Polygon
    start: Point2

    @cached_property
    def area(self) -> MultiPolygon:
        """The region, drawn: a third of the time that the whole of it takes."""
        origin = round(self.start[0]), round(self.start[1])
        return united(self.outlines, self.first, [*self.holes, *self._outside()], origin, _SPECK_MM2)

    @cached_property
    def is_empty(self) -> bool:
        """Whether nothing is in it; it is drawn where an outline alone does not tell."""
        is_inside = self.bounds.covers(Point(self.start))
        return not (is_inside and _is_broad(self.outlines, self.first, _RIM_MM, _SPECK_MM2)) and self.area.is_empty

    def farthest_mm(self, from_mm: Point2) -> float:
        """A distance from there beyond which no point of it lies; minus infinity for the empty region."""
        away_mm = self.outlines - np.array(from_mm)
        return float(np.sqrt((away_mm**2).sum(axis=1).max())) if len(self.first) > 1 else -math.inf

    def near(self, shapes: Sequence[Polygon], within_mm: float) -> NDArray[np.bool_]:
        """Which of the shapes come within that distance of an outline."""
        if len(self.first) < 2 or not len(shapes):
            return np.zeros(len(shapes), bool)
        met = np.flatnonzero(_meet(_boxes(shapes, within_mm), self._box))
        found = np.zeros(len(shapes), bool)
        if len(met):
            rings, shape = shapely.get_rings(np.array(shapes, object)[met], return_index=True)
            corners, ring = shapely.get_coordinates(rings, return_index=True)
            of = np.searchsorted(shape, np.arange(len(met) + 1))
            ends = np.searchsorted(ring, np.arange(len(rings) + 1))
            found[met] = _near(self.outlines, self.first, corners, ends, of, within_mm)
        return found

    @cached_property
    def _box(self) -> tuple[float, float, float, float]:
        (low_x, low_y), (high_x, high_y) = self.outlines.min(axis=0).tolist(), self.outlines.max(axis=0).tolist()
        return low_x, low_y, high_x, high_y

    def _outside(self) -> list[Polygon]:
        """What lies outside the bounds about the outlines; nothing where these lie well inside."""
        if not len(self.outlines):
            return []
        around = shapely.box(*self._box).buffer(_BESIDE_MM, join_style="mitre")
        return [] if shapely.covers(self.bounds, around) else list(areal(shapely.difference(around, self.bounds)).geoms)


def _boxes(shapes: Sequence[Polygon], within_mm: float) -> Floats:
    """Boxes (n, 4) about shapes, so much wider."""
    boxes: Floats = shapely.bounds(np.array(shapes, object)) + within_mm * np.array([-1.0, -1.0, 1.0, 1.0])
    return boxes


def _meet(boxes: Floats, box: tuple[float, ...]) -> NDArray[np.bool_]:
    """Which boxes meet one."""
    x0, y0, x1, y1 = box
    return (boxes[:, 0] <= x1) & (boxes[:, 1] <= y1) & (boxes[:, 2] >= x0) & (boxes[:, 3] >= y0)


@compiled
def _is_broad(outlines: Floats, first: Ints, rim_mm: float, speck_mm2: float) -> bool:
    """Whether an outline holds more than a rim along its own border and a speck."""
    for outline in range(len(first) - 1):
        twice_mm2, around_mm = 0.0, 0.0
        x, y = outlines[first[outline + 1] - 1]
        origin_x, origin_y = x, y
        for corner in range(first[outline], first[outline + 1]):
            next_x, next_y = outlines[corner]
            twice_mm2 += (x - origin_x) * (next_y - origin_y) - (y - origin_y) * (next_x - origin_x)
            around_mm += math.hypot(next_x - x, next_y - y)
            x, y = next_x, next_y
        if 0.5 * twice_mm2 > around_mm * rim_mm + speck_mm2:
            return True
    return False


@compiled
def _near(outlines: Floats, first: Ints, corners: Floats, ends: Ints, of: Ints, within_mm: float) -> Flags:
    """Which shapes come so near to an outline: shape k has the closed rings `of[k]` to before `of[k + 1]`, and ring r
    the corners `corners[ends[r]:ends[r + 1]]`."""
    found = np.zeros(len(of) - 1, np.bool_)
    for shape in range(len(found)):
        sides = np.empty((ends[of[shape + 1]] - ends[of[shape]] - (of[shape + 1] - of[shape]), 4))
        count = 0
        for ring in range(of[shape], of[shape + 1]):
            for corner in range(ends[ring], ends[ring + 1] - 1):
                sides[count, :2], sides[count, 2:] = corners[corner], corners[corner + 1]
                count += 1
        box = _box(sides)
        box = box[0] - within_mm, box[1] - within_mm, box[2] + within_mm, box[3] + within_mm
        for outline in range(len(first) - 1):
            low, high = first[outline], first[outline + 1]
            if _meets_box(outlines[low:high], box) and _comes_near(outlines[low:high], sides, box, within_mm):
                found[shape] = True
                break
    return found


@compiled
def _box(sides: Floats) -> tuple[float, float, float, float]:
    """The box about some sides."""
    low_x, low_y, high_x, high_y = np.inf, np.inf, -np.inf, -np.inf
    for side in range(len(sides)):
        low_x, high_x = min(low_x, sides[side, 0]), max(high_x, sides[side, 0])
        low_y, high_y = min(low_y, sides[side, 1]), max(high_y, sides[side, 1])
    return low_x, low_y, high_x, high_y


@compiled
def _meets_box(outline: Floats, box: tuple[float, float, float, float]) -> bool:
    """Whether the box about an outline meets another."""
    low_x, low_y, high_x, high_y = np.inf, np.inf, -np.inf, -np.inf
    for corner in range(len(outline)):
        low_x, high_x = min(low_x, outline[corner, 0]), max(high_x, outline[corner, 0])
        low_y, high_y = min(low_y, outline[corner, 1]), max(high_y, outline[corner, 1])
    return (low_x <= box[2]) & (high_x >= box[0]) & (low_y <= box[3]) & (high_y >= box[1])


@compiled
def _comes_near(outline: Floats, sides: Floats, box: tuple[float, float, float, float], within_mm: float) -> bool:
    """Whether an outline and a shape, with so wide a box about it, touch, overlap or come so near to each other."""
    ax, ay = outline[-1]
    is_inside = False
    x, y = sides[0, 0], sides[0, 1]
    for corner in range(len(outline)):
        bx, by = outline[corner, 0], outline[corner, 1]
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            is_inside = not is_inside
        is_apart = (max(ax, bx) < box[0]) | (min(ax, bx) > box[2]) | (max(ay, by) < box[1]) | (min(ay, by) > box[3])
        if not is_apart:
            for side in range(len(sides)):
                px, py, qx, qy = sides[side, 0], sides[side, 1], sides[side, 2], sides[side, 3]
                if gap2(ax, ay, bx, by, px, py, qx, qy) <= within_mm * within_mm:
                    return True
        ax, ay = bx, by
    return is_inside or is_solid(ax, ay, sides)

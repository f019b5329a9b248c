"""Sheets of paper as large as letter paper: so large a thing is ground to the net, but its four sides show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from rules.scene import NONE, UNKNOWN
from vision.detect.solid.edges import Edges
from vision.detect.solid.fit import Guess, best_fit
from vision.detect.solid.forms import BLOCK
from vision.detect.solid.glance import Glance, Sight
from vision.detect.solid.terrain import turn_deg
from vision.detection import Detection
from vision.metric.topview import TopView
from vision.naming.colour import TERRAIN_BGR, name_colour

Array = NDArray[np.float64]

# Scale at which they are looked for, and how far it is softened.
_PX_PER_MM, _SOFT_PX = 0.5, 1.5
# From half of letter paper on, up to such a share of the table: what is larger is the ground that is played on.
_LEAST_MM2, _MOST = 25_000.0, 0.4
# Each channel (Lab) is cut at so many levels; a patch counts if two neighbouring levels show it, so much in common.
_LEVELS, _SAME = 12, 0.85
_CONTRAST = 25
# So much of the rectangle around it is its own, things on it counted as its own; and so far it lies from the table's
# edge.
_FILLED, _INSIDE_MM = 0.94, 4.0
# How far off its sides are looked for along edges, mm, and turned, radians; and how far it must lie on them.
_OFF_MM, _TURN, _SUPPORT = 5.0, 0.03, 0.85
# A thing that shares so much with a sheet is that sheet, found already; a sheet with so many things on it may be a mat.
_KNOWN, _A_FEW = 0.3, 3
_SIGMA_MM, _CHANCE = 4.0, 0.8


@dataclass(eq=False)
class LargeSheetMemory:
    """The large sheets of one camera, kept until the net says something else."""

    _seen: Glance[TopView] | None = None
    _kept: list[Detection] = field(default_factory=list)

    def of(
        self,
        surfaces: Glance[TopView],
        close: Sight[TopView],
        known: Iterable[BaseGeometry],
        standing: Sequence[Detection],
    ) -> list[Detection]:
        """Sheets that are no known thing, and no mat that is played on.

        known     footprints of what is found already, and of hands
        standing  what stands on the table
        """
        if not surfaces.says_as(self._seen):
            self._seen, self._kept = surfaces, large_sheets(close)
        taken = list(known)
        new = [sheet for sheet in self._kept if not any(_common(sheet.footprint, one) > _KNOWN for one in taken)]
        return [sheet for sheet in new if not is_played_on(sheet, standing)]


def is_played_on(sheet: Detection, standing: Sequence[Detection]) -> bool:
    """Whether most of what stands on the table, and more than a thing or two, stands on the sheet: it is the ground."""
    on_it = sum(sheet.footprint.contains(Point(thing.position_mm)) for thing in standing)
    return on_it >= _A_FEW and 2 * on_it > len(standing)


def large_sheets(close: Sight[TopView]) -> list[Detection]:
    """Every large rectangle of one colour that lies whole on the table, nameless."""
    found: list[Detection] = []
    for outline in _rectangles(close):
        if not any(_common(outline, other.footprint) > _KNOWN for other in found):
            fitted = _fitted(outline, close)
            if fitted is not None:
                found.append(_sheet(fitted, close))
    return found


def _rectangles(close: Sight[TopView]) -> Iterator[Polygon]:
    """Rectangles that stand out at two levels of a colour at least."""
    scale = _PX_PER_MM / close.view.px_per_mm
    small = cv2.resize(close.seen, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), _SOFT_PX), cv2.COLOR_BGR2LAB)
    for layer in cv2.split(lab):
        low, high = int(layer.min()), int(layer.max())
        if high - low < _CONTRAST:
            continue
        before: list[Polygon] = []
        for level in np.linspace(low, high, _LEVELS + 2)[1:-1]:
            now = [*_filled(layer > level, scale, close.view), *_filled(layer <= level, scale, close.view)]
            yield from (one for one in now if any(_common(one, other) > _SAME for other in before))
            before = now


def _filled(region: NDArray[np.bool_], scale: float, view: TopView) -> Iterator[Polygon]:
    """Rectangles around the parts of a region that fill them, table mm."""
    least_px, most_mm2 = _LEAST_MM2 * _PX_PER_MM**2, _MOST * view.table_mm[0] * view.table_mm[1]
    contours, _ = cv2.findContours(region.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    inside = box(0, 0, *view.table_mm).buffer(-_INSIDE_MM)
    for contour in contours:
        area_px = cv2.contourArea(contour)
        if area_px < least_px:
            continue
        around = cv2.minAreaRect(contour)
        if area_px < _FILLED * around[1][0] * around[1][1]:
            continue
        outline = Polygon(view.to_table((cv2.boxPoints(around).astype(float) + 0.5) / scale - 0.5))
        if outline.area < most_mm2 and outline.within(inside):
            yield outline


def _fitted(outline: Polygon, close: Sight[TopView]) -> Polygon | None:
    """The rectangle whose sides lie on edges nearby, if they do."""
    corners = np.array(outline.exterior.coords)
    sides = np.diff(corners, axis=0)[:2]
    length, breadth = np.hypot(*sides.T)
    start = np.array([*outline.centroid.coords[0], length, breadth, np.arctan2(sides[0, 1], sides[0, 0]), 0.0])
    spread = np.array([_OFF_MM, _OFF_MM, _OFF_MM, _OFF_MM, _TURN, 0.0])
    low, high = np.array(outline.buffer(4 * _OFF_MM).bounds).reshape(2, 2)
    fit = best_fit([Guess(BLOCK, start, spread)], Edges.within(close.seen, close.plane, close.view, low, high))
    return None if fit is None or fit.support < _SUPPORT else fit.footprint


def _sheet(outline: Polygon, close: Sight[TopView]) -> Detection:
    at = (outline.centroid.x, outline.centroid.y)
    px = close.plane.to_image([at])
    return Detection(
        "terrain",
        UNKNOWN,
        at,
        outline,
        float(np.hypot(close.plane.sigma_mm(px)[0], _SIGMA_MM)),
        _CHANCE,
        (float(px[0, 0]), float(px[0, 1])),
        owner=NONE,
        height_mm=0.0,
        rotation_deg=turn_deg(outline),
        colour=name_colour(_within(outline, close), tuple(TERRAIN_BGR)),
    )


def _within(outline: Polygon, close: Sight[TopView]) -> NDArray[np.uint8]:
    """(n, 3) its pixels."""
    mask = np.zeros(close.seen.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.rint(close.view.to_px(np.array(outline.exterior.coords))).astype(np.int32)], (1,))
    return np.asarray(close.seen[mask > 0], np.uint8)


def _common(one: Polygon, other: BaseGeometry) -> float:
    return float(one.intersection(other).area / one.union(other).area)

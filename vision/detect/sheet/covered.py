"""Sheets that go on under what stands or lies on them: pieces of paper on both sides of a thing are one sheet, and a
sheet that does not come out on the other side ends somewhere below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray
from shapely import LineString, MultiPolygon, Polygon, union_all
from shapely.geometry.base import BaseGeometry
from shapely.ops import linemerge

from calibration.plane import TablePlane
from rules.scene import UNKNOWN
from vision.detect.sheet.sheet_colour import apart, colour_of
from vision.detect.solid.glance import Sight
from vision.detect.solid.terrain_shape import outlined
from vision.detection import Detection
from vision.memory.hiding import hidden_by
from vision.metric.topview import TopView

Array = NDArray[np.float64]

# Sheets, and how high the net may say that they are.
_SHEETS, _LOW_MM = ("paper", "napkin"), 6.0
# An end is at a thing from here on; it is so broad at least, and its sides are so long where their direction is taken.
_AT_MM, _BROAD_MM, _ALONG_MM = 6.0, 10.0, 20.0
# Sides of an end are as parallel as this, and pieces carry on one another's direction so far, cosines; they are no
# broader than so many times the other.
_PARALLEL, _AHEAD, _BROADER = np.cos(np.radians(15.0)), np.cos(np.radians(40.0)), 1.4
# So much of the gap between two pieces is hidden, and their colours differ by no more: lightness, then tint (Lab).
_HIDDEN, _ALIKE = 0.8, np.array([40.0, 8.0, 8.0])
# What shows of the gap, so far from all edges, must be sheet too, if it is large enough to have a colour.
_EDGE_MM, _TELLING_MM2, _AROUND_MM = 1.0, 10.0, 20.0
# Less hidden than this is no end that goes on; farther than this nothing is looked for.
_LEAST_MM, _FAR_MM = 8.0, 400.0


@dataclass(frozen=True, eq=False)
class _End:
    """Where a sheet goes under something.

    a, b        (2,) where its sides get there, mm
    ahead       (2,) unit vector along them
    reach_mm    how far the sheet shows along `ahead`, from the origin
    hidden_mm   how far what hides it reaches there
    """

    a: Array
    b: Array
    ahead: Array
    reach_mm: float
    hidden_mm: float

    @property
    def middle(self) -> Array:
        """(2,) between its corners."""
        return (self.a + self.b) / 2

    @property
    def broad_mm(self) -> float:
        """Across."""
        (x, y), (u, v) = self.ahead, self.b - self.a
        return float(abs(x * v - y * u))


def whole(
    terrain: Sequence[Detection], figures: Iterable[Detection], hands: MultiPolygon, close: Sight[TopView]
) -> list[Detection]:
    """The terrain, its sheets as far as they go on under terrain, and joined under figures and hands too.

    close  the table from above, the sheets' colours
    """
    sheets = [thing for thing in terrain if _is_sheet(thing)]
    rest = [thing for thing in terrain if not _is_sheet(thing)]
    standing = [hidden_by(thing, close.plane) for thing in rest]
    above = chain(standing, [hands], (hidden_by(figure, close.plane) for figure in figures))
    sheets = joined(sheets, above, close)
    bodies = _bodies(standing)
    return [*rest, *(_gone_on(sheet, _bodies([*bodies, *_over(sheet, sheets)]), close.plane) for sheet in sheets)]


def joined(
    sheets: Sequence[Detection], above: Iterable[BaseGeometry], close: Sight[TopView], *, side_by_side: bool = False
) -> list[Detection]:
    """The sheets, with those that are pieces of one sheet joined into it.

    above         what hides the table between them
    side_by_side  whether none of the sheets goes on under another
    """
    left = list(sheets)
    bodies = _bodies(above) if len(left) > 1 else []
    while True:
        pair = _first_pair(left, bodies, close, side_by_side)
        if pair is None:
            return left
        one, other, bridge = pair
        left = [*(sheet for sheet in left if sheet not in (one, other)), _both(one, other, bridge, close.plane)]


def _is_sheet(thing: Detection) -> bool:
    return thing.cls in (*_SHEETS, UNKNOWN) and (thing.height_mm or 0.0) <= _LOW_MM


def _over(sheet: Detection, others: Iterable[Detection]) -> list[Polygon]:
    """Sheets that lie over one: it ends at their side, and they do not end at it."""
    return [
        other.footprint
        for other in others
        if other is not sheet
        and _end(sheet.footprint, other.footprint) is not None
        and _end(other.footprint, sheet.footprint) is None
    ]


def _bodies(hiding: Iterable[BaseGeometry]) -> list[Polygon]:
    """What hides the table, what touches as one."""
    everything = union_all(list(hiding))
    return [part for part in getattr(everything, "geoms", [everything]) if isinstance(part, Polygon) and part.area > 0]


def _first_pair(
    sheets: Sequence[Detection], bodies: Sequence[Polygon], close: Sight[TopView], side_by_side: bool
) -> tuple[Detection, Detection, Polygon] | None:
    """Two pieces of one sheet, and what of it is hidden between them."""
    ends = [(sheet, _ends(sheet, bodies, () if side_by_side else sheets)) for sheet in sheets]
    for (one, its), (other, others) in combinations(ends, 2):
        if UNKNOWN in (one.cls, other.cls) or one.cls == other.cls:
            for body in its.keys() & others.keys():
                bridge = _bridge(its[body], others[body], body)
                if bridge is None or not _alike(colour_of(one.footprint, close), colour_of(other.footprint, close)):
                    continue
                if _goes_on(bridge, (one, other), body, close):
                    return one, other, bridge
    return None


def _ends(sheet: Detection, bodies: Iterable[Polygon], others: Iterable[Detection]) -> dict[Polygon, _End]:
    """Where a sheet goes under each of some bodies and of the sheets that lie over it."""
    found = {body: _end(sheet.footprint, body) for body in (*bodies, *_over(sheet, others))}
    return {body: end for body, end in found.items() if end is not None}


def _bridge(first: _End, second: _End, body: Polygon) -> Polygon | None:
    """What two pieces have between them under a body, if one goes in there where the other comes out."""
    gap = LineString([first.middle, second.middle])
    way = second.middle - first.middle
    way = way / max(float(np.linalg.norm(way)), 1e-9)
    goes_on = min(way @ first.ahead, -way @ second.ahead) > _AHEAD
    as_broad = max(first.broad_mm, second.broad_mm) < _BROADER * min(first.broad_mm, second.broad_mm)
    if not (goes_on and as_broad and gap.intersection(body.buffer(_AT_MM, quad_segs=4)).length > _HIDDEN * gap.length):
        return None
    bridge = union_all([LineString([first.a, first.b]), LineString([second.a, second.b])]).convex_hull
    return bridge if isinstance(bridge, Polygon) else None


def _goes_on(bridge: Polygon, pieces: Iterable[Detection], body: Polygon, close: Sight[TopView]) -> bool:
    """Whether what shows between two pieces, beside the body, may be their sheet: it is not another ground's."""
    outlines = [piece.footprint for piece in pieces]
    hidden = union_all([body, *outlines])
    beside = bridge.buffer(-_EDGE_MM).difference(hidden.buffer(_EDGE_MM, quad_segs=4))
    if beside.area < _TELLING_MM2:
        return True
    shown, sheet = colour_of(beside, close), colour_of(outlines[0], close)
    around = bridge.buffer(_AROUND_MM).difference(union_all([hidden, bridge]).buffer(_AT_MM))
    return _alike(shown, sheet) or bool(apart(shown, sheet) < apart(shown, colour_of(around, close)))


def _alike(one: Array, other: Array) -> bool:
    """Whether two colours (3,) in Lab are one, in more light or less."""
    return bool((np.abs(one - other) < _ALIKE).all())


def _both(one: Detection, other: Detection, bridge: Polygon, plane: TablePlane) -> Detection:
    """Two pieces as one, by the name that either has."""
    larger, smaller = sorted((one, other), key=lambda sheet: (sheet.cls == UNKNOWN, -sheet.footprint.area))
    areas = [larger.footprint.area, smaller.footprint.area]
    sigma_mm = float(np.average([larger.sigma_mm, smaller.sigma_mm], weights=areas))
    return replace(_with(larger, [smaller.footprint, bridge], plane), sigma_mm=sigma_mm)


def _with(sheet: Detection, parts: Sequence[Polygon], plane: TablePlane) -> Detection:
    """The sheet and more of it."""
    outline = union_all([sheet.footprint, *parts]).buffer(1.0, join_style="mitre").buffer(-1.0, join_style="mitre")
    return outlined(sheet, outline, plane) if isinstance(outline, Polygon) else sheet


def _gone_on(sheet: Detection, bodies: Iterable[Polygon], plane: TablePlane) -> Detection:
    """The sheet, drawn out under each body that an end of it goes under to the middle of where it may end."""
    if sheet.cls not in _SHEETS:
        return sheet
    for body in bodies:
        end = _end(sheet.footprint, body)
        open_mm = 0.0 if end is None else end.hidden_mm - end.reach_mm
        if end is not None and open_mm > _LEAST_MM:
            middle_mm = (end.reach_mm + end.hidden_mm) / 2
            far = [at + end.ahead * (middle_mm - at @ end.ahead) for at in (end.b, end.a)]
            # Its end is anywhere on the way with one chance; its middle is half as far off.
            sigma_mm = float(np.hypot(sheet.sigma_mm, open_mm / np.sqrt(12) / 2))
            sheet = replace(_with(sheet, [Polygon([end.a, end.b, *far])], plane), sigma_mm=sigma_mm)
    return sheet


def _end(outline: Polygon, body: Polygon) -> _End | None:
    """Where a sheet goes under a body between two sides that are parallel, if it does."""
    if outline.distance(body) > _AT_MM:
        return None
    ring = outline.exterior
    stretch = _longest(ring.intersection(body.buffer(_AT_MM, quad_segs=4)))
    if stretch is None or not _BROAD_MM <= stretch.length <= ring.length - 2 * _ALONG_MM:
        return None
    first, last = (ring.project(stretch.interpolate(share, normalized=True)) for share in (0.0, 1.0))
    if abs((last - first) % ring.length - stretch.length) > 1.0:
        first, last = last, first
    a, b = _on(ring, first), _on(ring, last)
    sides = [_unit(a - _on(ring, first - _ALONG_MM)), _unit(b - _on(ring, last + _ALONG_MM))]
    if sides[0] @ sides[1] < _PARALLEL:
        return None
    ahead = _unit(sides[0] + sides[1])
    reach_mm = float(max((np.array(stretch.coords) @ ahead).max(), a @ ahead, b @ ahead))
    hidden_mm = min(_far_side(a + (b - a) * share, ahead, body) for share in (0.1, 0.5, 0.9))
    end = _End(a, b, ahead, reach_mm, hidden_mm)
    return end if end.broad_mm >= _BROAD_MM else None


def _far_side(start: Array, ahead: Array, body: Polygon) -> float:
    """How far along a direction a body reaches that begins at a place, from the origin, mm."""
    ray = LineString([start, start + ahead * _FAR_MM])
    inside = ray.intersection(body)
    for part in getattr(inside, "geoms", [inside]):
        if not part.is_empty and part.distance(ray.interpolate(0)) < 2 * _AT_MM:
            return float((np.array(part.coords) @ ahead).max())
    return float(start @ ahead)


def _longest(shape: BaseGeometry) -> LineString | None:
    lines = [part for part in getattr(shape, "geoms", [shape]) if isinstance(part, LineString) and not part.is_empty]
    merged = linemerge(lines) if len(lines) > 1 else shape
    return max(
        (part for part in getattr(merged, "geoms", [merged]) if isinstance(part, LineString) and not part.is_empty),
        key=lambda part: part.length,
        default=None,
    )


def _on(ring: LineString, at_mm: float) -> Array:
    return np.array(ring.interpolate(at_mm % ring.length).coords[0])


def _unit(way: Array) -> Array:
    return np.asarray(way / max(float(np.linalg.norm(way)), 1e-9), float)

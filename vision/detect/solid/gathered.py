"""Things of which the net sees several pieces, each whole: books and boxes by their colours, pencils by their line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from shapely import LineString, MultiPolygon, Polygon, union_all
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from calibration.plane import TablePlane
from rules.scene import UNKNOWN
from vision.detect.sheet.sheets import followed
from vision.detect.solid.glance import Glance, Sight
from vision.detect.solid.terrain import find_terrain, turn_deg
from vision.detection import Detection
from vision.metric.topview import TopView

Array = NDArray[np.float64]

# Of which a hand hides more, that is the hand.
_ON_HAND = 0.5
# What a net may see in pieces, which are no farther apart; of one so much lies where the colours of another go.
_BROKEN, _APART_MM, _WITHIN = ("book", "box", UNKNOWN), 60.0, 0.6
# Pencils: so many times as long as they are broad, a gap that shows between two no longer, and no broader together, for
# a row ends unevenly.
_NARROW, _GAP_MM, _BROADER = 3.5, 30.0, 1.6

Others = Callable[[Detection, Sequence[Detection]], list[Detection]]


@dataclass(eq=False)
class GatheredMemory:
    """The gathered terrain of one camera, kept until the net says something else."""

    _seen: Glance[TopView] | None = None
    _kept: list[Detection] = field(default_factory=list)

    def of(self, surfaces: Glance[TopView], close: Sight[TopView], hands: MultiPolygon) -> list[Detection]:
        """All terrain that the net proposes, gathered, without what hands hide."""
        if not surfaces.says_as(self._seen):
            things = [thing for thing in find_terrain(surfaces) if _share(thing, hands) <= _ON_HAND]
            self._seen, self._kept = surfaces, gathered(things, close)
        return self._kept


def gathered(things: Sequence[Detection], close: Sight[TopView]) -> list[Detection]:
    """The things, with those that are pieces of one thing joined into it.

    close  the table from above, the things' colours
    """
    pencils = [thing for thing in things if thing.cls in ("pencils", UNKNOWN) and _is_narrow(thing)]
    broken = [thing for thing in things if thing.cls in _BROKEN and thing not in pencils]
    rest = [thing for thing in things if thing not in pencils and thing not in broken]
    surely = [thing.footprint for thing in rest]

    def by_colour(piece: Detection, others: Sequence[Detection]) -> list[Detection]:
        """The others nearby that lie where the piece's colours go."""
        near = [other for other in others if other.footprint.distance(piece.footprint) < _APART_MM]
        region = followed(piece.footprint, close, surely) if near else None
        return [] if region is None else [other for other in near if _share(other, region) > _WITHIN]

    hidden = union_all([_hides(thing, close.plane) for thing in (*rest, *broken)])

    def in_line(piece: Detection, others: Sequence[Detection]) -> list[Detection]:
        """The others that carry on its line, beyond what stands on it too."""
        return _in_line(piece, others, hidden)

    return [*rest, *_grouped(broken, by_colour, close.plane), *_grouped(pencils, in_line, close.plane)]


def _hides(thing: Detection, plane: TablePlane) -> Polygon:
    """The part of the table on which a thing stands, or that it hides from the camera."""
    ring_mm = np.array(thing.footprint.exterior.coords)
    return _hull([thing.footprint, Polygon(plane.behind(ring_mm, thing.height_mm or 0.0))])


def _grouped(pieces: Iterable[Detection], belonging: Others, plane: TablePlane) -> list[Detection]:
    """Each piece with the others that belong to it, the largest first."""
    left = sorted(pieces, key=lambda piece: -piece.footprint.area)
    found = []
    while left:
        first, *others = left
        with_it = belonging(first, others)
        found.append(_one([first, *with_it], plane))
        left = [other for other in others if other not in with_it]
    return found


def _one(pieces: Sequence[Detection], plane: TablePlane) -> Detection:
    """What pieces are together, by the name that most of it has, or that any of it has."""
    if len(pieces) == 1:
        return pieces[0]
    outline = _hull([piece.footprint for piece in pieces])
    height_mm = float(np.average([p.height_mm or 0.0 for p in pieces], weights=[p.footprint.area for p in pieces]))
    at = (outline.centroid.x, outline.centroid.y)
    u, v = plane.to_image([at], height_mm)[0]
    return replace(
        pieces[0],
        cls=_name(pieces),
        position_mm=at,
        footprint=outline,
        image_px=(float(u), float(v)),
        height_mm=round(height_mm, 1),
        rotation_deg=turn_deg(outline),
        class_log_probs=_of_all(pieces),
    )


def _of_all(pieces: Sequence[Detection]) -> dict[str, float]:
    """By class, the logarithm of its mean chance by the net over some pieces; nothing if it says nothing of one."""
    areas = [piece.footprint.area for piece in pieces]
    told = [piece.class_log_probs for piece in pieces]
    names = told[0] if all(told) else ()
    return {name: float(np.log(np.average([np.exp(one[name]) for one in told], weights=areas))) for name in names}


def _name(pieces: Sequence[Detection]) -> str:
    """That of most of the area; pencils are no large part of their line."""
    areas = {piece.cls: 0.0 for piece in pieces}
    for piece in pieces:
        areas[piece.cls] += piece.footprint.area
    return "pencils" if "pencils" in areas else max(areas, key=lambda name: areas[name])


def _in_line(piece: Detection, others: Sequence[Detection], hidden: BaseGeometry) -> list[Detection]:
    """The others that carry on its line, and on theirs."""
    line: list[Detection] = []
    left = list(others)
    grown = piece.footprint
    while True:
        added = [other for other in left if _carries_on(grown, other.footprint, hidden)]
        if not added:
            return line
        line += added
        left = [other for other in left if other not in added]
        grown = _hull([grown, *(other.footprint for other in added)])


def _carries_on(one: Polygon, other: Polygon, hidden: BaseGeometry) -> bool:
    together = _hull([one, other])
    breadth = max(_sides(one)[0], _sides(other)[0])
    gap = LineString(nearest_points(one, other)).difference(hidden)
    return gap.length < _GAP_MM and _sides(together)[0] < _BROADER * breadth


def _is_narrow(thing: Detection) -> bool:
    breadth, length = _sides(thing.footprint)
    return length > _NARROW * breadth


def _hull(outlines: Sequence[Polygon]) -> Polygon:
    hull = union_all(outlines).convex_hull
    assert isinstance(hull, Polygon)
    return hull


def _sides(outline: Polygon) -> tuple[float, float]:
    """Breadth and length in mm of the smallest rectangle around it."""
    around = outline.minimum_rotated_rectangle
    assert isinstance(around, Polygon)
    corners = np.array(around.exterior.coords)
    first, second = np.hypot(*np.diff(corners, axis=0)[:2].T)
    return float(min(first, second)), float(max(first, second))


def _share(thing: Detection, region: Polygon | MultiPolygon) -> float:
    return float(thing.footprint.intersection(region).area / thing.footprint.area)

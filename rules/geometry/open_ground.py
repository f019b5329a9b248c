"""Open ground around a point: an area inside a disc, less other discs, as far as it hangs together."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import shapely
from shapely import MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry

from rules.geometry.discs import disc

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rules.scene import Point2

# Removed discs are this much smaller, so that a gap which just fits is open.
FIT_MM = 1e-6
# A disc that was shrunk to touch the centre is drawn with at most 0.0004 mm of sagitta.
HERE_MM = 1e-3

Disc = tuple["Point2", float]


def shrunk(discs: Iterable[Disc], point_mm: Point2) -> list[Disc]:
    """The discs, those that hold the point shrunk until their edge touches it."""
    return [(centre, min(radius, math.dist(centre, point_mm))) for centre, radius in discs]


def area_of(parts: Iterable[BaseGeometry]) -> MultiPolygon:
    """The polygons among some geometries, as one."""
    flat = shapely.get_parts(shapely.get_parts(list(parts)))
    return MultiPolygon([part for part in flat if isinstance(part, Polygon) and not part.is_empty])


def clearing(area: BaseGeometry, centre_mm: Point2, radius_mm: float, discs: Sequence[Disc]) -> MultiPolygon:
    """The part of `area` within `radius_mm` that can be walked to from the centre without entering a disc.

    Parts that meet only at the centre all count; empty if the centre is not in the area. Discs that hold the centre
    must have been shrunk. Error: 0.0012 mm at the border, arcs being inscribed 512-gons.
    """
    near = [disc(at, radius - FIT_MM) for at, radius in shrunk_near(discs, centre_mm, radius_mm)]
    left = shapely.intersection(area, disc(centre_mm, radius_mm))
    if near:
        left = shapely.difference(left, shapely.union_all(near))
    here = Point(centre_mm)
    if not area.dwithin(here, FIT_MM):
        return MultiPolygon()
    return area_of(part for part in shapely.get_parts(shapely.get_parts([left])) if part.dwithin(here, HERE_MM))


def shrunk_near(discs: Sequence[Disc], centre_mm: Point2, radius_mm: float) -> list[Disc]:
    """The discs that can matter within a radius, those that hold the centre shrunk to touch it."""
    near = [(at, size) for at, size in discs if math.dist(at, centre_mm) < radius_mm + size]
    return [(at, size) for at, size in shrunk(near, centre_mm) if size > FIT_MM]


def less_discs(area: MultiPolygon, discs: Iterable[Disc]) -> MultiPolygon:
    """An area less the given discs."""
    holes = [disc(at, size) for at, size in discs]
    return area_of([shapely.difference(area, shapely.union_all(holes))]) if holes else area

"""Discs and straight lines, exactly: chords, lenses, polygons for painting. Table frame, mm."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from shapely import Point, Polygon

if TYPE_CHECKING:
    from collections.abc import Sequence

Array = NDArray[np.float64]

# Two points nearer than this are one. Coordinates of a table carry 1e-13 mm of rounding, chords some 1e-9.
SAME_MM = 1e-7
# A line that stays this near the edge of a disc touches it only; deeper, its chord is longer than 0.1 micrometre.
TOUCH_MM = 1e-9
# 512-gons: 0.0012 mm short at 63.5 mm, 0.0004 mm at a coin's grown disc.
QUAD_SEGS = 128


def chords(start_mm: Array, delta_mm: Array, centre_mm: Array, radius_mm: Array) -> tuple[Array, Array]:
    """Where lines run through closed discs, pairwise, as line parameters; an empty chord has enter > leave.

    start_mm, delta_mm, centre_mm  (n, 2); the line is start + t * delta, delta not null
    radius_mm                      (n,)
    """
    to_start = start_mm - centre_mm
    square = np.einsum("ij,ij->i", delta_mm, delta_mm)
    half = np.einsum("ij,ij->i", to_start, delta_mm) / square
    nearest = to_start - half[:, None] * delta_mm
    room = radius_mm**2 - np.einsum("ij,ij->i", nearest, nearest)
    # A line that only touches would get a chord of micrometres from rounding.
    reach = np.sqrt(np.where(room > 2 * TOUCH_MM * radius_mm, room, 0.0) / square)
    return np.where(room >= 0, -half - reach, 1.0), np.where(room >= 0, -half + reach, 0.0)


def line_distances_mm(start_mm: Array, delta_mm: Array, centre_mm: Array) -> Array:
    """Distances of points from endless lines, pairwise; (n,)."""
    offset = centre_mm - start_mm
    length = np.hypot(delta_mm[:, 0], delta_mm[:, 1])
    return np.abs(delta_mm[:, 0] * offset[:, 1] - delta_mm[:, 1] * offset[:, 0]) / length


def nearest_parameters(start_mm: Array, delta_mm: Array, point_mm: Array, low: Array, high: Array) -> Array:
    """The parameters in [low, high] nearest to points, pairwise; (n,)."""
    square = np.einsum("ij,ij->i", delta_mm, delta_mm)
    along = np.einsum("ij,ij->i", point_mm - start_mm, delta_mm) / square
    nearest: Array = np.minimum(np.maximum(along, low), high)
    return nearest


def lens_area_mm2(distance_mm: float, first_mm: float, second_mm: float) -> float:
    """The area that two discs share, from the distance of their centres and their radii.

    >>> lens_area_mm2(0.0, 2.0, 1.0) == math.pi
    True
    """
    if distance_mm >= first_mm + second_mm:
        return 0.0
    if distance_mm <= abs(first_mm - second_mm):
        return math.pi * min(first_mm, second_mm) ** 2
    return _segment_mm2(distance_mm, first_mm, second_mm) + _segment_mm2(distance_mm, second_mm, first_mm)


def _segment_mm2(distance_mm: float, radius_mm: float, other_mm: float) -> float:
    """The share of a disc beyond the chord that another disc cuts off it."""
    height = (distance_mm**2 + radius_mm**2 - other_mm**2) / (2 * distance_mm)
    cosine = max(-1.0, min(1.0, height / radius_mm))
    return radius_mm**2 * math.acos(cosine) - height * math.sqrt(max(radius_mm**2 - height**2, 0.0))


@lru_cache(maxsize=256)
def half_cover_distance_mm(radius_mm: float, cover_mm: float) -> float:
    """The greatest centre distance at which a disc of `cover_mm` still covers half of a disc of `radius_mm`.

    Negative when the cover is too small to do so at any distance.
    """
    half = math.pi * radius_mm**2 / 2
    if math.pi * cover_mm**2 < half:
        return -1.0
    near, far = abs(radius_mm - cover_mm), radius_mm + cover_mm
    # By bisection, not scipy.optimize, which takes 0.35 s to import. 60 halvings leave less than rounding does.
    for _ in range(60):
        middle = (near + far) / 2
        near, far = (middle, far) if lens_area_mm2(middle, radius_mm, cover_mm) >= half else (near, middle)
    return near


def disc(centre_mm: Sequence[float], radius_mm: float) -> Polygon:
    """All points within `radius_mm`, as an inscribed 512-gon; empty for a radius of zero."""
    return Point(centre_mm).buffer(radius_mm, quad_segs=QUAD_SEGS)

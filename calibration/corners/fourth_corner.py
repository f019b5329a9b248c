"""A table's fourth corner, three being clicked: where the two sides that meet in it are seen to meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.corners.sheet_corners import bending
from calibration.edges.long_edge import LongEdge, long_edges
from calibration.fit.correspondence import CLICK_SIGMA_PX, Correspondences
from calibration.fit.planar import cross
from calibration.fit.plane_fit import fit_plane
from calibration.lens import Lens

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# How well two sides tell where they meet (`benchmarks.three_clicks --sides`).
SIDES_SIGMA_PX = 0.5
# A side goes through the corner that was clicked at its end, as nearly as a hand clicks, and leaves the side between
# two clicked corners by at least this angle.
_ON_CORNER_PX, _ON_CORNER_SIGMAS, _LEAST_ANGLE_DEG = 4.0, 3.0, 20.0
# What hides an end of a side hides no more than this share of it; the corner itself may be hidden.
_HIDDEN = 0.35
# Straight lines near the corner, whatever the lens does to the rest of them.
_NEAR_SHARE = 0.5
# A rectangle of that size, clicked by hand, is met by some camera to this; and two answers farther apart are a doubt.
_WORST_RMS_PX, _WORST_RMS_SIGMAS, _APART_PX = 1.5, 2.0, 4.0
_BEYOND = 0.05
_FAR_LEFT = "no two sides are seen to meet in the far left corner"


def fourth_corner(
    image: Image,
    corners_px: Array,
    size_mm: tuple[float, float],
    lens: Lens | None,
    sigma_px: float = CLICK_SIGMA_PX,
) -> Array:
    """(2,) px of the far left corner of a table whose near left, near right and far right ones are `corners_px` (3, 2).

    image   (h, w) or (h, w, 3) uint8; sides that are no lighter or darker than the floor are seen by their colour
    lens    None where nobody measured it; then the picture's straight edges tell its bend, as far as they do
    sigma_px  how exactly the three were clicked
    Raises  ValueError, one line, where its far and left side are not both seen, or may be several
    """
    for surface in _surfaces(image):
        corner = _in_surface(surface, corners_px, size_mm, lens, sigma_px)
        if corner is not None:
            return corner
    raise ValueError(_FAR_LEFT)


def _surfaces(image: Image) -> Iterator[Image]:
    """The picture, and then how blue and how red it is."""
    yield image
    if image.ndim == 3:
        yield from (np.ascontiguousarray(image[..., channel]) for channel in (0, 2))


def _in_surface(
    surface: Image, corners_px: Array, size_mm: tuple[float, float], lens: Lens | None, sigma_px: float
) -> Array | None:
    """(2,) px; None where no sides meet; ValueError where several may."""
    size_px = (surface.shape[1], surface.shape[0])
    told = (lens or Lens.unknown(size_px)).scaled_to(size_px)
    edges = long_edges(surface)
    straighten, bent, _ = bending(edges, told)
    straight = [replace(edge, points_px=straighten(edge.points_px)) for edge in edges]
    clicked = straighten(np.asarray(corners_px, float))
    on_corner_px = max(_ON_CORNER_PX, _ON_CORNER_SIGMAS * sigma_px)
    found = [bent(meeting[None])[0] for meeting in _meetings(straight, clicked, on_corner_px)]
    good = [place for place in found if _is_corner(place, corners_px, size_mm, lens, size_px, sigma_px)]
    if not good:
        return None
    if any(np.hypot(*(place - good[0])) > _APART_PX for place in good):
        raise ValueError("several sides are seen that may meet in the far left corner")
    return np.asarray(good[0], float)


def _meetings(edges: Sequence[LongEdge], clicked: Array, on_corner_px: float) -> Iterator[Array]:
    """(2,) where a side from the far right corner and one from the near left meet, the longest sides first."""
    near_left, near_right, far_right = clicked
    far = list(_from(edges, far_right, near_right, near_left, on_corner_px))
    left = list(_from(edges, near_left, near_right, far_right, on_corner_px))
    pairs = [(one, other) for one in far for other in left if one is not other]
    for one, other in sorted(pairs, key=lambda pair: -len(pair[0]) - len(pair[1])):
        rough = _crossing(_line(one), _line(other))
        if rough is None:
            continue
        meeting = meeting_near(one, other, rough)
        if meeting is not None and reaches(one, far_right, meeting) and reaches(other, near_left, meeting):
            yield meeting


def _from(
    edges: Sequence[LongEdge], corner: Array, before: Array, opposite: Array, on_corner_px: float
) -> Iterator[Array]:
    """(n, 2) points of the edges that leave a corner, on the side of `opposite`, elsewhere than towards `before`."""
    for edge in edges:
        points = edge.points_px
        if off_px(points, corner) > on_corner_px:
            continue
        away = points.mean(axis=0) - corner
        side = before - corner
        angle_deg = float(np.degrees(np.arccos(away @ side / (np.hypot(*away) * np.hypot(*side)))))
        is_inward = float(cross(side, away)) * float(cross(side, opposite - corner)) > 0
        if is_inward and _LEAST_ANGLE_DEG < angle_deg < 180 - _LEAST_ANGLE_DEG:
            yield points


def off_px(points: Array, corner: Array) -> float:
    """How far from a corner an edge of these points (n, 2) passes, gone on straight."""
    middle, way = _line(_near(points, corner))
    return abs(float(cross(corner - middle, way)))


def meeting_near(one: Array, other: Array, place: Array) -> Array | None:
    """(2,) where two edges, of points (n, 2) each, meet as they run near a place; None where they hardly do."""
    return _crossing(_line(_near(one, place)), _line(_near(other, place)))


def _near(points: Array, place: Array) -> Array:
    """The half of the points that is nearest."""
    order = np.argsort(np.hypot(*(points - place).T))
    return np.asarray(points[np.sort(order[: max(round(_NEAR_SHARE * len(points)), 4)])], float)


def _line(points: Array) -> tuple[Array, Array]:
    """Middle and unit direction of the line of most of the points."""
    kept = points
    for _ in range(3):
        middle = kept.mean(axis=0)
        way = np.linalg.svd(kept - middle, full_matrices=False)[2][0]
        off = np.abs(cross(kept - middle, way))
        kept = kept[off <= max(3 * float(np.median(off)), 0.5)]
    return middle, way


def _crossing(one: tuple[Array, Array], other: tuple[Array, Array]) -> Array | None:
    """(2,) where two lines meet; None where they hardly do."""
    turn = float(cross(one[1], other[1]))
    if abs(turn) < np.sin(np.radians(_LEAST_ANGLE_DEG)):
        return None
    return np.asarray(one[0] + one[1] * float(cross(other[0] - one[0], other[1])) / turn, float)


def reaches(points: Array, start: Array, end: Array) -> bool:
    """Whether an edge (n, 2) px shows most of the side from `start` to `end`, (2,) each, and does not go on beyond."""
    side = end - start
    share = (points - start) @ side / float(side @ side)
    gap = max(float(share.min()), 0.0) + max(1 - float(share.max()), 0.0)
    return gap < _HIDDEN and float(share.min()) > -_BEYOND and float(share.max()) < 1 + _BEYOND


def _is_corner(
    place: Array,
    corners_px: Array,
    size_mm: tuple[float, float],
    lens: Lens | None,
    size_px: tuple[int, int],
    sigma_px: float,
) -> bool:
    """Whether some camera shows a table of that size so."""
    width, depth = size_mm
    table_mm = np.array([[0, 0], [width, 0], [width, depth], [0, depth]], float)
    try:
        seen = Correspondences.of(np.vstack([corners_px, place]), table_mm, sigma_px=sigma_px)
        plane = fit_plane(seen, lens, size_px, size_mm)
    except ValueError:
        return False
    return plane.reprojection_error_px < max(_WORST_RMS_PX, _WORST_RMS_SIGMAS * sigma_px)

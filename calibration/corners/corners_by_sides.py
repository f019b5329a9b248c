"""Clicked corners of a table, sharpened: where the two sides that a corner lies on are seen to meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.bending.plumb_line import ROUGHEST_PX
from calibration.corners.fourth_corner import SIDES_SIGMA_PX, meeting_near, off_px, reaches
from calibration.corners.sheet_corners import bending
from calibration.edges.long_edge import LongEdge, long_edges, profile_across
from calibration.edges.tints import ROUGHEST_TINT_PX, tints
from calibration.fiducials.markers import gray_of
from calibration.lens import Lens

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# So far a hand may have missed: beyond it lies another thing's side.
_REACH_SIGMAS, _LEAST_REACH_PX = 3.0, 1.5
# Sides that meet farther apart than this leave a doubt which are the table's: a bevel, a seam, a shadow.
_APART_PX = 1.0
# Corners are off by more where sides show in tints alone.
_TINTS_SIGMA_PX = 1.5 * SIDES_SIGMA_PX
# Across a side the picture gets lighter, or darker, by this share of all its changes.
_OF_ALL_CHANGE = 0.8


def sharpened(image: Image, corners_px: Array, sigma_px: Array, lens: Lens | None) -> tuple[Array, Array]:
    """(4, 2) px and (4,) their standard deviations: of corners that sides tell, by those; the others as they were.

    corners_px  (4, 2) clicked, round the table one after another
    sigma_px    (4,) how exactly each was
    lens        None where nobody measured it; then the picture's straight edges tell its bend, as far as they do
    """
    told = (lens or Lens.unknown((image.shape[1], image.shape[0]))).scaled_to((image.shape[1], image.shape[0]))
    places_px, sigmas_px, left = corners_px.copy(), sigma_px.copy(), set(range(4))
    surfaces = [(gray_of(image), ROUGHEST_PX, SIDES_SIGMA_PX)]
    surfaces += [(tint, ROUGHEST_TINT_PX, _TINTS_SIGMA_PX) for tint in tints(image)]
    for surface, roughest_px, sides_sigma_px in surfaces:
        for corner, meetings in _met(surface, corners_px, sigma_px, told, roughest_px):
            if corner in left and np.ptp(meetings, axis=0).max() < _APART_PX and sigma_px[corner] > sides_sigma_px:
                places_px[corner], sigmas_px[corner] = meetings.mean(axis=0), sides_sigma_px
            left.discard(corner)
    return places_px, sigmas_px


def _met(
    surface: Image, corners_px: Array, sigma_px: Array, told: Lens, roughest_px: float
) -> Iterator[tuple[int, Array]]:
    """The corners near which sides are seen to meet in grey or in a tint, and (n, 2) px where."""
    edges = [edge for edge in long_edges(surface) if _is_step(surface, edge)]
    straighten, bent, _ = bending(edges, told, roughest_px)
    straight = [replace(edge, points_px=straighten(edge.points_px)) for edge in edges]
    clicked, reach_px = straighten(corners_px), np.maximum(_REACH_SIGMAS * sigma_px, _LEAST_REACH_PX)
    sides = [list(_along(straight, clicked, reach_px, start)) for start in range(4)]
    for corner in range(4):
        meetings = _meetings(sides[corner - 1], sides[corner], clicked[corner], reach_px[corner])
        if len(meetings):
            yield corner, bent(meetings)


def _is_step(gray: Image, edge: LongEdge) -> bool:
    """Whether one surface ends along an edge: beside a printed line the next one is as light again, and which of the
    line's two edges was followed, 2 px apart, nobody knows."""
    profile = profile_across(gray, edge)
    return bool(abs(profile[-1] - profile[0]) > _OF_ALL_CHANGE * np.abs(np.diff(profile)).sum())


def _along(edges: Sequence[LongEdge], corners: Array, reach_px: Array, start: int) -> Iterator[Array]:
    """(n, 2) points of the edges that go from a corner to the next."""
    end = (start + 1) % 4
    for edge in edges:
        points = edge.points_px
        is_on_both = all(off_px(points, corners[corner]) < reach_px[corner] for corner in (start, end))
        if is_on_both and reaches(points, corners[start], corners[end]):
            yield points


def _meetings(before: Sequence[Array], after: Sequence[Array], corner: Array, reach_px: float) -> Array:
    """(n, 2) where sides meet near a corner."""
    found = [meeting_near(one, other, corner) for one in before for other in after]
    near = [place for place in found if place is not None and np.hypot(*(place - corner)) < 2 * reach_px]
    return np.array(near).reshape(-1, 2)

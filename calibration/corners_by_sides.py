"""Clicked corners of a table, sharpened: where the two sides that a corner lies on are seen to meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.edge import sample
from calibration.fourth_corner import SIDES_SIGMA_PX, meeting_near, off_px, reaches
from calibration.lens import Lens
from calibration.long_edge import LongEdge, long_edges
from calibration.markers import gray_of
from calibration.sheet_corners import bending

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# So far a hand may have missed: beyond it lies another thing's side.
_REACH_SIGMAS, _LEAST_REACH_PX = 3.0, 1.5
# Sides that meet farther apart than this leave a doubt which are the table's: a bevel, a seam, a shadow.
_APART_PX = 1.0
# Across a side the picture gets lighter, or darker, by this share of all its changes.
_ACROSS_PX, _OF_ALL_CHANGE = np.arange(-7.0, 8.0), 0.8


def sharpened(image: Image, corners_px: Array, sigma_px: Array, lens: Lens | None) -> tuple[Array, Array]:
    """(4, 2) px and (4,) their standard deviations: of corners that sides tell, by those; the others as they were.

    corners_px  (4, 2) clicked, round the table one after another
    sigma_px    (4,) how exactly each was
    lens        None where nobody measured it; then the picture's straight edges tell its bend, as far as they do
    """
    told = (lens or Lens.unknown((image.shape[1], image.shape[0]))).scaled_to((image.shape[1], image.shape[0]))
    gray = gray_of(image)
    edges = [edge for edge in long_edges(image) if _is_step(gray, edge)]
    straighten, bent, _ = bending(edges, told)
    straight = [replace(edge, points_px=straighten(edge.points_px)) for edge in edges]
    clicked, reach_px = straighten(corners_px), np.maximum(_REACH_SIGMAS * sigma_px, _LEAST_REACH_PX)
    sides = [list(_along(straight, clicked, reach_px, start)) for start in range(4)]
    places_px, sigmas_px = corners_px.copy(), sigma_px.copy()
    for corner in range(4):
        meetings = _meetings(sides[corner - 1], sides[corner], clicked[corner], reach_px[corner])
        if len(meetings) and np.ptp(meetings, axis=0).max() < _APART_PX and sigma_px[corner] > SIDES_SIGMA_PX:
            places_px[corner], sigmas_px[corner] = bent(meetings.mean(axis=0)[None])[0], SIDES_SIGMA_PX
    return places_px, sigmas_px


def _is_step(gray: Image, edge: LongEdge) -> bool:
    """Whether one surface ends along an edge: beside a printed line the next one is as light again, and which of the
    line's two edges was followed, 2 px apart, nobody knows."""
    ways = np.gradient(edge.points_px, axis=0)
    left = np.stack([ways[:, 1], -ways[:, 0]], axis=1) / np.hypot(*ways.T)[:, None]
    across = edge.points_px[:, None] + _ACROSS_PX[:, None] * left[:, None]
    profile = np.median(sample(gray, across), axis=0)
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

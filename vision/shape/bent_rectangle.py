"""Rectangles that are bowed along their length or breadth, measured by how their sides bend in the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.frame import ImageBgr
from vision.shape.rectangle import WEAKEST, RectangleFit, edges_near, places_on, samples_of, whose_size

Array = NDArray[np.float64]

# Where edges are looked for about the sides, in what steps, and how far from them they count half (all in mm): for a
# first glance, and as what is bowed by a few mm shows them.
GLANCE, SEARCHES = ((1.2, 0.4, 0.5),), ((3.0, 0.4, 1.5), (3.0, 0.4, 1.0), (1.5, 0.2, 0.5), (1.0, 0.2, 0.3))
_ROUNDS = 3
# By how much one may be moved, turned, larger, and bowed: weak priors, firmer of the size. Searches need that of the
# bows, of which the answer knows next to nothing.
_PRIOR = np.diag([0.01, 0.01, 0.01, 5.0, 5.0, 0.02, 0.02])
_SEARCHED = np.diag([0.0, 0.0, 0.0, 0.0, 0.0, 0.02, 0.02]) * (1 - 1e-3)
# Edges so near to the sides are theirs, mm.
_NEAR_MM = 0.3


@dataclass(frozen=True, eq=False)
class Bent:
    """n rectangles as their bent sides show them.

    change       (n, 7) by how much each lies off in x, y and angle, is longer and broader (half of it), and rises at
                 the ends of its length and of its breadth above its middle; mm, radians
    known        (n, 7, 7) how firmly that is known: the inverse of its covariance, were each edge off by a mm
    support      (n,) share of the edges that are looked for which lie on its sides
    residual_mm  (n,) RMS distance of those
    """

    change: Array
    known: Array
    support: Array
    residual_mm: Array

    @property
    def bow_mm(self) -> Array:
        """(n, 2) how high the ends of the length and those of the breadth rise above the middle."""
        return self.change[:, 5:]

    @property
    def bow_spread(self) -> Array:
        """(n, 2) standard deviations of these, were each edge off by a mm."""
        spread = np.linalg.inv(self.known)
        return np.asarray(np.sqrt(spread[:, (5, 6), (5, 6)]), float)


def away_mm(plane: TablePlane, places_mm: Array) -> Array:
    """(..., 2) by how much what lies a mm above places (..., 2) shows farther from the camera."""
    eye_mm = np.asarray(plane.camera_position_mm, float)
    return np.asarray((places_mm - eye_mm[:2]) / eye_mm[2], float)


def bent_rectangles(
    image_bgr: ImageBgr,
    plane: TablePlane,
    fits: Sequence[RectangleFit],
    searches: Sequence[tuple[float, float, float]] = SEARCHES,
) -> Bent:
    """How rectangles of one size are bowed."""
    samples = samples_of(fits)
    size_mm, count = fits[0].size_mm, len(fits)
    along = np.square(2 * places_on(size_mm) / size_mm)
    across = (samples.normals * away_mm(plane, samples.points)).sum(axis=2)
    sizes = np.broadcast_to(whose_size(size_mm), (count, *along.shape))
    model = np.concatenate([samples.model, sizes, across[..., None] * along], axis=2)
    change, known = np.zeros((count, model.shape[2])), np.zeros((count, model.shape[2], model.shape[2]))
    for window_mm, step_mm, half_mm in searches:
        bent = samples._replace(points=samples.points + samples.normals * (model @ change[..., None]))
        offsets, strengths = edges_near(image_bgr, plane, bent, window_mm, step_mm)
        step, known = _step(offsets, strengths > WEAKEST, model, change, half_mm)
        change = change + step
    left = offsets - (model @ step[..., None])[..., 0]
    near = (strengths > WEAKEST) & (np.abs(left) < _NEAR_MM)
    residual_mm = np.sqrt((near * np.square(left)).sum(axis=1) / np.maximum(near.sum(axis=1), 1))
    told = known @ change[..., None]
    known = known - _SEARCHED
    return Bent(np.asarray(np.linalg.solve(known, told)[..., 0], float), known, near.mean(axis=1), residual_mm)


def _step(
    offsets: Array, strong: NDArray[np.bool_], model: Array, change: Array, half_mm: float
) -> tuple[Array, Array]:
    """(n, 7) steps that bring the sides to the edges, and (n, 7, 7) how firmly these hold them."""
    across = model.transpose(0, 2, 1)
    step = np.zeros_like(change)
    for _ in range(_ROUNDS):
        left = offsets - (model @ step[..., None])[..., 0]
        weight = strong / np.square(1 + np.square(left / half_mm))
        known = (across * weight[:, None]) @ model + _PRIOR
        told = across @ (weight * offsets)[..., None] - _PRIOR @ change[..., None]
        step = np.linalg.solve(known, told)[..., 0]
    return step, known

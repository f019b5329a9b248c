"""How much of a plane's error is that it may be larger or smaller all over, as one that cards alone measure may be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane, sigma_of
from calibration.pose import table_jacobian

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScaleDoubt:
    """share: standard deviation of the scale; rest_mm: (n,) sigma of the places, were the scale known."""

    share: float
    rest_mm: Array


def scale_doubt(plane: TablePlane, mm: Array) -> ScaleDoubt:
    """The part of the plane's error at two or more places (n, 2) that comes from its scale about their middle."""
    by_camera = table_jacobian(plane.lens, plane.pose, mm, 0.0)[0].reshape(2 * len(mm), -1)
    covariance = by_camera @ plane.covariance @ by_camera.T
    larger = (mm - mm.mean(axis=0)).ravel() / np.square(mm - mm.mean(axis=0)).sum()
    by_scale, of_scale = covariance @ larger, float(larger @ covariance @ larger)
    # What is left of errors that are jointly normal, once one sum of them is told.
    rest = covariance - np.outer(by_scale, by_scale) / max(of_scale, np.finfo(float).tiny)
    each = np.arange(len(mm))
    blocks = rest.reshape(len(mm), 2, len(mm), 2)[each, :, each, :]
    return ScaleDoubt(float(np.sqrt(of_scale)), sigma_of(blocks))

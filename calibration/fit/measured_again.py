"""A table measured again from what was measured before: what its places' errors have in common with the first ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.lens import Lens
from calibration.pose import Pose, table_jacobian

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class MeasuredAgain:
    """How a camera came to be measured by places that it had measured itself, from where it stood first.

    lens, pose  of the camera that measured the table first
    covariance  (n, n) of (lens.parameters, rvec, tvec) of that camera
    follows     (n, n) how the numbers of the camera now follow the errors of those
    fitted      (n, n) the covariance that measuring it again added to that
    last        (n, n) of it, what the last measurement added by itself
    name        of the first measurement
    """

    lens: Lens
    pose: Pose
    covariance: Array
    follows: Array
    fitted: Array
    last: Array
    name: str

    def then(self, follows: Array, fitted: Array) -> MeasuredAgain:
        """After yet another measurement by the places of the last one, whose errors its numbers follow so."""
        return MeasuredAgain(
            self.lens,
            self.pose,
            self.covariance,
            follows @ self.follows,
            follows @ self.fitted @ follows.T + fitted,
            fitted,
            self.name,
        )

    def covariance_apart_mm(self, lens: Lens, pose: Pose, mm: Array, height_mm: ArrayLike) -> Array:
        """(n, 2, 2): of how far the camera now measures places (n, 2) from where the first one measured them."""
        now, first = (
            table_jacobian(lens, pose, mm, height_mm)[0],
            table_jacobian(self.lens, self.pose, mm, height_mm)[0],
        )
        apart = now @ self.follows - first
        return np.asarray(
            apart @ self.covariance @ apart.transpose(0, 2, 1) + now @ self.fitted @ now.transpose(0, 2, 1), float
        )

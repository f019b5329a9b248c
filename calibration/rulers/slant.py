"""What a lattice of unknown size tells of a camera: how its lens bends, and which way the table faces it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.pose import Pose

Array = NDArray[np.float64]

# What no place of the lattice tells: the table's turn about its own normal, and a lens's numbers that are not free.
_WEAKEST = 1e-16


@dataclass(frozen=True, eq=False)
class Slant:
    """What it tells, to first order about a camera that is nearly right.

    lens, pose   of that camera
    information  (m + 3, m + 3) inverse covariance of how far the true lens parameters, and the turn of the table's
                 normal (radians about the camera's axes), are from that camera's
    pull         (m + 3,) information times where the lattice would have them
    rms_px       what it leaves of the places that agree with it
    """

    lens: Lens
    pose: Pose
    information: Array
    pull: Array
    rms_px: float

    def misfit(self, lens: Lens, pose: Pose) -> tuple[Array, Array]:
        """(k,) whitened residuals of a camera, and their Jacobian (k, m + 6) by (lens parameters, rvec, tvec)."""
        m, (white, told) = len(lens.parameters), self._white
        here, there = pose.rotation[:, 2], self.pose.rotation[:, 2]
        by = np.zeros((m + 3, m + 6))
        by[:m, :m] = np.eye(m)
        # A small turn moves the normal by the cross product with it.
        by[m:, m : m + 3] = -_crossing(there) @ _crossing(here) @ turns_by(pose.rvec)
        off = np.r_[lens.parameters - self.lens.parameters, np.cross(there, here)]
        return white @ off - told, white @ by

    @property
    def numbers(self) -> int:
        """How many residuals it has."""
        return len(self._white[1])

    @cached_property
    def _white(self) -> tuple[Array, Array]:
        """(k, m + 3) whose square is the information, and (k,) where the lattice would have it."""
        values, vectors = np.linalg.eigh(self.information)
        kept = values > _WEAKEST * max(float(values.max()), 1e-300)
        root, ways = np.sqrt(values[kept]), vectors[:, kept].T
        return root[:, None] * ways, ways @ self.pull / root


def turns_by(rvec: Array) -> Array:
    """(3, 3) by how many radians about its axes the camera's frame turns with each number of rvec."""
    rotation, jacobian = cv2.Rodrigues(np.asarray(rvec, float))
    spins = np.asarray(jacobian, float).reshape(3, 3, 3) @ rotation.T
    return np.asarray(np.stack([spins[:, 2, 1], spins[:, 0, 2], spins[:, 1, 0]]), float)


def _crossing(vector: Array) -> Array:
    """(3, 3) what makes the cross product with a vector (3,)."""
    x, y, z = vector
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])

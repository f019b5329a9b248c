"""The same camera over the same table, measured from another corner, or looking elsewhere."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.pose import Pose, Rigid, table_jacobian

Array = NDArray[np.float64]

# Of central differences, in rad and mm.
_STEP = 1e-6


def moved_by(pose: Pose, new2old: Rigid) -> Pose:
    """The pose over the new frame, whose points `new2old` takes to the old one."""
    turn = np.asarray(cv2.Rodrigues(np.array([0.0, 0.0, new2old.turn]))[0], float)
    tvec = pose.tvec + pose.rotation @ np.array([*new2old.shift_mm, 0.0])
    return Pose(np.asarray(cv2.Rodrigues(pose.rotation @ turn)[0], float).ravel(), tvec)


def covariance_moved_by(covariance: Array, pose: Pose, new2old: Rigid) -> Array:
    """The covariance of (lens parameters, rvec, tvec) over the new frame, the motion taken as exact."""

    def moved(vector: Array) -> Array:
        """The pose (rvec, tvec) over the new frame."""
        after = moved_by(Pose(vector[:3], vector[3:]), new2old)
        return np.asarray(np.r_[after.rvec, after.tvec], float)

    here = np.r_[pose.rvec, pose.tvec]
    jacobian = np.eye(len(covariance))
    for k in range(6):
        step = _STEP * np.eye(6)[k]
        jacobian[-6:, len(covariance) - 6 + k] = (moved(here + step) - moved(here - step)) / (2 * _STEP)
    return np.asarray(jacobian @ covariance @ jacobian.T, float)


def covariance_laid(covariance: Array, lens: Lens, pose: Pose, mm: Array) -> Array:
    """The covariance of (lens parameters, rvec, tvec) over a frame that only places (n, 2) seen on it hold.

    It is laid over the true frame as these places fit best, so that only shape and scale err (a free network with inner
    constraints, Meissl 1962; an S-transformation, Baarda 1973).
    """
    by_camera = table_jacobian(lens, pose, mm, 0.0)[0].reshape(2 * len(mm), -1)
    off_mm = mm - mm.mean(axis=0)
    by_motion = np.zeros((len(mm), 2, 3))
    by_motion[:, 0, 0] = by_motion[:, 1, 1] = 1.0
    by_motion[:, :, 2] = off_mm[:, ::-1] * [-1.0, 1.0]
    rigid = by_motion.reshape(2 * len(mm), 3)
    # What the camera must do for the table to move so, none of its lens.
    moves = np.zeros((len(covariance), 3))
    moves[-6:] = np.linalg.lstsq(by_camera[:, -6:], rigid)[0]
    fits = np.linalg.lstsq(rigid, by_camera)[0]
    jacobian = np.eye(len(covariance)) - moves @ fits
    return np.asarray(jacobian @ covariance @ jacobian.T, float)


def turned_by(numbers: int, was: Pose, now: Pose) -> Array:
    """(m + 6, m + 6): how the errors of (lens parameters, rvec, tvec), `numbers` in all, follow from those before the
    camera turned from `was` to `now`. What was uncertain ahead of it or beside it stays so, seen from the camera."""
    turn = now.rotation @ was.rotation.T
    jacobian = np.eye(numbers)
    jacobian[-6:-3, -6:-3] = np.linalg.solve(_turns(now), turn @ _turns(was))
    jacobian[-3:, -3:] = turn
    return np.asarray(jacobian, float)


def followed_by(was: tuple[Lens, Pose], now: tuple[Lens, Pose], mm: Array, *, zooms: bool) -> Array:
    """(m + 6, m + 6): how the errors of a camera's (lens parameters, rvec, tvec) follow from those of an earlier one,
    by whose places (n, 2) it was fitted, with the same lens or at another focal length.

    A lens whose length is 1 % wrong stands 1 % too far off, and after a move again: taken as errors of their own, the
    two would be stated as 10 to 17 mm after a move of 100 mm, where 1.0 to 1.6 were true.
    """
    (old_lens, old_pose), (lens, pose) = was, now
    lens_numbers = len(lens.parameters)
    by_place, by_camera = pose.place_jacobian(lens, mm, 0.0)
    moved = by_place[:, :, :2] @ table_jacobian(old_lens, old_pose, mm, 0.0)[0]
    moved[:, :, :lens_numbers] += by_camera[:, :, :lens_numbers]
    free = np.zeros((lens_numbers + 6, 7 if zooms else 6))
    free[lens_numbers:, :6] = np.eye(6)
    free[:2, 6:] = 1.0
    numbers = 2 * len(mm)
    follows = np.linalg.lstsq((by_camera @ free).reshape(numbers, -1), -moved.reshape(numbers, -1))[0]
    jacobian = free @ follows
    jacobian[:lens_numbers, :lens_numbers] += np.eye(lens_numbers)
    return np.asarray(jacobian, float)


def _turns(pose: Pose) -> Array:
    """(3, 3): by how much, in radians about the camera's axes, each number of `rvec` turns the table."""
    columns = []
    for axis in np.eye(3):
        turn = np.asarray(cv2.Rodrigues(pose.rvec + _STEP * axis)[0], float) @ pose.rotation.T
        # A small turn is its matrix's skew part; cv2.Rodrigues takes one below 1e-5 for none.
        columns.append((turn - turn.T)[[2, 0, 1], [1, 2, 0]] / (2 * _STEP))
    return np.column_stack(columns)


def level_motion(pose: Pose, origin_mm: Array) -> Rigid:
    """new2old of the frame whose x runs along the picture's right and whose origin is at a point of the old one."""
    right = pose.rotation[0, :2]
    return Rigid(float(np.arctan2(right[1], right[0])), (float(origin_mm[0]), float(origin_mm[1])))

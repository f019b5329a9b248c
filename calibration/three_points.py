"""Three known points through a measured lens: the camera that sees them so, where only one does."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.bundle import CameraFit, Seen, fit_bundle
from calibration.degenerate import FLAT_TRIANGLE, SAME_PX
from calibration.lens import Lens
from calibration.planar import turn
from calibration.pose import CameraGuess, Pose

Array = NDArray[np.float64]

# Cameras on tripods and shelves stand level to a few degrees; beyond this a person would have set it straight.
_MOST_ROLL_DEG = 15.0
_FOURTH = "give a fourth"


def is_by_three(seen: Seen, lens: Lens) -> bool:
    """Whether three fixed points of a lens that was measured are all that there is."""
    return lens.known and len(seen.points) == 3 and not seen.points.loose and not seen.circles


def fit_three(seen: Seen, lens: Lens, corners_mm: Array) -> CameraFit:
    """The only level camera above the table that shows three points where they were seen, and all `corners_mm` (n, 2).

    Up to four cameras show three points alike (Grunert 1841; cv2.solveP3P). Nothing is left over that could tell how
    far the points are off, so that the error follows from what they state.
    Raises  ValueError, one line, where no such camera or more than one does
    """
    _check_three(seen)
    guesses = [guess for guess in _cameras(seen, lens) if _is_likely(guess, corners_mm)]
    if not guesses:
        raise ValueError(f"no level camera that shows the whole table sees three points so: check them, or {_FOURTH}")
    if len(guesses) > 1:
        raise ValueError(f"three points leave {len(guesses)} places where the camera may be: {_FOURTH}")
    return fit_bundle(seen, lens, guesses)


def _check_three(seen: Seen) -> None:
    image_px, table_mm = seen.points.image_px, seen.points.table_mm
    for points in (image_px, table_mm):
        sides = np.hypot(*(points - np.roll(points, 1, axis=0)).T)
        if sides.min() < SAME_PX or abs(turn(points)) < FLAT_TRIANGLE * sides.max() ** 2:
            raise ValueError("the three calibration points lie on a line, or two of them in one place")
    if turn(image_px) * turn(table_mm) > 0:
        raise ValueError("the three calibration points run the wrong way round: two are swapped, or x and y are")


def _cameras(seen: Seen, lens: Lens) -> list[CameraGuess]:
    points = seen.points
    flat = np.c_[points.table_mm, points.height_mm]
    rays = lens.rays(points.image_px)
    _, rvecs, tvecs = cv2.solveP3P(flat, rays, np.eye(3), np.zeros(4), flags=cv2.SOLVEPNP_AP3P)
    return [CameraGuess(lens, Pose(np.ravel(r), np.ravel(t))) for r, t in zip(rvecs, tvecs, strict=True)]


def _is_likely(guess: CameraGuess, corners_mm: Array) -> bool:
    """Above the table, level, and with the whole table in its picture."""
    pose, lens = guess.pose, guess.lens
    solid = np.c_[corners_mm, np.zeros(len(corners_mm))]
    if pose.position_mm[2] <= 0 or (solid @ pose.rotation[2] + pose.tvec[2] <= 0).any():
        return False
    px, _ = lens.project(solid, pose.rvec, pose.tvec)
    is_level = abs(pose.rotation[0, 2]) < np.sin(np.radians(_MOST_ROLL_DEG))
    # Corners that were clicked at the picture's edge may lie a little beyond it.
    return bool(is_level and ((px > -5) & (px < np.add(lens.size_px, 5))).all())

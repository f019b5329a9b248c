"""Where the camera is over the table, and a first guess of it from four points or from circles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.lens import Lens

Array = NDArray[np.float64]


# Views from straight above, whose vanishing line is this many focal lengths off, tell nothing of the lens's axis.
_FARTHEST_OF_FOCAL = 100.0
# Where on the line that the axis may lie on (-1 to 1) the focal length is not yet near nothing.
_NEAREST_EDGE = 0.9
_TINY = 1e-300
# Newton's steps until three points show where they are to, and to what.
_NEWTON_STEPS, _SHOWN_PX, _OPEN = 8, 1e-4, 1e-12


@dataclass(frozen=True, eq=False)
class Pose:
    """Table frame to camera frame: p_camera = R(rvec) p_table + tvec, mm."""

    rvec: Array
    tvec: Array

    @cached_property
    def rotation(self) -> Array:
        """(3, 3) rotation from the table frame to the camera frame."""
        return np.asarray(cv2.Rodrigues(self.rvec)[0], float)

    @cached_property
    def position_mm(self) -> Array:
        """(3,) where the lens is, table frame."""
        return -self.rotation.T @ self.tvec

    def elevation_deg(self, place_mm: ArrayLike) -> float:
        """How far above the horizon the camera stands, as seen from a place (2,) of the table."""
        towards = self.position_mm - np.r_[np.asarray(place_mm, float), 0.0]
        return float(np.degrees(np.arcsin(towards[2] / np.linalg.norm(towards))))

    def sight(self, lens: Lens, px: ArrayLike) -> Array:
        """(n, 3) the directions of distorted px, table frame."""
        rays = lens.rays(px)
        return np.asarray(np.column_stack([rays, np.ones(len(rays))]) @ self.rotation, float)

    def along(self, sight: Array, height_mm: ArrayLike) -> Array:
        """(n, 2) mm where lines of sight (n, 3) are at that height; NaN where they never are."""
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (np.asarray(height_mm, float) - self.position_mm[2]) / sight[:, 2]
            table_mm = self.position_mm[:2] + reach[:, None] * sight[:, :2]
        table_mm[~(reach > 0)] = np.nan
        return np.asarray(table_mm, float)

    def to_table(self, lens: Lens, px: ArrayLike, height_mm: ArrayLike = 0.0) -> Array:
        """(n, 2) mm where the sight rays of distorted px are at that height; NaN where they never are."""
        return self.along(self.sight(lens, px), height_mm)

    def place_jacobian(self, lens: Lens, mm: ArrayLike, height_mm: ArrayLike) -> tuple[Array, Array]:
        """Of the px of table points: by (x, y, z), (n, 2, 3), and by (lens parameters, rvec, tvec), (n, 2, m + 6)."""
        jacobian = lens.project(raised(mm, height_mm), self.rvec, self.tvec)[1]
        return jacobian[:, :, -3:] @ self.rotation, jacobian

    def px_per_mm(self, lens: Lens, mm: ArrayLike, height_mm: ArrayLike = 0.0) -> Array:
        """(n,) the mean of all directions: root of the area ratio."""
        by_place, _ = self.place_jacobian(lens, mm, height_mm)
        return np.asarray(np.sqrt(np.abs(np.linalg.det(by_place[:, :, :2]))), float)


@dataclass(frozen=True, eq=False)
class CameraGuess:
    """A lens and a pose to start from."""

    lens: Lens
    pose: Pose


@dataclass(frozen=True)
class Rigid:
    """A turn (radians, counter-clockwise) about the origin, then a shift in mm."""

    turn: float
    shift_mm: tuple[float, float]

    def apply(self, mm: Array) -> Array:
        """(n, 2) table mm, moved."""
        cos, sin = np.cos(self.turn), np.sin(self.turn)
        return np.asarray(mm @ np.array([[cos, sin], [-sin, cos]]) + self.shift_mm, float)


def rigid_between(before_mm: Array, after_mm: Array) -> Rigid:
    """The rigid motion that brings (n, 2) points nearest to others, least squares."""
    a, b = before_mm - before_mm.mean(axis=0), after_mm - after_mm.mean(axis=0)
    turn = float(np.arctan2(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), np.sum(a * b)))
    moved = Rigid(turn, (0.0, 0.0)).apply(before_mm.mean(axis=0, keepdims=True))
    dx, dy = after_mm.mean(axis=0) - moved[0]
    return Rigid(turn, (float(dx), float(dy)))


def raised(mm: ArrayLike, height_mm: ArrayLike) -> Array:
    """(n, 3): table points at a height."""
    flat = np.asarray(mm, float).reshape(-1, 2)
    return np.column_stack([flat, np.broadcast_to(np.asarray(height_mm, float), len(flat))])


def table_jacobian(lens: Lens, pose: Pose, mm: Array, height_mm: ArrayLike) -> tuple[Array, Array]:
    """How the table point behind a pixel at (n, 2) mm moves with (lens parameters, rvec, tvec), (n, 2, m + 6); and (n,)
    how many pixels show a millimetre there."""
    by_place, jacobian = pose.place_jacobian(lens, mm, height_mm)
    (xx, xy), (yx, yy) = by_place[:, :, :2].transpose(1, 2, 0)
    det = xx * yy - xy * yx
    back = np.stack([yy, -xy, -yx, xx], axis=1).reshape(-1, 2, 2) / np.where(det == 0, _TINY, det)[:, None, None]
    return -(back @ jacobian), np.asarray(np.sqrt(np.abs(det)), float)


def pose_showing(points_mm: Array, px: Array, lens: Lens, pose: Pose) -> Pose | None:
    """The pose near `pose` that shows three points (3, 3) at (3, 2) px; None where there is none near."""
    for _ in range(_NEWTON_STEPS):
        shown_px, jacobian = lens.project(points_mm, pose.rvec, pose.tvec)
        off_px = (px - shown_px).ravel()
        if not np.isfinite(off_px).all():
            return None
        if np.abs(off_px).max() < _SHOWN_PX:
            return pose
        # A pose that three points leave open for a moment goes nowhere.
        step = np.linalg.lstsq(jacobian[:, :, -6:].reshape(6, 6), off_px, rcond=_OPEN)[0]
        pose = Pose(pose.rvec + step[:3], pose.tvec + step[3:])
    return None


def guesses_from_points(image_px: Array, table_mm: Array, lens: Lens) -> list[CameraGuess]:
    """From four points or more, (n, 2) each: one guess if the lens is known, else one for each focal length that it may
    have; ValueError where they fit no plane."""
    found, _ = cv2.findHomography(table_mm, lens.undistort(image_px), 0)
    if found is None:
        raise ValueError("the calibration points fit no plane: check their order and their numbers")
    homography = np.asarray(found, float)
    if lens.known:
        return [CameraGuess(lens, pose_of(homography, lens))]
    lenses = [*(refocused(lens, f) for f in focal_candidates(homography, lens)), *_explaining(homography, lens)]
    return [CameraGuess(each, pose_of(homography, each)) for each in lenses]


def guesses_from_circle(rim_px: Array, radius_mm: float, lens: Lens) -> list[CameraGuess]:
    """From one disc at the origin, rim (n, 2): the camera upright, at several tilts, as far off as its size tells."""
    rays = lens.rays(rim_px)
    middle, breadth = rays.mean(axis=0), float(np.ptp(rays[:, 0]))
    guesses = []
    for tilt in np.radians([85, 65, 45, 30]):
        ahead = np.array([0, np.cos(tilt), -np.sin(tilt)])
        rotation = np.array([[1, 0, 0], np.cross(ahead, [1, 0, 0]), ahead])
        tvec = np.asarray(np.r_[middle, 1] * 2 * radius_mm / breadth, float)
        guesses.append(CameraGuess(lens, Pose(np.asarray(cv2.Rodrigues(rotation)[0], float).ravel(), tvec)))
    return guesses


def focal_candidates(homography: Array, lens: Lens) -> list[float]:
    """Focal lengths in px to try for a homography mm -> px: what its own two constraints say, and the usual ones.

    With the principal point taken off, its columns h1, h2 are images of perpendicular, equally long vectors:
    h1' w h2 = 0 and h1' w h1 = h2' w h2 with w = diag(1/f^2, 1/f^2, 1) (Zhang 2000). A frontal view says nothing.
    """
    centre = np.array([[1, 0, -lens.matrix[0, 2]], [0, 1, -lens.matrix[1, 2]], [0, 0, 1]])
    h1, h2 = (centre @ homography / np.linalg.norm(homography))[:, :2].T
    flat = np.array([h1[:2] @ h2[:2], h1[:2] @ h1[:2] - h2[:2] @ h2[:2]])
    deep = -np.array([h1[2] * h2[2], h1[2] ** 2 - h2[2] ** 2])
    usual = float(lens.matrix[0, 0])
    inverse_square = float(flat @ deep) / max(float(flat @ flat), 1e-300)
    limits = np.array([0.3, 4.0]) * usual
    own = [float(np.clip(inverse_square**-0.5, *limits))] if inverse_square > 0 else []
    return [*own, usual, 2 * usual]


def pose_of(homography: Array, lens: Lens) -> Pose:
    """The pose behind a homography (3, 3) mm -> undistorted px, the points before the camera."""
    columns = np.linalg.solve(lens.matrix, homography)
    columns /= np.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1]))
    columns *= 1.0 if columns[2, 2] > 0 else -1.0
    left, _, right = np.linalg.svd(np.c_[columns[:, :2], np.cross(columns[:, 0], columns[:, 1])])
    rotation = left @ np.diag([1, 1, np.linalg.det(left @ right)]) @ right
    return Pose(np.asarray(cv2.Rodrigues(rotation)[0], float).ravel(), np.asarray(columns[:, 2], float))


def _explaining(homography: Array, lens: Lens) -> list[Lens]:
    """The lens with square pixels that explains a homography wholly, its axis as near the middle as may be.

    The images a +- ib of the plane's circular points lie on the image of the absolute conic (Hartley and Zisserman,
    8.8): (a - c)(a - c) + f^2 = b b and (a - c) b = 0 for the axis at c. A view straight down has no such a and b.
    """
    h = homography / np.linalg.norm(homography)
    with np.errstate(divide="ignore", invalid="ignore"):
        circular = (h[:2, 0] + 1j * h[:2, 1]) / (h[2, 0] + 1j * h[2, 1])
    a, b = circular.real, circular.imag
    if not np.isfinite(circular).all() or np.hypot(*b) > _FARTHEST_OF_FOCAL * lens.matrix[0, 0]:
        return []
    across = np.array([-b[1], b[0]])
    share = np.clip((lens.matrix[:2, 2] - a) @ across / (b @ b), -_NEAREST_EDGE, _NEAREST_EDGE)
    parameters = lens.parameters
    parameters[:2] = np.log(np.hypot(*b) * np.sqrt(1 - share**2))
    parameters[2:4] = a + share * across
    return [lens.with_parameters(parameters)]


def refocused(lens: Lens, focal_px: float) -> Lens:
    """The same lens of another focal length, its pixels shaped as they are."""
    parameters = lens.parameters
    parameters[:2] += np.log(focal_px / lens.matrix[0, 0])
    return lens.with_parameters(parameters)

"""The camera's lens: intrinsics, distortion, and how sure we are of them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

# Webcams and telephones see 55 to 80 degrees across: f is 0.6 to 0.95 of the longer side, action cameras and
# zoomed telephones a factor of two beyond. Of 17 published calibrations (camera_info files of robots) half have their
# axis within 2 % of the width off the middle in each direction, which is a sigma of 3 %, their own errors included.
UNKNOWN_FOCAL_OF_WIDTH = 0.8
UNKNOWN_LOG_FOCAL_SIGMA = 0.35
UNKNOWN_CENTRE_OF_WIDTH = 0.02
UNKNOWN_PIXEL_ASPECT_SIGMA = 3e-3
# A picture that was cut out of a larger one, or whose keystone was straightened.
CUT_CENTRE_OF_WIDTH = 0.5
CUT_LOG_FOCAL_SIGMA = 0.5
# Distortion of webcams as they come, by seven that we measured or whose camera_info files are published (see
# tests/calibration/simulation.py): k1 from -0.12 to +0.17, and a k2 that undoes it towards the corners. Barrels bend
# besides, and more: with this much of them the interval of four clicks holds for 94 to 96 % of cases through these and
# seven further published lenses (k1 to -0.20). Wide ones (k1 of -0.24 and beyond) bend more than this allows for: their
# bend must be told, by edges or a lens file. Half of the 17 published ones sit askew by less than 0.0018.
UNKNOWN_K1_SIGMA, UNKNOWN_K2_OF_K1, UNKNOWN_K2_SIGMA = 0.1, -2.2, 0.15
UNKNOWN_BARREL_SIGMA, UNKNOWN_K2_OF_BARREL = 0.08, -0.4
UNKNOWN_TANGENTIAL_SIGMA = 2e-3
# A measured lens: what 15 good views leave open (benchmarks/calibration.py), where its file says nothing better.
KNOWN_LOG_FOCAL_SIGMA = 1e-3
KNOWN_PIXEL_ASPECT_SIGMA = 3e-4
KNOWN_CENTRE_OF_WIDTH = 5e-4
_UNDISTORT_STOP = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 50, 1e-10)
# Where the first radial term moves a point by more than this share, OpenCV's fixed point may not settle: in the corners
# of wide webcams (k1 of -0.3 at 0.45 of the width) it was 1 to 3 px off, or no number.
_STRONG_SHARE, _NEWTON_STEPS, _SETTLED_PX = 0.1, 20, 1e-7
# No camera's axis is this share of the picture's width off its middle.
_OFF_CENTRE = 0.06


@dataclass(frozen=True, eq=False)
class Lens:
    """A pinhole (k1 k2 p1 p2 k3, or with k4 k5 k6) or fisheye (k1 k2 k3 k4) lens, OpenCV's models.

    size_px     (width, height) of the pictures that it belongs to
    matrix      (3, 3) camera matrix, px; the centre of the first pixel is (0, 0)
    distortion  (5,) or (8,), for a fisheye (4,)
    covariance  of (log fx, log fy, cx, cy, distortion...): the lens's own error
    known       whether it was measured; otherwise it is a guess that `fit_plane` improves
    rms_px      reprojection error of its calibration, 0 if nobody said
    may_be_any  whether an unknown one may be any that people have, and nothing tells
                (calibration.bending.published_lenses)
    """

    size_px: tuple[int, int]
    matrix: Array
    distortion: Array
    covariance: Array
    fisheye: bool = False
    known: bool = True
    rms_px: float = 0.0
    may_be_any: bool = False

    @classmethod
    def measured(
        cls, size_px: tuple[int, int], matrix: ArrayLike, distortion: ArrayLike = (0,) * 5, *, fisheye: bool = False
    ) -> Lens:
        """A lens whose intrinsics are given, as in the `[camera]` block of a set-up, with the usual error of such.

        matrix      (3, 3) px
        distortion  OpenCV's coefficients: (4,), (5,) or (8,), of a fisheye (4,)
        Raises      ValueError, one line, for other numbers, or such as no lens has
        """
        coefficients = np.asarray(distortion, float).ravel()
        if coefficients.size == 4 and not fisheye:
            coefficients = np.append(coefficients, 0.0)
        if coefficients.size not in ((4,) if fisheye else (5, 8)) or not np.isfinite(coefficients).all():
            raise ValueError(f"camera.distortion needs {4 if fisheye else 5} numbers, not {coefficients.tolist()}")
        camera = np.asarray(matrix, float).reshape(3, 3)
        if not (np.isfinite(camera).all() and camera[0, 0] > 0 and camera[1, 1] > 0 and min(size_px) > 0):
            raise ValueError("camera: size_px, fx and fy must be positive numbers")
        sigmas = (KNOWN_LOG_FOCAL_SIGMA, KNOWN_PIXEL_ASPECT_SIGMA, KNOWN_CENTRE_OF_WIDTH * max(size_px))
        return cls(size_px, camera, coefficients, _intrinsics_covariance(*sigmas, coefficients.size), fisheye)

    @classmethod
    def unknown(cls, size_px: tuple[int, int], *, barrels: bool = True) -> Lens:
        """No `[camera]` in the set-up: an ordinary webcam's focal length, and as likely barrel as pincushion.

        `fit_plane` finds out what the references tell of it; the rest stays an error of every place.

        barrels  whether strong barrels are allowed for; cards, whose corners tell of the bend but not well, took worn
                 and overlapping ones for it (of 16 in photographs 4 could not be measured, without it 2)
        """
        focal_px, (width, height) = UNKNOWN_FOCAL_OF_WIDTH * max(size_px), size_px
        matrix = np.array([[focal_px, 0, (width - 1) / 2], [0, focal_px, (height - 1) / 2], [0, 0, 1]])
        sigmas = (UNKNOWN_LOG_FOCAL_SIGMA, UNKNOWN_PIXEL_ASPECT_SIGMA, UNKNOWN_CENTRE_OF_WIDTH * max(size_px))
        covariance = _intrinsics_covariance(*sigmas, 5)
        covariance[4:, 4:] = _unknown_distortion_covariance(barrels=barrels)
        return cls(size_px, matrix, np.zeros(5), covariance, known=False)

    def straight(self) -> Lens:
        """The same lens, its distortion taken as exact (an unknown one's as none)."""
        covariance = self.covariance.copy()
        covariance[4:], covariance[:, 4:] = 0.0, 0.0
        return replace(self, covariance=covariance)

    def cut_out(self) -> Lens:
        """The same lens where the picture is a part of what it showed: its axis may be anywhere, its angle narrow."""
        covariance = self.covariance.copy()
        covariance[[2, 3], [2, 3]] = (CUT_CENTRE_OF_WIDTH * max(self.size_px)) ** 2
        covariance[:2, :2] += CUT_LOG_FOCAL_SIGMA**2
        return replace(self, covariance=covariance)

    @property
    def is_cut_out(self) -> bool:
        """Whether the picture is taken for a part of what the lens showed (`cut_out`), so that its axis is open."""
        return bool(self.covariance[2, 2] > (_OFF_CENTRE * max(self.size_px)) ** 2)

    @property
    def off_centre_px(self) -> float:
        """How far its axis is off the picture's middle."""
        return float(np.hypot(*(self.matrix[:2, 2] - (np.array(self.size_px) - 1) / 2)))

    @property
    def is_off_centre(self) -> bool:
        """Whether that is farther than any camera's is."""
        return self.off_centre_px > _OFF_CENTRE * max(self.size_px)

    @property
    def parameters(self) -> Array:
        """(log fx, log fy, cx, cy, distortion...), the vector that `covariance` speaks of."""
        k = self.matrix
        return np.concatenate([[np.log(k[0, 0]), np.log(k[1, 1]), k[0, 2], k[1, 2]], self.distortion])

    def with_parameters(self, parameters: Array) -> Lens:
        """The same lens with other `parameters`."""
        fx, fy = np.exp(parameters[:2])
        matrix = np.array([[fx, 0, parameters[2]], [0, fy, parameters[3]], [0, 0, 1]])
        return replace(self, matrix=matrix, distortion=parameters[4:].copy())

    def with_error(self, covariance: Array, rms_px: float) -> Lens:
        """The same lens with a measured error, (n, n) of its n `parameters`, in place of the usual one; ValueError for
        another shape."""
        if covariance.shape != self.covariance.shape or not np.isfinite(covariance).all():
            raise ValueError(f"lens.covariance must be {len(self.covariance)} rows of as many numbers")
        return replace(self, covariance=covariance, rms_px=rms_px)

    def scaled_to(self, size_px: tuple[int, int]) -> Lens:
        """The same lens for pictures of another size but the same shape; ValueError for another shape."""
        if size_px == self.size_px:
            return self
        factor = size_px[0] / self.size_px[0]
        if abs(self.size_px[1] * factor - size_px[1]) > 1:
            on_its_side = abs(self.size_px[0] * size_px[0] / self.size_px[1] - size_px[1]) <= 1
            turn = "it is on its side: turn the camera, or the film, or " if on_its_side else ""
            raise ValueError(
                f"the picture is {size_px[0]} x {size_px[1]} but camera.size_px says "
                f"{self.size_px[0]} x {self.size_px[1]}: {turn}calibrate the lens for this picture size"
            )
        # Pixel centres are whole numbers: the picture's corner is (-0.5, -0.5).
        matrix = np.diag([factor, factor, 1]) @ self.matrix
        matrix[:2, 2] += (factor - 1) / 2
        stretch = np.r_[1, 1, factor, factor, np.ones(self.distortion.size)]
        covariance = self.covariance * np.outer(stretch, stretch)
        return replace(self, size_px=size_px, matrix=matrix, covariance=covariance, rms_px=self.rms_px * factor)

    def upside_down(self) -> Lens:
        """The lens of pictures that a program turns by 180 degrees: its axis lies on the other side of their middle."""
        sign = np.ones(4 + self.distortion.size)
        sign[2:4] = -1.0
        if not self.fisheye:
            sign[6:8] = -1.0  # p1 and p2, which pull to one side
        parameters = self.parameters * sign
        parameters[[2, 3]] += np.array(self.size_px) - 1
        return replace(self.with_parameters(parameters), covariance=self.covariance * np.outer(sign, sign))

    def undistort(self, px: ArrayLike) -> Array:
        """Where a perfect pinhole with this `matrix` would see the points. px: (n, 2), as in the picture."""
        return np.asarray(self.rays(px) * self.matrix[[0, 1], [0, 1]] + self.matrix[:2, 2], float)

    def rays(self, px: ArrayLike) -> Array:
        """(n, 2): x / z and y / z in the camera frame of distorted px."""
        points = np.ascontiguousarray(np.asarray(px, float).reshape(-1, 1, 2))
        if not len(points):
            return np.zeros((0, 2))
        if self.fisheye:
            fisheye = cv2.fisheye.undistortPoints(points, self.matrix, self.distortion, criteria=_UNDISTORT_STOP)
            return np.asarray(fisheye[:, 0], float)
        if not self.distortion.any():
            return np.asarray((points[:, 0] - self.matrix[:2, 2]) / self.matrix[[0, 1], [0, 1]], float)
        pinhole = cv2.undistortPoints(points, self.matrix, self.distortion, criteria=_UNDISTORT_STOP)
        return self._settled(points[:, 0], np.asarray(pinhole[:, 0], float))

    def _settled(self, px: Array, rays: Array) -> Array:
        """The rays (n, 2) of px (n, 2), by Newton's steps where the lens bends so much that OpenCV's may stop short."""
        bent = (px - self.matrix[:2, 2]) / self.matrix[[0, 1], [0, 1]]
        strong = np.flatnonzero(np.abs(self.distortion[0]) * np.square(bent).sum(axis=1) > _STRONG_SHARE)
        if not len(strong):
            return rays
        ray, left, moved = bent[strong], np.arange(len(strong)), slice(-3, -1)
        with np.errstate(all="ignore"):
            for _ in range(_NEWTON_STEPS):
                # How px change with a ray is how they change where a point one unit away is moved.
                shown, jacobian = self.project(np.c_[ray[left], np.ones(len(left))], np.zeros(3), np.zeros(3))
                off = px[strong[left]] - shown
                (a, b), (c, d) = jacobian[:, :, moved].transpose(1, 2, 0)
                ray[left] += (np.array([(d, -b), (-c, a)]) * off.T).sum(axis=1).T / (a * d - b * c)[:, None]
                left = left[~(np.abs(off).max(axis=1) < _SETTLED_PX)]
                if not len(left):
                    break
        # Where no ray is shown, beyond the fold of a lens that bends too much, OpenCV's guess is as good as any.
        ray[left] = rays[strong[left]]
        settled = rays.copy()
        settled[strong] = ray
        return settled

    def distort(self, px: ArrayLike) -> Array:
        """(n, 2) where this lens shows undistorted px (n, 2): the way back from `undistort`."""
        undistorted = np.asarray(px, float).reshape(-1, 2)
        rays = (undistorted - self.matrix[:2, 2]) / self.matrix[[0, 1], [0, 1]]
        return self.shown(np.c_[rays, np.ones(len(rays))])

    def shown(self, ahead: Array) -> Array:
        """(n, 2) distorted px of points (n, 3) in the camera's frame; behind the camera they mean nothing.

        `project` without its Jacobian: the same to 1e-9 px, of 1,300 points in a third of the time.
        """
        if self.fisheye:
            return self.project(ahead, np.zeros(3), np.zeros(3))[0]
        k1, k2, p1, p2, k3, *rational = self.distortion.tolist()
        (fx, _, cx), (_, fy, cy) = self.matrix[:2].tolist()
        px = np.empty((len(ahead), 2))
        with np.errstate(all="ignore"):
            x, y = ahead.T[:2] / ahead[:, 2]
            square, twice = x * x + y * y, 2 * x * y
            radial = 1 + square * (k1 + square * (k2 + square * k3))
            if rational:
                k4, k5, k6 = rational
                radial /= 1 + square * (k4 + square * (k5 + square * k6))
            px[:, 0] = fx * (x * radial + p1 * twice + p2 * (square + 2 * x * x)) + cx
            px[:, 1] = fy * (y * radial + p1 * (square + 2 * y * y) + p2 * twice) + cy
        return px

    def project(self, points_mm: Array, rvec: Array, tvec: Array) -> tuple[Array, Array]:
        """Where the points show, and how that changes.

        points_mm  (n, 3) in a frame that `rvec`, `tvec` take to the camera's
        Returns    px (n, 2), distorted, and the Jacobian (n, 2, m + 6) by (`parameters`, rvec, tvec)
        """
        m = 4 + self.distortion.size
        if not len(points_mm):
            return np.zeros((0, 2)), np.zeros((0, 2, m + 6))
        points = np.ascontiguousarray(points_mm, float).reshape(-1, 1, 3)
        jacobian = np.empty((2 * len(points), m + 6))
        if self.fisheye:
            px, wide = cv2.fisheye.projectPoints(points, rvec, tvec, self.matrix, self.distortion)
            jacobian[:] = wide[:, : m + 6]
        else:
            px, wide = cv2.projectPoints(points, rvec, tvec, self.matrix, self.distortion)
            jacobian[:, :m], jacobian[:, m:] = wide[:, 6 : 6 + m], wide[:, :6]
        jacobian[:, 0] *= self.matrix[0, 0]
        jacobian[:, 1] *= self.matrix[1, 1]
        return np.asarray(px, float).reshape(-1, 2), jacobian.reshape(-1, 2, m + 6)


def _unknown_distortion_covariance(*, barrels: bool) -> Array:
    """(5, 5) of (k1, k2, p1, p2, k3)."""
    covariance = np.diag([0.0, UNKNOWN_K2_SIGMA**2, UNKNOWN_TANGENTIAL_SIGMA**2, UNKNOWN_TANGENTIAL_SIGMA**2, 0.0])
    bends = [(UNKNOWN_K1_SIGMA, UNKNOWN_K2_OF_K1)]
    if barrels:
        bends.append((UNKNOWN_BARREL_SIGMA, UNKNOWN_K2_OF_BARREL))
    for sigma, k2_of_k1 in bends:
        by_k1 = sigma * np.array([1.0, k2_of_k1])
        covariance[:2, :2] += np.outer(by_k1, by_k1)
    return covariance


def _intrinsics_covariance(log_focal: float, aspect: float, centre_px: float, distortion_count: int) -> Array:
    """fx and fy go together but for the pixel's shape; the distortion is taken as it is given."""
    covariance = np.zeros((4 + distortion_count,) * 2)
    covariance[:2, :2] = log_focal**2
    covariance[[0, 1], [0, 1]] += aspect**2
    covariance[[2, 3], [2, 3]] = centre_px**2
    return covariance

"""Where a camera went, by points that it showed before and after: on the table, or above it, nobody knows how high.

A point above the table tells but one number of the two that a picture shows of it: across the way that its height would
move it. Many of them tell the camera's turn and which way it went; how far it went the points on the table tell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.plane import TablePlane
from calibration.pose import Pose
from calibration.solve import Solution, levenberg_marquardt

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

# Flow between pictures brought to the same view, and how far off it is while the camera's place is rough. What lies
# twice as far off or more counts less and less (Geman and McClure 1987).
_SIGMA_PX = 0.3
_ROUNDS_PX = (4.8, 2.4, 1.2, 0.6, _SIGMA_PX, _SIGMA_PX)
_OUTLIER = 2.0
# Steps of each round; Newton's to the points' heights.
_STEPS, _HEIGHT_STEPS = 12, 3
# What is off by less bears the camera out: so many points must, and such a share of all. From three stands 83 of 165 do
# at least, 4 to 11 of 100 and more where the camera is taken to stand on another side of the table.
_BORNE_OUT_PX, _FEWEST, _LEAST_SHARE = 0.9, 20, 0.2
# The points of one thing err alike: its outline and its shades are others from elsewhere.
_THING_MM = 60.0
# So few that seem to lie on the table may all stand above it: what stands there was not all known.
_FEWEST_FLAT = 8
# Where nothing else tells it the camera may be and look anywhere: radians, mm.
_ANYWHERE = np.diag(np.square([1.0] * 3 + [1000.0] * 3))

# The unknowns: rvec, tvec, and the height that what stands on the table has in common.
_UNKNOWNS, _COMMON = 7, 6


@dataclass(frozen=True, eq=False)
class Told:
    """What is known of the unknowns before.

    numbers  (7,)
    root     (7, 7) of the inverse of their covariance
    """

    numbers: Array
    root: Array

    @classmethod
    def of(cls, pose: Pose, covariance: Array | None, tall_mm: float) -> Told:
        """From a camera and the covariance (6, 6) of its (rvec, tvec), None if it is but a guess.

        tall_mm  how high what stands on the table may show texture
        """
        root = np.zeros((_UNKNOWNS, _UNKNOWNS))
        spread = _ANYWHERE if covariance is None else covariance
        root[:_COMMON, :_COMMON], root[_COMMON, _COMMON] = np.linalg.cholesky(np.linalg.inv(spread)).T, 1 / tall_mm
        return cls(_numbers(pose), root)

    def off(self, numbers: Array) -> Array:
        """(7,) how far off they are, in sigmas."""
        return np.asarray(self.root @ (numbers - self.numbers), float)


@dataclass(frozen=True, eq=False)
class Seen:
    """Where the camera is.

    covariance  (6, 6) of its (rvec, tvec)
    off_px      (n,) how far off each point is
    borne_out   (n,) which of them bear it out
    """

    pose: Pose
    covariance: Array
    off_px: Array
    borne_out: Mask


@dataclass(frozen=True, eq=False)
class Sighted:
    """Points that two pictures of a table show.

    lens    of the second picture
    feet    (n, 3) mm where the first picture's sight rays meet the table
    rise    (n, 3) mm along these rays for each mm up
    now_px  (n, 2) where the second picture shows them
    raised  (n,) which may be above the table
    tall_mm how tall what stands there is: how high texture on it may be, one height that all have in common, and each
            its own beside that
    """

    lens: Lens
    feet: Array
    rise: Array
    now_px: Array
    raised: Mask
    tall_mm: float

    @classmethod
    def of(cls, before: TablePlane, lens: Lens, feet_mm: Array, now_px: Array, raised: Mask, tall_mm: float) -> Sighted:
        """Of points that the first picture, measured as `before`, shows at (n, 2) mm of the table."""
        feet = np.column_stack([feet_mm, np.zeros(len(feet_mm))])
        upward = before.camera_position_mm - feet
        lie = np.sum(~raised) >= _FEWEST_FLAT
        return cls(lens, feet, upward / upward[:, 2:], now_px, raised if lie else np.ones_like(raised), tall_mm)

    def camera(self, start: Pose, told: Told) -> Seen | None:
        """Where the second picture's camera is; None if too few points bear it out.

        start  where it is to a centimetre or so
        told   where something else than these points has it
        """
        if len(self.feet) < _FEWEST:
            return None
        at = _numbers(start)
        for sigma_px in _ROUNDS_PX:
            best = self._round(at, sigma_px, told)
            at = best.parameters
        off, _ = self._misfit(at, _SIGMA_PX)
        off_px = _SIGMA_PX * np.hypot(off[:, 0], off[:, 1])
        borne_out = off_px < _BORNE_OUT_PX
        if borne_out.sum() < max(_FEWEST, _LEAST_SHARE * len(off)):
            return None
        return Seen(_pose(at), self._covariance(best, _weight(off)), off_px, borne_out)

    def _round(self, start: Array, sigma_px: float, told: Told) -> Solution:
        """The least squares nearest to a start, each point weighed by how far off it is there."""
        weight = _weight(self._misfit(start, sigma_px)[0])

        def misfits(numbers: Array) -> tuple[Array, Array]:
            off, slopes = self._misfit(numbers, sigma_px)
            rows = (weight[:, None, None] * slopes).reshape(-1, _UNKNOWNS)
            return np.r_[(weight[:, None] * off).ravel(), told.off(numbers)], np.vstack([rows, told.root])

        return levenberg_marquardt(misfits, start, most_steps=_STEPS)

    def _misfit(self, numbers: Array, sigma_px: float) -> tuple[Array, Array]:
        """(n, 3) in sigmas, how far off each point shows (x, y) and how far its height is from the common one, and
        (n, 3, 7) by the unknowns: each is as high as fits it best (variable projection, Golub and Pereyra 1973)."""
        pose, heights_mm = _pose(numbers), self._heights_mm(numbers, sigma_px)
        px, by_camera, by_height = self._shown(pose, heights_mm)
        above = np.where(self.raised, heights_mm - numbers[_COMMON], 0.0)
        off = np.column_stack([(px - self.now_px) / sigma_px, above / self.tall_mm])
        slopes = np.zeros((len(off), 3, _UNKNOWNS))
        slopes[:, :2, :_COMMON], slopes[self.raised, 2, _COMMON] = by_camera / sigma_px, -1 / self.tall_mm
        along = np.column_stack([by_height / sigma_px, np.full(len(off), 1 / self.tall_mm)])
        along = np.where(self.raised, 1 / np.linalg.norm(along, axis=1), 0.0)[:, None] * along
        return off, slopes - along[:, :, None] * (along[:, None] @ slopes)

    def _heights_mm(self, numbers: Array, sigma_px: float) -> Array:
        """(n,) that fit the points best to what the picture shows and to the common height."""
        pose, common_mm = _pose(numbers), numbers[_COMMON]
        heights_mm = np.where(self.raised, common_mm, 0.0)
        for _ in range(_HEIGHT_STEPS):
            px, _, by_height = self._shown(pose, heights_mm)
            slope = (by_height * (self.now_px - px)).sum(axis=1) / sigma_px**2
            slope -= (heights_mm - common_mm) / self.tall_mm**2
            curve = np.square(by_height).sum(axis=1) / sigma_px**2 + 1 / self.tall_mm**2
            heights_mm = heights_mm + np.where(self.raised, slope / curve, 0.0)
        return np.asarray(heights_mm, float)

    def _shown(self, pose: Pose, heights_mm: Array) -> tuple[Array, Array, Array]:
        """(n, 2) px of the points so high, by the camera (n, 2, 6), and by their heights (n, 2)."""
        points = self.feet + heights_mm[:, None] * self.rise
        px, jacobian = self.lens.project(points, pose.rvec, pose.tvec)
        by_height = jacobian[:, :, -3:] @ pose.rotation @ self.rise[:, :, None]
        return px, jacobian[:, :, -6:], by_height[:, :, 0]

    def _covariance(self, best: Solution, weight: Array) -> Array:
        """(6, 6) where what is near errs alike, by a sigma."""
        _, thing = np.unique(np.floor(self.feet[:, :2] / _THING_MM), axis=0, return_inverse=True)
        rows = weight[:, None, None] * best.jacobian[:-_UNKNOWNS].reshape(-1, 3, _UNKNOWNS)
        each = np.zeros((int(thing.max()) + 1, 3, _UNKNOWNS))
        np.add.at(each, np.ravel(thing), rows)
        pulls = np.vstack([each.reshape(-1, _UNKNOWNS), best.jacobian[-_UNKNOWNS:]])
        spread = np.linalg.inv(best.normal)
        return np.asarray(spread @ pulls.T @ pulls @ spread, float)[:_COMMON, :_COMMON]


def _weight(off: Array) -> Array:
    """(n,) how much points count that are so many sigmas (n, 3) off; less than all beyond two."""
    return np.asarray(1 / (1 + np.square(off / _OUTLIER).sum(axis=1)), float)


def _numbers(pose: Pose) -> Array:
    return np.concatenate([pose.rvec, pose.tvec, [0.0]])


def _pose(numbers: Array) -> Pose:
    return Pose(numbers[:3], numbers[3:_COMMON])

"""Where a camera went, by points that it showed before and after: on the table, or above it at unknown heights.

A point above the table tells but one number of the two that a picture shows of it: across the way that its height would
move it. Many of them tell the camera's turn and which way it went; how far it went the points on the table tell.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from calibration.fit.solve import Solution, levenberg_marquardt
from calibration.lens import Lens
from calibration.plane import TablePlane
from calibration.pose import Pose

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
# The ground is where the lowest points are: how many of those beside what is known to stand lie on it, and of those on
# what stands, before their heights are seen; what is above it is so high in the mean, and a few are found somewhere
# else, anywhere within so many mm. Feet and what is thin show it to so many mm.
_LIES_BESIDE, _LIES_ON, _STRAY, _STRAY_MM = 0.15, 0.05, 0.002, 200.0
_FEET_MM = 4.0
# So many beside what stands, that span such a share of what all span, within so many sigmas of the ground are on it, or
# all of them so little above, as paper is: fewer may be a book's that nobody knows of. No height is told better than
# this.
_FEWEST_ON_GROUND, _LEAST_SPAN, _ON_GROUND, _PAPER_MM, _HEIGHT_SIGMA_MM = 8, 0.25, 2.0, 0.5, 0.5
# How far the camera went is tried in steps that raise all by half a millimetre before a camera 700 mm off, up to 60 mm.
_WAYS, _A_BIT = np.linspace(-0.08, 0.08, 241), 0.005
# Where nothing else tells it the camera may be and look anywhere: radians, mm.
_ANYWHERE = np.diag(np.square([1.0] * 3 + [1000.0] * 3))

# The unknowns: rvec, tvec, and the height that what stands on the table has in common.
_UNKNOWNS, _COMMON = 7, 6


@dataclass(frozen=True, eq=False)
class Told:
    """What is known of the unknowns beside what the points tell: `rows` times them are `at`, give or take one.

    rows  (k, 7)
    at    (k,)
    """

    rows: Array
    at: Array

    @classmethod
    def of(cls, pose: Pose, covariance: Array | None, tall_mm: float) -> Told:
        """From a camera and the covariance (6, 6) of its (rvec, tvec), None if it is but a guess.

        tall_mm  how high what stands on the table may show texture
        """
        rows = np.zeros((_UNKNOWNS, _UNKNOWNS))
        spread = _ANYWHERE if covariance is None else covariance
        rows[:_COMMON, :_COMMON], rows[_COMMON, _COMMON] = np.linalg.cholesky(np.linalg.inv(spread)).T, 1 / tall_mm
        return cls(rows, rows @ _numbers(pose))

    def off(self, numbers: Array) -> Array:
        """(k,) how far off they are, in sigmas."""
        return np.asarray(self.rows @ numbers - self.at, float)

    def along(self, numbers: Array, way: Array, sigma: float) -> Told:
        """Besides, how far along a way (7,) from there they are: not at all, to so many times its length."""
        row = way / (sigma * (way @ way))
        return Told(np.vstack([self.rows, row]), np.append(self.at, row @ numbers))


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
    raised  (n,) which may be above the table: all of them, until the ground is found
    tall_mm how tall what stands there is: how high texture on it may be, one height that all have in common, and each
            its own beside that
    eye_mm  (3,) where the first picture's camera is
    lies    (n,) how likely each lies on the ground, before its height is seen
    """

    lens: Lens
    feet: Array
    rise: Array
    now_px: Array
    raised: Mask
    tall_mm: float
    eye_mm: Array
    lies: Array

    @classmethod
    def of(
        cls, before: TablePlane, lens: Lens, feet_mm: Array, now_px: Array, on_things: Mask, tall_mm: float
    ) -> Sighted:
        """Of points that the first picture, measured as `before`, shows at (n, 2) mm of the table.

        on_things  (n,) which show where something is known to stand
        """
        feet = np.column_stack([feet_mm, np.zeros(len(feet_mm))])
        upward = before.camera_position_mm - feet
        lies, anywhere = np.where(on_things, _LIES_ON, _LIES_BESIDE), np.ones(len(feet), bool)
        return cls(lens, feet, upward / upward[:, 2:], now_px, anywhere, tall_mm, before.camera_position_mm, lies)

    def camera(self, start: Pose, told: Told) -> Seen | None:
        """Where the second picture's camera is; None if too few points bear it out.

        start  where it is to a centimetre or so
        told   where something else than these points has it
        """
        if len(self.feet) < _FEWEST:
            return None
        at = self._on_ground(self._solved(_numbers(start), told, _ROUNDS_PX).parameters, told)
        points, told = self._held(at, told)
        best = points._solved(at, told, _ROUNDS_PX[-2:])
        off_px = _SIGMA_PX * points._off(best.parameters)
        borne_out = off_px < _BORNE_OUT_PX
        if borne_out.sum() < max(_FEWEST, _LEAST_SHARE * len(off_px)):
            return None
        return Seen(_pose(best.parameters), points._covariance(best), off_px, borne_out)

    def _off(self, numbers: Array) -> Array:
        """(n,) how far off each point shows, in sigmas."""
        off, _ = self._misfit(numbers, _SIGMA_PX)
        return np.asarray(np.hypot(off[:, 0], off[:, 1]), float)

    def _on_ground(self, at: Array, told: Told) -> Array:
        """The unknowns with the camera so far on its way that the lowest points lie on the ground."""
        borne_out = self._off(at) < _BORNE_OUT_PX / _SIGMA_PX
        for _ in range(2):  # Heights go nearly, and not quite, in proportion.
            heights_mm, sigma_mm = self._heights_seen(at)
            by_way = (self._heights_seen(self._gone(at, 1 + _A_BIT))[0] - heights_mm) / _A_BIT
            tried = heights_mm[borne_out] + _WAYS[:, None] * by_way[borne_out]
            fits = _log_chance(tried, sigma_mm[borne_out], self.lies[borne_out], self.tall_mm).sum(axis=1)
            known = [np.square(told.off(self._gone(at, 1 + way))[:_COMMON]).sum() for way in _WAYS]
            at = self._gone(at, 1 + float(_WAYS[np.argmax(fits - 0.5 * np.array(known))]))
        return at

    def _held(self, at: Array, told: Told) -> tuple[Sighted, Told]:
        """The points that hold the camera to the ground as its own, or, where they are too few, the ground as feet tell
        it."""
        heights_mm, sigma_mm = self._heights_seen(at)
        lies = (np.abs(heights_mm) < _ON_GROUND * sigma_mm) & (self.lies == _LIES_BESIDE)
        lies &= self._off(at) < _BORNE_OUT_PX / _SIGMA_PX
        if lies.sum() >= _FEWEST_ON_GROUND and _area(self.feet[lies]) >= _LEAST_SPAN * _area(self.feet):
            return replace(self, raised=~lies), told
        way = (self._gone(at, 1 + _A_BIT) - at) / _A_BIT
        return self, told.along(at, way, _FEET_MM / self.eye_mm[2])

    def _gone(self, numbers: Array, far: float) -> Array:
        """The unknowns with the camera so many times as far from where the first one is, looking the same way."""
        pose = _pose(numbers)
        eye_mm = self.eye_mm + far * (pose.position_mm - self.eye_mm)
        return np.concatenate([pose.rvec, -pose.rotation @ eye_mm, numbers[_COMMON:]])

    def _heights_seen(self, numbers: Array) -> tuple[Array, Array]:
        """(n,) mm how high each point is seen to be, and the sigmas of that."""
        heights_mm = self._heights_mm(numbers, _SIGMA_PX)
        by_height = self._shown(_pose(numbers), heights_mm)[2]
        sigma_mm = _SIGMA_PX / np.maximum(np.linalg.norm(by_height, axis=1), 1e-9)
        return heights_mm, np.hypot(np.minimum(sigma_mm, self.tall_mm), _HEIGHT_SIGMA_MM)

    def _solved(self, start: Array, told: Told, rounds_px: tuple[float, ...]) -> Solution:
        """Round by round, each from where the last one led to."""
        at = start
        for sigma_px in rounds_px:
            best = self._round(at, sigma_px, told)
            at = best.parameters
        return best

    def _round(self, start: Array, sigma_px: float, told: Told) -> Solution:
        """The least squares nearest to a start, each point weighed by how far off it is there."""
        weight = _weight(self._misfit(start, sigma_px)[0])

        def misfits(numbers: Array) -> tuple[Array, Array]:
            """All misfits in sigmas, and by the unknowns."""
            off, slopes = self._misfit(numbers, sigma_px)
            rows = (weight[:, None, None] * slopes).reshape(-1, _UNKNOWNS)
            return np.r_[(weight[:, None] * off).ravel(), told.off(numbers)], np.vstack([rows, told.rows])

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

    def _covariance(self, best: Solution) -> Array:
        """(6, 6) where what is near errs alike, by a sigma, and all that lies on the ground may be a bit above it."""
        count = 3 * len(self.feet)
        weight = _weight(self._misfit(best.parameters, _SIGMA_PX)[0])[:, None, None]
        rows = weight * best.jacobian[:count].reshape(-1, 3, _UNKNOWNS)
        _, place = np.unique(np.floor(self.feet[:, :2] / _THING_MM), axis=0, return_inverse=True)
        each = np.zeros((int(place.max()) + 1, 3, _UNKNOWNS))
        np.add.at(each, np.ravel(place), rows)
        by_height = self._shown(_pose(best.parameters), np.zeros(len(self.feet)))[2] * ~self.raised[:, None]
        paper = (_PAPER_MM / _SIGMA_PX * by_height[:, :, None] * rows[:, :2]).sum(axis=(0, 1))
        pulls = np.vstack([each.reshape(-1, _UNKNOWNS), best.jacobian[count:], paper])
        spread = np.linalg.inv(best.normal)
        return np.asarray(spread @ pulls.T @ pulls @ spread, float)[:_COMMON, :_COMMON]


def _log_chance(heights_mm: Array, sigma_mm: Array, lies: Array, tall_mm: float) -> Array:
    """(..., n) logarithm of how likely heights are of points that lie on the ground so likely, or stand somewhere above
    it (a normal error on an exponential height), or were found somewhere else."""
    off = heights_mm / sigma_mm
    flat = np.exp(-0.5 * np.square(off)) / (np.sqrt(2 * np.pi) * sigma_mm)
    rate = sigma_mm / tall_mm
    high = np.exp(0.5 * np.square(rate) - rate * off + log_ndtr(off - rate)) / tall_mm
    return np.asarray(np.log((1 - _STRAY) * (lies * flat + (1 - lies) * high) + _STRAY / _STRAY_MM), float)


def _area(points: Array) -> float:
    """Of what points (n, 3) span from above, mm2."""
    return float(cv2.contourArea(cv2.convexHull(points[:, :2].astype(np.float32))))


def _weight(off: Array) -> Array:
    """(n,) how much points count that are so many sigmas (n, 3) off; less than all beyond two."""
    return np.asarray(1 / (1 + np.square(off / _OUTLIER).sum(axis=1)), float)


def _numbers(pose: Pose) -> Array:
    return np.concatenate([pose.rvec, pose.tvec, [0.0]])


def _pose(numbers: Array) -> Pose:
    return Pose(numbers[:3], numbers[3:_COMMON])

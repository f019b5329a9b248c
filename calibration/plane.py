"""The table plane: pixels to millimetres and back, at any height, with the error that they carry."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.fit.measured_again import MeasuredAgain
from calibration.lens import Lens
from calibration.maps.folds import Folds
from calibration.pose import Pose

Array = NDArray[np.float64]

# 95 % radius of a two-dimensional normal error over its larger sigma, by the ratio of the smaller to the larger:
# from sqrt(chi2(1)) = 1.96 for a line to sqrt(chi2(2)) = 2.4477 for a circle (numerical integration).
_RATIO = np.linspace(0, 1, 11)
_RADIUS_95 = np.array(
    [1.95996, 1.96253, 1.97040, 1.98420, 2.00514, 2.03586, 2.08130, 2.14598, 2.23029, 2.33180, 2.44775]
)
SIGMAS_95 = 2.44775

# What stands higher than this share of the camera's height is followed no farther: its head nears the horizon.
BELOW_CAMERA = 2 / 3
# Enough to tell the measurements of a match apart.
_NAME_LETTERS = 12
# Until a line of sight meets a folded sheet to a few thousandths of a mm: each step errs by a third of the one before.
_FOLD_STEPS = 7


@dataclass(frozen=True)
class Residual:
    """How far off one point of one source is: in the picture and on the table; rejected points were not used."""

    source: str
    px: float
    mm: float
    rejected: bool = False


@dataclass(frozen=True, eq=False)
class TablePlane:
    """A camera over a table (x right, y away from the near edge, z up, mm; the origin is the near left corner).

    lens                   with the intrinsics as estimated together with the plane
    rvec, tvec             (3,) table frame to camera frame: p_camera = R(rvec) p_table + tvec, mm
    covariance             of (lens.parameters, rvec, tvec), as the reprojection residuals left it; where nothing tells
                           how a lens that nobody measured bends, as webcams' lenses do
    reprojection_error_px  RMS distance of the points used, in the picture as it is (distorted)
    residuals              one for each point, rejected ones included
    rejected               the sources that contradict the others
    notes                  what a person should know of this calibration
    again                  where it was measured by places that this camera had measured before: from what, and how
    lattice                that told lens and tilt: the step from a cell to the next and where one is, mm (x + iy)
    folds                  of the sheet on it, above which all heights are meant then; None where it lies flat
    """

    lens: Lens
    rvec: Array
    tvec: Array
    covariance: Array
    reprojection_error_px: float = 0.0
    residuals: tuple[Residual, ...] = ()
    rejected: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    again: MeasuredAgain | None = None
    lattice: tuple[complex, complex] | None = None
    folds: Folds | None = None

    @classmethod
    def exact(cls, lens: Lens, rvec: Array, tvec: Array) -> TablePlane:
        """A plane without error: the camera's place is known, (3,) Rodrigues vector and (3,) mm, and its lens."""
        count = len(lens.parameters) + 6
        return cls(lens, np.asarray(rvec, float), np.asarray(tvec, float), np.zeros((count, count)))

    @property
    def flat(self) -> TablePlane:
        """The table under the sheet: where its texture seems to lie is what a moved camera is told by."""
        return self if self.folds is None else replace(self, folds=None)

    @cached_property
    def history(self) -> MeasuredAgain:
        """What it was measured from: itself, if from nothing."""
        if self.again is not None:
            return self.again
        numbers = np.r_[self.lens.parameters, self.rvec, self.tvec]
        name = sha256(numbers.tobytes()).hexdigest()[:_NAME_LETTERS]
        still = np.eye(len(numbers))
        return MeasuredAgain(self.lens, self.pose, self.covariance, still, 0.0 * still, 0.0 * still, name)

    @cached_property
    def pose(self) -> Pose:
        """Where the camera is."""
        return Pose(self.rvec, self.tvec)

    @property
    def rotation(self) -> Array:
        """(3, 3): table frame to camera frame."""
        return self.pose.rotation

    @property
    def camera_position_mm(self) -> Array:
        """(3,) where the lens is, table frame."""
        return self.pose.position_mm

    @property
    def tilt_deg(self) -> float:
        """How far the camera looks down: 90 straight down, 0 along the table."""
        return float(np.degrees(np.arcsin(np.clip(-self.rotation[2, 2], -1, 1))))

    @cached_property
    def table2image(self) -> Array:
        """(3, 3) homography from table mm at height 0 to undistorted px, scaled so that its corner is 1."""
        forward = self.lens.matrix @ np.c_[self.rotation[:, :2], self.tvec]
        return np.asarray(forward / forward[2, 2], float)

    @cached_property
    def image2table(self) -> Array:
        """(3, 3) homography from undistorted px: the inverse of `table2image`, never a fit of its own."""
        backward = np.linalg.inv(self.table2image)
        return np.asarray(backward / backward[2, 2], float)

    def to_table(self, px: ArrayLike, height_mm: ArrayLike = 0.0) -> Array:
        """Where the sight ray of each pixel is `height_mm` above the table.

        px         (n, 2) distorted, as in the picture
        height_mm  number or (n,)
        Returns    (n, 2) mm; NaN where the ray never comes to that height
        """
        if self.folds is None:
            return self.pose.to_table(self.lens, px, height_mm)
        sight = self.pose.sight(self.lens, px)
        mm = self.pose.along(sight, height_mm)
        for _ in range(_FOLD_STEPS):
            mm = self.pose.along(sight, self.raised(mm, height_mm))
        return mm

    def to_image(self, mm: ArrayLike, height_mm: ArrayLike = 0.0) -> Array:
        """(n, 2) distorted px of points (n, 2) at `height_mm`; NaN behind the camera."""
        places = np.asarray(mm, float).reshape(-1, 2)
        upward = np.multiply.outer(np.asarray(self.raised(places, height_mm), float), self.rotation[:, 2])
        ahead = places @ self.rotation[:, :2].T + (upward + self.tvec)
        px = self.lens.shown(ahead)
        px[ahead[:, 2] <= 0] = np.nan
        return px

    def raised(self, mm: ArrayLike, height_mm: ArrayLike) -> ArrayLike:
        """How high above the plane places (n, 2) are that are so high above the sheet, number or (n,)."""
        return height_mm if self.folds is None else np.asarray(height_mm, float) + self.folds.heights_at(mm)

    def behind(self, mm: ArrayLike, height_mm: ArrayLike) -> Array:
        """(..., 2) mm of the table points that points (..., 2) at `height_mm`, number or (...), hide from the camera.

        What is nearly as high as the camera, or higher, is taken to be two thirds as high.
        """
        *foot_mm, high_mm = self.camera_position_mm
        places, below = np.asarray(mm, float), np.minimum(height_mm, BELOW_CAMERA * high_mm)
        return np.asarray(places + (places - foot_mm) * np.asarray(below / (high_mm - below))[..., None], float)

    def covariance_mm(
        self, px: ArrayLike, sigma_px: ArrayLike = 0.0, height_mm: ArrayLike = 0.0, height_sigma_mm: ArrayLike = 0.0
    ) -> Array:
        """(n, 2, 2) covariance of `to_table`: pixel noise, the plane's own error, and the height's, to first order."""
        mm = self.to_table(px, height_mm)
        by_place, jacobian = self.pose.place_jacobian(self.lens, mm, self.raised(mm, height_mm))
        back = np.linalg.inv(by_place[:, :, :2])
        noise_px = jacobian @ self.covariance @ jacobian.transpose(0, 2, 1)
        noise_px += np.broadcast_to(np.square(sigma_px), len(mm))[:, None, None] * np.eye(2)
        of_sheet_mm = 0.0 if self.folds is None else self.folds.sigmas_at(mm)
        upward = by_place[:, :, 2] * np.broadcast_to(np.hypot(height_sigma_mm, of_sheet_mm), len(mm))[:, None]
        noise_px += upward[:, :, None] * upward[:, None, :]
        return np.asarray(back @ noise_px @ back.transpose(0, 2, 1), float)

    def sigma_mm(
        self, px: ArrayLike, sigma_px: ArrayLike = 0.0, height_mm: ArrayLike = 0.0, height_sigma_mm: ArrayLike = 0.0
    ) -> Array:
        """(n,): the true position lies within 2.45 of these in 95 % of all cases (see `covariance_mm`)."""
        return sigma_of(self.covariance_mm(px, sigma_px, height_mm, height_sigma_mm))

    def shared_sigma_mm(self, mm: ArrayLike, height_mm: ArrayLike = 0.0) -> Array:
        """(n,): of `sigma_mm` at places (n, 2), what they have in common with all that was measured from the same first
        measurement of the table, `history.name`. Two looks at what lies still are never apart by it."""
        places = np.asarray(mm, float).reshape(-1, 2)
        whole = self.sigma_mm(self.to_image(places, height_mm), 0.0, height_mm)
        apart = sigma_of(self.history.covariance_apart_mm(self.lens, self.pose, places, height_mm))
        return np.asarray(np.sqrt(np.maximum(np.square(whole) - np.square(apart), 0.0)), float)

    def added_sigma_mm(self, mm: ArrayLike) -> Array:
        """(n,): what measuring the table again added to the error of places (n, 2); 0 if it never was."""
        added = replace(self.flat, covariance=self.history.fitted)
        return added.sigma_mm(added.to_image(mm))

    def px_per_mm(self, mm: ArrayLike, height_mm: ArrayLike = 0.0) -> Array:
        """(n,): how many pixels show a millimetre there, the mean of all directions (root of the area ratio)."""
        return self.pose.px_per_mm(self.lens, mm, height_mm)


def sigma_of(covariance: ArrayLike) -> Array:
    """(n,): for covariances (n, 2, 2), the sigma of which 2.45 hold 95 % of the error, however long its ellipse is."""
    spread = np.sqrt(np.maximum(np.linalg.eigvalsh(np.asarray(covariance, float)), 0))
    ratio = np.divide(spread[:, 0], spread[:, 1], out=np.ones(len(spread)), where=spread[:, 1] > 0)
    return np.asarray(spread[:, 1] * np.interp(ratio, _RATIO, _RADIUS_95) / SIGMAS_95, float)

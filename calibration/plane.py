"""The table plane: pixels to millimetres and back, at any height, with the error that they carry."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.correspondence import Correspondences
from calibration.degenerate import check_points
from calibration.lens import Lens
from calibration.pose import fit_camera

Array = NDArray[np.float64]

# 95 % radius of a two-dimensional normal error over its larger sigma, by the ratio of the smaller to the larger:
# from sqrt(chi2(1)) = 1.96 for a line to sqrt(chi2(2)) = 2.4477 for a circle (numerical integration).
_RATIO = np.linspace(0, 1, 11)
_RADIUS_95 = np.array(
    [1.95996, 1.96253, 1.97040, 1.98420, 2.00514, 2.03586, 2.08130, 2.14598, 2.23029, 2.33180, 2.44775]
)
SIGMAS_95 = 2.44775

# Below this the far edge is smeared over too few rows, and a coin's thickness hides half of what is behind it.
LOWEST_ELEVATION_DEG = 12.0
# A 16 mm coin is then 4 px across.
COARSEST_PX_PER_MM = 0.25
WORST_RMS_OF_DIAGONAL = 0.02


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
    covariance             of (lens.parameters, rvec, tvec), as the reprojection residuals left it
    reprojection_error_px  RMS distance of the points used, in the picture as it is (distorted)
    residuals              one for each point, rejected ones included
    rejected               the sources that contradict the others
    notes                  what a person should know of this calibration
    """

    lens: Lens
    rvec: Array
    tvec: Array
    covariance: Array
    reprojection_error_px: float = 0.0
    residuals: tuple[Residual, ...] = ()
    rejected: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @cached_property
    def rotation(self) -> Array:
        """(3, 3): table frame to camera frame."""
        return np.asarray(cv2.Rodrigues(self.rvec)[0], float)

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

    @cached_property
    def camera_position_mm(self) -> Array:
        """(3,) where the lens is, table frame."""
        return -self.rotation.T @ self.tvec

    @property
    def tilt_deg(self) -> float:
        """How far the camera looks down: 90 straight down, 0 along the table."""
        return float(np.degrees(np.arcsin(np.clip(-self.rotation[2, 2], -1, 1))))

    def to_table(self, px: ArrayLike, height_mm: ArrayLike = 0.0) -> Array:
        """Where the sight ray of each pixel is `height_mm` above the table.

        px         (n, 2) distorted, as in the picture
        height_mm  number or (n,)
        Returns    (n, 2) mm; NaN where the ray never comes to that height
        """
        rays = self.lens.rays(px)
        directions = np.c_[rays, np.ones(len(rays))] @ self.rotation
        centre = self.camera_position_mm
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (np.asarray(height_mm, float) - centre[2]) / directions[:, 2]
            table_mm = centre[:2] + reach[:, None] * directions[:, :2]
        table_mm[~(reach > 0)] = np.nan
        return np.asarray(table_mm, float)

    def to_image(self, mm: ArrayLike, height_mm: ArrayLike = 0.0) -> Array:
        """(n, 2) distorted px of points (n, 2) at `height_mm`; NaN behind the camera."""
        points = self._raised(mm, height_mm)
        px = self.lens.project(points, self.rvec, self.tvec)[0]
        px[points @ self.rotation[2] + self.tvec[2] <= 0] = np.nan
        return px

    def covariance_mm(
        self, px: ArrayLike, sigma_px: ArrayLike = 0.0, height_mm: ArrayLike = 0.0, height_sigma_mm: ArrayLike = 0.0
    ) -> Array:
        """(n, 2, 2) covariance of `to_table`: pixel noise, the plane's own error, and the height's, to first order."""
        points = self._raised(self.to_table(px, height_mm), height_mm)
        jacobian = self.lens.project(points, self.rvec, self.tvec)[1]
        by_point = jacobian[:, :, -3:] @ self.rotation
        back = np.linalg.inv(by_point[:, :, :2])
        noise_px = jacobian @ self.covariance @ jacobian.transpose(0, 2, 1)
        noise_px += np.broadcast_to(np.square(sigma_px), len(points))[:, None, None] * np.eye(2)
        upward = by_point[:, :, 2] * np.broadcast_to(height_sigma_mm, len(points))[:, None]
        noise_px += upward[:, :, None] * upward[:, None, :]
        return np.asarray(back @ noise_px @ back.transpose(0, 2, 1), float)

    def sigma_mm(
        self, px: ArrayLike, sigma_px: ArrayLike = 0.0, height_mm: ArrayLike = 0.0, height_sigma_mm: ArrayLike = 0.0
    ) -> Array:
        """(n,): the true position lies within 2.45 of these in 95 % of all cases (see `covariance_mm`)."""
        return sigma_of(self.covariance_mm(px, sigma_px, height_mm, height_sigma_mm))

    def px_per_mm(self, mm: ArrayLike, height_mm: ArrayLike = 0.0) -> Array:
        """(n,): how many pixels show a millimetre there, the mean of all directions (root of the area ratio)."""
        jacobian = self.lens.project(self._raised(mm, height_mm), self.rvec, self.tvec)[1]
        return np.asarray(np.sqrt(np.abs(np.linalg.det((jacobian[:, :, -3:] @ self.rotation)[:, :, :2]))), float)

    @staticmethod
    def _raised(mm: ArrayLike, height_mm: ArrayLike) -> Array:
        flat = np.asarray(mm, float).reshape(-1, 2)
        return np.asarray(np.c_[flat, np.broadcast_to(np.asarray(height_mm, float), len(flat))], float)


def sigma_of(covariance: ArrayLike) -> Array:
    """(n,): for covariances (n, 2, 2), the sigma of which 2.45 hold 95 % of the error, however long its ellipse is."""
    spread = np.sqrt(np.maximum(np.linalg.eigvalsh(np.asarray(covariance, float)), 0))
    ratio = np.divide(spread[:, 0], spread[:, 1], out=np.ones(len(spread)), where=spread[:, 1] > 0)
    return np.asarray(spread[:, 1] * np.interp(ratio, _RATIO, _RADIUS_95) / SIGMAS_95, float)


def fit_plane(
    correspondences: Correspondences,
    lens: Lens | None,
    size_px: tuple[int, int],
    table_size_mm: tuple[float, float] | None = None,
) -> TablePlane:
    """The plane that shows the points where they were seen, least squares in the picture.

    correspondences  at least four points, no three of four on a line
    lens             None where the set-up has no `[camera]`: the focal length is estimated with the plane
    size_px          (width, height) of the picture
    table_size_mm    the playing area, which must lie before the camera; the points' own extent if None
    Raises           ValueError, one line: too few, collinear, doubled, crossed, mirrored, too oblique, too coarse
    """
    check_points(correspondences)
    fit = fit_camera(correspondences, (lens or Lens.unknown(size_px)).scaled_to(size_px))
    used = correspondences.only(fit.groups)
    rejected = tuple(name for name in correspondences.groups if name not in fit.groups)
    rms_px = float(np.sqrt(np.mean(np.sum(np.square(fit.errors_px(used)), axis=1))))
    bare = TablePlane(fit.lens, fit.rvec, fit.tvec, fit.covariance, rms_px, rejected=rejected)
    check_view(bare, _corners_mm(correspondences, table_size_mm))
    residuals = _residuals(bare, correspondences)
    return replace(bare, residuals=residuals, notes=_notes(bare, fit.ambiguous))


def check_view(plane: TablePlane, corners_mm: Array) -> None:
    """Refuse a plane that cannot be measured on: ValueError with one line.

    corners_mm  (n, 2) outline of what must be seen
    """
    if plane.camera_position_mm[2] <= 0:
        raise ValueError("the table would be seen from below: the picture is mirrored, or x and y are swapped")
    depth_mm = np.c_[corners_mm, np.zeros(len(corners_mm))] @ plane.rotation[2] + plane.tvec[2]
    if (depth_mm <= 0.05 * depth_mm.max()).any():
        raise ValueError("the horizon runs through the table: check the calibration points and table.size_mm")
    width, height = plane.lens.size_px
    if not plane.reprojection_error_px <= WORST_RMS_OF_DIAGONAL * np.hypot(width, height):
        raise ValueError(
            f"the calibration points contradict one another by {plane.reprojection_error_px:.0f} px: "
            "check which pixel belongs to which place on the table"
        )
    _check_sharpness(plane, corners_mm)


def _check_sharpness(plane: TablePlane, corners_mm: Array) -> None:
    middle_mm = corners_mm.mean(axis=0)
    towards = plane.camera_position_mm - np.r_[middle_mm, 0]
    elevation_deg = float(np.degrees(np.arcsin(towards[2] / np.linalg.norm(towards))))
    if elevation_deg < LOWEST_ELEVATION_DEG:
        raise ValueError(
            f"the camera sees the table from {elevation_deg:.0f} degrees above it, too flat to measure: raise it"
        )
    finest = float(plane.px_per_mm(middle_mm)[0])
    if finest < COARSEST_PX_PER_MM:
        raise ValueError(
            f"the picture shows only {finest:.2f} px per mm of the table: bring the camera nearer or use more pixels"
        )


def _corners_mm(seen: Correspondences, table_size_mm: tuple[float, float] | None) -> Array:
    if table_size_mm is None:
        (left, near), (right, far) = seen.table_mm.min(axis=0), seen.table_mm.max(axis=0)
    else:
        (left, near), (right, far) = (0.0, 0.0), table_size_mm
    return np.array([[left, near], [right, near], [right, far], [left, far]])


def _residuals(plane: TablePlane, seen: Correspondences) -> tuple[Residual, ...]:
    off_px = np.hypot(*(plane.to_image(seen.table_mm, seen.height_mm) - seen.image_px).T)
    off_mm = np.hypot(*(plane.to_table(seen.image_px, seen.height_mm) - seen.table_mm).T)
    return tuple(
        Residual(name, float(px), float(mm), name in plane.rejected)
        for name, px, mm in zip(seen.sources, off_px, off_mm, strict=True)
    )


def _notes(plane: TablePlane, ambiguous: bool) -> tuple[str, ...]:
    notes = [f"{name} contradicts the other references and was left out" for name in plane.rejected]
    if ambiguous:
        notes.append("the references contradict one another, and there is no telling which is wrong: add one more")
    if not plane.lens.known:
        notes.append(f"no lens file: focal length estimated as {plane.lens.matrix[0, 0]:.0f} px")
    return tuple(notes)

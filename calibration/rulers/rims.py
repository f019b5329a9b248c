"""How far the rims of discs of known size pass from where a camera shows them, all discs at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from calibration.fit.correspondence import Circle
from calibration.fit.planar import circle_through
from calibration.lens import Lens
from calibration.pose import Pose, table_jacobian

Array = NDArray[np.float64]

# However many coins there are, one light falls on all: so many stand for independent ones.
INDEPENDENT_CIRCLES = 4
# An ellipse holds five numbers, however many rim points stand for it.
_ELLIPSE_NUMBERS = 5
_FAR_MM = 1e5


@dataclass(frozen=True, eq=False)
class Misfit:
    """How far n rim points of c discs miss, and how that changes with the unknowns; nothing is weighed yet.

    off_mm       (n,) how far outside the disc's rim the point shows, on the plane of the rim
    by_camera    (n, m + 6) derivative of that by (lens parameters, rvec, tvec)
    outward      (n, 2) unit vector away from the disc's middle: minus the derivative by the middle
    by_light     (n, k) derivative by the ways in which all rims err together
    weight       (n,) 1 / mm
    """

    off_mm: Array
    by_camera: Array
    outward: Array
    by_light: Array
    weight: Array


@dataclass(frozen=True, eq=False)
class Rims:
    """The rims of c discs as they were seen, n points in all; `across` the picture, -0.5 to 0.5.

    first      (c,) each disc's first point
    which      (n,) each point's disc
    size_only  (c,) discs of which only the size was measured (`Circle.size_only`)
    """

    px: Array
    height_mm: Array
    first: NDArray[np.intp]
    which: NDArray[np.intp]
    radius_mm: Array
    sigma_px: Array
    across: Array
    size_only: NDArray[np.bool_]

    @classmethod
    def of(cls, circles: tuple[Circle, ...], width_px: int) -> Rims:
        """The rims of one disc or more, in a picture `width_px` wide."""
        counts = [len(circle.rim_px) for circle in circles]
        return cls(
            np.concatenate([circle.rim_px for circle in circles]),
            np.repeat([circle.height_mm for circle in circles], counts),
            np.cumsum([0, *counts[:-1]]),
            np.repeat(np.arange(len(circles)), counts),
            np.array([circle.radius_mm for circle in circles]),
            np.array([circle.sigma_px for circle in circles]),
            np.array([float(circle.rim_px[:, 0].mean()) / width_px - 0.5 for circle in circles]),
            np.array([circle.size_only for circle in circles], bool),
        )

    @cached_property
    def counts(self) -> NDArray[np.intp]:
        """(c,) how many points each disc's rim has."""
        return np.bincount(self.which, minlength=len(self.first))

    def middles(self, lens: Lens, pose: Pose) -> Array:
        """(c, 2) mm middles of the circles that fit best to where this camera shows the rims (see `circle_through`)."""
        rim_mm = np.nan_to_num(pose.to_table(lens, self.px, self.height_mm))
        middle = self.means(rim_mm)
        local = rim_mm - middle[self.which]
        square = np.square(local).sum(axis=1, keepdims=True)
        spread = self.means((local[:, :, None] * local[:, None]).reshape(-1, 4)).reshape(-1, 2, 2)
        pull = self.means(local * square)[:, :, None]
        return np.asarray(middle + (np.linalg.pinv(2 * spread, hermitian=True) @ pull)[:, :, 0], float)

    def misfit(self, lens: Lens, pose: Pose, centres_mm: Array, lights: Array) -> Misfit:
        """How far the rims miss where this camera shows them.

        centres_mm  (c, 2) middles of the discs
        lights      (k,) shares of the radius by which all rims err together: a constant one, one times the log of
                    px per mm, and one times the place across the picture
        """
        # What would lie beyond the horizon is far away, and makes such a camera a dear one.
        rim_mm = np.nan_to_num(pose.to_table(lens, self.px, self.height_mm), nan=_FAR_MM)
        by_pixel, px_per_mm = table_jacobian(lens, pose, rim_mm, self.height_mm)
        px_per_mm = np.maximum(np.nan_to_num(px_per_mm), 1e-9)
        out_mm = rim_mm - centres_mm[self.which]
        distance_mm = np.maximum(np.hypot(*out_mm.T), 1e-9)
        outward = out_mm / distance_mm[:, None]
        by_camera = (outward[:, None] @ by_pixel)[:, 0]
        ways = np.column_stack([np.ones(len(self.first)), np.log(self.means(px_per_mm)), self.across])[:, : len(lights)]
        off_mm = distance_mm - (self.radius_mm * (1 + ways @ lights))[self.which]
        by_light = -(self.radius_mm[:, None] * ways)[self.which]
        return Misfit(off_mm, by_camera, outward, by_light, self._weight(px_per_mm))

    def _weight(self, px_per_mm: Array) -> Array:
        """1 / mm of each point: discs whose whole rim was measured count as one ellipse, and those as few."""
        alike = np.sqrt(_ELLIPSE_NUMBERS / self.counts * min(1, INDEPENDENT_CIRCLES / len(self.first)))
        return np.asarray(px_per_mm * (np.where(self.size_only, 1.0, alike) / self.sigma_px)[self.which], float)

    @cached_property
    def told_of(self) -> NDArray[np.intp]:
        """(m,) the disc of each row that `told` gives."""
        sizes = np.flatnonzero(self.size_only)
        return np.concatenate([self.which[~self.size_only[self.which]], sizes, sizes, sizes])

    def told(self, rows: Array, outward: Array) -> Array:
        """What each disc tells of (n, ...) `rows`: all of its points; or, of its size alone, their mean and the first
        waves round it, which are where its middle is."""
        spare = (1,) * (rows.ndim - 1)
        waves = [rows, *(2 * outward[:, axis].reshape(-1, *spare) * rows for axis in (0, 1))]
        means = [self.means(wave)[self.size_only] for wave in waves]
        return np.concatenate([rows[~self.size_only[self.which]], *means])

    def means(self, rows: Array) -> Array:
        """(c, ...) of each disc's (n, ...) `rows`."""
        counts = self.counts.reshape(-1, *(1,) * (rows.ndim - 1))
        return np.asarray(np.add.reduceat(rows, self.first, axis=0) / counts, float)


def rim_errors_px(circle: Circle, lens: Lens, pose: Pose) -> Array:
    """(n,) how far one disc's rim shows from where it would with its true size about its own middle; inf where a camera
    cannot see it so."""
    rim_mm = pose.to_table(lens, circle.rim_px, circle.height_mm)
    if not np.isfinite(rim_mm).all():
        return np.full(len(rim_mm), np.inf)
    out_mm = rim_mm - circle_through(rim_mm)[0]
    px_per_mm = np.ptp(circle.rim_px[:, 0]) / max(float(np.ptp(rim_mm[:, 0])), 1e-9)
    return np.asarray(np.abs(np.hypot(*out_mm.T) - circle.radius_mm) * px_per_mm, float)

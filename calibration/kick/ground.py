"""The plane again by the ground alone: what shows of it between all that stands there, compared patch by patch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import contains_xy
from shapely.geometry.base import BaseGeometry

from calibration.fiducials.markers import Image
from calibration.kick.drift import Anchor
from calibration.kick.patches import SIDE_PX, Patches, compared, followed, squares
from calibration.kick.reframe import followed_by
from calibration.kick.reregister import remeasured
from calibration.kick.texture import REDUCTION, Search, Texture, halved, to_full, to_half
from calibration.plane import Residual, TablePlane

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

# What is followed first may lie some centimetres off, what is left then less; what is compared last, a pixel.
_SEARCHES = (Search(3, 31), Search(2, 31), Search(1, 31))
_COMPARED_TIMES, _LOOKS = (2, 1), 5
# Patches that are less alike than this tell nothing; so many must be more alike than that, of
# those that are four times as large a quarter.
_LEAST_ALIKE, _ALIKE, _FEWEST, _FEWEST_COARSE = 0.4, 0.5, 40, 10
# Patches are weighed by how far off they lie, in sigmas (Geman and McClure 1987), at first in many times as large ones.
_OUTLIER, _SCALES = 2.0, (32.0, 16.0, 8.0, 4.0, 2.0, 1.0, 1.0)
# Of what noise takes for slopes a part is left, lest steps be too long; the error is counted by what is left in truth.
_LEAST_SHARED, _LEAST_TOLD = 0.1, 0.01
# Patches of one place err alike, and all by what their scatter does not tell: shine, shadows, paper that lies there. On
# eighteen pictures of rendered tables the error was up to so many times what the scatter tells.
_PLACE_MM, _UNTOLD = 60.0, 3.0
# The way of a patch is told by steps of half a pixel, what lenses bend in steps of so many.
_STEP_PX, _COARSE_PX = 0.5, 16

Hides = Callable[[TablePlane], BaseGeometry]


@dataclass(frozen=True, eq=False)
class _Fit:
    """A camera by patches.

    covariance  (6, 6) of its (rvec, tvec)
    mm, off_px  (n, 2), (n,) where the patches are, and how far off each shows, as far as it tells that
    alike       (n,) their correlations
    """

    plane: TablePlane
    covariance: Array
    mm: Array
    off_px: Array
    alike: Array

    @property
    def borne_out(self) -> Mask:
        """(n,) which patches bear it out."""
        return np.asarray(self.alike > _ALIKE, bool)

    def worst_mm(self, mm: Array) -> float:
        """The largest sigma of its own at places (n, 2)."""
        own = replace(self.plane, covariance=self._padded())
        return float(own.sigma_mm(own.to_image(mm)).max())

    def measured(self, anchor: Anchor) -> TablePlane:
        """The plane with the anchor's errors and its own."""
        was, now = anchor.plane, self.plane
        off_mm = self.off_px / was.px_per_mm(self.mm)
        left = zip(self.off_px.tolist(), off_mm.tolist(), (~self.borne_out).tolist(), strict=True)
        plane = replace(
            now,
            reprojection_error_px=float(np.sqrt(np.mean(np.square(self.off_px[self.borne_out])))),
            residuals=tuple(Residual("ground", px, mm, rejected) for px, mm, rejected in left),
        )
        follows = followed_by((was.lens, was.pose), (now.lens, now.pose), anchor.outline_mm, zooms=False)
        return remeasured(plane, was, follows, self._padded())

    def _padded(self) -> Array:
        numbers = len(self.plane.lens.parameters)
        return np.asarray(np.pad(self.covariance, ((numbers, 0), (numbers, 0))), float)


def by_ground(anchor: Anchor, frame_bgr: Image, rough: TablePlane, hides: Hides) -> TablePlane | None:
    """The plane in a later picture of the same table; None where too little of the ground is known again.

    rough   the plane in that picture to some centimetres, through the anchor's lens
    hides   what may stand on the table, by the plane with which it is seen, as mm of the table that it hides
    Cost    0.5 s of one core at 1080p
    """
    if not np.isfinite(rough.to_image(anchor.outline_mm)).all():
        return None
    ground, now = _Ground(anchor, frame_bgr, hides), rough
    for search in _SEARCHES:
        fit = ground.followed(now, search)
        if fit is None:
            return None
        now = fit.plane
    fits: list[_Fit] = []
    for times in _COMPARED_TIMES:
        fit = ground.settled(now, times)
        if fit is not None:
            fits.append(fit)
            now = fit.plane
    best = min(fits, key=lambda each: each.worst_mm(anchor.outline_mm), default=None)
    return best.measured(anchor) if best is not None and best.borne_out.sum() >= _FEWEST else None


@dataclass(frozen=True, eq=False)
class _Ground:
    """Two pictures of a table.

    anchor     the first, and its plane
    frame_bgr  the second
    """

    anchor: Anchor
    frame_bgr: Image
    hides: Hides

    def followed(self, now: TablePlane, search: Search) -> _Fit | None:
        """The camera, found by where patches of the ground have gone; `now` is good to a few centimetres."""
        texture, half_px = self.anchor.texture, squares(self.anchor.texture, 1)
        half_px = half_px[self._is_bare(to_full(half_px), REDUCTION * search.window_px / 2, now)]
        if len(half_px) < _FEWEST:
            return None
        patches = followed(texture, self._as_before(now), half_px, search)
        is_found = patches.alike > _LEAST_ALIKE
        if is_found.sum() < _FEWEST:
            return None
        return self._fit(now, to_full(half_px[is_found]), patches.only(is_found), _SCALES)

    def settled(self, now: TablePlane, times: int) -> _Fit | None:
        """The camera, found from what is left between the pictures, until hardly anything is; `now` is good to a pixel
        or so."""
        for _ in range(_LOOKS):
            fit = self._compared(now, times)
            if fit is None:
                break
            now = fit.plane
        return fit

    def _compared(self, now: TablePlane, times: int) -> _Fit | None:
        px = to_full(squares(self.anchor.texture, times))
        is_bare = self._is_bare(px, REDUCTION * times * SIDE_PX / 2, now)
        patches = compared(self.anchor.texture, self._as_before(now), times).only(is_bare)
        if (patches.alike > _ALIKE).sum() < _FEWEST_COARSE:
            return None
        return self._fit(now, px[is_bare], patches, _SCALES[-1:])

    def _is_bare(self, px: Array, reach_px: float, now: TablePlane) -> Mask:
        """(n,) whether both cameras see nothing but ground so far about places (n, 2) of the first picture."""
        about = np.stack(np.meshgrid(*2 * ([-reach_px, 0.0, reach_px],)), axis=-1).reshape(-1, 2)
        mm = self.anchor.plane.to_table((px[:, None] + about).reshape(-1, 2))
        now_px = now.to_image(mm)
        bare: Mask = np.asarray(((mm >= 0) & (mm <= self.anchor.table_size_mm)).all(axis=1), bool)
        bare &= ((now_px >= reach_px) & (now_px <= np.array(now.lens.size_px) - reach_px)).all(axis=1)
        for plane in (self.anchor.plane, now):
            bare[bare] &= ~contains_xy(self.hides(plane), mm[bare])
        return np.asarray(bare.reshape(len(px), -1).all(axis=1), bool)

    @cached_property
    def _gray(self) -> Image:
        """The second picture, of half the resolution."""
        return halved(self.frame_bgr)

    def _as_before(self, now: TablePlane) -> Texture:
        """The second picture as the first camera would have shown it."""
        height, width = self.anchor.texture.even.shape
        outline_mm = self.anchor.outline_mm
        then, there = (to_half(plane.to_image(outline_mm)).astype(np.float32) for plane in (self.anchor.plane, now))
        motion = np.asarray(cv2.getPerspectiveTransform(then, there), float)
        # What both lenses bend is worked out on a coarse grid, and runs straight between.
        coarse = _grid(width + _COARSE_PX, height + _COARSE_PX, _COARSE_PX)
        places_mm = self.anchor.plane.to_table(to_full(coarse.reshape(-1, 2)))
        bent = to_half(now.to_image(places_mm)).reshape(coarse.shape) - cv2.perspectiveTransform(coarse, motion)
        wider = np.array([[_COARSE_PX, 0.0, 0.0], [0.0, _COARSE_PX, 0.0]])
        to_px = cv2.perspectiveTransform(_grid(width, height, 1), motion).astype(np.float32)
        to_px += cv2.warpAffine(np.nan_to_num(bent).astype(np.float32), wider, (width, height))
        seen = cv2.remap(self._gray, to_px[..., 0], to_px[..., 1], cv2.INTER_LINEAR)
        return Texture.of_half(np.asarray(seen, np.uint8))

    def _ways(self, px: Array, now: TablePlane) -> Array:
        """(n, 2, 6) how what shows at places (n, 2) of the first picture goes there if (rvec, tvec) of `now` do."""
        mm, *aside = (self.anchor.plane.to_table(px + step) for step in ((0, 0), (_STEP_PX, 0), (0, _STEP_PX)))
        here = now.to_image(mm)
        by_px = np.stack([(now.to_image(each) - here) / _STEP_PX for each in aside], axis=2)
        return np.asarray(np.linalg.solve(by_px, now.pose.place_jacobian(now.lens, mm, 0.0)[1][:, :, -6:]), float)

    def _fit(self, now: TablePlane, px: Array, patches: Patches, scales: tuple[float, ...]) -> _Fit:
        """The camera that brings the patches, whose middles are at (n, 2) px, together."""
        ways, aside_px, step = self._ways(px, now), patches.off_px(), np.zeros(6)
        for scale in scales:
            sigmas = patches.sigmas(aside_px - ways @ step)
            weight = np.square(np.maximum(patches.alike, 0.0) / (1 + np.square(sigmas / (_OUTLIER * scale))))
            told, shared = (np.einsum("n,nia,nij,njb->ab", weight, ways, each, ways) for each in patches.curvatures)
            pulls = weight[:, None] * np.einsum("nia,ni->na", ways, patches.pull)
            step = _inverse(told, shared, _LEAST_SHARED) @ pulls.sum(axis=0)
        pulls -= weight[:, None] * np.einsum("nia,nij,njb,b->na", ways, patches.shared, ways, step)
        mm = self.anchor.plane.to_table(px)
        spread = _inverse(told, shared, _LEAST_TOLD) @ _by_place(pulls, mm).T
        there = replace(now, rvec=now.rvec + step[:3], tvec=now.tvec + step[3:])
        off_px = patches.px_of(patches.sigmas(aside_px - ways @ step))
        return _Fit(there, _UNTOLD**2 * spread @ spread.T, mm, off_px, patches.alike)


def _inverse(told: Array, shared: Array, least: float) -> Array:
    """(6, 6) inverse of what is shared, of which so much, at least, is of what is told in every way."""
    scale = 1 / np.sqrt(np.maximum(np.diag(told), 1e-300))
    root = np.linalg.inv(np.linalg.cholesky(told * np.outer(scale, scale) + 1e-9 * np.eye(6)))
    part, ways = np.linalg.eigh(root @ (shared * np.outer(scale, scale)) @ root.T)
    back = (root.T @ ways) * scale[:, None]
    return np.asarray(back / np.maximum(part, least) @ back.T, float)


def _by_place(pulls: Array, mm: Array) -> Array:
    """(m, 6) sums of the pulls (n, 6) of what lies at one place."""
    _, place = np.unique(np.floor(mm / _PLACE_MM), axis=0, return_inverse=True)
    sums = np.zeros((int(place.max(initial=-1)) + 1, pulls.shape[1]))
    np.add.at(sums, np.ravel(place), pulls)
    return sums


def _grid(width: int, height: int, step: int) -> Array:
    """(rows, columns, 2) x and y of every so many pixels."""
    return np.stack(np.meshgrid(np.arange(0.0, width, step), np.arange(0.0, height, step)), axis=-1)

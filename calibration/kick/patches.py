"""Patches of the ground in two pictures that were brought to one view: how far apart they lie, and how well each tells.

Along the grain of wood a patch tells next to nothing, across it a twentieth of a pixel: so each says what it tells in
which way, and no patch is thrown away for what it does not tell.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.kick.texture import REDUCTION, Search, Texture, flow, to_full

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

# What is followed: windows so broad, half px; no place better than this.
_WINDOW_PX, _FLOOR_PX = 31, 0.2
# What is compared: squares so broad, with light and contrast evened out over windows so broad, and this much noise.
SIDE_PX = 16
_EVEN_PX, _NOISE = 15, 2.0
_LEAST_SPREAD = 0.05
# A gradient's share that makes slopes of straight lines invertible.
_RIDGE = 1e-3


@dataclass(frozen=True, eq=False)
class Patches:
    """How (n,) patches of one picture lie in another one, in px of the first.

    pull    (n, 2) px^-1, slope of how unlike they are
    told    (n, 2, 2) px^-2, its curvature: what a patch tells of where it lies, noise taken for slopes too
    shared  (n, 2, 2) px^-2, the same of slopes that both pictures show, which noise does not add to
    alike   (n,) correlation
    """

    pull: Array
    told: Array
    shared: Array
    alike: Array

    @property
    def curvatures(self) -> tuple[Array, Array]:
        """Those told and shared."""
        return self.told, self.shared

    def only(self, which: NDArray[np.bool_]) -> Patches:
        """Those (n,) alone."""
        return Patches(self.pull[which], self.told[which], self.shared[which], self.alike[which])

    def off_px(self) -> Array:
        """(n, 2) how far each lies aside, by itself."""
        ridge = _RIDGE * np.trace(self.told, axis1=1, axis2=2)[:, None, None] * np.eye(2)
        return np.asarray(np.linalg.solve(self.told + ridge, self.pull[..., None])[..., 0], float)

    def sigmas(self, off_px: Array) -> Array:
        """(n,) how many sigmas those are that are so far off, (n, 2)."""
        return np.asarray(np.sqrt(np.einsum("ni,nij,nj->n", off_px, self.told, off_px)), float)

    def px_of(self, sigmas: Array) -> Array:
        """(n,) px that so many sigmas are, in the ways that a patch tells of."""
        return np.asarray(sigmas * np.sqrt(2 / np.maximum(np.trace(self.told, axis1=1, axis2=2), 1e-12)), float)


def followed(before: Texture, now: Texture, at_px: Array, search: Search) -> Patches:
    """By flow, which finds what lies as far off as the search reaches.

    at_px  (n, 2) the patches' middles, half px
    """
    after, found = flow(before, now, at_px, search)
    was, is_now = _windows(before.even, at_px), _windows(now.even, after)
    alike = np.where(found, _correlation(was, is_now), 0.0)
    spread = np.square(was - is_now).mean(axis=(1, 2))
    across, down = np.gradient(was, axis=(2, 1))
    sums = [(a * b).sum(axis=(1, 2)) for a, b in ((across, across), (across, down), (down, across), (down, down))]
    slopes = np.stack(sums, axis=1).reshape(-1, 2, 2)
    ridge = _RIDGE * np.trace(slopes, axis1=1, axis2=2)[:, None, None] + 1e-9
    covariance = REDUCTION**2 * spread[:, None, None] * np.linalg.inv(slopes + ridge * np.eye(2))
    told = np.linalg.inv(covariance + _FLOOR_PX**2 * np.eye(2))
    pull = np.einsum("nij,nj->ni", told, to_full(after) - to_full(at_px))
    return Patches(pull, told, told, alike)


def compared(before: Texture, now: Texture, times: int) -> Patches:
    """Of all `squares`, by what is left between the pictures, which must lie within a pixel or so of one another.

    times  how much coarser than half px the pictures are looked at: wood shows more of its grain where noise is gone
    """
    was, is_now = (_evened(each.even, times) for each in (before, now))
    (was_x, was_y), (now_x, now_y) = _slopes(was), _slopes(is_now)
    left = is_now - was
    pull = -np.stack([_sums((was_x + now_x) * left), _sums((was_y + now_y) * left)], axis=1) / 2
    told = (_summed(was_x, was_y, was_x, was_y) + _summed(now_x, now_y, now_x, now_y)) / 2
    shared = (_summed(was_x, was_y, now_x, now_y) + _summed(now_x, now_y, was_x, was_y)) / 2
    alike = _sums(was * is_now) / np.sqrt(np.maximum(_sums(was * was) * _sums(is_now * is_now), 1e-9))
    # Slopes are by px of what was looked at; and all as noise has it.
    px = REDUCTION * times
    noise = np.maximum(_sums(left * left) / SIDE_PX**2, _LEAST_SPREAD)[:, None]
    curve = noise[..., None] * px**2
    return Patches(pull / (noise * px), told / curve, shared / curve, alike)


def squares(texture: Texture, times: int) -> Array:
    """(n, 2) half px of the middles of what `compared` compares, row by row."""
    rows, columns = (side // times // SIDE_PX for side in texture.even.shape)
    across, down = np.meshgrid(np.arange(columns), np.arange(rows))
    return np.asarray((np.column_stack([across.ravel(), down.ravel()]) + 0.5) * SIDE_PX * times - 0.5, float)


def _evened(picture: Image, times: int) -> Floats:
    """The picture, coarser, everywhere as light and as rich in contrast."""
    # What is left over at the end makes no pixel: `squares` counts whole ones.
    rows, columns = (side // times for side in picture.shape)
    whole = picture[: rows * times, : columns * times]
    coarse = cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.float32)
    window = (_EVEN_PX, _EVEN_PX)
    light = cv2.boxFilter(coarse, -1, window)
    spread = cv2.boxFilter(coarse * coarse, -1, window) - light * light
    return np.asarray((coarse - light) / (np.sqrt(np.maximum(spread, 0.0)) + _NOISE), np.float32)


def _slopes(picture: Floats) -> tuple[Floats, Floats]:
    across, down = (cv2.Sobel(picture, cv2.CV_32F, *way, ksize=3, scale=1 / 8) for way in ((1, 0), (0, 1)))
    return np.asarray(across, np.float32), np.asarray(down, np.float32)


def _summed(one_x: Floats, one_y: Floats, other_x: Floats, other_y: Floats) -> Array:
    """(n, 2, 2) sums of the products of slopes over each square, made symmetrical."""
    both = np.asarray((one_x * other_y + one_y * other_x) / 2, np.float32)
    sums = [_sums(each) for each in (one_x * other_x, both, both, one_y * other_y)]
    return np.stack(sums, axis=1).reshape(-1, 2, 2)


def _sums(values: Floats) -> Array:
    """(n,) over each square."""
    rows, columns = (side // SIDE_PX for side in values.shape)
    whole = values[: rows * SIDE_PX, : columns * SIDE_PX]
    means = cv2.resize(whole, (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(SIDE_PX**2 * means.ravel().astype(float), float)


def _windows(picture: Image, at_px: Array) -> Array:
    """(n, _WINDOW_PX, _WINDOW_PX) what lies about each place, without its mean."""
    size = (_WINDOW_PX, _WINDOW_PX)
    seen = np.array([cv2.getRectSubPix(picture, size, (float(x), float(y))) for x, y in at_px], float)
    seen = seen.reshape(-1, *size)
    return np.asarray(seen - seen.mean(axis=(1, 2), keepdims=True), float)


def _correlation(was: Array, is_now: Array) -> Array:
    both, one, other = ((a * b).sum(axis=(1, 2)) for a, b in ((was, is_now), (was, was), (is_now, is_now)))
    return np.asarray(both / np.sqrt(np.maximum(one * other, 1e-9)), float)

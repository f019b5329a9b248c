"""Straight edges to a few hundredths of a pixel: gradient centroids along normals, a line, its crossings."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from calibration.fit.planar import cross

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# A side's edge is looked for at so many places along it, and not near its ends, where the next side's edge shows.
_NORMALS = 24
_INNER = np.linspace(0.12, 0.88, _NORMALS)
# Half-widths in px of the passes: find the edge, centre on it, measure it with an even window. One that is not centred
# draws an upright edge, whose pixels are all alike, by up to 0.07 px towards its own middle.
_REACHES = (4.0, 3.0, 2.5, 2.5)
# So does one that is not flat where the edge is: by 0.04 px between two rows of pixels, all sides that lie so alike.
# Cards are known by how little their sides wave within a round one, and told to 0.35 px at best.
_FLAT_OF_REACH, _ROUND = 0.4, 0.0
_STEP_PX = 0.5
# A marker's border is a sixth or an eighth of its side: on small ones the full reach would cross into its code.
_FULL_REACH_SIDE_PX = 28.0
_LEAST_REACH = 0.35
_FAINTEST_STEP = 12.0
# How softly a side rises is looked at so finely, as far to both sides as a marker's border and its rim are broad. A
# picture shows light's root, by which what rises from black is a third wider.
_SOFT_STEPS, _BIT, _ROOT_WIDENS = 24, 1 / 6, 1.3
# No farther than a marker of 60 px is looked at: in steps of 3 px and more the sharpest side rises over two of them.
_SOFT_REACH_PX = 10.0
# Noise moves a fitted corner by about this much of its edge points' scatter (24 points, two sides).
_CORNER_OF_SCATTER = 0.6
# Of each coordinate: the 0.023 px of benchmarks/calibration.py are corners' distances.
_BEST_CORNER_PX = 0.02


def fit_quads(gray: Image, quads: Array, *, light_inside: bool = False) -> tuple[Array, Array, Array]:
    """Corners of dark quadrilaterals on a light ground, or light ones on a dark.

    gray     (h, w) uint8
    quads    (m, 4, 2) seeds within about 3 px, clockwise as seen
    Returns  corners (m, 4, 2), their sigma in px (m,), and the worst side's RMS of edge points (m,); inf where a
             side shows no edge
    """
    surface, flat = (255 - gray, _ROUND) if light_inside else (gray, _FLAT_OF_REACH)
    corners = quads.copy()
    shares = np.clip(shortest_px(quads) / _FULL_REACH_SIDE_PX, _LEAST_REACH, 1.0)
    scatter = np.zeros(quads.shape[:2])
    for reach_px in _REACHES:
        start, normal, along = _sides(corners)
        feet = start[:, :, None] + _INNER[:, None] * along[:, :, None]
        offset, weight = _edge_offsets(surface, feet, normal, reach_px, shares, flat)
        intercept, slope, scatter = _robust_lines(offset, weight)
        corners = _crossings(start, normal, along, intercept, slope)
    worst = scatter.max(axis=1)
    worst[~np.isfinite(corners).all(axis=(1, 2))] = np.inf
    return corners, np.maximum(_BEST_CORNER_PX, _CORNER_OF_SCATTER * worst), worst


def _sides(corners: Array) -> tuple[Array, Array, Array]:
    """Start (m, 4, 2), outward unit normal (m, 4, 2) and whole side vector (m, 4, 2) of each side."""
    along = np.roll(corners, -1, axis=1) - corners
    normal = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    return corners, normal / np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-9), along


def _edge_offsets(
    gray: Image, feet: Array, normal: Array, reach_px: float, shares: Array, flat: float
) -> tuple[Array, Array]:
    """Where the light begins, in px along the normal at each foot (m, 4, 24), and whether it was seen there.

    shares  (m,) of the reach that each quadrilateral can bear
    flat    share of the reach within which all counts alike
    """
    offsets = np.arange(-reach_px, reach_px + _STEP_PX / 2, _STEP_PX)
    across = normal * shares[:, None, None]
    samples = sample(gray, feet[..., None, :] + offsets[:, None] * across[:, :, None, None])
    rise = np.diff(samples, axis=-1)
    middles = (offsets[1:] + offsets[:-1]) / 2
    # A raised cosine keeps what enters or leaves at the window's ends from pulling the centroid.
    fading = np.clip((np.abs(middles) / reach_px - flat) / (1 - flat), 0, 1)
    window = np.cos(fading * np.pi / 2) ** 2 if reach_px < _REACHES[0] else np.ones(len(middles))
    mass = np.maximum(rise, 0) * window
    if reach_px == _REACHES[0]:
        mass *= np.abs(middles - middles[np.argmax(mass, axis=-1)][..., None]) <= 1.5
    total = mass.sum(axis=-1)
    centroid = (mass @ middles) / np.maximum(total, 1e-9) * shares[:, None, None]
    return centroid, (samples.max(axis=-1) - samples.min(axis=-1) > _FAINTEST_STEP).astype(float)


def _robust_lines(offset: Array, weight: Array) -> tuple[Array, Array, Array]:
    """offset = intercept + slope t along each side (m, 4), twice: without what lies beyond three MADs; its RMS."""
    intercept, slope = _lines(offset, weight)
    for _ in range(2):
        miss = np.abs(offset - intercept[..., None] - slope[..., None] * _INNER)
        spread = 1.4826 * np.median(miss, axis=-1, keepdims=True)
        weight = weight * (miss <= 3 * spread + 0.02)
        intercept, slope = _lines(offset, weight)
    miss = (offset - intercept[..., None] - slope[..., None] * _INNER) * (weight > 0)
    seen = weight.sum(axis=-1)
    rms = np.sqrt(np.square(miss).sum(axis=-1) / np.maximum(seen - 2, 1))
    return intercept, slope, np.where(seen >= _NORMALS // 2, rms, np.inf)


def _lines(offset: Array, weight: Array) -> tuple[Array, Array]:
    total = np.maximum(weight.sum(axis=-1), 1e-9)
    mean_t = (weight @ _INNER) / total
    mean_d = (weight * offset).sum(axis=-1) / total
    t = _INNER - mean_t[..., None]
    slope = (weight * t * offset).sum(axis=-1) / np.maximum((weight * t * t).sum(axis=-1), 1e-9)
    return mean_d - slope * mean_t, slope


def _crossings(start: Array, normal: Array, along: Array, intercept: Array, slope: Array) -> Array:
    """Each corner where the line of its own side meets that of the side before."""
    point = start + intercept[..., None] * normal
    direction = along + slope[..., None] * normal
    before, before_direction = np.roll(point, 1, axis=1), np.roll(direction, 1, axis=1)
    gap = point - before
    turn = cross(before_direction, direction)
    reach = cross(gap, direction) / np.where(np.abs(turn) > 1e-9, turn, np.nan)
    return before + reach[..., None] * before_direction


def softness_of(gray: Image, quads: Array) -> Array:
    """(m,) px, the standard deviation of the blur that makes the dark sides of markers (m, 4, 2) rise as slowly as
    their mean does; 0 where they rise by nothing."""
    return np.asarray(sides_softness(gray, quads).mean(axis=1), float)


def sides_softness(gray: Image, quads: Array) -> Array:
    """(m, 4) px, the same of each side, from each corner to the next one."""
    start, normal, along = _sides(quads)
    reaches = np.minimum(_BIT * shortest_px(quads), _SOFT_REACH_PX)
    offsets = np.linspace(-1, 1, _SOFT_STEPS + 1)[:, None] * reaches[:, None, None, None, None]
    feet = start[:, :, None] + _INNER[:, None] * along[:, :, None]
    rises = np.diff(sample(gray, feet[..., None, :] + offsets * normal[:, :, None, None]).mean(axis=2), axis=-1)
    rises = np.maximum(rises, 0.0)
    steepest = rises.max(axis=-1) * _SOFT_STEPS / (2 * reaches[:, None])
    return np.asarray(rises.sum(axis=-1) / np.maximum(steepest, 1e-9) / (np.sqrt(2 * np.pi) * _ROOT_WIDENS), float)


def shortest_px(quads: Array) -> Array:
    """(m,) the shortest sides of quadrilaterals (m, 4, 2)."""
    return np.asarray(np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=-1).min(axis=1), float)


def side_crossings(corners: Array, places: Callable[[Array], Array]) -> Array:
    """(4, 2) px where lines along four sides meet, fitted as `fit_quads` fits them.

    corners  (4, 2) px between which the sides run
    places   gives px (4, n, 2) of each side's points at shares (n,) of its way
    """
    start, normal, along = _sides(corners[None])
    offset = ((places(_INNER)[None] - start[:, :, None]) * normal[:, :, None]).sum(axis=-1)
    crossings = _crossings(start, normal, along, *_lines(offset, np.ones(offset.shape)))
    return np.asarray(crossings[0], float)


def sample(gray: Image | Array, px: Array) -> Array:
    """Grey values at px (..., 2), bilinear; exact to the float, where cv2.remap rounds places to 1/32 px."""
    height, width = gray.shape[:2]
    u, v = np.clip(px[..., 0], 0, width - 1.001), np.clip(px[..., 1], 0, height - 1.001)
    column, row = u.astype(np.intp), v.astype(np.intp)
    a, b = u - column, v - row
    flat = gray.reshape(-1)
    first = row * width + column
    top = flat[first] * (1 - a) + flat[first + 1] * a
    return np.asarray(top * (1 - b) + (flat[first + width] * (1 - a) + flat[first + width + 1] * a) * b, float)

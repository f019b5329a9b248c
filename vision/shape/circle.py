"""The rim of a coin, measured: radial edge profiles in the picture, a robust circle through them in the rim's plane.

A coin seen at a slant shows two outer edges towards the camera: the rim of its face, and the foot of its side on the
table. Each ray votes for the one that it shows, so that neither pulls the centre (C3.1: height is part of the error).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.frame import ImageBgr
from vision.metric.around import unrolled
from vision.rows import Rows
from vision.shape.edge_strength import edge_strengths
from vision.shape.edge_votes import votes_near

Array = NDArray[np.float64]

# The picture is read on so many rays through a rim, at so many places on each.
RAYS, STEPS = 48, 36
# The rays run from and to these shares of the expected radius: wide enough for a proposal that is 15 % off, narrow
# enough to leave most of a neighbour out.
_INNER, _OUTER = 0.70, 1.30
# How near to the circle an edge must lie to vote for it, as a share of the radius, from pass to pass: before and after
# the circle is widened to its outermost edge (with the radius held it is not).
_WINDOWS = (0.10, 0.07, 0.05, 0.035, 0.025), (0.03, 0.022, 0.018)
_HELD_WINDOWS = (0.07, 0.05, 0.035, 0.025), (0.03, 0.022, 0.018)
# The same for circles that are known to lie this near already, as those of the rim net do (`vision.shape.rim`).
_CLOSE_WINDOWS = (0.05, 0.03), (0.02, 0.018)
_CLOSE_HELD_WINDOWS = (0.035,), (0.025, 0.018)
_SWING_WINDOW, _RESIDUAL_WINDOW = 0.04, 0.027
# How much wider than deep a rim shows is fitted in these passes, in which other edges hold it back: so much of it is
# told (16 rendered stills told 5 % too wide and too deep; with wider ones more is, and scatters by more still).
_WIDER_WINDOWS, _WIDER_TOLD = (0.06, 0.045, 0.035), 0.65
# Rims of coins swing so many times on their way round, and not the numbers of times beside them; nor do slant and a
# missed middle show in any of these.
SIDED = (7, 12)
_NO_COINS_SIDES = ((5, 6, 8, 9), (10, 11, 13, 15))
# The rim is the outermost edge that this share of the strongest one's support speaks for: inside it lie the raised
# border and the relief, outside it the shadow, which is soft and on one side only.
_OUTERMOST = 0.5
_DIP = 0.75
# An edge weaker than this (grey levels per px) is noise.
_EDGE_FLOOR = np.float32(3.0)
# Edges are looked for at the scale of a pixel, and vote if they lie this near whatever the share of the radius.
_SMOOTH_PX = 0.6
# A ray shows the rim if the edge there is at least this strong beside the strongest on the ray.
_ON_RIM = 0.3
# So many neighbouring rays err alike: they see the same shadow (fitted to the errors on rendered maps).
_ALIKE_RAYS = 4
# Where rim and foot show this far apart, a ray may have taken one for the other and counts half: with the radius open,
# and with it held, when a mistake shows.
_DOUBLE_EDGE_MM, _DOUBLE_EDGE_HELD_MM = 0.25, 0.8
_PIXEL_WINDOW = 0.5
# Shadow and foot lie outside the rim and draw votes out on their sides: with the radius held what lies farther out
# counts less, down to this, over so many reaches about the circle (chosen on 1,300 coins, rendered and path-traced,
# seen from 42 to 90 degrees; with three times as much p95 is 2 % more and the median 8).
_OUTSIDE, _OUTSIDE_SLOPE = 0.1, 0.2

_ANGLES = np.arange(RAYS) * (2 * np.pi / RAYS)
_DIRECTIONS = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
_SHARES = np.linspace(_INNER, _OUTER, STEPS)


@dataclass(frozen=True, eq=False)
class Rims(Rows):
    """Circles fitted to n coins.

    centre_mm  (n, 2) centre of the rim, table frame, at the height given for it
    radius_mm  (n,)
    sigma_mm   (n,) of the centre, from the spread of the edges about the circle
    on_rim     (n, RAYS) whether the ray in that direction, counter-clockwise from +x, has its edge on the circle
    swing      (n, 2) how far the rim swings out and in as many times as `SIDED` says, as a share of the radius
    uneven     (n, 2) how far it does so by chance: the scale of what it swings other numbers of times
    """

    centre_mm: Array
    radius_mm: Array
    sigma_mm: Array
    on_rim: NDArray[np.bool_]
    swing: Array
    uneven: Array

    @property
    def support(self) -> Array:
        """(n,) share of the rays whose edge lies on the circle, 0 to 1."""
        return np.asarray(self.on_rim.mean(axis=1), float)


@dataclass(frozen=True, eq=False)
class _Profiles:
    """Edges along rays from `centre_mm` (n, 2).

    strength  (n, RAYS, STEPS) 0 to 1
    foot_mm   (n, RAYS) how far outside the rim the coin's foot shows
    sure      (n, RAYS) 1 away from the camera, where a coin shows one edge; less where rim and foot show apart
    blur_mm   (n,) how far an edge is spread by the picture's pixels
    """

    centre_mm: Array
    radius_mm: Array
    strength: NDArray[np.float32]
    foot_mm: Array
    sure: Array
    blur_mm: Array


def fit_rims(
    image_bgr: ImageBgr,
    plane: TablePlane,
    centre_mm: Array,
    radius_mm: Array,
    height_mm: Array,
    known_radius: bool = False,
    close: bool = False,
) -> Rims:
    """Circles through the rims near `centre_mm` (n, 2), each in the plane at its `height_mm` (n,).

    radius_mm     (n,) expected; with `known_radius` it is held and only the centre is fitted
    height_mm     (n,) of the rim above the table
    close         the circles are good to a few per cent of the radius; otherwise to fifteen
    """
    if not len(centre_mm):
        none = np.zeros(0)
        return Rims(np.zeros((0, 2)), none, none, np.zeros((0, RAYS), bool), *np.zeros((2, 0, len(SIDED))))
    double_mm = _DOUBLE_EDGE_HELD_MM if known_radius else _DOUBLE_EDGE_MM
    profiles = _edge_profiles(image_bgr, plane, centre_mm, radius_mm, height_mm, double_mm)
    coarse, fine = _windows(known_radius, close)
    state = np.zeros((len(centre_mm), 3))
    for window in coarse:
        state = _step(profiles, state, window, known_radius)
    if not known_radius:
        state[:, 2] += _outermost_shift(profiles, state)
    for window in fine:
        state = _step(profiles, state, window, known_radius)
    return _measured(profiles, state, sides=not known_radius)


def wider_than_deep(
    image_bgr: ImageBgr, plane: TablePlane, centre_mm: Array, radius_mm: Array, height_mm: Array
) -> tuple[Array, Array]:
    """(n,) how much wider than deep a rim near such a circle shows (the logarithm of the ratio, along the table's x),
    and (n,) the share of its rays whose edge lies on the oval; parameters as of `fit_rims`."""
    if not len(centre_mm):
        return np.zeros(0), np.zeros(0)
    profiles = _edge_profiles(image_bgr, plane, centre_mm, radius_mm, height_mm, _DOUBLE_EDGE_HELD_MM)
    # What is askew is left to itself, and takes nothing from what is wide.
    twice = np.stack([np.cos(2 * _ANGLES), np.sin(2 * _ANGLES)], axis=1)
    ways = np.concatenate([_DIRECTIONS, np.ones((RAYS, 1)), twice], axis=1)
    state = np.zeros((len(centre_mm), ways.shape[1]))
    steps_mm = np.multiply.outer(radius_mm, (_SHARES[0], _SHARES[1] - _SHARES[0]))
    for window in _WIDER_WINDOWS:
        oval_mm = radius_mm[:, None] + state @ ways.T
        reach_mm = _reach_mm(profiles, window)
        residual, total = votes_near(profiles.strength, steps_mm, oval_mm, profiles.foot_mm, reach_mm)
        state = _pulled(state, ways, residual, profiles.sure * total / (total + 0.5), radius_mm)
    on_rim = _strength_at(profiles, radius_mm[:, None] + state @ ways.T) > _ON_RIM
    return 2 * state[:, 3] / (radius_mm + state[:, 2]) / _WIDER_TOLD, on_rim.mean(axis=1)


def _windows(known_radius: bool, close: bool) -> tuple[tuple[float, ...], tuple[float, ...]]:
    if known_radius:
        return _CLOSE_HELD_WINDOWS if close else _HELD_WINDOWS
    return _CLOSE_WINDOWS if close else _WINDOWS


def _edge_profiles(
    image_bgr: ImageBgr, plane: TablePlane, centre_mm: Array, radius_mm: Array, height_mm: Array, double_mm: float
) -> _Profiles:
    circles = (centre_mm, radius_mm, height_mm)
    colours, px_per_step = unrolled(image_bgr, plane, circles, RAYS, _SHARES, cv2.INTER_CUBIC)
    strength = edge_strengths(colours, _slope(float(np.median(px_per_step))), _EDGE_FLOOR)
    step_mm = (_SHARES[1] - _SHARES[0]) * radius_mm
    foot = _foot_offset(plane, centre_mm, height_mm)
    sure = 1 / (1 + np.square(foot / double_mm))
    return _Profiles(centre_mm, radius_mm, strength, foot, sure, _PIXEL_WINDOW * step_mm / px_per_step)


def _slope(px_per_step: float) -> NDArray[np.float32]:
    """What steps about a place count for the change of colour there, grey levels per px, smoothed over about a pixel:
    finer than that is no edge."""
    sigma = float(np.clip(_SMOOTH_PX / px_per_step, 0.6, 4.0))
    reach = int(np.ceil(2.5 * sigma))
    at = np.arange(-reach, reach + 1)
    bell = np.exp(-np.square(at) / (2 * sigma**2))
    return np.asarray(at * bell / (np.square(at) * bell).sum() / px_per_step, np.float32)


def _foot_offset(plane: TablePlane, centre_mm: Array, height_mm: Array) -> Array:
    """(n, RAYS): how far outside the rim, in its own plane, the coin's foot on the table shows along each ray."""
    seen_at = plane.to_table(plane.to_image(centre_mm, 0.0), height_mm)
    return np.asarray(np.maximum((seen_at - centre_mm) @ _DIRECTIONS.T, 0), float)


def _step(profiles: _Profiles, state: Array, window: float, hold_radius: bool) -> Array:
    """One pass of weighted least squares: edges near the circle, or near its foot, pull it."""
    residual, weight = _votes(profiles, state, window)
    if hold_radius:
        weight = weight * _inside(residual / _reach_mm(profiles, window)[:, None])
    design = np.concatenate([_DIRECTIONS, np.full((RAYS, 1), 0.0 if hold_radius else 1.0)], axis=1)
    return _pulled(state, design, residual, weight, profiles.radius_mm)


def _pulled(state: Array, design: Array, residual: Array, weight: Array, radius_mm: Array) -> Array:
    """The state (n, k) moved by residuals (n, RAYS), the ways in which it may move being `design` (RAYS, k)."""
    normal = np.einsum("nr,ri,rj->nij", weight, design, design) + 1e-3 * np.eye(design.shape[1])
    pull = np.einsum("nr,nr,ri->ni", weight, residual, design)
    moved = state + np.linalg.solve(normal, pull[..., None])[..., 0]
    limit = 0.2 * radius_mm[:, None]
    return np.asarray(np.clip(moved, -limit, limit), float)


def _predicted(profiles: _Profiles, state: Array) -> Array:
    """(n, RAYS) radius along each ray of the circle moved by state (n, 3): dx, dy, dr in mm."""
    return np.asarray(profiles.radius_mm[:, None] + state[:, :2] @ _DIRECTIONS.T + state[:, 2:], float)


def _votes(profiles: _Profiles, state: Array, window: float) -> tuple[Array, Array]:
    """Residual in mm and weight of each ray, (n, RAYS): of the edge at the rim, or at the foot if that is clearer."""
    reach_mm = _reach_mm(profiles, window)
    steps_mm = np.multiply.outer(profiles.radius_mm, (_SHARES[0], _SHARES[1] - _SHARES[0]))
    rim_mm = _predicted(profiles, state)
    residual, total = votes_near(profiles.strength, steps_mm, rim_mm, profiles.foot_mm, reach_mm)
    return residual, profiles.sure * total / (total + 0.5)


def _reach_mm(profiles: _Profiles, window: float) -> Array:
    """(n,) how near to the circle an edge must lie to vote for it."""
    return np.asarray(np.hypot(window * profiles.radius_mm, profiles.blur_mm), float)


def _inside(reaches: Array) -> Array:
    """(n, RAYS) what edges count that lie so many reaches outside the circle."""
    return np.asarray(_OUTSIDE + (1 - _OUTSIDE) / (1 + np.exp(reaches / _OUTSIDE_SLOPE)), float)


def _outermost_shift(profiles: _Profiles, state: Array) -> Array:
    """(n,) how much to widen each circle so that it lies on the outermost edge that goes all the way round."""
    shifts = np.linspace(-0.08, 0.14, 23)
    index = (_predicted(profiles, state)[:, :, None] / profiles.radius_mm[:, None, None] + shifts - _INNER) / (
        _SHARES[1] - _SHARES[0]
    )
    near = np.clip(np.rint(index).astype(int), 1, STEPS - 2)
    strength = profiles.strength
    widened = np.maximum(strength[:, :, 1:-1], np.maximum(strength[:, :, :-2], strength[:, :, 2:]))
    by_shift = np.take_along_axis(widened, near - 1, axis=2)
    around = np.einsum("nr,nrs->ns", profiles.sure, by_shift) / profiles.sure.sum(axis=1)[:, None]
    return np.asarray(shifts[_outermost_peaks(around)] * profiles.radius_mm, float)


def _outermost_peaks(around: Array) -> NDArray[np.intp]:
    """(n,) index of the last maximum that is strong and stands clear of the strongest one, else of the strongest."""
    strongest = around.argmax(axis=1)
    beyond = np.arange(around.shape[1]) >= strongest[:, None]
    lowest = np.minimum.accumulate(np.where(beyond, around, np.inf), axis=1)
    inner = around[:, 1:-1]
    is_peak = (inner >= around[:, :-2]) & (inner >= around[:, 2:]) & (lowest[:, :-2] < _DIP * inner)
    is_strong = is_peak & (inner >= _OUTERMOST * around.max(axis=1, keepdims=True))
    last = inner.shape[1] - is_strong[:, ::-1].argmax(axis=1)
    return np.asarray(np.where(is_strong.any(axis=1), last, strongest), np.intp)


def _measured(profiles: _Profiles, state: Array, sides: bool) -> Rims:
    """What came out; the rim's swings only where they are asked for (`sides`)."""
    residual, _ = _votes(profiles, state, _RESIDUAL_WINDOW)
    on_rim = _strength_at(profiles, _predicted(profiles, state)) > _ON_RIM
    count = np.maximum(on_rim.sum(axis=1), 3)
    spread = np.sqrt((np.square(residual) * on_rim).sum(axis=1) / count)
    swing, uneven = _swings(profiles, state) if sides else np.zeros((2, len(state), len(SIDED)))
    # A circle through k independent edges of spread s has its centre known to s * sqrt(2 / k) in each direction.
    return Rims(
        centre_mm=profiles.centre_mm + state[:, :2],
        radius_mm=profiles.radius_mm + state[:, 2],
        sigma_mm=spread * np.sqrt(2 * _ALIKE_RAYS / count) + 0.02,
        on_rim=on_rim,
        swing=swing,
        uneven=uneven,
    )


def _swings(profiles: _Profiles, state: Array) -> tuple[Array, Array]:
    """(n, 2) how far the radius swings as coins with sides do, and by chance, over the radius."""
    residual, weight = _votes(profiles, state, _SWING_WINDOW)
    waves = np.exp(1j * np.multiply.outer(np.column_stack([SIDED, _NO_COINS_SIDES]), _ANGLES))
    sums = np.abs(np.einsum("nr,str->nst", weight * residual, waves))
    scale = np.maximum(weight.sum(axis=1), 1e-6) * profiles.radius_mm
    swings = 2 * sums / scale[:, None, None]
    return swings[..., 0], np.sqrt(np.mean(np.square(swings[..., 1:]), axis=2) / 2)


def _strength_at(profiles: _Profiles, radii_mm: Array) -> Array:
    """(n, RAYS) the strongest edge within two steps of the given radii."""
    step = _SHARES[1] - _SHARES[0]
    near = np.rint((radii_mm / profiles.radius_mm[:, None] - _INNER) / step).astype(int)
    around = np.clip(near[..., None] + np.arange(-2, 3), 0, STEPS - 1)
    return np.asarray(np.take_along_axis(profiles.strength, around, axis=2).max(axis=2), float)

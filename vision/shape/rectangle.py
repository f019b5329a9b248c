"""A rectangle of known size, measured: the strongest edges near its four sides, and the rigid place that fits most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter1d

from calibration.plane import TablePlane
from vision.frame import ImageBgr

Array = NDArray[np.float64]
Rays = NDArray[np.float32]

# Along each side an edge is looked for every so many mm, away from the rounded corners.
_SPACING_MM = 2.0
_CORNER_MM = 6.0
# Searches go this far to both sides of where the edge should be, narrower each time, in steps of so many mm; slopes are
# those of edges softened by so much.
_WINDOWS_MM = ((6.0, 0.4), (3.0, 0.4), (1.5, 0.2), (1.0, 0.2))
_SOFT_MM = 0.4
# An edge this near to the fitted side (mm) supports it.
INLIER_MM = 0.8
# Of so many sizes the samples are kept: cards of no usual format are measured anew at each look.
_SIZES_KEPT = 32
# Edges of one side lie this near to it where its middle and direction are those of indices.
_NEAR_MM = 0.4
# Grey levels per mm: weaker slopes are texture.
WEAKEST = 12.0
# An edge is the paper's own if the paper shows so far within it (mm), to so many levels: in a gap between two cards it
# does not.
_PAPER_MM, _ALIKE = (0.6, 1.0), 40.0
# Weak priors keep a card of which one side shows from sliding along it, or shrinking: place, mm, direction, half sizes.
_PRIOR = (0.5, 0.5, 300.0, 3.0, 3.0)
# All sides lie so far within where they should at most, if they are the inner end of a border, and no farther without.
# Edges are then so much nearer to them (44 drawn cards of two such decks: 0.1 to 0.4 times as far), or so many more.
_BORDER_MM, _WITHOUT_MM, _STRAIGHTER, _MORE = 2.0, 0.2, 0.5, 0.3
# Where this much of every side shows, each may lie so far from where it should: cards of a make that is sold as poker
# size measure 88 x 63 mm.
_WHOLE, _OTHER_SIZE_MM = 0.9, 0.5


@dataclass(frozen=True)
class RectangleFit:
    """Where a rectangle lies.

    centre_mm, angle_rad  its middle and the direction of its length
    support               share of the edge samples that lie on its sides
    sides                 (4,) the same of each side: both across its length, both along it
    residual_mm           RMS distance of those samples
    straight_mm           the same from the sides of a rectangle of its own size, hardly larger or smaller than said
    """

    centre_mm: tuple[float, float]
    angle_rad: float
    size_mm: tuple[float, float]
    support: float
    residual_mm: float
    samples: int
    sides: tuple[float, ...]
    straight_mm: float

    def corners(self) -> Array:
        """(4, 2) counter-clockwise."""
        return rectangle_corners(np.array(self.centre_mm), self.angle_rad, self.size_mm)


class Samples(NamedTuple):
    """Where edges are looked for along the sides of n rectangles.

    points, normals  (n, m, 2) on the sides, mm, and outward
    model            (n, m, 3) d(offset)/d(x, y, angle)
    paper_bgr        (n, 3) of what colour each is along its sides, where only edges with that within count
    """

    points: Array
    normals: Array
    model: Array
    paper_bgr: Array | None


def rectangle_corners(centre_mm: Array, angle_rad: float, size_mm: tuple[float, float]) -> Array:
    """(4, 2) corners of a rectangle of length and breadth `size_mm`, counter-clockwise."""
    along = np.array([np.cos(angle_rad), np.sin(angle_rad)]) * size_mm[0] / 2
    across = np.array([-np.sin(angle_rad), np.cos(angle_rad)]) * size_mm[1] / 2
    return np.array([centre_mm + i * along + j * across for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))])


def fit_rectangle(
    image_bgr: ImageBgr, plane: TablePlane, centre_mm: Array, angle_rad: float, size_mm: tuple[float, float]
) -> RectangleFit:
    """Where near `centre_mm` (2,) a rectangle of length and breadth `size_mm` has most edge under its sides."""
    return fit_rectangles(image_bgr, plane, np.asarray(centre_mm, float)[None], np.array([angle_rad]), size_mm)[0]


def fit_rectangles(
    image_bgr: ImageBgr,
    plane: TablePlane,
    centre_mm: Array,
    angle_rad: Array,
    size_mm: tuple[float, float],
    *,
    near: bool = False,
    paper_bgr: Array | None = None,
) -> list[RectangleFit]:
    """`fit_rectangle` for n places (n, 2) and directions (n,) at once.

    near       they are known to half a window
    paper_bgr  (n, 3) of what colour each is along its sides: edges with something else within are none of its own
    """
    state = np.c_[centre_mm, angle_rad].astype(float)
    for window_mm, step_mm in _WINDOWS_MM[near:] if len(state) else ():
        samples = _side_samples(state, size_mm, paper_bgr)
        offsets, strengths = edges_near(image_bgr, plane, samples, window_mm, step_mm)
        state = state + _robust_steps(offsets, strengths, samples.model, window_mm)
    return rectangles_at(image_bgr, plane, state[:, :2], state[:, 2], size_mm, paper_bgr=paper_bgr)


def rectangles_at(
    image_bgr: ImageBgr,
    plane: TablePlane,
    centre_mm: Array,
    angle_rad: Array,
    size_mm: tuple[float, float],
    *,
    paper_bgr: Array | None = None,
) -> list[RectangleFit]:
    """What edge lies under the sides of rectangles at n places (n, 2) and directions (n,), as they are."""
    if not len(centre_mm):
        return []
    state = np.c_[centre_mm, angle_rad].astype(float)
    offsets, strengths = edges_near(image_bgr, plane, _side_samples(state, size_mm, paper_bgr), *_WINDOWS_MM[-1])
    good = (strengths > WEAKEST) & (np.abs(offsets) < INLIER_MM)
    return [_fit(*each, size_mm) for each in zip(state, offsets, good, strict=True)]


def between_sides(image_bgr: ImageBgr, plane: TablePlane, fit: RectangleFit) -> RectangleFit:
    """The place in the middle of the sides found near a fit, if all lie within it by less than a border is wide.

    A card with a dark border, or a smaller one than said, has its strongest edges within: a rectangle of its full size
    then lies with one side on them, either of two opposite ones.
    """
    state, which = np.array([[*fit.centre_mm, fit.angle_rad, 0.0, 0.0]]), whose_size(fit.size_mm)
    for window_mm, step_mm in _WINDOWS_MM[1:]:
        samples = _side_samples(state, fit.size_mm)
        apart = samples._replace(points=samples.points + samples.normals * (which @ state[0, 3:])[:, None])
        offsets, strengths = edges_near(image_bgr, plane, apart, window_mm, step_mm)
        model = np.concatenate([samples.model, which[None]], axis=2)
        state = state + _robust_steps(offsets, strengths, model, window_mm)
    good = (strengths > WEAKEST) & (np.abs(offsets) < INLIER_MM)
    found = _fit(state[0], offsets[0], good[0], fit.size_mm)
    is_border = state[0, 3:].min() >= -_BORDER_MM and state[0, 3:].max() <= _WITHOUT_MM
    is_straighter = found.residual_mm < _STRAIGHTER * fit.residual_mm
    is_better = found.support >= fit.support + (0 if is_straighter else _MORE)
    if not (is_border and is_better):
        return fit
    return replace(
        fit,
        centre_mm=found.centre_mm,
        angle_rad=found.angle_rad,
        residual_mm=found.residual_mm,
        straight_mm=found.straight_mm,
    )


def samples_of(fits: Sequence[RectangleFit]) -> Samples:
    """Where edges are looked for along the sides of rectangles of one size."""
    return _side_samples(np.array([[*fit.centre_mm, fit.angle_rad] for fit in fits]), fits[0].size_mm)


def places_on(size_mm: tuple[float, float]) -> Array:
    """(m, 2) where along a rectangle's length and breadth these are, mm from its middle."""
    return _own_samples(size_mm)[0]


def whose_size(size_mm: tuple[float, float]) -> Array:
    """(m, 2) whether an edge along the sides tells the length, or the breadth."""
    across, along = (len(places) for places in _side_places(size_mm))
    return np.repeat(np.eye(2), (2 * across, 2 * along), axis=0)


def within_sides(fit: RectangleFit, depths_mm: tuple[float, ...]) -> list[Array]:
    """Points so far within each of its four sides, in the order of `sides`, where edges are looked for along them:
    (m, depths, 2) mm."""
    samples = _side_samples(np.array([[*fit.centre_mm, fit.angle_rad]]), fit.size_mm)
    inside = samples.points[0][:, None] - np.array(depths_mm)[:, None] * samples.normals[0][:, None]
    across, along = (len(places) for places in _side_places(fit.size_mm))
    return np.split(inside, np.cumsum([across, across, along]))


def edges_beside(
    image_bgr: ImageBgr,
    plane: TablePlane,
    centre_mm: Array,
    angle_rad: Array,
    size_mm: tuple[float, float],
    offsets_mm: tuple[float, float],
    paper_bgr: Array | None = None,
) -> Array:
    """(n, 4, steps) how much of each side, in the order of `sides`, would be edge if it lay so much farther out.

    offsets_mm  how far at most, out and in, in what steps
    paper_bgr   (n, 3) of what colour each is along its sides: edges with something else within are none of its own
    """
    reach_mm, step_mm = offsets_mm
    samples = _side_samples(np.c_[centre_mm, angle_rad], size_mm, paper_bgr)
    slope = _slopes(image_bgr, plane, samples, reach_mm + step_mm, step_mm)
    is_edge = (slope[..., 1:-1] > WEAKEST) & (slope[..., 1:-1] >= np.fmax(slope[..., :-2], slope[..., 2:]))
    is_near = maximum_filter1d(is_edge.astype(np.uint8), 2 * round(_NEAR_MM / step_mm) + 1, axis=2)
    across, along = (len(places) for places in _side_places(size_mm))
    sides = np.split(is_near, np.cumsum([across, across, along]), axis=1)
    return np.stack([side.mean(axis=1) for side in sides], axis=1)


def _fit(state: Array, offsets: Array, good: NDArray[np.bool_], size_mm: tuple[float, float]) -> RectangleFit:
    residual = float(np.sqrt(np.mean(np.square(offsets[good])))) if good.any() else np.inf
    centre_mm = (float(state[0]), float(state[1]))
    across, along = (len(places) for places in _side_places(size_mm))
    sides = tuple(float(side.mean()) for side in np.split(good, np.cumsum([across, across, along])))
    straight_mm = _straight_mm(offsets, good, whose_size(size_mm)) if min(sides) >= _WHOLE else residual
    return RectangleFit(
        centre_mm, float(state[2]), size_mm, float(good.mean()), residual, int(good.sum()), sides, straight_mm
    )


def _straight_mm(offsets: Array, good: NDArray[np.bool_], which: Array) -> float:
    """RMS distance of the edges from sides that are moved apart, or together, by what the size may be off."""
    counts = np.maximum(which[good].sum(axis=0), 1)
    apart_mm = np.clip(which[good].T @ offsets[good] / counts, -_OTHER_SIZE_MM, _OTHER_SIZE_MM)
    return float(np.sqrt(np.mean(np.square(offsets[good] - which[good] @ apart_mm))))


def _side_samples(state: Array, size_mm: tuple[float, float], paper_bgr: Array | None = None) -> Samples:
    """Those of rectangles that lie at x, y and in a direction, (n, 3) or more."""
    along = np.stack([np.cos(state[:, 2]), np.sin(state[:, 2])], axis=1)
    at, normal = _own_samples(size_mm)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    arm = at[:, :1] * along[:, None] + at[:, 1:] * across[:, None]
    normals = normal[:, :1] * along[:, None] + normal[:, 1:] * across[:, None]
    turning = normals[..., 1] * arm[..., 0] - normals[..., 0] * arm[..., 1]
    model = np.concatenate([normals, turning[..., None]], axis=2)
    return Samples(state[:, None, :2] + arm, normals, model, paper_bgr)


@lru_cache(maxsize=_SIZES_KEPT)
def _own_samples(size_mm: tuple[float, float]) -> tuple[Array, Array]:
    """Points (m, 2) on the sides and outward normals (m, 2) in the rectangle's own directions."""
    points, normals = [], []
    for axis, places in enumerate(_side_places(size_mm)):
        half = size_mm[axis] / 2
        for sign in (-1.0, 1.0):
            side = np.full_like(places, sign * half)
            points.append(np.stack([side, places] if axis == 0 else [places, side], axis=1))
            normals.append(np.tile([sign, 0.0] if axis == 0 else [0.0, sign], (len(places), 1)))
    return np.concatenate(points), np.concatenate(normals)


def _side_places(size_mm: tuple[float, float]) -> tuple[Array, Array]:
    """Where edges are looked for along a side across the length and along it, mm from its middle."""
    halves_mm = [size_mm[1 - axis] / 2 - _CORNER_MM for axis in (0, 1)]
    across, along = (np.arange(-half_mm, half_mm + 1e-9, _SPACING_MM) for half_mm in halves_mm)
    return across, along


def edges_near(
    image_bgr: ImageBgr, plane: TablePlane, samples: Samples, window_mm: float, step_mm: float
) -> tuple[Array, Array]:
    """(n, m) signed distance along the normal to the strongest slope in the window, and its grey levels per mm."""
    slope = _slopes(image_bgr, plane, samples, window_mm, step_mm)
    best = slope.argmax(axis=2)
    inner = np.clip(best, 1, slope.shape[2] - 2)[..., None]
    low, mid, high = (np.take_along_axis(slope, inner + k, axis=2)[..., 0] for k in (-1, 0, 1))
    bend = low - 2 * mid + high
    is_bent = np.abs(bend) > 1e-6
    fine = np.where(is_bent, 0.5 * (low - high) / np.where(is_bent, bend, 1), 0)
    offsets = -window_mm + (inner[..., 0] + 0.5 + np.clip(fine, -1, 1)) * step_mm
    return offsets, np.asarray(np.take_along_axis(slope, best[..., None], axis=2)[..., 0], float)


def _slopes(image_bgr: ImageBgr, plane: TablePlane, samples: Samples, window_mm: float, step_mm: float) -> Array:
    """(n, m, steps) grey levels per mm along the normals, the steepest channel's; none where paper of that colour does
    not lie within."""
    paper_bgr = samples.paper_bgr
    depths = [] if paper_bgr is None else [int(np.ceil(depth_mm / step_mm - 0.5)) for depth_mm in _PAPER_MM]
    deepest = max(depths, default=0)
    steps = np.arange(-window_mm - deepest * step_mm, window_mm + 1e-9, step_mm)
    rays = _rays(image_bgr, plane, samples, steps)
    smooth = cv2.GaussianBlur(rays.reshape(-1, len(steps), 3), (0, 0), sigmaX=_SOFT_MM / step_mm, sigmaY=0.01)
    blue, green, red = cv2.split(cv2.absdiff(smooth[:, 1 + deepest :], smooth[:, deepest:-1]))
    slope = (cv2.max(cv2.max(blue, green), red) / np.float32(step_mm)).reshape(*rays.shape[:2], -1)
    if paper_bgr is not None:
        alike: NDArray[np.bool_] = np.all(np.abs(rays - paper_bgr[:, None, None]) < _ALIKE, axis=3)
        for depth in depths:
            slope *= alike[:, :, deepest - depth :][:, :, : slope.shape[2]]
    return np.asarray(slope)


def _rays(image_bgr: ImageBgr, plane: TablePlane, samples: Samples, steps_mm: Array) -> Rays:
    """(n, m, steps, 3) what shows along the normals."""
    points, normals = samples.points, samples.normals
    count, places = points.shape[:2]
    ends = plane.to_image(np.concatenate([points + normals * end_mm for end_mm in steps_mm[[0, -1]]]).reshape(-1, 2))
    first, last = np.nan_to_num(ends, nan=-1e4).astype(np.float32).reshape(2, count, places, 2, 1)
    share = np.linspace(0, 1, len(steps_mm), dtype=np.float32)
    # One row a rectangle: OpenCV's remap takes no more than 32767 rows or columns.
    u, v = ((first[:, :, at] + share * (last - first)[:, :, at]).reshape(count, -1) for at in (0, 1))
    seen = cv2.remap(image_bgr, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32).reshape(count, places, len(steps_mm), 3)


def _robust_steps(offsets: Array, strengths: Array, model: Array, window_mm: float) -> Array:
    """(n, k) steps (dx, dy, dangle, or whatever the k columns of the model are) that bring the sides to the edges,
    outliers weighted down again and again."""
    strong = strengths > WEAKEST
    scale = window_mm / 2
    step = np.zeros((len(offsets), model.shape[2]))
    prior = np.diag(_PRIOR[: model.shape[2]])
    across = model.transpose(0, 2, 1)
    for _ in range(6):
        residual = offsets - (model @ step[..., None])[..., 0]
        weight = strong / (1 + np.square(residual / scale)) ** 2
        normal = (across * weight[:, None]) @ model + prior
        step = np.linalg.solve(normal, across @ (weight * offsets)[..., None])[..., 0]
        scale = max(0.3, scale * 0.7)
    return np.where(strong.sum(axis=1, keepdims=True) < 8, 0.0, step)

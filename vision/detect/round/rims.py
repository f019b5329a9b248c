"""Round rims: circles that edges voted for, bent a little until they lie on edges nearly all the way round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.round.votes import voted
from vision.detect.solid.slopes import Slopes, slopes_of
from vision.frame import ImageBgr

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

_RAYS, _TURN = 72, 2 * np.pi
_ANGLE = np.linspace(0, _TURN, _RAYS, endpoint=False)
# Edges are looked for on rays from the middle, over these shares of the radius that was voted for.
_SHARES = np.linspace(0.76, 1.24, 41)
# A rim by its angle: the radius, the middle moved, and a flattening; the camera's tilt may be told by a few coins only.
_BASE = np.stack([np.ones(_RAYS), *(trig(n * _ANGLE) for n in (1, 2) for trig in (np.cos, np.sin))], axis=1)
# What holds each of them back, in rays: a circle is flattened only by what many rays say.
_STIFF = np.diag([1e-6, 1e-3, 1e-3, 0.15, 0.15])
# A line may be the inner one of a rim: those outside it are looked at as well, so many times as large.
_OUTWARD = (1.0, 1.06, 1.12, 1.18)
# Each fit looks for edges nearer to the last one, as sigmas in radii.
_WINDOWS = (0.09, 0.06, 0.04, 0.025)
# Edges of fewer levels a px are none, those of so many count wholly; and those whose slope points so far along the ray.
_SIGMA_PX, _FAINT_LEVELS, _ENOUGH_LEVELS = 1.5, 1.5, 5.0
_ASKEW, _ASTRAY = 0.85, 0.6
# A ray has the rim where an edge that counts so much lies within this share of the radius, or so many px, of it.
_COUNTS, _NEAR, _NEAR_PX = 0.35, 0.03, 1.5
# Two rims are one whose middles lie so near, in radii, and whose radii are so near, as a logarithm.
_SAME, _SAME_LOG = 0.12, 0.16

# How much less closed a rim may be than another inside it, for each e-fold of its radius.
_OUTER = 0.5


@dataclass(frozen=True, eq=False)
class Rim:
    """A nearly round line: its middle and mean radius, in the units that its maker says, and how much of the way round
    lies on edges, 0 to 1."""

    middle: tuple[float, float]
    radius: float
    closed: float


def find_rims(top: ImageBgr, where: Mask, least_px: float, most_px: float, least_closed: float) -> list[Rim]:
    """Rims of such radii, px of `top`, the most closed first.

    where  (h, w) at any scale: which edges may vote for circles
    """
    circles = voted(top, where, least_px, most_px)
    slopes = slopes_of(top, _SIGMA_PX)
    for starts in ((1.0,), _OUTWARD):
        if not len(circles):
            return []
        rims = [rim for rim in _fitted(circles, slopes, starts) if rim.closed >= least_closed]
        circles = np.array([(*rim.middle, rim.radius) for rim in _once_each(rims)])
    return [rim for rim in _once_each(rims) if least_px <= rim.radius <= most_px]


def _fitted(circles: Array, slopes: Slopes, starts: Sequence[float]) -> list[Rim]:
    """The lines that lie on most edges near each circle, with its radius so many times as large."""
    edges = np.repeat(_edges(circles, slopes), len(starts), axis=0)
    circles = np.repeat(circles, len(starts), axis=0)
    fit = np.tile(np.eye(5)[0], (len(circles), 1)) * np.resize(starts, len(circles))[:, None]
    for window in _WINDOWS if len(starts) == 1 else _WINDOWS[1:]:
        far = (_SHARES - (fit @ _BASE.T)[..., None]) / window
        near = edges * np.exp(-0.5 * far**2)
        at, weight = _SHARES[near.argmax(axis=2)], near.max(axis=2)
        normal = np.einsum("nr,ri,rj->nij", weight, _BASE, _BASE) + _STIFF
        fit = np.linalg.solve(normal, ((weight * at) @ _BASE)[..., None])[..., 0]
    closed = _closed(edges, fit, circles[:, 2])
    middles = circles[:, :2] + circles[:, 2:] * fit[:, 1:3]
    return [
        Rim((float(u), float(v)), float(radius), float(share))
        for (u, v), radius, share in zip(middles, circles[:, 2] * fit[:, 0], closed, strict=True)
    ]


def _edges(circles: Array, slopes: Slopes) -> Array:
    """(n, rays, shares) how much the edge there counts, 0 to 1: none where the slope points past the middle."""
    ahead = np.stack([np.cos(_ANGLE), np.sin(_ANGLE)], axis=1)
    reach = circles[:, 2, None, None] * _SHARES
    at = circles[:, None, None, :2] + reach[..., None] * ahead[:, None]
    u, v = (_read(layer, at) for layer in (slopes.along_u, slopes.along_v))
    outward = np.abs(u * ahead[:, :1] + v * ahead[:, 1:])
    straight = (outward / (np.hypot(u, v) + 1e-6) - _ASTRAY) / (_ASKEW - _ASTRAY)
    counts = np.minimum(outward / _ENOUGH_LEVELS, 1) * (outward > _FAINT_LEVELS)
    return np.asarray(counts * np.clip(straight, 0, 1), float)


def _read(layer: NDArray[np.float32], at: Array) -> NDArray[np.float32]:
    flat = at.reshape(len(at), -1, 2).astype(np.float32)
    seen = cv2.remap(layer, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(seen.reshape(at.shape[:-1]), np.float32)


def _closed(edges: Array, fit: Array, radii_px: Array) -> Array:
    """(n,) the share of rays on which an edge lies near the rim."""
    near = np.maximum(_NEAR, _NEAR_PX / radii_px)[:, None, None]
    on_rim = np.abs(_SHARES - (fit @ _BASE.T)[..., None]) <= near
    return np.asarray(((edges * on_rim).max(axis=2) > _COUNTS).mean(axis=1), float)


def _once_each(rims: Sequence[Rim]) -> list[Rim]:
    """Of two lines of one rim the outer one, unless it is much less closed."""
    kept: list[Rim] = []
    for rim in sorted(rims, key=lambda rim: -worth(rim)):
        if not any(_same(rim, other) for other in kept):
            kept.append(rim)
    return kept


def worth(rim: Rim) -> float:
    """By which one line round a thing is taken for its rim rather than another."""
    return float(rim.closed + _OUTER * np.log(rim.radius))


def _same(one: Rim, other: Rim) -> bool:
    apart = np.hypot(*np.subtract(one.middle, other.middle))
    return bool(apart < _SAME * other.radius and abs(np.log(one.radius / other.radius)) < _SAME_LOG)

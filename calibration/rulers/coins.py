"""Coins that a person pointed at and named: the rim of each, as a disc of known size.

One coin's edges are many: rim, border, relief, foot, shadow and the print about it. What tells the rim is that all
coins lie on one plane: of many planes the one is taken on which the named sizes find the most edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.edges.edge import sample
from calibration.fiducials.markers import gray_of
from calibration.fit.correspondence import Circle
from calibration.lens import Lens
from calibration.pose import CameraGuess, Pose

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# Edges about a click are looked for on so many rays, in such steps; a coin that shows smaller tells too little.
_RAYS, _STEP_PX, _SMALLEST_PX = 64, 0.5, 4.0
# A coin seen larger than this share of the picture's width is no coin on a table.
_LARGEST_OF_WIDTH = 0.06
_EDGES_A_RAY = 4
_FAINTEST = 6.0
# Centres tried for each coin on each plane: two edges of a circle of known radius give one.
_TRIALS = 48
_ON_RIM_PX = 1.5
# Planes tried: how far the camera looks down, and how many px a millimetre has in the picture's middle, up to those of
# a telephone's picture of a small table.
_TILTS_DEG = np.arange(25.0, 90.0, 8.0)
_PX_PER_MM = np.geomspace(0.5, 15.0, 88)
# A click lies within this share of the radius from the middle.
_OFF_CLICK = 0.5
_FEWEST_ROUND = 0.5
# No coin's outline is this much larger than the farthest edge; on a plain table its rim is the farthest.
_BEYOND_EDGES = 1.3
# Towards the camera a coin shows its side wall below its rim: edges within 70 degrees of that way may be its foot's.
_TOWARDS = 0.34
# The edges' own ellipse may differ from the plane's by this share, or it is another edge's.
_OTHER_SHAPE = 0.15
# Light and shadow move one rim more than the others by this share of its radius.
_LIGHT_SHARE = 0.03
_BEST_SIGMA_PX = 0.3


@dataclass(frozen=True)
class CoinAt:
    """A coin whose middle shows at `at_px`, to half its radius; its rim is `height_mm` above the table."""

    name: str
    at_px: tuple[float, float]
    diameter_mm: float
    height_mm: float


@dataclass(frozen=True, eq=False)
class _Edges:
    """Edges on rays from a click: px from it (n, 2), and the ray of each (n,)."""

    px: Array
    rays: NDArray[np.intp]


def coins_seen(
    image: Image, coins: Sequence[CoinAt], lens: Lens, known: CameraGuess | None, notes: list[str]
) -> tuple[Circle, ...]:
    """The rims of the coins; the ones that show none are added to `notes`.

    known  a first lens and pose where other references gave one; otherwise the coins choose the plane themselves
    """
    if not coins:
        return ()
    gray = np.asarray(cv2.GaussianBlur(gray_of(image), (0, 0), 0.7), np.uint8)
    edges = [_edges_about(gray, coin.at_px) for coin in coins]
    guess = known or max(_planes(lens), key=lambda plane: _agreement(plane, coins, edges))
    return _rims(guess, coins, edges, notes)


def _rims(plane: CameraGuess, coins: Sequence[CoinAt], edges: Sequence[_Edges], notes: list[str]) -> tuple[Circle, ...]:
    found = []
    for number, (coin, mine) in enumerate(zip(coins, edges, strict=True), start=1):
        rim = _rim(plane, coin, mine)
        if rim is None:
            u, v = coin.at_px
            notes.append(f"no rim of a {coin.name} shows about ({u:.0f}, {v:.0f})")
        else:
            found.append(Circle(f"coin {number}", rim[0], coin.diameter_mm / 2, coin.height_mm, rim[1]))
    return tuple(found)


def _planes(lens: Lens) -> Iterator[CameraGuess]:
    """Level cameras over a table, by tilt and distance."""
    for tilt in np.radians(_TILTS_DEG):
        ahead = np.array([0, np.cos(tilt), -np.sin(tilt)])
        rotation = np.array([[1, 0, 0], np.cross(ahead, [1, 0, 0]), ahead])
        rvec = np.asarray(cv2.Rodrigues(rotation)[0], float).ravel()
        for px_per_mm in _PX_PER_MM:
            yield CameraGuess(lens, Pose(rvec, np.array([0, 0, lens.matrix[0, 0] / px_per_mm])))


def _agreement(plane: CameraGuess, coins: Sequence[CoinAt], edges: Sequence[_Edges]) -> float:
    """How much edge there is, over all coins, where this plane has their rims; a coin with half a rim counts little."""
    pairs = zip(coins, edges, strict=True)
    return sum(_best_centre(_Outline.of(plane, coin), mine)[0] ** 2 for coin, mine in pairs)


@dataclass(frozen=True, eq=False)
class _Outline:
    """How a plane shows a coin.

    shape    (2, 2) from the unit circle on the table to px
    towards  (2,) unit vector on the table towards the camera
    """

    shape: Array
    towards: Array

    @classmethod
    def of(cls, plane: CameraGuess, coin: CoinAt) -> _Outline | None:
        """The outline of a pointed-at coin as `plane` shows it; None where the plane does not show that place."""
        mm = plane.pose.to_table(plane.lens, [coin.at_px], coin.height_mm)
        if not np.isfinite(mm).all():
            return None
        by_place, _ = plane.pose.place_jacobian(plane.lens, mm, coin.height_mm)
        away = plane.pose.position_mm[:2] - mm[0]
        return cls(by_place[0, :, :2] * coin.diameter_mm / 2, away / max(float(np.hypot(*away)), 1e-9))

    @property
    def axes_px(self) -> Array:
        """(2,) half axes, the smaller first."""
        return np.asarray(np.sqrt(np.sort(np.linalg.eigvalsh(self.shape @ self.shape.T))), float)

    def on_table(self, px: Array) -> Array:
        """(n, 2) px from the click, where the coin is the unit circle."""
        return np.asarray(px @ np.linalg.inv(self.shape).T, float)

    def off_px(self, local: Array) -> Array:
        """(...,) px outside the unit circle; NaN where a foot may be taken for a rim."""
        radius = np.hypot(local[..., 0], local[..., 1])
        off = (radius - 1) * np.sqrt(np.prod(self.axes_px))
        return np.where(local @ self.towards > _TOWARDS * radius, np.nan, off)


def _best_centre(outline: _Outline | None, edges: _Edges) -> tuple[float, Array]:
    """The share of the trusted rays with an edge on the rim, and the centre on the table, in radii from the click."""
    if outline is None or len(edges.px) < _FEWEST_ROUND * _RAYS:
        return 0.0, np.zeros(2)
    smaller, larger = outline.axes_px
    if smaller < _SMALLEST_PX or larger > _BEYOND_EDGES * float(np.hypot(*edges.px.T).max()):
        return 0.0, np.zeros(2)
    points = outline.on_table(edges.px)
    centres = _centres(points)
    which, edge = np.nonzero(np.abs(outline.off_px(points - centres[:, None])) < _ON_RIM_PX)
    hit = np.zeros((len(centres), _RAYS), bool)
    hit[which, edges.rays[edge]] = True
    share = hit.mean(axis=1) / (1 - np.arccos(_TOWARDS) / np.pi)
    best = int(share.argmax())
    return float(share[best]), centres[best]


def _centres(points: Array) -> Array:
    """(n, 2) centres, near the origin, of unit circles through pairs of points; the origin itself first."""
    rng = np.random.default_rng(0)
    a, b = points[rng.integers(len(points), size=(2, _TRIALS))]
    half = (b - a) / 2
    length = np.hypot(*half.T)
    rise = np.sqrt(np.maximum(1 - length**2, 0)) / np.maximum(length, 1e-9)
    up = np.c_[-half[:, 1], half[:, 0]] * rise[:, None]
    both = np.concatenate([np.zeros((1, 2)), a + half + up, a + half - up])
    return np.asarray(both[np.hypot(*both.T) < _OFF_CLICK], float)


def _edges_about(gray: Image, at_px: tuple[float, float]) -> _Edges:
    """The strongest edges on rays from a place."""
    radii = np.arange(_SMALLEST_PX / 2, _LARGEST_OF_WIDTH * max(gray.shape), _STEP_PX)
    angles = np.arange(_RAYS) * (2 * np.pi / _RAYS)
    ways = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    where = np.asarray(at_px, float) + radii[:, None] * ways[:, None]
    slope = np.abs(np.gradient(sample(gray, where), axis=1)) / _STEP_PX
    middle = slope[:, 1:-1]
    peak = (middle >= slope[:, :-2]) & (middle > slope[:, 2:]) & (middle > _FAINTEST)
    strength = np.where(peak, middle, 0.0)
    best = np.argsort(-strength, axis=1)[:, :_EDGES_A_RAY]
    ray, column = np.nonzero(np.take_along_axis(strength, best, axis=1))
    index = best[ray, column] + 1
    left, top, right = (slope[ray, index + k] for k in (-1, 0, 1))
    shift = 0.5 * (left - right) / np.minimum(left - 2 * top + right, -1e-9)
    return _Edges((radii[index] + shift * _STEP_PX)[:, None] * ways[ray], ray)


def _rim(plane: CameraGuess, coin: CoinAt, edges: _Edges) -> tuple[Array, float] | None:
    """(n, 2) px of the rim, where it is no foot, and their standard deviation."""
    outline = _Outline.of(plane, coin)
    share, centre = _best_centre(outline, edges)
    if outline is None or share < _FEWEST_ROUND:
        return None
    off_px = outline.off_px(outline.on_table(edges.px) - centre)
    near = edges.px[np.abs(off_px) < _ON_RIM_PX]
    for _ in range(2):
        ellipse = cv2.fitEllipseDirect(near.astype(np.float32))
        if not _is_like(ellipse, outline):
            return None
        off_px = _off_ellipse_px(ellipse, near)
        near = near[np.abs(off_px) < _ON_RIM_PX]
    sigma_px = np.hypot(max(float(np.std(off_px)), _BEST_SIGMA_PX), _LIGHT_SHARE * outline.axes_px[1])
    return near + coin.at_px, float(sigma_px)


_Ellipse = tuple[Sequence[float], Sequence[float], float]


def _is_like(ellipse: _Ellipse, outline: _Outline) -> bool:
    half_axes = np.sort(np.asarray(ellipse[1], float)) / 2
    return bool(np.abs(half_axes / outline.axes_px - 1).max() < _OTHER_SHAPE)


def _off_ellipse_px(ellipse: _Ellipse, px: Array) -> Array:
    """(n,) px outside an ellipse as cv2.fitEllipse gives it, to first order."""
    (u, v), axes, angle = ellipse
    turn, half = np.radians(angle), np.asarray(axes, float) / 2
    local = (px - (u, v)) @ np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]) / half
    size = np.maximum(np.hypot(*local.T), 1e-9)
    return np.asarray((size - 1) * size / np.maximum(np.hypot(*(local / half).T), 1e-9), float)

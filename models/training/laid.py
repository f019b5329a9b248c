"""Napkins, strips of paper, pencils and printed sheets laid on a tile anew each time it is shown, under what stands there.

Rendered scenes are few, and what lies flat needs no renderer: it is as it is seen from above, in the table's light.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models import solids
from models.training.slices import PX_PER_MM, SURFACE_PX_PER_MM

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]
Face = NDArray[np.float32]

_PATTERN_PX = 192
# How dark its own shadow makes the table around a sheet at most, and how far it reaches in px.
_SHADOW, _REACH_PX, _MARGIN_PX = 0.45, 3.0, 12
# A tile is as a camera took it: what is laid is as soft, and as grainy before it is softened.
_SOFT_PX, _GRAIN = (0.4, 1.3), (2.0, 14.0)
# The table's light is what is left of a tile when all that is smaller than this is taken out of it.
_LIGHT_PX = 24.0
_PENCIL_MM, _PENCIL_TALL_MM = 7.0, 8.0
# What a body hides is found by so many slices of it.
_SLICES = 10


@dataclass(eq=False)
class Ground:
    """A tile with what is known of its surface.

    bgr     (2 s, 2 s, 3), at PX_PER_MM
    kinds   (s, s) of `models.solids.TERRAIN`, footprints, at SURFACE_PX_PER_MM
    height  (s, s) mm
    free    (2 s, 2 s) 0 where something stands before the table, else 1
    light   (2 s, 2 s, 1) how bright each place is beside the whole
    slant   (2,) how far a point shows from its place, per mm of its height
    """

    bgr: NDArray[np.float32]
    kinds: NDArray[np.uint8]
    height: NDArray[np.float32]
    free: NDArray[np.float32]
    light: NDArray[np.float32]
    slant: Array


def ground_of(
    tile: Picture, kinds: NDArray[np.uint8], height: NDArray[np.float32], shown: NDArray[np.uint8], slant: Array
) -> Ground:
    """A copy of the tile to lay things on; `shown` (s, s) is not 0 where a figure or hand shows."""
    covers = np.maximum(shown > 0, _bodies(kinds, height, slant)).astype(np.uint8)
    free = 1 - cv2.dilate(covers, np.ones((3, 3), np.uint8)).astype(np.float32)
    free = cv2.resize(free, tile.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return Ground(tile.astype(np.float32), kinds.copy(), height.astype(np.float32), free, _light(tile), slant)


def lay(ground: Ground, print_from: Picture, rng: np.random.Generator) -> None:
    """One to three things; `print_from` is a bare tile, pieces of which are printed on some."""
    for _ in range(rng.integers(1, 4)):
        _MAKES[rng.choice(len(_MAKES), p=_SHARES)](ground, print_from, rng)


def _bodies(kinds: NDArray[np.uint8], height: NDArray[np.float32], slant: Array) -> NDArray[np.uint8]:
    """(s, s) what tall terrain hides: its footprints, swept away from the camera as far as it is high."""
    stands = (kinds > 0) & (height >= _PENCIL_TALL_MM)
    swept = stands.astype(np.uint8)
    for z in np.linspace(0, float(height.max()), _SLICES)[1:] if stands.any() else ():
        shift = np.array([[1, 0, slant[0] * z], [0, 1, slant[1] * z]]) * (1, 1, SURFACE_PX_PER_MM)
        level = (stands & (height >= z)).astype(np.uint8)
        swept = np.maximum(swept, cv2.warpAffine(level, shift, swept.shape[::-1], flags=cv2.INTER_NEAREST))
    return np.asarray(swept, np.uint8)


def _light(tile: Picture) -> NDArray[np.float32]:
    small = cv2.resize(tile, None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA).mean(axis=2)
    soft = cv2.GaussianBlur(small, (0, 0), _LIGHT_PX / 8)
    ratio = np.clip((soft + 8) / (np.median(soft) + 8), 0.5, 1.5).astype(np.float32)
    return np.asarray(cv2.resize(ratio, tile.shape[1::-1], interpolation=cv2.INTER_LINEAR)[..., None], np.float32)


def _napkin(ground: Ground, print_from: Picture, rng: np.random.Generator) -> None:
    side = rng.uniform(70, 210)
    size = np.array([side, side * rng.choice([1.0, 1.0, 0.5, rng.uniform(0.4, 1)])])
    face = _cut(print_from, rng) if rng.random() < 0.25 else _pattern(rng)
    corners = _quad(_somewhere(ground, rng), size, rng.uniform(0, 2 * np.pi)) + rng.normal(0, 0.012 * side, (4, 2))
    _sheet(ground, face, corners, "napkin", 2.0, rng)


def _paper(ground: Ground, _: Picture, rng: np.random.Generator) -> None:
    """A strip of one colour, perhaps with bends on the way."""
    at, turn, width = _somewhere(ground, rng), rng.uniform(0, 2 * np.pi), rng.uniform(18, 75)
    face = np.ones((8, 8, 3), np.float32) * (_ink(rng) if rng.random() < 0.7 else np.float32(rng.uniform(150, 250)))
    for _ in range(rng.integers(1, 4)):
        length = rng.uniform(50, 160)
        ahead = np.array([np.cos(turn), np.sin(turn)])
        _sheet(ground, face, _quad(at + ahead * length / 2, np.array([length + 4, width]), turn), "paper", 0.0, rng)
        at, turn = at + ahead * length, turn + rng.normal(0, 0.5)


def _pencils(ground: Ground, _: Picture, rng: np.random.Generator) -> None:
    """One to four side by side, or nearly so."""
    at, turn = _somewhere(ground, rng), rng.uniform(0, 2 * np.pi)
    step = np.array([-np.sin(turn), np.cos(turn)]) * rng.uniform(8, 14)
    for n in range(rng.integers(1, 5)):
        _pencil(ground, at + n * step + rng.normal(0, 1.5, 2), turn + rng.normal(0, 0.04), rng)


def _pencil(ground: Ground, at: Array, turn: float, rng: np.random.Generator) -> None:
    face = np.ones((24, 192, 3), np.float32) * _ink(rng)
    face[:8] *= rng.uniform(0.5, 0.9)
    face[16:] *= rng.uniform(1.0, 1.4)
    if rng.random() < 0.5:
        face[:, :9] = _ink(rng)
    face[:, 168:] = np.array([130, 180, 215]) * rng.uniform(0.7, 1.1)
    face[:, 186:] = _ink(rng)
    corners = _quad(at, np.array([rng.uniform(90, 190), _PENCIL_MM * rng.uniform(0.9, 1.3)]), turn)
    corners[1:3] += (corners[[2, 1]] - corners[1:3]) * rng.uniform(0.0, 0.2)
    _sheet(ground, face, corners, "pencils", _PENCIL_TALL_MM, rng)


def _print(ground: Ground, print_from: Picture, rng: np.random.Generator) -> None:
    """A map, a page or a mat that the game lies on: larger than a napkin, and nothing to find."""
    corners = _quad(_somewhere(ground, rng), rng.uniform(215, 420, 2), rng.uniform(0, 2 * np.pi))
    face = _cut(print_from, rng)
    if rng.random() < 0.5:
        cv2.rectangle(face, (0, 0), (_PATTERN_PX - 1,) * 2, (240,) * 3, int(rng.integers(2, 14)))
    _sheet(ground, face, corners, "none", 0.0, rng)


_MAKES: tuple[Callable[[Ground, Picture, np.random.Generator], None], ...] = (_napkin, _paper, _pencils, _print)
_SHARES = (0.4, 0.25, 0.15, 0.2)


def _somewhere(ground: Ground, rng: np.random.Generator) -> Array:
    """mm from the tile's corner."""
    return np.asarray(rng.uniform(0.1, 0.9, 2) * len(ground.kinds) / SURFACE_PX_PER_MM)


def _quad(middle: Array, size: Array, turn: float) -> Array:
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(middle + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2 * size @ np.array([[c, s], [-s, c]]))


def _sheet(ground: Ground, face: Face, corners_mm: Array, kind: str, tall_mm: float, rng: np.random.Generator) -> None:
    """Printed on the table where nothing stands before it; it shows where half of its height does."""
    shown_px = (corners_mm + ground.slant * tall_mm / 2) * PX_PER_MM
    low = np.maximum(np.floor(shown_px.min(axis=0)).astype(int) - _MARGIN_PX, 0)
    high = np.minimum(np.ceil(shown_px.max(axis=0)).astype(int) + _MARGIN_PX, len(ground.bgr))
    if (high - low > 1).all():
        _print_on(ground, face, shown_px - low, (slice(low[1], high[1]), slice(low[0], high[0])), rng)
        _tell(ground, corners_mm, kind, tall_mm)


def _print_on(
    ground: Ground, face: Face, corners_px: Array, window: tuple[slice, slice], rng: np.random.Generator
) -> None:
    """In the table's light, with a soft shadow around it."""
    beneath, free = ground.bgr[window], ground.free[window]
    size = beneath.shape[1::-1]
    tall, wide = face.shape[:2]
    source = np.array([(0, 0), (wide - 1, 0), (wide - 1, tall - 1), (0, tall - 1)], np.float32)
    warp = cv2.getPerspectiveTransform(source, corners_px.astype(np.float32))
    soft = rng.uniform(*_SOFT_PX)
    grain = np.float32(rng.uniform(*_GRAIN)) * rng.standard_normal((*size[::-1], 3), np.float32)
    printed = cv2.warpPerspective(face, warp, size, borderMode=cv2.BORDER_REPLICATE) + grain
    printed = cv2.GaussianBlur(printed, (0, 0), soft)
    share = np.zeros(size[::-1], np.float32)
    cv2.fillPoly(share, [np.round(corners_px * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
    share = cv2.GaussianBlur(share, (0, 0), soft)
    dark = cv2.GaussianBlur(share, (0, 0), rng.uniform(0.7, _REACH_PX)) * np.float32(rng.uniform(0, _SHADOW))
    shaded = beneath * (1 - dark * (1 - share) * free)[..., None]
    lit = np.clip(printed * ground.light[window], 0, 255)
    ground.bgr[window] = shaded + (lit - shaded) * (share * free)[..., None]


def _tell(ground: Ground, corners_mm: Array, kind: str, tall_mm: float) -> None:
    """What stands there before stays what it is; a sheet on a sheet is what is seen."""
    patch = np.zeros(ground.kinds.shape, np.uint8)
    cv2.fillPoly(patch, [np.round(corners_mm * SURFACE_PX_PER_MM).astype(np.int32)], 1)
    flat = (patch > 0) & (ground.height < _PENCIL_TALL_MM)
    ground.kinds[flat] = solids.TERRAIN.index(kind)
    ground.height[flat] = tall_mm


def _cut(picture: Picture, rng: np.random.Generator) -> Face:
    side = int(rng.uniform(0.25, 1.0) * len(picture))
    top, left = rng.integers(0, len(picture) - side + 1, 2)
    piece = cv2.resize(picture[top : top + side, left : left + side], (_PATTERN_PX,) * 2, interpolation=cv2.INTER_AREA)
    return np.asarray(piece, np.float32)


def _pattern(rng: np.random.Generator) -> Face:
    """Plain, dots, checks, stripes or a border, with a fold or two."""
    base = rng.uniform(170, 252, 3).astype(np.float32) if rng.random() < 0.5 else _ink(rng)
    cloth = np.ones((_PATTERN_PX, _PATTERN_PX, 3), np.float32) * base
    ink, step, kind = _ink(rng), int(rng.integers(6, 48)), rng.integers(6)
    v, u = np.mgrid[0:_PATTERN_PX, 0:_PATTERN_PX]
    if kind == 1:
        cloth[np.hypot(u % step - step / 2, v % step - step / 2) < max(1, step * rng.uniform(0.12, 0.35))] = ink
    if kind in (2, 3):
        for stripe in (u % step < step / 2, v % step < step / 2)[: 4 - kind]:
            cloth[stripe] = 0.5 * (cloth[stripe] + ink)
    if kind == 4:
        inside = np.minimum.reduce([u, v, _PATTERN_PX - 1 - u, _PATTERN_PX - 1 - v]) - rng.integers(2, 20)
        cloth[(inside > 0) & (inside < rng.integers(3, 14))] = ink
    return _creased(cloth, rng)


def _creased(cloth: Face, rng: np.random.Generator) -> Face:
    soft = cv2.resize(rng.normal(0, 1, (5, 5)).astype(np.float32), (_PATTERN_PX,) * 2, interpolation=cv2.INTER_CUBIC)
    cloth *= 1 + np.float32(rng.uniform(0, 0.08)) * soft[..., None]
    for _ in range(rng.integers(0, 3)):
        line, deep = int(rng.integers(40, 150)), rng.uniform(-0.25, 0.25)
        cloth[np.s_[line : line + 2] if rng.random() < 0.5 else np.s_[:, line : line + 2]] *= 1 + deep
    return np.clip(cloth, 0, 255)


def _ink(rng: np.random.Generator) -> Face:
    hsv = np.array([[[rng.integers(180), rng.beta(2, 2) * 255, rng.uniform(10, 250)]]], np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)

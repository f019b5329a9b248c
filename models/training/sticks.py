"""Patches along proposed matches: sticks with a head and their shadow, and stripes that are none.

Cut as `vision.detect.matches` cuts them, along a proposal that missed a little and may have the head at the wrong end.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.pieces import MATCH_LENGTH_MM, STICK_CROP_PX, STICK_CROP_PX_PER_MM, STICKS
from models.training.jpeg import compressed

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]
Canvas = NDArray[np.float32]

_FINER = 4
_SCALE = _FINER * STICK_CROP_PX_PER_MM
_SIZE = (STICK_CROP_PX[0] * _FINER, STICK_CROP_PX[1] * _FINER)
_AHEAD, _BEHIND, _NONE = (STICKS.index(name) for name in ("ahead", "behind", "none"))
_NO_MATCH = 0.3
_HEADS_BGR = ((40, 40, 170), (40, 60, 90), (120, 60, 30), (30, 30, 30), (60, 120, 50), (60, 60, 220), (40, 90, 160))


def drawn_sticks(grounds: Picture, count: int, rng: np.random.Generator) -> tuple[Picture, NDArray[np.int64]]:
    """Patches (count, high, wide, 3) and what each shows (`models.pieces.STICKS`); grounds (m, h, w, 3) at 2 px/mm."""
    told = [_drawn(grounds[rng.integers(len(grounds))], rng) for _ in range(count)]
    return np.stack([patch for patch, _ in told]), np.array([answer for _, answer in told])


def _drawn(ground: Picture, rng: np.random.Generator) -> tuple[Picture, int]:
    canvas = _ground(ground, rng)
    at, turn = rng.normal(0, (3.0, 1.1)), float(rng.normal(0, 0.09))
    ahead, match = rng.random() < 0.5, rng.random() >= _NO_MATCH
    size_mm = (MATCH_LENGTH_MM * rng.uniform(0.9, 1.1), rng.uniform(1.7, 2.7)) if match else _no_match(rng)
    _lay_stick(canvas, at, turn + (0 if ahead else np.pi), size_mm, rng, headed=match or rng.random() < 0.2)
    return _as_seen(canvas, rng), (_AHEAD if ahead else _BEHIND) if match else _NONE


def _no_match(rng: np.random.Generator) -> tuple[float, float]:
    """Length and breadth of a stripe that is none: too long, too short, or too broad."""
    kind = rng.integers(3)
    length = (rng.uniform(62, 160), rng.uniform(5, 28), rng.uniform(30, 90))[kind]
    return float(length), float(rng.uniform(1, 4) if kind < 2 else rng.uniform(4.5, 10))


def _ground(ground: Picture, rng: np.random.Generator) -> Canvas:
    """A cut of a table at any turn, here and there with a large thing's straight edge across it."""
    side = ground.shape[0]
    warp = cv2.getRotationMatrix2D((side / 2, side / 2), rng.uniform(0, 360), _FINER)
    warp[:, 2] += np.array(_SIZE) / 2 - side / 2 + rng.uniform(-0.2, 0.2, 2) * side * _FINER
    canvas = cv2.warpAffine(ground, warp, _SIZE, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT).astype(
        np.float32
    )
    if rng.random() < 0.15:
        edge, way = rng.uniform(-0.3, 0.3) * _SIZE[1], rng.normal(0, 0.2)
        v, u = np.mgrid[0 : _SIZE[1], 0 : _SIZE[0]]
        beyond = (v - _SIZE[1] / 2 - edge) > way * (u - _SIZE[0] / 2)
        canvas[beyond] = rng.uniform(0, 255, 3)
    return canvas


def _lay_stick(
    canvas: Canvas, at_mm: Array, turn: float, size_mm: tuple[float, float], rng: np.random.Generator, *, headed: bool
) -> None:
    """A square stick: its shadow, its side and its top, and a head at its end along `turn`."""
    length, thick = size_mm
    high = min(thick, 2.5)
    lean = rng.normal(0, 0.5, 2) * high  # where its top shows beside its foot
    shade = rng.normal(0, 1, 2) * high * rng.choice([0.5, 1.0, 2.5])
    wood = rng.uniform(0.6, 1.0) * np.array([150, 195, 225]) + rng.normal(0, 12, 3)
    light, dark = rng.uniform(0.75, 1.15), rng.uniform(0.35, 0.9)
    ink = np.array(_HEADS_BGR[rng.integers(len(_HEADS_BGR))]) * rng.uniform(0.6, 1.3)
    parts = [(0.0, length, thick, wood)]
    if headed:
        long, broad = rng.uniform(2.2, 4.6), thick * rng.uniform(0.95, 1.45)
        parts.append((length / 2 - long / 2 + rng.uniform(0, 0.5), long, broad, ink))
    _shadow(canvas, at_mm, turn, size_mm, shade, rng)
    for share in np.linspace(0, 1, 5):
        for middle, long, broad, paint in parts:
            tone = paint * (light if share == 1 else dark)
            _bar(canvas, at_mm + share * lean, turn, (middle, long, broad), tone)


def _shadow(
    canvas: Canvas, at_mm: Array, turn: float, size_mm: tuple[float, float], shade: Array, rng: np.random.Generator
) -> None:
    mask = np.zeros((_SIZE[1], _SIZE[0], 1), np.float32)
    for share in np.linspace(0, 1, 8):
        _bar(mask, at_mm + share * shade, turn, (0.0, *size_mm), np.ones(1))
    soft = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.1, 0.6)) * _SCALE)[..., None]
    canvas *= 1 - rng.uniform(0.15, 0.75) * soft


def _bar(canvas: Canvas, at_mm: Array, turn: float, bar_mm: tuple[float, float, float], tone: Array) -> None:
    """A rectangle: its middle along the stick, length, breadth."""
    middle, long, broad = bar_mm
    along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    centre = at_mm + middle * along
    corners = [centre + i * along * long / 2 + j * across * broad / 2 for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    px = (np.array(corners) * _SCALE + np.array(_SIZE) / 2) * 16
    cv2.fillPoly(canvas, [np.rint(px).astype(np.int32)], tuple(float(t) for t in np.clip(tone, 0, 255)), cv2.LINE_AA, 4)


def _as_seen(canvas: Canvas, rng: np.random.Generator) -> Picture:
    """Through a lens, a sensor and JPEG at times."""
    soft = cv2.GaussianBlur(canvas, (0, 0), 0.45 * _FINER * rng.uniform(0.6, 2.2))
    seen = cv2.resize(soft, STICK_CROP_PX, interpolation=cv2.INTER_AREA)
    light = np.exp(rng.normal(-0.15, 0.3)) * np.exp(rng.normal(0, 0.08, 3))
    noisy = np.clip(seen * light + rng.normal(0, rng.uniform(0.5, 7), seen.shape), 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        noisy = compressed(noisy, (40, 95), rng)
    return np.asarray(noisy, np.uint8)

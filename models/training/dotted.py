"""Crops of what has dots and is no die: rows of holes that go on beyond where a die would end, letters, eyes, and
printed markers."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.pieces import DIE_CROP_PX, DIE_CROP_PX_PER_MM
from models.training.jpeg import compressed

Array = NDArray[np.float32]
Picture = NDArray[np.uint8]

_FINER = 2
_SCALE = _FINER * DIE_CROP_PX_PER_MM
_SIDE = _FINER * DIE_CROP_PX
_LETTERS = "aeodbgpqBDOPQR0689%&i:;!"
# Fields of a printed marker to a side, its black border too, as ArUco and AprilTag have them; paper about it, of its side.
_FIELDS, _RIMS = (6, 6, 6, 7, 8, 9, 10), (0.0, 0.05, 0.15, 0.3)
_MARKER_MM = (7.0, 32.0)


def drawn_dotted(count: int, rng: np.random.Generator) -> Picture:
    """Crops (count, 48, 48, 3), none of them of a die."""
    return (
        np.stack([_drawn(rng) for _ in range(count)]) if count else np.zeros((0, DIE_CROP_PX, DIE_CROP_PX, 3), np.uint8)
    )


def _drawn(rng: np.random.Generator) -> Picture:
    canvas = np.full((_SIDE, _SIDE, 3), _paint(rng), np.float32)
    _LAY[rng.integers(len(_LAY))](canvas, rng)
    if rng.random() < 0.3:
        _lay_shadow(canvas, rng)
    return _as_seen(canvas, rng)


def _paint(rng: np.random.Generator) -> tuple[float, float, float]:
    hue, strong, bright = rng.uniform(0, 180), 255 * rng.uniform(0, 1) ** 0.7, rng.uniform(20, 250)
    blue, green, red = cv2.cvtColor(np.uint8([[[hue, strong, bright]]]), cv2.COLOR_HSV2BGR)[0, 0].tolist()
    return float(blue), float(green), float(red)


def _ink(rng: np.random.Generator) -> tuple[float, float, float]:
    """Mostly black or white, as holes and print are."""
    level = float(rng.choice([rng.uniform(0, 60), rng.uniform(0, 60), rng.uniform(200, 255)]))
    return _paint(rng) if rng.random() < 0.2 else (level, level, level)


def _lay_rows(canvas: Array, rng: np.random.Generator) -> None:
    """Bands of colour with a row of equal dots along each; the rows go on across the crop."""
    turn, band, pitch = rng.uniform(0, np.pi), rng.uniform(4, 13), rng.uniform(2.6, 7.5)
    radius = rng.uniform(0.1, 0.32) * min(pitch, band)
    start, ink, lined = rng.uniform(-0.5, 0.5, 2) * (pitch, band), _ink(rng), rng.random() < 0.4
    plain, askew = rng.random() < 0.3, float(rng.choice([0.0, 0.5]))
    along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    for row in range(-4, 5):
        middle = (start[1] + row * band) * across
        if not plain:
            _stroke(canvas, middle - 30 * along, middle + 30 * along, band, _paint(rng))
        if lined:
            side = middle + band / 2 * across
            _stroke(canvas, side - 30 * along, side + 30 * along, 0.4, ink)
        for column in range(-8, 9):
            at = middle + (start[0] + (column + askew * (row % 2)) * pitch) * along
            cv2.circle(canvas, _px(at), max(1, round(radius * _SCALE * 16)), ink, -1, cv2.LINE_AA, 4)


def _lay_letters(canvas: Array, rng: np.random.Generator) -> None:
    """A few letters of a word, 5 to 22 mm high, at any turn."""
    high = float(np.exp(rng.uniform(np.log(5), np.log(22))))
    word = "".join(rng.choice(list(_LETTERS), 5))
    layer = np.zeros((2 * _SIDE, 2 * _SIDE), np.uint8)
    thick = max(1, round(rng.uniform(0.1, 0.28) * high * _SCALE))
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX]))
    size = high * _SCALE / 22
    wide, tall = cv2.getTextSize(word, font, size, thick)[0]
    cv2.putText(layer, word, (_SIDE - wide // 2, _SIDE + tall // 2), font, size, 255, thick, cv2.LINE_AA)
    warp = cv2.getRotationMatrix2D((_SIDE, _SIDE), rng.uniform(0, 360), 1.0)
    warp[:, 2] += rng.uniform(-0.15, 0.15, 2) * _SIDE - _SIDE / 2
    share = cv2.warpAffine(layer, warp, (_SIDE, _SIDE)).astype(np.float32)[..., None] / 255
    canvas += share * (np.array(_ink(rng) if rng.random() < 0.6 else _paint(rng), np.float32) - canvas)


def _lay_eye(canvas: Array, rng: np.random.Generator) -> None:
    """A printed head or button: one dot, or two, in rings of other colours, with no square about them."""
    at, radius = rng.uniform(-3, 3, 2), float(rng.uniform(3, 12))
    for share in (1.0, *sorted(rng.uniform(0.15, 0.8, int(rng.integers(1, 3))), reverse=True)):
        axes = tuple(round(radius * share * _SCALE * 16 * stretch) for stretch in rng.uniform(0.75, 1.2, 2))
        cv2.ellipse(canvas, _px(at), axes, rng.uniform(0, 180), 0, 360, _paint(rng), -1, cv2.LINE_AA, 4)
    for _ in range(int(rng.integers(1, 3))):
        dot = at + rng.uniform(-0.4, 0.4, 2) * radius
        cv2.circle(canvas, _px(dot), round(rng.uniform(0.7, 2) * _SCALE * 16), _ink(rng), -1, cv2.LINE_AA, 4)


def _lay_marker(canvas: Array, rng: np.random.Generator) -> None:
    """A marker's black border and its fields, anything of it in the middle; of any dictionary, since any pattern is."""
    across = int(rng.choice(_FIELDS))
    fields = np.zeros((across, across), np.float32)
    fields[1:-1, 1:-1] = rng.random((across - 2, across - 2)) < rng.uniform(0.2, 0.7)
    side_mm, rim = float(np.exp(rng.uniform(*np.log(_MARKER_MM)))), float(rng.choice(_RIMS))
    printed = cv2.resize(fields, (20 * across, 20 * across), interpolation=cv2.INTER_NEAREST)
    printed = cv2.copyMakeBorder(printed, *(round(rim * len(printed)),) * 4, cv2.BORDER_CONSTANT, value=1.0)
    warp = cv2.getRotationMatrix2D(((len(printed) - 1) / 2,) * 2, rng.uniform(0, 360), side_mm * _SCALE / (20 * across))
    warp[:, 2] += _SIDE / 2 - (len(printed) - 1) / 2 + rng.uniform(-0.5, 0.5, 2) * side_mm * _SCALE
    inside = cv2.warpAffine(np.ones_like(printed), warp, (_SIDE, _SIDE), flags=cv2.INTER_AREA)[..., None]
    shown = cv2.warpAffine(printed, warp, (_SIDE, _SIDE), flags=cv2.INTER_AREA)[..., None]
    paper = rng.uniform(120, 252) * rng.normal(1, 0.05, 3)
    canvas += inside * (paper * (rng.uniform(0.04, 0.4) * (1 - shown) + shown) - canvas)


def _lay_shadow(canvas: Array, rng: np.random.Generator) -> None:
    """A straight shadow over a part of it."""
    v, u = np.mgrid[0:_SIDE, 0:_SIDE] - _SIDE / 2
    turn = rng.uniform(0, 2 * np.pi)
    edge = (np.cos(turn) * u + np.sin(turn) * v) / rng.uniform(1, 12) + rng.uniform(-2, 2)
    canvas *= (1 - rng.uniform(0.2, 0.8) / (1 + np.exp(-np.clip(edge, -30, 30))))[..., None]


def _as_seen(canvas: Array, rng: np.random.Generator) -> Picture:
    """Through a lens and a sensor, at times coarse and through JPEG."""
    small = int(rng.uniform(20, DIE_CROP_PX + 1)) if rng.random() < 0.5 else DIE_CROP_PX
    soft = cv2.GaussianBlur(canvas, (0, 0), 0.5 * _SIDE / small * float(rng.uniform(0.6, 1.6)))
    seen = cv2.resize(soft, (small, small), interpolation=cv2.INTER_AREA)
    noisy = np.clip(seen * np.exp(rng.normal(-0.1, 0.2)) + rng.normal(0, rng.uniform(0.5, 6), seen.shape), 0, 255)
    crop = noisy.astype(np.uint8)
    if rng.random() < 0.5:
        crop = compressed(crop, (40, 95), rng)
    return np.asarray(cv2.resize(crop, (DIE_CROP_PX, DIE_CROP_PX), interpolation=cv2.INTER_LINEAR), np.uint8)


def _stroke(
    canvas: Array,
    start_mm: NDArray[np.float64],
    end_mm: NDArray[np.float64],
    broad_mm: float,
    bgr: tuple[float, float, float],
) -> None:
    way = (end_mm - start_mm) / np.linalg.norm(end_mm - start_mm)
    side = broad_mm / 2 * np.array([-way[1], way[0]])
    corners = [_px(corner) for corner in (start_mm + side, end_mm + side, end_mm - side, start_mm - side)]
    cv2.fillPoly(canvas, [np.array(corners, np.int32)], bgr, cv2.LINE_AA, 4)


def _px(at_mm: NDArray[np.float64]) -> tuple[int, int]:
    """A place about the crop's middle, in sixteenths of a pixel."""
    u, v = np.rint((at_mm * _SCALE + _SIDE / 2) * 16).astype(int).tolist()
    return u, v


# By how often each is drawn.
_LAY = (_lay_rows, _lay_rows, _lay_letters, _lay_eye, _lay_marker, _lay_marker, _lay_marker, _lay_marker)

"""Relief of coins: invented heads, numerals, shields, buildings, stars and lettering. Not copied from any mint.

A face is a height map over the square that holds the coin, 512 pixels wide, its up direction at the top;
0 is the field, 1 the rim's height.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from sample_footage.coin_stock import COIN_STOCK, CoinStock
from sample_footage.lettering import text_mask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Relief = NDArray[np.float32]

SIDE_PX = 512
LETTERING = 0.55  # height of letters along the edge
_C = (SIDE_PX - 1) / 2

# A head in profile that looks left; the unit is the coin's radius.
PROFILE = (
    (0.34, -0.66), (0.24, -0.36), (0.33, -0.14), (0.43, 0.12), (0.4, 0.36), (0.24, 0.53), (0, 0.57),
    (-0.22, 0.48), (-0.32, 0.3), (-0.35, 0.19), (-0.36, 0.14), (-0.49, -0.04), (-0.38, -0.08), (-0.41, -0.14),
    (-0.36, -0.17), (-0.39, -0.22), (-0.33, -0.27), (-0.36, -0.37), (-0.26, -0.43), (-0.12, -0.45), (-0.1, -0.52),
    (-0.2, -0.66), (0.06, -0.76),
)  # fmt: skip
LEGENDS = {
    "gbp": "AMALIA II · D G · REG · F D · {year}",
    "eur": "· LIBERTAS · CONCORDIA · {year} ·",
    "usd": "L I B E R T A S · {year}",
}
PENCE = {
    "1": "ONE PENNY",
    "2": "TWO PENCE",
    "5": "FIVE PENCE",
    "10": "TEN PENCE",
    "20": "TWENTY PENCE",
    "50": "FIFTY PENCE",
}


def outline_radius(stock: CoinStock, angle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Radius in the unit of half the diameter, at angles in the coin's own frame (0 = right, counter-clockwise).

    Seven sides: a curve of constant width, whose width is the coin's diameter; its radius runs from 0.974 to 1.026.
    """
    if stock.outline == "seven":
        return _reuleaux(7, angle)
    if stock.outline == "twelve":
        step = np.mod(angle + np.pi / 12, np.pi / 6) - np.pi / 12
        return np.asarray(np.minimum(1.012 * np.cos(np.pi / 12) / np.cos(step), 1.0), float)
    if stock.outline == "flower":
        step = np.mod(angle - np.pi / 2 + np.pi / 7, 2 * np.pi / 7) - np.pi / 7
        return np.asarray(1.0 - 0.035 * np.exp(-((step / 0.07) ** 2)), float)
    return np.ones_like(angle)


def _reuleaux(sides: int, angle: NDArray[np.float64]) -> NDArray[np.float64]:
    """A rounded polygon of constant width: the arc opposite each corner is centred on that corner."""
    offset = np.mod(angle - np.pi / 2 + np.pi, 2 * np.pi / sides) - np.pi / sides
    width = 2 * np.cos(np.pi / (2 * sides))  # corner to opposite arc, with corners at distance 1
    radius = np.sqrt(width**2 - np.sin(offset) ** 2) - np.cos(offset)
    return np.asarray(radius * 2.0 / width, float)


@cache
def face_relief(cls: str, face: str, design: int = 0) -> Relief:
    """The height map of one face; `design` picks among years and drawings."""
    stock = COIN_STOCK[cls]
    relief = _heads(stock, design) if face == "heads" else _tails(stock, design)
    relief = np.maximum(relief, _rim(stock))
    return np.asarray(cv2.GaussianBlur(relief, (0, 0), 1.3), np.float32)


def _canvas() -> Relief:
    return np.zeros((SIDE_PX, SIDE_PX), np.float32)


def polar() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Radius (1 = the coin's) and angle of every pixel of a face."""
    v, u = np.mgrid[0:SIDE_PX, 0:SIDE_PX]
    x, y = (u - _C) / (SIDE_PX / 2), (_C - v) / (SIDE_PX / 2)
    return np.hypot(x, y), np.arctan2(y, x)


def _rim(stock: CoinStock) -> Relief:
    radius, angle = polar()
    depth = outline_radius(stock, angle) - radius
    rim = np.clip(1 - np.abs(depth - 0.035) / 0.035, 0, 1) ** 0.5
    beads = (
        0.35 * (np.cos(angle * 72) > 0) * (np.abs(depth - 0.1) < 0.018)
        if stock.cls.startswith(("usd", "gbp-50", "eur-2"))
        else 0.0
    )
    if stock.core is not None:
        rim = np.maximum(rim, 0.4 * np.clip(1 - np.abs(radius - core_share(stock)) / 0.012, 0, 1))
    return np.asarray(np.maximum(rim, beads), np.float32)


def core_share(stock: CoinStock) -> float:
    """Radius of a two-metal coin's middle, as a share of the coin's."""
    return {"gbp-1": 0.65, "gbp-2": 0.70, "eur-1": 0.70, "eur-2": 0.72}[stock.cls]


def _polygon(points: Sequence[tuple[float, float]], dome: float = 1.0, soft_px: float = 2.0) -> Relief:
    """A filled outline in coin units whose height swells away from its edge."""
    mask = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    xy = np.asarray(points, float)
    px = np.column_stack([_C + xy[:, 0] * SIDE_PX / 2, _C - xy[:, 1] * SIDE_PX / 2])
    cv2.fillPoly(mask, [np.rint(px * 16).astype(np.int32)], (255,), cv2.LINE_AA, 4)
    soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), soft_px), np.uint8)
    depth = cv2.distanceTransform((soft > 127).astype(np.uint8), cv2.DIST_L2, 5)
    swell = np.sqrt(np.clip(depth / (SIDE_PX * 0.16), 0, 1))
    return np.asarray(dome * (0.3 * (soft / 255.0) + 0.7 * swell), np.float32)


def _stroke(relief: Relief, points: Sequence[tuple[float, float]], height: float, width: float) -> None:
    xy = np.asarray(points, float)
    px = np.column_stack([_C + xy[:, 0] * SIDE_PX / 2, _C - xy[:, 1] * SIDE_PX / 2])
    mask = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    cv2.polylines(
        mask, [np.rint(px * 16).astype(np.int32)], False, (255,), max(1, round(width * SIDE_PX / 2)), cv2.LINE_AA, 4
    )
    relief += height * (mask / np.float32(255))


def _ring_text(text: str, radius: float, size: float, start_deg: float, inward: bool = False) -> Relief:
    """Letters that follow the edge, centred on `start_deg`; `inward` puts their feet to the rim."""
    rho, angle = polar()
    mask = text_mask(text, round(size * SIDE_PX / 2), 600)
    scale = SIDE_PX / 2
    turn = np.mod(np.radians(start_deg) - angle + np.pi, 2 * np.pi) - np.pi
    along = (-turn if inward else turn) * radius * scale + mask.shape[1] / 2
    across = ((rho - radius) if inward else (radius - rho)) * scale + mask.shape[0] / 2
    ink = cv2.remap(mask, along.astype(np.float32), across.astype(np.float32), cv2.INTER_LINEAR)
    return np.asarray(ink * (LETTERING / 255), np.float32)


def _flat_text(text: str, at: tuple[float, float], size: float, height: float = 0.8, weight: int = 600) -> Relief:
    relief = _canvas()
    mask = text_mask(text, round(size * SIDE_PX / 2), weight)
    x = round(_C + at[0] * SIDE_PX / 2 - mask.shape[1] / 2)
    y = round(_C - at[1] * SIDE_PX / 2 - mask.shape[0] / 2)
    x0, y0, x1, y1 = max(0, x), max(0, y), min(SIDE_PX, x + mask.shape[1]), min(SIDE_PX, y + mask.shape[0])
    relief[y0:y1, x0:x1] = mask[y0 - y : y1 - y, x0 - x : x1 - x] / np.float32(255) * height
    return relief


def _heads(stock: CoinStock, design: int) -> Relief:
    rng = np.random.default_rng([design, *stock.cls.encode()])
    money = stock.cls[:3]
    flip = -1.0 if (money == "gbp") == (design % 2 == 0) else 1.0
    scale = rng.uniform(0.86, 1.0)

    def at(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        """The points of a head, turned and scaled as this one is."""
        return [(flip * scale * x, scale * y - 0.02) for x, y in points]

    relief = _polygon(at(PROFILE), 0.95)
    for k in range(9):
        bend = np.linspace(0, 1, 12)
        lock = [(0.38 - 0.62 * b, 0.12 + 0.05 * k - 0.25 * (b - 0.45) ** 2 + 0.05 * np.sin(9 * b + k)) for b in bend]
        _stroke(relief, at(lock), 0.16, 0.018)
    _stroke(relief, at([(-0.28, 0.17), (-0.2, 0.2), (-0.13, 0.17)]), 0.25, 0.03)
    _stroke(relief, at([(-0.24, 0.11), (-0.19, 0.13), (-0.15, 0.10)]), -0.3, 0.03)
    _stroke(relief, at([(0.13, 0.04), (0.18, 0.1), (0.2, 0.0), (0.14, -0.05)]), 0.3, 0.035)
    if money != "usd":
        _stroke(relief, at([(-0.28, 0.42), (-0.1, 0.44), (0.1, 0.40), (0.36, 0.28)]), 0.35, 0.05)
        for k in range(5):
            _stroke(relief, at([(-0.2 + 0.13 * k, 0.45), (-0.18 + 0.13 * k, 0.6 - 0.02 * k)]), 0.5, 0.04)
    legend = LEGENDS[money].format(year=1998 + 3 * (design % 8))
    lettering = _ring_text(legend, 0.80, 0.17, 90.0 if money == "usd" else 90 + 12 * flip)
    return np.maximum(np.maximum(relief, lettering), _stars(0.82) if money == "eur" else 0)


def _stars(radius: float) -> Relief:
    """Europe's twelve, round the edge."""
    relief = _canvas()
    for turn in 2 * np.pi * np.arange(12) / 12:
        star = _star(radius * np.cos(turn), radius * np.sin(turn), 0.055, 0.42)
        relief = np.maximum(relief, _polygon(star, 0.7, 0.8))
    return relief


def _star(x: float, y: float, size: float, waist: float) -> list[tuple[float, float]]:
    """The corners of a star of five tips, the inner ones at that share of its size."""
    reach = np.where(np.arange(10) % 2 == 0, size, waist * size)
    around = np.pi / 2 + np.pi * np.arange(10) / 5
    return [(x + r * np.cos(a), y + r * np.sin(a)) for r, a in zip(reach, around, strict=True)]


def _tails(stock: CoinStock, design: int) -> Relief:
    return {"gbp": _british_tails, "eur": _euro_tails, "usd": _american_tails}[stock.cls[:3]](stock, design)


def _british_tails(stock: CoinStock, design: int) -> Relief:
    if stock.core is not None:
        return _flower_tails(stock)
    rng = np.random.default_rng([3, design, *stock.cls.encode()])
    dx, dy = rng.uniform(-0.35, 0.35, 2)
    shield = np.array(
        [(-0.7, 0.7), (0.7, 0.7), (0.72, 0.1), (0.45, -0.45), (0, -0.85), (-0.45, -0.45), (-0.72, 0.1)]
    ) * 1.05 + (dx, dy)
    relief = 0.45 * _polygon([tuple(p) for p in shield], 1.0)
    _stroke(relief, [(dx, 0.8 + dy), (dx, -0.9 + dy)], 0.4, 0.05)
    _stroke(relief, [(-0.9 + dx, 0.05 + dy), (0.9 + dx, 0.05 + dy)], 0.4, 0.05)
    for k in range(4):
        x, y = dx + (0.35 if k % 2 else -0.35), dy + 0.42 - 0.22 * (k // 2)
        beast = [
            (x - 0.22, y),
            (x - 0.1, y + 0.09),
            (x + 0.1, y + 0.06),
            (x + 0.24, y + 0.12),
            (x + 0.16, y - 0.05),
            (x - 0.12, y - 0.06),
        ]
        relief = np.maximum(relief, 0.3 + 0.6 * _polygon(beast, 1.0, 1.5))
    radius, _ = polar()
    relief = np.where(radius < 0.86, relief, 0).astype(np.float32)
    words = PENCE[stock.numeral]
    relief = np.where(np.hypot(*_offset(0.0, -0.58)) < 0.26, 0.1 * relief, relief).astype(np.float32)
    relief = np.maximum(relief, _flat_text(stock.numeral, (0.0, -0.58), 0.42))
    return np.asarray(np.maximum(relief, _ring_text(words, 0.80, 0.15, 90)), np.float32)


def _offset(x: float, y: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    v, u = np.mgrid[0:SIDE_PX, 0:SIDE_PX]
    return (u - _C) / (SIDE_PX / 2) - x, (_C - v) / (SIDE_PX / 2) - y


def _flower_tails(stock: CoinStock) -> Relief:
    radius, angle = polar()
    petals = np.abs(np.cos(2 * angle)) * 0.42 + 0.1
    relief = 0.8 * np.clip((petals - radius) * 6, 0, 1).astype(np.float32)
    relief = np.maximum(relief, 0.9 * (np.abs(radius - 0.16) < 0.035).astype(np.float32))
    crown = [(-0.25, 0.42), (-0.3, 0.62), (-0.14, 0.52), (0, 0.66), (0.14, 0.52), (0.3, 0.62), (0.25, 0.42)]
    relief = np.maximum(relief, _polygon(crown, 0.9, 1.5))
    word = "ONE POUND" if stock.cls == "gbp-1" else "TWO POUNDS"
    relief = np.maximum(relief, _ring_text(word, 0.82, 0.17, 270, inward=True))
    return np.asarray(np.maximum(relief, _ring_text("· KINGSMERE MINT ·", 0.82, 0.12, 90)), np.float32)


def _euro_tails(stock: CoinStock, design: int) -> Relief:
    rng = np.random.default_rng([11, *stock.cls.encode()])
    ring = [
        (0.28 + r * np.cos(a), 0.02 + r * np.sin(a))
        for a, r in zip(np.linspace(0, 2 * np.pi, 26), rng.uniform(0.26, 0.52, 26), strict=True)
    ]
    relief = 0.45 * _polygon(ring, 1.0, 3.0)
    for k in range(6):
        x = 0.05 + 0.13 * k
        _stroke(relief, [(x, 0.85), (x - 0.1, 0), (x, -0.85)], 0.3, 0.016)
        relief = np.maximum(relief, _polygon(_star(x, 0.62, 0.05, 0.4), 0.6, 0.8))
    radius, _ = polar()
    relief = np.where(radius < 0.88, relief, 0).astype(np.float32)
    relief = np.maximum(
        relief, _flat_text(stock.numeral, (-0.36, 0.02), 0.95 if len(stock.numeral) == 1 else 0.66, 0.95, 700)
    )
    unit = "EURO" if stock.cls in ("eur-1", "eur-2") else "EURO CENT"
    size = 0.20 if unit == "EURO CENT" else 0.26
    return np.asarray(np.maximum(relief, _flat_text(unit, (0.08, -0.42), size)), np.float32)


def _american_tails(stock: CoinStock, design: int) -> Relief:
    relief = (
        _eagle()
        if stock.cls in ("usd-25c", "usd-50c", "usd-1", "usd-1-silver")
        else _torch()
        if stock.cls == "usd-10c"
        else _hall()
    )
    words = {
        "usd-1c": "ONE CENT",
        "usd-5c": "FIVE CENTS",
        "usd-10c": "ONE DIME",
        "usd-25c": "QUARTER DOLLAR",
        "usd-50c": "HALF DOLLAR",
    }
    relief = np.maximum(relief, _ring_text(words.get(stock.cls, "ONE DOLLAR"), 0.80, 0.17, 270, inward=True))
    return np.maximum(relief, _ring_text("REPUBLIC OF KINGSMERE", 0.80, 0.15, 90))


def _hall() -> Relief:
    relief = _polygon([(-0.58, -0.3), (-0.58, -0.38), (0.58, -0.38), (0.58, -0.3)], 1.0, 1.0)
    relief = np.maximum(relief, _polygon([(-0.56, 0.24), (0, 0.44), (0.56, 0.24)], 0.9, 1.0))
    for x in np.linspace(-0.48, 0.48, 9):
        relief = np.maximum(
            relief, _polygon([(x - 0.03, 0.22), (x + 0.03, 0.22), (x + 0.03, -0.3), (x - 0.03, -0.3)], 0.9, 0.8)
        )
    return relief


def _torch() -> Relief:
    relief = _polygon([(-0.07, 0.2), (0.07, 0.2), (0.04, -0.5), (-0.04, -0.5)], 0.9, 1.0)
    relief = np.maximum(relief, _polygon([(-0.1, 0.22), (-0.12, 0.4), (0.0, 0.62), (0.1, 0.42), (0.1, 0.22)], 1.0, 1.5))
    for side in (-1, 1):
        for k in range(7):
            x, y = side * (0.2 + 0.02 * k), -0.4 + 0.13 * k
            relief = np.maximum(
                relief, _polygon([(x, y), (x + side * 0.18, y + 0.1), (x + side * 0.04, y + 0.12)], 0.8, 1.0)
            )
    return relief


def _eagle() -> Relief:
    relief = _polygon(
        [(-0.12, 0.3), (-0.04, 0.42), (0.1, 0.38), (0.16, 0.1), (0.1, -0.3), (0, -0.45), (-0.1, -0.3), (-0.16, 0.1)],
        1.0,
        1.5,
    )
    for side in (-1, 1):
        for k in range(7):
            x0, y0 = side * 0.12, 0.22 - 0.05 * k
            x1, y1 = side * (0.66 - 0.04 * k), 0.36 - 0.13 * k
            relief = np.maximum(
                relief, _polygon([(x0, y0), (x1, y1 + 0.05), (x1 + side * 0.03, y1 - 0.03), (x0, y0 - 0.06)], 0.8, 1.0)
            )
    return relief

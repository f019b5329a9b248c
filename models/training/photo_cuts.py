"""A tile and crops of a photograph whose coins are labelled, each turned, scaled and developed anew."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.coins import CLASSES, CROP_PX, DIAMETER_MM, OWNERS, RIM_SHARE, TOPVIEW_PX_PER_MM
from models.training import sprites
from models.training.crop_label import NO_COIN, Label, label_of, missed
from models.training.paper_dots import with_dot
from models.training.shot import Array, developed
from models.training.tables import TILE_PX

Picture = NDArray[np.uint8]
Row = dict[str, str]
# How many of the coins are given a dot, and of how many a circle that misses them is cut instead.
_DOTTED, _MISSED = 0.2, 0.06
# A part of the photograph that reaches so far around a crop is blurred before it is cut.
_AROUND_PX = 60


def photo_tile(photo: Picture, path: Path, coins: Sequence[Row], rng: np.random.Generator) -> tuple[Picture, Array]:
    """A square of the table as seen from above, and the circles in it: (n, 4) x, y, radius in tile px, and 1."""
    setup = tomllib.loads(path.with_suffix(".setup.toml").read_text(encoding="utf-8"))
    points = np.array(setup["calibration"]["points"], float)
    image2mm, _ = cv2.findHomography(points[:, :2], points[:, 2:])
    at = np.array([[float(row["u"]), float(row["v"])] for row in coins])
    mm2tile, scale = _anywhere(cv2.perspectiveTransform(at[None], image2mm)[0], rng)
    image2tile = mm2tile @ image2mm
    coarse = float(np.exp(rng.uniform(0, np.log(3)))) if rng.random() < 0.6 else 1.0
    tile = developed(_warped(photo, image2tile, coarse).astype(np.float32), rng)
    seen = cv2.perspectiveTransform(at[None], image2tile)[0]
    radii = [DIAMETER_MM[row["class"]] / 2 * scale / TOPVIEW_PX_PER_MM for row in coins]
    inside = (np.abs(seen - TILE_PX / 2) < TILE_PX / 2 + 20).all(axis=1)
    return tile, np.c_[seen, radii, np.ones(len(seen))][inside]


def _anywhere(coins_mm: Array, rng: np.random.Generator) -> tuple[Array, float]:
    """(3, 3) from the table to a tile about one of the coins, turned any way, and its scale in px/mm."""
    middle = coins_mm[rng.integers(len(coins_mm))] + rng.normal(0, 25, 2)
    turn, scale = rng.uniform(0, 2 * np.pi), TOPVIEW_PX_PER_MM * rng.normal(1, 0.025)
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    shift = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]])
    mm2tile = np.array([[cos, -sin, 0], [-sin, -cos, 0], [0, 0, 1.0]]) @ shift
    mm2tile[:2, 2] += TILE_PX / 2
    return mm2tile, scale


def _warped(photo: Picture, image2tile: Array, coarse: float) -> Picture:
    """The photograph in the tile's frame, seen no finer than `coarse` tile px."""
    middle = np.linalg.inv(image2tile) @ (TILE_PX / 2, TILE_PX / 2, 1)
    scale = np.sqrt(abs(np.linalg.det(np.linalg.inv(image2tile)) / middle[2] ** 3))
    soft = cv2.GaussianBlur(photo, (0, 0), 0.4 * scale * max(1.0, coarse * 0.8)) if scale > 1 else photo
    return np.asarray(cv2.warpPerspective(soft, image2tile, (TILE_PX, TILE_PX), flags=cv2.INTER_LINEAR), np.uint8)


def photo_crops(photo: Picture, coins: Sequence[Row], rng: np.random.Generator) -> Iterator[tuple[Picture, Label]]:
    """A crop of each coin, or of a circle that misses it, all as sharp as one camera sees."""
    blur = float(np.exp(rng.uniform(np.log(0.3), np.log(2.0))))
    for row in coins:
        square, label = _square(row, rng)
        cut = _cut(photo, square, blur)
        if label[0] < len(CLASSES) and rng.random() < _DOTTED:
            cut, owner = with_dot(cut, rng, 0.4 * blur)
            label = (*label[:2], OWNERS.index(owner), label[3])
        yield developed(cut, rng), label


def _square(row: Row, rng: np.random.Generator) -> tuple[Array, Label]:
    """(3, 2) three corners of a square about the coin in photo px, turned any way, and what it shows."""
    rim = sprites.rim_of(row)
    if rng.random() < _MISSED:
        (centre, radius), label = missed(np.zeros(2), 1.0, rng), NO_COIN
    else:
        centre, radius = rng.normal(0, 0.02, 2), rng.normal(1, 0.02)
        label = label_of(row["class"], row["face"], photographed=True)
    turn = rng.uniform(0, 2 * np.pi)
    turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    axes = rim[1:] - rim[0]
    corners = (np.array([(-1, 1), (1, 1), (1, -1)]) / RIM_SHARE) @ turned
    return rim[0] + centre @ axes + corners @ (axes * radius), label


def _cut(photo: Picture, square: Array, blur: float) -> NDArray[np.float32]:
    """The square as a crop, blurred no less than its pixels ask."""
    edge = CROP_PX - 0.5
    crop = np.array([(-0.5, -0.5), (edge, -0.5), (edge, edge)], np.float32)
    warp = cv2.getAffineTransform(square.astype(np.float32), crop)
    scale = np.linalg.norm(square[1] - square[0]) / CROP_PX
    low = np.maximum(np.floor(square.min(axis=0) - _AROUND_PX).astype(int), 0)
    high = np.minimum(np.ceil(square.max(axis=0) + _AROUND_PX).astype(int), photo.shape[1::-1])
    warp[:, 2] += warp[:, :2] @ low
    around = photo[low[1] : high[1], low[0] : high[0]]
    soft = cv2.GaussianBlur(around, (0, 0), max(0.3, 0.45 * scale * max(blur, 0.8)))
    cut = cv2.warpAffine(soft, warp, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, np.float32)

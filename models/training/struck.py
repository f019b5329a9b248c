"""Reliefs of coins, lifted off pictures and drawings and struck into the metal of other photographed coins.

What shows a relief on a picture is how much lighter or darker each place is than the metal around it. That is lifted off
photographs, scans and drawings alike, made as strong as any other, and struck into the light of photographed metal: so
a net that learns from it finds nothing but the relief to tell coins by, neither camera nor scanner nor pen.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.coins import CLASSES
from models.training.looks import SPRITE_PX, SPRITE_RADIUS_PX, Sprite, drawn_relief, sheen_of

Float = NDArray[np.float32]

# Reliefs and metals are kept at half the size of sprites: crops are smaller still.
SIDE_PX, RADIUS_PX = SPRITE_PX // 2, SPRITE_RADIUS_PX / 2
# Wider than this is metal and light, narrower is relief, px of a sprite.
_METAL_PX = 7.0
# The rim, which all coins have, is no part of it, in radii.
_WITHIN = 0.93
# Stronger than so many times the usual is glare or dirt.
_STRONGEST = 3.0
# Heads of American coins among Tux Paint's stamps (GPL-2): scans of 54 to 92 px; coins of other countries beside them.
US_STAMPS = {
    "usd-1c": "us/coins/001penny.png",
    "usd-5c": "us/coins/005nickel.png",
    "usd-10c": "us/coins/010dime.png",
    "usd-25c": "us/coins/025quarter.png",
    "usd-50c": "us/coins/050kennedy-halfdollar.png",
    "usd-1": "us/coins/100sacagawea.png",
}
EURO_STAMPS = "euro/coins/*.png"
FOREIGN_STAMPS = ("canadian/coins/*.png", "japanese/*.png")


def relief_of(bgr: NDArray[np.uint8]) -> Float:
    """(SIDE_PX, SIDE_PX) the relief on a sprite's picture: logarithm of its light beside that around, of unit spread."""
    grey = np.power(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY).astype(np.float32) / 255, 2.2) + np.float32(0.01)
    return _even(np.log(grey), disc(_WITHIN))


def drawn(cls: str, face: str, rng: np.random.Generator) -> Float:
    """The same of a coin as nobody has quite struck it."""
    lit = cv2.resize(drawn_relief(cls, face, rng), (SPRITE_PX, SPRITE_PX), interpolation=cv2.INTER_AREA)
    return _even(np.log(np.maximum(lit, 0.02)), disc(_WITHIN))


def stamp(path: Path) -> Float:
    """The same of a stamp, a coin cut out along its rim."""
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    rows, columns = np.nonzero(picture[..., 3] > 127)
    coin = picture[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1, :3]
    side, margin = round(2 * SPRITE_RADIUS_PX), round(SPRITE_PX / 2 - SPRITE_RADIUS_PX)
    large = cv2.resize(coin, (side, side), interpolation=cv2.INTER_CUBIC)
    return relief_of(cv2.copyMakeBorder(large, margin, margin, margin, margin, cv2.BORDER_REPLICATE))


def metal_of(sprite: Sprite, rng: np.random.Generator) -> Float:
    """(SIDE_PX, SIDE_PX) the light on a photographed coin without its relief: a logarithm of mean 0."""
    light = np.log(sheen_of(sprite, rng).mean(axis=2) + np.float32(1e-3))
    return _halved(light - light[disc(_WITHIN) > 0].mean())


def depth_of(sprite: Sprite) -> float:
    """How strong the relief of a photographed coin shows: the spread of its logarithm."""
    grey = np.power(cv2.cvtColor(sprite.bgr, cv2.COLOR_BGR2GRAY).astype(np.float32) / 255, 2.2) + np.float32(0.01)
    inside = disc(_WITHIN) > 0
    log = np.log(grey)
    return float((log - _around(log, inside))[inside].std())


def disc(share: float, side_px: int = SPRITE_PX) -> Float:
    """(side_px, side_px) 1 within so many radii of a sprite of that size, else 0."""
    off = np.arange(side_px) - (side_px - 1) / 2
    return np.asarray(np.hypot(off[:, None], off) < share * SPRITE_RADIUS_PX / SPRITE_PX * side_px, np.float32)


def kinds() -> tuple[tuple[str, str], ...]:
    """All classes with their faces."""
    return tuple((cls, face) for cls in CLASSES for face in ("heads", "tails"))


def _even(log: Float, inside: Float) -> Float:
    relief = (log - _around(log, inside > 0)) * inside
    relief /= max(float(relief[inside > 0].std()), 1e-3)
    return _halved(np.clip(relief, -_STRONGEST, _STRONGEST))


def _halved(sprite: Float) -> Float:
    return np.asarray(cv2.resize(sprite, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA), np.float32)


def _around(log: Float, inside: NDArray[np.bool_]) -> Float:
    weight = inside.astype(np.float32)
    total = cv2.GaussianBlur(log * weight, (0, 0), _METAL_PX)
    return np.asarray(total / np.maximum(cv2.GaussianBlur(weight, (0, 0), _METAL_PX), 0.05), np.float32)

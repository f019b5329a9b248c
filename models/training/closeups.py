"""Coins seen well: crops for the classifier in which the relief can be read, straight from the struck face.

The tables of `models.training.tables` are seen as a webcam sees them, and mostly too coarsely to tell a queen from a
president. These teach what the designs look like.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from models.coins import CLASSES, CROP_PX, FACES, OWNERS, RIM_SHARE
from models.training.dataset import Harvest, Label, Picture
from models.training.looks import (
    SPRITE_PX,
    SPRITE_RADIUS_PX,
    STICKER_BGR,
    Sprite,
    procedural,
    sheen_of,
    with_sticker,
)
from models.training.shot import Array, developed
from models.training.sprites import metal_of, metals

_DOTTED = 0.15
_STRUCK_IN_REAL_METAL = 0.65


def close_ups(photos: Path, seed: int, count: int) -> Harvest:
    """`count` crops of struck coins, every class and face alike; with photographs, most in photographed metal."""
    rng = np.random.default_rng(seed)
    real = metals(photos)
    harvest = Harvest()
    for number in range(count):
        cls, face = CLASSES[number % len(CLASSES)], FACES[number // len(CLASSES) % 2]
        blanks = real.get(metal_of(cls), [])
        metal = (
            sheen_of(blanks[rng.integers(len(blanks))], rng)
            if blanks and rng.random() < _STRUCK_IN_REAL_METAL
            else None
        )
        sprite, owner = procedural(cls, face, rng, metal), "none"
        if rng.random() < _DOTTED:
            owner = str(rng.choice(list(STICKER_BGR)))
            sprite, _ = with_sticker(sprite, owner, rng)
        harvest.crops.append(developed(_laid(sprite, rng), rng))
        harvest.labels.append(_label(cls, face, owner))
    return harvest


def _label(cls: str, face: str, owner: str) -> Label:
    return CLASSES.index(cls), FACES.index(face), OWNERS.index(owner), 0


def _laid(sprite: Sprite, rng: np.random.Generator) -> Array:
    """The coin on an even ground, turned anyhow, cut as the classifier's crops are, a little missed."""
    scale = RIM_SHARE * CROP_PX / 2 / SPRITE_RADIUS_PX * rng.normal(1, 0.02)
    coarse = float(rng.uniform(1, 2.2)) if rng.random() < 0.35 else 1.0
    turning = cv2.getRotationMatrix2D(((SPRITE_PX - 1) / 2,) * 2, float(rng.uniform(0, 360)), scale)
    turning[:, 2] += (CROP_PX - SPRITE_PX) / 2 + rng.normal(0, 0.35, 2)
    soft = max(0.3, 0.42 / scale * coarse)
    face = _warped(cv2.GaussianBlur(sprite.bgr, (0, 0), soft), turning)
    alpha = _warped(cv2.GaussianBlur(sprite.alpha, (0, 0), soft), turning).astype(np.float32)[..., None] / 255
    ground = rng.uniform(10, 245) * np.exp(rng.normal(0, 0.15, 3))
    uneven = rng.normal(0, 1, (6, 6, 1)) * rng.uniform(0, 18)
    ground = ground + cv2.resize(uneven, (CROP_PX, CROP_PX), interpolation=cv2.INTER_CUBIC)[..., None]
    shifted = np.roll(alpha, tuple(rng.integers(-3, 4, 2)), (0, 1))
    shade = 1 - rng.uniform(0, 0.6) * cv2.GaussianBlur(shifted, (0, 0), 1.5)[..., None]
    return np.asarray(face * alpha + ground * shade * (1 - alpha), np.float32)


def _warped(picture: Picture, turning: Array) -> Picture:
    flags = cv2.INTER_LINEAR
    return np.asarray(cv2.warpAffine(picture, turning, (CROP_PX, CROP_PX), flags=flags), np.uint8)

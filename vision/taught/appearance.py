"""What a piece looks like in numbers that barely change with its turn and the light: for pieces that a user taught."""

from __future__ import annotations

import itertools

import cv2
import numpy as np
from numpy.typing import NDArray

from models.coins import CROP_PX, RIM_SHARE
from rules.scene import Kind
from vision.classify import classify
from vision.frame import ImageBgr
from vision.light import srgb
from vision.taught.silhouette import silhouette

Array = NDArray[np.float64]

# Log probabilities below this say no more than 'certainly not'.
_LEAST_LOG = -8.0
_RINGS = (0.0, 0.3, 0.5, 0.66, 0.8)
_ORDERS = 6
# The picture of a card or a figure is compared on so many fields across and down.
_FIELDS = (4, 6)
# A figure on so many bands; in one that shows few of its pixels so many have the colour of the whole. Half of what one
# is broad in a band goes with its turn.
_BANDS, _FEW_PX, _WIDTH_SCALE = 6, 20.0, 0.15
# The light of each grey level, and what is as good as none.
_LIGHT, _DARKEST = srgb.light(np.arange(256.0)), 1e-3
# What one unit of each group of numbers is worth: the usual difference between two pictures of the same thing.
_LOG_SCALE, _LIGHT_SCALE, _TINT_SCALE, _RELIEF_SCALE = 2.5, 14.0, 6.0, 0.35
# What another light, focus and turn do to a picture, when only one is there to learn from.
_GAINS, _TINTS, _BLURS_PX, _TURNS = (0.8, 1.0, 1.2), ((1.0, 1.0, 1.0), (0.92, 1.0, 1.08)), (0.0, 0.9), 8


def features(kind: Kind, crops: ImageBgr) -> Array:
    """(n, f) numbers for crops (n, h, w, 3) of one kind, each scaled to its usual spread."""
    if kind == "coin":
        return _coin_features(crops)
    return np.stack([_figure_features(crop, crop) if kind == "soldier" else _picture_features(crop) for crop in crops])


def features_in_light_of(shown: ImageBgr, crops: ImageBgr) -> Array:
    """(n, f) numbers for figures' crops (n, h, w, 3) as the light on another one's crop (h, w, 3) would show them, if
    both stand on the same ground."""
    return np.stack([_figure_features(crop, _as_bright(crop, _ground_light(shown))) for crop in crops])


def _as_bright(crop: ImageBgr, ground: Array) -> ImageBgr:
    """In the light in which the ground about the figure is as bright as that, blue, green and red."""
    lit = _LIGHT[crop] * (ground / _ground_light(crop))
    return np.asarray(np.rint(srgb.level(np.clip(lit, 0, 1))), np.uint8)


def _ground_light(crop: ImageBgr) -> Array:
    """(3,) the light from the ground about a figure, the usual one."""
    return np.asarray(np.median(_LIGHT[crop][~silhouette(crop)], axis=0) + _DARKEST, float)


def variants(kind: Kind, crop: ImageBgr) -> ImageBgr:
    """(m, h, w, 3) the crop as other light, focus and, for a coin, other turns would show it."""
    turns = range(_TURNS) if kind == "coin" else (0, _TURNS // 2) if kind == "card" else (0,)
    turned = [_turned(crop, 360.0 * turn / _TURNS) for turn in turns]
    shown = [
        _seen(picture, gain, tint, blur)
        for picture in turned
        for gain in _GAINS
        for tint in _TINTS
        for blur in _BLURS_PX
    ]
    return np.stack(shown)


def _turned(crop: ImageBgr, degrees: float) -> ImageBgr:
    height, width = crop.shape[:2]
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, 1.0)
    return np.asarray(cv2.warpAffine(crop, turn, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _seen(crop: ImageBgr, gain: float, tint: tuple[float, float, float], blur_px: float) -> ImageBgr:
    soft = cv2.GaussianBlur(crop, (0, 0), blur_px) if blur_px > 0 else crop
    return np.asarray(np.clip(soft * (gain * np.asarray(tint)), 0, 255), np.uint8)


def _coin_features(crops: ImageBgr) -> Array:
    """What the classifier makes of it, its colour from the middle to the rim, and how its relief goes round."""
    said = np.maximum(classify(crops).classes, _LEAST_LOG) / _LOG_SCALE
    rings = np.stack([_ring_features(crop) for crop in crops])
    return np.concatenate([said, rings], axis=1)


def _ring_features(crop: ImageBgr) -> Array:
    lab = _lab(crop)
    half = (CROP_PX - 1) / 2
    reach = round(CROP_PX / 2 * RIM_SHARE)
    around = np.asarray(cv2.warpPolar(lab, (reach, 64), (half, half), reach, cv2.WARP_POLAR_LINEAR), float)
    edges = [round(share / _RINGS[-1] * reach) for share in _RINGS]
    found: list[Array] = []
    for low, high in itertools.pairwise(edges):
        ring = around[:, low:high].mean(axis=1)
        colour = ring.mean(axis=0)
        waves = np.abs(np.fft.rfft(ring[:, 0] - colour[0]))[1 : _ORDERS + 1] / len(ring)
        found += [colour / (_LIGHT_SCALE, _TINT_SCALE, _TINT_SCALE), np.log1p(waves) * _RELIEF_SCALE]
    return np.concatenate(found)


def _picture_features(crop: ImageBgr) -> Array:
    """Mean colour on a grid of fields."""
    fields = cv2.resize(_lab(crop), _FIELDS, interpolation=cv2.INTER_AREA)
    return np.asarray((fields / (_LIGHT_SCALE, _TINT_SCALE, _TINT_SCALE)).ravel(), float)


def _figure_features(crop: ImageBgr, lit: ImageBgr) -> Array:
    """Mean colour of the figure in its crop as some light shows that, and how broad it is, in bands from head to foot:
    its paint, little of its pose."""
    own, lab = silhouette(crop), _lab(lit)
    whole = lab[own].mean(axis=0) if own.any() else lab.mean(axis=(0, 1))
    found: list[Array] = []
    for mask, colours in zip(np.array_split(own, _BANDS), np.array_split(lab, _BANDS), strict=True):
        colour = (colours[mask].sum(axis=0) + _FEW_PX * whole) / (mask.sum() + _FEW_PX)
        found += [colour / (_LIGHT_SCALE, _TINT_SCALE, _TINT_SCALE), mask.mean(keepdims=True).ravel() / _WIDTH_SCALE]
    return np.concatenate(found)


def _lab(crop: ImageBgr) -> NDArray[np.float32]:
    return np.asarray(cv2.cvtColor((crop / 255).astype(np.float32), cv2.COLOR_BGR2LAB), np.float32)

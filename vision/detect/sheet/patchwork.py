"""Sheets that touch or lie on one another, of which a net makes one patch: told apart where each has its own colour."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect.sheet.sheet_colour import LAB_WEIGHTS
from vision.frame import ImageBgr

Mask = NDArray[np.bool_]
Floats = NDArray[np.float32]

# Colours are looked at so coarsely, for a check or stripes are one colour; and not so near the patch's outline.
_PX_PER_MM, _SOFT_MM, _RIM_MM = 0.5, 8.0, 4.0
# Two colours so far apart, and so many times as far as places of each are from its mean.
_APART, _TIMES = 20.0, 4.0
# Each part is so large at least, in one piece but for such a share, and as filled: a border or a print is no sheet.
_LEAST_MM2, _WHOLE, _FILLED = 2500.0, 0.9, 0.6
_ROUNDS = 8


def of_one_colour(patch: Mask, top_bgr: ImageBgr, px_per_mm: float) -> list[Mask]:
    """The parts of a flat patch that have a colour of their own each; the patch itself if it has one.

    top_bgr  (h, w, 3) the table as `patch` (h, w) shows it
    """
    x, y, wide, high = cv2.boundingRect(patch.astype(np.uint8))
    window = (slice(y, y + high), slice(x, x + wide))
    halves = _halves(patch[window], np.asarray(top_bgr[window], np.uint8), px_per_mm)
    if halves is None:
        return [patch]
    found: list[Mask] = []
    for half in halves:
        whole = np.zeros_like(patch)
        whole[window] = half
        found += of_one_colour(whole, top_bgr, px_per_mm)
    return found


def _halves(patch: Mask, top_bgr: ImageBgr, px_per_mm: float) -> list[Mask] | None:
    """A patch in two, if two colours share it."""
    scale = _PX_PER_MM / px_per_mm
    size = (max(round(patch.shape[1] * scale), 1), max(round(patch.shape[0] * scale), 1))
    small = cv2.resize(patch.astype(np.uint8), size, interpolation=cv2.INTER_AREA) > 0
    core = cv2.erode(small.astype(np.uint8), _disc(_RIM_MM), borderValue=0) > 0
    if core.sum() < 2 * _LEAST_MM2 * _PX_PER_MM**2:
        return None
    colours = _softened(np.asarray(cv2.resize(top_bgr, size, interpolation=cv2.INTER_AREA), np.uint8), small)
    first = _first_of_two(colours[core])
    if first is None:
        return None
    sides = [np.zeros_like(core), np.zeros_like(core)]
    sides[0][core], sides[1][core] = first, ~first
    cores = [_core(side) for side in sides]
    if not all(_is_sheet(one, side) for one, side in zip(cores, sides, strict=True)):
        return None
    away = np.stack([cv2.distanceTransform((~one).astype(np.uint8), cv2.DIST_L2, 5) for one in cores])
    nearer = cv2.resize((away[0] < away[1]).astype(np.uint8), patch.shape[::-1], interpolation=cv2.INTER_NEAREST) > 0
    return [patch & nearer, patch & ~nearer]


def _softened(small_bgr: ImageBgr, inside: Mask) -> Floats:
    """(h, w, 3) the colours within a patch, in Lab, weighed; nothing from beyond it mixed in."""
    lab = cv2.cvtColor(small_bgr, cv2.COLOR_BGR2LAB).astype(np.float32) * LAB_WEIGHTS
    weight = inside.astype(np.float32)
    soft = cv2.GaussianBlur(lab * weight[..., None], (0, 0), _SOFT_MM * _PX_PER_MM)
    total = cv2.GaussianBlur(weight, (0, 0), _SOFT_MM * _PX_PER_MM)
    return np.asarray(soft / np.maximum(total, 1e-3)[..., None], np.float32)


def _first_of_two(colours: Floats) -> Mask | None:
    """(n,) which of some colours (n, 3) are of the first of two kinds, if there are two."""
    ends = colours.mean(axis=0) + np.outer((-1.0, 1.0), _widest(colours))
    for _ in range(_ROUNDS):
        first = np.linalg.norm(colours - ends[0], axis=1) < np.linalg.norm(colours - ends[1], axis=1)
        if first.all() or not first.any():
            return None
        ends = np.array([colours[first].mean(axis=0), colours[~first].mean(axis=0)])
    off = np.linalg.norm(colours - np.where(first[:, None], *ends), axis=1)
    apart = float(np.linalg.norm(ends[0] - ends[1]))
    return first if apart > max(_APART, _TIMES * float(np.sqrt(np.square(off).mean()))) else None


def _widest(colours: Floats) -> NDArray[np.float64]:
    """(3,) the direction in which colours differ most, as far as they do."""
    spread, ways = np.linalg.eigh(np.cov(colours.T))
    return np.asarray(ways[:, -1] * np.sqrt(max(float(spread[-1]), 0.0)), float)


def _core(side: Mask) -> Mask:
    """The largest piece of it."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(side.astype(np.uint8), connectivity=4)
    if count < 2:
        return side
    return np.asarray(labels == 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax()), bool)


def _is_sheet(core: Mask, side: Mask) -> bool:
    """Whether the part of one colour is nearly all in one piece, as large as a sheet, and no border of another."""
    if core.sum() < max(_LEAST_MM2 * _PX_PER_MM**2, _WHOLE * side.sum()):
        return False
    contours, _ = cv2.findContours(core.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    around = cv2.contourArea(cv2.convexHull(np.concatenate(contours)))
    return bool(core.sum() > _FILLED * around)


def _disc(radius_mm: float) -> NDArray[np.uint8]:
    across = 2 * max(round(radius_mm * _PX_PER_MM), 1) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across)), np.uint8)

"""The roads of a printed map by their colour class, in the metric top view.

Road maps print motorways blue, primary routes green, A roads red, B roads orange or brown, minor roads yellow or white.
A thin road is mixed with the ground in every pixel, so that a pixel is taken apart: how much of which print on the
ground around it explains it best.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

CLASSES = ("motorway", "primary", "a", "b", "minor")
# Printed colours, BGR on white paper: our own sheet's, and those of Ordnance Survey's 1:250 000 raster.
_PRINTS: Mapping[str, tuple[tuple[int, int, int], ...]] = MappingProxyType(
    {
        # Rivers are printed in the same blues; breadth tells them apart.
        "motorway": ((212, 140, 54), (190, 112, 40), (222, 172, 110), (188, 157, 90), (150, 118, 40), (236, 156, 12)),
        "primary": ((88, 170, 70), (76, 156, 12), (62, 125, 47)),
        "a": ((96, 96, 226), (148, 52, 220), (68, 68, 173)),
        "b": ((110, 200, 250), (80, 145, 190)),
        "minor": ((250, 252, 252), (110, 235, 250)),
        # What is no road: ink, grid lines, towns, woods.
        "": ((35, 35, 35), (120, 120, 120), (205, 176, 120), (168, 196, 218), (110, 130, 150), (170, 214, 180)),
    }
)  # fmt: skip
# The ground is the median over this breadth, wider than twice any road; the light that of the brightest paper around.
_GROUND_MM, _LIGHT_MM, _PAPER_SHARE = 6.0, 60.0, 0.97
# A print counts from this share of a pixel on, less what it leaves unexplained; white on pale ground says little.
_LEAST_SHARE, _UNEXPLAINED = 0.32, 1.3
_LEAST_CONTRAST: Mapping[str, float] = MappingProxyType({"minor": 0.10})
# Roads are long and thin: gaps up to this are closed, blobs broader and pieces shorter than these are no roads.
_GAP_MM, _BROADEST_MM, _SHORTEST_MM = 1.4, 3.6, 7.0
# White land between blue water is no minor road: those are narrow.
_BROADEST_MINOR_MM = 2.0
# A motorway is at least this broad; a river in the same blue is not.
_MOTORWAY_MM = 1.6
# So many rows at once are told apart: what is made of them stays in the processor's cache, three times as fast.
_BAND_PX = 16


def road_masks(top_bgr: ImageBgr, px_per_mm: float) -> dict[str, Mask]:
    """(rows, columns) by class where its roads lie in a top view at that scale."""
    paper = _on_white_paper(top_bgr, px_per_mm)
    ground = cv2.medianBlur((paper * 255).astype(np.uint8), 2 * round(_GROUND_MM * px_per_mm / 2) + 1)
    around = np.asarray(ground / 255.0, np.float32)
    bands = [slice(top, top + _BAND_PX) for top in range(0, len(paper), _BAND_PX)]
    best = np.concatenate([_best_print(paper[band], around[band]) for band in bands])
    masks = {
        cls: _long_and_thin(best == index, px_per_mm, _BROADEST_MINOR_MM if cls == "minor" else _BROADEST_MM)
        for index, cls in enumerate(CLASSES)
    }
    masks["motorway"] &= _broad(masks["motorway"], _MOTORWAY_MM * px_per_mm)
    masks["motorway"] = _long_and_thin(masks["motorway"], px_per_mm, _BROADEST_MM)
    return masks


def _on_white_paper(top_bgr: ImageBgr, px_per_mm: float) -> Floats:
    """The picture as a share of what white paper sends back there, whatever the light and its colour."""
    block = max(1, round(_LIGHT_MM * px_per_mm / 4))
    rows, columns = (max(1, side // block) for side in top_bgr.shape[:2])
    fields = top_bgr[: rows * block, : columns * block].reshape(rows, block, columns, block, 3)
    white = np.quantile(fields.transpose(0, 2, 4, 1, 3).reshape(rows, columns, 3, -1), _PAPER_SHARE, axis=3)
    around = cv2.blur(cv2.dilate(white.astype(np.float32), np.ones((3, 3), np.uint8)), (3, 3))
    light = cv2.resize(around, (top_bgr.shape[1], top_bgr.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip(top_bgr / np.maximum(light, 20.0), 0, 1), np.float32)


def _best_print(paper: Floats, ground: Floats) -> NDArray[np.int8]:
    """(rows, columns) index of the class that explains the pixel best, -1 for none."""
    # Each colour is a plane of its own: to add up three neighbours takes numpy five times as long.
    around = np.ascontiguousarray(ground.transpose(2, 0, 1))
    off = np.ascontiguousarray(paper.transpose(2, 0, 1)) - around
    best = np.full(paper.shape[:2], _LEAST_SHARE, np.float32)
    which = np.full(paper.shape[:2], -1, np.int8)
    for index, (cls, prints) in enumerate(_PRINTS.items()):
        for colour in prints:
            full = np.asarray(np.array(colour, np.float32)[:, None, None] / 252 - around, np.float32)
            score = _share_of(off, full, _LEAST_CONTRAST.get(cls, 0.16))
            better = score > best
            np.copyto(best, score, where=better)
            np.copyto(which, index if cls else -1, where=better)
    return which


def _share_of(off: Floats, full: Floats, least_contrast: float) -> Floats:
    """(rows, columns) how much of the pixel is that print, less what it leaves unexplained; 0 where print and ground
    are too alike; `off` and `full` (3, rows, columns)."""
    squared = (full * full).sum(axis=0)
    share = (off * full).sum(axis=0) / np.maximum(squared, 1e-6)
    left = np.linalg.norm(off - share * full, axis=0) / np.sqrt(np.maximum(squared, 1e-6))
    score = np.clip(share, 0, 1.1) - _UNEXPLAINED * left
    return np.asarray(np.where(squared > least_contrast**2, score, 0.0), np.float32)


def _long_and_thin(mask: Mask, px_per_mm: float, broadest_mm: float) -> Mask:
    """The mask with gaps closed, without broad fields and short bits."""
    gap, broad = _disc(_GAP_MM * px_per_mm), _disc(broadest_mm * px_per_mm)
    closed = np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, gap), np.uint8)
    fields = np.asarray(cv2.dilate(cv2.morphologyEx(closed, cv2.MORPH_OPEN, broad), _disc(px_per_mm)), np.uint8)
    thin = np.where(fields > 0, 0, closed).astype(np.uint8)
    _, labels, boxes, _ = cv2.connectedComponentsWithStats(thin, connectivity=8)
    extent = np.hypot(boxes[:, cv2.CC_STAT_WIDTH], boxes[:, cv2.CC_STAT_HEIGHT])
    keep = extent >= _SHORTEST_MM * px_per_mm
    keep[0] = False
    return np.asarray(keep[labels], np.bool_)


def _broad(mask: Mask, breadth_px: float) -> Mask:
    """The part of the mask that is at least so broad, with its surroundings."""
    core = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, _disc(breadth_px))
    return np.asarray(cv2.dilate(core, _disc(2 * breadth_px)) > 0)


def _disc(diameter_px: float) -> NDArray[np.uint8]:
    side = max(1, round(diameter_px))
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)

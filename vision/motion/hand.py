"""Hands and sleeves: large changes, or changes that reach in from the picture's edge."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import MultiPoint, MultiPolygon, Polygon, union_all
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from vision.motion.change import Change, Mask

# Larger than any coin with its shadow (the largest coin covers 1140 mm2): a change of this size is a hand at work.
HAND_MM2 = 3000.0
# A change of this size that touches the picture's edge is a sleeve that reaches in.
SLEEVE_MM2 = 800.0
# Gaps in the mask narrower than this are bridged: a sleeve of the table's own colour falls into pieces.
_CLOSE_PX = 9


@dataclass(frozen=True, eq=False)
class Hand:
    """Hands and sleeves in a picture, and what they hide.

    outlines_px  closed outlines (n, 2) in the picture
    cover_mm     what they hide of the table plane, table mm
    reaches_in   whether anything that changed reaches the picture's edge, as an arm does
    """

    outlines_px: tuple[NDArray[np.float64], ...] = ()
    cover_mm: BaseGeometry = field(default_factory=MultiPolygon)
    reaches_in: bool = False

    def __bool__(self) -> bool:
        return bool(self.outlines_px)


NO_HAND = Hand()


# What changed is widened by this much: a moved coin's rim is paler than its middle, and its shadow reaches further.
AROUND_MM = 6.0


def changed_region(change: Change, plane: TablePlane) -> BaseGeometry | None:
    """Where on the table, in mm, the picture differs from the agreed one; None when there is none to compare with."""
    return None if change.first else region_mm(change.changed, change.scale, plane).buffer(AROUND_MM)


def region_mm(mask: Mask, scale: float, plane: TablePlane) -> BaseGeometry:
    """What a mask of a shrunk picture shows of the table."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return _on_table([contour.reshape(-1, 2).astype(float) / scale for contour in contours], plane)


def find_hand(change: Change, plane: TablePlane) -> Hand:
    """The hands in what changed; NO_HAND when every change is small enough to be a piece."""
    if not change.is_changed:
        return NO_HAND
    kernel = np.ones((_CLOSE_PX, _CLOSE_PX), np.uint8)
    closed = cast(Mask, cv2.morphologyEx(change.changed, cv2.MORPH_CLOSE, kernel))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    outlines = [contour.reshape(-1, 2).astype(float) for contour in contours if len(contour) > 2]
    hands = [o for o in outlines if _is_hand(o, change, plane)]
    reaches_in = any(_touches_edge(outline, change.changed.shape) for outline in outlines)
    return _hand([o / change.scale for o in hands], plane, reaches_in) if hands else NO_HAND


def _is_hand(outline: NDArray[np.float64], change: Change, plane: TablePlane) -> bool:
    area_px = float(cv2.contourArea(outline.astype(np.float32)))
    centre = outline.mean(axis=0, keepdims=True)
    px_per_mm = float(plane.px_per_mm(plane.to_table(centre / change.scale))[0]) * change.scale
    area_mm2 = area_px / px_per_mm**2 if np.isfinite(px_per_mm) and px_per_mm > 0 else np.inf
    return area_mm2 > HAND_MM2 or (area_mm2 > SLEEVE_MM2 and _touches_edge(outline, change.changed.shape))


def _touches_edge(outline: NDArray[np.float64], shape: tuple[int, ...]) -> bool:
    u, v = outline.T
    return bool((u <= 1).any() or (v <= 1).any() or (u >= shape[1] - 2).any() or (v >= shape[0] - 2).any())


def _hand(outlines_px: list[NDArray[np.float64]], plane: TablePlane, reaches_in: bool) -> Hand:
    return Hand(tuple(outlines_px), _on_table(outlines_px, plane), reaches_in)


def _on_table(outlines_px: list[NDArray[np.float64]], plane: TablePlane) -> BaseGeometry:
    """The union of closed outlines in the picture, on the table plane; single pixels and lines count as well."""
    grounds = [plane.to_table(outline) for outline in outlines_px]
    seen = [ground[np.isfinite(ground).all(axis=1)] for ground in grounds]
    shapes = [Polygon(g).buffer(0) if len(g) > 2 else MultiPoint(g) for g in seen if len(g)]
    return union_all(shapes)

"""Bare table that the net takes for a sheet: it has the table's colours, and no edge where it ends."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon, contains_xy, union_all
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from vision.detect.sheet.sheet_colour import apart
from vision.detect.solid.glance import Sight
from vision.detection import Detection
from vision.memory.hiding import hidden_by
from vision.metric.topview import TopView

Array = NDArray[np.float64]

# Colours are compared so far within and beyond an outline, every few mm, a little softened.
_WITHIN_MM, _BEYOND_MM, _EVERY_MM, _SOFT_MM = 5.0, 7.0, 3.0, 1.5
# Colours count as one up to so far: across an outline, beyond it from the sheet's own, and
# from there to the table's.
_ACROSS, _OWN, _TABLES = 9.0, 14.0, 10.0
# A sheet without an edge on so much of its outline, where so much of the table has its colour, is table. And one that
# ends with the table on so much has no end in sight. Of 28 true sheets on 33 rendered stills the first has 0.02 at
# most, the second 0.15, the third 0.34; of 12 false ones on photographs, strips of a board beside white sheets and
# tables full of coins, 10 have more than the first two together and the others than the third.
_OPEN, _COMMON, _CUT = 0.08, 0.15, 0.45
# So near the table's edge is at it, and so near another thing is no longer table.
_EDGE_MM, _OTHER_MM = 3.0, 4.0
# The table's colours are read off every so many mm.
_SAMPLED_MM = 10.0


def is_bare(
    sheet: Detection, others: Sequence[Detection], close: Sight[TopView], ground_lab: Array | None = None
) -> bool:
    """Whether a flat thing is none.

    others      what else is there; where these lie, no table shows
    ground_lab  (n, 3) colours of the ground that it would be a part of; None for those all over the table
    """
    at_mm, outward = _around(sheet.footprint)
    beyond_mm = at_mm + _BEYOND_MM * outward
    free = _is_within(beyond_mm, close.view.table_mm)
    if 1 - free.mean() > _CUT:
        return True
    free &= ~_is_on(beyond_mm, others, close.plane)
    within, beyond = _colours(np.stack([at_mm - _WITHIN_MM * outward, beyond_mm]), close)
    own = np.median(within, axis=0)
    is_open = free & (apart(within, beyond) < _ACROSS) & (apart(own, beyond) < _OWN)
    ground = _of_table(close) if ground_lab is None else ground_lab
    return bool(is_open.mean() > _OPEN and (apart(own, ground) < _TABLES).mean() > _COMMON)


def _around(outline: Polygon) -> tuple[Array, Array]:
    """(n, 2) places along an outline, and (n, 2) unit vectors out of it."""
    ring = outline.exterior
    steps = np.linspace(0, 1, max(int(ring.length / _EVERY_MM), 12), endpoint=False)
    at_mm = np.array([ring.interpolate(step, normalized=True).coords[0] for step in steps])
    along = np.roll(at_mm, -1, axis=0) - np.roll(at_mm, 1, axis=0)
    right = np.c_[along[:, 1], -along[:, 0]] / np.maximum(np.hypot(*along.T), 1e-9)[:, None]
    return at_mm, right if ring.is_ccw else -right


def _is_within(places_mm: Array, table_mm: tuple[float, float]) -> NDArray[np.bool_]:
    inside = (places_mm > _EDGE_MM) & (places_mm < np.array(table_mm) - _EDGE_MM)
    return np.asarray(inside.all(axis=1), bool)


def _is_on(places_mm: Array, others: Sequence[Detection], plane: TablePlane) -> NDArray[np.bool_]:
    """(n,) which places other things hide, or nearly."""
    hidden: BaseGeometry = union_all([hidden_by(other, plane).buffer(_OTHER_MM) for other in others])
    return np.asarray(contains_xy(hidden, *places_mm.T), bool)


def _colours(places_mm: Array, close: Sight[TopView]) -> Array:
    """(..., 3) softened, in Lab."""
    view = close.view
    px = view.to_px(places_mm)
    reach = 3 * _SOFT_MM * view.px_per_mm
    size = np.array(view.size_px)
    first = np.clip(np.floor(px.min(axis=(0, 1)) - reach), 0, size - 2).astype(int)
    last = np.clip(np.ceil(px.max(axis=(0, 1)) + reach), first + 2, size).astype(int)
    part = close.seen[first[1] : last[1], first[0] : last[0]]
    soft = cv2.GaussianBlur(cv2.cvtColor(part, cv2.COLOR_BGR2LAB), (0, 0), _SOFT_MM * view.px_per_mm)
    at = np.clip(np.rint(px - first), 0, last - first - 1).astype(int)
    return np.asarray(soft[at[..., 1], at[..., 0]], float)


def _of_table(close: Sight[TopView]) -> Array:
    """(n, 3) colours all over the table as far as the picture shows it, in Lab."""
    shrunk = 1 / (_SAMPLED_MM * close.view.px_per_mm)
    small = cv2.resize(close.seen, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB)[small.any(axis=2)]
    return np.asarray(lab, float)

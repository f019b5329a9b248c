"""How much a stripe as broad as a match stands out along each of many proposals: coarse, cheap, before any is read."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.frame import ImageBgr
from vision.metric.sampling import colours_at

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

# Columns along the inner 33 mm of a match, in three parts; rows of half a millimetre across it.
_PARTS, _COLUMNS, _ROWS = 3, 4, 24
_COLUMN_MM, _ROW_MM = 2.75, 0.5
# The stripe is three rows broad, and so is the ground beside it, five rows away.
_BROAD, _BESIDE = 3, 5
# By how many rows its middle may rise or fall from part to part (10 degrees).
_SLOPES = range(-4, 5)
# No column counts for more than this step, in levels: a match is even, other stripes have parts that shine.
_MOST = 60.0


def stripes(image_bgr: ImageBgr, plane: TablePlane, at_mm: Array, angle_rad: Array) -> Floats:
    """(n,) by how many levels a stripe along each proposal differs from the ground on both sides of it."""
    count = len(at_mm)
    if not count:
        return np.zeros(0, np.float32)
    levels = _sampled(image_bgr, plane, at_mm, angle_rad)
    broad = cv2.blur(levels, (1, _BROAD)).astype(np.int16).reshape(count, _ROWS, _PARTS * _COLUMNS, 3)
    middle = broad[:, _BESIDE:-_BESIDE]
    one, other = middle - broad[:, : -2 * _BESIDE], middle - broad[:, 2 * _BESIDE :]
    both = np.einsum("nrci,nrci->nrc", one, other, dtype=np.float32)
    step = np.minimum(np.sqrt(np.maximum(both, 0)), _MOST)
    parts = np.sqrt(step).reshape(count, -1, _PARTS, _COLUMNS).mean(axis=3)
    return np.asarray(_best_line(parts) ** 2, np.float32)


def _sampled(image_bgr: ImageBgr, plane: TablePlane, at_mm: Array, angle_rad: Array) -> NDArray[np.uint8]:
    """(n * rows, columns, 3) the picture about each proposal, patch under patch."""
    ahead = np.stack([np.cos(angle_rad), np.sin(angle_rad)], axis=1)
    across = np.stack([ahead[:, 1], -ahead[:, 0]], axis=1)
    # A match is small: over so little of the table the picture is as good as affine.
    centre, to_ahead, to_across = plane.to_image(np.concatenate([at_mm, at_mm + ahead, at_mm + across])).reshape(
        3, -1, 2
    )
    along = (to_ahead - centre)[:, None] * _offsets(_PARTS * _COLUMNS, _COLUMN_MM)
    down = (to_across - centre)[:, None] * _offsets(_ROWS, _ROW_MM)
    line = np.nan_to_num(centre[:, None] + along, nan=-1e4).astype(np.float32)
    rows = np.nan_to_num(down).astype(np.float32)
    u, v = ((line[:, None, :, axis] + rows[:, :, None, axis]).reshape(-1, line.shape[1]) for axis in (0, 1))
    return colours_at(image_bgr, u, v)


def _offsets(count: int, step_mm: float) -> Array:
    """(count, 1) places in a row about its middle, mm."""
    return np.asarray((np.arange(count)[:, None] - (count - 1) / 2) * step_mm, float)


def _best_line(parts: Floats) -> Floats:
    """(n,) the mean along the best straight line through parts (n, rows, 3)."""
    high = parts.shape[1]
    best = np.zeros(len(parts), np.float32)
    for slope in _SLOPES:
        first, last = abs(slope), high - abs(slope)
        ends = parts[:, first - slope : last - slope, 0] + parts[:, first + slope : last + slope, 2]
        np.maximum(best, (ends + parts[:, first:last, 1]).max(axis=1), out=best)
    return best / np.float32(_PARTS)

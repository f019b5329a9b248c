"""What a net says of the pieces of a table, on one map of the whole: a plate may lie on four of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from models import solids
from vision.detect.solid.glance import Glance, Sight, cells_mm
from vision.metric.topview import TopView
from vision.metric.upright import UprightView

Floats = NDArray[np.float32]
Window = tuple[slice, slice]
# Pieces of two large tables.
_PIECES = 64
_STITCHED = (solids.HAND, solids.HEIGHT, *range(solids.GROUND.start, solids.GROUND.stop))


def stitched(glances: Sequence[Glance[UprightView]], whole: Sight[TopView]) -> Glance[TopView]:
    """Cells of `whole` as the piece says on which it lies, or the nearest as far as it sees; nothing of figures."""
    rows, columns = (side // solids.CELL_PX for side in whole.view.size_px[::-1])
    maps = np.zeros((solids.CHANNELS, rows, columns), np.float32)
    shown = np.zeros((rows, columns), bool)
    ends_mm = _ends_mm([glance.view for glance in glances])
    for glance in glances:
        window, owned, at = _cells_of(glance.view, whole.view, ends_mm)
        for channel in _STITCHED:
            seen = cv2.remap(glance.maps[channel], *at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            maps[channel][window][owned] = seen[owned]
        visible = cv2.remap(glance.shown.astype(np.uint8), *at, cv2.INTER_NEAREST)
        shown[window][owned] = visible[owned] > 0
    return Glance(whole.plane, whole.view, whole.seen, maps, shown)


def _ends_mm(pieces: Sequence[UprightView]) -> tuple[float, ...]:
    """Left, near, right and far end of all pieces; what lies on the last two is no longer on them."""
    corners = np.array([piece.piece_mm for piece in pieces]).reshape(-1, 2)
    return (*corners.min(axis=0).tolist(), *np.nextafter(corners.max(axis=0), -np.inf).tolist()) if pieces else ()


@lru_cache(_PIECES)
def _cells_of(
    piece: UprightView, view: TopView, ends_mm: tuple[float, ...]
) -> tuple[Window, NDArray[np.bool_], tuple[Floats, Floats]]:
    """The window of a top view's cells around a piece, which of them it owns, and where they lie in its own cells."""
    at_mm = cells_mm(view)
    owned = piece.owns(np.clip(at_mm, ends_mm[:2], ends_mm[2:]))
    rows, columns = (np.flatnonzero(owned.any(axis=axis)) for axis in (1, 0))
    window = (slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1))
    at = (piece.to_px(at_mm[window]) - (solids.CELL_PX - 1) / 2) / solids.CELL_PX
    return window, owned[window], (np.asarray(at[..., 0], np.float32), np.asarray(at[..., 1], np.float32))

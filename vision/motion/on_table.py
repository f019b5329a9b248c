"""What of a change reaches the table: players sit behind it, and somebody walks by."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely.affinity import scale

from calibration.plane import TablePlane
from vision.metric.outline import mask_of, outline_px
from vision.motion.change import Change

Mask = NDArray[np.uint8]

# Who sits at the table shows up to its very side, which is known to so many px of a shrunk picture (480 across).
_SIDE_PX = 2
# Gaps of an arm narrower than this are bridged, as in `vision.motion.hand`.
_CLOSE_PX = 9
# The paler edge of who is beside the table, in px of a shrunk picture.
_EDGE = np.ones((5, 5), np.uint8)


@dataclass(eq=False)
class OnTable:
    """Keeps where the table shows, as long as the plane is the same."""

    _plane: TablePlane | None = None
    # Where a shrunk picture shows it; None where that is not known.
    shows: Mask | None = None

    def __call__(self, change: Change, plane: TablePlane, size_mm: tuple[float, float]) -> Change:
        """What moves on the table, the playing area, and what changed there or is connected with that."""
        if self._plane is not plane or (self.shows is not None and self.shows.shape != change.changed.shape):
            self._plane, self.shows = plane, _table_in(change, plane, size_mm)
        if self.shows is None:
            return change
        moving = np.asarray(cv2.bitwise_and(change.moving, self.shows), np.uint8)
        return replace(change, moving=moving, changed=_reaching(change.changed, self.shows))

    def beside(self, change: Change, plane: TablePlane, size_mm: tuple[float, float]) -> Mask:
        """Where what changed is not on the table."""
        on_table = self(change, plane, size_mm).changed
        beside = cv2.dilate(cv2.subtract(change.changed, on_table), _EDGE)
        shows = np.zeros_like(beside) if self.shows is None else self.shows
        return np.asarray(cv2.subtract(beside, cv2.bitwise_or(on_table, shows)), np.uint8)


def _table_in(change: Change, plane: TablePlane, size_mm: tuple[float, float]) -> Mask | None:
    """Where the table shows in a shrunk picture, but for its sides; None where `outline_px` knows none."""
    shown = outline_px(plane, size_mm)
    if shown is None:
        return None
    shrunk = scale(shown, change.scale, change.scale, origin=(0, 0))
    return mask_of(shrunk.buffer(-_SIDE_PX), change.changed.shape)


def _reaching(differs: Mask, table: Mask) -> Mask:
    """What differs on the table, and what is connected with that."""
    if not cv2.countNonZero(cv2.subtract(differs, table)):
        return differs
    closed = cv2.morphologyEx(differs, cv2.MORPH_CLOSE, np.ones((_CLOSE_PX, _CLOSE_PX), np.uint8))
    count, parts = cv2.connectedComponents(closed)
    kept = np.zeros(count, np.uint8)
    kept[parts[cv2.bitwise_and(differs, table) > 0]] = 255
    return np.asarray(cv2.bitwise_and(differs, kept[parts]), np.uint8)

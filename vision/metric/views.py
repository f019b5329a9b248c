"""The top views of one table: built when first asked for, kept for as long as camera and picture size stay."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from calibration.plane import TablePlane
from vision.frame import Frame
from vision.metric.topview import TopView

# A coin at the table's edge sticks out by its radius.
_MARGIN_MM = 25.0
# Where no table size is told: what the picture shows, but no more than a large table.
_LARGEST_TABLE_MM = 2000.0


@dataclass(eq=False)
class Views:
    """Top views by what nets want of them.

    table_size_mm  (width, depth) of the playing area; without it, what the picture shows beyond the origin
    beyond_mm      how far beyond its sides they show
    """

    table_size_mm: tuple[float, float] | None = None
    beyond_mm: float = 0.0
    _plane: TablePlane | None = field(default=None, repr=False)
    _kept: dict[tuple[float, ...], TopView] = field(default_factory=dict, repr=False)

    def of(self, frame: Frame, plane: TablePlane, px_per_mm: float, height_mm: float, multiple_px: int) -> TopView:
        """The view of the plane `height_mm` above the table, its sides multiples of `multiple_px`."""
        height_px, width_px = frame.image_bgr.shape[:2]
        if self._plane is not plane:
            self._plane, self._kept = plane, {}
        key = (px_per_mm, height_mm, multiple_px, width_px, height_px)
        if key not in self._kept:
            margin_mm = _MARGIN_MM + self.beyond_mm
            size_mm = self.table_size_mm or _shown_size_mm(plane, width_px, height_px)
            self._kept[key] = TopView.of_table(plane, size_mm, px_per_mm, height_mm, margin_mm, multiple_px)
        return self._kept[key]


def _shown_size_mm(plane: TablePlane, width_px: int, height_px: int) -> tuple[float, float]:
    """Width and depth from the origin to the farthest table point that the picture shows, within reason."""
    corners = np.array([(x, y) for x in np.linspace(0, width_px - 1, 9) for y in np.linspace(0, height_px - 1, 9)])
    shown = plane.to_table(corners)
    reach = np.clip(np.nan_to_num(shown, nan=_LARGEST_TABLE_MM), 1.0, _LARGEST_TABLE_MM).max(axis=0)
    return float(reach[0]), float(reach[1])

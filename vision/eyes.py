"""The eyes: one look at a whole table, every kind of piece."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from calibration.plane import TablePlane
from models.coins import CELL_PX, TOPVIEW_PX_PER_MM, TYPICAL_THICKNESS_MM
from models.loading import load_model
from vision.detect.coins import find_coins
from vision.detection import Detection
from vision.frame import Frame
from vision.topview import TopView

# A coin at the table's edge sticks out by its radius; a centre a little over the edge is still on it.
_MARGIN_MM = 25.0
_OVER_EDGE_MM = 3.0
# The detector halves its input four times.
_MULTIPLE_PX = 4 * CELL_PX
# Where no table size is told: what the picture shows, but no more than a large table.
_LARGEST_TABLE_MM = 2000.0


@dataclass(eq=False)
class Eyes:
    """Looks at whole tables. The top view is built at the first look and kept for as long as plane and picture stay.

    table_size_mm  (width, depth) of the playing area; without it, what the picture shows beyond the origin
    expected       weight of each currency (gbp, eur, usd) before looking, where the set-up tells
    """

    table_size_mm: tuple[float, float] | None = None
    expected: Mapping[str, float] | None = None
    _view: tuple[TablePlane, tuple[int, ...], TopView] | None = field(default=None, repr=False)

    @classmethod
    def packaged(
        cls, table_size_mm: tuple[float, float] | None = None, expected: Mapping[str, float] | None = None
    ) -> Eyes:
        """Eyes with the packaged models, loaded now. Raises models.loading.ModelError."""
        for name in ("coin_detector", "coin_classifier"):
            load_model(name)
        return cls(table_size_mm, expected)

    def look(self, frame: Frame, plane: TablePlane) -> tuple[Detection, ...]:
        """Everything that shows on the table, once, without memory."""
        view = self._view_of(plane, frame)
        coins = find_coins(frame.image_bgr, plane, view, self.expected)
        return tuple(coin for coin in coins if self._is_on_table(coin))

    def _view_of(self, plane: TablePlane, frame: Frame) -> TopView:
        shape = frame.image_bgr.shape
        if self._view is None or self._view[0] is not plane or self._view[1] != shape:
            size_mm = self.table_size_mm or _shown_size_mm(plane, shape[1], shape[0])
            view = TopView.of_table(plane, size_mm, TOPVIEW_PX_PER_MM, TYPICAL_THICKNESS_MM, _MARGIN_MM, _MULTIPLE_PX)
            self._view = plane, shape, view
        return self._view[2]

    def _is_on_table(self, piece: Detection) -> bool:
        if self.table_size_mm is None:
            return True
        return all(
            -_OVER_EDGE_MM <= at <= size + _OVER_EDGE_MM
            for at, size in zip(piece.position_mm, self.table_size_mm, strict=True)
        )


def _shown_size_mm(plane: TablePlane, width_px: int, height_px: int) -> tuple[float, float]:
    """Width and depth from the origin to the farthest table point that the picture shows, within reason."""
    corners = np.array([(x, y) for x in np.linspace(0, width_px - 1, 9) for y in np.linspace(0, height_px - 1, 9)])
    shown = plane.to_table(corners)
    reach = np.clip(np.nan_to_num(shown, nan=_LARGEST_TABLE_MM), 1.0, _LARGEST_TABLE_MM).max(axis=0)
    return float(reach[0]), float(reach[1])

"""What the solids net says of one top view."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models import solids
from vision.frame import ImageBgr
from vision.heat import HeatMemory, heat_maps
from vision.topview import TopView

Array = NDArray[np.float64]

# The net is not asked what stands beyond the picture's edge.
_NOTHING = -20.0
# How far the close view is softened: the nets learned from things rendered at 1.25 px/mm.
_SOFT_PX = 1.0
# What depends on camera and view alone is kept for two tables, each seen at two scales.
_VIEWS = 4


@dataclass(frozen=True, eq=False)
class Glance:
    """Maps of the net, and what they were read from.

    plane  the table
    view   where each pixel of `top` lies on it
    top    (h, w, 3) the picture as seen from above
    maps   (models.solids.CHANNELS, h / CELL_PX, w / CELL_PX)
    shown  (h / CELL_PX, w / CELL_PX) the cells that the picture shows
    """

    plane: TablePlane
    view: TopView
    top: ImageBgr
    maps: NDArray[np.float32]
    shown: NDArray[np.bool_]

    @classmethod
    def far(cls, plane: TablePlane, view: TopView, close_top: ImageBgr, size_px: tuple[int, int]) -> Glance:
        """Terrain and large figures; `close_top` is the close view of the same table, `size_px` the picture's size."""
        # Pixels of twice the size, softened by one of the smaller: what the nets learned from was rendered no sharper.
        top = np.asarray(cv2.pyrDown(close_top), np.uint8)
        maps = heat_maps("solids", top, {"slant": slant_of(plane, view)})
        return cls._masked(plane, view, top, maps, size_px)

    @classmethod
    def close(
        cls, plane: TablePlane, view: TopView, top: ImageBgr, size_px: tuple[int, int], memory: HeatMemory
    ) -> Glance:
        """Figures of any size, looked for only where the picture changed."""
        soft = np.asarray(cv2.GaussianBlur(top, (0, 0), _SOFT_PX), np.uint8)
        return cls._masked(plane, view, top, memory.of(soft, {"slant": slant_of(plane, view)}), size_px)

    @classmethod
    def _masked(
        cls, plane: TablePlane, view: TopView, top: ImageBgr, maps: NDArray[np.float32], size_px: tuple[int, int]
    ) -> Glance:
        shown, maps = shown_cells(plane, view, size_px), maps.copy()
        maps[solids.HEAT, ~shown] = _NOTHING
        maps[solids.GROUND.start + 1 : solids.GROUND.stop, ~shown] = _NOTHING
        return cls(plane, view, top, maps, shown)


@lru_cache(_VIEWS)
def slant_of(plane: TablePlane, view: TopView) -> NDArray[np.float32]:
    """(2, rows, columns) `models.solids.SLANT_PX`: away from the foot of the camera, as far as it is high."""
    at_mm = _cells_mm(view)
    *foot_mm, high_mm = plane.camera_position_mm
    away = (at_mm - foot_mm) / high_mm * (1, -1)
    return np.ascontiguousarray(np.moveaxis(away, -1, 0), np.float32)


@lru_cache(_VIEWS)
def shown_cells(plane: TablePlane, view: TopView, size_px: tuple[int, int]) -> NDArray[np.bool_]:
    """(rows, columns) cells whose middle the picture of that size shows."""
    at_mm = _cells_mm(view)
    px = plane.to_image(at_mm.reshape(-1, 2)).reshape(at_mm.shape)
    return np.asarray(((px >= 0) & (px <= np.array(size_px) - 1)).all(axis=-1), bool)


def _cells_mm(view: TopView) -> Array:
    """(rows, columns, 2) where the middles of the net's cells lie on the table."""
    columns, rows = (side // solids.CELL_PX for side in view.size_px)
    cells = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1)
    px = cells.reshape(-1, 2) * solids.CELL_PX + (solids.CELL_PX - 1) / 2
    return view.to_table(np.asarray(px, float)).reshape(rows, columns, 2)

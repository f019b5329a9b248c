"""What the solids net says of one top view."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models import solids
from vision.frame import ImageBgr
from vision.metric.heat import BLOCK_PX, Blocks, HeatMemory
from vision.metric.topview import TopView
from vision.metric.upright import UprightView

Array = NDArray[np.float64]

# The net is not asked what stands beyond the picture's edge.
NOTHING = -20.0
# How far upright views are softened: the nets learned from things rendered no sharper.
_SOFT_PX = 1.0
# What depends on camera and view alone is kept for two large tables, each seen from above and thrice in pieces.
_VIEWS = 96


V = TypeVar("V", TopView, UprightView)


@dataclass(frozen=True, eq=False)
class Sight(Generic[V]):
    """A table as one view shows it.

    plane  the table
    view   where each pixel of `seen` lies on it
    seen   (h, w, 3) the picture in that view
    """

    plane: TablePlane
    view: V
    seen: ImageBgr

    @property
    def halved(self: Sight[TopView]) -> Sight[TopView]:
        """The same sight with its view at half the scale."""
        return Sight(self.plane, self.view.halved, np.asarray(cv2.pyrDown(self.seen), np.uint8))


@dataclass(frozen=True, eq=False)
class Glance(Sight[V]):
    """Maps of a net, and what they were read from.

    maps   (models.solids.CHANNELS, h / CELL_PX, w / CELL_PX)
    shown  (h / CELL_PX, w / CELL_PX) the cells that the picture shows, of those that the net was asked about
    """

    maps: NDArray[np.float32]
    shown: NDArray[np.bool_]

    def says_as(self, before: Glance[V] | None) -> bool:
        """Whether an earlier glance under the same camera said the same."""
        return before is not None and before.plane is self.plane and np.array_equal(before.maps, self.maps)


def glance(
    sight: Sight[UprightView], size_px: tuple[int, int], memory: HeatMemory, asked: Blocks | None
) -> Glance[UprightView]:
    """What the net of `memory` says of the view, asked again only where the picture changed.

    size_px  (width, height) of the camera's picture
    asked    blocks in which the net is asked at all; None for everywhere
    """
    soft = np.asarray(cv2.GaussianBlur(sight.seen, (0, 0), _SOFT_PX), np.uint8)
    maps = memory.of(soft, {"slant": slant_of(sight.plane, sight.view)}, asked).copy()
    shown = shown_cells(sight.view, size_px)
    if asked is not None:
        shown = shown & np.kron(asked | memory.known, np.ones((BLOCK_PX // solids.CELL_PX,) * 2, bool))
    maps[solids.HEAT, ~shown] = NOTHING
    maps[solids.GROUND.start + 1 : solids.GROUND.stop, ~shown] = NOTHING
    return Glance(sight.plane, sight.view, sight.seen, maps, shown)


@lru_cache(_VIEWS)
def slant_of(plane: TablePlane, view: TopView | UprightView) -> NDArray[np.float32]:
    """(2, rows, columns) `models.solids.SLANT_PX`: away from the foot of the camera, as far as it is high."""
    at_mm = cells_mm(view)
    *foot_mm, high_mm = plane.camera_position_mm
    away_mm = (at_mm - foot_mm) / high_mm
    away = (view.to_px(at_mm + away_mm) - view.to_px(at_mm)) / view.px_per_mm
    return np.ascontiguousarray(np.moveaxis(away, -1, 0), np.float32)


@lru_cache(_VIEWS)
def shown_cells(view: TopView | UprightView, size_px: tuple[int, int]) -> NDArray[np.bool_]:
    """(rows, columns) cells whose middle the picture of that size shows."""
    return view.remap.shows(size_px, solids.CELL_PX)


def cells_mm(view: TopView | UprightView) -> Array:
    """(rows, columns, 2) where the middles of the net's cells lie on the table."""
    columns, rows = (side // solids.CELL_PX for side in view.size_px)
    cells = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1)
    px = cells.reshape(-1, 2) * solids.CELL_PX + (solids.CELL_PX - 1) / 2
    return view.to_table(np.asarray(px, float)).reshape(rows, columns, 2)

"""Soldiers, bases and household terrain: proposed by the solids net where they touch the table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models import solids
from models.loading import load_model
from vision.colour import PAINT_BGR
from vision.detect.figures import find_figures
from vision.detect.terrain import find_terrain
from vision.detection import Detection
from vision.frame import ImageBgr
from vision.topview import TopView

Array = NDArray[np.float64]

# The net is not asked what stands beyond the picture's edge.
_NOTHING = -20.0


def look_for_solids(
    image_bgr: ImageBgr,
    plane: TablePlane,
    view: TopView,
    colours: tuple[str, ...] = tuple(PAINT_BGR),
    names: Sequence[str] = solids.FIGURES,
) -> list[Detection]:
    """Everything that stands on the table.

    colours  those that an army may have
    names    the figures that may be there; one game plays with toy soldiers, another with miniatures
    """
    top = view.resample(image_bgr)
    picture = np.ascontiguousarray(top.transpose(2, 0, 1)[None], np.float32)
    (output,) = load_model("solids").run(None, {"picture": picture, "slant": slant_of(plane, view)[None]})
    shown = shown_cells(plane, view, (image_bgr.shape[1], image_bgr.shape[0]))
    maps = np.asarray(output[0])
    maps[solids.HEAT, ~shown] = _NOTHING
    maps[solids.GROUND.start + 1 : solids.GROUND.stop, ~shown] = _NOTHING
    terrain = find_terrain(maps, top, plane, view, shown)
    return [*find_figures(maps, top, plane, view, terrain, colours, names), *terrain]


def slant_of(plane: TablePlane, view: TopView) -> NDArray[np.float32]:
    """(2, rows, columns) `models.solids.SLANT_PX`: away from the foot of the camera, as far as it is high."""
    at_mm = _cells_mm(view)
    *foot_mm, high_mm = plane.camera_position_mm
    away = (at_mm - foot_mm) / high_mm * (1, -1)
    return np.ascontiguousarray(np.moveaxis(away, -1, 0), np.float32)


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

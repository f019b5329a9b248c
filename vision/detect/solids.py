"""Soldiers, bases and household terrain: proposed by the solids net where they touch the table."""

from __future__ import annotations

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

# Beyond the picture's edge a top view is black; the net is not asked what stands there.
_NOTHING = -20.0


def look_for_solids(
    image_bgr: ImageBgr, plane: TablePlane, view: TopView, colours: tuple[str, ...] = tuple(PAINT_BGR)
) -> list[Detection]:
    """Everything that stands on the table. `colours` are those that an army may have."""
    top = view.resample(image_bgr)
    picture = np.ascontiguousarray(top.transpose(2, 0, 1)[None], np.float32)
    (output,) = load_model("solids").run(None, {"picture": picture, "slant": slant_of(plane, view)[None]})
    maps = _within_picture(np.asarray(output[0]), top)
    terrain = find_terrain(maps, top, plane, view)
    return [*find_figures(maps, top, plane, view, terrain, colours), *terrain]


def slant_of(plane: TablePlane, view: TopView) -> NDArray[np.float32]:
    """(2, rows, columns) `models.solids.SLANT_PX`: away from the foot of the camera, as far as it is high."""
    columns, rows = (side // solids.SLANT_PX for side in view.size_px)
    cells = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2)
    at_mm = view.to_table(np.asarray(cells * solids.SLANT_PX + (solids.SLANT_PX - 1) / 2, float))
    *foot_mm, high_mm = plane.camera_position_mm
    away = (at_mm - foot_mm) / high_mm * (1, -1)
    return np.ascontiguousarray(away.T.reshape(2, rows, columns), np.float32)


def hand_mask(maps: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Cells of the top view that a hand or sleeve hides."""
    return np.asarray(maps[solids.HAND] > 0)


def _within_picture(maps: NDArray[np.float32], top: ImageBgr) -> NDArray[np.float32]:
    """The maps with nothing where the picture does not reach."""
    rows, columns = maps.shape[1:]
    cells = top.reshape(rows, solids.CELL_PX, columns, solids.CELL_PX * 3)
    beyond = ~cells.any(axis=(1, 3))
    maps[solids.HEAT, beyond] = _NOTHING
    maps[solids.GROUND.start + 1 : solids.GROUND.stop, beyond] = _NOTHING
    return maps

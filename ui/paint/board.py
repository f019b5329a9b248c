"""The table drawn without a camera: its map from straight above, for replays and typed matches."""

from __future__ import annotations

import numpy as np
from shapely import box

from rules.game import Mark
from rules.setup import Setup
from ui.paint.projection import BoardView
from vision.frame import Frame

# Dark slate, so that coins in any colour and the overlays stand out.
_GROUND_BGR = (44, 38, 32)
SIZE_PX = (1600, 1240)
# The strip with the last verdict lies below the table.
_FOOT_PX = 175.0


def board_view(table_size_mm: tuple[float, float], beyond_mm: float = 0.0) -> BoardView:
    """Where the table lies in the drawn picture; `beyond_mm` is how far its hexes stick out over it."""
    return BoardView(table_size_mm, SIZE_PX, foot_px=_FOOT_PX, beyond_mm=beyond_mm)


def board_frame(time_s: float = 0.0) -> Frame:
    """An empty picture to draw the board on."""
    return Frame(np.full((SIZE_PX[1], SIZE_PX[0], 3), _GROUND_BGR, np.uint8), 0, time_s, "board")


def board_marks(setup: Setup) -> tuple[Mark, ...]:
    """The table's edge and the map, the least important first."""
    marks = [Mark("table", box(0, 0, *setup.table_size_mm))]
    if setup.map is not None:
        marks += [Mark("water", area) for area in setup.map.water]
        marks += [Mark("water", river) for river in setup.map.rivers]
        marks += [Mark(f"road-{road.cls}", road.line) for road in setup.map.roads]
        marks += [Mark("place", place.geometry) for place in setup.map.places if place.geometry.geom_type != "Point"]
    return tuple(marks)

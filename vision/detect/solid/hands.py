"""Hands and sleeves in a still picture, by the net of terrain: what they hide is not seen, and they are no terrain."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import MultiPolygon, Polygon

from calibration.plane import TablePlane
from models import solids
from vision.detect.solid.glance import Glance, Sight
from vision.detect.solid.stitch import stitched
from vision.detect.solid.survey import Survey
from vision.frame import Frame
from vision.metric.topview import TopView

# A patch of even chances that is as large, and on average as sure, is a hand: of 19 true patches on 90 rendered tables
# that the net never saw 14 are, and nothing else is (the nearest has 0.81).
_LEAST_MM2, _SURE = 2500.0, 0.86
# One that comes in over the edge of the view, as arms do, need not be so sure: on 38 rendered stills two hands at 0.78
# and 0.82 and nothing else as large, on 160 photographs nothing more.
_SURE_AT_EDGE = 0.76
# Nor one as large as most of a hand, whose sleeve the net does not see: of 22 tables with traced arms five more are
# told so, and of 148 pictures without hands the surest patch that is large at all has 0.71, and 4600 mm2.
_WHOLE_MM2 = 5000.0


def hands_in(glance: Glance[TopView]) -> MultiPolygon:
    """What hands hide of the table, in mm; empty where none is seen."""
    chances = 1 / (1 + np.exp(-np.where(glance.shown, glance.maps[solids.HAND], -np.inf)))
    cell_mm2 = (solids.CELL_PX / glance.view.px_per_mm) ** 2
    count, labels, stats, _ = cv2.connectedComponentsWithStats((chances > 0.5).astype(np.uint8), connectivity=4)
    large = np.flatnonzero(stats[1:count, cv2.CC_STAT_AREA] * cell_mm2 >= _LEAST_MM2) + 1
    sure = [labels == n for n in large if chances[labels == n].mean() >= _needed(labels == n, cell_mm2)]
    return MultiPolygon([outline for patch in sure for outline in _outlines(patch, glance.view)])


def _needed(patch: NDArray[np.bool_], cell_mm2: float) -> float:
    """How sure a patch must be."""
    comes_in = patch[[0, -1]].any() or patch[:, [0, -1]].any()
    is_whole = np.count_nonzero(patch) * cell_mm2 >= _WHOLE_MM2
    return _SURE_AT_EDGE if comes_in or is_whole else _SURE


def _outlines(patch: NDArray[np.bool_], view: TopView) -> list[Polygon]:
    """Around all of the patch's cells: half a cell beyond their middles."""
    contours, _ = cv2.findContours(patch.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    cells = (contour.reshape(-1, 2).astype(float) for contour in contours if len(contour) > 2)
    rings = (view.to_table(at * solids.CELL_PX + (solids.CELL_PX - 1) / 2) for at in cells)
    wide = (Polygon(ring).buffer(solids.CELL_PX / 2 / view.px_per_mm) for ring in rings)
    return [outline for outline in wide if isinstance(outline, Polygon)]


def hands_over(frame: Frame, plane: TablePlane, table_size_mm: tuple[float, float]) -> tuple[str, ...]:
    """One line for each hand in a still picture: where it is, and how much of the table it hides at least."""
    view = TopView.of_table(plane, table_size_mm, solids.TERRAIN_LOOK.px_per_mm, 0.0, 0.0, solids.CELL_PX)
    glances = Survey(solids.TERRAIN_LOOK).of(frame.image_bgr, plane, view)
    hands = hands_in(stitched(glances, Sight(plane, view, view.resample(frame.image_bgr)))).geoms
    return tuple(
        f"a hand or sleeve hides at least {hand.area / (table_size_mm[0] * table_size_mm[1]):.0%} of the table around"
        f" ({hand.centroid.x:.0f}, {hand.centroid.y:.0f}) mm; what lies under it is not seen"
        for hand in hands
    )

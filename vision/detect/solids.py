"""Soldiers, bases and household terrain: proposed by the solids net where they touch the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from calibration.plane import TablePlane
from models import solids
from vision.colour import PAINT_BGR
from vision.detect.figures import find_figures
from vision.detect.glance import Glance
from vision.detect.terrain import find_terrain
from vision.detect.terrain_shape import TerrainMemory
from vision.detection import Detection
from vision.frame import ImageBgr
from vision.heat import HeatMemory
from vision.topview import TopView

# A figure is reported from this chance on, both looks together; of one so large or so small that only one look is asked
# for it (base radii in mm), from a lower one on (rendered pictures, seeds 5 and 6).
_SURE, _SURE_BY_ONE = 0.55, 0.45
_SEEN_BY_BOTH_MM = (5.0, 15.0)


@dataclass(eq=False)
class SolidMemory:
    """Looks for what stands on a table. What the close look and measurements said is kept where nothing changed."""

    _close: HeatMemory = field(default_factory=lambda: HeatMemory("solids_close", stride_px=solids.STRIDE_PX))
    _terrain: TerrainMemory = field(default_factory=TerrainMemory)

    def look(
        self,
        image_bgr: ImageBgr,
        plane: TablePlane,
        view: TopView,
        colours: tuple[str, ...] = tuple(PAINT_BGR),
        names: Sequence[str] = solids.FIGURES,
    ) -> list[Detection]:
        """Everything that stands on the table.

        view     the close one of `models.solids`, its sides multiples of twice the stride: men of an inch show there,
                 terrain and large figures at half its scale
        colours  those that an army may have
        names    the figures that may be there; one game plays with toy soldiers, another with miniatures
        """
        size_px, top = (image_bgr.shape[1], image_bgr.shape[0]), view.resample(image_bgr)
        far, close = Glance.far(plane, view.halved, top, size_px), Glance.close(plane, view, top, size_px, self._close)
        terrain = self._terrain.measured(find_terrain(far), close)
        figures = together(*(find_figures(glance, terrain, colours, names) for glance in (far, close)))
        return [*filter(_is_sure, figures), *terrain]


def _is_sure(figure: Detection) -> bool:
    low_mm, high_mm = _SEEN_BY_BOTH_MM
    return figure.confidence >= (_SURE if low_mm <= _radius_mm(figure) <= high_mm else _SURE_BY_ONE)


def together(far: Sequence[Detection], close: Sequence[Detection]) -> list[Detection]:
    """What either look sees, each figure once: where the surer one sees it, and as sure as both make it."""
    single, pairs = list(close), []
    for figure in sorted(far, key=lambda figure: -figure.confidence):
        same = [other for other in single if _same(figure, other)]
        if not same:
            pairs.append(figure)
            continue
        other = max(same, key=lambda other: other.confidence)
        single.remove(other)
        surer = max(figure, other, key=lambda figure: figure.confidence)
        pairs.append(replace(surer, confidence=1 - (1 - figure.confidence) * (1 - other.confidence)))
    return _once_each([*pairs, *single])


def _once_each(figures: Sequence[Detection]) -> list[Detection]:
    """Without those that stand on the base of a surer one."""
    kept: list[Detection] = []
    for figure in sorted(figures, key=lambda figure: -figure.confidence):
        if not any(_same(figure, other) for other in kept):
            kept.append(figure)
    return kept


def _same(one: Detection, other: Detection) -> bool:
    """Whether one stands on the other's base."""
    return _apart_mm(one, other) <= max(_radius_mm(one), _radius_mm(other))


def _apart_mm(one: Detection, other: Detection) -> float:
    return float(np.hypot(*np.subtract(one.position_mm, other.position_mm)))


def _radius_mm(figure: Detection) -> float:
    return float(np.sqrt(figure.footprint.area / np.pi))

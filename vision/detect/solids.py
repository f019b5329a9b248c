"""Soldiers, bases and household terrain: two nets say where they touch the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from shapely import Polygon

from calibration.plane import TablePlane
from models import solids
from vision.colour import PAINT_BGR
from vision.detect.chance import worth_a_look
from vision.detect.figures import find_figures
from vision.detect.gathered import GatheredMemory
from vision.detect.glance import Sight
from vision.detect.hands import hands_in
from vision.detect.joined import joined
from vision.detect.overhang import OverhangMemory
from vision.detect.stitch import stitched
from vision.detect.survey import Survey
from vision.detect.terrain_shape import TerrainMemory
from vision.detect.vessels import VesselMemory
from vision.detection import Detection
from vision.frame import ImageBgr
from vision.topview import TopView

# Scale of the top view on whose edges terrain is measured.
EDGES_PX_PER_MM = 2.0


@dataclass(eq=False)
class SolidMemory:
    """Looks for what stands on a table. What the nets and measurements said is kept where nothing changed."""

    _for_terrain: Survey = field(default_factory=lambda: Survey(solids.TERRAIN_LOOK))
    _for_figures: Survey = field(default_factory=lambda: Survey(solids.FIGURES_LOOK))
    _gathered: GatheredMemory = field(default_factory=GatheredMemory)
    _vessels: VesselMemory = field(default_factory=VesselMemory)
    _measured: TerrainMemory = field(default_factory=TerrainMemory)
    _overhang: OverhangMemory = field(default_factory=OverhangMemory)

    def look(
        self,
        image_bgr: ImageBgr,
        plane: TablePlane,
        view: TopView,
        colours: tuple[str, ...] = tuple(PAINT_BGR),
        names: Sequence[str] = solids.FIGURES,
    ) -> list[Detection]:
        """Everything that stands on the table.

        view     of the table from above, at EDGES_PX_PER_MM
        colours  those that an army may have
        names    the figures that may be there; one game plays with toy soldiers, another with miniatures
        """
        above = Sight(plane, view, view.resample(image_bgr))
        coarse = self._for_terrain.of(image_bgr, plane, view)
        surfaces = stitched(coarse, above.halved)
        hands = hands_in(surfaces)
        proposed = self._gathered.of(surfaces, above, hands)
        vessels = self._vessels.of(image_bgr, surfaces)
        within = self._measured.measured(joined(vessels, proposed, plane), above)
        terrain = [*within, *self._overhang.of(image_bgr, coarse, surfaces, above.view, [hands, *_footprints(within)])]
        figures = chain.from_iterable(
            find_figures(*both, terrain, colours, names)
            for both in self._for_figures.closer(image_bgr, coarse, view, worth_a_look)
        )
        return [*_once_each(figures), *terrain]


def _footprints(things: Iterable[Detection]) -> Iterable[Polygon]:
    return (thing.footprint for thing in things)


def _once_each(figures: Iterable[Detection]) -> list[Detection]:
    """Without those that stand on the base of a surer one."""
    kept: list[Detection] = []
    for figure in sorted(figures, key=lambda figure: -figure.confidence):
        if not any(_same(figure, other) for other in kept):
            kept.append(figure)
    return kept


def _same(one: Detection, other: Detection) -> bool:
    """Whether one stands on the other's base."""
    return _apart_mm(one, other) <= max(one.radius_mm, other.radius_mm)


def _apart_mm(one: Detection, other: Detection) -> float:
    return float(np.hypot(*np.subtract(one.position_mm, other.position_mm)))

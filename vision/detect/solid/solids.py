"""Soldiers, bases and household terrain: two nets say where they touch the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

import numpy as np
from shapely import Polygon

from calibration.plane import TablePlane
from models import solids
from vision.detect.box.overhang import OverhangMemory
from vision.detect.figure.base_paint import painted
from vision.detect.figure.base_rims import BaseRimMemory
from vision.detect.figure.chance import worth_a_look
from vision.detect.figure.feet import another_way
from vision.detect.figure.figures import find_figures
from vision.detect.round.vessels import VesselMemory
from vision.detect.sheet.covered import whole
from vision.detect.sheet.large_sheets import LargeSheetMemory
from vision.detect.sheet.marker_paper import MarkerMemory
from vision.detect.solid.gathered import GatheredMemory
from vision.detect.solid.glance import Sight
from vision.detect.solid.hands import hands_in
from vision.detect.solid.joined import joined
from vision.detect.solid.parts import SHEET_MM
from vision.detect.solid.stitch import stitched
from vision.detect.solid.sure_names import surely_named
from vision.detect.solid.survey import Survey
from vision.detect.solid.terrain_memory import TerrainMemory
from vision.detect.solid.terrain_shape import Proposal
from vision.detect.solid.wide_view import WideView
from vision.detection import Detection
from vision.frame import ImageBgr
from vision.metric.topview import TopView
from vision.naming.colour import PAINT_BGR
from vision.warm import warm

# Scale of the top view on whose edges terrain is measured.
EDGES_PX_PER_MM = 2.0


@dataclass(eq=False)
class SolidMemory:
    """Looks for what stands on a table. What the nets and measurements said is kept where nothing changed.

    beside  who else can do some of it meanwhile
    """

    beside: Executor | None = None
    _for_terrain: Survey = field(init=False)
    _for_figures: Survey = field(init=False)
    _for_figures_again: Survey = field(init=False)
    _gathered: GatheredMemory = field(default_factory=GatheredMemory)
    _markers: MarkerMemory = field(default_factory=MarkerMemory)
    _vessels: VesselMemory = field(default_factory=VesselMemory)
    _large: LargeSheetMemory = field(default_factory=LargeSheetMemory)
    _measured: TerrainMemory = field(init=False)
    _rims: BaseRimMemory = field(default_factory=BaseRimMemory)
    _wide: WideView = field(default_factory=WideView)
    _overhang: OverhangMemory = field(init=False)

    def __post_init__(self) -> None:
        self._for_terrain, self._for_figures = (
            Survey(look, self.beside) for look in (solids.TERRAIN_LOOK, solids.FIGURES_LOOK)
        )
        self._for_figures_again = Survey(solids.FIGURES_LOOK, self.beside, another_way)
        self._measured = TerrainMemory(self.beside)
        self._overhang = OverhangMemory(self._wide)

    def make_ready(self, plane: TablePlane, view: TopView) -> None:
        """Work out what depends on the camera alone, a fifth of a first look."""
        warm()
        self._for_terrain.make_ready(plane, view)
        self._vessels.view_of(plane, view.halved)
        self._for_figures.make_ready(plane, view)
        self._for_figures_again.make_ready(plane, view)

    def look(
        self,
        image_bgr: ImageBgr,
        plane: TablePlane,
        view: TopView,
        colours: tuple[str, ...] = tuple(PAINT_BGR),
        names: Sequence[str] = solids.FIGURES,
        terrain: bool = True,
        sheets: bool = True,
    ) -> list[Detection]:
        """Everything that stands on the table, figures that are too faint to be told by themselves too.

        view     of the table from above, at EDGES_PX_PER_MM
        colours  those that an army may have
        names    the figures that may be there; one game plays with toy soldiers, another with miniatures
        terrain  whether anything else may be there
        sheets   whether that may be low: a mat's many fields take seconds to measure
        """
        coarse = self._for_terrain.of(image_bgr, plane, view)
        # Others begin with these and do them while this thread measures terrain, which needs the interpreter.
        near, again = (
            survey.closer(image_bgr, coarse, view, worth_a_look)
            for survey in (self._for_figures, self._for_figures_again)
        )

        def figures_on(things: Sequence[Detection]) -> list[Detection]:
            """The figures, some of which stand on these."""
            parts = zip(near(), again(), strict=True)
            return _once_each(
                chain.from_iterable(
                    find_figures(*both, things, colours, names, again=other) for both, (other, _) in parts
                )
            )

        if not terrain:
            return figures_on([])
        above = Sight(plane, view, view.resample(image_bgr))
        surfaces = stitched(coarse, above.halved)
        hands = hands_in(surfaces)
        proposed = self._markers.without(self._gathered.of(surfaces, above, hands), image_bgr, plane)
        vessels = self._vessels.of(image_bgr, surfaces)
        known = [each for each in joined(vessels, proposed, plane) if sheets or not _is_low(each)]
        within = self._measured.measured(known, above, partial(self._wide.of, image_bgr, plane, view))
        things = [*within, *self._overhang.of(image_bgr, coarse, surfaces, above.view, [hands, *_footprints(within)])]
        figures = painted(self._rims.of(figures_on(things), above), above)
        sure = [figure for figure in figures if not figure.faint]
        told = [*figures, *map(surely_named, whole(things, sure, hands, above))]
        if not sheets:
            return told
        return [*told, *self._large.of(surfaces, above, [*_footprints(things), *hands.geoms], [*sure, *things])]


def _is_low(known: Proposal) -> bool:
    """Whether a thing may be a sheet, or print: it is hardly higher than the table, and shows no rim."""
    return known.drum is None and (known.thing.height_mm or 0.0) <= SHEET_MM


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

"""Books and boxes at the table's edge: the top view ends a little beyond the table, the picture shows more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from shapely import box
from shapely.geometry.base import BaseGeometry

from models import solids
from vision.detect.solid.glance import NOTHING, Glance, Sight
from vision.detect.solid.stitch import stitched
from vision.detect.solid.terrain import TERRAIN_SIGMA_MM, find_terrain
from vision.detect.solid.terrain_memory import TerrainMemory
from vision.detect.solid.terrain_shape import Proposal
from vision.detect.solid.wide_view import WideView
from vision.detection import Detection
from vision.frame import ImageBgr
from vision.metric.topview import TopView
from vision.metric.upright import UprightView

# What is looked for, by its lines; and what is lower is a sheet, which is cut at the table's edge.
_CLASSES, _LOW_MM = ("book", "box"), 5.0
# What was found of it within the view has so much in common with it.
_KNOWN = 0.3


@dataclass(eq=False)
class OverhangMemory:
    """The things at the edge of the table, kept until the net says something else.

    wide  where the picture is seen beyond the top view
    """

    wide: WideView = field(default_factory=WideView)
    _seen: Glance[TopView] | None = None
    _measured: TerrainMemory = field(default_factory=TerrainMemory)
    _kept: list[Detection] = field(default_factory=list)

    def of(
        self,
        image_bgr: ImageBgr,
        coarse: Sequence[Glance[UprightView]],
        surfaces: Glance[TopView],
        view: TopView,
        known: Sequence[BaseGeometry],
    ) -> list[Detection]:
        """Books and boxes that the edge of a top view cuts, measured; only those whose outlines surely lie on edges.

        coarse    what the net says of the pieces of the table, and of what shows around them
        surfaces  the same on one map, within the view
        known     footprints of what is found already, and of hands
        """
        if not surfaces.says_as(self._seen):
            self._seen = surfaces
            self._kept = self._looked(image_bgr, coarse, view) if goes_on(surfaces) else []
        return [thing for thing in self._kept if not any(_has(thing, footprint) for footprint in known)]

    def _looked(self, image_bgr: ImageBgr, coarse: Sequence[Glance[UprightView]], view: TopView) -> list[Detection]:
        wide = self.wide.of(image_bgr, coarse[0].plane, view)
        found = self._measured.measured([Proposal(thing) for thing in overhanging(coarse, wide, view)], wide)
        return [thing for thing in found if thing.sigma_mm < TERRAIN_SIGMA_MM]


def goes_on(surfaces: Glance[TopView]) -> bool:
    """Whether anything that is no sheet goes on beyond the view."""
    ground = surfaces.maps[solids.GROUND]
    least = _LOW_MM * surfaces.view.px_per_mm / solids.HEIGHT_UNIT_PX
    tall = (ground.argmax(axis=0) > 0) & (surfaces.maps[solids.HEIGHT] > least) & surfaces.shown
    return bool(tall[[0, -1]].any() or tall[:, [0, -1]].any())


def overhanging(coarse: Sequence[Glance[UprightView]], wide: Sight[TopView], view: TopView) -> list[Detection]:
    """Of the books and boxes in a wide view those that go beyond another, as the net proposes them."""
    surfaces = stitched(coarse, wide.halved)
    surfaces.maps[solids.GROUND.start + 1 : solids.GROUND.stop, ~surfaces.shown] = NOTHING
    corners_px = np.array([(0, view.size_px[1]), (view.size_px[0], 0)], float)
    within, table = box(*view.to_table(corners_px).ravel()), box(0.0, 0.0, *view.table_mm)
    return [
        thing
        for thing in find_terrain(surfaces)
        if thing.cls in _CLASSES and thing.footprint.intersects(table) and not thing.footprint.within(within)
    ]


def _has(thing: Detection, footprint: BaseGeometry) -> bool:
    """Whether what is known is a good part of it."""
    return bool(thing.footprint.intersection(footprint).area > _KNOWN * thing.footprint.area)

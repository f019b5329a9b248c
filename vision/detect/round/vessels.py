"""Mugs, plates and other round things: a rim that shows, a foot somewhere below it, and what the net says there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import MultiPoint, Point, Polygon

from calibration.plane import TablePlane
from models import solids
from rules.scene import NONE, UNKNOWN
from vision.detect.round.rims import Rim, find_rims
from vision.detect.solid.edges import Edges
from vision.detect.solid.forms import DRUM
from vision.detect.solid.glance import Glance, Sight
from vision.detect.solid.guesses import Drum
from vision.detect.solid.terrain import HEIGHT_SIGMA_MM
from vision.detection import Detection
from vision.frame import ImageBgr
from vision.metric.topview import TopView

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

# Rims of such radii in mm, that much of the way round on edges. Edges vote where the net says that anything at all
# stands with so much chance, and so far around: a rim shows away from its foot.
_RADII_MM, _CLOSED = (20.0, 150.0), 0.8
_ANYTHING, _AROUND_MM = 0.15, 40.0
# Scale of the view in which they are looked for, and how far it goes beyond the table: a mug's height, seen at 45
# degrees.
_PX_PER_MM, _BEYOND_MM = 1.0, 110.0
# Heights at which a rim may be, and its foot as a share of it.
_HEIGHTS_MM = np.arange(0.0, 133.0, 4.0)
_FEET = np.array([0.55, 0.65, 0.75, 0.85, 0.95, 1.0])
# What one height has over another beside edges under foot and sides: what the net says stands there, mm of height (the
# foot of a low thing lies on its rim), and what the net says of the height, in steps of 20 mm, no more than so many.
_BY_STANDING, _BY_HEIGHT, _BY_TOLD, _TOLD_STEP_MM, _TOLD_STEPS = 0.5, 0.002, 0.1, 20.0, 4.0
# Where the foot lies so near the rim, in radii, its edges are the rim's: they count as much as a usual foot's.
_NEAR_RIM, _OF_RIM = 0.15, 0.6
# From this chance on, on average over its foot, that something round stands there.
_ROUND = 0.35
CLASSES = ("mug", "plate", UNKNOWN)
_OF_NET = [solids.TERRAIN.index(name) for name in CLASSES]
# Lower than this share of its radius, a thing is a plate rather than a mug; and how large mugs and plates are, in mm.
_LOW = 0.5
_MUG_MM, _PLATE_MM = 55.0, 50.0
# Of two lines round one tall thing its rim is the one with more: the share of it that is closed, e-folds of the radius,
# and what the net says.
_BY_SIZE, _BY_NET = 0.3, 1.0
# What stands on a plate is not larger than this share of it.
_ON_PLATE = 0.75
_SIGMA_MM = 12.0
_POINTS = 13


@dataclass(frozen=True, eq=False)
class Vessel:
    """A rim, and the thing below it.

    rim        as it shows on the table, mm
    middle     (2,) of the foot, mm
    radius_mm  of the rim, true
    height_mm  of the rim
    told       chances of CLASSES, on average over the foot
    """

    rim: Rim
    middle: Array
    radius_mm: float
    height_mm: float
    told: Array

    @property
    def is_low(self) -> bool:
        """Whether it is as low as plates are."""
        return self.height_mm < _LOW * self.radius_mm

    @property
    def name(self) -> str:
        """The likeliest of the classes that are of such a size and height."""
        fits = (not self.is_low and self.radius_mm < _MUG_MM, self.is_low and self.radius_mm > _PLATE_MM, True)
        return CLASSES[int(np.where(fits, self.told, -1).argmax())]

    @property
    def is_itself(self) -> bool:
        """Whether it may be what the net takes it for, rather than the well of a plate, a print or a handle."""
        return self.name == CLASSES[int(self.told.argmax())]

    @property
    def worth(self) -> float:
        """By how much it is preferred, as a thing's rim, to other round lines about that thing."""
        return float(self.rim.closed + _BY_SIZE * np.log(self.radius_mm) + _BY_NET * self.told.sum())

    @property
    def footprint(self) -> Polygon:
        """The disc under the rim."""
        return Point(*self.middle).buffer(self.radius_mm)

    @property
    def drum(self) -> Drum:
        """x, y, radius and height, mm: the drum that a fit begins with."""
        return float(self.middle[0]), float(self.middle[1]), self.radius_mm, self.height_mm

    @cached_property
    def body(self) -> Polygon:
        """The part of the table, mm, that it hides from the camera."""
        rim = Point(*self.rim.middle).buffer(self.rim.radius)
        hull = MultiPoint([*self.footprint.exterior.coords, *rim.exterior.coords]).convex_hull
        assert isinstance(hull, Polygon)
        return hull

    def detection(self, plane: TablePlane) -> Detection:
        """The vessel as a piece of terrain, not yet measured."""
        at = (float(self.middle[0]), float(self.middle[1]))
        u, v = plane.to_image([at], self.height_mm)[0]
        sigma_mm = float(np.hypot(plane.sigma_mm(plane.to_image([at]))[0], _SIGMA_MM))
        chance = float(max(self.told.sum(), self.rim.closed))
        return Detection(
            "terrain",
            self.name,
            at,
            self.footprint,
            sigma_mm,
            min(chance, 1.0),
            (float(u), float(v)),
            owner=NONE,
            height_mm=self.height_mm,
            height_sigma_mm=HEIGHT_SIGMA_MM,
            rotation_deg=0.0,
        )


@dataclass(eq=False)
class VesselMemory:
    """The vessels of one camera, kept until the net says something else."""

    _seen: Glance[TopView] | None = None
    _wide: tuple[TablePlane, TopView] | None = None
    _kept: list[Vessel] = field(default_factory=list)

    def of(self, image_bgr: ImageBgr, surfaces: Glance[TopView]) -> list[Vessel]:
        """The vessels, as `find_vessels` gives them; those found before while the net says the same."""
        if not surfaces.says_as(self._seen):
            view = self.view_of(surfaces.plane, surfaces.view)
            wide = Sight(surfaces.plane, view, view.resample(image_bgr))
            self._seen, self._kept = surfaces, find_vessels(surfaces, wide)
        return self._kept

    def view_of(self, plane: TablePlane, view: TopView) -> TopView:
        """The view in which vessels are looked for; worked out once for a camera."""
        if self._wide is None or self._wide[0] is not plane:
            self._wide = plane, widened(plane, view)
        return self._wide[1]


def widened(plane: TablePlane, view: TopView) -> TopView:
    """The same table with so much around it that rims of what stands at its edges show."""
    return TopView.of_table(plane, view.table_mm, _PX_PER_MM, 0.0, _BEYOND_MM - view.origin_mm[0])


def find_vessels(surfaces: Glance[TopView], wide: Sight[TopView]) -> list[Vessel]:
    """Each round thing once, by its rim; not yet measured.

    surfaces  what the net says of the table
    wide      the table and what shows beyond it (`widened`)
    """
    chances = _chances(surfaces.maps)
    around_cells = _AROUND_MM * surfaces.view.px_per_mm / solids.CELL_PX
    where = _laid_on(wide.view, surfaces.view, _dilated(1 - chances[0] > _ANYTHING, around_cells))
    least, most = (radius * wide.view.px_per_mm for radius in _RADII_MM)
    rims = find_rims(wide.seen, where, least, most, _CLOSED)
    shown = [_on_table(rim, wide.view) for rim in rims]
    found = [_below(rim, surfaces, wide, chances) for rim in shown]
    return _once_each([vessel for vessel in found if vessel is not None])


def _chances(maps: NDArray[np.float32]) -> NDArray[np.float32]:
    """(classes, rows, columns)."""
    ground = maps[solids.GROUND]
    chances = np.exp(ground - ground.max(axis=0))
    return np.asarray(chances / chances.sum(axis=0), np.float32)


def _dilated(mask: Mask, by_cells: float) -> Mask:
    size = 2 * round(by_cells) + 1
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((size, size), np.uint8)) > 0, bool)


def _laid_on(wide: TopView, view: TopView, cells: Mask) -> Mask:
    """The cells of a net's view on a wider one at the same scale of cells; what lies beyond is as the nearest."""
    columns, rows = (side // solids.CELL_PX for side in wide.size_px)
    places = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1) * solids.CELL_PX
    at = view.to_px(wide.to_table(places.astype(float))) / solids.CELL_PX
    u, v = np.clip(np.rint(at).astype(int), 0, (cells.shape[1] - 1, cells.shape[0] - 1)).transpose(2, 0, 1)
    return np.asarray(cells[v, u], bool)


def _on_table(rim: Rim, view: TopView) -> Rim:
    x, y = view.to_table(np.array([rim.middle]))[0]
    return Rim((float(x), float(y)), rim.radius / view.px_per_mm, rim.closed)


def _below(rim: Rim, surfaces: Glance[TopView], wide: Sight[TopView], chances: NDArray[np.float32]) -> Vessel | None:
    """The thing under a rim, as high as edges and the net bear it out; None where nothing round stands."""
    plane = surfaces.plane
    *foot_mm, eye_mm = plane.camera_position_mm
    nearer = 1 - _HEIGHTS_MM / eye_mm
    middles = foot_mm + (np.array(rim.middle) - foot_mm) * nearer[:, None]
    radii = rim.radius * nearer
    told = np.stack([_over_discs(chances[cls], surfaces.view, middles, radii).mean(axis=1) for cls in _OF_NET], axis=1)
    standing = told.sum(axis=1)
    if standing.max() < _ROUND:
        return None
    said_mm = np.median(_over_discs(surfaces.maps[solids.HEIGHT], surfaces.view, middles, radii), axis=1)
    said_mm = said_mm * solids.HEIGHT_UNIT_PX / surfaces.view.px_per_mm
    off = np.minimum(np.abs(said_mm - _HEIGHTS_MM) / _TOLD_STEP_MM, _TOLD_STEPS)
    worth = (
        _edges_below(rim, middles, radii, wide) + standing * (_BY_STANDING - _BY_TOLD * off) + _BY_HEIGHT * _HEIGHTS_MM
    )
    best = int(np.where(standing < _ROUND, -np.inf, worth).argmax())
    return Vessel(rim, middles[best], float(radii[best]), float(_HEIGHTS_MM[best]), told[best])


def _over_discs(layer: NDArray[np.float32], view: TopView, middles: Array, radii: Array) -> NDArray[np.float32]:
    """(n, points) of a net's layer, spread over discs on the table."""
    side = np.linspace(-1, 1, _POINTS)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    places = middles[:, None] + radii[:, None, None] * grid[np.hypot(*grid.T) < 1]
    cells = ((view.to_px(places) - (solids.CELL_PX - 1) / 2) / solids.CELL_PX).astype(np.float32)
    read = cv2.remap(layer, cells[..., 0], cells[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(read, np.float32)


def _edges_below(rim: Rim, middles: Array, radii: Array, wide: Sight[TopView]) -> Array:
    """(heights,) how far the foot and the sides that join it to the rim lie on edges, with the best foot for each."""
    shapes = np.concatenate(
        [np.c_[middles, radii, np.full(len(radii), share), np.zeros(len(radii)), _HEIGHTS_MM] for share in _FEET]
    )
    both = np.vstack([middles, rim.middle])
    reach = 1.1 * rim.radius
    edges = Edges.within(wide.seen, wide.plane, wide.view, both.min(axis=0) - reach, both.max(axis=0) + reach)
    _, *below = DRUM.outlines(shapes, np.asarray(wide.plane.camera_position_mm))
    weights = np.array([weight for _, _, weight in below])
    supports = np.array([edges.support(points, ahead, 1) for points, ahead, _ in below])
    supports[0][_on_rim(rim, shapes)] = _OF_RIM
    mean = (weights * supports).sum(axis=0) / weights.sum(axis=0)
    return np.asarray(mean.reshape(len(_FEET), -1).max(axis=0), float)


def _on_rim(rim: Rim, shapes: Array) -> Mask:
    """Which drums have the near end of their foot where their rim shows: edges there are the rim's."""
    apart = np.hypot(*(shapes[:, :2] - rim.middle).T) + shapes[:, 2] * shapes[:, 3] - rim.radius
    return np.asarray(np.abs(apart) < _NEAR_RIM * rim.radius, bool)


def _once_each(found: Sequence[Vessel]) -> list[Vessel]:
    """Of several lines round one thing its rim; but what stands on a plate is not the plate, nor is a line that the net
    takes for something else the rim of what stands within it: that of the plate, seen as high as the mug on it."""
    low = sorted((v for v in found if v.is_low), key=lambda vessel: -vessel.radius_mm)
    tall = sorted((v for v in found if not v.is_low), key=lambda vessel: (not vessel.is_itself, -vessel.worth))
    kept: list[Vessel] = []
    for vessel in tall:
        if not any(_same(vessel, other) for other in kept):
            kept.append(vessel)
    for vessel in low:
        if not any(_same(vessel, other) and not _carries(vessel, other) for other in kept):
            kept.append(vessel)
    return kept


def _same(one: Vessel, other: Vessel) -> bool:
    """Whether the middle of one line round a thing lies in what the other thing hides."""
    return bool(other.body.contains(Point(*one.rim.middle)) or one.body.contains(Point(*other.rim.middle)))


def _carries(low: Vessel, other: Vessel) -> bool:
    """Whether the one is a plate on which the other stands."""
    return not other.is_low and other.radius_mm < _ON_PLATE * low.radius_mm

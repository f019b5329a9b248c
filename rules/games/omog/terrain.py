"""Household things as ground: what each means, and who stands in it (OMOG-1.2)."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon, box

from rules.by_value import ByValue
from rules.files.tables import KeyFault
from rules.games.omog.tables import tables
from rules.geometry.depth import rings_of
from rules.geometry.passing import Areas, areas_of
from rules.margin import Margin, pair_sigma_mm
from rules.scene import UNKNOWN, Piece, Point2, Scene
from rules.unnamed import could_be

if TYPE_CHECKING:
    from rules.setup import Setup

OPEN = "open"
MEANINGS = (
    *("house", "lake", "wood", "hill", "wall", "wooden wall", "road", "town", "courtyard", "river", "bridge"),
    *("swamp", OPEN, UNKNOWN),
)
ROADS = ("road", "town", "courtyard")
WALLS = ("wall", "wooden wall")
# What may hide who stands in it, on it or behind it.
HIDING = ("house", "hill", "wood")
_ALSO_CALLED = {
    "woods": "wood",
    "forest": "wood",
    "stone wall": "wall",
    "none": OPEN,
    "stream": "river",
    "hut": "house",
}


@dataclass(frozen=True, eq=False)
class Terrain:
    """A thing on the table and what it means.

    top_mm  level of whoever stands on it: its elevation and its height
    hides   the meanings that it could have and that hide, where nobody has said what it is
    """

    piece: Piece
    meaning: str
    area: Polygon
    top_mm: float
    hides: tuple[str, ...] = ()

    @cached_property
    def id(self) -> str:
        """The id of its piece."""
        return self.piece.id

    @cached_property
    def name(self) -> str:
        """Words for a person: meaning and id."""
        return f"the {self.meaning} {self.id}" if self.meaning != UNKNOWN else f"the unknown thing {self.id}"

    @cached_property
    def around(self) -> tuple[float, float, float]:
        """A circle around its area: x, y and radius, mm."""
        low_x, low_y, high_x, high_y = self.area.bounds
        return (low_x + high_x) / 2, (low_y + high_y) / 2, math.hypot(high_x - low_x, high_y - low_y) / 2

    @cached_property
    def rings(self) -> tuple[NDArray[np.float64], ...]:
        """The corners of its outline and of its holes, (n, 2) each."""
        return rings_of(self.area)

    @cached_property
    def sides(self) -> NDArray[np.object_]:
        """The sides of its outline, one line each."""
        corners = shapely.get_coordinates(self.area.exterior)
        return np.asarray(shapely.linestrings(np.stack((corners[:-1], corners[1:]), axis=1)), object)

    def holds(self, position_mm: Point2) -> bool:
        """Whether a figure whose base's centre is there stands in or on it; the edge counts."""
        return bool(shapely.intersects_xy(self.area, *position_mm))

    def edge_margin(self, piece: Piece) -> Margin:
        """How far its edge is from the middle of a piece, on whichever side that lies."""
        far_mm = float(self.area.boundary.distance(piece.point))
        return Margin(far_mm, pair_sigma_mm(piece.sigma_mm, self.piece.sigma_mm))


@dataclass(frozen=True, eq=False)
class Things:
    """Some terrain, in the table's order, and what is asked of all of it at once."""

    each: tuple[Terrain, ...]

    @cached_property
    def areas(self) -> NDArray[np.object_]:
        """Their areas, prepared."""
        return np.array([thing.area for thing in self.each], object)

    @cached_property
    def outlines(self) -> NDArray[np.object_]:
        """Their outlines without holes."""
        return np.asarray(shapely.get_exterior_ring(self.areas), object)

    @cached_property
    def numbers(self) -> Areas:
        """Their areas for compiled loops."""
        return areas_of(self.areas)

    @cached_property
    def sigma_mm(self) -> NDArray[np.float64]:
        """The errors of their places."""
        return np.array([thing.piece.sigma_mm for thing in self.each], float)


@dataclass(frozen=True, eq=False)
class Land(ByValue):
    """The ground of a table. Equal for equal ground; `land_of` gives the same object for it: answers can be kept."""

    things: tuple[Terrain, ...]
    size_mm: tuple[float, float]

    @cached_property
    def key(self) -> tuple[Hashable, ...]:
        """The ground by value: equal keys mean equal ground."""
        return (self.size_mm, *(_value(thing) for thing in self.things))

    def of_meaning(self, *meanings: str) -> tuple[Terrain, ...]:
        """The terrain that means one of these."""
        if meanings not in self._by_meaning:
            self._by_meaning[meanings] = tuple(thing for thing in self.things if thing.meaning in meanings)
        return self._by_meaning[meanings]

    def all_of(self, *meanings: str) -> Things:
        """The same, to ask many at once; without a meaning all terrain."""
        if meanings not in self._all:
            self._all[meanings] = Things(self.of_meaning(*meanings) if meanings else self.things)
        return self._all[meanings]

    @cached_property
    def _all(self) -> dict[tuple[str, ...], Things]:
        return {}

    @cached_property
    def _by_meaning(self) -> dict[tuple[str, ...], tuple[Terrain, ...]]:
        return {}

    @cached_property
    def bounds(self) -> Polygon:
        """The table."""
        return box(0.0, 0.0, *self.size_mm)


def _value(thing: Terrain) -> tuple[Hashable, ...]:
    piece = thing.piece
    return piece.id, piece.cls, thing.meaning, thing.hides, thing.area, thing.top_mm, piece.height_mm, piece.sigma_mm


def land_of(scene: Scene, setup: Setup) -> Land:
    """The scene's ground; ValueError for a word in the legend that is no ground."""
    return _kept(Land(terrain_of(scene, setup), scene.table_size_mm))


@lru_cache(maxsize=8)
def _kept(land: Land) -> Land:
    """The first land of that value, with all that was prepared on it."""
    return land


def terrain_of(scene: Scene, setup: Setup) -> tuple[Terrain, ...]:
    """The scene's terrain with its meaning; ValueError for a word in the legend that is no ground."""
    legend = {**tables().legend, **setup.legend}
    found = [_thing(piece, legend) for piece in scene.of_kind("terrain")]
    rivers = [thing.area for thing in found if thing.meaning == "river"]
    return tuple(_bridged(thing, rivers) for thing in found)


def _thing(piece: Piece, legend: Mapping[str, str]) -> Terrain:
    thing = _terrain(piece, _meaning(piece, legend))
    if thing.meaning != UNKNOWN:
        return thing
    meant = (_meaning(replace(piece, cls=cls), legend) for cls in could_be(piece))
    return replace(thing, hides=tuple(sorted({meaning for meaning in meant if meaning in HIDING})))


def _terrain(piece: Piece, meaning: str) -> Terrain:
    height_mm = piece.height_mm
    if height_mm is None:
        height_mm = tables().distance.hill_height_mm if meaning == "hill" else 0.0
    # Every line of fire and every figure asks this area: GEOS answers a prepared one ten times as fast.
    shapely.prepare(piece.footprint)
    return Terrain(piece, meaning, piece.footprint, piece.elevation_mm + height_mm)


def _meaning(piece: Piece, legend: Mapping[str, str]) -> str:
    """The legend's word for the piece's id, else for its colour and class, else for its class."""
    colour = {"gray": "grey"}.get(piece.colour or "", piece.colour)
    keys = (piece.id, f"{colour} {piece.cls}", f"{colour}-{piece.cls}", piece.cls)
    key = next((key for key in keys if key in legend), None)
    if key is None:
        return UNKNOWN if piece.cls == UNKNOWN else OPEN
    return ground_of(key, legend[key])


def ground_of(key: str, word: str) -> str:
    """The ground that the legend's word for `key` means; `KeyFault` if it is none."""
    ground = _ALSO_CALLED.get(word.lower(), word.lower())
    if ground not in MEANINGS:
        raise KeyFault(("legend", key), f"OMOG has no ground {word!r}; choose one of {', '.join(MEANINGS)}")
    return ground


def _bridged(thing: Terrain, rivers: list[Polygon]) -> Terrain:
    """A strip of paper that means nothing by itself and lies across a river is a bridge (OMOG-1.2)."""
    if thing.meaning == OPEN and thing.piece.cls == "paper" and any(thing.area.intersects(river) for river in rivers):
        return _terrain(thing.piece, "bridge")
    return thing

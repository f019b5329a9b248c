"""The ground that rulings look at: what hides units from one another, and what a move may meet. Kept by value."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import LineString, Point, Polygon

from rules.by_value import ByValue
from rules.geometry.sight import Sightlines
from rules.margin import CLOSE_SIGMAS, Margin, all_of, pair_sigma_mm
from rules.scene import Piece, Point2


@dataclass(frozen=True, eq=False)
class Cover(ByValue):
    """The ground of a table: walls, what else bars moves, the edge. Equal for equal ground: answers can be kept.

    walls     block moves and sight; `barriers` are walls and whatever else bars moves
    edges     whether ranges are measured from edge to edge
    unnamed   those barriers that would block sight too as what they could be
    """

    walls: tuple[Piece, ...]
    barriers: tuple[Piece, ...]
    bounds: Polygon
    edges: bool
    unnamed: tuple[Piece, ...] = ()

    @cached_property
    def key(self) -> tuple[Hashable, ...]:
        """The ground by value, and how ranges are measured."""
        things = tuple((wall.id, wall.cls, wall.owner, wall.sigma_mm, wall.footprint) for wall in self.barriers)
        unnamed = tuple(thing.id for thing in self.unnamed)
        return (len(self.walls), *things, unnamed, self.bounds.bounds, self.edges)

    @cached_property
    def sightlines(self) -> Sightlines:
        """Who sees what: only walls block (OSMCG-3.1)."""
        return Sightlines(tuple(piece.footprint for piece in self.walls), self.bounds)

    def walls_beside(self, line: LineString, room_mm: float) -> list[tuple[Piece, float]]:
        """The walls that come as near to a line as that and their own three sigma, and how near."""
        gaps_mm = shapely.distance(self._footprints, line)
        near = np.flatnonzero(gaps_mm <= room_mm + self._slack_mm)
        return [(self.walls[place], float(gaps_mm[place])) for place in near]

    def view(self, at: Point2, sigma_mm: float) -> Margin:
        """By how much a point is neither in a wall nor off the table, where nothing is seen."""
        point = Point(at)
        gaps_mm = zip(self.walls, shapely.distance(self._footprints, point).tolist(), strict=True)
        off_walls = (
            Margin(gap_mm or -_depth_mm(wall.footprint, point), pair_sigma_mm(sigma_mm, wall.sigma_mm))
            for wall, gap_mm in gaps_mm
        )
        return all_of([Margin(_depth_mm(self.bounds, point), sigma_mm), *off_walls])

    @cached_property
    def _footprints(self) -> NDArray[np.object_]:
        return np.array([wall.footprint for wall in self.walls], object)

    @cached_property
    def _slack_mm(self) -> NDArray[np.float64]:
        return CLOSE_SIGMAS * np.array([wall.sigma_mm for wall in self.walls], float)

    def barriers_within(self, at: Point2, room_mm: float) -> tuple[Piece, ...]:
        """The barriers no farther than that from a point."""
        return tuple(self.barriers[place] for place in np.flatnonzero(_gaps_mm(self, at) <= room_mm))


def _depth_mm(region: Polygon, point: Point) -> float:
    """How far a point is within a region; negative outside."""
    edge_mm = float(region.boundary.distance(point))
    return edge_mm if region.covers(point) else -edge_mm


@lru_cache(maxsize=1024)
def _gaps_mm(cover: Cover, at: Point2) -> NDArray[np.float64]:
    footprints = np.array([barrier.footprint for barrier in cover.barriers], object)
    return np.asarray(shapely.distance(footprints, Point(at)), float)


@lru_cache(maxsize=8)
def kept(cover: Cover) -> Cover:
    """The first cover of that value, with all that was prepared on it."""
    return cover


@dataclass(frozen=True)
class Mover:
    """What a move needs to know of a miniature: where it is, its base, the length of a move, and how it goes."""

    at: Point2
    radius_mm: float
    step_mm: float
    flying: bool
    ethereal: bool

    @property
    def passes_bases(self) -> bool:
        """Whether some bases are no obstacle to its way."""
        return self.flying or self.ethereal


@dataclass(frozen=True)
class Base:
    """A base that a move may meet, and whether it is an obstacle to it; nobody ends on it in any case.

    oval  its outline, where it is not round
    """

    at: Point2
    radius_mm: float
    stops: bool
    oval: Polygon | None = None


@dataclass(frozen=True)
class Near:
    """A mover and what lies near enough to matter for its move. Equal for equal surroundings: answers can be kept.

    barriers   footprints of what bars moves
    bounds     where its centre stays (C4.7)
    """

    mover: Mover
    bases: tuple[Base, ...]
    barriers: tuple[Polygon, ...]
    bounds: Polygon

"""The ground that a ruling looks at: what hides units from one another, and what a move may meet. Kept by value."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from shapely import Polygon

from rules.games.osmcg.units import Unit
from rules.geometry.sight import Sightlines
from rules.scene import Piece


@dataclass(frozen=True, eq=False)
class Cover:
    """What hides units from one another: the walls and the table. Equal for equal ground: answers can be kept."""

    walls: tuple[Piece, ...]
    bounds: Polygon
    edges: bool

    @cached_property
    def key(self) -> tuple[Hashable, ...]:
        """The ground by value, and how ranges are measured."""
        walls = tuple((wall.id, wall.cls, wall.sigma_mm, wall.footprint) for wall in self.walls)
        return (*walls, self.bounds.bounds, self.edges)

    @cached_property
    def _hash(self) -> int:
        return hash(self.key)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Cover) and self.key == other.key)

    @cached_property
    def sightlines(self) -> Sightlines:
        """Who sees what: only walls block (OSMCG-3.1)."""
        return Sightlines(tuple(piece.footprint for piece in self.walls), self.bounds)


@lru_cache(maxsize=8)
def kept(cover: Cover) -> Cover:
    """The first cover of that value, with all that was prepared on it."""
    return cover


@dataclass(frozen=True, eq=False)
class Near:
    """What lies near enough to a unit to matter for its move. Equal for equal surroundings: answers can be kept."""

    unit: Unit
    figures: tuple[Unit, ...]
    barriers: tuple[Piece, ...]
    foes: tuple[Unit, ...]
    bounds: Polygon

    @cached_property
    def key(self) -> tuple[Hashable, ...]:
        """The surroundings by value."""
        barriers = tuple((wall.id, wall.footprint) for wall in self.barriers)
        return (self.unit, self.figures, barriers, self.foes, self.bounds.bounds)

    @cached_property
    def _hash(self) -> int:
        return hash(self.key)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Near) and self.key == other.key

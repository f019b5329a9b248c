"""The battlefield: every card a location, found by where it lies (POCKET-1.1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from shapely import Polygon
from shapely.affinity import rotate

from rules.games.pocket.card_size import card_size_mm
from rules.games.pocket.tables import Ground, ground_of
from rules.geometry.squares import CardPlace, Cell, card_cells
from rules.scene import Piece, Point2, Scene
from rules.setup import Setup

# A card measured with less than this part of its size is no outline but a point; that size serves.
_LEAST_OUTLINE = 0.5


# The cell of no location: cells count from (1, 1), and no card is next to it.
BESIDE: Cell = (0, 0)


@dataclass(frozen=True)
class Location:
    """A card and its place in the grid; in the cell `BESIDE` what lies beside the cards, for which there is none."""

    cell: Cell
    card: Piece
    ground: Ground

    @property
    def name(self) -> str:
        """What a player calls it."""
        return f"{self.ground.name} ({self.cell[0]}, {self.cell[1]})"


@dataclass(frozen=True, eq=False)
class Battlefield:
    """All locations. `length_mm`, `breadth_mm` are a card's; cards lie upright."""

    locations: tuple[Location, ...]
    length_mm: float
    breadth_mm: float

    @cached_property
    def by_cell(self) -> dict[Cell, Location]:
        """The location in each cell that has a card."""
        return {location.cell: location for location in self.locations}

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return max((row for _, row in self.by_cell), default=0)

    def neighbours(self, cell: Cell) -> list[Location]:
        """The locations one orthogonal step away."""
        column, row = cell
        around = ((column + 1, row), (column, row + 1), (column - 1, row), (column, row - 1))
        return [self.by_cell[near] for near in around if near in self.by_cell]

    def outline(self, location: Location) -> Polygon:
        """The card as it lies; its measured footprint, if it has one."""
        card = location.card
        if card.footprint.area >= _LEAST_OUTLINE * self.length_mm * self.breadth_mm:
            return card.footprint
        (x, y), half_x, half_y = card.position_mm, self.breadth_mm / 2, self.length_mm / 2
        upright = Polygon(
            [(x - half_x, y - half_y), (x + half_x, y - half_y), (x + half_x, y + half_y), (x - half_x, y + half_y)]
        )
        return rotate(upright, _tilt_deg(card.rotation_deg))

    def nearest(self, point_mm: Point2) -> list[tuple[float, Location]]:
        """The four locations nearest to a point, with its distance from their cards' edges (negative on the card)."""
        if not self.locations:
            return []
        edges_mm = self._edge_distances_mm(point_mm)
        order = np.argsort(edges_mm, kind="stable")[:4]
        return [(float(edges_mm[index]), self.locations[index]) for index in order]

    def _edge_distances_mm(self, point_mm: Point2) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        centres, cosines, sines = self._frames
        dx, dy = (np.asarray(point_mm) - centres).T
        across, along = np.abs(dx * cosines + dy * sines), np.abs(dy * cosines - dx * sines)
        over_side, over_end = across - self.breadth_mm / 2, along - self.length_mm / 2
        inside = np.minimum(np.maximum(over_side, over_end), 0.0)
        edges: np.ndarray[tuple[int], np.dtype[np.float64]] = inside + np.hypot(
            np.maximum(over_side, 0.0), np.maximum(over_end, 0.0)
        )
        return edges

    @cached_property
    def _frames(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Centre of each card, and cosine and sine of its tilt."""
        tilts = np.radians([_tilt_deg(location.card.rotation_deg) for location in self.locations])
        return np.array([location.card.position_mm for location in self.locations]), np.cos(tilts), np.sin(tilts)


def _tilt_deg(rotation_deg: float) -> float:
    """How far a card is turned from upright, -45 to 45 degrees: cards lie upright, whichever side was measured."""
    return (rotation_deg + 45.0) % 90.0 - 45.0


def battlefield(scene: Scene, setup: Setup) -> Battlefield:
    """The battlefield that the face-up cards make; the same cards give the very same battlefield."""
    cards = tuple(card for card in scene.of_kind("card") if card.cls != "BACK")
    legend = tuple(sorted(setup.legend.items()))
    return _laid(cards, _Meaning(setup, legend, setup.house.get("terrain"), setup.card_mm))


@dataclass(frozen=True)
class _Meaning:
    """What the set-up says of cards, to be told from another set-up's by value."""

    setup: Setup
    legend: tuple[tuple[str, str], ...]
    terrain: str | None
    card_mm: tuple[float, float]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Meaning) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def _values(self) -> tuple[object, ...]:
        return self.legend, self.terrain, self.card_mm


@lru_cache(maxsize=16)
def _laid(cards: tuple[Piece, ...], meaning: _Meaning) -> Battlefield:
    length_mm, breadth_mm = card_size_mm(cards, meaning.setup)
    cells = card_cells([CardPlace(card.position_mm, card.rotation_deg) for card in cards], length_mm, breadth_mm)
    locations = (Location(c, card, ground_of(card.cls, meaning.setup)) for c, card in zip(cells, cards, strict=True))
    return Battlefield(tuple(locations), length_mm, breadth_mm)


def steps_between(a: Cell, b: Cell) -> int:
    """Orthogonal steps from the one to the other (POCKET-2.2)."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])

"""The table without hexes: units, ground, and what a hex of Move or Range is in millimetres (OMNI-4.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from shapely import Point, Polygon, box

from rules.games.omniwar.board import DENSE, OPEN, could_be_dense, ground_of
from rules.games.omniwar.units import Unit, bound_pieces, strangers, told_of
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State

SCALES = ("inches", "centimetres")
FIGURES = ("stands", "15mm", "25mm")
# OMNI-4.3: a hex of Move or Range in the table's measure, and what bigger figures make of it.
_HEX_MM = {"inches": 4 * 25.4, "centimetres": 10 * 10.0}
_FACTOR = {"stands": 1, "15mm": 2, "25mm": 3}


def hex_mm(setup: Setup) -> float:
    """What one hex of Move or Range is on the table."""
    return _HEX_MM[setup.house.get("scale", SCALES[0])] * _FACTOR[setup.house.get("figures", FIGURES[0])]


@dataclass(frozen=True)
class Patch:
    """A thing on the table that stands for ground."""

    id: str
    area: Polygon
    ground: str
    sigma_mm: float


@dataclass(frozen=True, eq=False)
class OpenTable:
    """The scene without hexes.

    units      the pieces that are bound to the roster, those of unknown kind or owner too
    strangers  the pieces of which nobody said what they are, as units of no kind
    unnamed    those strangers that could be dense terrain, as dense terrain
    """

    scene: Scene
    setup: Setup
    state: State
    units: tuple[Unit, ...]
    strangers: tuple[Unit, ...]
    patches: tuple[Patch, ...]
    unnamed: tuple[Patch, ...] = ()

    @cached_property
    def by_id(self) -> Mapping[str, Unit]:
        """The units by their piece's id."""
        return {unit.id: unit for unit in self.units}

    @cached_property
    def known(self) -> tuple[Unit, ...]:
        """The units of known kind and owner."""
        return tuple(unit for unit in self.units if unit.is_known)

    @cached_property
    def standing(self) -> tuple[Unit, ...]:
        """The known units that stand on the table themselves; those that are carried do not."""
        return tuple(unit for unit in self.known if unit.carrier is None)

    @cached_property
    def unknown(self) -> tuple[Unit, ...]:
        """All that is in everybody's way until a person says what it is (C5.2)."""
        return (*(unit for unit in self.units if not unit.is_known), *self.strangers)

    @cached_property
    def bounds(self) -> Polygon:
        """The table."""
        return box(0.0, 0.0, *self.scene.table_size_mm)

    @cached_property
    def hex_mm(self) -> float:
        """What one hex of Move or Range is here."""
        return hex_mm(self.setup)

    def of_ground(self, *wanted: str) -> list[Patch]:
        """The patches of that ground."""
        return [patch for patch in self.patches if patch.ground in wanted]

    def ground_at(self, point: Point) -> str:
        """The ground there, of the uppermost patch that covers the point."""
        return next((patch.ground for patch in reversed(self.patches) if patch.area.covers(point)), OPEN)


def open_table(scene: Scene, setup: Setup, state: State) -> OpenTable:
    """The scene as the game without hexes sees it."""
    found = ((piece, ground_of(piece, setup)) for piece in scene.of_kind("terrain"))
    patches = [Patch(piece.id, piece.footprint, ground, piece.sigma_mm) for piece, ground in found if ground]
    named = {patch.id for patch in patches}
    units = [Unit(piece, kind, told_of(piece, scene, state)) for piece, kind in bound_pieces(scene, setup, state)]
    bound = {unit.id for unit in units} | named
    unread = [Unit(piece, None, told_of(piece, scene, state)) for piece in strangers(scene, bound)]
    strange = (one.piece for one in unread if could_be_dense(one.piece, setup))
    unnamed = tuple(Patch(piece.id, piece.footprint, DENSE, piece.sigma_mm) for piece in strange)
    return OpenTable(scene, setup, state, tuple(units), tuple(unread), tuple(patches), unnamed)

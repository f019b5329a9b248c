"""The units: pieces bound to the roster, the hex that each is in, and what it has done (OMNI-1.1, 2.2, 3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from shapely import Point

from rules.game import Ruling
from rules.games.omniwar.board import Board
from rules.games.omniwar.roster import UnitType, unit_type, unit_types
from rules.geometry.hexes import Hex
from rules.margin import CLOSE_SIGMAS, Margin
from rules.scene import NONE, UNKNOWN, Kind, Piece, Scene
from rules.setup import Setup
from rules.state import State

# What can stand for a unit, once it is bound to the roster.
_UNIT_KINDS: tuple[Kind, ...] = ("coin", "soldier", "base", "die", "match", "card")
# What the state may say of a unit besides its line of the roster.
_KEYS = ("moved", "fired", "hidden", "carried_by", "boarded", "submerged")
# An unread piece of these kinds may be a unit, so that it shuts its hex (C5.2).
_SHUTTING_KINDS: tuple[Kind, ...] = ("coin", "soldier", "base", "terrain")


@dataclass(frozen=True, eq=False)
class Unit:
    """A piece that plays. One that did not change is the very same unit, which keeps its answers.

    kind    its line of the roster with all changes; None when the roster has no such name
    sure    how far it is from counting as in another hex
    others  the hexes that it may be in as well, when that is too close to call
    known   what the state says of it: moved, fired, hidden, carried_by, boarded, submerged
    answers  the rulings on attacks on each enemy, with the phase, and whether it was the unit's turn; its own sight
    """

    piece: Piece
    kind: UnitType | None
    cell: Hex
    sure: Margin
    others: tuple[Hex, ...] = ()
    known: Mapping[str, Any] = field(default_factory=dict)
    answers: MutableMapping[Unit, tuple[tuple[str | None, bool], Ruling]] = field(default_factory=WeakKeyDictionary)

    @property
    def id(self) -> str:
        """The piece's id."""
        return self.piece.id

    @property
    def owner(self) -> str:
        """The colour of its army."""
        return self.piece.owner

    @property
    def is_known(self) -> bool:
        """Whether kind and owner are known (C5.2)."""
        return self.kind is not None and self.owner != UNKNOWN

    @property
    def carrier(self) -> str | None:
        """The transport that carries it, if any."""
        carrier = self.known.get("carried_by")
        return str(carrier) if carrier else None

    @property
    def has_moved(self) -> bool:
        """Whether it has moved this turn."""
        return bool(self.known.get("moved"))

    @property
    def times_fired(self) -> int:
        """How often it has attacked this turn."""
        fired = self.known.get("fired")
        return fired if isinstance(fired, int) else int(bool(fired))

    @property
    def name(self) -> str:
        """What a player calls it."""
        return f"{self.owner} {self.kind.name if self.kind else self.piece.cls} {self.id}"


@dataclass(frozen=True, eq=False)
class Table:
    """What every ruling on hexes looks at."""

    board: Board
    units: tuple[Unit, ...]
    shut: Mapping[Hex, str]
    setup: Setup
    state: State

    @cached_property
    def in_cell(self) -> Mapping[Hex, tuple[Unit, ...]]:
        """The known units that stand in each hex themselves; those that are carried do not."""
        found: dict[Hex, tuple[Unit, ...]] = {}
        for unit in self.units:
            if unit.is_known and unit.carrier is None:
                found[unit.cell] = (*found.get(unit.cell, ()), unit)
        return found

    @cached_property
    def by_id(self) -> Mapping[str, Unit]:
        """The units by their piece's id."""
        return {unit.id: unit for unit in self.units}

    @cached_property
    def prices(self) -> dict[Unit, dict[Hex, float]]:
        """What was worked out already of where units can come to."""
        return {}

    @cached_property
    def _held_against(self) -> dict[str, frozenset[Hex]]:
        return {}

    def held_against(self, owner: str) -> frozenset[Hex]:
        """The hexes that no ground unit of the owner enters: enemies or unknown pieces are there."""
        if owner not in self._held_against:
            held = {cell for cell, there in self.in_cell.items() if any(unit.owner != owner for unit in there)}
            self._held_against[owner] = frozenset(held | self.shut.keys())
        return self._held_against[owner]

    def enemies_in(self, cell: Hex, owner: str) -> list[Unit]:
        """The enemy units in the hex."""
        return [unit for unit in self.in_cell.get(cell, ()) if unit.owner != owner]

    def rules_on(self, phase: str) -> bool:
        """Whether rulings of the phase are given now (C4.9)."""
        return self.state.phase in (None, phase)


def table(scene: Scene, setup: Setup, state: State, board: Board) -> Table:
    """The scene as the game on hexes sees it."""
    units = tuple(_units(scene, setup, state, board))
    shut = {unit.cell: unit.id for unit in units if not unit.is_known}
    shut |= dict(_unread(scene, {unit.id for unit in units}, board))
    return Table(board, units, shut, setup, state)


def bound_pieces(scene: Scene, setup: Setup, state: State) -> Iterator[tuple[Piece, UnitType | None]]:
    """The pieces that are bound to the roster and not neutral (C5.2), with what the roster says of them."""
    types = unit_types(setup)
    for piece in scene.of_kind(*_UNIT_KINDS):
        known = state.of(piece.id)
        name = known.get("roster") or piece.roster
        if name and piece.owner != NONE:
            yield piece, unit_type(str(name), known, types, f"state: pieces.{piece.id}")


def _units(scene: Scene, setup: Setup, state: State, board: Board) -> Iterator[Unit]:
    for piece, kind in bound_pieces(scene, setup, state):
        known = state.of(piece.id)
        yield _unit(piece, kind, board, tuple((key, _plain(piece, key, known[key])) for key in _KEYS if key in known))


def _plain(piece: Piece, key: str, value: object) -> object:
    """The value, if it is one word or number; ValueError if it is not."""
    if isinstance(value, (str, int, float, type(None))):
        return value
    raise ValueError(f"state: pieces.{piece.id}.{key}: should be true, false, a number or a name, not {value!r}")


@lru_cache(maxsize=1024)
def _unit(piece: Piece, kind: UnitType | None, board: Board, known: tuple[tuple[str, Any], ...]) -> Unit:
    grid, radius_mm = board.grid, CLOSE_SIGMAS * piece.sigma_mm
    cell = grid.cell_at(piece.position_mm)
    others = grid.cells_within(piece.position_mm, radius_mm) - {cell} if radius_mm else frozenset()
    sure = Margin(max(grid.border_mm(piece.position_mm), 0.0), piece.sigma_mm)
    return Unit(piece, kind, cell, sure, tuple(sorted(others)), dict(known))


def _unread(scene: Scene, bound: set[str], board: Board) -> Iterator[tuple[Hex, str]]:
    """The hexes shut by a piece that nobody knows, with its id."""
    for piece in scene.of_kind(*_SHUTTING_KINDS):
        if piece.id in bound or UNKNOWN not in (piece.cls, piece.owner):
            continue
        if piece.kind != "terrain":
            yield board.grid.cell_at(piece.position_mm), piece.id
            continue
        for cell in board.ground:
            if piece.cls == UNKNOWN and piece.footprint.covers(Point(board.grid.centre(cell))):
                yield cell, piece.id


def is_active(unit: Unit, setup: Setup, state: State) -> bool:
    """Whether it is the owner's turn; always, when nobody says whose turn it is (C4.9)."""
    player = setup.player_named(state.active) if state.active is not None else None
    return state.active is None or unit.owner == (player.colour if player else state.active)

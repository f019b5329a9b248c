"""The units on hexes: the hex that each is in, who shares it, and what nobody knows (OMNI-1.1, 2.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from shapely import Point

from rules.game import Ruling
from rules.games.omniwar.board import Board, ground_of
from rules.games.omniwar.roster import UnitType
from rules.games.omniwar.units import Unit, bound_pieces, strangers, told_of
from rules.geometry.hexes import Hex
from rules.margin import CLOSE_SIGMAS, Margin
from rules.scene import Piece, Scene
from rules.setup import Setup
from rules.state import State


@dataclass(frozen=True, eq=False)
class HexUnit(Unit):
    """A unit in its hex. From scene to scene a unit that did not change stays the same object, with its answers.

    sure     margin, mm: how far it is from counting as in another hex
    others   the hexes that it may be in as well, when that is too close to call
    answers  worked out already: rulings on its attacks by enemy, phase and whether it was the unit's turn; its sight
    """

    cell: Hex
    sure: Margin
    others: tuple[Hex, ...] = ()
    answers: MutableMapping[Unit, tuple[tuple[str | None, bool], Ruling]] = field(default_factory=WeakKeyDictionary)

    @property
    def may_be_in(self) -> tuple[Hex, ...]:
        """All hexes that the unit may be in, the measured one first."""
        return (self.cell, *self.others)


@dataclass(frozen=True)
class Stop:
    """A piece that nobody knows, which shuts its hex; `sure` and `others` as a unit's."""

    id: str
    cell: Hex
    sure: Margin
    others: tuple[Hex, ...]


@dataclass(frozen=True, eq=False)
class Table:
    """What every ruling on hexes looks at.

    shut   the hexes that nobody can enter, each with the id of the piece that shuts it
    stops  those of these pieces that may lie in another hex as well
    """

    board: Board
    units: tuple[HexUnit, ...]
    shut: Mapping[Hex, str]
    setup: Setup
    state: State
    stops: tuple[Stop, ...] = ()

    @cached_property
    def in_cell(self) -> Mapping[Hex, tuple[HexUnit, ...]]:
        """The known units that stand in each hex themselves; those that are carried do not."""
        found: dict[Hex, tuple[HexUnit, ...]] = {}
        for unit in self.units:
            if unit.is_known and unit.carrier is None:
                found[unit.cell] = (*found.get(unit.cell, ()), unit)
        return found

    @cached_property
    def by_id(self) -> Mapping[str, HexUnit]:
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

    def enemies_in(self, cell: Hex, owner: str) -> list[HexUnit]:
        """The enemy units in the hex."""
        return [unit for unit in self.in_cell.get(cell, ()) if unit.owner != owner]

    def rules_on(self, phase: str) -> bool:
        """Whether rulings of the phase are given now (C4.9)."""
        return self.state.phase in (None, phase)


def table(scene: Scene, setup: Setup, state: State, board: Board) -> Table:
    """The scene as the game on hexes sees it."""
    units = tuple(
        _unit(piece, kind, board, tuple(told_of(piece, scene, state).items()))
        for piece, kind in bound_pieces(scene, setup, state)
    )
    stops = [Stop(unit.id, unit.cell, unit.sure, unit.others) for unit in units if not unit.is_known]
    unread = tuple(strangers(scene, {unit.id for unit in units}))
    stops += [Stop(piece.id, *_place(piece, board)) for piece in unread if piece.kind != "terrain"]
    shut = {stop.cell: stop.id for stop in stops}
    shut |= dict(_shut([piece for piece in unread if piece.kind == "terrain"], setup, board))
    return Table(board, units, shut, setup, state, tuple(stop for stop in stops if stop.others))


@lru_cache(maxsize=1024)
def _unit(piece: Piece, kind: UnitType | None, board: Board, known: tuple[tuple[str, Any], ...]) -> HexUnit:
    return HexUnit(piece, kind, dict(known), *_place(piece, board))


def _place(piece: Piece, board: Board) -> tuple[Hex, Margin, tuple[Hex, ...]]:
    """The hex that the piece is in, the margin of being in no other, and the other hexes that it may be in."""
    grid, radius_mm = board.grid, CLOSE_SIGMAS * piece.sigma_mm
    cell = grid.cell_at(piece.position_mm)
    others = grid.cells_within(piece.position_mm, radius_mm) - {cell} if radius_mm else frozenset()
    return cell, Margin(max(grid.border_mm(piece.position_mm), 0.0), piece.sigma_mm), tuple(sorted(others))


def _shut(things: Iterable[Piece], setup: Setup, board: Board) -> Iterator[tuple[Hex, str]]:
    """The hexes whose centres lie under a thing that nobody knows, with its id."""
    for piece in things:
        if ground_of(piece, setup) is None:
            for cell in board.ground:
                if piece.footprint.covers(Point(board.grid.centre(cell))):
                    yield cell, piece.id

"""What every ruling of Pocket Wargame looks at: the battlefield, the units on it, set-up and state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rules.games.pocket.battlefield import Battlefield, battlefield
from rules.games.pocket.units import Unit, strangers_on, units_on, unknown_in
from rules.geometry.squares import Cell
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State


@dataclass(frozen=True)
class Table:
    """What all rulings look at.

    strangers  figures that nobody knows, which shut locations as unknown units do
    """

    field: Battlefield
    units: tuple[Unit, ...]
    setup: Setup
    state: State
    strangers: tuple[Unit, ...] = ()

    @cached_property
    def standing(self) -> tuple[Unit, ...]:
        """Units and strangers."""
        return (*self.units, *self.strangers)

    @cached_property
    def shut(self) -> Mapping[Cell, Unit]:
        """Locations that an unknown piece shuts."""
        return unknown_in(self.standing)

    @cached_property
    def owners_in(self) -> Mapping[Cell, frozenset[str]]:
        """Whose known units stand in each location."""
        owners: dict[Cell, set[str]] = defaultdict(set)
        for unit in self.units:
            if unit.is_known:
                owners[unit.cell].add(unit.owner)
        return {cell: frozenset(there) for cell, there in owners.items()}

    def in_melee(self, unit: Unit) -> bool:
        """Whether an opposed unit shares the location."""
        return unit.is_known and not self.owners_in.get(unit.cell, frozenset()) <= {unit.owner}

    def phases(self, *wanted: str) -> list[str]:
        """Those of the phases that are ruled on now: the state's, or all when it names none (C4.9)."""
        return [phase for phase in wanted if self.state.phase in (None, phase)]


def table(scene: Scene, setup: Setup, state: State) -> Table:
    """The scene as this game sees it."""
    return table_on(battlefield(scene, setup), scene, setup, state)


def table_on(field: Battlefield, scene: Scene, setup: Setup, state: State) -> Table:
    """The scene on that battlefield."""
    return Table(field, units_on(field, scene, setup), setup, state, strangers_on(field, scene, setup))


def opposed(unit: Unit, other: Unit) -> bool:
    """Whether two known units belong to different players."""
    return unit.is_known and other.is_known and unit.owner != other.owner

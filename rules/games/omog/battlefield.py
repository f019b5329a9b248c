"""What OMOG sees of a scene: soldiers, strangers, and the ground."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from rules.game import Ruling, ruling_from
from rules.games.omog.crew import Strength, crew_among, strength_among
from rules.games.omog.limit import SAME_MM
from rules.games.omog.soldier import FIGURES, Figure, Soldier, bars_ways, figure_of
from rules.games.omog.tables import tables
from rules.games.omog.terrain import Land, land_of
from rules.margin import CERTAIN, CLOSE_SIGMAS, REFUSED
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State


@dataclass(frozen=True, eq=False)
class Battlefield:
    """The scene as OMOG sees it; `only` is the id of the one piece that is asked about, if it is one."""

    scene: Scene
    setup: Setup
    state: State
    only: str | None = None

    @cached_property
    def subjects(self) -> tuple[Soldier, ...]:
        """The soldiers that are ruled on."""
        return tuple(soldier for soldier in self.soldiers if self.only in (None, soldier.id))

    @cached_property
    def soldiers(self) -> tuple[Soldier, ...]:
        """The soldiers of known arm and army, in the scene's order."""
        return tuple(figure.soldier for figure in self.figures if figure.soldier is not None)

    @cached_property
    def all_figures(self) -> tuple[Figure, ...]:
        """Every figure on the table, the neutral ones too, in the scene's order."""
        return tuple(figure_of(piece, self.state.of(piece.id)) for piece in self.scene.of_kind(*FIGURES))

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """Everything whose base stands in the way: soldiers, strangers, and things that nobody has named (C5.2)."""
        return tuple(figure_of(piece, self.state.of(piece.id)) for piece in self.scene if bars_ways(piece))

    def figures_near(self, soldier: Soldier, within_mm: float) -> tuple[Figure, ...]:
        """All figures whose base may come within that distance of where he stands, and perhaps some more; in order."""
        asked = soldier.id, within_mm
        if asked not in self._near:
            gaps_mm = self._gaps_mm[self._number[soldier.id]]
            self._near[asked] = tuple(compress(self.all_figures, (gaps_mm <= within_mm).tolist()))
        return self._near[asked]

    @cached_property
    def _near(self) -> dict[tuple[str, float], tuple[Figure, ...]]:
        return {}

    @cached_property
    def near_pairs(self) -> tuple[tuple[Soldier, Soldier], ...]:
        """All pairs of soldiers whose bases may touch, in the scene's order."""
        known = [(figure, figure.soldier) for figure in self.figures if figure.soldier is not None]
        at_mm = np.array([figure.piece.position_mm for figure, _ in known], float).reshape(-1, 2)
        # Three sigma of a pair are at most those of both men together.
        out_mm = np.array([figure.spread_mm + CLOSE_SIGMAS * figure.piece.sigma_mm for figure, _ in known], float)
        gaps_mm = np.hypot(*(at_mm[:, None] - at_mm[None]).T) - out_mm[:, None] - out_mm[None]
        first, second = np.nonzero(np.triu(gaps_mm <= tables().distance.touch_mm + SAME_MM, 1))
        return tuple((known[i][1], known[j][1]) for i, j in zip(first, second, strict=True))

    @cached_property
    def greatest_sigma_mm(self) -> float:
        """The error of the figure whose place is known worst."""
        return max((figure.piece.sigma_mm for figure in self.all_figures), default=0.0)

    @cached_property
    def _gaps_mm(self) -> NDArray[np.float64]:
        """From where each figure stands to a circle around each one's base, (n, n)."""
        at_mm = np.array([figure.piece.position_mm for figure in self.all_figures], float).reshape(-1, 2)
        spreads_mm = np.array([figure.spread_mm for figure in self.all_figures], float)
        gaps_mm: NDArray[np.float64] = np.hypot(*(at_mm[:, None] - at_mm[None]).transpose(2, 0, 1)) - spreads_mm
        return gaps_mm

    @cached_property
    def _number(self) -> Mapping[str, int]:
        return {figure.piece.id: number for number, figure in enumerate(self.all_figures)}

    @cached_property
    def land(self) -> Land:
        """The ground, thing by thing, with what it means."""
        return land_of(self.scene, self.setup)

    @cached_property
    def by_id(self) -> Mapping[str, Soldier]:
        """The soldiers by id."""
        return {soldier.id: soldier for soldier in self.soldiers}

    def enemies_of(self, soldier: Soldier) -> tuple[Soldier, ...]:
        """The soldiers of other armies."""
        return self._others[soldier.owner]

    @cached_property
    def _others(self) -> Mapping[str, tuple[Soldier, ...]]:
        owners = {soldier.owner for soldier in self.soldiers}
        return {owner: tuple(other for other in self.soldiers if other.owner != owner) for owner in owners}

    @cached_property
    def guns(self) -> tuple[Soldier, ...]:
        """The guns of all armies."""
        return tuple(soldier for soldier in self.soldiers if soldier.arm == "gun")

    @cached_property
    def crews(self) -> Mapping[str, tuple[Soldier, ...]]:
        """The men who serve each gun, by its id."""
        return {gun.id: crew_among(gun, self.soldiers) for gun in self.guns}

    @cached_property
    def strengths(self) -> Mapping[str, Strength]:
        """How many men serve each gun, by its id."""
        return {gun.id: strength_among(gun, self.soldiers, self.crews[gun.id]) for gun in self.guns}

    def house(self, key: str) -> Any:
        """A house rule's value, its default where the set-up is silent."""
        return self.setup.house.get(key, HOUSE_DEFAULTS[key])


HOUSE_DEFAULTS: Mapping[str, Any] = {"gun_push_in": [4, 4, 3, 3], "natural_one_misses": True, "melee_tie": "again"}


def plain(
    kind: str,
    piece: str | None,
    rule: str,
    why: str,
    *,
    yes: bool,
    other: str | None = None,
    geometry: BaseGeometry | None = None,
    extra: Mapping[str, Any] | None = None,
) -> Ruling:
    """A ruling that no distance decides."""
    margin = CERTAIN if yes else REFUSED
    return ruling_from(
        margin, kind=kind, piece=piece, rule=rule, why=why, other=other, geometry=geometry, extra=extra or {}
    )

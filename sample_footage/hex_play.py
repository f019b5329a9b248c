"""What hands do on a hex mat: units go from hex to hex, leave the mat, come, are stacked; dice are rolled."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from rules.geometry.hexes import distance
from sample_footage.card_play import CardPlay
from sample_footage.hex_table import TABLE_MM, HexTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from rules.geometry.hexes import Hex
    from sample_footage.coin import Coin

Point = tuple[float, float]

# Most moves are of so many hexes; the others go anywhere.
STEPS, NEAR = 3, 0.85
# A unit is put so far from the middle of its hex, in pitches; a careless hand puts it near the border.
ASTRAY, CARELESS_ASTRAY, CARELESS = 0.22, 0.47, 0.08
# No coin's middle lies nearer to the table's edge, nor on a hex so many pitches from the mat's.
EDGE_MM, WITHIN = 18.0, 0.55
TRIES = 400


@dataclass
class HexPlay(CardPlay):
    """A match on hexes while it is drawn: as one on cards, without cards."""

    mat: HexTable = field(default_factory=lambda: HexTable(40.0, 0.0, (100.0, 100.0)))

    @property
    def cells(self) -> list[Hex]:
        """The hexes on which units are put."""
        return list(_cells_well_on(self.mat))

    def retire(self) -> None:
        """A unit that is lost is laid beside the mat, or taken off the table where the mat covers it."""
        coin = self._any_coin()
        self._reach(coin, self._off_the_mat(coin) if self.mat.part_mm is not None else None)

    def place_in(self, cell: Hex) -> Point:
        """Where a hand puts a unit in that hex."""
        most = CARELESS_ASTRAY if self.rng.random() < CARELESS else ASTRAY
        far, turn = most * math.sqrt(self.rng.random()) * self.mat.pitch_mm, self.rng.uniform(0, math.tau)
        x, y = self.mat.grid.centre(cell)
        return round(x + far * math.cos(turn), 2), round(y + far * math.sin(turn), 2)

    def _free_place(self, coin: Coin) -> Point:
        """In a hex near by or, now and then, in any; in an empty one where there is one."""
        here, grid = self.mat.grid.cell_at(coin.position_mm), self.mat.grid
        taken = {grid.cell_at(other.position_mm) for other in self.coins}
        free = [cell for cell in self.cells if cell not in taken] or self.cells
        near = [cell for cell in free if 0 < distance(here, cell) <= STEPS]
        while True:
            choice = near if near and self.rng.random() < NEAR else free
            at = self.place_in(choice[int(self.rng.integers(len(choice)))])
            if self._lies_well(coin, at) and math.dist(at, coin.position_mm) > 0.6 * self.mat.pitch_mm:
                return at

    def _lies_well(self, coin: Coin, at_mm: Point) -> bool:
        low, high = np.full(2, EDGE_MM), np.array(TABLE_MM) - EDGE_MM
        return bool((low < at_mm).all() and (at_mm < high).all()) and self._is_free(coin, at_mm)

    def _off_the_mat(self, coin: Coin) -> Point | None:
        """A free place beside the mat; None if there is hardly one."""
        x0, y0, x1, y1 = self.mat.region_mm
        for _ in range(TRIES):
            at = (round(float(self.rng.uniform(20, 680)), 2), round(float(self.rng.uniform(20, 480)), 2))
            is_off = not (x0 - 16 < at[0] < x1 + 16 and y0 - 16 < at[1] < y1 + 16)
            if is_off and self._lies_well(coin, at):
                return at
        return None

    def _new_coin(self, seat) -> Coin:  # type: ignore[no-untyped-def]
        return replace(super()._new_coin(seat), owner=seat.colour)


@lru_cache(maxsize=8)
def _cells_well_on(mat: HexTable) -> tuple[Hex, ...]:
    """The hexes whose middle is well within the mat."""
    grid, slack = mat.grid, WITHIN * mat.pitch_mm
    x0, y0, x1, y1 = mat.region_mm
    most = math.ceil(2 * max(TABLE_MM) / mat.pitch_mm)
    middles = (((q, r), grid.centre((q, r))) for q in range(-most, most) for r in range(-most, most))
    return tuple(cell for cell, (x, y) in middles if x0 + slack < x < x1 - slack and y0 + slack < y < y1 - slack)


HEX_DEEDS: tuple[tuple[Callable[[HexPlay], None], float], ...] = (
    (HexPlay.move, 0.42),
    (HexPlay.slide, 0.10),
    (HexPlay.take, 0.10),
    (HexPlay.bring, 0.07),
    (HexPlay.stack, 0.05),
    (HexPlay.retire, 0.06),
    (HexPlay.brush, 0.06),
    (HexPlay.hover, 0.05),
    (HexPlay.both, 0.05),
    (HexPlay.roll, 0.04),
)

"""Which figures may stand in a soldier's way: those whose bases touch what he would reach if nobody else stood there.

A figure farther off bars no path of his, so that his reach does not depend on it and need not be worked out again when
it moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rules.games.omog.soldier import Figure, Soldier
from rules.geometry.region import Region

# What is looked at beyond reach and base: more than the reach may be off, so that nothing that cuts it is left out.
_BESIDE_MM = 1.0


@dataclass(frozen=True, eq=False)
class Room:
    """All that a soldier would reach on a table without other figures."""

    soldier: Soldier
    region: Region

    @property
    def beside_mm(self) -> float:
        """A base this near to the region may be in his way."""
        return self.soldier.radius_mm + _BESIDE_MM

    @cached_property
    def far_mm(self) -> float:
        """No base farther than this from where he stands may be; minus infinity for an empty region."""
        return self.region.farthest_mm(self.soldier.position_mm) + self.beside_mm

    def touched(self, figures: Sequence[Figure]) -> tuple[Figure, ...]:
        """Those whose bases touch it, or nearly do."""
        new = [figure for figure in figures if figure not in self._touched]
        if new:
            near = self.region.near([figure.base.area for figure in new], self.beside_mm)
            self._touched.update(zip(new, near.tolist(), strict=True))
        return tuple(figure for figure in figures if self._touched[figure])

    @cached_property
    def _touched(self) -> dict[Figure, bool]:
        return {}


def may_meet(rooms: Sequence[Room], figures: Sequence[Figure]) -> tuple[tuple[Figure, ...], ...]:
    """For each soldier the other figures whose bases his own may touch within his move, in their order."""
    gaps_mm = _gaps_mm(rooms, figures)
    far_mm = np.array([room.far_mm for room in rooms], float)[:, None]
    found: list[list[Figure]] = [[] for _ in rooms]
    for number, other in zip(*np.nonzero(gaps_mm <= far_mm), strict=True):
        if figures[other].piece.id != rooms[number].soldier.id:
            found[number].append(figures[other])
    return tuple(room.touched(about) for room, about in zip(rooms, found, strict=True))


def _gaps_mm(rooms: Sequence[Room], figures: Sequence[Figure]) -> NDArray[np.float64]:
    """From where each soldier stands to a circle around each figure's base, (soldiers, figures)."""
    starts = np.array([room.soldier.position_mm for room in rooms], float).reshape(-1, 1, 2)
    ends = np.array([figure.piece.position_mm for figure in figures], float).reshape(1, -1, 2)
    spreads_mm = np.array([figure.spread_mm for figure in figures], float)
    gaps_mm: NDArray[np.float64] = np.hypot(*(starts - ends).transpose(2, 0, 1)) - spreads_mm
    return gaps_mm

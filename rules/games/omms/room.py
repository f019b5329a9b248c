"""Whether a unit's whole reach hangs on one distance (OMMS-3.2, 3.5, C3.4).

Moved by 3 sigma, an enemy's coin at the unit's own rim, or a settlement that its way hardly meets or misses, may leave
it a place to stop or none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rules.games.omms.footing import Reading, readings
from rules.games.omms.ground_reach import Rover, offroad_reach
from rules.games.omms.road_reach import Mover, mover, reach_of
from rules.games.omms.shore import shore_doubts
from rules.games.omms.way_doubt import doubts
from rules.margin import CLOSE_SIGMAS, Margin

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rules.games.omms.coins import Coin
    from rules.games.omms.table import Table
    from rules.geometry.roads import RoadPoint


@dataclass(frozen=True)
class Outset:
    """A unit about to go along roads, over open ground, or both."""

    unit: Coin
    by_road: Mover | None
    over_ground: Rover | None

    @property
    def blockers(self) -> tuple[Coin, ...]:
        """The coins in either way, each once, and the settlements that it may end in."""
        ways = (way for way in (self.by_road, self.over_ground) if way is not None)
        homes = self.by_road.homes if self.by_road is not None else ()
        return tuple(dict.fromkeys([*(coin for way in ways for coin in way.blockers), *homes]))

    def nearer(self, nearer_mm: Mapping[str, float]) -> Outset:
        """The same with coins so much nearer to its ways, and for its own id with so much less of a reach."""
        road, ground = self.by_road, self.over_ground
        return Outset(self.unit, road and road.nearer(nearer_mm), ground and ground.nearer(nearer_mm))


def room_doubts(table: Table, unit: Coin, point: RoadPoint | None, over_ground: Rover | None) -> tuple[Margin, ...]:
    """The distances of which 3 sigma would give a unit that stands at `point` a first place to stop, or take its last.

    None where no enemy's coin might leave it no room at that very point: it can stop there.
    """
    far_mm = 2 * unit.radius_mm + CLOSE_SIGMAS * table.coins.most_sigma_mm
    if not any(coin.blocks(unit.owner) for coin in table.coins.near(unit, far_mm)):
        return ()
    by_road = None if point is None else mover(table, unit, point, table.length_mm)
    asked = Outset(unit, by_road, over_ground)
    flips = doubts(asked, unit.sigma_mm, lambda moved: _goes(table, moved))
    return (*flips, *(one.margin for one in _elsewhere(table, asked, point)))


def _elsewhere(table: Table, asked: Outset, point: RoadPoint | None) -> Iterator[Reading]:
    """The other places where the unit may stand, from which it has a place to stop and here none, or the reverse."""
    goes = _goes(table, asked)
    for one in readings(table, asked.unit, point):
        if one.point is not None and point is not None:
            by_road = mover(table, asked.unit, one.point, table.length_mm)
            if _goes(table, replace(asked, by_road=by_road)) != goes:
                yield one


def land_doubts(table: Table, unit: Coin, point: RoadPoint | None, over_ground: Rover) -> tuple[Margin, ...]:
    """How far the unit is from the shore, if it could stop somewhere on the one side and nowhere on the other."""

    def goes(moved: Rover) -> bool:
        by_road = None if point is None else mover(table, unit, point, table.length_mm)
        return _goes(table, Outset(unit, by_road, moved))

    return tuple(shore_doubts(table, over_ground, goes))


def _goes(table: Table, asked: Outset) -> bool:
    """Whether the unit can stop anywhere."""
    if asked.over_ground is not None and not offroad_reach(table, asked.over_ground).is_empty:
        return True
    reach = None if asked.by_road is None else reach_of(table.country, asked.by_road)
    return reach is not None and bool(reach.homes or not reach.lines.is_empty)

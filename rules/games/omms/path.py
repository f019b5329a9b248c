"""`path`: a shortest way along roads to a point of a unit's reach (C4.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapely import LineString

from rules.games.omms.road_reach import RoadReach, road_reach
from rules.geometry.road_way import shortest_way
from rules.geometry.roads import RoadPoint

if TYPE_CHECKING:
    from rules.games.omms.coins import Coin
    from rules.games.omms.table import Country, Table


def way_of(table: Table, start: Coin, end: Coin) -> LineString | None:
    """A shortest way by road from where a unit stood to where it stands; None if its reach has none."""
    reach = road_reach(table, start)
    landed = table.country.roads.nearest(end.at_mm, end.radius_mm)
    return None if reach is None or landed is None else way_to(table.country, reach, landed)


def way_to(country: Country, reach: RoadReach, goal: RoadPoint) -> LineString | None:
    """A shortest way within one move, else within two along a motorway."""
    way = shortest_way(reach.part, reach.point, goal)
    if way is not None or reach.double is None:
        return way
    start, end = country.motorway_point(reach.point), country.motorway_point(goal)
    return shortest_way(reach.double, start, end) if start is not None and end is not None else None

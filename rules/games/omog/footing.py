"""What a soldier stands in or on, how high, and what he may stand in as well (OMOG-1.2, 3.2)."""

from __future__ import annotations

from functools import lru_cache
from itertools import compress

import numpy as np
import shapely

from rules.games.omog.soldier import Soldier
from rules.games.omog.terrain import HIDING, Land, Terrain
from rules.geometry.edge import over_edge
from rules.margin import CLOSE_SIGMAS, Margin, pair_sigma_mm


def stands_on(soldier: Soldier, thing: Terrain, land: Land) -> bool:
    """Whether he stands in or on the thing."""
    return thing in stood_on(soldier, land)


@lru_cache(maxsize=4096)
def stood_on(soldier: Soldier, land: Land) -> frozenset[Terrain]:
    """All that he stands in or on; the edge counts."""
    ground, on = land.all_of(), soldier.piece.on
    held = shapely.intersects_xy(ground.areas, *soldier.position_mm).tolist()
    return frozenset([*compress(ground.each, held), *(thing for thing in ground.each if thing.id == on)])


@lru_cache(maxsize=4096)
def footing_mm(soldier: Soldier, land: Land) -> float:
    """The level of what he stands on: his own elevation, or the top of the hill under him."""
    hills = (thing.top_mm for thing in stood_on(soldier, land) if thing.meaning == "hill")
    return max([soldier.piece.elevation_mm, *hills])


def is_on_roof(soldier: Soldier, house: Terrain, land: Land) -> bool:
    """Whether he stands on a house, not in it: nearer to its top than to its floor."""
    floor_mm = house.piece.elevation_mm
    above_mm = soldier.piece.elevation_mm - floor_mm
    return stands_on(soldier, house, land) and 0 < house.top_mm - floor_mm <= 2 * above_mm


@lru_cache(maxsize=4096)
def elsewhere(man: Soldier, land: Land) -> tuple[tuple[Soldier, Margin], ...]:
    """The man a hair over each edge that is too near him to tell on which side he stands, with the way to it."""
    edges, found = land.all_of(*HIDING), []
    gaps_mm = shapely.distance(edges.outlines, man.point)
    is_near = gaps_mm <= CLOSE_SIGMAS * np.hypot(man.piece.sigma_mm, edges.sigma_mm)
    for thing in compress(edges.each, is_near.tolist()):
        sigma_mm = pair_sigma_mm(man.piece.sigma_mm, thing.piece.sigma_mm)
        if sigma_mm > 0 and man.piece.on != thing.id:
            beyond, gap_mm = over_edge(man.position_mm, thing.area)
            found.append((man.at(beyond), Margin(gap_mm, sigma_mm)))
    return tuple(found)

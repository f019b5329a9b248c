"""What lies between two men: the things that the line from one to the other meets, errors counted (OMOG-3.4).

It is looked for once for both, and for many pairs at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
import shapely
from shapely import Point

from rules.games.omog.line import clearance_mm, line_of_fire
from rules.games.omog.soldier import Soldier
from rules.games.omog.terrain import HIDING, Land, Terrain
from rules.geometry.depth import entry_of
from rules.geometry.passing import BESIDE, THROUGH, passed
from rules.geometry.templates import TOUCH_MM
from rules.kept import Kept
from rules.margin import CLOSE_SIGMAS, pair_sigma_mm

Pair = tuple[Soldier, Soldier]


class Met(NamedTuple):
    """A thing that the line between two men meets, or may meet.

    sigma_mm  the error of its distance from the line (C3.2)
    clear_mm  how far from it the line passes; negative by as much as the line would have to move
    entries   where the line comes to it from the first man, and from the second; None if it does not
    """

    thing: Terrain
    sigma_mm: float
    clear_mm: float
    entries: tuple[Point | None, Point | None]


def in_order(one: Soldier, other: Soldier) -> Pair:
    """Two men the same way round whoever shoots."""
    return (one, other) if one.id <= other.id else (other, one)


def between(a: Soldier, b: Soldier, land: Land) -> tuple[Met, ...]:
    """What the line from one man to the other meets; the two are `in_order`."""
    return _kept(land)(((a, b),))[0]


def look_between(pairs: Iterable[Pair], land: Land) -> None:
    """Look for what lies between many at once, so that it is known when it is asked for."""
    _kept(land)([in_order(*pair) for pair in pairs])


@lru_cache(maxsize=8)
def _kept(land: Land) -> Kept[Pair, tuple[Met, ...]]:
    return Kept(partial(_between, land), most=16384)


def _between(land: Land, pairs: Sequence[Pair]) -> list[tuple[Met, ...]]:
    found: list[list[Met]] = [[] for _ in pairs]
    for number, met in _met(land, pairs):
        found[number].append(met)
    return [tuple(things) for things in found]


def _met(land: Land, pairs: Sequence[Pair]) -> Iterator[tuple[int, Met]]:
    """The number of a pair, and what the line between the two meets, in the order of the land's things."""
    hiding = land.all_of(*HIDING)
    ends = np.array([(*a.position_mm, *b.position_mm) for a, b in pairs], float)
    own_mm2 = np.array([a.piece.sigma_mm**2 + b.piece.sigma_mm**2 for a, b in pairs], float)
    near_mm = CLOSE_SIGMAS * np.sqrt(own_mm2[:, None] + hiding.sigma_mm**2)
    which, where = passed(hiding.numbers, ends, near_mm)
    gaps_mm = shapely.distance(shapely.linestrings(ends[which[:, 0]].reshape(-1, 2, 2)), hiding.areas[which[:, 1]])
    entries = np.asarray(shapely.points(where[:, 1:].reshape(-1, 2, 2)), object).tolist()
    rows = zip(which.tolist(), where[:, 0].tolist(), gaps_mm.tolist(), entries, strict=True)
    for (number, area, how), depth_mm, gap_mm, entry in rows:
        (a, b), thing = pairs[number], hiding.each[area]
        sigma_mm = pair_sigma_mm(a.piece.sigma_mm, b.piece.sigma_mm, thing.piece.sigma_mm)
        if how == THROUGH and depth_mm > TOUCH_MM:
            yield number, Met(thing, sigma_mm, -depth_mm, tuple(entry))
        elif how == BESIDE:
            yield number, Met(thing, sigma_mm, gap_mm, (None, None))
        elif thing.area.dwithin(line_of_fire(a, b), CLOSE_SIGMAS * sigma_mm):
            yield number, met_in_doubt(thing, a, b, sigma_mm)


def met_in_doubt(thing: Terrain, a: Soldier, b: Soldier, sigma_mm: float) -> Met:
    """Where the line touches an edge or a corner."""
    there, back = line_of_fire(a, b), line_of_fire(b, a)
    entries = entry_of(there, thing.area, thing.rings), entry_of(back, thing.area, thing.rings)
    return Met(thing, sigma_mm, clearance_mm(there, thing.area), entries)

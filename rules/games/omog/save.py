"""Who saves himself from a burst or from canister: the cover between him and the point of impact (OMOG-4.3)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import compress
from typing import NamedTuple

import numpy as np
import shapely
from shapely import LineString

from rules.games.omog.line import clearance_mm, crosses
from rules.games.omog.tables import tables
from rules.games.omog.terrain import Land, Terrain
from rules.margin import CLOSE_SIGMAS, pair_sigma_mm
from rules.scene import Piece, Point2


class Save(NamedTuple):
    """The number that saves a man, None for one without cover, and whether that is too close to call."""

    die: int | None
    is_close: bool = False


def save_of(man: Piece, impact: Point2, land: Land, aimed_mm: float) -> Save:
    """The best cover's number; close if a cover that may count or not would change it (C3.4).

    aimed_mm  the error of the point of impact
    """
    if man.position_mm == impact:
        return Save(None)
    line, covers = LineString((man.position_mm, impact)), land.all_of(*tables().save)
    bands_mm = CLOSE_SIGMAS * np.hypot(pair_sigma_mm(man.sigma_mm, aimed_mm), covers.sigma_mm)
    is_near = shapely.distance(covers.areas, line) <= bands_mm
    near = dict(compress(zip(covers.each, bands_mm.tolist(), strict=True), is_near.tolist()))
    counts = {thing: crosses(line, thing.area) for thing in near}
    die = _best(counts)
    unsure = [thing for thing, band_mm in near.items() if abs(clearance_mm(line, thing.area)) < band_mm]
    return Save(die, any(_best({**counts, thing: not counts[thing]}) != die for thing in unsure))


def _best(counts: Mapping[Terrain, bool]) -> int | None:
    return min((tables().save[thing.meaning] for thing, counted in counts.items() if counted), default=None)

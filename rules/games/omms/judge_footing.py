"""Whether a judged move hangs on which of two near roads the unit stood on, or ends on (OMMS-1.3, C3.4)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from rules.games.omms.edge import over_edge
from rules.games.omms.footing import Reading, past_motorway, readings, readings_of_end
from rules.games.omms.road_reach import Mover, RoadReach, is_reached, mover, reach_of
from rules.margin import Margin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.games.omms.coins import Coin
    from rules.games.omms.condition import Condition
    from rules.games.omms.table import Table
    from rules.geometry.roads import RoadPoint


def if_elsewhere(table: Table, asked: Mover, landed: RoadPoint, end: Coin, along: Condition) -> Condition:
    """The condition of a way; close if it is another one with the unit on a road that is hardly farther, or on none."""
    if along.verdict == "close":
        return along
    unit, reach = asked.unit, reach_of(table.country, asked)
    starts = (
        (reading, f"{unit} may have stood {reading.where}", _leads(table, unit, reading, landed))
        for reading in (*_beside(table, unit, asked.point), *readings(table, unit, asked.point))
    )
    ends = (
        (reading, f"{unit} may have ended {reading.where}", _is_on(reach, reading))
        for reading in (*_beside(table, end, landed), *readings_of_end(table, end, landed))
    )
    turning = [(reading, why) for reading, why, leads in (*starts, *ends) if leads != along.holds]
    if not turning:
        return along
    reading, why = min(turning, key=lambda one: one[0].margin.margin_mm / one[0].margin.sigma_mm)
    margin = Margin(math.copysign(reading.margin.margin_mm, 1 if along.holds else -1), reading.margin.sigma_mm)
    return replace(along, verdict="close", margin=margin, rule="OMMS-1.3", why=why)


def _beside(table: Table, unit: Coin, point: RoadPoint) -> Iterator[Reading]:
    """Places a few sigma along the roads that differ: past the end of a motorway, and past the table's edge."""
    yield from past_motorway(table, unit, point)
    yield from over_edge(table, unit, point)


def _leads(table: Table, unit: Coin, reading: Reading, landed: RoadPoint) -> bool:
    if reading.point is None:
        return False
    return is_reached(reach_of(table.country, mover(table, unit, reading.point, table.length_mm)), landed)


def _is_on(reach: RoadReach, reading: Reading) -> bool:
    return reading.point is not None and is_reached(reach, reading.point)

"""Ways without hexes: whether a move can come to its end, and on what that hangs (C3.4, OMNI-4.3)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import shapely
from shapely import LineString
from shapely.geometry.base import BaseGeometry

from rules.decimals import set_apart
from rules.games.omniwar.open_reach import Barrier, barriers, can_leave, come_to, costly, farthest_mm, kept_off_mm, land
from rules.games.omniwar.open_setting_up import table_margin
from rules.games.omniwar.open_table import OpenTable
from rules.games.omniwar.open_targets import Reason
from rules.games.omniwar.units import Unit
from rules.geometry.edge import inset_mm
from rules.margin import CLOSE_SIGMAS, ROUNDING_MM, Margin, is_shared, pair_sigma_mm, turned
from rules.way_past import hangs_on

# How far a reach's border may be off where it follows an obstacle.
_BORDER_ERROR_MM = 0.05


@dataclass(frozen=True, eq=False)
class Way:
    """A move from one place to another among all that stood on the table before."""

    start: Unit
    end: Unit
    seen: OpenTable

    @cached_property
    def barriers(self) -> list[Barrier]:
        """What the base keeps clear of."""
        return [*barriers(self.seen, self.start), *land(self.seen, self.start)]

    @cached_property
    def region(self) -> BaseGeometry:
        """All that the unit can come to."""
        return come_to(self.seen, self.start)

    @property
    def length_mm(self) -> float:
        """The straight way."""
        return math.dist(self.start.piece.position_mm, self.end.piece.position_mm)

    @cached_property
    def most_mm(self) -> float:
        """No way of the unit is longer."""
        return farthest_mm(self.seen, self.start, self.start.line.move * self.seen.hex_mm)

    @property
    def sigma_mm(self) -> float:
        """The error of its length."""
        return pair_sigma_mm(self.start.piece.sigma_mm, self.end.piece.sigma_mm)


def coming(way: Way, room: Sequence[Reason], known: set[str]) -> list[Reason]:
    """What speaks of the way and of the room at its end; a way that fails only for want of room is no reason.

    room   who leaves too little room at the end
    known  whom the room was asked for
    """
    on_table = Reason(table_margin(way.seen, way.end), "C4.7", "ends off the table")
    edges = [*room, on_table, *_clear(way, known)]
    margin = _inset(way)
    if is_shared(margin, [reason.margin for reason in edges], _BORDER_ERROR_MM):
        return edges
    if margin.margin_mm >= 0 and margin.verdict == "close":
        margin = _to_rim(way)
    return [_hung(way, margin), *edges]


def _clear(way: Way, known: set[str]) -> Iterator[Reason]:
    """One condition for each barrier that the base, at its end, may overlap."""
    for barrier in way.barriers:
        gap_mm = barrier.area.distance(way.end.piece.point) - kept_off_mm(barrier, way.start)
        margin = Margin(gap_mm, pair_sigma_mm(way.end.piece.sigma_mm, barrier.sigma_mm))
        if barrier.id not in known and margin.verdict != "no":  # that the way does not come there says the way
            where = f"where {barrier.id} stood before" if barrier.id in way.seen.by_id else f"on {barrier.id}"
            yield Reason(margin, barrier.rule, f"ends {where}, which {barrier.why}")


def _inset(way: Way) -> Margin:
    """How far the end lies within all that the unit can come to, or beyond it: whatever is farther off than its longest
    way is beyond it, though the drawn border may be off."""
    inset, left_mm = inset_mm(way.region, way.end.piece.point, _BORDER_ERROR_MM), way.most_mm - way.length_mm
    if not math.isfinite(inset):
        return Margin(-way.length_mm, way.sigma_mm)
    is_told = left_mm < -ROUNDING_MM and inset > left_mm - _BORDER_ERROR_MM
    return Margin(left_mm if is_told else inset, way.sigma_mm)


def _to_rim(way: Way) -> Margin:
    """The margin of the end by the move's length alone: the other borders of the reach have errors of their own."""
    kept = [barrier.area.buffer(kept_off_mm(barrier, way.start)).boundary for barrier in way.barriers]
    others = shapely.union_all([*kept, way.seen.bounds.exterior]).buffer(_BORDER_ERROR_MM)
    rim = way.region.boundary - others
    left_mm = max(way.start.line.move * way.seen.hex_mm - way.length_mm, 0.0)
    return Margin(left_mm if rim.is_empty else rim.distance(way.end.piece.point), way.sigma_mm)


def _hung(way: Way, margin: Margin) -> Reason:
    """That the unit can come to its end; close if that hangs on where one thing stands that the way passes."""
    comes = margin.margin_mm >= 0
    near = {} if margin.verdict == "close" or _is_plain(way, comes) else _passed(way)
    bands_mm = {name: CLOSE_SIGMAS * sigma_mm for name, sigma_mm in near.items()}
    # A border that is off by a hair is off alike where a thing stands elsewhere.
    error_mm = 0.0 if margin.margin_mm > _BORDER_ERROR_MM else _BORDER_ERROR_MM
    hangs = hangs_on(bands_mm, comes, lambda nearer_mm: _comes_if(way, nearer_mm, error_mm)) if bands_mm else {}
    if not hangs:
        far, word = set_apart(abs(margin.margin_mm), 0.0, 1), "within" if comes else "beyond"
        return Reason(margin, "OMNI-4.3", f"ends {far} mm {word} what it can come to")
    least = min(hangs, key=lambda name: hangs[name])
    turns = "farther off would open" if not comes else "nearer would shut"
    margin = turned(margin, (Margin(mm, near[name]) for name, mm in hangs.items()))
    return Reason(margin, "OMNI-4.3", f"passes {least}, which {hangs[least]:.2f} mm {turns} the way")


def _comes_if(way: Way, nearer_mm: Mapping[str, float], error_mm: float) -> bool:
    return inset_mm(come_to(way.seen, way.start, nearer_mm), way.end.piece.point, error_mm) >= 0


def _passed(way: Way) -> dict[str, float]:
    """The errors of the things that the way may pass, by their ids."""
    things = [(one.id, one.area, one.sigma_mm) for one in way.barriers]
    things += [(patch.id, patch.area, patch.sigma_mm) for patch in costly(way.seen, way.start)]
    here, there, most_mm = way.start.piece.point, way.end.piece.point, way.most_mm + 2 * way.start.radius_mm
    return {
        name: sigma_mm
        for name, area, sigma_mm in things
        if sigma_mm and area.distance(here) + area.distance(there) <= most_mm + 2 * CLOSE_SIGMAS * sigma_mm
    }


def _is_plain(way: Way, comes: bool) -> bool:
    """Whether no thing turns the way if it stands a little off: it is straight and free, or too long."""
    if not comes:
        return way.length_mm > way.most_mm
    line = LineString([way.start.piece.position_mm, way.end.piece.position_mm])
    free = (
        one.area.distance(line) >= way.start.radius_mm + CLOSE_SIGMAS * one.sigma_mm
        for one in way.barriers
        if one.sigma_mm
    )
    return not costly(way.seen, way.start) and all(free)


def leaving(seen: OpenTable, unit: Unit) -> Margin:
    """The margin of its move reaching over the table's edge (OMNI-2.2)."""
    sigma_mm = unit.piece.sigma_mm
    region = come_to(seen, unit)
    if not can_leave(seen, region):
        return Margin(-region.distance(seen.bounds.exterior), sigma_mm)
    low, high = 0.0, CLOSE_SIGMAS * sigma_mm
    if can_leave(seen, come_to(seen, unit, shorter_mm=high)):
        straight_mm = seen.bounds.exterior.distance(unit.piece.point)
        return Margin(max(unit.line.move * seen.hex_mm - straight_mm, high), sigma_mm)
    while high - low > _BORDER_ERROR_MM * sigma_mm:
        middle = (low + high) / 2
        low, high = (middle, high) if can_leave(seen, come_to(seen, unit, shorter_mm=middle)) else (low, middle)
    return Margin(low, sigma_mm)

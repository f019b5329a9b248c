"""What units see and whom they may attack without hexes: distances from centre to centre (OMNI-3.1 to 3.3, 4.3)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import shapely
from shapely import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from rules.decimals import set_apart
from rules.game import Mark, Ruling, ruling_from
from rules.games.omniwar.attack import (
    PHASE,
    attack_facts,
    attacker_fault,
    defense_fault,
    defense_of,
    hit_label,
    is_asked,
    target_fault,
    told,
)
from rules.games.omniwar.board import DENSE, WATER
from rules.games.omniwar.open_table import OpenTable, Patch
from rules.games.omniwar.units import Unit
from rules.geometry.clearance import clearance_mm
from rules.geometry.edge import over_edge, swept
from rules.geometry.sight import is_visible, visibility_polygon
from rules.geometry.templates import covers, disc
from rules.margin import CERTAIN, CLOSE_SIGMAS, REFUSED, UNTOLD, Margin, all_of, at_most, decider, pair_sigma_mm, turned
from rules.scene import Point2
from rules.unnamed import untold

# What comes so near to a line may touch it.
_TOUCH_MM = 1e-6


@dataclass(frozen=True)
class Reason:
    """One thing that an attack hangs on: its margin, the rule, and what to say if it fails."""

    margin: Margin
    rule: str
    why: str


def open_targets(seen: OpenTable) -> Iterator[Ruling]:
    """One feature for each unit and each of its enemies."""
    for attacker in seen.known:
        if is_asked(attacker, seen.setup, seen.state):
            yield from (_target(seen, attacker, target) for target in seen.known if target.owner != attacker.owner)


def attack_reason(seen: OpenTable, attacker: Unit, target: Unit) -> Reason:
    """The condition that decides whether the attack is possible, with the margin of all conditions together."""
    return decided(
        [*_refusals(seen, attacker, target), _range(seen, attacker, target), *_sight(seen, attacker, target)]
    )


def decided(reasons: Sequence[Reason]) -> Reason:
    """The one that decides, with the margin of all together (C3.4)."""
    margins = [reason.margin for reason in reasons]
    return replace(reasons[decider(margins)], margin=all_of(margins))


def _refusals(seen: OpenTable, attacker: Unit, target: Unit) -> list[Reason]:
    """What no distance decides."""
    faults = (
        attacker_fault(attacker, seen.setup, seen.state),
        target_fault(target),
        defense_fault(attacker, defense(seen, target)),
    )
    return [Reason(REFUSED, *fault) for fault in faults if fault is not None]


def defense(seen: OpenTable, target: Unit) -> int:
    """Its Defense where it stands."""
    return defense_of(target, in_water=_is_on(target, seen.of_ground(WATER)))


def _is_on(unit: Unit, patches: list[Patch]) -> bool:
    """Whether the centre of its base is on one of them; the edge counts."""
    return any(patch.area.covers(unit.piece.point) for patch in patches)


def _apart_mm(attacker: Unit, target: Unit) -> float:
    return math.dist(attacker.piece.position_mm, target.piece.position_mm)


def _range(seen: OpenTable, attacker: Unit, target: Unit) -> Reason:
    range_mm, distance_mm = attacker.line.range * seen.hex_mm, _apart_mm(attacker, target)
    sigma_mm = pair_sigma_mm(attacker.piece.sigma_mm, target.piece.sigma_mm)
    why = f"{set_apart(distance_mm, range_mm, 1)} mm away, range {range_mm:g} mm"
    return Reason(at_most(distance_mm, range_mm, sigma_mm), "OMNI-3.1", why)


def _sight(seen: OpenTable, attacker: Unit, target: Unit) -> list[Reason]:
    """For each dense patch on the line or near it, whether the line gets past; indirect fire needs no sight."""
    if attacker.line.has("Indirect"):
        return []
    found = ((patch, _past(patch, attacker, target)) for patch in _beside(seen.of_ground(DENSE), attacker, target))
    reasons = [Reason(margin, "OMNI-3.1", f"no sight through dense {patch.id}") for patch, margin in found if margin]
    strange = (patch for patch in _beside(seen.unnamed, attacker, target) if _may_hide(patch, attacker, target))
    return reasons + [Reason(UNTOLD, "C5.2", untold(patch.id)) for patch in strange]


def _beside(patches: Sequence[Patch], attacker: Unit, target: Unit) -> list[Patch]:
    """Those that the line may cross as it may lie as well, asked of all at once: most are far from it."""
    pair = attacker.piece.sigma_mm, target.piece.sigma_mm
    near_mm = np.array([CLOSE_SIGMAS * pair_sigma_mm(*pair, patch.sigma_mm) + _TOUCH_MM for patch in patches])
    line = LineString([attacker.piece.position_mm, target.piece.position_mm])
    is_near = shapely.distance(np.array([patch.area for patch in patches], object), line) <= near_mm
    return [patch for patch, near in zip(patches, is_near, strict=True) if near]


def _may_hide(patch: Patch, attacker: Unit, target: Unit) -> bool:
    """Whether dense ground there hides the target, or nearly does."""
    margin = _past(patch, attacker, target)
    return margin is not None and margin.verdict != "yes"


def _past(patch: Patch, attacker: Unit, target: Unit) -> Margin | None:
    """The margin of seeing past a patch; None if nothing near decides it, as when one of the two stands in it."""
    a, b = attacker.piece.position_mm, target.piece.position_mm
    sigma_mm = pair_sigma_mm(attacker.piece.sigma_mm, target.piece.sigma_mm, patch.sigma_mm)
    nominal = _clear(patch.area, a, b, sigma_mm)
    flips = [
        gap
        for (one, other), gap in _readings(patch.area, a, b, sigma_mm)
        if (_clear(patch.area, one, other, 0.0).margin_mm < 0) != (nominal.margin_mm < 0)
    ]
    margin = turned(nominal, flips)
    return None if margin is CERTAIN else margin


def _clear(area: Polygon, a: Point2, b: Point2, sigma_mm: float) -> Margin:
    """By how much the line passes the area; units fire into it and out of it, but not through (OMNI-3.1)."""
    if _ends_in(area, a, b):
        return CERTAIN
    margin = Margin(clearance_mm(a, b, area), sigma_mm)
    if margin.margin_mm > CLOSE_SIGMAS * sigma_mm:  # no line as it may lie as well comes so far
        return CERTAIN
    # Who only stands beside it may stand in it, which `_readings` asks.
    lines = () if margin.margin_mm < 0 else swept(a, b, margin.margin_mm, CLOSE_SIGMAS * sigma_mm)
    passed = all(_ends_in(area, *ends) or is_visible(*ends, [area]) for ends in lines)
    return CERTAIN if margin.margin_mm >= 0 and passed else margin


def _ends_in(area: Polygon, a: Point2, b: Point2) -> bool:
    return bool(shapely.intersects_xy(area, [a[0], b[0]], [a[1], b[1]]).any())


def _readings(area: Polygon, a: Point2, b: Point2, sigma_mm: float) -> Iterator[tuple[tuple[Point2, Point2], Margin]]:
    """The ends as they may stand as well: one a hair over the edge that is too near to call."""
    for place, end in enumerate((a, b)):
        if sigma_mm and area.exterior.dwithin(shapely.Point(end), CLOSE_SIGMAS * sigma_mm):
            beyond, gap_mm = over_edge(end, area)
            yield ((beyond, b) if place == 0 else (a, beyond)), Margin(gap_mm, sigma_mm)


def _target(seen: OpenTable, attacker: Unit, target: Unit) -> Ruling:
    decides = attack_reason(seen, attacker, target)
    extra = _extra(seen, attacker, target)
    line = LineString([attacker.piece.position_mm, target.piece.position_mm])
    fails = decides.margin.margin_mm < 0 or decides.rule == "C5.2"
    reason = decides.why if fails else told(extra, f"{extra['distance_mm']:.1f} of {extra['range_mm']:.1f} mm")
    marks = (Mark("target", target.piece.footprint, hit_label(extra)),) if decides.margin.verdict != "no" else ()
    return ruling_from(
        decides.margin, kind="target", piece=attacker.id, other=target.id, rule=decides.rule if fails else "OMNI-3.2",
        why=f"{attacker.name} at {target.name}: {reason}", geometry=line, extra=extra, marks=marks,
    )  # fmt: skip


def _extra(seen: OpenTable, attacker: Unit, target: Unit) -> dict[str, Any]:
    dense = _is_on(target, seen.of_ground(DENSE))
    extra = {
        **attack_facts(attacker, defense(seen, target), seen.setup, seen.state, dense=dense),
        "distance_mm": round(_apart_mm(attacker, target), 4),
        "range_mm": attacker.line.range * seen.hex_mm,
    }
    if attacker.line.has("Area"):
        extra["hits"] = _under(seen, target)
    hidden_by = [
        patch.id for patch in _beside(seen.of_ground(DENSE), attacker, target) if _hides(patch, attacker, target)
    ]
    return {**extra, "hidden_by": hidden_by} if hidden_by else extra


def _hides(patch: Patch, attacker: Unit, target: Unit) -> bool:
    if attacker.line.has("Indirect"):
        return False
    return _clear(patch.area, attacker.piece.position_mm, target.piece.position_mm, 0.0).margin_mm < 0


def _under(seen: OpenTable, target: Unit) -> list[str]:
    """All whom an area attack hits: a disc as broad as a hex about the target (OMNI-3.3, C4.6)."""
    template = disc(target.piece.position_mm, seen.hex_mm / 2)
    return sorted(unit.id for unit in seen.standing if covers(template, unit.base))


def open_sights(seen: OpenTable) -> Iterator[Ruling]:
    """One `sight` for each unit that can attack at a distance: all that it sees, whatever the range."""
    for unit in seen.known:
        if unit.line.range:
            yield _region(seen, unit)


def _region(seen: OpenTable, unit: Unit) -> Ruling:
    if not seen.bounds.covers(unit.piece.point):
        why = f"the centre of {unit.name} is off the table"
        return ruling_from(REFUSED, kind="sight", piece=unit.id, rule="C4.7", why=why, extra={"phase": PHASE})
    area = seen.bounds if unit.line.has("Indirect") else seen_area(seen, unit.piece.position_mm)
    word = "needs no sight" if unit.line.has("Indirect") else "sees to the nearest dense ground, and into it"
    return ruling_from(
        Margin(unit.line.range * seen.hex_mm, unit.piece.sigma_mm), kind="sight", piece=unit.id, rule="OMNI-3.1",
        why=f"{unit.name} {word}", geometry=area, extra={"phase": PHASE}, marks=(Mark("sight", area),),
    )  # fmt: skip


def seen_area(seen: OpenTable, eye: Point2) -> BaseGeometry:
    """All points of the table in sight: dense ground is seen into as far as no other stands before it."""
    hiding = [patch.area for patch in seen.of_ground(DENSE) if not shapely.intersects_xy(patch.area, *eye)]
    views: list[BaseGeometry] = [visibility_polygon(eye, hiding, seen.bounds)]
    for within, part in _parts(hiding):
        before = [area for place, area in enumerate(hiding) if place not in within]
        views.append(visibility_polygon(eye, before, seen.bounds) & part)
    return shapely.union_all(views)


def _parts(areas: Sequence[Polygon]) -> Iterator[tuple[frozenset[int], Polygon]]:
    """The areas cut along one another's borders: each part with the places of those in which it lies."""
    for part in shapely.get_parts(shapely.polygonize(shapely.get_parts(shapely.union_all(shapely.boundary(areas))))):
        inner = part.representative_point()
        yield frozenset(place for place, area in enumerate(areas) if area.covers(inner)), part

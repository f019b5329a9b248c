"""All rulings of Pocket Wargame: steps, shots, melee, and what each location is (POCKET-2.1 to 6.1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from shapely import LineString, MultiPolygon

from rules.game import Mark, Ruling, ruling_from
from rules.games.pocket.battlefield import Battlefield, Location, battlefield, steps_between
from rules.games.pocket.combat import Fighter, heads_odds, may_cancel_in_melee, next_damaged, spending_order
from rules.games.pocket.deployment import deployment_fault
from rules.games.pocket.doubt import weighed
from rules.games.pocket.shots import can_shoot, damage_effect, may_cancel_shot, range_steps, shot_odds
from rules.games.pocket.steps import MOVING_PHASES, legal_ends, step_fault
from rules.games.pocket.units import Unit, side_owner, units_on, unknown_in
from rules.geometry.squares import Cell
from rules.margin import Margin
from rules.scene import UNKNOWN, Scene
from rules.setup import Setup
from rules.state import State


@dataclass(frozen=True)
class Table:
    """What all rulings look at."""

    field: Battlefield
    units: tuple[Unit, ...]
    setup: Setup
    state: State

    @cached_property
    def shut(self) -> Mapping[Cell, Unit]:
        """Locations that an unknown piece shuts."""
        return unknown_in(self.units)

    def phases(self, *wanted: str) -> list[str]:
        """Those of the phases that are ruled on now: the state's, or all when it names none (C4.9)."""
        return [phase for phase in wanted if self.state.phase in (None, phase)]


def table(scene: Scene, setup: Setup, state: State) -> Table:
    """The scene as this game sees it."""
    field = battlefield(scene, setup)
    return Table(field, units_on(field, scene, setup), setup, state)


def rulings(scene: Scene, setup: Setup, state: State, piece: str | None) -> tuple[Ruling, ...]:
    """Every ruling for the scene, or one piece's."""
    seen = table(scene, setup, state)
    parts = (_locations, _cohesion, _deployment, _reaches, _blocked, _targets, _engaged, _melees)
    return tuple(ruling for part in parts for ruling in part(seen) if piece in (None, ruling.piece))


def in_melee(unit: Unit, units: tuple[Unit, ...]) -> bool:
    """Whether an opposed unit shares the location."""
    return any(opposed(unit, other) and unit.cell == other.cell for other in units)


def opposed(unit: Unit, other: Unit) -> bool:
    """Whether two known units belong to different players."""
    return unit.is_known and other.is_known and unit.owner != other.owner


def _locations(seen: Table) -> Iterator[Ruling]:
    """One `cover` feature for each card: its ground, and whether it shelters from shots."""
    for location in seen.field.locations:
        ground, outline = location.ground, seen.field.outline(location)
        role = "blocked" if ground.closed else "terrain"
        extra = {"cell": list(location.cell), "terrain": ground.name, "elevation": ground.elevation}
        yield Ruling(
            "cover",
            location.card.id,
            "close" if ground.name in ("unset", UNKNOWN) else "yes" if ground.cover else "no",
            "POCKET-1.2",
            _location_sentence(location),
            geometry=outline,
            extra=extra,
            marks=(Mark(role, outline, ground.name),),
        )


def _location_sentence(location: Location) -> str:
    if location.ground.name == "unset":
        return f"{location.card.id} is a joker without a meaning; set [legend] joker to a ground before play"
    if location.ground.name == UNKNOWN:
        return f"{location.card.id} was not read; say which card it is"
    shelter = "shelters from shots" if location.ground.cover else "gives no shelter from shots"
    return f"{location.card.cls} is {location.name}" + (
        ", out of bounds" if location.ground.closed else f" and {shelter}"
    )


def _cohesion(seen: Table) -> Iterator[Ruling]:
    """One feature for each unit: steady (yes), wavering (no), or not seen (close)."""
    for unit in seen.units:
        verdict, word = {"heads": ("yes", "steady"), "tails": ("no", "wavering")}.get(
            unit.piece.face, ("close", "neither heads nor tails for certain")
        )
        marks = (Mark("doubt", unit.piece.footprint, word),) if verdict != "yes" else ()
        extra = {"owner": unit.owner, "troop": unit.troop.name if unit.troop else None, "cell": list(unit.cell)}
        yield Ruling("cohesion", unit.id, verdict, "POCKET-1.4", f"{unit.name} is {word}", extra=extra, marks=marks)  # type: ignore[arg-type]


def _deployment(seen: Table) -> Iterator[Ruling]:
    """One `settle` feature for each unit at the very start: whether it stands where units begin."""
    if seen.state.turn > 1 or seen.state.phase not in (None, "cavalry"):
        return
    for unit in seen.units:
        if unit.troop is None or not unit.is_known:
            continue
        fault = deployment_fault(seen.field, unit.troop, unit.owner, unit.location, seen.setup)
        why = f"{unit.name}: {fault}" if fault else f"{unit.name} stands in its deployment area"
        verdict = "no" if fault else "yes"
        yield Ruling("settle", unit.id, verdict, "POCKET-5.1", why, extra={"cell": list(unit.cell)})  # type: ignore[arg-type]


def _reaches(seen: Table) -> Iterator[Ruling]:
    for unit in seen.units:
        for phase in seen.phases(*_phases_of(unit, seen.state)):
            yield _reach(seen, unit, phase)


def _phases_of(unit: Unit, state: State) -> tuple[str, ...]:
    """The phases to rule on: with none told, cavalry has two; any other phase moves nobody, and says so."""
    if state.phase is not None:
        return (state.phase,)
    return MOVING_PHASES if unit.troop is not None and unit.troop.mounted else ("movement",)


def _reach(seen: Table, unit: Unit, phase: str) -> Ruling:
    extra: dict[str, Any] = {"phase": phase, "cells": [], "cell": list(unit.cell)}
    if not unit.is_known:
        why = f"{unit.id} is of unknown kind or owner; say what and whose it is"
        mark = Mark("doubt", unit.piece.footprint, "?")
        return Ruling("reach", unit.id, "close", "C5.2", why, extra=extra, marks=(mark,))
    if seen.state.of(unit.id).get("moved"):
        return Ruling("reach", unit.id, "no", "C4.9", f"{unit.name} has moved already", extra=extra)
    ends = legal_ends(seen.field, unit, phase, seen.shut)
    extra["cells"] = [list(end.cell) for end in ends]
    margin = weighed(lambda u: legal_ends(seen.field, u, phase, seen.shut) == ends, unit)
    if not ends:
        margin = Margin(-margin.margin_mm, margin.sigma_mm)
    region = MultiPolygon([seen.field.outline(end) for end in ends]) if ends else None
    places = ", ".join(end.name for end in ends)
    why = f"{unit.name} may step to {places}" if ends else f"{unit.name} has no legal step in the {phase} phase"
    marks = (Mark("reach", region),) if region is not None else ()
    return ruling_from(
        margin, kind="reach", piece=unit.id, rule="POCKET-2.1", why=why, geometry=region, extra=extra, marks=marks
    )


def _blocked(seen: Table) -> Iterator[Ruling]:
    """One feature for each location next to a unit that ground or an unknown piece shuts for its step."""
    if not seen.phases(*MOVING_PHASES):
        return
    for unit in seen.units:
        for end in seen.field.neighbours(unit.cell) if unit.is_known else ():
            fault = step_fault(unit.troop, unit.location, end, "movement", seen.shut)
            if fault is not None:
                yield _blocked_at(seen, unit, end, fault)


def _blocked_at(seen: Table, unit: Unit, end: Location, fault: tuple[str, str]) -> Ruling:
    rule, reason = fault
    guilty = seen.shut[end.cell].id if end.cell in seen.shut else end.card.id
    side = LineString([unit.location.card.position_mm, end.card.position_mm]).interpolate(0.5, normalized=True)
    margin = weighed(lambda u: step_fault(u.troop, u.location, end, "movement", seen.shut) is not None, unit)
    return ruling_from(
        margin,
        kind="blocked",
        piece=unit.id,
        other=guilty,
        rule=rule,
        why=f"{unit.name}: {reason}",
        geometry=side,
        extra={"cell": list(end.cell), "phase": seen.state.phase or "movement"},
        marks=(Mark("blocked", side),),
    )


def _targets(seen: Table) -> Iterator[Ruling]:
    """One feature for each missile unit and enemy unit."""
    if not seen.phases("ranged"):
        return
    for shooter in seen.units:
        if shooter.troop is None or not shooter.troop.range:
            continue
        for target in seen.units:
            if opposed(shooter, target):
                yield _target(seen, shooter, target)


def _target(seen: Table, shooter: Unit, target: Unit) -> Ruling:
    assert shooter.troop is not None  # both are known units (`opposed`)
    assert target.troop is not None
    fault = _shot_fault(seen, shooter, target)
    margin = weighed(lambda s, t: opposed(s, t) and _shot_fault(seen, s, t) is None, shooter, target)
    rule, reason = fault or ("POCKET-2.2", _shot_sentence(shooter, target))
    line = LineString([shooter.piece.position_mm, target.piece.position_mm])
    extra = {
        "phase": "ranged",
        "distance": steps_between(shooter.cell, target.cell),
        "range": range_steps(shooter.troop, shooter.location, target.location),
        "odds": shot_odds(target.troop, target.location),
        "cancels": may_cancel_shot(target.troop, target.location),
        "effect": damage_effect(target),
    }
    marks = (Mark("target", target.piece.footprint, extra["odds"]["win"]),) if margin.verdict != "no" else ()  # type: ignore[index]
    return ruling_from(
        margin,
        kind="target",
        piece=shooter.id,
        other=target.id,
        rule=rule,
        why=f"{shooter.name} at {target.name}: {reason}",
        geometry=line,
        extra=extra,
        marks=marks,
    )


def _shot_fault(seen: Table, shooter: Unit, target: Unit) -> tuple[str, str] | None:
    """Why the shot is not allowed: the rule and the reason; None if it is."""
    assert shooter.troop is not None  # only missile units are asked
    if in_melee(shooter, seen.units) or shooter.cell == target.cell:
        return "POCKET-2.2", "the shooter is in melee"
    if seen.state.of(shooter.id).get("fired"):
        return "POCKET-4.1", "it has shot already"
    if not can_shoot(shooter.troop, shooter.location, target.location):
        steps = steps_between(shooter.cell, target.cell)
        return (
            "POCKET-2.2",
            f"{steps} steps away, range {range_steps(shooter.troop, shooter.location, target.location)}",
        )
    return None


def _shot_sentence(shooter: Unit, target: Unit) -> str:
    assert shooter.troop is not None  # only missile units are asked
    steps = steps_between(shooter.cell, target.cell)
    limit = range_steps(shooter.troop, shooter.location, target.location)
    return f"{steps} of {limit} steps" + (", from higher ground" if limit > shooter.troop.range else "")


def _engaged(seen: Table) -> Iterator[Ruling]:
    """One feature for each opposed pair in one location."""
    for unit, other in combinations(seen.units, 2):
        if opposed(unit, other) and unit.cell == other.cell:
            margin = weighed(lambda a, b: opposed(a, b) and a.cell == b.cell, unit, other)
            yield ruling_from(
                margin,
                kind="engaged",
                piece=unit.id,
                other=other.id,
                rule="POCKET-2.2",
                why=f"{unit.name} and {other.name} are in melee in {unit.location.name}",
                geometry=LineString([unit.piece.position_mm, other.piece.position_mm]),
                extra={"cell": list(unit.cell)},
                marks=(Mark("engaged", unit.piece.footprint), Mark("engaged", other.piece.footprint)),
            )


def _melees(seen: Table) -> Iterator[Ruling]:
    """One feature for each location with opposed units: who fights, the odds on heads, who may cancel damage."""
    if not seen.phases("melee"):
        return
    together: dict[Cell, list[Unit]] = defaultdict(list)
    for unit in seen.units:
        if unit.is_known:
            together[unit.cell].append(unit)
    for units in together.values():
        if len({unit.owner for unit in units}) > 1:
            yield _melee(seen, units)


def _melee(seen: Table, units: list[Unit]) -> Ruling:
    location = units[0].location
    sides = {owner: [unit.id for unit in units if unit.owner == owner] for owner in playing_order(seen, units)}
    first, *rest = sides
    extra: dict[str, Any] = {
        "phase": "melee",
        "cell": list(location.cell),
        "units": sides,
        "odds": heads_odds(len(sides[first]), sum(len(sides[owner]) for owner in rest)),
        "cancels": [unit.id for unit in units if unit.troop and may_cancel_in_melee(unit.troop, location)],
        **_tossed(seen, units, list(sides)),
    }
    numbers = " against ".join(f"{len(ids)} {owner}" for owner, ids in sides.items())
    sure = min((unit.sure for unit in units), key=lambda margin: margin.margin_mm)
    return ruling_from(
        Margin(max(sure.margin_mm, 0.0), sure.sigma_mm),
        kind="melee",
        piece=location.card.id,
        rule="POCKET-3.1",
        why=f"melee in {location.name}: {numbers}; every unit tosses a coin",
        geometry=seen.field.outline(location),
        extra=extra,
    )


def playing_order(seen: Table, units: list[Unit]) -> list[str]:
    """The owners among the units, the first player first (counter `first`, else the set-up's first player)."""
    named = [player.colour for player in seen.setup.players] or [
        side_owner(side, seen.setup) for side in ("near", "far")
    ]
    first = seen.setup.player_named(str(seen.state.counters.get("first")))
    if first is not None:
        named.remove(first.colour)
        named.insert(0, first.colour)
    owners = {unit.owner for unit in units}
    return [owner for owner in named if owner in owners] + sorted(owners - set(named))


def _tossed(seen: Table, units: list[Unit], players: list[str]) -> dict[str, Any]:
    """Who spends heads in which order and who takes damage first, once every unit's `toss` is in the state."""
    tosses = {unit.id: seen.state.of(unit.id).get("toss") for unit in units}
    if any(toss not in ("heads", "tails") for toss in tosses.values()):
        return {}
    heads = {owner: sum(u.owner == owner and tosses[u.id] == "heads" for u in units) for owner in players}
    fighters = {
        owner: [Fighter(u.id, tosses[u.id] == "heads", u.is_steady) for u in units if u.owner == owner]
        for owner in players
    }
    takers = {owner: [fighter.id for fighter in next_damaged(side)] for owner, side in fighters.items()}
    return {"heads": heads, "order": spending_order(heads, players), "damage_first": takers}

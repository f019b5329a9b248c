"""Objectives of the three modes: where they lie, and who controls them (OSMCG-1.2, 4.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rules.game import Mark, Ruling
from rules.games.osmcg.field import Field
from rules.games.osmcg.tables import inch_mm, tables
from rules.games.osmcg.units import Unit
from rules.geometry.templates import disc
from rules.margin import Margin, all_of, any_of, pair_sigma_mm
from rules.scene import Point2


@dataclass(frozen=True)
class Objective:
    """A fixed point of the board; `hp` is 0 where it cannot be destroyed."""

    name: str
    at: Point2
    hp: int


@dataclass(frozen=True)
class Hold:
    """Who holds an objective: the team (None for nobody), the deciding margin, and whether both sides are within."""

    team: str | None
    margin: Margin
    contested: bool


def objectives(field: Field) -> tuple[Objective, ...]:
    """The objectives of the mode on this table, the centre first; the Nexus of each side last."""
    width, depth = field.scene.table_size_mm
    core_hp, post_hp = field.mode.hp
    if field.mode.layout == "ring":
        radius_mm = min(width, depth) / 3
        turns = [math.tau * k / 6 for k in range(6)]
        posts = [(width / 2 + radius_mm * math.cos(t), depth / 2 + radius_mm * math.sin(t)) for t in turns]
    else:
        posts = [(width * x, depth * y) for y in (0.25, 0.75) for x in (0.25, 0.75)]
    centre = Objective("centre", (width / 2, depth / 2), core_hp)
    found = [centre, *(Objective(f"post-{k + 1}", at, post_hp) for k, at in enumerate(posts))]
    return (*found, *_nexuses(field))


def _nexuses(field: Field) -> list[Objective]:
    """In the middle of each strip, unless the state says where (`nexus`: {side: [x, y]})."""
    if not field.mode.nexus_hp:
        return []
    width, depth = field.scene.table_size_mm
    half_mm = inch_mm(tables().distance.deployment_in) / 2
    middles = {"near": (width / 2, half_mm), "far": (width / 2, depth - half_mm),
               "left": (half_mm, depth / 2), "right": (width - half_mm, depth / 2)}  # fmt: skip
    sides = sorted({player.side for player in field.setup.players}) or ["far", "near"]
    placed = field.state.counters.get("nexus", {})
    return [Objective(f"nexus-{side}", tuple(placed.get(side, middles[side])), field.mode.nexus_hp) for side in sides]


def control(field: Field) -> tuple[Ruling, ...]:
    """One `control` for each objective (C4.11)."""
    return tuple(_control(objective, field) for objective in objectives(field))


@lru_cache(maxsize=64)
def hold(objective: Objective, field: Field) -> Hold:
    """Who controls an objective: a base wholly inside the disc of 2 inches, and no enemy base touching it."""
    teams = sorted({unit.team for unit in field.units})
    inside = {team: _inside(objective, [unit for unit in field.units if unit.team == team]) for team in teams}
    margins = {team: _held(objective, team, inside[team], field) for team in teams}
    contested = sum(margin.margin_mm >= 0 for margin in inside.values()) > 1
    if not teams:
        return Hold(None, Margin(-_radius_mm()), contested)
    best = max(teams, key=lambda team: (("no", "close", "yes").index(margins[team].verdict), margins[team].margin_mm))
    return Hold(best if margins[best].margin_mm >= 0 else None, margins[best], contested)


def _radius_mm() -> float:
    return inch_mm(tables().distance.objective_in)


def _inside(objective: Objective, units: list[Unit]) -> Margin:
    """The margin of at least one of these bases lying wholly inside the disc."""
    paper_mm = tables().distance.paper_mm
    rooms = [(_radius_mm() - math.dist(objective.at, unit.at) - unit.radius_mm, unit) for unit in units]
    return any_of(Margin(0.0 if abs(room) < paper_mm else room, unit.piece.sigma_mm) for room, unit in rooms)


def _held(objective: Objective, team: str, inside: Margin, field: Field) -> Margin:
    """The margin of a team's control. A base that just touches the disc is on it."""
    paper_mm = tables().distance.paper_mm
    foes = [unit for unit in field.units if unit.team != team]
    gaps = [(math.dist(objective.at, foe.at) - foe.radius_mm - _radius_mm(), foe.piece.sigma_mm) for foe in foes]
    clear = [Margin(-paper_mm if abs(gap) < paper_mm else gap, pair_sigma_mm(sigma)) for gap, sigma in gaps]
    return all_of([inside, *clear])


def _control(objective: Objective, field: Field) -> Ruling:
    spot = disc(objective.at, _radius_mm())
    held = hold(objective, field) if field.mode.controlled else Hold(None, Margin(-_radius_mm()), False)
    extra: dict[str, Any] = {
        "owner": _colour(held.team, field),
        "team": held.team,
        "contested": held.contested,
        "at_mm": list(objective.at),
    }
    if objective.hp:
        lost = field.state.counters.get("structures", {}).get(objective.name, {}).get("wounds", 0)
        extra |= {"hp": objective.hp, "hp_left": max(0, objective.hp - lost)}
    return Ruling(
        "control", None, held.margin.verdict, "OSMCG-4.1" if field.mode.controlled else "OSMCG-1.2",
        _why(objective, held, field), objective.name, held.margin.margin_mm, held.margin.sigma_mm, spot, extra,
        (Mark("control", spot, objective.name),),
    )  # fmt: skip


def _why(objective: Objective, held: Hold, field: Field) -> str:
    if not field.mode.controlled:
        return f"{objective.name} is a structure: it is attacked, not controlled"
    if held.team is not None:
        return f"{held.team} controls {objective.name}"
    return f"{objective.name} is contested" if held.contested else f"nobody controls {objective.name}"


def _colour(team: str | None, field: Field) -> str | None:
    """The colour of a team's pieces; a team of several colours is told by the first."""
    return next((unit.piece.owner for unit in field.units if unit.team == team), None)

"""Objectives of the three modes: where they lie, and who controls them (OSMCG-1.2, 4.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rules.game import Mark, Ruling, ruling_from
from rules.games.osmcg.books import Structure
from rules.games.osmcg.field import Field
from rules.games.osmcg.tables import inch_mm, on_paper, tables
from rules.games.osmcg.units import Unit
from rules.geometry.templates import disc
from rules.margin import REFUSED, Margin, all_of, any_of, chooser, decider
from rules.scene import Point2, Scene
from rules.setup import Setup
from rules.state import State


@dataclass(frozen=True)
class Objective:
    """A fixed point of the board; `hp` is 0 where it cannot be destroyed.

    returns_in   full turns until it stands again; 0 for never
    mana         for every player of the side that destroys it
    """

    name: str
    at: Point2
    hp: int
    returns_in: int = 0
    mana: int = 0


@dataclass(frozen=True)
class Claim:
    """How well a team holds an objective: the deciding margin, the unit that it hangs on, and the best one within."""

    margin: Margin
    decided_by: Unit | None
    within: Margin
    within_by: Unit | None


@dataclass(frozen=True)
class Hold:
    """Who holds an objective: the team (None for nobody), the best claim, and whether both sides are within.

    inside  the best claim of a team with a base within, if there is one
    """

    team: str | None
    claim: Claim
    contested: bool
    inside: Claim | None = None


_NOBODY = Claim(Margin(-inch_mm(tables().distance.objective_in)), None, REFUSED, None)


def objectives(field: Field) -> tuple[Objective, ...]:
    """The objectives of the mode on this table, the centre first; the Nexus of each side last."""
    width, depth = field.scene.table_size_mm
    (core_hp, post_hp), (core_turns, post_turns) = field.mode.hp, field.mode.returns_in
    if field.mode.layout == "ring":
        radius_mm = min(width, depth) / 3
        turns = [math.tau * k / 6 for k in range(6)]
        posts = [(width / 2 + radius_mm * math.cos(t), depth / 2 + radius_mm * math.sin(t)) for t in turns]
    else:
        posts = [(width * x, depth * y) for y in (0.25, 0.75) for x in (0.25, 0.75)]
    centre = Objective("centre", (width / 2, depth / 2), core_hp, core_turns, field.mode.core_mana)
    found = [centre, *(Objective(f"post-{k + 1}", at, post_hp, post_turns) for k, at in enumerate(posts))]
    return (*found, *_nexuses(field))


def named_objective(name: str, scene: Scene, setup: Setup, state: State) -> Objective | None:
    """The objective of that name, if there is one on this table."""
    return next((one for one in objectives(Field(scene, setup, state)) if one.name == name), None)


def _nexuses(field: Field) -> list[Objective]:
    """In the middle of each strip, unless the state says where (`nexus`: {side: [x, y]})."""
    if not field.mode.nexus_hp:
        return []
    width, depth = field.scene.table_size_mm
    half_mm = inch_mm(tables().distance.deployment_in) / 2
    middles = {"near": (width / 2, half_mm), "far": (width / 2, depth - half_mm),
               "left": (half_mm, depth / 2), "right": (width - half_mm, depth / 2)}  # fmt: skip
    sides = sorted({player.side for player in field.setup.players}) or ["far", "near"]
    placed = middles | {str(side): at_mm for side, at_mm in field.books.nexus.items()}
    return [Objective(f"nexus-{side}", placed[side], field.mode.nexus_hp) for side in sides]


def hp_left(objective: Objective, field: Field) -> float:
    """The hit points that a structure still has."""
    structure = field.books.structures.get(objective.name, Structure())
    left = max(0.0, objective.hp - structure.wounds)
    return int(left) if left == int(left) else left


def control(field: Field) -> tuple[Ruling, ...]:
    """One `control` for each objective (C4.11)."""
    return tuple(_control(objective, field) for objective in objectives(field))


@lru_cache(maxsize=64)
def hold(objective: Objective, field: Field) -> Hold:
    """Who controls an objective: a base wholly inside the disc of 2 inches, and no enemy base touching it."""
    teams = sorted({unit.team for unit in field.units})
    claims = {team: claim(objective, team, field) for team in teams}
    if not teams:
        return Hold(None, _NOBODY, False)
    best = max(teams, key=lambda team: _rank(claims[team].margin))
    within = [one for one in claims.values() if one.within.margin_mm >= 0]
    inside = max(within, key=lambda one: _rank(one.margin), default=None)
    return Hold(best if claims[best].margin.margin_mm >= 0 else None, claims[best], len(within) > 1, inside)


def _rank(margin: Margin) -> tuple[int, float]:
    return ("no", "close", "yes").index(margin.verdict), margin.margin_mm


def claim(objective: Objective, team: str, field: Field) -> Claim:
    """How well a team holds an objective; a base that just touches the disc is on it (OSMCG-4.1)."""
    own = [(_inside(objective, unit), unit) for unit in field.units if unit.team == team]
    clear = [(_clear(objective, foe), foe) for foe in field.units if foe.team != team]
    if not own:
        return _NOBODY
    inside = [margin for margin, _ in own]
    best, best_by = any_of(inside), own[chooser(inside)][1]
    margins, units = [best, *(margin for margin, _ in clear)], [best_by, *(foe for _, foe in clear)]
    return Claim(all_of(margins), units[decider(margins)], best, best_by)


def _radius_mm() -> float:
    return inch_mm(tables().distance.objective_in)


def _inside(objective: Objective, unit: Unit) -> Margin:
    """The margin of the base lying wholly inside the disc."""
    reach_mm = on_paper(unit.far_side_mm(objective.at), _radius_mm())
    return Margin(_radius_mm() - reach_mm, unit.piece.sigma_mm)


def _clear(objective: Objective, foe: Unit) -> Margin:
    """The margin of the base keeping off the disc; touching is not off it."""
    gap_mm = on_paper(foe.gap_to_mm(objective.at) - _radius_mm(), 0.0)
    return Margin(gap_mm or -tables().distance.paper_mm, foe.piece.sigma_mm)


def _control(objective: Objective, field: Field) -> Ruling:
    spot = disc(objective.at, _radius_mm())
    held = hold(objective, field) if field.mode.controlled else Hold(None, _NOBODY, False)
    extra: dict[str, Any] = {
        "phase": "end",
        "owner": _colour(held.team, field),
        "team": held.team,
        "contested": held.contested,
        "at_mm": list(objective.at),
    }
    if objective.hp:
        extra |= {"hp": objective.hp, "hp_left": hp_left(objective, field)}
    doubt = ", but that is too close to call" if held.claim.margin.verdict == "close" else ""
    return ruling_from(
        held.claim.margin, kind="control", piece=None, other=objective.name, geometry=spot, extra=extra,
        rule="OSMCG-4.1" if field.mode.controlled else "OSMCG-1.2", why=_why(objective, held, field) + doubt,
        marks=(Mark("control", spot, objective.name),),
    )  # fmt: skip


def _why(objective: Objective, held: Hold, field: Field) -> str:
    if not field.mode.controlled:
        return f"{objective.name} is a structure: it is attacked, not controlled"
    if held.team is not None:
        best = _named(held.claim.within_by)
        return f"{held.team} controls {objective.name}: {best} lies within 2 inches and no enemy touches it"
    if held.inside is None:
        return f"nobody controls {objective.name}: no base lies wholly within 2 inches of it"
    best, on = _named(held.inside.within_by), _named(held.inside.decided_by)
    if held.contested:
        return f"{objective.name} is contested: {best} and enemies lie within 2 inches"
    return f"nobody controls {objective.name}: {best} lies within 2 inches, but {on} touches its disc"


def _named(unit: Unit | None) -> str:
    return "nobody" if unit is None else unit.name


def _colour(team: str | None, field: Field) -> str | None:
    """The colour of a team's player; a team of several is told by the first."""
    units = (unit for unit in field.units if unit.team == team)
    players = ((unit, field.player_of(unit)) for unit in units)
    return next((player.colour if player else unit.piece.owner for unit, player in players), None)

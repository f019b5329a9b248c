"""Cohesion, objectives and the size of armies (OMOG-1.3, 2.6, 6)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from shapely import minimum_bounding_circle

from rules.game import Mark, Ruling, ruling_from
from rules.games.omog.battlefield import Battlefield, inches, plain, within
from rules.games.omog.clock import is_won, move_phase, turns_held
from rules.games.omog.soldier import Soldier
from rules.games.omog.tables import INCH_MM, tables
from rules.geometry.templates import disc
from rules.margin import Margin, Verdict
from rules.scene import Point2

_SQUARE_FOOT_MM2 = (12 * INCH_MM) ** 2


def team_of(man: Soldier) -> str | None:
    """The name of his team; men without one are one team of their army, None."""
    team = man.known.get("team")
    return None if team is None else str(team)


def men(field: Battlefield) -> tuple[Soldier, ...]:
    """Foot and mounted; a gun is no man."""
    return tuple(soldier for soldier in field.soldiers if soldier.arm != "gun")


def teams_men(field: Battlefield) -> tuple[Soldier, ...]:
    """The men who belong to teams: officers move independently."""
    return tuple(man for man in men(field) if "officer" not in man.words)


def team_mates(man: Soldier, field: Battlefield) -> tuple[Soldier, ...]:
    """The other men of his team."""
    own = (other for other in teams_men(field) if other.owner == man.owner and other.id != man.id)
    return tuple(other for other in own if team_of(other) == team_of(man))


def nearest_of_other_team(man: Soldier, field: Battlefield) -> Soldier | None:
    """The nearest man of another team of his army."""
    others = [other for other in teams_men(field) if other.owner == man.owner and team_of(other) != team_of(man)]
    return min(others, key=man.distance_mm, default=None)


def cohesion(field: Battlefield) -> tuple[Ruling, ...]:
    """One `cohesion` for each man who belongs to a team."""
    teams: dict[tuple[str, str | None], list[Soldier]] = {}
    for man in teams_men(field):
        teams.setdefault((man.owner, team_of(man)), []).append(man)
    subjects = set(field.subjects)
    ruled = (man for man in teams_men(field) if man in subjects)
    return tuple(_cohesion(man, teams[man.owner, team_of(man)], field) for man in ruled)


def _cohesion(man: Soldier, team: list[Soldier], field: Battlefield) -> Ruling:
    phase = move_phase(man.owner, field)
    mate = _nearest(man, team)
    if mate is None:
        return _alone(man, field, phase, tables().distance.cohesion_in * INCH_MM)
    return _together(man, mate, phase)


def _nearest(man: Soldier, team: list[Soldier]) -> Soldier | None:
    """The nearest of the others; this is asked for every two men of a team, so it measures squares."""
    x, y = man.position_mm
    best, best_mm2 = None, math.inf
    for other in team:
        dx, dy = other.position_mm[0] - x, other.position_mm[1] - y
        if dx * dx + dy * dy < best_mm2 and other is not man:
            best, best_mm2 = other, dx * dx + dy * dy
    return best


@lru_cache(maxsize=4096)
def _together(man: Soldier, mate: Soldier, phase: str) -> Ruling:
    limit_mm = tables().distance.cohesion_in * INCH_MM
    distance_mm = man.distance_mm(mate)
    margin = within(distance_mm, limit_mm, man.sigma_to_mm(mate))
    why = f"{man.name} is {inches(distance_mm)} from {mate.id}, the nearest man of his team"
    return ruling_from(
        margin, kind="cohesion", piece=man.id, other=mate.id, rule="OMOG-2.6", why=why, extra={"phase": phase}
    )


def _alone(man: Soldier, field: Battlefield, phase: str, limit_mm: float) -> Ruling:
    nearest = nearest_of_other_team(man, field)
    if nearest is None:
        why = f"{man.name} is alone and there is no other team"
        return plain("cohesion", man.id, "OMOG-2.6", why, yes=False, extra={"phase": phase})
    distance_mm = man.distance_mm(nearest)
    team = team_of(nearest) or nearest.id
    why = f"{man.name} is alone: he holds or moves toward team {team}, {inches(distance_mm)} away"
    extra = {"phase": phase, "nearest_man": nearest.id}
    return Ruling(
        "cohesion", man.id, "no", "OMOG-2.6", why, team, limit_mm - distance_mm, man.sigma_to_mm(nearest), None, extra
    )


def control(field: Battlefield) -> tuple[Ruling, ...]:
    """One `control` for each objective that the state names."""
    return tuple(_control(number, row, field) for number, row in enumerate(objective_rows(field), 1))


def objective_rows(field: Battlefield) -> list[Mapping[str, Any]]:
    """The state's `objectives`; ValueError if it is no list of tables."""
    rows = field.state.counters.get("objectives", [])
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise ValueError('state: objectives: should be a list such as [{"name": "bridge", "piece": "b1"}]')
    return rows


def _place(number: int, row: Mapping[str, Any], field: Battlefield) -> tuple[str, Point2, float]:
    """Name, centre and radius of an objective: a place, or a thing on the table with the disc around it."""
    name = str(row.get("name") or row.get("id") or row.get("piece") or f"objective {number}")
    if row.get("piece") in field.scene:
        piece = field.scene[str(row["piece"])]
        around = minimum_bounding_circle(piece.footprint)
        centre = around.centroid
        return name, (centre.x, centre.y), float(row.get("radius_mm", math.sqrt(around.area / math.pi)))
    if "position_mm" not in row:
        raise ValueError(
            f"state: objectives: {name}: needs position_mm and radius_mm, or the id of a piece on the table"
        )
    x, y = row["position_mm"]
    return name, (float(x), float(y)), float(row.get("radius_mm", tables().distance.cohesion_in * INCH_MM))


def _control(number: int, row: Mapping[str, Any], field: Battlefield) -> Ruling:
    name, centre, radius_mm = _place(number, row, field)
    on_it = {man.id: Margin(radius_mm - math.dist(man.position_mm, centre), man.piece.sigma_mm) for man in men(field)}
    holders = {field.by_id[man].owner for man, margin in on_it.items() if margin.margin_mm >= 0}
    contested = len(holders) > 1
    owner = holders.pop() if len(holders) == 1 else None
    doubtful = any(margin.verdict == "close" for margin in on_it.values())
    nearest = min(on_it.values(), key=lambda margin: abs(margin.margin_mm), default=Margin(0.0))
    held = turns_held(int(row.get("held_turns", 0)), row.get("held_by"), owner, contested=contested)
    shape = disc(centre, radius_mm)
    who = "both sides stand on it" if contested else (f"{owner} holds it" if owner else "nobody holds it")
    won = f", {held} turns on end" if owner else ""
    verdict: Verdict = "close" if doubtful else "yes" if owner else "no"
    extra = {"owner": owner, "contested": contested, "held_turns": held, "won": is_won(held), "phase": "melee"}
    return Ruling(
        "control", None, verdict, "OMOG-6", f"{name}: {who}{won}", name, abs(nearest.margin_mm), nearest.sigma_mm,
        shape, extra, (Mark("control", shape, name),),
    )  # fmt: skip


def limits(field: Battlefield) -> tuple[Ruling, ...]:
    """A warning for each army of more than one man to the square foot (OMOG-1.3)."""
    width_mm, depth_mm = field.scene.table_size_mm
    most = tables().turn.men_per_square_foot * width_mm * depth_mm / _SQUARE_FOOT_MM2
    armies: dict[str, int] = {}
    for man in men(field):
        armies[man.owner] = armies.get(man.owner, 0) + 1
    return tuple(_limit(colour, count, most) for colour, count in armies.items() if count > most + 1e-9)


def _limit(colour: str, count: int, most: float) -> Ruling:
    why = f"{colour} has {count} men; one to the square foot of this table is {most:.1f}: fewer are advised"
    return plain(
        "economy", None, "OMOG-1.3", why, yes=False, other=colour, extra={"men": count, "advised": round(most, 4)}
    )

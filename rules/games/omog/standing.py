"""Cohesion and objectives (OMOG-2.6, 6)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from shapely import minimum_bounding_circle

from rules.game import Mark, Ruling, ruling_from
from rules.games.omog.battlefield import Battlefield, plain
from rules.games.omog.clock import PHASES, is_won, move_phase, turns_held
from rules.games.omog.limit import SAME_MM, inches, within
from rules.games.omog.soldier import Soldier
from rules.games.omog.tables import INCH_MM, tables
from rules.games.omog.told import check_objective
from rules.geometry.templates import disc
from rules.margin import CLOSE_SIGMAS, REFUSED, Margin, any_of, chooser
from rules.scene import Point2, Scene


def team_of(man: Soldier) -> str | None:
    """The name of his team; men without one are one team of their army, None."""
    team = man.known.get("team")
    return None if team is None else str(team)


def men(field: Battlefield) -> tuple[Soldier, ...]:
    """Foot and mounted; a gun is no man."""
    return tuple(soldier for soldier in field.soldiers if soldier.arm != "gun")


def teams_men(field: Battlefield) -> tuple[Soldier, ...]:
    """The men who belong to teams: officers move independently, but for one whom the state puts into a team."""
    return tuple(man for man in men(field) if "officer" not in man.words or team_of(man) is not None)


def team_mates(man: Soldier, field: Battlefield) -> tuple[Soldier, ...]:
    """The other men of his team."""
    own = (other for other in teams_men(field) if other.owner == man.owner and other.id != man.id)
    return tuple(other for other in own if team_of(other) == team_of(man))


def nearest_of_other_team(man: Soldier, field: Battlefield) -> Soldier | None:
    """The nearest man of another team of his army."""
    return min(_other_teams(man, field), key=man.distance_mm, default=None)


def perhaps_nearest(man: Soldier, nearest: Soldier, field: Battlefield) -> list[tuple[Soldier, Margin]]:
    """Others who may be the nearest as well, each with how much farther he is, which is too close to call (C3.4)."""
    others = [(other, _farther(man, nearest, other)) for other in _other_teams(man, field) if other is not nearest]
    return [(other, margin) for other, margin in others if margin.verdict == "close"]


def _farther(man: Soldier, near: Soldier, far: Soldier) -> Margin:
    """How much farther off the one is than the other; either distance may be off by its own error."""
    sigma_mm = max(man.sigma_to_mm(near), man.sigma_to_mm(far))
    return Margin(man.distance_mm(far) - man.distance_mm(near), sigma_mm)


def _other_teams(man: Soldier, field: Battlefield) -> list[Soldier]:
    return [other for other in teams_men(field) if other.owner == man.owner and team_of(other) != team_of(man)]


def cohesion(field: Battlefield) -> tuple[Ruling, ...]:
    """One `cohesion` for each man who belongs to a team, officers excepted."""
    found: dict[tuple[str, str | None], list[Soldier]] = {}
    for man in teams_men(field):
        found.setdefault((man.owner, team_of(man)), []).append(man)
    teams, subjects = {name: tuple(men) for name, men in found.items()}, set(field.subjects)
    ruled = (man for man in teams_men(field) if man in subjects and "officer" not in man.words)
    return tuple(_cohesion(man, teams[man.owner, team_of(man)], field) for man in ruled)


def _cohesion(man: Soldier, team: tuple[Soldier, ...], field: Battlefield) -> Ruling:
    phase = move_phase(man.owner, field)
    surest = _surest(man, team)
    return _alone(man, field, phase) if surest is None else _together(man, *surest, phase)


@lru_cache(maxsize=4096)
def _surest(man: Soldier, team: tuple[Soldier, ...]) -> tuple[Soldier, Margin] | None:
    """The mate who keeps him in the team: the nearest, unless one a little farther off is known better (C3.4).

    Kept while nobody of the team moves. Errors are asked for only of mates who may be within the limit.
    """
    nearest, near_mm2, doubtful = None, math.inf, list[Soldier]()
    limit_mm = tables().distance.cohesion_in * INCH_MM + CLOSE_SIGMAS * man.piece.sigma_mm
    for other in team:
        if other is man:
            continue
        gap_mm2 = _square_mm2(man, other)
        if gap_mm2 < near_mm2:
            nearest, near_mm2 = other, gap_mm2
        if gap_mm2 <= (limit_mm + CLOSE_SIGMAS * other.piece.sigma_mm + SAME_MM) ** 2:
            doubtful.append(other)
    if nearest is None:
        return None
    if not doubtful or _mate_margin(man, nearest).verdict == "yes":
        return nearest, _mate_margin(man, nearest)
    margins = [_mate_margin(man, other) for other in doubtful]
    return doubtful[chooser(margins)], any_of(margins)


def _square_mm2(a: Soldier, b: Soldier) -> float:
    (ax, ay), (bx, by) = a.position_mm, b.position_mm
    return (ax - bx) ** 2 + (ay - by) ** 2


@lru_cache(maxsize=16384)
def _mate_margin(man: Soldier, mate: Soldier) -> Margin:
    return within(man.distance_mm(mate), tables().distance.cohesion_in * INCH_MM, man.sigma_to_mm(mate))


@lru_cache(maxsize=4096)
def _together(man: Soldier, mate: Soldier, margin: Margin, phase: str) -> Ruling:
    far = inches(man.distance_mm(mate), tables().distance.cohesion_in)
    why = f"{man.name} is {far} from {mate.id}, the nearest man of his team"
    return ruling_from(
        margin, kind="cohesion", piece=man.id, other=mate.id, rule="OMOG-2.6", why=why,
        extra={"phase": phase},
    )  # fmt: skip


def _alone(man: Soldier, field: Battlefield, phase: str) -> Ruling:
    """The verdict on a team of one hangs on no distance; its margin tells how far the nearest team is."""
    nearest = nearest_of_other_team(man, field)
    if nearest is None:
        why = f"{man.name} is alone and there is no other team"
        return plain("cohesion", man.id, "OMOG-2.6", why, yes=False, extra={"phase": phase})
    distance_mm = man.distance_mm(nearest)
    team = team_of(nearest) or nearest.id
    whither = f"team {team}" if team_of(nearest) else f"{team}'s team"
    why = f"{man.name} is alone: he holds or moves toward {whither}, {inches(distance_mm)} away"
    extra = {"phase": phase, "nearest_man": nearest.id}
    margin = Margin(min(-distance_mm, REFUSED.margin_mm))
    return ruling_from(margin, kind="cohesion", piece=man.id, other=team, rule="OMOG-2.6", why=why, extra=extra)


def control(field: Battlefield) -> tuple[Ruling, ...]:
    """One `control` for each objective that the state names."""
    return tuple(_control(number, row, field) for number, row in enumerate(objective_rows(field), 1))


def objective_rows(field: Battlefield) -> list[Mapping[str, Any]]:
    """The state's `objectives`; ValueError if it is no list of tables, or one of them says what it cannot mean or says
    no place."""
    rows = field.state.counters.get("objectives", [])
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise ValueError('state: objectives: should be a list such as [{"name": "bridge", "piece": "b1"}]')
    for number, row in enumerate(rows):
        check_objective(number, row)
        if row.get("piece") is None and row.get("position_mm") is None:
            raise _placeless(number + 1, row)
    return rows


def name_of(number: int, row: Mapping[str, Any]) -> str:
    """What an objective is called."""
    return str(row.get("name") or row.get("id") or row.get("piece") or f"objective {number}")


def place_of(row: Mapping[str, Any], scene: Scene) -> tuple[Point2, float] | None:
    """Centre and radius of an objective: a place, or a thing on the table with the disc around it; None where that
    thing is not there."""
    if str(row.get("piece")) in scene:
        around = minimum_bounding_circle(scene[str(row["piece"])].footprint)
        centre = around.centroid
        return (centre.x, centre.y), float(row.get("radius_mm") or math.sqrt(around.area / math.pi))
    if row.get("position_mm") is None:
        return None
    x, y = row["position_mm"]
    return (float(x), float(y)), float(row.get("radius_mm") or tables().distance.cohesion_in * INCH_MM)


def check_objectives(field: Battlefield) -> None:
    """ValueError for an objective whose thing is not on this table."""
    for number, row in enumerate(objective_rows(field), 1):
        if place_of(row, field.scene) is None:
            raise _placeless(number, row)


def _placeless(number: int, row: Mapping[str, Any]) -> ValueError:
    needed = "needs position_mm and radius_mm, or the id of a piece on the table"
    return ValueError(f"state: objectives: {name_of(number, row)}: {needed}")


@dataclass(frozen=True)
class Holding:
    """Who holds an objective: a colour or nobody, and whether both sides stand on it."""

    owner: str | None
    contested: bool


def _holding(owners: Iterable[str]) -> Holding:
    found = set(owners)
    return Holding(found.pop() if len(found) == 1 else None, len(found) > 1)


def holding(centre: Point2, radius_mm: float, field: Battlefield) -> tuple[Holding, Margin, Soldier | None]:
    """Who holds the disc, by how much, and on whom that hangs: the man who changes it by moving least (C3.4)."""
    places = [(man, within(math.dist(man.position_mm, centre), radius_mm, man.piece.sigma_mm)) for man in men(field)]
    on_it = [man.owner for man, margin in places if margin.margin_mm >= 0]
    found = _holding(on_it)
    deciding = [(man, margin) for man, margin in places if _holding(_moved(on_it, man.owner, margin)) != found]
    sign = 1.0 if found.owner is not None else -1.0
    if not deciding:
        return found, Margin(sign * radius_mm), None
    man, close = min(deciding, key=lambda one: abs(one[1].margin_mm) - CLOSE_SIGMAS * one[1].sigma_mm)
    return found, Margin(sign * max(abs(close.margin_mm), SAME_MM), close.sigma_mm), man


def held_on_end(row: Mapping[str, Any], found: Holding, turn: int) -> int:
    """For how many turns on end an objective is held, this turn counted: once, also when players go back to it."""
    counted = int(row.get("counted_turn") or 0)
    before = max(0, int(row.get("held_turns") or 0) - max(0, counted + 1 - turn))
    return turns_held(before, row.get("held_by"), found.owner, contested=found.contested)


def began_close(row: Mapping[str, Any], held: int) -> bool:
    """Whether one of the turns before the last of those `held` was too close to call."""
    return held > 1 and bool(row.get("held_close"))


def _moved(owners: Sequence[str], owner: str, margin: Margin) -> list[str]:
    """The owners on the disc, had the man with that margin stood on the other side of its edge."""
    changed = list(owners)
    if margin.margin_mm >= 0:
        changed.remove(owner)
    else:
        changed.append(owner)
    return changed


def _control(number: int, row: Mapping[str, Any], field: Battlefield) -> Ruling:
    name, place = name_of(number, row), place_of(row, field.scene)
    if place is None:
        return _lost(name, row)
    centre, radius_mm = place
    found, margin, man = holding(centre, radius_mm, field)
    held = held_on_end(row, found, field.state.turn)
    who = "both sides stand on it" if found.contested else f"{found.owner or 'nobody'} holds it"
    turns = f", {held} turn{'' if held == 1 else 's'} on end" if found.owner else ""
    # While sides still move and fire somebody may yet step on it: this turn is not held before the last phase.
    over = held if field.state.phase in (None, PHASES[-1]) else held - 1
    # Nobody wins by holds of which one is too close to call.
    won = is_won(over) and margin.verdict == "yes" and not began_close(row, held)
    doubt = f"; whether {man.name} stands on it is too close to call" if man and margin.verdict == "close" else ""
    doubt += "; an earlier turn was too close to call" if began_close(row, held) else ""
    extra = {"owner": found.owner, "contested": found.contested, "held_turns": held, "won": won}
    shape = disc(centre, radius_mm)
    return ruling_from(
        margin, kind="control", piece=None, other=name, rule="OMOG-6", why=f"{name}: {who}{turns}{doubt}",
        geometry=shape, extra={**extra, "phase": "melee"}, marks=(Mark("control", shape, name),),
    )  # fmt: skip


def _lost(name: str, row: Mapping[str, Any]) -> Ruling:
    """The `control` of an objective whose thing was taken off the table: until it is back, nobody gains or loses it."""
    held = int(row.get("held_turns") or 0)
    extra = {"owner": None, "contested": False, "held_turns": held, "won": False, "phase": "melee"}
    why = f"{name}: nobody holds it, for {row['piece']} is not on the table"
    return plain("control", None, "OMOG-6", why, yes=False, other=name, extra=extra)

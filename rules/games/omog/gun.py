"""The field gun: shells that scatter, canister, who is hit and who may save himself (OMOG-4)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from shapely import LineString, Point, Polygon

from rules.game import Mark, Ruling, ruling_from
from rules.games.omog.battlefield import SAME_MM, Battlefield, Soldier, inches, within
from rules.games.omog.crew import men_at
from rules.games.omog.sightline import Hindrance, crosses, hindrances, line_of_fire
from rules.games.omog.tables import INCH_MM, tables
from rules.geometry.templates import TOUCH_MM, covers, disc, triangle
from rules.margin import Margin, all_of
from rules.scene import Point2

CANISTER = "canister"


def why_no_fire(gun: Soldier, field: Battlefield, *, canister: bool) -> tuple[str, str] | None:
    """The rule and the sentence that keep a gun silent, whoever the target, if any."""
    table, crew = tables().gun, men_at(gun, field)
    left = int(gun.known.get("canister" if canister else "shells", table.canister if canister else table.shells))
    last = gun.known.get("fired_turn")
    waits = crew < table.full_fire_crew and last is not None and field.state.turn - int(last) < 2
    reasons = (
        (bool(gun.known.get("fired")), f"{gun.name} has fired already this turn"),
        (bool(gun.known.get("moved")), f"{gun.name} was pushed and rests one move before it fires"),
        (left <= 0, f"{gun.name} has no {'canister' if canister else 'shell'} left"),
        (crew < table.fire_crew, f"{gun.name} has {crew} men and needs {table.fire_crew} to fire"),
        (waits, f"{gun.name} has {crew} men, who fire every other turn"),
    )
    return next((("OMOG-4.4", why) for applies, why in reasons if applies), None)


def shots(field: Battlefield) -> tuple[Ruling, ...]:
    """For each gun and enemy a `target`, and the templates of every case if the shot is possible by range and sight."""
    guns = [soldier for soldier in field.subjects if soldier.arm == "gun"]
    return tuple(ruling for gun in guns for enemy in field.enemies_of(gun) for ruling in _shot(gun, enemy, field))


def _shot(gun: Soldier, target: Soldier, field: Battlefield) -> list[Ruling]:
    distance_mm, sigma_mm = gun.distance_mm(target), gun.sigma_to_mm(target)
    canister = distance_mm < tables().gun.shell_from_in * INCH_MM - SAME_MM
    limit_mm = tables().gun.shell_to_in * INCH_MM
    in_range = within(distance_mm, limit_mm, sigma_mm)
    stops = hindrances(gun, target, field)
    deciding = all_of([in_range, *(stop.margin for stop in stops)])
    refused = why_no_fire(gun, field, canister=canister)
    line, extra = line_of_fire(gun, target), {"phase": "fire", "distance_mm": round(distance_mm, 4)}
    extra |= {"weapon": CANISTER if canister else "shell", "crew": men_at(gun, field)}
    stop = next((stop for stop in stops if stop.margin is deciding), None)
    rule, why = _reason(
        gun, target, distance_mm, canister=canister, stopped=stop.why if stop else None, margin=deciding
    )
    if refused is not None:
        found = [Ruling("target", gun.id, "no", *refused, target.id, 0.0, sigma_mm, line, extra)]
    else:
        marks = (Mark("target", line),) if deciding.verdict != "no" else ()
        found = [
            ruling_from(
                deciding, kind="target", piece=gun.id, other=target.id, rule=rule, why=why, geometry=line,
                extra=extra, marks=marks,
            )
        ]  # fmt: skip
    found += [_blocked(gun, target, stop) for stop in stops if stop.margin.verdict != "yes"]
    if deciding.verdict != "no":
        found += _templates(gun, target, field, deciding, canister=canister, fires=refused is None)
    return found


def _blocked(gun: Soldier, target: Soldier, stop: Hindrance) -> Ruling:
    return Ruling(
        "blocked", gun.id, "yes" if stop.margin.verdict == "no" else "close", "OMOG-3.4",
        f"{gun.name} cannot fire at {target.name}: {stop.why}", stop.thing.id, stop.margin.margin_mm,
        stop.margin.sigma_mm, stop.where, {"phase": "fire", "target": target.id}, (Mark("blocked", stop.where),),
    )  # fmt: skip


def _reason(
    gun: Soldier, target: Soldier, distance_mm: float, *, canister: bool, stopped: str | None, margin: Margin
) -> tuple[str, str]:
    who = f"{gun.name} at {target.name}, {inches(distance_mm)}"
    if stopped is not None and margin.verdict != "yes":
        return "OMOG-3.4", f"{who}: {stopped}"
    if margin.margin_mm < 0:
        return "OMOG-4.1", f"{who}: beyond {tables().gun.shell_to_in:g} in"
    return ("OMOG-4.2", f"{who}: canister") if canister else ("OMOG-4.1", f"{who}: shell")


def bursts(gun: Point2, target: Point2) -> dict[str, Point2]:
    """Where the shell bursts in each case; left and right are the gunner's (OMOG-4.1)."""
    table = tables().gun
    forward = np.subtract(target, gun) / math.dist(target, gun)
    left = np.array((-forward[1], forward[0]))
    shifts = {
        "on": np.zeros(2),
        "left": left * table.drift_side_in * INCH_MM,
        "right": -left * table.drift_side_in * INCH_MM,
        "beyond": forward * table.drift_beyond_in * INCH_MM,
    }
    return {case: (float(target[0] + x), float(target[1] + y)) for case, (x, y) in shifts.items()}


def _templates(
    gun: Soldier, target: Soldier, field: Battlefield, margin: Margin, *, canister: bool, fires: bool
) -> list[Ruling]:
    muzzle, table = gun.position_mm, tables().gun
    if gun.position_mm == target.position_mm:
        return []
    if canister:
        length_mm, base_mm = table.canister_in * INCH_MM, table.canister_base_in * INCH_MM
        laid = {CANISTER: (triangle(muzzle, target.position_mm, length_mm, base_mm), muzzle)}
    else:
        radius_mm = table.burst_in / 2 * INCH_MM
        laid = {case: (disc(at, radius_mm), at) for case, at in bursts(muzzle, target.position_mm).items()}
    return [
        _template(gun, target, field, margin, case, shape, impact, fires=fires)
        for case, (shape, impact) in laid.items()
    ]


def _template(
    gun: Soldier, target: Soldier, field: Battlefield, margin: Margin, case: str, shape: Polygon, impact: Point2,
    *, fires: bool,
) -> Ruling:  # fmt: skip
    struck = [piece for piece in field.scene.of_kind("soldier", "base") if piece.id != gun.id]
    hit = [piece for piece in struck if _is_hit(field.base_of(piece), shape, impact, case)]
    saves = {piece.id: save for piece in hit if (save := saving_die(piece.position_mm, impact, field)) is not None}
    verdict = margin.verdict if fires else "no"
    names = ", ".join(piece.id for piece in hit) or "nobody"
    saved = "".join(f"; {man} saves on {die} or more" for man, die in saves.items())
    rule = "OMOG-4.2" if case == CANISTER else "OMOG-4.1"
    why = f"{gun.name} at {target.name}, {case}: {names} under the template{saved}"
    extra: dict[str, Any] = {"case": case, "hit": [piece.id for piece in hit], "saves": saves, "phase": "fire"}
    extra["impact_mm"] = [round(impact[0], 4), round(impact[1], 4)]
    return Ruling(
        "template", gun.id, verdict, rule, why, target.id, margin.margin_mm, margin.sigma_mm, shape, extra,
        (Mark("template", shape, case),),
    )  # fmt: skip


def _is_hit(base: Polygon, shape: Polygon, impact: Point2, case: str) -> bool:
    """Whether the template covers the base by more than a touch (C4.6); the burst as the true circle."""
    if case == CANISTER:
        return covers(shape, base)
    return bool(base.distance(Point(impact)) < tables().gun.burst_in / 2 * INCH_MM - TOUCH_MM)


def saving_die(man: Point2, impact: Point2, field: Battlefield) -> int | None:
    """The number that saves a man who has cover between him and the point of impact: the best cover's (OMOG-4.3)."""
    if man == impact:
        return None
    line, table = LineString((man, impact)), tables().save
    between: Iterable[int] = (
        table[thing.meaning] for thing in field.terrain if thing.meaning in table and crosses(line, thing.area)
    )
    return min(between, default=None)

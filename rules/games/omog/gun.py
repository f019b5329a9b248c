"""The field gun: shells that scatter, canister, who is hit and who may save himself (OMOG-4)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
from shapely import LineString, Point, Polygon

from rules.game import Mark, Ruling, ruling_from
from rules.games.omog.battlefield import SAME_MM, Battlefield, inches, within
from rules.games.omog.crew import men_at
from rules.games.omog.sightline import Hindrance, crosses, hindrances, line_of_fire
from rules.games.omog.soldier import Figure, Soldier
from rules.games.omog.tables import INCH_MM, tables
from rules.games.omog.terrain import Land
from rules.geometry.templates import TOUCH_MM, covers, disc, triangle
from rules.margin import CLOSE_SIGMAS, Margin, all_of
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
    found: list[Ruling] = []
    for gun in field.subjects:
        if gun.arm == "gun":
            crew = men_at(gun, field)
            shell, canister = (why_no_fire(gun, field, canister=case) for case in (False, True))
            for enemy in field.enemies_of(gun):
                found += _shot(gun, enemy, field.land, crew, shell, canister, _under_fire(gun, enemy, field))
    return tuple(found)


def _under_fire(gun: Soldier, target: Soldier, field: Battlefield) -> tuple[Figure, ...]:
    """All figures that a template of this shot may cover."""
    table, distance_mm = tables().gun, gun.distance_mm(target)
    if distance_mm > table.shell_to_in * INCH_MM + CLOSE_SIGMAS * gun.sigma_to_mm(target) + SAME_MM:
        return ()
    if _is_for_canister(distance_mm):
        return field.figures_near(gun.position_mm, (table.canister_in + table.canister_base_in) * INCH_MM)
    drift_in = max(table.drift_side_in, table.drift_beyond_in)
    return field.figures_near(target.position_mm, (drift_in + table.burst_in / 2) * INCH_MM + 1.0)


def _is_for_canister(distance_mm: float) -> bool:
    return distance_mm < tables().gun.shell_from_in * INCH_MM - SAME_MM


@lru_cache(maxsize=4096)
def _shot(
    gun: Soldier,
    target: Soldier,
    land: Land,
    crew: int,
    no_shell: tuple[str, str] | None,
    no_canister: tuple[str, str] | None,
    near: tuple[Figure, ...],
) -> tuple[Ruling, ...]:
    """Kept between scenes: what a move did not touch is not computed again."""
    distance_mm, sigma_mm = gun.distance_mm(target), gun.sigma_to_mm(target)
    canister = _is_for_canister(distance_mm)
    limit_mm = tables().gun.shell_to_in * INCH_MM
    in_range = within(distance_mm, limit_mm, sigma_mm)
    stops = hindrances(gun, target, land)
    deciding = all_of([in_range, *(stop.margin for stop in stops)])
    refused = no_canister if canister else no_shell
    line, extra = line_of_fire(gun, target), {"phase": "fire", "distance_mm": round(distance_mm, 4)}
    extra |= {"weapon": CANISTER if canister else "shell", "crew": crew}
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
        found += _templates(gun, target, land, near, deciding, canister=canister, fires=refused is None)
    return tuple(found)


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
    gun: Soldier,
    target: Soldier,
    land: Land,
    near: tuple[Figure, ...],
    margin: Margin,
    *,
    canister: bool,
    fires: bool,
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
        _template(gun, target, land, near, margin, case, shape, impact, fires=fires)
        for case, (shape, impact) in laid.items()
    ]


def _template(
    gun: Soldier, target: Soldier, land: Land, near: tuple[Figure, ...], margin: Margin, case: str, shape: Polygon,
    impact: Point2, *, fires: bool,
) -> Ruling:  # fmt: skip
    others = (figure for figure in near if figure.piece.id != gun.id)
    hit = [figure.piece for figure in others if _is_hit(figure.base, shape, impact, case)]
    saves = {piece.id: save for piece in hit if (save := saving_die(piece.position_mm, impact, land)) is not None}
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


def saving_die(man: Point2, impact: Point2, land: Land) -> int | None:
    """The number that saves a man who has cover between him and the point of impact: the best cover's (OMOG-4.3)."""
    if man == impact:
        return None
    line, table = LineString((man, impact)), tables().save
    between: Iterable[int] = (
        table[thing.meaning] for thing in land.things if thing.meaning in table and crosses(line, thing.area)
    )
    return min(between, default=None)

"""Rifle and pistol: who may be shot at, the number needed and why (OMOG-3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import shapely
from shapely import Point

from rules.game import Mark, Ruling, ruling_from
from rules.games.omog.battlefield import SAME_MM, Battlefield, inches, within
from rules.games.omog.charge import charge_options
from rules.games.omog.crew import crew_of, gun_of
from rules.games.omog.sightline import (
    Hindrance,
    crosses,
    footing_mm,
    hindrances,
    is_on_roof,
    line_of_fire,
    stands_on,
)
from rules.games.omog.soldier import Soldier
from rules.games.omog.tables import INCH_MM, Weapon, tables
from rules.games.omog.terrain import WALLS, Land
from rules.margin import CLOSE_SIGMAS, Margin, all_of

_SIDES_OF_A_DIE = 6


@dataclass(frozen=True)
class Modifier:
    """One line of OMOG-3.2: what is added to the die, and why."""

    die: int
    why: str


@dataclass(frozen=True)
class Shot:
    """One man's shot at another.

    needs      the number on the die after modifiers; None out of range
    farthest   the range up to which the shot can hit at all with these modifiers, inches
    """

    shooter: Soldier
    target: Soldier
    weapon: str
    modifiers: tuple[Modifier, ...]
    needs: int | None
    farthest_in: float


def weapon_of(man: Soldier, field: Battlefield) -> str:
    """The state's weapon; without it gunners carry pistols and everybody else a rifle."""
    word = man.known.get("weapon")
    if word is None:
        return "pistol" if "artillery" in man.words or gun_of(man, field) is not None else "rifle"
    if word not in tables().weapon:
        known = ", ".join(tables().weapon)
        raise ValueError(f"state: pieces.{man.id}.weapon: OMOG has no weapon {word!r}; choose one of {known}")
    return str(word)


def modifiers(shooter: Soldier, target: Soldier, land: Land) -> tuple[Modifier, ...]:
    """Everything that is added to the die, in the order of the note."""
    table = tables().modifier
    found = [*_cover(shooter, target, land)]
    if target.known.get("leaning"):
        found.append(Modifier(table.leaning, f"{target.id} leans round cover"))
    if _is_above(shooter, target, land):
        found.append(Modifier(table.above, f"{shooter.id} shoots from above"))
    if shooter.arm == "mounted" and shooter.known.get("moved"):
        found.append(Modifier(table.mounted_moved, f"{shooter.id} shoots from a horse that moved"))
    return tuple(found)


def _cover(shooter: Soldier, target: Soldier, land: Land) -> list[Modifier]:
    """What the target stands in, each kind once, and the wall before him."""
    table, found = tables().modifier, dict[str, Modifier]()
    for thing in land.of_meaning("wood", "house", "hill"):
        if thing.meaning in found or not stands_on(target, thing):
            continue
        if thing.meaning == "wood":
            found["wood"] = Modifier(table.wood, f"{target.id} is in {thing.name}")
        elif thing.meaning == "house" and not is_on_roof(target, thing):
            found["house"] = Modifier(table.house, f"{target.id} is in {thing.name}")
        elif thing.meaning == "hill" and _at_crest(shooter, target, thing.area):
            found["hill"] = Modifier(table.crest, f"{target.id} is on the crest of {thing.name}")
    return [*found.values(), *_walls(shooter, target, land)]


def _walls(shooter: Soldier, target: Soldier, land: Land) -> list[Modifier]:
    """The best wall that the line of fire crosses within an inch of the target (OMOG-3.3)."""
    table, near = tables(), []
    near_mm = table.distance.wall_cover_in * INCH_MM + SAME_MM
    line, here = line_of_fire(shooter, target), Point(target.position_mm)
    for wall in land.of_meaning(*WALLS):
        if crosses(line, wall.area) and (line & wall.area).distance(here) <= near_mm:
            low = (wall.piece.height_mm or 0.0) <= table.distance.low_wall_mm
            die = table.modifier.low_wall if low else table.modifier.high_wall
            near.append(Modifier(die, f"{target.id} is behind {wall.name}, {'low' if low else 'chest-high'}"))
    return sorted(near, key=lambda modifier: modifier.die)[:1]


def _at_crest(shooter: Soldier, target: Soldier, hill: shapely.Polygon) -> bool:
    """Whether the target stands within an inch of that side of the hill which the line of fire crosses."""
    line = line_of_fire(shooter, target)
    if line.length == 0:
        return False
    corners = shapely.get_coordinates(hill.exterior)
    sides = shapely.linestrings(list(pairwise(corners)))
    crossed = sides[shapely.intersects(sides, line)]
    limit_mm = tables().distance.crest_in * INCH_MM + SAME_MM
    return bool((shapely.distance(crossed, Point(target.position_mm)) <= limit_mm).any())


def _is_above(shooter: Soldier, target: Soldier, land: Land) -> bool:
    houses = [house for house in land.of_meaning("house") if is_on_roof(shooter, house)]
    hills = [hill for hill in land.of_meaning("hill") if stands_on(shooter, hill)]
    high = max([footing_mm(shooter, land), *(house.top_mm for house in houses)])
    return bool(houses or hills) and high > footing_mm(target, land)


def shot(shooter: Soldier, target: Soldier, land: Land, weapon: str, least: int) -> Shot:
    """The shot with its range band and modifiers, whatever may stop it; `least` is the lowest number that can hit."""
    added = modifiers(shooter, target, land)
    total = sum(modifier.die for modifier in added)
    distance_in = shooter.distance_mm(target) / INCH_MM
    band = _band(tables().weapon[weapon], distance_in)
    able = [reach_in for reach_in, number in tables().weapon[weapon].bands if number - total <= _SIDES_OF_A_DIE]
    needs = None if band is None else max(band - total, least)
    return Shot(shooter, target, weapon, added, needs, max(able, default=0.0))


def _band(weapon: Weapon, distance_in: float) -> int | None:
    """The number for that range; bounds belong to the shorter band."""
    return next(
        (number for reach_in, number in weapon.bands if distance_in * INCH_MM <= reach_in * INCH_MM + SAME_MM), None
    )


def hit_sixths(needs: int | None) -> int:
    """In how many of six rolls a shot hits."""
    return 0 if needs is None else min(_SIDES_OF_A_DIE, max(0, _SIDES_OF_A_DIE + 1 - needs))


def why_no_shot(man: Soldier, field: Battlefield) -> tuple[str, str] | None:
    """The rule and the sentence that keep a man from shooting, whoever the target, if any."""
    if man.known.get("fired"):
        return "OMOG-3.5", f"{man.name} has fired already this turn"
    if man.charging and man.arm == "foot":
        return "OMOG-5.2", f"{man.name} charges with the bayonet and does not shoot"
    fired = [gun for gun in field.guns if gun.known.get("fired")]
    served = next((gun for gun in fired if gun.owner == man.owner and man in crew_of(gun, field)), None)
    if served is not None:
        return "OMOG-4.4", f"{man.name} has served {served.name}, which fired"
    return None


def targets(field: Battlefield) -> tuple[Ruling, ...]:
    """One `target` for each man with a weapon and each enemy."""
    # A natural 1 always misses, unless the house rule says otherwise.
    land, least, found = field.land, 2 if field.house("natural_one_misses") else 1, list[Ruling]()
    for man in field.subjects:
        if man.arm != "gun":
            weapon, refused = weapon_of(man, field), why_no_shot(man, field)
            for target in field.enemies_of(man):
                found += _target(man, target, land, weapon, least, refused)
    return tuple(found)


@lru_cache(maxsize=32768)
def _target(
    shooter: Soldier, target: Soldier, land: Land, weapon: str, least: int, refused: tuple[str, str] | None
) -> tuple[Ruling, ...]:
    """Kept between scenes: what a move did not touch is not computed again."""
    aimed, stops = shot(shooter, target, land, weapon, least), hindrances(shooter, target, land)
    distance_mm, sigma_mm = shooter.distance_mm(target), shooter.sigma_to_mm(target)
    in_range = within(distance_mm, aimed.farthest_in * INCH_MM, sigma_mm)
    deciding = all_of([in_range, *(stop.margin for stop in stops)])
    stopped = next((stop for stop in stops if stop.margin is deciding), None)
    extra = _facts(aimed, distance_mm, sigma_mm, seen=all(stop.margin.margin_mm >= 0 for stop in stops))
    line = line_of_fire(shooter, target)
    marks = (Mark("target", line, f"{aimed.needs}+"),) if deciding.verdict != "no" and refused is None else ()
    if refused is not None:
        ruling = Ruling("target", shooter.id, "no", *refused, target.id, 0.0, sigma_mm, line, extra)
    else:
        rule, why = _reason(aimed, distance_mm, in_range, stopped)
        ruling = ruling_from(
            deciding, kind="target", piece=shooter.id, other=target.id, rule=rule, why=why, geometry=line,
            extra=extra, marks=marks,
        )  # fmt: skip
    return (ruling, *(_blocked(shooter, target, stop) for stop in stops if stop.margin.verdict != "yes"))


def _facts(aimed: Shot, distance_mm: float, sigma_mm: float, *, seen: bool) -> Mapping[str, Any]:
    needs = aimed.needs if seen else None
    sixths = hit_sixths(needs)
    bands = [reach_in * INCH_MM for reach_in, _ in tables().weapon[aimed.weapon].bands]
    unsure = any(abs(distance_mm - band_mm) < CLOSE_SIGMAS * sigma_mm for band_mm in bands)
    return {
        "phase": "fire",
        "weapon": aimed.weapon,
        "distance_mm": round(distance_mm, 4),
        "needs": needs,
        "odds": {"hit": f"{sixths}/6", "miss": f"{6 - sixths}/6"},
        "chance": f"{sixths}/6",
        "modifiers": [{"die": modifier.die, "why": modifier.why} for modifier in aimed.modifiers],
        "band_close": unsure,
        **charge_options(aimed.shooter, aimed.target),
    }


def _reason(aimed: Shot, distance_mm: float, in_range: Margin, stopped: Hindrance | None) -> tuple[str, str]:
    who = f"{aimed.shooter.name} at {aimed.target.name}, {aimed.weapon}, {inches(distance_mm)}"
    added = "".join(f"; {modifier.die:+d}: {modifier.why}" for modifier in aimed.modifiers)
    if stopped is not None and (stopped.margin.margin_mm < 0 or stopped.margin.verdict != "yes"):
        return "OMOG-3.4", f"{who}: {stopped.why}{added}"
    if aimed.needs is None:
        return "OMOG-3.1", f"{who}: out of range{added}"
    if in_range.margin_mm < 0:
        return "OMOG-3.2", f"{who}: needs {aimed.needs}, which no die shows{added}"
    return ("OMOG-3.2" if added else "OMOG-3.1"), f"{who}: needs {aimed.needs} or more{added}"


def _blocked(shooter: Soldier, target: Soldier, stop: Hindrance) -> Ruling:
    verdict = "yes" if stop.margin.verdict == "no" else "close"
    why = f"{shooter.name} cannot shoot at {target.name}: {stop.why}"
    return Ruling(
        "blocked", shooter.id, "yes" if verdict == "yes" else "close", "OMOG-3.4", why, stop.thing.id,
        stop.margin.margin_mm, stop.margin.sigma_mm, stop.where, {"phase": "fire", "target": target.id},
        (Mark("blocked", stop.where),),
    )  # fmt: skip

"""Rifle and pistol: who may be shot at, the number needed and why (OMOG-3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice
from typing import Any

from rules.game import Mark, Ruling, ruling_from
from rules.games.omog.battlefield import Battlefield
from rules.games.omog.charge import charge_options
from rules.games.omog.cover import AS_MEASURED, Modifier, Turned, doubts, modifiers
from rules.games.omog.crew import guns_perhaps_served, guns_served
from rules.games.omog.footing import elsewhere
from rules.games.omog.limit import SAME_MM, inches, within
from rules.games.omog.line import line_of_fire
from rules.games.omog.sightline import Hindrance, hindrances, is_seen, look_along
from rules.games.omog.soldier import Soldier
from rules.games.omog.tables import INCH_MM, tables
from rules.games.omog.terrain import Land
from rules.kept import Kept
from rules.margin import CLOSE_SIGMAS, REFUSED, Margin, all_of, decider, turned

_SIDES_OF_A_DIE = 6
# A man, an enemy or all, and the terms on which he shoots at them.
_Aim = tuple[Soldier, Soldier, "Terms"]
_Aims = tuple[Soldier, tuple[Soldier, ...], "Terms"]


@dataclass(frozen=True)
class Shot:
    """One man's shot at another.

    distance   from centre to centre
    needs      the number on the die after modifiers; None out of range
    farthest   the range up to which the shot can hit at all with these modifiers, inches
    """

    shooter: Soldier
    target: Soldier
    weapon: str
    distance_mm: float
    modifiers: tuple[Modifier, ...]
    needs: int | None
    farthest_in: float


@dataclass(frozen=True)
class Arms:
    """What a man shoots with, and the rule and the sentence that keep him from shooting, if any."""

    weapon: str
    refused: tuple[str, str] | None


@dataclass(frozen=True)
class OtherArms:
    """A man's arms if he serves that gun after all, or does not; the distance to it is too close to call."""

    arms: Arms
    gun: str
    margin: Margin


@dataclass(frozen=True, eq=False)
class Terms:
    """What a man's shots depend on, whoever the target. `_terms` gives equal terms as one object: fast to compare.

    least   the lowest number that can hit
    others  what his arms may be as well
    """

    land: Land
    arms: Arms
    least: int
    others: tuple[OtherArms, ...]


@lru_cache(maxsize=1024)
def _terms(land: Land, arms: Arms, least: int, others: tuple[OtherArms, ...]) -> Terms:
    return Terms(land, arms, least, others)


def _terms_of(man: Soldier, field: Battlefield, least: int) -> Terms:
    served = guns_served(man, field)
    arms = _arms_of(man, served)
    others = []
    for gun, margin in guns_perhaps_served(man, field):
        otherwise = _arms_of(man, tuple(one for one in served if one is not gun) if gun in served else (*served, gun))
        if otherwise != arms:
            others.append(OtherArms(otherwise, gun.name, margin))
    return _terms(field.land, arms, least, tuple(others))


def _arms_of(man: Soldier, served: tuple[Soldier, ...]) -> Arms:
    """His arms as one of these guns' crews."""
    weapon = weapon_of(man, served)
    return Arms(weapon, _why_no_shot(man, weapon, served))


def weapon_of(man: Soldier, served: tuple[Soldier, ...]) -> str:
    """The state's weapon; without it gunners carry pistols and everybody else a rifle."""
    word = man.known.get("weapon")
    if word is None:
        return "pistol" if "artillery" in man.words or (man.arm == "foot" and served) else "rifle"
    if word not in tables().weapon:
        known = ", ".join(tables().weapon)
        raise ValueError(f"state: pieces.{man.id}.weapon: OMOG has no weapon {word!r}; choose one of {known}")
    return str(word)


def check_weapons(field: Battlefield) -> None:
    """ValueError for a weapon of the state that nobody can have, in whatever phase."""
    for man in field.subjects:
        if man.arm != "gun" and "weapon" in man.known:
            weapon_of(man, ())


def shot(shooter: Soldier, target: Soldier, land: Land, weapon: str, least: int, but: Turned = AS_MEASURED) -> Shot:
    """The shot with its range band and modifiers, whatever may stop it; `least` is the lowest number that can hit."""
    added = modifiers(shooter, target, land, but)
    total, bands = sum(modifier.die for modifier in added), tables().weapon[weapon].bands
    distance_mm = shooter.distance_mm(target)
    band = _band(bands, distance_mm / INCH_MM)
    able = [reach_in for reach_in, number in bands if number - total <= _SIDES_OF_A_DIE]
    needs = None if band is None else max(band - total, least)
    return Shot(shooter, target, weapon, distance_mm, added, needs, max(able, default=0.0))


def _may_be(aimed: Shot, land: Land, least: int) -> Iterator[tuple[Shot, Margin]]:
    """The shot as it may be as well, each time with the one distance that is too close to call (C3.4)."""
    shooter, target = aimed.shooter, aimed.target
    for thing, margin in doubts(shooter, target, land):
        yield shot(shooter, target, land, aimed.weapon, least, frozenset([thing])), margin
    for one, margin in elsewhere(shooter, land):
        yield shot(one, target, land, aimed.weapon, least), margin
    for one, margin in elsewhere(target, land):
        yield shot(shooter, one, land, aimed.weapon, least), margin


def _hits_at_all(aimed: Shot, land: Land) -> bool:
    """Whether it is in sight and range and some die hits, by the nominal places."""
    in_range = within(aimed.distance_mm, aimed.farthest_in * INCH_MM).margin_mm >= 0
    return in_range and is_seen(aimed.shooter, aimed.target, land)


def _band(bands: tuple[tuple[float, int], ...], distance_in: float) -> int | None:
    """The number for that range; bounds belong to the shorter band."""
    return next((number for reach_in, number in bands if distance_in * INCH_MM <= reach_in * INCH_MM + SAME_MM), None)


def hit_sixths(needs: int | None) -> int:
    """In how many of six rolls a shot hits."""
    return 0 if needs is None else min(_SIDES_OF_A_DIE, max(0, _SIDES_OF_A_DIE + 1 - needs))


def _why_no_shot(man: Soldier, weapon: str, served: tuple[Soldier, ...]) -> tuple[str, str] | None:
    """The rule and the sentence that keep a man from shooting, whoever the target, if any."""
    if man.known.get("fired"):
        return "OMOG-3.5", f"{man.name} has fired already this turn"
    if man.charging and man.arm == "foot":
        how = " with the bayonet" if "bayonet" in man.words else ""
        return "OMOG-5.2", f"{man.name} charges{how} and does not shoot"
    if not tables().weapon[weapon].bands:
        return "OMOG-3.1", f"{man.name} has nothing to shoot with"
    fired = next((gun for gun in served if gun.known.get("fired")), None)
    return None if fired is None else ("OMOG-4.4", f"{man.name} has served {fired.name}, which fired")


def targets(field: Battlefield) -> tuple[Ruling, ...]:
    """One `target` for each man with a weapon and each enemy."""
    # A natural 1 always misses, unless the house rule says otherwise.
    least = 2 if field.house("natural_one_misses") else 1
    men = (man for man in field.subjects if man.arm != "gun")
    asked = [(man, field.enemies_of(man), _terms_of(man, field, least)) for man in men]
    return tuple(chain.from_iterable(_at_all(asked)))


def _targets_at_all(asked: Sequence[_Aims]) -> list[tuple[Ruling, ...]]:
    """What each man may shoot at."""
    aims = [(man, enemy, terms) for man, enemies, terms in asked for enemy in enemies]
    found = iter(_at_one(aims))
    return [tuple(chain.from_iterable(islice(found, len(enemies)))) for _, enemies, _ in asked]


def _targets_at_one(aims: Sequence[_Aim]) -> Iterator[tuple[Ruling, ...]]:
    """Whether each man may shoot at one enemy, all on the same ground."""
    look_along([(man, enemy) for man, enemy, _ in aims], aims[0][2].land)
    return (_target(*aim) for aim in aims)


# Kept while no enemy moves: for most men a whole army stands where it stood.
_at_all = Kept(_targets_at_all, most=1024)
# Kept between scenes: what a move did not touch is not computed again.
_at_one = Kept(_targets_at_one, most=16384)


def _target(shooter: Soldier, target: Soldier, terms: Terms) -> tuple[Ruling, ...]:
    land, least, refused = terms.land, terms.least, terms.arms.refused
    aimed, stops = shot(shooter, target, land, terms.arms.weapon, least), hindrances(shooter, target, land)
    in_range = within(aimed.distance_mm, aimed.farthest_in * INCH_MM, shooter.sigma_to_mm(target))
    others = tuple(_may_be(aimed, land, least))
    margins = [in_range, *(stop.margin for stop in stops)]
    first, stop = all_of(margins), (None, *stops)[decider(margins)]
    possible = first.margin_mm >= 0
    deciding = turned(first, (margin for other, margin in others if _hits_at_all(other, land) != possible))
    armed = [(one, shot(shooter, target, land, one.arms.weapon, least)) for one in terms.others]
    may_need = [other.needs for other, _ in others] + [other.needs for one, other in armed if one.arms.refused is None]
    extra = _facts(aimed, may_need, seen=all(stop.margin.margin_mm >= 0 for stop in stops))
    rule, why = refused or _reason(aimed, in_range, stop)
    line, nominal = line_of_fire(shooter, target), REFUSED if refused is not None else deciding
    doubt = _turning(armed, land, may=refused is None and possible)
    decided = nominal if doubt is None else turned(nominal, [doubt.margin])
    if doubt is not None and decided is not nominal:
        rule, why = "OMOG-4.4", f"{why}; whether he serves {doubt.gun} is too close to call"
    elif decided.verdict == "close":
        why = f"{why}; whether he can hit at all is too close to call"
    number = "?" if aimed.needs is None else f"{aimed.needs}+"
    marks = (Mark("target", line, number),) if decided.verdict != "no" else ()
    ruling = ruling_from(
        decided, kind="target", piece=shooter.id, other=target.id, rule=rule, why=why, geometry=line, extra=extra,
        marks=marks,
    )  # fmt: skip
    barring = (stop for stop in stops if stop.margin.verdict != "yes")
    return (ruling, *(blocked_shot(shooter, target, _as_stands(stop, others, land)) for stop in barring))


def _turning(armed: Iterable[tuple[OtherArms, Shot]], land: Land, *, may: bool) -> OtherArms | None:
    """The nearest doubt about the guns that he serves with which he may shoot though he may not, or the reverse."""
    shots = ((one, one.arms.refused is None and _hits_at_all(aimed, land)) for one, aimed in armed)
    turning = (one for one, might in shots if might != may)
    return min(turning, key=lambda one: abs(one.margin.margin_mm), default=None)


def _as_stands(stop: Hindrance, others: Iterable[tuple[Shot, Margin]], land: Land) -> Hindrance:
    """What stops the shot; close if a distance too close to call would let the shot past that thing (C3.4).

    A man who hardly stands beside a wood, for example, may be in it.
    """
    freeing = (margin for other, margin in others if not _is_stopped(other, stop, land))
    return replace(stop, margin=turned(stop.margin, freeing))


def _is_stopped(aimed: Shot, stop: Hindrance, land: Land) -> bool:
    """Whether that thing stops the shot, by the nominal places."""
    found = hindrances(aimed.shooter, aimed.target, land)
    return any(one.thing is stop.thing and one.margin.margin_mm < 0 for one in found)


def _facts(aimed: Shot, may_need: Iterable[int | None], *, seen: bool) -> Mapping[str, Any]:
    needs = aimed.needs if seen else None
    sixths = hit_sixths(needs)
    hit, miss = f"{sixths}/6", f"{_SIDES_OF_A_DIE - sixths}/6"
    unsure = _is_band_close(aimed)
    return {
        "phase": "fire",
        "weapon": aimed.weapon,
        "distance_mm": round(aimed.distance_mm, 4),
        "needs": needs,
        "odds": {"hit": hit, "miss": miss, "win": hit, "tie": "0", "lose": miss},
        "chance": hit,
        "modifiers": [{"die": modifier.die, "why": modifier.why} for modifier in aimed.modifiers],
        "band_close": unsure,
        "needs_close": unsure or any(other != aimed.needs for other in may_need),
        **charge_options(aimed.shooter, aimed.target),
    }


def _is_band_close(aimed: Shot) -> bool:
    """Whether it is too close to call in which range band the target stands."""
    beside_mm = CLOSE_SIGMAS * aimed.shooter.sigma_to_mm(aimed.target)
    bands = tables().weapon[aimed.weapon].bands
    return any(abs(aimed.distance_mm - reach_in * INCH_MM) < beside_mm for reach_in, _ in bands)


def _reason(aimed: Shot, in_range: Margin, stopped: Hindrance | None) -> tuple[str, str]:
    bands = tables().weapon[aimed.weapon].bands
    far_in = bands[-1][0] if bands else 0
    away = inches(aimed.distance_mm, far_in if aimed.needs is None else None)
    who = f"{aimed.shooter.name} at {aimed.target.name}, {aimed.weapon}, {away}"
    added = "".join(f"; {modifier.die:+d}: {modifier.why}" for modifier in aimed.modifiers)
    if stopped is not None and (stopped.margin.margin_mm < 0 or stopped.margin.verdict != "yes"):
        return stopped.rule, f"{who}: {stopped.why}{added}"
    if aimed.needs is None:
        return "OMOG-3.1", f"{who}: out of range, which is {far_in:g} in{added}"
    if in_range.margin_mm < 0:
        return "OMOG-3.2", f"{who}: needs {aimed.needs}, which no die shows{added}"
    return ("OMOG-3.2" if added else "OMOG-3.1"), f"{who}: needs {aimed.needs} or more{added}"


def blocked_shot(shooter: Soldier, target: Soldier, stop: Hindrance) -> Ruling:
    """What stops a shot, and where; its margin is how far the line would have to move."""
    margin = Margin(-stop.margin.margin_mm, stop.margin.sigma_mm)
    cannot = "may be unable to" if margin.verdict == "close" else "cannot"
    return ruling_from(
        margin, kind="blocked", piece=shooter.id, other=stop.thing.id, rule=stop.rule,
        why=f"{shooter.name} {cannot} shoot at {target.name}: {stop.why}", geometry=stop.where,
        extra={"phase": "fire", "target": target.id}, marks=(Mark("blocked", stop.where),),
    )  # fmt: skip

"""The field gun: shells that scatter, canister, who is hit and who may save himself (OMOG-4)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from rules.game import Mark, Ruling, ruling_from
from rules.games.omog.battlefield import Battlefield
from rules.games.omog.crew import Strength, firing_strength, men_of, strength
from rules.games.omog.footing import elsewhere
from rules.games.omog.limit import SAME_MM, inches, within
from rules.games.omog.line import line_of_fire
from rules.games.omog.shooting import blocked_shot
from rules.games.omog.sightline import Hindrance, hindrances, is_seen, look_along
from rules.games.omog.soldier import Figure, Soldier
from rules.games.omog.tables import INCH_MM, tables
from rules.games.omog.template import CANISTER, Case, cases_of, is_for_canister, ruled
from rules.games.omog.terrain import Land
from rules.margin import CLOSE_SIGMAS, Margin, all_of, decider, turned


@dataclass(frozen=True)
class Order:
    """Whether the gun may fire one kind of round at all, whoever the target.

    refused  the rule and the sentence that forbid it, as its crew is counted; None where it may fire
    margin   how close it is to call who belongs to the crew; None where it may fire beyond doubt
    """

    refused: tuple[str, str] | None
    margin: Margin | None


def order_of(gun: Soldier, served: Strength, field: Battlefield, *, canister: bool) -> Order:
    """Crew, rounds and rest (OMOG-4.4); close when one man more or less would change it."""
    reason = _why_silent(gun, served.men, field.state.turn, canister=canister)
    margin = served.margin(lambda men: _why_silent(gun, men, field.state.turn, canister=canister) is None)
    if reason is not None and served.men < strength(gun, field).men:
        reason += "; who used his own weapon does not serve it"
    return Order(None if reason is None else ("OMOG-4.4", reason), margin)


def _why_silent(gun: Soldier, crew: int, turn: int, *, canister: bool) -> str | None:
    table = tables().gun
    left = gun.count("canister", table.canister) if canister else gun.count("shells", table.shells)
    waits = crew < table.full_fire_crew and turn - gun.count("fired_turn", turn - 2) < 2
    reasons = (
        (bool(gun.known.get("fired")), f"{gun.name} has fired already this turn"),
        (bool(gun.known.get("moved")), f"{gun.name} was pushed and rests one move before it fires"),
        (left <= 0, f"{gun.name} has no {'canister' if canister else 'shell'} left"),
        (crew < table.fire_crew, f"{gun.name} has {men_of(crew)} and needs {table.fire_crew} to fire"),
        (waits, f"{gun.name} has {men_of(crew)}, who fire every other turn"),
    )
    return next((why for applies, why in reasons if applies), None)


@dataclass(frozen=True, eq=False)
class Service:
    """How a gun is served, whoever the target. `_service` gives equal ones as one object: fast to compare."""

    men: int
    shell: Order
    canister: Order


@lru_cache(maxsize=1024)
def _service(men: int, shell: Order, canister: Order) -> Service:
    return Service(men, shell, canister)


def shots(field: Battlefield) -> tuple[Ruling, ...]:
    """For each gun and enemy a `target`, and the templates of every case if the shot is possible by range and sight."""
    found: list[Ruling] = []
    for gun in field.subjects:
        if gun.arm == "gun":
            served = firing_strength(gun, field)
            orders = (order_of(gun, served, field, canister=case) for case in (False, True))
            service = _service(served.men, *orders)
            look_along([(gun, enemy) for enemy in field.enemies_of(gun)], field.land)
            for enemy in field.enemies_of(gun):
                found += _shot(gun, enemy, field.land, service, _under_fire(gun, enemy, field))
    return tuple(found)


def _under_fire(gun: Soldier, target: Soldier, field: Battlefield) -> tuple[Figure, ...]:
    """All figures that a template of this shot may cover."""
    table, distance_mm = tables().gun, gun.distance_mm(target)
    beside_mm = CLOSE_SIGMAS * (gun.sigma_to_mm(target) + field.greatest_sigma_mm)
    if distance_mm > table.shell_to_in * INCH_MM + beside_mm + SAME_MM:
        return ()
    if is_for_canister(distance_mm):
        return field.figures_near(gun, (table.canister_in + table.canister_base_in) * INCH_MM + beside_mm)
    drift_in = max(table.drift_side_in, table.drift_beyond_in)
    return field.figures_near(target, (drift_in + table.burst_in / 2) * INCH_MM + 1.0 + beside_mm)


@lru_cache(maxsize=4096)
def _shot(gun: Soldier, target: Soldier, land: Land, service: Service, near: tuple[Figure, ...]) -> tuple[Ruling, ...]:
    """Kept between scenes: what a move did not touch is not computed again."""
    told, cases = _aimed(gun, target, land, service)
    return (*told, *(ruled(case, case.near(near)) for case in cases))


@lru_cache(maxsize=4096)
def _aimed(gun: Soldier, target: Soldier, land: Land, service: Service) -> tuple[tuple[Ruling, ...], tuple[Case, ...]]:
    """The `target` and what stops the shot, and the templates to lay; whoever stands about the target."""
    order, other = service.shell, service.canister
    if is_for_canister(gun.distance_mm(target)):
        order, other = other, order
    stops = hindrances(gun, target, land)
    aim, stop = _aim(gun, target, land, stops)
    decided = _decided(aim, order, other, _round_margin(gun, target))
    told = _reason(gun, target, stop, aim)
    if decided is order.margin:
        told = order.refused or ("OMOG-4.4", f"{told[1]}; it is too close to call who serves the gun")
    found = [_target(gun, target, decided, told, service.men)]
    found += [blocked_shot(gun, target, stop) for stop in stops if stop.margin.verdict != "yes"]
    if aim.verdict == "no":
        return tuple(found), ()
    return tuple(found), cases_of(gun, target, land, _template_margin(gun, target, aim, order))


def _target(gun: Soldier, target: Soldier, decided: Margin, told: tuple[str, str], men: int) -> Ruling:
    line, (rule, why) = line_of_fire(gun, target), told
    distance_mm = gun.distance_mm(target)
    extra = {
        "phase": "fire",
        "distance_mm": round(distance_mm, 4),
        "weapon": CANISTER if is_for_canister(distance_mm) else "shell",
        "crew": men,
    }
    marks = (Mark("target", line),) if decided.verdict != "no" else ()
    return ruling_from(
        decided, kind="target", piece=gun.id, other=target.id, rule=rule, why=why, geometry=line, extra=extra,
        marks=marks,
    )  # fmt: skip


def _aim(gun: Soldier, target: Soldier, land: Land, stops: tuple[Hindrance, ...]) -> tuple[Margin, Hindrance | None]:
    """The margin of range and sight, and what it hangs on in sight."""
    margins = [_in_range(gun, target), *(stop.margin for stop in stops)]
    nominal = all_of(margins)
    possible = nominal.margin_mm >= 0
    others = [(one, target, margin) for one, margin in elsewhere(gun, land)]
    others += [(gun, one, margin) for one, margin in elsewhere(target, land)]
    flips = (m for a, b, m in others if (_in_range(a, b).margin_mm >= 0 and is_seen(a, b, land)) != possible)
    aim = turned(nominal, flips)
    return aim, (None, *stops)[decider(margins)] if aim is nominal else None


def _in_range(gun: Soldier, target: Soldier) -> Margin:
    return within(gun.distance_mm(target), tables().gun.shell_to_in * INCH_MM, gun.sigma_to_mm(target))


def _round_margin(gun: Soldier, target: Soldier) -> Margin:
    """How far the target is from where the other kind of round is fired: shell and canister part at 6 inches."""
    limit_mm = tables().gun.shell_from_in * INCH_MM
    return Margin(abs(gun.distance_mm(target) - limit_mm), gun.sigma_to_mm(target))


def _decided(aim: Margin, order: Order, other: Order, apart: Margin) -> Margin:
    """The verdict's margin: of range, sight and order; close if the other round, close to call, may be meant (C3.4)."""
    margins = [aim] if order.margin is None else [aim, order.margin]
    nominal = all_of(margins)
    differs = (order.refused is None) != (other.refused is None) and aim.margin_mm >= 0
    return turned(nominal, [apart] if differs and apart.verdict == "close" else [])


def _template_margin(gun: Soldier, target: Soldier, aim: Margin, order: Order) -> Margin:
    """A template of this round is laid: as sure as the shot, and as that the round is the right one."""
    return all_of([aim, _round_margin(gun, target), *([] if order.margin is None else [order.margin])])


def _reason(gun: Soldier, target: Soldier, stop: Hindrance | None, aim: Margin) -> tuple[str, str]:
    distance_mm, limits = gun.distance_mm(target), tables().gun
    limit_in = limits.shell_to_in if aim.margin_mm < 0 else limits.shell_from_in
    who = f"{gun.name} at {target.name}, {inches(distance_mm, limit_in)}"
    if stop is not None and aim.verdict != "yes":
        return stop.rule, f"{who}: {stop.why}"
    if aim.margin_mm < 0:
        return "OMOG-4.1", f"{who}: beyond {limits.shell_to_in:g} in"
    by_canister = is_for_canister(distance_mm)
    return ("OMOG-4.2", f"{who}: canister") if by_canister else ("OMOG-4.1", f"{who}: shell")

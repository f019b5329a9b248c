"""Whom a miniature may attack now, with what damage, and why not (OSMCG-3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from shapely import LineString

from rules.decimals import set_apart
from rules.game import Mark, Ruling, ruling_from
from rules.games.osmcg.able import why_idle
from rules.games.osmcg.field import Field
from rules.games.osmcg.ground import Cover
from rules.games.osmcg.measure import measure_mm, within_margin
from rules.games.osmcg.permission import not_its_turn
from rules.games.osmcg.reason import Reason, deciding, refused
from rules.games.osmcg.tables import inch_mm, tables
from rules.games.osmcg.units import Unit
from rules.geometry.clearance import clearance_mm
from rules.margin import CLOSE_SIGMAS, UNTOLD, Margin, pair_sigma_mm
from rules.sentences import listed
from rules.unnamed import untold


def sights(field: Field) -> tuple[Ruling, ...]:
    """One `sight` for each unit: the visibility polygon from its centre (OSMCG-3.1)."""
    return tuple(_sight(unit, field.cover) for unit in field.subjects)


@lru_cache(maxsize=1024)
def _sight(unit: Unit, cover: Cover) -> Ruling:
    seen = cover.sightlines.polygon_from(unit.at)
    shape = None if seen.is_empty else seen
    why = f"{unit.name} sees all that no blocking terrain hides{_unnamed(cover)}" if shape else _why_blind(unit, cover)
    margin = cover.view(unit.at, unit.piece.sigma_mm)
    if (margin.margin_mm >= 0) != (shape is not None):  # on the very edge of a wall or of the table
        hair_mm = tables().distance.paper_mm
        margin = replace(margin, margin_mm=-hair_mm if shape is None else 0.0)
    return ruling_from(
        margin,
        kind="sight",
        piece=unit.id,
        rule="OSMCG-3.1",
        why=f"{why}, but that is too close to call" if margin.verdict == "close" else why,
        geometry=shape,
        extra={"phase": "activation"},
        marks=(Mark("sight", shape),) if shape else (),
    )


def _unnamed(cover: Cover) -> str:
    """That the area is drawn as if things that nobody has named hid nothing."""
    names = [thing.id for thing in cover.unnamed]
    said = "it is" if len(names) == 1 else "they are"
    return f"; {listed(names)} may hide some of it: say what {said}" if names else ""


def _why_blind(unit: Unit, cover: Cover) -> str:
    inside = next((wall for wall in cover.walls if wall.footprint.covers(unit.piece.point)), None)
    if inside is None:
        return f"the centre of {unit.name} is off the table"
    return f"the centre of {unit.name} lies inside {inside.cls} {inside.id}, which blocks"


def targets(field: Field) -> tuple[Ruling, ...]:
    """One `target` for each enemy of each unit."""
    return tuple(
        _target(unit, foe, engaged, field.cover, idle)
        for unit, engaged, idle in ((unit, field.engaged_with(unit), _why_idle(unit, field)) for unit in field.subjects)
        for foe in field.enemies(unit)
    )


def _why_idle(unit: Unit, field: Field) -> Reason | None:
    """What keeps a unit from any attack: another's turn, or what it did or suffered."""
    hindered = why_idle(unit)
    return not_its_turn(unit, field) or (None if hindered is None else refused(*hindered))


@lru_cache(maxsize=16384)
def _target(unit: Unit, foe: Unit, engaged: tuple[Unit, ...], cover: Cover, idle: Reason | None) -> Ruling:
    """Kept between scenes: what a move did not touch is not computed again."""
    melee = bool(engaged) or unit.card.range is None
    reasons = _melee(unit, foe, engaged) if melee else _ranged(unit, foe, cover)
    reason = deciding(reasons if idle is None else (*reasons, idle))
    margin = reason.margin
    line = LineString((unit.at, foe.at))
    extra = {"phase": "activation", "attack": "melee" if melee else "ranged", **_harm(unit, foe, engaged, melee=melee)}
    if reason.other is not None:
        extra["blocked_by"] = reason.other
    return Ruling(
        kind="target",
        piece=unit.id,
        verdict=margin.verdict,
        rule=reason.rule,
        why=reason.why,
        other=foe.id,
        margin_mm=margin.margin_mm,
        sigma_mm=max(margin.sigma_mm, reason.contact_sigma_mm),
        geometry=line,
        extra=extra,
        marks=(Mark("target", line),) if margin.verdict != "no" else (),
    )


def _melee(unit: Unit, foe: Unit, engaged: tuple[Unit, ...]) -> tuple[Reason, ...]:
    room_mm = unit.contact_mm(foe)
    far = set_apart(unit.gap_mm(foe), unit.contact_limit_mm(foe), 1)
    words = "touch" if room_mm >= 0 else f"are {far} mm apart, and "
    if room_mm < 0:
        words += "melee needs contact" if unit.card.range is None else "who is engaged does not shoot"
    why = f"the bases of {unit.name} and {foe.name} {words}"
    reasons = [Reason("OSMCG-3.2", Margin(room_mm), why, contact_sigma_mm=unit.sigma_to_mm(foe))]
    if _is_above(foe, unit):
        reasons.append(refused("OSMCG-3.3", f"{foe.name} flies and {unit.name} does not"))
    taunters = taunting(unit, engaged)
    if taunters and foe not in taunters:
        why = f"{taunters[0].name} taunts {unit.name} and must be the target"
        reasons.append(refused("OSMCG-3.3", why, taunters[0].id))
    return tuple(reasons)


def taunting(unit: Unit, engaged: Sequence[Unit]) -> list[Unit]:
    """Those in contact who force a unit to strike them (OSMCG-3.3); nobody is forced to strike what he cannot."""
    return [other for other in engaged if other.has("taunt") and not _is_above(other, unit)]


def _is_above(foe: Unit, unit: Unit) -> bool:
    """Whether only flyers can strike it, and the unit is none (OSMCG-3.3)."""
    return foe.has("flying") and not unit.has("flying")


def _ranged(unit: Unit, foe: Unit, cover: Cover) -> tuple[Reason, ...]:
    reason = _in_range(unit, foe, cover)
    if reason.margin.verdict == "no":
        return (reason,)
    return (reason, *_in_sight(unit, foe, cover), *_past_unnamed(unit, foe, cover))


def _in_range(unit: Unit, foe: Unit, cover: Cover) -> Reason:
    """The range, or the nearness from which stealth lets itself be seen, whichever is less: it is one distance."""
    limit_in, stealth_in = unit.card.range or 0.0, tables().distance.stealth_in
    away_in = measure_mm(unit, foe, edges=cover.edges) / inch_mm(1)
    in_range = within_margin(unit, foe, inch_mm(limit_in), edges=cover.edges)
    if not foe.has("stealth") or limit_in < stealth_in or in_range.verdict == "no":
        far = f"{foe.name} is {set_apart(away_in, limit_in, 2)} inches from {unit.name}"
        return Reason("OSMCG-3.2", in_range, f"{far}, the range is {limit_in:g}")
    far = f"{foe.name} is {set_apart(away_in, stealth_in, 2)} inches from {unit.name}"
    unseen = within_margin(unit, foe, inch_mm(stealth_in), edges=cover.edges)
    return Reason("OSMCG-3.2", unseen, f"{far} and in stealth: a target within {stealth_in:g} inches only")


def _in_sight(unit: Unit, foe: Unit, cover: Cover) -> list[Reason]:
    """One reason for each wall that hides the foe, or nearly does."""
    pair_mm, reasons = unit.sigma_to_mm(foe), []
    for wall, gap_mm in cover.walls_beside(LineString((unit.at, foe.at)), CLOSE_SIGMAS * pair_mm):
        sigma_mm = pair_sigma_mm(pair_mm, wall.sigma_mm)
        if gap_mm > CLOSE_SIGMAS * sigma_mm:
            continue
        clear_mm = clearance_mm(unit.at, foe.at, wall.footprint)
        how = f"passes {wall.cls} {wall.id}" if clear_mm >= 0 else f"is blocked by {wall.cls} {wall.id}"
        far = set_apart(abs(clear_mm), 0.0, 1)
        why = f"the sight line from {unit.name} to {foe.name} {how}, {far} mm from its edge"
        reasons.append(Reason("OSMCG-3.1", Margin(clear_mm, sigma_mm), why, wall.id if clear_mm < 0 else None))
    return [reason for reason in reasons if reason.margin.verdict != "yes"]


def _past_unnamed(unit: Unit, foe: Unit, cover: Cover) -> Iterator[Reason]:
    """One reason for each unnamed thing on the line that might be something that hides the foe (C5.2)."""
    for thing in cover.unnamed:
        clear = Margin(
            clearance_mm(unit.at, foe.at, thing.footprint), pair_sigma_mm(unit.sigma_to_mm(foe), thing.sigma_mm)
        )
        if clear.verdict != "yes":
            yield Reason("C5.2", UNTOLD, untold(thing.id), thing.id if clear.margin_mm < 0 else None)


def damage(unit: Unit, foe: Unit, *, melee: bool) -> float:
    """ATK, or d of a ranged attack, minus Defense (OSMCG-3.3)."""
    dealt = unit.card.strike if melee else unit.card.shot
    return dealt if unit.has("piercing") else max(0.0, dealt - foe.card.armour)


def _harm(unit: Unit, foe: Unit, engaged: tuple[Unit, ...], *, melee: bool) -> dict[str, Any]:
    """What the attack does: damage, who else is hit, and whether it destroys."""
    dealt = damage(unit, foe, melee=melee)
    extra: dict[str, Any] = {"damage": _plain(dealt)}
    if melee and unit.has("cleave"):
        beside = [other for other in engaged if other.id != foe.id]
        extra["cleave"] = [other.id for other in beside]
        extra["cleave_damage"] = [_plain(damage(unit, other, melee=True)) for other in beside]
    if unit.status("blind") > 0:
        extra["fizzles"] = True
    if foe.card.hp is not None:
        extra["destroys"] = "fizzles" not in extra and foe.card.wounds + dealt >= foe.card.hp
    if "bonus" in unit.known or "bonus" in foe.known:
        extra["bonus"] = [*unit.known.get("bonus", ()), *foe.known.get("bonus", ())]
    return extra


def _plain(number: float) -> float:
    """A whole number without its decimal point."""
    return int(number) if number == int(number) else number

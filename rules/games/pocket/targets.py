"""Whom the missile units may shoot at, and with what chance (POCKET-2.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from shapely import LineString

from rules.game import Mark, Ruling, ruling_from
from rules.games.pocket.battlefield import steps_between
from rules.games.pocket.doubt import certain, weighed
from rules.games.pocket.shots import can_shoot, damage_effect, may_cancel_shot, range_steps, shot_odds
from rules.games.pocket.table import Table, opposed
from rules.games.pocket.units import Unit, is_active


def targets(seen: Table) -> Iterator[Ruling]:
    """One feature for each missile unit and enemy unit."""
    if not seen.phases("ranged"):
        return
    for shooter in seen.units:
        if shooter.troop is None or not shooter.troop.range:
            continue
        beside = tuple(one for one in seen.units if one is not shooter and one.may_be_in & shooter.may_be_in)
        idle = _why_idle(shooter, seen)
        for target in seen.units:
            if opposed(shooter, target):
                others = tuple(one for one in beside if one is not target)
                yield _kept_target(Shot(shooter, target, others, idle))


def _why_idle(shooter: Unit, seen: Table) -> tuple[str, str] | None:
    """What keeps a unit from any shot: another's turn, or one that it has fired; the rule and the reason."""
    if not is_active(shooter, seen.setup, seen.state):
        return "C4.9", f"it is {seen.state.active}'s turn"
    if seen.state.of(shooter.id).get("fired"):
        return "POCKET-4.1", "it has shot already"
    return None


@dataclass(frozen=True, eq=False)
class Shot:
    """A shooter, his target, who may stand in the shooter's location too, and what forbids him to shoot at anybody."""

    shooter: Unit
    target: Unit
    beside: tuple[Unit, ...]
    idle: tuple[str, str] | None


def _kept_target(shot: Shot) -> Ruling:
    """The ruling on the pair, kept while the two units and the facts of the shot stay as they are."""
    facts, answers = (shot.beside, shot.idle), shot.shooter.answers
    kept = answers.get(shot.target)
    if kept is None or kept[0] != facts:
        kept = facts, _target(shot)
        answers[shot.target] = kept
    return kept[1]


def _target(shot: Shot) -> Ruling:
    shooter, target = shot.shooter, shot.target
    fault = _shot_fault(shot)
    margin = certain(False)
    if shot.idle is None:
        margin = weighed(lambda *them: _may_shoot(shot, *them), shooter, target, *shot.beside)
    rule, reason = fault or ("POCKET-2.2", _shot_sentence(shooter, target))
    line = LineString([shooter.piece.position_mm, target.piece.position_mm])
    extra = _extra(shooter, target)
    label = f"{round(100 * Fraction(extra['odds']['win']))} %"
    marks = (Mark("target", target.piece.footprint, label),) if margin.verdict != "no" else ()
    return ruling_from(
        margin,
        kind="target",
        piece=shooter.id,
        other=target.id,
        rule=rule,
        why=f"{shooter.name} at {target.name}: {reason}",
        geometry=line,
        extra=extra,
        marks=marks,
    )


def _extra(shooter: Unit, target: Unit) -> dict[str, Any]:
    """What a table of targets shows of the pair (interfaces, a `target` of Pocket)."""
    assert shooter.troop is not None  # both are known units (`opposed`)
    assert target.troop is not None
    return {
        "phase": "ranged",
        "distance": steps_between(shooter.cell, target.cell),
        "range": range_steps(shooter.troop, shooter.location, target.location),
        "odds": shot_odds(target.troop, target.location),
        "cancels": may_cancel_shot(target.troop, target.location),
        "effect": damage_effect(target),
    }


def _may_shoot(shot: Shot, shooter: Unit, target: Unit, *beside: Unit) -> bool:
    """Whether the shot is allowed with the units as they may stand."""
    return opposed(shooter, target) and _shot_fault(Shot(shooter, target, beside, shot.idle)) is None


def _shot_fault(shot: Shot) -> tuple[str, str] | None:
    """Why the shot is not allowed: the rule and the reason; None if it is."""
    shooter, target = shot.shooter, shot.target
    assert shooter.troop is not None  # only missile units are asked
    if shot.idle is not None:
        return shot.idle
    if any(opposed(shooter, one) and one.cell == shooter.cell for one in (target, *shot.beside)):
        return "POCKET-2.2", "the shooter is in melee"
    if not can_shoot(shooter.troop, shooter.location, target.location):
        steps = steps_between(shooter.cell, target.cell)
        return (
            "POCKET-2.2",
            f"{steps} steps away, range {range_steps(shooter.troop, shooter.location, target.location)}",
        )
    return None


def _shot_sentence(shooter: Unit, target: Unit) -> str:
    assert shooter.troop is not None  # only missile units are asked
    steps = steps_between(shooter.cell, target.cell)
    limit = range_steps(shooter.troop, shooter.location, target.location)
    return f"{steps} of {limit} steps" + (", from higher ground" if limit > shooter.troop.range else "")

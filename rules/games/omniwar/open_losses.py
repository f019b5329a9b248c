"""Who can have destroyed a unit without hexes: also by an area attack at another one beside it (OMNI-3.3, 4.3)."""

from __future__ import annotations

from rules.games.omniwar.attack import defense_fault
from rules.games.omniwar.judged import either
from rules.games.omniwar.open_table import OpenTable
from rules.games.omniwar.open_targets import attack_reason, defense
from rules.games.omniwar.units import Unit
from rules.margin import Margin, all_of, pair_sigma_mm


def loss_margin(seen: OpenTable, attacker: Unit, unit: Unit) -> Margin:
    """The margin of an attacker having destroyed a unit, which may be of its own side where an area was attacked."""
    at_it = [attack_reason(seen, attacker, unit).margin] if unit.owner != attacker.owner else []
    return either([*at_it, *(_beside(seen, attacker, target, unit) for target in _areas(seen, attacker, unit))])


def _areas(seen: OpenTable, attacker: Unit, unit: Unit) -> list[Unit]:
    """The enemies about whom an attack can hit a unit beside them."""
    if not attacker.line.has("Area") or unit.carrier is not None or defense_fault(attacker, defense(seen, unit)):
        return []
    return [target for target in seen.standing if target.owner != attacker.owner and target.id != unit.id]


def _beside(seen: OpenTable, attacker: Unit, target: Unit, unit: Unit) -> Margin:
    """The margin of an attack at the target that covers the unit, too."""
    return all_of([attack_reason(seen, attacker, target).margin, beside_margin(seen, target, unit)])


def beside_margin(seen: OpenTable, target: Unit, unit: Unit) -> Margin:
    """The margin of the unit's base lying under the disc about an area attack's target."""
    over_mm = seen.hex_mm / 2 - unit.base.distance(target.piece.point)
    return Margin(over_mm, pair_sigma_mm(target.piece.sigma_mm, unit.piece.sigma_mm))

"""An attack on a structure, or by or at who is gone: what forbids it, and how far it is (OSMCG-1.2, 3.2, 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rules.games.osmcg.able import why_idle
from rules.games.osmcg.field import Field
from rules.games.osmcg.objectives import Objective, hp_left, objectives
from rules.games.osmcg.permission import MOVE_PHASE, not_its_turn
from rules.games.osmcg.phases import phase_of
from rules.games.osmcg.tables import inch_mm, tables
from rules.games.osmcg.targets import taunting

if TYPE_CHECKING:
    from rules.games.osmcg.units import Unit
    from rules.scene import Scene
    from rules.setup import Setup
    from rules.state import State


def refusal(scene: Scene, setup: Setup, state: State, fields: Mapping[str, Any]) -> tuple[str, str] | None:
    """The rule and the sentence that forbid an attack on a structure, or by or at who is gone, for an attack is done
    before anybody leaves the table; None if nothing does, and for other attacks."""
    piece_id, other = fields.get("piece"), fields.get("other")
    field = Field(scene, setup, state, piece_id)
    aim = next((one for one in objectives(field) if one.name == other), None)
    gone = [name for name in (piece_id, other if aim is None else None) if name is not None and name not in scene]
    if gone:
        return "OSMCG-3.2", f"{gone[0]} is not on the table any more"
    if aim is None or other in scene or piece_id is None:
        return None
    unit = field.by_id.get(str(piece_id))
    if unit is None:
        return "C5.2", f"{piece_id} is no miniature on the table of which class and side are known"
    return next(_reasons(unit, aim, field), None)


def _reasons(unit: Unit, aim: Objective, field: Field) -> Iterator[tuple[str, str]]:
    wrong, idle, phase = not_its_turn(unit, field), why_idle(unit), phase_of(field.state)
    if wrong is not None:
        yield wrong.rule, wrong.why
    if phase not in (None, MOVE_PHASE):
        yield "OSMCG-5", f"{unit.name} attacks in the activation phase, not in the {phase} phase"
    if idle is not None:
        yield idle
    yield from _spared(unit, aim, field)
    for foe in taunting(unit, field.engaged_with(unit)):
        yield "OSMCG-3.3", f"{foe.name} taunts {unit.name} and must be the target"
    yield from _too_far(unit, aim, field)


def _spared(unit: Unit, aim: Objective, field: Field) -> Iterator[tuple[str, str]]:
    """What nobody attacks: an objective that is controlled, ruins, and the Nexus of one's own side."""
    player = field.player_of(unit)
    if not aim.hp:
        yield "OSMCG-1.2", f"{aim.name} is controlled, not attacked"
    elif hp_left(aim, field) <= 0:
        yield "OSMCG-1.2", f"{aim.name} is destroyed already"
    elif player is not None and aim.name == f"nexus-{player.side}":
        yield "OSMCG-1.2", f"{aim.name} is the Nexus of {unit.name}'s own side"


def _too_far(unit: Unit, aim: Objective, field: Field) -> Iterator[tuple[str, str]]:
    """Nobody told how large a structure is: up to the disc of an objective."""
    is_melee = unit.card.range is None or bool(field.engaged_with(unit))
    range_in = 0.0 if is_melee else unit.card.range or 0.0
    far_in = unit.gap_to_mm(aim.at) / inch_mm(1)
    if far_in > range_in + tables().distance.objective_in:
        reach = "strikes what it touches" if is_melee else f"shoots {range_in:g} inches"
        yield "OSMCG-3.2", f"{unit.name} is {far_in:.1f} inches from the middle of {aim.name} and {reach}"

"""Rest: action points for all wounds, in the miniature's own activation (rulebook 8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.games.osmcg.able import why_idle
from rules.games.osmcg.field import Field
from rules.games.osmcg.permission import MOVE_PHASE, not_its_turn
from rules.games.osmcg.phases import phase_of
from rules.games.osmcg.tables import tables
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State


def refusal(scene: Scene, setup: Setup, state: State, fields: Mapping[str, Any]) -> tuple[str, str] | None:
    """The rule and the sentence that keep a miniature from its rest; None if nothing does."""
    piece_id = fields.get("piece")
    field = Field(scene, setup, state, piece_id)
    unit = field.by_id.get(str(piece_id))
    if unit is None:
        return "C5.2", f"{piece_id} is no miniature on the table of which class and side are known"
    wrong = not_its_turn(unit, field)
    if wrong is not None:
        return wrong.rule, wrong.why
    phase, cost = phase_of(state), tables().cost.rest
    if phase not in (None, MOVE_PHASE):
        return "OSMCG-5", f"{unit.name} rested in the {phase} phase: units rest in the activation phase"
    short = f"{unit.name} has {unit.ap_left} of the {cost} action points that a rest takes"
    return why_idle(unit) or (("OSMCG-5", short) if unit.ap_left < cost else None)

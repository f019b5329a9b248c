"""Who may touch a miniature now: turn, phase and what keeps it from acting (C4.9, OSMCG-5)."""

from __future__ import annotations

from rules.course.changes import Change
from rules.games.osmcg.able import why_no_move
from rules.games.osmcg.blocs import bloc
from rules.games.osmcg.field import Field
from rules.games.osmcg.lifted import is_put_back
from rules.games.osmcg.phases import phase_of
from rules.games.osmcg.reason import Reason, refused
from rules.games.osmcg.units import Unit

MOVE_PHASE = "activation"
# Creatures come in these phases; a Hero comes back at upkeep (rulebook 2.3, 3.3).
DEPLOY_PHASES = ("main-1", "main-2")
RETURN_PHASES = ("upkeep",)


def out_of_turn(unit: Unit, change: Change, field: Field) -> Reason | None:
    """What forbids to move or to bring this miniature now, wherever it goes; None if nothing does."""
    if change.kind == "moved":
        return not_its_turn(unit, field) or _not_to_move(unit, field)
    if unit.has("quick summon") or is_put_back(change.piece, unit.card):
        return None
    return not_its_turn(unit, field) or _not_to_come(unit, field)


def is_active(unit: Unit, field: Field) -> bool:
    """Whether it is the unit's turn: its player's, or that of anybody who shares his turn."""
    active = field.state.active
    if active is None or unit.team == active:
        return True
    return field.player_of(unit) in bloc(active, field.setup)


def not_its_turn(unit: Unit, field: Field) -> Reason | None:
    """What forbids a unit to act in another's turn; None in its own."""
    if is_active(unit, field):
        return None
    return refused("C4.9", f"{unit.name} is not {field.state.active}'s, whose turn it is")


def _not_to_move(unit: Unit, field: Field) -> Reason | None:
    phase = phase_of(field.state)
    if phase not in (None, MOVE_PHASE):
        return refused("OSMCG-5", f"{unit.name} moved in the {phase} phase: units move in the activation phase")
    hindered = why_no_move(unit)
    return refused(*hindered) if hindered is not None else None


def _not_to_come(unit: Unit, field: Field) -> Reason | None:
    phase = phase_of(field.state)
    if phase is None or phase in (RETURN_PHASES if unit.is_hero else DEPLOY_PHASES):
        return None
    when = "a Hero comes back at upkeep" if unit.is_hero else "creatures come in the main phases"
    return refused("OSMCG-5", f"{unit.name} was deployed in the {phase} phase: {when}")

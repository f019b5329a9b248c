"""All rulings of OSMCG for a scene."""

from __future__ import annotations

from rules.game import Ruling
from rules.games.osmcg.blocked import blocks, shots
from rules.games.osmcg.deploy import deployments
from rules.games.osmcg.field import Field
from rules.games.osmcg.missions import missions
from rules.games.osmcg.objectives import control
from rules.games.osmcg.phases import phase_of
from rules.games.osmcg.reach import reaches
from rules.games.osmcg.rim import in_doubt
from rules.games.osmcg.standing import auras, engaged, overlaps, trackers
from rules.games.osmcg.targets import sights, targets
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State

# C4.11: these are told in every phase.
_STATUS = ("engaged", "control", "economy", "overlap", "template")
# Creatures are deployed in both main phases.
_SAME_PHASE = {"main-2": "main-1"}


def rulings(scene: Scene, setup: Setup, state: State, piece: str | None) -> tuple[Ruling, ...]:
    """Every ruling for the scene, or one piece's; with a phase in the state, its own and the status ones (C4.9)."""
    field, now = Field(scene, setup, state, piece), phase_of(state)
    aimed = in_doubt(targets(field), field, targets)
    parts = (blocks, sights, engaged, auras, trackers, overlaps, control, deployments, missions)
    rest = (ruling for part in parts for ruling in part(field))
    found = [*in_doubt(reaches(field), field, reaches), *rest, *aimed, *shots(aimed, field)]
    if piece is None and now is None:
        return tuple(found)
    return tuple(ruling for ruling in found if _concerns(ruling, piece) and _in_phase(ruling, now))


def _concerns(ruling: Ruling, piece: str | None) -> bool:
    return piece in (None, ruling.piece) or (ruling.kind in ("engaged", "overlap") and piece == ruling.other)


def _in_phase(ruling: Ruling, now: str | None) -> bool:
    is_strip = ruling.kind == "deploy" and ruling.piece is None
    if now is None or ruling.kind in _STATUS or is_strip:
        return True
    return bool(ruling.extra["phase"] == _SAME_PHASE.get(now, now))

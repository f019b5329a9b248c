"""All rulings of OMOG Oldstyle for a scene."""

from __future__ import annotations

from itertools import chain

from rules.game import Ruling
from rules.games.omog.battlefield import Battlefield
from rules.games.omog.gun import shots
from rules.games.omog.melee import engaged, melees
from rules.games.omog.reach import reaches
from rules.games.omog.shooting import targets
from rules.games.omog.standing import cohesion, control
from rules.games.omog.tally import tallies
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State

# C4.11: these are told in every phase.
_STATUS = ("engaged", "cohesion", "control", "economy")


def rulings(scene: Scene, setup: Setup, state: State, piece: str | None) -> tuple[Ruling, ...]:
    """Every ruling for the scene, or one piece's; with a phase in the state, its own and the status ones (C4.9)."""
    field = Battlefield(scene, setup, state, piece)
    parts = (reaches, targets, shots, melees, engaged, cohesion, control, tallies)
    found = chain.from_iterable(part(field) for part in parts)
    if piece is None and state.phase is None:
        return tuple(found)
    return tuple(ruling for ruling in found if _concerns(ruling, piece) and _in_phase(ruling, state))


def _concerns(ruling: Ruling, piece: str | None) -> bool:
    """Whether it is about the piece: a fight is about both sides."""
    return piece in (None, ruling.piece) or (ruling.kind in ("engaged", "melee") and piece == ruling.other)


def _in_phase(ruling: Ruling, state: State) -> bool:
    return state.phase is None or ruling.kind in _STATUS or ruling.extra.get("phase") == state.phase

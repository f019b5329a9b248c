"""All rulings of OMOG Oldstyle for a scene."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

from rules.game import Ruling
from rules.games.omog.battlefield import Battlefield
from rules.games.omog.clock import MOVE_PHASES
from rules.games.omog.gun import shots
from rules.games.omog.melee import engaged, melees
from rules.games.omog.reach import reaches
from rules.games.omog.shooting import check_weapons, targets
from rules.games.omog.standing import cohesion, control
from rules.games.omog.tally import tallies
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State

# What is told in some phases alone is ruled in these alone; C4.11: the rest (None) in every one.
_PARTS: tuple[tuple[tuple[str, ...] | None, Callable[[Battlefield], Iterable[Ruling]]], ...] = (
    (MOVE_PHASES, reaches),
    (("fire",), targets),
    (("fire",), shots),
    (("melee",), melees),
    (None, engaged),
    (None, cohesion),
    (None, control),
    (None, tallies),
)


def rulings(scene: Scene, setup: Setup, state: State, piece: str | None) -> tuple[Ruling, ...]:
    """Every ruling for the scene, or one piece's; with a phase in the state, its own and the status ones (C4.9)."""
    field = Battlefield(scene, setup, state, piece)
    check_weapons(field)
    parts = (part for phases, part in _PARTS if phases is None or state.phase in (None, *phases))
    found = chain.from_iterable(part(field) for part in parts)
    return tuple(found) if piece is None else tuple(ruling for ruling in found if _concerns(ruling, piece))


def _concerns(ruling: Ruling, piece: str) -> bool:
    """Whether it is about the piece: a fight is about both sides."""
    return ruling.piece == piece or (ruling.kind in ("engaged", "melee") and piece == ruling.other)

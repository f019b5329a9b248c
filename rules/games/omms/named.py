"""The coins that a typed state names: they must lie on the table of which it tells."""

from __future__ import annotations

from collections.abc import Iterator

from rules.games.omms.bases import BASES
from rules.games.omms.lifted import LIFTED
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State


def check_named(scene: Scene, setup: Setup, state: State) -> None:
    """ValueError for an attack, a siege or a base of a coin that is not there; a settlement may be lifted just now."""
    lifted = state.counters.get(LIFTED) or {}
    for where, name in _named(state):
        if name not in scene and name not in lifted:
            there = ", ".join(coin.id for coin in scene.of_kind("coin")) or "none"
            raise ValueError(f"{where}: there is no coin {name!r} in the scene; there are {there}")


def _named(state: State) -> Iterator[tuple[str, str]]:
    """The ids with where each is told; `check_counters` has seen that they are told as they should be."""
    attack = state.counters.get("attack") or {}
    yield from ((f"the state's attack, {role}", attack[role]) for role in ("piece", "other") if attack)
    for counter in ("sieges", "siege_dice"):
        told = state.counters.get(counter) or {}
        yield from ((f"the state's {counter}", name) for name, value in told.items() if value is not None)
    bases = state.counters.get(BASES) or {}
    yield from ((f"the state's {BASES} of {player}", name) for player, name in bases.items() if name is not None)

"""An attack that is declared at a settlement with units in it: these are the targets, the coin is none (OMMS-5.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.games.omms.table import Table
from rules.scene import Scene
from rules.sentences import listed
from rules.setup import Setup
from rules.state import State


def refusal(scene: Scene, setup: Setup, state: State, kind: str, fields: Mapping[str, Any]) -> tuple[str, str] | None:
    """The rule and the sentence that say whom to attack instead; None for other events and other targets."""
    table, attacker, other = Table(scene, setup, state), fields.get("piece"), fields.get("other")
    if kind != "attack" or not {attacker, other} <= {coin.id for coin in table.coins.all}:
        return None
    base = table.coins[str(other)]
    inside = table.coins.garrison(base) if base.is_base and base.is_enemy(table.coins[str(attacker)].owner) else ()
    if not inside:
        return None
    return "OMMS-5.2", f"{base} is occupied: attack {listed(table.defenders_of(inside[0]))}, who defends it"

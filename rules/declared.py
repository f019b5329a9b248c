"""Attacks that are declared: which rulings they are asked of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules.game import Ruling

# What a `target` says of the way to attack that the game's `attack` event wants to know.
TARGET_KEYS = ("weapon", "attack")


def asked_targets(rulings: Iterable[Ruling], attack: Mapping[str, Any]) -> list[Ruling]:
    """The `target` rulings on the attack of which these are the data: one for each way in which it can be meant."""
    return [ruling for ruling in rulings if ruling.kind == "target" and _is_of(ruling, attack)]


def _is_of(target: Ruling, attack: Mapping[str, Any]) -> bool:
    """Whether the target is that of the attack, by the same weapon or way where both tell it."""
    how = ((target.extra.get(key), attack.get(key)) for key in TARGET_KEYS)
    pair = (target.piece, target.other) == (attack.get("piece"), attack.get("other"))
    return pair and all(None in both or both[0] == both[1] for both in how)

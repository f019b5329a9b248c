"""The options of a set-up, checked: the legend's grounds and the units of one's own."""

from __future__ import annotations

from rules.games.omniwar.board import ground_named
from rules.games.omniwar.roster import UnitType, abilities, ability_key, packaged_roster, unit_types
from rules.legend import meanings
from rules.setup import Setup
from rules.tables import KeyFault


def check(setup: Setup) -> None:
    """`KeyFault` for what the set-up says and OmniWar cannot mean."""
    for key, word in meanings(setup):
        ground_named(word, key)
    types = unit_types(setup)
    for name in setup.house.get("roster", {}):
        _check_abilities(types[name.casefold()], name)


def _check_abilities(kind: UnitType, name: str) -> None:
    unheard = [word for word in kind.abilities if ability_key(word) not in {"vehicle", *abilities()}]
    if unheard:
        known = ", ".join(("Vehicle", *packaged_roster().ability))
        keys = ("rules", "roster", name, "abilities")
        raise KeyFault(keys, f"there is no ability {unheard[0]!r}; choose from {known}")

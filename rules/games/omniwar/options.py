"""The options of a set-up, checked: the legend's grounds and the units of one's own."""

from __future__ import annotations

from rules.games.omniwar.board import ground_named
from rules.games.omniwar.roster import check_abilities, packaged_roster, unit_types
from rules.legend import meanings
from rules.setup import Setup


def check(setup: Setup) -> None:
    """`rules.tables.KeyFault` for what the set-up says and OmniWar cannot mean."""
    for key, word in meanings(setup):
        ground_named(word, key)
    types = unit_types(setup)
    for name in setup.house.get("roster", {}):
        check_abilities(types[name.casefold()], packaged_roster().ability, ("rules", "roster", name, "abilities"))

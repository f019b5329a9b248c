"""The options of a set-up, checked: the legend's grounds and units, and the units of one's own."""

from __future__ import annotations

from collections.abc import Mapping

from rules.files.tables import KeyFault
from rules.games.omniwar.board import ground_named, is_ground
from rules.games.omniwar.roster import UnitType, check_abilities, packaged_roster, unit_types
from rules.games.omniwar.typed import check_units
from rules.legend import is_terrain, meanings
from rules.legend_key import check_key
from rules.setup import Setup


def check(setup: Setup) -> None:
    """`rules.files.tables.KeyFault` for what the set-up says and OmniWar cannot mean."""
    types = unit_types(setup)
    check_units(setup)
    for key, word in meanings(setup):
        check_key(key)
        _check_word(key, word, types)
    for name in setup.house.get("roster", {}):
        check_abilities(types[name.casefold()], packaged_roster().ability, ("rules", "roster", name, "abilities"))


def _check_word(key: str, word: str, types: Mapping[str, UnitType]) -> None:
    """Household things stand for ground; whatever else lies there for ground or for a unit."""
    if is_terrain(key):
        ground_named(word, key)
    elif word.strip().casefold() not in types and not is_ground(word):
        units = ", ".join(kind.name for kind in types.values())
        raise KeyFault(("legend", key), f"neither a unit nor terrain is called {word!r}; units are {units}")

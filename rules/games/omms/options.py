"""The options of a set-up, checked: the parts that the legend gives to coins, the roads and what wins."""

from __future__ import annotations

from rules.files.tables import KeyFault
from rules.games.omms.coins import BASES, UNITS
from rules.games.omms.table import HOUSE, ROAD_CLASSES
from rules.games.omms.told import count, some_of
from rules.legend import is_terrain, meanings
from rules.scene import COIN_DIAMETER_MM
from rules.setup import Setup


def check(setup: Setup) -> None:
    """`KeyFault` for what the set-up says and OMMS cannot mean; household things mean nothing here."""
    parts = (*BASES, *UNITS)
    for key, word in meanings(setup):
        if key in COIN_DIAMETER_MM and word not in parts:
            raise KeyFault(("legend", key), f"no coin plays a {word!r}; choose one of {', '.join(parts)}")
        if key not in COIN_DIAMETER_MM and (word in parts or not is_terrain(key)):
            raise KeyFault(("legend", key), f"there is no such coin to play a {word}; write one such as gbp-5p")
    _check_roads(setup.house.get("usable_roads", HOUSE["usable_roads"]))
    for key in ("win_points", "win_bases"):
        count(setup.house.get(key, HOUSE[key]), f"rules.{key}", least=1)


def _check_roads(told: object) -> None:
    """An empty list may mean the usual roads, all or none: nobody can tell, and without roads nothing moves."""
    if not some_of(told, ROAD_CLASSES, "rules.usable_roads"):
        some = ", ".join(ROAD_CLASSES)
        raise KeyFault(
            ("rules", "usable_roads"), f"the list is empty; name some of {some}, or leave it out for the usual ones"
        )

"""The options of a set-up, checked: the legend's grounds, the roster and the base that is still to come."""

from __future__ import annotations

import math
from collections.abc import Mapping

from rules.files.tables import KeyFault
from rules.games.osmcg.roster import roster_of
from rules.games.osmcg.tables import GROUNDS, tables
from rules.legend import KNOWN_CLASSES, TERRAIN, class_of, meanings
from rules.scene import UNKNOWN
from rules.setup import Setup


def check(setup: Setup) -> None:
    """`KeyFault` for what the set-up says and OSMCG cannot mean."""
    grounds_of(setup)
    roster_of(setup)
    new_base_mm(setup)


def grounds_of(setup: Setup) -> Mapping[str, str]:
    """Whether each class that the legend names is blocking or traversable (OSMCG-1.3)."""
    grounds = dict(meanings(setup))
    for cls, ground in grounds.items():
        if class_of(cls) not in (*KNOWN_CLASSES, UNKNOWN):
            raise KeyFault(("legend", cls), f"there is no such thing; write one of {', '.join(TERRAIN)}")
        if ground not in GROUNDS:
            raise KeyFault(("legend", cls), f"{ground!r} is none of {', '.join(GROUNDS)}")
    return grounds


def new_base_mm(setup: Setup) -> float:
    """The radius of a base that is still to come: house rule `deploy_radius_mm`."""
    value = setup.house.get("deploy_radius_mm", tables().distance.new_base_mm)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise KeyFault(("rules", "deploy_radius_mm"), f"{value!r} must be a radius in mm, 0 or more")
    return float(value)

"""The options of a set-up, checked: the legend's grounds and the allowances of a pushed gun."""

from __future__ import annotations

import math

from rules.files.tables import KeyFault
from rules.games.omog.battlefield import HOUSE_DEFAULTS
from rules.games.omog.terrain import ground_of
from rules.legend import meanings
from rules.legend_key import check_key
from rules.setup import Setup

_PUSHED_ON = "road, open, up hill on road, up hill off road"


def check(setup: Setup) -> None:
    """`KeyFault` for what the set-up says and OMOG cannot mean."""
    for key, word in meanings(setup):
        check_key(key)
        ground_of(key, word)
    push_in = setup.house.get("gun_push_in", HOUSE_DEFAULTS["gun_push_in"])
    if not (isinstance(push_in, list | tuple) and len(push_in) == 4 and all(map(_is_length, push_in))):
        raise KeyFault(("rules", "gun_push_in"), f"write four inches of 0 or more ({_PUSHED_ON}), not {push_in!r}")


def _is_length(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf

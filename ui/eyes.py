"""The eyes that a set-up asks for: what finds and names pieces in a picture of a measured table."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rules.scene import Kind
from rules.setup import Setup
from vision.eyes import Eyes, Wanted
from vision.observe import LookAt

# What each game lays on its table; other things are not looked for, so that they are never mistaken for pieces.
_KINDS: Mapping[str, frozenset[Kind]] = MappingProxyType(
    {
        "omms": frozenset(("coin", "card", "die", "match")),
        "omog": frozenset(("die",)),
        "osmcg": frozenset(("die",)),
        "pocket": frozenset(("coin", "card", "die")),
        "omniwar": frozenset(("coin", "card", "die")),
    }
)
_FLAT: frozenset[Kind] = frozenset(("coin", "card", "die", "match"))
# A match whose players are named is played with the coins of its game; one in a hundred tables may differ.
_OMMS_CURRENCIES = MappingProxyType({"gbp": 0.98, "eur": 0.01, "usd": 0.01})


def eyes_for(setup: Setup | None = None) -> LookAt:
    """The look of the packaged models for that set-up, loaded now; ValueError if a model is missing."""
    if setup is None:
        return Eyes.packaged(None, Wanted(_FLAT)).look
    named = setup.game == "omms" and bool(setup.players)
    colours = tuple(player.colour for player in setup.players)
    wanted = Wanted(_KINDS.get(setup.game, _FLAT), _OMMS_CURRENCIES if named else None, colours)
    return Eyes.packaged(setup.table_size_mm, wanted).look

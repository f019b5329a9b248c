"""The eyes that a set-up asks for: what finds and names pieces in a picture of a measured table."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rules.legend import KNOWN_CLASSES
from rules.scene import Kind
from rules.setup import Setup
from vision.enrol import Enrolled, Recogniser
from vision.eyes import Eyes, Wanted
from vision.observe import LookAt

# What each game lays on its table; other things are not looked for, so that they are never mistaken for pieces.
_KINDS: Mapping[str, frozenset[Kind]] = MappingProxyType(
    {
        "omms": frozenset(("coin", "card", "die", "match")),
        "omog": frozenset(("soldier", "terrain", "die")),
        "osmcg": frozenset(("base", "terrain", "die")),
        "pocket": frozenset(("coin", "card", "die")),
        "omniwar": frozenset(("coin", "card", "die", "soldier", "base")),
    }
)
_FLAT: frozenset[Kind] = frozenset(("coin", "card", "die", "match"))
# A match whose players are named is played with the coins of its game; one in a hundred tables may differ.
_OMMS_CURRENCIES = MappingProxyType({"gbp": 0.98, "eur": 0.01, "usd": 0.01})

# Ships and tanks are options (OMMS-9), and two pounds are no piece at all.
_OMMS_RARITY = MappingProxyType({"gbp-50p": 0.1, "gbp-1": 0.1, "gbp-2": 0.02})

# Where the game tells which coins there are, fewer can be mistaken: a lower probability is as safe.
_OMMS_SURE = 0.9


def eyes_for(setup: Setup | None = None, taught: tuple[Enrolled, ...] = ()) -> LookAt:
    """The look of the packaged models for that set-up, loaded now; ValueError if a model is missing.

    taught  classes that the user taught (`ui.enrolled`), which the set-up's legend may give a meaning
    """
    eyes = packaged_eyes(setup, frozenset(known.kind for known in taught))
    if not taught:
        return eyes.look
    return Recogniser(eyes.look, taught, eyes.coin_view, _meanings(setup, taught))


def _meanings(setup: Setup | None, taught: tuple[Enrolled, ...]) -> dict[str, str]:
    """The classes of the rule notes that taught names stand for; any other word is left to the game."""
    legend = setup.legend if setup is not None else {}
    return {known.name: legend[known.name] for known in taught if legend.get(known.name) in KNOWN_CLASSES}


def packaged_eyes(setup: Setup | None, also: frozenset[Kind] = frozenset()) -> Eyes:
    """The packaged eyes for that set-up, which also look for other kinds."""
    if setup is None:
        return Eyes.packaged(None, Wanted(_FLAT | also))
    named = setup.game == "omms" and bool(setup.players)
    colours = tuple(player.colour for player in setup.players)
    kinds = _KINDS.get(setup.game, _FLAT) | also
    wanted = (
        Wanted(kinds, _OMMS_CURRENCIES, colours, _OMMS_RARITY, _OMMS_SURE) if named else Wanted(kinds, None, colours)
    )
    return Eyes.packaged(setup.table_size_mm, wanted)

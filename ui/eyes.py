"""The eyes that a set-up asks for: what finds and names pieces in a picture of a measured table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from shapely import MultiLineString

from models.coins import CURRENCIES
from rules.game import FLAT
from rules.games import GAMES
from rules.legend import KNOWN_CLASSES, class_of, is_terrain
from rules.scene import COIN_DIAMETER_MM, Kind
from rules.setup import Setup
from ui.paint.grid import HEX_GAME
from vision.detection import FIGURES
from vision.eyes import Eyes
from vision.look_at import LookAt
from vision.mat.known_print import KnownPrint
from vision.naming.currency import MIXED
from vision.taught.enrol import Enrolled
from vision.taught.recognise import Recogniser
from vision.wanted import Wanted

# A match whose players are named is played with the coins of its game; one in a hundred tables may differ. Where the
# set-up says which currency, one in a thousand has others.
_OMMS_CURRENCIES = MappingProxyType({"gbp": 0.96, "eur": 0.02, "usd": 0.02})
_TOLD, _OTHER, _MIXED = 0.999, 0.0003, 0.0004

# Ships and tanks are options (OMMS-9), and two pounds are no piece at all.
_OMMS_RARITY = MappingProxyType({"gbp-50p": 0.1, "gbp-1": 0.1, "gbp-2": 0.02})

# Where game or set-up tells which coins there are, fewer can be mistaken: a lower probability is as safe.
_TOLD_SURE = 0.9


def eyes_for(
    setup: Setup | None = None, taught: tuple[Enrolled, ...] = (), known_print: KnownPrint | None = None
) -> LookAt:
    """The look of the packaged models for that set-up, loaded now; ValueError if a model is missing.

    taught       classes that the user taught (`ui.setup.enrolled`), which the set-up's legend may give a meaning
    known_print  of the sheet that lies there (`ui.measuring.table.print_of`)
    """
    eyes = packaged_eyes(setup, frozenset(known.kind for known in taught))
    eyes.known_print = known_print
    if not taught:
        return eyes
    return Recogniser(eyes, taught, eyes.coin_view, meanings(setup, taught))


def meanings(setup: Setup | None, taught: tuple[Enrolled, ...]) -> dict[str, str]:
    """The classes of the rule notes that taught names stand for; any other word is left to the game."""
    legend = setup.legend if setup is not None else {}
    return {known.name: legend[known.name] for known in taught if legend.get(known.name) in KNOWN_CLASSES}


def packaged_eyes(setup: Setup | None, also: frozenset[Kind] = frozenset()) -> Eyes:
    """The packaged eyes for that set-up, which also look for other kinds."""
    if setup is None:
        return Eyes.packaged(None, Wanted(FLAT | also))
    wanted = _wanted(setup, _laid_in(setup.game) | also)
    return Eyes.packaged(setup.table_size_mm, replace(wanted, roads_mm=_roads_of(setup)))


def coin_eyes(table_size_mm: tuple[float, float], currency: str | None) -> Eyes:
    """The packaged eyes for coins alone, of that currency where a player told it."""
    coins: frozenset[Kind] = frozenset(("coin",))
    if currency is None:
        return Eyes.packaged(table_size_mm, Wanted(coins))
    return Eyes.packaged(table_size_mm, Wanted(coins, _told(currency), sure=_TOLD_SURE))


def asked_for(kind: Kind, setup: Setup | None) -> frozenset[Kind]:
    """The kinds that a piece taught as a card, a coin or a soldier may be of: a miniature on its base is a soldier."""
    if kind not in FIGURES:
        return frozenset((kind,))
    played = _laid_in(setup.game) if setup is not None else frozenset(FIGURES)
    return played.intersection(FIGURES) or frozenset((kind,))


def lays_coins(game: str) -> bool:
    """Whether coins are pieces of that game."""
    return "coin" in _laid_in(game)


def _laid_in(game: str) -> frozenset[Kind]:
    """The kinds of pieces that are laid on that game's table."""
    return next((each.kinds for each in GAMES if each.name == game), FLAT)


def _wanted(setup: Setup, kinds: frozenset[Kind]) -> Wanted:
    colours = tuple(player.colour for player in setup.players)
    played = setup.game == "omms" and bool(setup.players)
    rarity = _OMMS_RARITY if played else None
    hexes = setup.game == HEX_GAME
    things = frozenset(filter(is_terrain, setup.legend)) if hexes else None
    currency = setup.currency or (_currency_of(setup.legend) if hexes else None)
    if currency is not None:
        return Wanted(kinds, _told(currency), colours, rarity, _TOLD_SURE, hexes, setup.card_mm, things=things)
    if played:
        return Wanted(kinds, _OMMS_CURRENCIES, colours, rarity, _TOLD_SURE, hexes, setup.card_mm)
    return Wanted(kinds, None, colours, hexes=hexes, card_mm=setup.card_mm, things=things)


def _roads_of(setup: Setup) -> MultiLineString | None:
    """The roads of the set-up's map, mm on the table."""
    return MultiLineString([road.line for road in setup.map.roads]) if setup.map is not None else None


def _told(currency: str) -> dict[str, float]:
    """The weight of each currency where one was told."""
    return dict.fromkeys(CURRENCIES, _OTHER) | {currency: _TOLD, MIXED: _MIXED}


def _currency_of(legend: Mapping[str, str]) -> str | None:
    """The currency of the coins to which the legend gives a part, if all are of one."""
    named = {class_of(key).split("-")[0] for key in legend if class_of(key) in COIN_DIAMETER_MM}
    return named.pop() if len(named) == 1 else None

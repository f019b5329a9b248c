"""Coins that were lifted this turn, so that they may be put back, and settlements replaced, a moment later (OMMS-4.1,
5.5, C4.8).

The state's counter `lifted` is {coin's id: {"class": "gbp-2p", "owner": "red", "at_mm": [300.0, 200.0],
"sigma_mm": 0.2}}. A match keeps it from the removal until another coin, or the same, lies there, or the turn passes on,
with what `sieges` told of a settlement as "siege", and of a unit that a siege killed the settlement as "besieged_in".
The counter `unlawful` is [ids] of the coins that were put down this turn against the rules, or so that it is too close
to call: lifted again they are not remembered, or putting down twice what may not lie there would make it legal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rules.games.omms.coins import Coin, coin_of, legend_of
from rules.games.omms.losses import names
from rules.games.omms.siege_clock import SIEGES, clock, inherited, sparing
from rules.games.omms.told import number, table
from rules.geometry.discs import disc
from rules.scene import COIN_DIAMETER_MM, Piece
from rules.state import State
from rules.turn import RETURNS, keeps_turns

if TYPE_CHECKING:
    from rules.games.omms.table import Table
    from rules.scene import Point2, Scene
    from rules.setup import Setup

LIFTED, UNLAWFUL = "lifted", "unlawful"
# The rule by which a coin is put back.
PUT_BACK = "C4.8"
# What is kept of how a coin looked and lay.
LOOKS = ("class", "owner", "at_mm", "sigma_mm")
_SIEGE = "siege"
# The settlement in whose siege a unit was lost, as `judge` says and the counter keeps it.
BESIEGED_IN = "besieged_in"


def remembered(piece: Piece) -> dict[str, Any]:
    """What is kept of a coin that was lifted."""
    at_mm = [float(value) for value in piece.position_mm]
    return {"class": piece.cls, "owner": piece.owner, "at_mm": at_mm, "sigma_mm": float(piece.sigma_mm)}


def recalled(was: Table, coin: Coin) -> Table:
    """The table on which the settlement still lies that was lifted where a new coin was put; the same without one."""
    legend = legend_of(was.setup)
    old = next((piece for piece in _lifted_under(was, coin) if coin_of(piece, legend).is_base), None)
    if old is None or old.id in was.scene:
        return was
    return replace(was, scene=replace(was.scene, pieces=(*was.scene.pieces, old)))


def put_back(was: Table, coin: Coin) -> str | None:
    """The id of the coin of the same kind and owner that was lifted from where `coin` is put; None if none was."""
    legend, looks = legend_of(was.setup), (coin.role, coin.owner)
    alike = (piece.id for piece in _lifted_under(was, coin) if (coin_of(piece, legend).role, piece.owner) == looks)
    return next(alike, None)


def lifted_events(state: State, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The counter after a coin came or went: one is lifted, or its place is taken."""
    if LIFTED in fields and fields["piece"] in unlawful(state):
        return {}
    known = table(state.counters.get(LIFTED, {}), f"the state's {LIFTED}")
    filled = (fields["piece"], fields.get("replaces"), fields.get(RETURNS))
    kept = {name: told for name, told in known.items() if name not in filled}
    if LIFTED in fields:
        told = {_SIEGE: clock(state, fields["piece"]), BESIEGED_IN: fields.get(BESIEGED_IN)}
        kept[fields["piece"]] = {**fields[LIFTED], **{key: value for key, value in told.items() if value is not None}}
    return {LIFTED: kept or None}


def unlawful_events(state: State, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The counter after a coin was put down: by the rules, against them, or too close to call."""
    known = [name for name in unlawful(state) if name != fields["piece"]]
    if fields.get("verdict") != "yes" and keeps_turns(state):
        known.append(fields["piece"])
    return {UNLAWFUL: known or None}


def settled_events(state: State, *stay: Any) -> dict[str, Any]:
    """The counter of unlawful coins once those in `stay` may stay: what lay under one is gone, or they fight."""
    return {UNLAWFUL: [name for name in unlawful(state) if name not in stay] or None}


def unlawful(state: State) -> list[str]:
    """The coins that were put down this turn against the rules, or too close to call."""
    return names(state.counters.get(UNLAWFUL) or (), f"the state's {UNLAWFUL}")


def spared_events(state: State, setup: Setup, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The counter after a unit was put down: the siege that was said to have killed it has killed nobody."""
    lifted = table(state.counters.get(LIFTED, {}), f"the state's {LIFTED}").get(fields.get(RETURNS, fields["piece"]))
    settlement = lifted.get(BESIEGED_IN) if lifted else None
    return {} if settlement is None else {SIEGES: sparing(state, setup, settlement)}


def heir_events(state: State, scene: Scene, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The counters after a coin was put down: the siege of what its owner replaces, or puts back, goes on."""
    old = fields.get("replaces", fields["piece"])
    lifted = table(state.counters.get(LIFTED, {}), f"the state's {LIFTED}").get(old)
    owner = lifted["owner"] if lifted else scene[old].owner if old in scene else None
    siege = lifted.get(_SIEGE) if lifted else clock(state, old)
    return {} if siege is None or owner != fields.get("owner") else inherited(state, fields["piece"], old, siege)


def check_lifted(value: Any, what: str) -> None:
    """ValueError for what is no coin that was lifted."""
    piece_of("", value, what)


def _lifted_under(was: Table, coin: Coin) -> Iterator[Piece]:
    """What was lifted where a coin lies now."""
    what = f"the state's {LIFTED}"
    known = table(was.state.counters.get(LIFTED, {}), what)
    lifted = (piece_of(name, told, f"{what} of {name}") for name, told in known.items() if told is not None)
    legend = legend_of(was.setup)
    return (piece for piece in lifted if coin_of(piece, legend).is_within(piece.radius_mm, coin))


def piece_of(name: str, value: Any, what: str) -> Piece:
    """The coin of which `remembered` tells; ValueError names what was told wrong."""
    told = table(value, what)
    cls, owner = told.get("class"), told.get("owner")
    if not isinstance(cls, str) or cls not in COIN_DIAMETER_MM or not isinstance(owner, str):
        raise ValueError(f"{what}: the class of a coin and its owner are wanted, not {cls!r} and {owner!r}")
    at_mm = _place_mm(told.get("at_mm"), f"{what}, at_mm")
    sigma_mm = number(told.get("sigma_mm", 0.0), f"{what}, sigma_mm")
    return Piece(name, "coin", cls, at_mm, disc(at_mm, COIN_DIAMETER_MM[cls] / 2), owner, sigma_mm=sigma_mm)


def _place_mm(value: Any, what: str) -> Point2:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ValueError(f"{what}: [x, y] in mm is wanted, not {value!r}")
    return number(value[0], what), number(value[1], what)

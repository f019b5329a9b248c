"""Settlements in whose place another coin was put this turn, so that they may be put back (OMMS-4.1, 5.5, C4.8).

The state's counter `supplanted` is {settlement's id: {"class": "gbp-2p", "owner": "blue", "at_mm": [340.0, 200.0],
"sigma_mm": 0.2, "by": the coin that took its place, "by_owner": whose that is, "base_of": whose base it was, if it was
one}}. A match keeps it until the settlement is back, or the turn passes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rules.games.omms.bases import base_given_back, whose_base
from rules.games.omms.coins import Coin, coin_of, legend_of
from rules.games.omms.lifted import LIFTED, LOOKS, PUT_BACK, piece_of, remembered
from rules.games.omms.siege_clock import RELIEVED, clock
from rules.games.omms.told import table
from rules.turn import RETURNS

if TYPE_CHECKING:
    from rules.games.omms.table import Table
    from rules.setup import Setup
    from rules.state import State

SUPPLANTED = "supplanted"


def supplanted(state: State) -> Mapping[str, Mapping[str, Any]]:
    """What is kept of each settlement."""
    what = f"the state's {SUPPLANTED}"
    told = table(state.counters.get(SUPPLANTED, {}), what)
    return {name: table(kept, f"{what} of {name}") for name, kept in told.items() if kept is not None}


def check_supplanted(value: Any, what: str) -> None:
    """ValueError for what is no settlement that another coin replaced."""
    piece_of("", value, what)
    for key in ("by", "by_owner", "base_of"):
        told = value.get(key, "" if key == "base_of" else None)
        if not isinstance(told, str):
            raise ValueError(f"{what}, {key}: a name is wanted, not {told!r}")


def reinstated(was: Table, now: Table, coin: Coin) -> str | None:
    """The name of the settlement that a new coin is: of its owner and kind, and in its place; None if it is none."""
    legend, what = legend_of(was.setup), f"the state's {SUPPLANTED}"
    gone = {name: told for name, told in supplanted(was.state).items() if told.get("by") not in now.coins}
    lay = (coin_of(piece_of(name, told, f"{what} of {name}"), legend) for name, told in gone.items())
    alike = (old for old in lay if (old.role, old.owner) == (coin.role, coin.owner))
    return next((old.id for old in alike if old.is_within(old.radius_mm, coin)), None)


def half_reinstated(was: Table, now: Table, coin: Coin) -> Coin | None:
    """The coin that still lies in the place of the settlement that a new coin is."""
    there = (now.coins[told["by"]] for told in supplanted(was.state).values() if told.get("by") in now.coins)
    return next((by for by in there if reinstated(was, now.without(by.id), coin) is not None), None)


def supplanted_by(state: State, coin: str) -> str | None:
    """The settlement whose place a coin took this turn."""
    return next((name for name, told in supplanted(state).items() if told.get("by") == coin), None)


def supplanting_events(state: State, fields: Mapping[str, Any], old: str, new: str, owner: str) -> dict[str, Any]:
    """The counter after an owner's coin took the place of a settlement; nothing where nobody told how that lay."""
    former = fields.get("former")
    lifted = table(state.counters.get(LIFTED, {}), f"the state's {LIFTED}").get(old)
    lay = lifted or (remembered(former[old]) if former is not None and old in former else None)
    is_the_same = lay is not None and (lay["class"], lay["owner"]) == (fields.get("class"), owner)  # by another name
    if lay is None or (is_the_same and fields.get("rule") == PUT_BACK):
        return {}
    told = {"by": new, "by_owner": owner, "base_of": whose_base(state, old)}
    looks = {key: lay[key] for key in LOOKS if key in lay}  # a typed one need not tell its error
    kept = {**looks, **{key: value for key, value in told.items() if value is not None}}
    return {SUPPLANTED: {**supplanted(state), old: kept}}


def reinstating_events(state: State, setup: Setup, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The counters after a settlement was put back: whose base it is, how many were taken and how long it is besieged
    are as before."""
    piece, left = fields["piece"], dict(supplanted(state))
    name = fields.get(RETURNS, piece)
    told = left.pop(name)
    is_taken, by = told["by_owner"] != told["owner"], told["by"]
    taker = told["by_owner"] if is_taken else None
    bases = base_given_back(state, setup, piece, told["base_of"], taker) if "base_of" in told else {}
    ended = table(state.counters.get(RELIEVED, {}), f"the state's {RELIEVED}")
    siege = ended.get(name) if is_taken else clock(state, by) or ended.get(by)
    besieged = {} if siege is None else {RELIEVED: {**ended, piece: siege}}
    lifted = table(state.counters.get(LIFTED, {}), f"the state's {LIFTED}")
    kept = {id_: lay for id_, lay in lifted.items() if id_ not in (piece, name, by)}
    return {**bases, **besieged, LIFTED: kept or None, SUPPLANTED: left or None}

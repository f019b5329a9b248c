"""The players' bases: which settlement is whose, and how many were taken (OMMS-5.5, 6.3, note 8).

The state's counter `bases` is {player: settlement's id}, by name or by colour. A match keeps it: the one two-pence that
a player has when it begins, or his first one, is his base, it stays his when it is fortified, and who takes it has one
more in `bases_taken`. It is null for who lost his.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rules.games.omms.coins import FORTIFICATION, coin_of, legend_of
from rules.games.omms.told import player_name
from rules.games.omms.told import table as told_table
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State

if TYPE_CHECKING:
    from rules.games.omms.table import Table

BASES, TAKEN = "bases", "bases_taken"


def base_of(table: Table, owner: str) -> str | None:
    """The id of a player's base, while it lies on the table and is his; None if he has to name one, or nobody told."""
    named = table.counter(BASES, owner)
    if named is None:
        return None
    if not isinstance(named, str):
        raise ValueError(f"the state's {BASES}.{owner}: the id of a settlement is wanted, not {named!r}")
    coins = table.coins
    return named if named in coins and coins[named].is_base and coins[named].is_friend(owner) else None


def has_lost_base(table: Table, owner: str) -> bool:
    """Whether a player's base was taken and he named no other: no first one of his is to come."""
    return table.tells(BASES, owner) and table.counter(BASES, owner) is None


def first_bases(state: State, scene: Scene, setup: Setup) -> dict[str, Any]:
    """The counter of a match that begins: a player's only two-pence is his base, unless the state tells the bases."""
    legend = legend_of(setup)
    coins = [coin_of(piece, legend) for piece in scene.of_kind("coin")]
    forts = [coin for coin in coins if coin.role == FORTIFICATION and coin.is_known and not coin.is_neutral]
    count = Counter(coin.owner for coin in forts)
    found = {player_name(setup, coin.owner): coin.id for coin in forts if count[coin.owner] == 1}
    return {BASES: found} if found and BASES not in state.counters else {}


def base_events(state: State, setup: Setup, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The counters that a new settlement changes: whose base it is, or whose it has taken."""
    known = dict(told_table(state.counters.get(BASES, {}), f"the state's {BASES}"))
    owner, piece, old = player_name(setup, str(fields.get("owner"))), fields["piece"], fields.get("replaces")
    loser = None if old is None else whose_base(state, old)
    if loser is not None and player_name(setup, loser) == owner:
        return {BASES: {**known, loser: piece}}
    if loser is not None:
        taken = dict(told_table(state.counters.get(TAKEN, {}), f"the state's {TAKEN}"))
        taker = _among(taken, setup, owner)
        return {BASES: {**known, loser: None}, TAKEN: {**taken, taker: (taken.get(taker) or 0) + 1}}
    is_first = fields.get("rule") == "OMMS-6.3" and legend_of(setup).get(str(fields.get("class"))) == FORTIFICATION
    return {BASES: {**known, owner: piece}} if is_first else {}


def whose_base(state: State, settlement: str) -> str | None:
    """The player, as the counter names him, whose base a settlement is."""
    known = told_table(state.counters.get(BASES, {}), f"the state's {BASES}")
    return next((player for player, base in known.items() if base == settlement), None)


def base_given_back(state: State, setup: Setup, base: str, player: str, taker: str | None) -> dict[str, Any]:
    """The counters when a base is put back whose place another coin took: that of a taker, if it has one."""
    known = {**told_table(state.counters.get(BASES, {}), f"the state's {BASES}"), player: base}
    if taker is None:
        return {BASES: known}
    taken = dict(told_table(state.counters.get(TAKEN, {}), f"the state's {TAKEN}"))
    name = _among(taken, setup, player_name(setup, taker))
    left = max((taken.pop(name, None) or 0) - 1, 0)
    return {BASES: known, TAKEN: {**taken, **({name: left} if left else {})} or None}


def _among(taken: Mapping[str, Any], setup: Setup, player: str) -> str:
    """As the counter names a player: by name, or by colour."""
    return next((told for told in taken if player_name(setup, told) == player), player)


def succession_events(state: State, scene: Scene, setup: Setup, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The counters that change when a settlement goes on which its successor lay already."""
    new = fields.get("replaced_by")
    if new is None or new not in scene or fields.get("verdict") == "no":
        return {}
    told = {"piece": new, "owner": scene[new].owner, "replaces": fields["piece"]}
    return base_events(state, setup, told)

"""The counters of a state as people write them, checked before the first ruling: a ruling asks only those it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from rules.games.omms.lifted import check_lifted
from rules.games.omms.losses import names
from rules.games.omms.supplanted import check_supplanted
from rules.games.omms.told import cards, count, face, table
from rules.setup import Setup
from rules.state import State

# Kept for each player, by name or colour: {player: ...}; of who has won only the name.
BY_PLAYER = ("food", "hands", "extra_dice", "played", "bases", "bases_taken", "won")


def check_counters(state: State, setup: Setup) -> None:
    """ValueError names the counter that cannot be meant."""
    for name, check in _CHECKS.items():
        if state.counters.get(name) is not None:
            check(state.counters[name], f"the state's {name}")
    _check_turns(state.counters.get("sieges") or {}, setup)


def _check_turns(sieges: Mapping[str, Any], setup: Setup) -> None:
    """ValueError for a siege that began in the turn of somebody who does not play."""
    players = [name for player in setup.players for name in (player.name, player.colour)]
    for place, told in sieges.items():
        active = told.get("active") if isinstance(told, Mapping) else None
        if players and active not in (None, *players):
            there = ", ".join(player.name for player in setup.players)
            raise ValueError(f"the state's sieges of {place}, active: there is no player {active!r}; there are {there}")


def _each(check: Callable[[Any, str], object]) -> Callable[[Any, str], None]:
    """The check of a table whose every value `check` checks; null says nothing."""

    def checks(value: Any, what: str) -> None:
        """A table of them."""
        for key, told in table(value, what).items():
            if told is not None:
                check(told, f"{what} of {key}")

    return checks


def _name(value: Any, what: str) -> None:
    if not isinstance(value, str):
        raise ValueError(f"{what}: the id of a piece is wanted, not {value!r}")


def _player(value: Any, what: str) -> None:
    if not isinstance(value, str):
        raise ValueError(f"{what}: the name of a player is wanted, not {value!r}")


def _siege(value: Any, what: str) -> None:
    told = value if isinstance(value, Mapping) else {"turn": value}
    count(told.get("turn"), f"{what}, turn")
    if told.get("killed") is not None:
        count(told["killed"], f"{what}, killed")
    if not isinstance(told.get("active"), str | None):
        raise ValueError(f"{what}, active: the name of a player is wanted, not {told['active']!r}")


def _siege_dice(value: Any, what: str) -> None:
    thrown = table(value, what)
    for side in ("attacker", "owner"):
        face(thrown.get(side), f"{what}, {side}")


def _attack(value: Any, what: str) -> None:
    declared = table(value, what)
    for role in ("piece", "other"):
        _name(declared.get(role), f"{what}, {role}")
    if declared["piece"] == declared["other"]:
        raise ValueError(f"{what}: {declared['piece']!r} cannot attack itself; name the enemy as other")
    for dice in ("attack_dice", "defence_dice"):
        thrown = declared.get(dice)
        if not isinstance(thrown, list | None):
            raise ValueError(f"{what}, {dice}: a list of faces is wanted, not {thrown!r}")
        for shown in thrown or ():
            face(shown, f"{what}, {dice}")


def _attacks(value: Any, what: str) -> None:
    if not isinstance(value, list):
        raise ValueError(f"{what}: a list of attacks is wanted, not {value!r}")
    for declared in value:
        _attack(declared, what)


_CHECKS: Mapping[str, Callable[[Any, str], object]] = MappingProxyType(
    {
        "food": _each(count),
        "hands": _each(cards),
        "extra_dice": _each(count),
        "played": _each(cards),
        "bases": _each(_name),
        "bases_taken": _each(count),
        "sieges": _each(_siege),
        "relieved": _each(_siege),
        "siege_dice": _each(_siege_dice),
        "attack": _attack,
        "earlier_attacks": _attacks,
        "lifted": _each(check_lifted),
        "unlawful": names,
        "supplanted": _each(check_supplanted),
        "losses": _each(names),
        "emptied": _each(names),
        "loads": _each(_name),
        "won": _player,
    }
)

"""Whose turn it is: a player's own, or in a MOBA that of all who sit on one side (rulebook 3.4)."""

from __future__ import annotations

from dataclasses import replace

from rules.games.osmcg.tables import mode_of
from rules.setup import Player, Setup


def bloc(active: str | None, setup: Setup) -> tuple[Player, ...]:
    """The players who have their turn together, the active one first; nobody if he is none of the players."""
    player = setup.player_named(active) if active is not None else None
    if player is None:
        return ()
    mates = (one for one in setup.players if one.side == player.side and one.name != player.name)
    return (player, *mates) if mode_of(setup).nexus_hp else (player,)


def leading_colours(setup: Setup) -> dict[str, str]:
    """By colour, that of the first player who shares the turn: allies are one side."""
    leaders = with_leaders(setup).players
    return {mate.colour: leader.colour for leader in leaders for mate in bloc(leader.name, setup)}


def leader_of(active: str | None, setup: Setup) -> str | None:
    """The first player of the bloc that has its turn, whoever of it is named; the name itself if he is no player."""
    names = {one.name for one in bloc(active, setup)}
    return next((player.name for player in setup.players if player.name in names), active)


def with_leaders(setup: Setup) -> Setup:
    """The set-up in which each bloc is its first player: as turns are counted."""
    leaders = [player for player in setup.players if _leads(player, setup)]
    return replace(setup, players=tuple(leaders))


def _leads(player: Player, setup: Setup) -> bool:
    """Whether he comes first in the set-up of all who share his turn."""
    return leader_of(player.name, setup) == player.name

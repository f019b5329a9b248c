"""Whose the things beside the map are: matchsticks, cards and dice lie on their player's side of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.games.omms.table import Table
    from rules.scene import Kind, Piece
    from rules.setup import Player


def things_of(table: Table, owner: str, kind: Kind) -> list[Piece]:
    """The things of a kind that are a player's, by his colour."""
    return [thing for thing in table.scene.of_kind(kind) if whose(table, thing) == owner]


def whose(table: Table, thing: Piece) -> str | None:
    """The colour of a thing's owner: that of its own mark, or else of the player whose side it lies nearest to."""
    players = table.setup.players
    if thing.owner in table.colours or not players:
        return thing.owner
    return min(players, key=lambda player: _from_side_mm(table, thing, player)).colour


def _from_side_mm(table: Table, thing: Piece, player: Player) -> float:
    width, depth = table.scene.table_size_mm
    x, y = thing.position_mm
    return {"near": y, "far": depth - y, "left": x, "right": width - x}[player.side]

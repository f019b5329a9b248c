"""Pieces with the owners that people are shown: by colour, or by place where the rules tell owners so."""

from __future__ import annotations

from dataclasses import replace

from rules.match import Match
from rules.scene import NONE, UNKNOWN, Scene


def owned_scene(match: Match) -> Scene:
    """The match's scene, in which pieces that no colour tells are whose the game's rules say (`Game.owners`)."""
    if match.game.owners is None:
        return match.scene
    told = match.game.owners(match.scene, match.setup, match.state)
    pieces = tuple(
        replace(piece, owner=told[piece.id]) if piece.owner in (NONE, UNKNOWN) and piece.id in told else piece
        for piece in match.scene
    )
    return replace(match.scene, pieces=pieces)

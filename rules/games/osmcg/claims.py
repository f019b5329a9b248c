"""Whose the miniatures are when a match begins: those in a player's strip are his (OSMCG-1.1); paint tells no side."""

from __future__ import annotations

from collections.abc import Mapping

from rules.games.osmcg.deploy import SIDES, strip
from rules.games.osmcg.field import FIGURES, Field
from rules.scene import UNKNOWN, Scene
from rules.setup import Setup
from rules.state import State


def claims(scene: Scene, setup: Setup, state: State) -> Mapping[str, str]:
    """By id the colour of the player in whose strip alone a figure of unknown owner stands, in the first turn."""
    if state.turn > 1:
        return {}
    field = Field(scene, setup, state)
    strips = {player.colour: strip(player, field) for player in setup.players if player.side in SIDES}
    nobodys = [one for one in scene.of_kind(*FIGURES) if one.owner == UNKNOWN and "team" not in state.of(one.id)]
    inside = {one.id: [colour for colour, ground in strips.items() if ground.covers(one.point)] for one in nobodys}
    return {piece_id: colours[0] for piece_id, colours in inside.items() if len(colours) == 1}

"""Whose a miniature is: its team's, where state or roster tell one, else that of the owner's colour."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rules.games.osmcg.blocs import bloc
from rules.games.osmcg.roster import roster_of, told_of
from rules.scene import Scene
from rules.setup import Player, Setup
from rules.state import State


def player_of(owner: str | None, team: str | None, setup: Setup) -> Player | None:
    """The player of that name or colour as team, else of the owner's colour: a team may be called otherwise, and in a
    MOBA a colour tells the side, not which of the allies."""
    own = setup.player_of_colour(owner) if owner is not None else None
    if team is None:
        return own
    sided = setup.player_of_colour(team)
    return setup.player_named(team) or (own if sided is None or own in bloc(sided.name, setup) else sided)


def whose(piece_id: str, scene: Scene, setup: Setup, state: State) -> Player | None:
    """The player whose miniature that is in a match."""
    team = told_of(piece_id, scene, state, roster_of(setup)).get("team")
    owner = scene[piece_id].owner if piece_id in scene else None
    return player_of(owner, None if team is None else str(team), setup)


def of_team(team: str, ids: Iterable[str], scene: Scene, setup: Setup, state: State) -> tuple[str, ...]:
    """Those of the ids that are on the table and of the team of that name, as state or roster tell it."""
    cards = roster_of(setup)
    return tuple(id_ for id_ in ids if id_ in scene and told_of(id_, scene, state, cards).get("team") == team)


def owned_by(
    players: Collection[Player], ids: Iterable[str], scene: Scene, setup: Setup, state: State
) -> tuple[str, ...]:
    """Those of the ids that are miniatures of these players on the table; all of them when there are no players."""
    if not players:
        return tuple(ids)
    return tuple(id_ for id_ in ids if id_ in scene and whose(id_, scene, setup, state) in players)

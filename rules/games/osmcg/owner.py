"""Whose a miniature is: its team's, where state or roster tell one, else that of the owner's colour."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

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
    owner = scene[piece_id].owner if piece_id in scene else _lifted(piece_id, state).get("owner")
    return player_of(owner, None if team is None else str(team), setup)


def of_team(team: str, ids: Iterable[str], scene: Scene, setup: Setup, state: State) -> tuple[str, ...]:
    """The ids, of those given, of pieces in play that belong to that team, as state or roster tell it."""
    cards, there = roster_of(setup), (id_ for id_ in ids if _is_in_play(id_, scene, state))
    return tuple(id_ for id_ in there if told_of(id_, scene, state, cards).get("team") == team)


def owned_by(
    players: Collection[Player], ids: Iterable[str], scene: Scene, setup: Setup, state: State
) -> tuple[str, ...]:
    """Those of the ids that are miniatures of these players in play; all of them when there are no players."""
    if not players:
        return tuple(ids)
    there = (id_ for id_ in ids if _is_in_play(id_, scene, state))
    return tuple(id_ for id_ in there if whose(id_, scene, setup, state) in players)


def _is_in_play(piece_id: str, scene: Scene, state: State) -> bool:
    """Whether a miniature is on the table, or was only lifted off it."""
    return piece_id in scene or bool(_lifted(piece_id, state))


def _lifted(piece_id: str, state: State) -> Mapping[str, Any]:
    told = state.of(piece_id).get("lifted")
    return told if isinstance(told, Mapping) else {}

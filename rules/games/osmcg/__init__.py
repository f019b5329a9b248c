"""OSMCG: miniatures, free measurement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules import turn
from rules.game import Game
from rules.games.osmcg import assault, rest
from rules.games.osmcg.blocs import bloc, leader_of, with_leaders
from rules.games.osmcg.books import check_books
from rules.games.osmcg.claims import claims
from rules.games.osmcg.deeds import DEEDS
from rules.games.osmcg.field import Field
from rules.games.osmcg.judge import judge
from rules.games.osmcg.options import check
from rules.games.osmcg.phases import PHASES
from rules.games.osmcg.roster import check_cards, check_names
from rules.games.osmcg.rulings import rulings
from rules.games.osmcg.standing import check_zones
from rules.games.osmcg.survival import is_out
from rules.games.osmcg.tables import MEASURES, MODES, tables
from rules.games.osmcg.turns import advance
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State


def _check_state(state: State, setup: Setup) -> None:
    """ValueError for a card that the roster lacks, and for a book that is nobody's."""
    check_names(state, setup)
    check_books(state, setup)


def _check_table(scene: Scene, setup: Setup, state: State) -> None:
    """ValueError for a card that the roster lacks, and for a zone whose source does not stand on the table."""
    check_cards(scene, setup, state)
    check_zones(Field(scene, setup, state))


def _refusal(scene: Scene, setup: Setup, state: State, kind: str, fields: Mapping[str, Any]) -> tuple[str, str] | None:
    """What forbids a rest, or an attack on a structure; None for other events."""
    refused = {"rest": rest.refusal, "attack": assault.refusal}.get(kind)
    return None if refused is None else refused(scene, setup, state, fields)


def _next_phase(setup: Setup, state: State) -> dict[str, Any]:
    """Players follow one another through all phases; those of a MOBA who sit on one side take one turn together."""
    leader = leader_of(state.active, setup)
    return turn.next_phase(replace(GAME, next_phase=None), with_leaders(setup), replace(state, active=leader))


def _is_out(scene: Scene, setup: Setup, state: State, player: str) -> bool:
    """Whether a player has lost his Hero in a free-for-all."""
    named = setup.player_named(player)
    return named is not None and is_out(named, Field(scene, setup, state))


GAME = Game(
    "osmcg",
    "OSMCG: miniatures, free measurement",
    PHASES,
    rulings,
    judge,
    house={"mode": MODES, "ranged_measure": MEASURES, "deploy_radius_mm": tables().distance.new_base_mm, "roster": {}},
    legend=tables().legend,
    advance=advance,
    deeds=DEEDS,
    refusal=_refusal,
    together=bloc,
    next_phase=_next_phase,
    is_out=_is_out,
    check=check,
    check_state=_check_state,
    check_table=_check_table,
    by_player=("players",),
    claims=claims,
    kinds=frozenset(("base", "terrain", "die")),
)

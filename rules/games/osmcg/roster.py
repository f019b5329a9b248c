"""The roster: cards by name, as the set-up has them in `[rules.roster]`; what the state says of a miniature wins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.files.tables import KeyFault
from rules.games.osmcg.card import Card, card_of
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State

Lines = Mapping[str, Mapping[str, Any]]
# What a card may say besides that only the players ask for.
_TOLD_TO_PLAYERS = frozenset(("name", "type", "cost", "text"))


def roster_of(setup: Setup) -> Lines:
    """The cards by lower-case name; `KeyFault` names the key at fault."""
    told = setup.house.get("roster", {})
    if not isinstance(told, Mapping):
        raise KeyFault(("rules", "roster"), "write each card as [rules.roster.NAME]")
    for name, line in told.items():
        if not isinstance(line, Mapping):
            raise KeyFault(("rules", "roster", name), f"write the card as [rules.roster.{name}]")
        _refuse_unknown(name, line)
        card_of(name, line, ("rules", "roster", name))
    return {str(name).lower(): line for name, line in told.items()}


def _refuse_unknown(name: str, line: Mapping[str, Any]) -> None:
    """`KeyFault` for a key that no card has: most often a misspelling."""
    known = {info.alias or key for key, info in Card.model_fields.items()} | _TOLD_TO_PLAYERS
    for key in line:
        if key not in known:
            raise KeyFault(("rules", "roster", name, key), f"no card has this; it may have {', '.join(sorted(known))}")


def check_names(state: State, setup: Setup) -> None:
    """ValueError for a card that the roster lacks. Without a roster a miniature's name is no more than that."""
    for piece_id, known in state.pieces.items():
        _check_card(known.get("roster"), setup, f"state: pieces.{piece_id}.roster")


def check_cards(scene: Scene, setup: Setup, state: State) -> None:
    """ValueError for a miniature of the scene whose card the roster lacks, unless the state names another."""
    for piece in scene:
        if not state.of(piece.id).get("roster"):
            _check_card(piece.roster, setup, f"the scene's {piece.id}: roster")


def _check_card(name: str | None, setup: Setup, where: str) -> None:
    cards = roster_of(setup)
    if name and cards and name.lower() not in cards:
        raise ValueError(f"{where}: no card is called {name!r}; there are {', '.join(setup.house['roster'])}")


def told_of(piece_id: str, scene: Scene, state: State, roster: Lines) -> Mapping[str, Any]:
    """What is known of a miniature: its line of the roster, named by state or scene, and what the state says."""
    return known_of(piece_id, scene[piece_id].roster if piece_id in scene else None, state, roster)


def known_of(piece_id: str, printed: str | None, state: State, roster: Lines) -> Mapping[str, Any]:
    """The same, of a miniature that the scene gives the card `printed`."""
    known = state.of(piece_id)
    if not roster:
        return known
    line = roster.get(str(known.get("roster") or printed or "").lower(), {})
    return {**line, **{key: value for key, value in known.items() if value is not None}}


def card_in(piece_id: str, scene: Scene, setup: Setup, state: State) -> Card:
    """The card of a miniature in a match."""
    return card_of(piece_id, told_of(piece_id, scene, state, roster_of(setup)))

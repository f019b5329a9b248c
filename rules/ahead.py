"""Rulings of the phases to come, worked out while nothing happens, so that no phase begins with all of them at once."""

from __future__ import annotations

from collections.abc import Iterator

from rules import turn
from rules.match import Match
from rules.state import State


def ahead(match: Match) -> Iterator[None]:
    """Rule on piece after piece for phase after phase, until the present one comes again; a little in each step.

    Nothing is told: the game keeps what it ruled on each piece, and finds it when the phase begins.
    """
    if match.game.keeps_by_piece and match.state.phase is not None:
        for state in _coming(match):
            for piece in match.scene:
                if piece.kind != "terrain":
                    match.game.rulings(match.scene, match.setup, state, piece.id)
                    yield


def _coming(match: Match) -> Iterator[State]:
    """The state in each phase to come, if nothing but phases happened."""
    advance, state = match.game.advance or turn.advance, match.state
    for _ in match.game.phases[1:]:
        fields = turn.coming_phase(match.game, match.scene, match.setup, state)
        state = advance(state, match.scene, match.setup, "phase", fields)
        yield state

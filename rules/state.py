"""What the camera cannot see: turn, phase, whose move, and what the roster says of each piece.

The file form is `sandtable/state/1`; see `rules/files/state_file.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class State:
    """The unseen part of a match at one moment.

    active    name of the player whose turn it is; None lets every piece move (C4.9)
    phase     None gives all rulings, each with the phase that it belongs to (C4.9)
    pieces    by id: roster name, keywords, `moved`, statuses and the like
    grid      a hex or card grid that was set by hand
    counters  the game's own: food, hands, mana, siege starts ...
    """

    turn: int = 1
    phase: str | None = None
    active: str | None = None
    pieces: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: _EMPTY)
    grid: Mapping[str, Any] | None = None
    counters: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)

    def of(self, piece_id: str) -> Mapping[str, Any]:
        """What is known of one piece by its id; empty where nothing is."""
        return self.pieces.get(piece_id, _EMPTY)


def spelt_phase(phase: str) -> str:
    """A phase as the games name theirs, however a person spells it: "Main 1" is main-1."""
    return re.sub(r"[\s_-]+", "-", phase.strip().lower())

"""From piece to piece by a key, for who has no mouse: one that lies under another is reached so, too."""

from __future__ import annotations

from rules.match import Match
from rules.scene import Kind, Piece
from rules.setup import Setup
from ui.owned import owned_scene

# What nobody plays but what is played on comes last, the ground of all.
_LAST: tuple[Kind, ...] = ("die", "match", "card", "terrain")


def next_piece(match: Match, piece_id: str | None, step: int) -> str | None:
    """The piece a step after (1) or before (-1) this one, round and round; the first or the last one where there is no
    such piece. None for an empty table."""
    ids = in_order(match)
    if piece_id not in ids:
        return ids[min(step, 0)] if ids else None
    return ids[(ids.index(piece_id) + step) % len(ids)]


def in_order(match: Match) -> list[str]:
    """The ids of all pieces: one player's after another's, first his whose turn it is; each from left to right."""
    owners = _owners(match.setup, match.state.active)

    def place(piece: Piece) -> tuple[int, int, tuple[float, float], str]:
        rank = owners.index(piece.owner) if piece.owner in owners else len(owners)
        return _LAST.index(piece.kind) + 1 if piece.kind in _LAST else 0, rank, piece.position_mm, piece.id

    return [piece.id for piece in sorted(owned_scene(match), key=place)]


def _owners(setup: Setup, active: str | None) -> list[str]:
    """The players' colours, in turn from the one whose turn it is."""
    colours = [player.colour for player in setup.players]
    player = setup.player_called(active)
    first = colours.index(player.colour) if player is not None else 0
    return [*colours[first:], *colours[:first]]

"""Two pictures of one table, each with ids of its own: which piece of the one is which of the other.

What the first shows of a stack is remembered, as a match is that is taken up again (`rules.course.resume`).
"""

from __future__ import annotations

from rules.course.changes import changes
from rules.course.resume import Names
from rules.scene import Piece, Scene


def named_as(before: Scene, after: Scene) -> Scene:
    """The scene after under the names of that before, where either was numbered by itself.

    Coins of a stack that it shows as one doubtful coin lie as before.

    A file in which somebody moved a piece by hand is read by its ids, unless with pieces paired
    (`rules.course.pairing`) less changed.
    """
    if not (before.numbered_anew or after.numbered_anew):
        return after
    names = Names(frozenset(piece.id for piece in before)).covering(after, before)
    paired = names.named(after, before)
    by_ids = _is_edited(before, after) and len(changes(before, after)) <= len(changes(before, paired))
    return after if by_ids else paired


def _is_edited(before: Scene, after: Scene) -> bool:
    """Whether the one was made from the other by hand: no two pictures measure a piece alike to the last digit."""
    return any(piece.id in before and _measured(piece) == _measured(before[piece.id]) for piece in after)


def _measured(piece: Piece) -> tuple[object, ...]:
    """What nobody thinks of who moves a piece in a file."""
    return piece.image_px, piece.sigma_mm, piece.confidence

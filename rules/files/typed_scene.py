"""What a scene file says and no table shows: a chance above 1, a piece on itself. A match's log is not asked, for the
pieces that it names come and go."""

from __future__ import annotations

from rules.scene import Piece, Scene


def check_typed(scene: Scene, where: str) -> None:
    """ValueError names the feature and the key at fault; `where` the file."""
    for index, piece in enumerate(scene):
        place = f"{where}: features.{index}.properties"
        if not 0 <= piece.confidence <= 1:
            raise ValueError(f"{place}.confidence: a number of 0 to 1 is wanted, not {piece.confidence:g}")
        fault = _pile_fault(piece, scene)
        if fault is not None:
            raise ValueError(f"{place}.on: {fault}")


def _pile_fault(piece: Piece, scene: Scene) -> str | None:
    """What is wrong with what the piece lies on; None for nothing."""
    above, lower = [piece.id], piece.on
    while lower is not None and lower in scene:
        if lower in above:
            ring = above[above.index(lower) :]
            wrong = (
                f"{', '.join(ring)} cannot lie on one another in a ring"
                if len(ring) > 1
                else f"{lower!r} lies on itself"
            )
            return f"{wrong}; take one `on` out"
        above.append(lower)
        lower = scene[lower].on
    if piece.on is not None and piece.on not in scene:
        return f"there is no piece {piece.on!r} to lie on; there are {', '.join(other.id for other in scene)}"
    return None

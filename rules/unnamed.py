"""What terrain could be that nobody has named: a rule on sight asks it, for it is never guessed (C5.2)."""

from __future__ import annotations

from rules.scene import UNKNOWN, Piece
from rules.sentences import listed

# Cloth and paper are flatter than this, everything else that lies on a table is higher.
_FLAT_MM = 2.0
_FLAT = ("napkin", "paper")
_HIGH = ("mug", "plate", "book", "box", "pencils")


def could_be(thing: Piece) -> tuple[str, ...]:
    """The household things that terrain of unknown class may be, by its height; () for terrain of known class."""
    if thing.kind != "terrain" or thing.cls != UNKNOWN:
        return ()
    if thing.height_mm is None:
        return _FLAT + _HIGH
    return _FLAT if thing.height_mm <= _FLAT_MM else _HIGH


def untold(*thing_ids: str) -> str:
    """The sentence about those that lie on a line of sight.

    >>> untold("t23")
    'nobody has said what t23 is, which lies across the line'
    >>> untold("t23", "t24", "t25")
    'nobody has said what t23, t24 and t25 are, which lie across the line'
    """
    are, lie = ("is", "lies") if len(thing_ids) == 1 else ("are", "lie")
    return f"nobody has said what {listed(thing_ids)} {are}, which {lie} across the line"

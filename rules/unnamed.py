"""What terrain could be that nobody has named: a rule on sight asks it, for it is never guessed (C5.2)."""

from __future__ import annotations

from rules.scene import UNKNOWN, Piece

# Cloth and paper are flatter than this, everything else that lies on a table is higher.
_FLAT_MM = 2.0
_FLAT = ("napkin", "paper")
_HIGH = ("mug", "plate", "book", "box", "pencils")


def could_be(thing: Piece) -> tuple[str, ...]:
    """The classes of household things that terrain of unknown class may be of, by its height; () for a known one."""
    if thing.kind != "terrain" or thing.cls != UNKNOWN:
        return ()
    if thing.height_mm is None:
        return _FLAT + _HIGH
    return _FLAT if thing.height_mm <= _FLAT_MM else _HIGH


def untold(thing_id: str) -> str:
    """The sentence about one that lies on a line of sight.

    >>> untold("t23")
    'nobody has said what t23 is, which lies across the line'
    """
    return f"nobody has said what {thing_id} is, which lies across the line"

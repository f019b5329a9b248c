"""The size of the cards on a table where nobody told it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import shapely

from rules.scene import Piece
from rules.setup import CARD_SIZE_MM, Setup

# Cards that differ by less are of one format: cut to 0.3 mm, and measured to as much.
_SAME_MM = 3.0


def card_size_wanted(pieces: Iterable[Piece], setup: Setup | None) -> str:
    """A line for a table whose cards are of no usual format, and of another than the set-up tells; "" for any other."""
    outlines = [piece.footprint for piece in pieces if piece.kind == "card" and piece.footprint.area]
    if setup is None or not outlines:
        return ""
    corners_mm = np.array([shapely.get_coordinates(shapely.oriented_envelope(one))[:3] for one in outlines])
    sides_mm = np.hypot(*np.diff(corners_mm, axis=1).transpose(2, 0, 1))
    size_mm = np.median(np.sort(sides_mm, axis=1)[:, ::-1], axis=0)
    if any(np.abs(size_mm - known).max() < _SAME_MM for known in (setup.card_mm, *CARD_SIZE_MM.values())):
        return ""
    length, breadth = np.rint(size_mm).astype(int).tolist()
    cure = f"card = [{length}, {breadth}] under [calibration]"
    return f"the cards are {length} x {breadth} mm large; say so in the set-up: {cure}"

"""The size of the cards on a table where nobody told it, or told another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from rules.footprint import sides_mm
from rules.scene import Piece
from rules.setup import CARD_SIZE_MM, Setup

Array = NDArray[np.float64]

# Cards that differ by less are of one format: cut to 0.3 mm, and measured to as much.
_SAME_MM = 3.0
# A table that is told too large shows cards of a usual shape, both sides by the same share: makes are cut to 0.01 of
# it. Jumbo cards, 127 x 89 mm, differ by 0.027. Nobody tells a table's size that is farther off.
_SAME_SHAPE, _FARTHEST_OFF = 0.02, 1.25


def card_size_wanted(pieces: Iterable[Piece], setup: Setup | None) -> str:
    """A line for a table whose cards are of another size than the set-up tells, or of no usual one where it tells none;
    "" for any other."""
    outlines = [piece.footprint for piece in pieces if piece.kind == "card" and piece.footprint.area]
    if setup is None or not outlines:
        return ""
    size_mm = np.median(sides_mm(outlines), axis=0)
    is_told = setup.card_mm != CARD_SIZE_MM["poker"]
    expected = {"": setup.card_mm} if is_told else CARD_SIZE_MM
    if _name_of(size_mm, expected) is not None:
        return ""
    length, breadth = np.rint(size_mm).astype(int).tolist()
    name = _name_of(size_mm, CARD_SIZE_MM)
    value = f"[{length}, {breadth}]" if name is None else f'"{name}"'
    doubt = _unless_the_table_is(size_mm) if name is None else ""
    told = f", not {setup.card_mm[0]:g} x {setup.card_mm[1]:g}" if is_told else ""
    cure = f"say so in the set-up: card = {value} under [calibration]"
    return f"the cards are {length} x {breadth} mm large{told}; {doubt}{cure}"


def _unless_the_table_is(size_mm: Array) -> str:
    """What cards of a usual shape may be as well, where the table's size is told wrong; "" for those of another."""
    for name, usual_mm in CARD_SIZE_MM.items():
        times = size_mm / usual_mm
        if np.ptp(times) < _SAME_SHAPE and max(*times, *(1 / times)) < _FARTHEST_OFF:
            off = times.mean() - 1
            share = f"{100 * abs(off):.0f} % too {'large' if off > 0 else 'small'}"
            return f"if they are {name} cards, the table is told {share} (`sandtable calibrate check` says more); else "
    return ""


def _name_of(size_mm: Array, sizes_mm: Mapping[str, tuple[float, float]]) -> str | None:
    """Which of those sizes it is."""
    return next((name for name, known in sizes_mm.items() if np.abs(size_mm - known).max() < _SAME_MM), None)

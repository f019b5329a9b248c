"""Whether a way past things hangs on where one of them stands: it does if 3 sigma would open or bar it (C3.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

# A distance that would turn a verdict is told to this share of its 3 sigma.
_SHARE = 1 / 32


def hangs_on(
    bands_mm: Mapping[str, float], comes: bool, comes_if: Callable[[Mapping[str, float]], bool]
) -> dict[str, float]:
    """By the id of each thing that would turn the verdict, by how many mm it would have to stand nearer or farther.

    bands_mm   3 sigma of how near the way passes each thing
    comes      whether the way is open as it was measured
    comes_if   the same where things stand so much nearer to it, for less than 0 farther from it; the others as measured
    """
    sign = 1.0 if comes else -1.0

    def turns(ids: Mapping[str, float]) -> bool:
        return comes_if({name: sign * mm for name, mm in ids.items()}) != comes

    if not bands_mm or not turns(bands_mm):
        return {}
    return {name: _least_mm(name, mm, turns) for name, mm in bands_mm.items() if turns({name: mm})}


def _least_mm(name: str, most_mm: float, turns: Callable[[Mapping[str, float]], bool]) -> float:
    """The least distance that turns it, by halving."""
    low, high = 0.0, most_mm
    while high - low > _SHARE * most_mm:
        middle = (low + high) / 2
        low, high = (low, middle) if turns({name: middle}) else (middle, high)
    return high

"""Whether things on the table whose shape is known contradict the shape that a person told for it.

Through a lens that nobody measured four corners are met whatever their sides are told to be: another focal length shows
them so, and nothing is left in the picture that could tell. Yet a coin is round, and a card so many times as long as
broad, however large they are: on a table that was told too wide both show too wide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.rulers.told_otherwise import ToldOtherwise, sigma_of_median, weighed

Array = NDArray[np.float64]

# Share by which all things of a kind on one table err together, too wide or too deep (coins by their light, and by the
# side that shows below their rims), and share by which each errs for itself (`benchmarks.wrong_sides`).
_ALIKE, _OWN = {"card": 0.005, "coin": 0.011}, {"card": 0.01, "coin": 0.022}
# Few coins may be something else, and are taken for coins.
_FEWEST = {"card": 1, "coin": 4}


class OtherShape(ToldOtherwise):
    """Things of known shape (cards, coins) and the told shape of the table do not agree: `share` (log) by which they
    show wider, along the table's x, than they are for their depth."""

    def sentence(self, size_mm: tuple[float, float], where: str = "on the table") -> str:
        """One line: what contradicts, and by how many mm either side may be told wrong; `size_mm` as told."""
        shows, their = ("shows", "its") if self.count == 1 else ("show", "their")
        seen, too, other = ("wide", "long", "short") if self.share > 0 else ("narrow", "short", "long")
        width, depth = size_mm
        by = f"{100 * abs(np.expm1(self.share)):.1f} % too {seen} for {their} depth"
        width_off_mm = abs(width - width * np.exp(-self.share))
        depth_off_mm = abs(depth - depth * np.exp(self.share))
        likelier = f"the width, told as {width:.0f} mm, is {width_off_mm:.0f} mm too {too}"
        or_else = f"the depth, told as {depth:.0f} mm, {depth_off_mm:.0f} mm too {other}"
        return f"{self.named} {where} {shows} {by}: likelier {likelier}, or {or_else}: measure both sides again"


def card_wider(corners_mm: Array, card_mm: tuple[float, float]) -> float:
    """How much wider along x, for its depth, a card shows than it is: the logarithm of the ratio.

    corners_mm  (4, 2) on the plane, in turn around the card

    A plane that is stretched along x lengthens the side of a card that lies along x; of a card that lies aslant it
    changes the angles.
    """
    sides = np.roll(corners_mm, -1, axis=0) - corners_mm
    pairs = np.array([sides[0] - sides[2], sides[1] - sides[3]]) / 2
    along, across = pairs[np.argsort(-np.hypot(*pairs.T))]
    lengths = np.hypot(*along), np.hypot(*across)
    longer = np.log(lengths[0] / lengths[1]) - np.log(max(card_mm) / min(card_mm))
    # Which way the shorter side runs is no matter.
    across = across * np.sign(along[0] * across[1] - along[1] * across[0])
    turned = float(along @ across) / (lengths[0] * lengths[1])
    twice = 2 * np.arctan2(along[1], along[0])
    return float(longer * np.cos(twice) - turned * np.sin(twice))


def other_shape(wider: Mapping[str, Sequence[float]]) -> OtherShape | None:
    """What all things together say: the median of each kind, weighed by how sure it is; None if there are too few."""
    told = {kind: each for kind, each in wider.items() if len(each) >= _FEWEST[kind]}
    if not told:
        return None
    sigmas = [sigma_of_median(each, _OWN[kind], _ALIKE[kind]) for kind, each in told.items()]
    together = weighed([float(np.median(each)) for each in told.values()], sigmas)
    return OtherShape(*together, {kind: len(each) for kind, each in told.items()})

"""Whether things on the table whose shape is known contradict the shape that a person told for it.

Through a lens that nobody measured four corners are met whatever their sides are told to be: another focal length shows
them so, and nothing is left in the picture that could tell. Yet a coin is round, and a card so many times as long as
broad, however large they are: on a table that was told too wide both show too wide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# By what share all of a kind on one table show too wide or too deep alike, coins by their light and the side that shows
# below their rims, and by what each does besides (`benchmarks.wrong_sides`).
_ALIKE, _OWN = {"card": 0.005, "coin": 0.011}, {"card": 0.01, "coin": 0.022}
# Few coins may be something else, and are taken for coins.
_FEWEST = {"card": 1, "coin": 4}
# Beyond so many sigmas it is said.
_SIGMAS = 3.0


@dataclass(frozen=True)
class OtherShape:
    """Things of known shape (cards, coins) and the told shape of the table do not agree.

    share   (log) by which they show wider, along the table's x, than they are for their depth
    sigma   standard deviation of that
    things  how many said so, by kind
    """

    share: float
    sigma: float
    things: dict[str, int]

    @property
    def is_sure(self) -> bool:
        """Whether that is far beyond what errors of measuring would make by chance."""
        return abs(self.share) > _SIGMAS * self.sigma

    def sentence(self, size_mm: tuple[float, float]) -> str:
        """One line: what contradicts, and by how many mm either side may be told wrong; `size_mm` as told."""
        count = sum(self.things.values())
        named = " and ".join(f"{many} {kind}{'s' * (many > 1)}" for kind, many in self.things.items())
        shows, their = ("shows", "its") if count == 1 else ("show", "their")
        seen, too, other = ("wide", "long", "short") if self.share > 0 else ("narrow", "short", "long")
        width, depth = size_mm
        by = f"{100 * abs(np.expm1(self.share)):.1f} % too {seen} for {their} depth"
        width_off_mm = abs(width - width * np.exp(-self.share))
        depth_off_mm = abs(depth - depth * np.exp(self.share))
        return (
            f"{named} on the table {shows} {by}: likelier the width, told as {width:.0f} mm, is {width_off_mm:.0f} mm "
            f"too {too}, or the depth, told as {depth:.0f} mm, {depth_off_mm:.0f} mm too {other}: measure both sides "
            "again"
        )


def card_wider(corners_mm: Array, card_mm: tuple[float, float]) -> float:
    """By what share (log) a card's corners (4, 2) in turn show it wider along x than it is for its depth.

    What stretches a plane along x makes the longer of two sides longer as far as it lies along x, and turns both to
    each other as far as it lies aslant.
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
    """What things by kind together say, each kind's median, the surer the more; None where they are too few."""
    told = {kind: each for kind, each in wider.items() if len(each) >= _FEWEST[kind]}
    if not told:
        return None
    shares = np.array([np.median(each) for each in told.values()])
    weights = np.array([_sigma(kind, each) for kind, each in told.items()]) ** -2
    things = {kind: len(each) for kind, each in told.items()}
    return OtherShape(float(weights @ shares / weights.sum()), float(weights.sum() ** -0.5), things)


def _sigma(kind: str, wider: Sequence[float]) -> float:
    """Of the median of one kind; no less than what they scatter by."""
    own = max(_OWN[kind], float(np.std(wider)))
    return float(np.hypot(_ALIKE[kind], 1.25 * own / np.sqrt(len(wider))))

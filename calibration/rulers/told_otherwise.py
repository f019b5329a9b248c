"""What cards and coins on the table say together against what a person told of it: by what share, and how surely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

# Beyond so many sigmas it is said. Chance says it once in 370 tables, were the errors normal.
_SIGMAS = 3.0
# The median of normal errors scatters by so much more than their mean.
_OF_MEDIAN = 1.25


@dataclass(frozen=True)
class ToldOtherwise:
    """Things on the table and what was told of it do not agree.

    share   by which the things show otherwise
    sigma   standard deviation of that share
    things  how many said so, by kind
    """

    share: float
    sigma: float
    things: dict[str, int]

    @property
    def is_sure(self) -> bool:
        """Whether that is far beyond what errors of measuring would make by chance."""
        return abs(self.share) > _SIGMAS * self.sigma

    @property
    def count(self) -> int:
        """How many things said so."""
        return sum(self.things.values())

    @property
    def named(self) -> str:
        """The things: `2 cards and 1 coin`."""
        return " and ".join(f"{many} {kind}{'s' * (many > 1)}" for kind, many in self.things.items())


def weighed(shares: Sequence[float], sigmas: Sequence[float]) -> tuple[float, float]:
    """The mean of the kinds' shares, the surer the more, and its sigma."""
    weights = np.array(sigmas) ** -2
    return float(weights @ np.array(shares) / weights.sum()), float(weights.sum() ** -0.5)


def sigma_of_median(shares: Sequence[float], own: float, alike: float) -> float:
    """Standard deviation of the median of shares that things of one kind tell.

    own    standard deviation of each thing for itself; the scatter of `shares` counts instead if it is more
    alike  standard deviation of the error that all of them have in common
    """
    return float(np.hypot(alike, _OF_MEDIAN * max(own, float(np.std(shares))) / np.sqrt(len(shares))))

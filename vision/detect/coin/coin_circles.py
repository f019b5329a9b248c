"""Circles that may be coins, as the nets that propose and measure them and their own edges tell them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.detect.coin.proposals import Proposals
from vision.shape.circle import Rims
from vision.shape.rim import Circles


@dataclass(frozen=True, eq=False)
class CoinCircles:
    """n circles that may be coins, measured at the height of a typical coin, and how much of them is edge."""

    proposals: Proposals
    circles: Circles
    rims: Rims

    def only(self, keep: NDArray[np.bool_]) -> CoinCircles:
        """Some of them, by a mask (n,)."""
        return CoinCircles(self.proposals.only(keep), self.circles.only(keep), self.rims.only(keep))

    def and_more(self, more: CoinCircles) -> CoinCircles:
        """These, and others after them."""
        return CoinCircles(
            self.proposals.and_more(more.proposals), self.circles.and_more(more.circles), self.rims.and_more(more.rims)
        )

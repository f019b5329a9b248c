"""Circles that may be coins, as the nets that propose and measure them and their own edges tell them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.circle import Rims
from vision.detect.proposals import Proposals
from vision.rim import Circles


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
            _joined(self.proposals, more.proposals), _joined(self.circles, more.circles), _joined(self.rims, more.rims)
        )


_Record = TypeVar("_Record", Proposals, Circles, Rims)


def _joined(these: _Record, more: _Record) -> _Record:
    pairs = [(getattr(these, each.name), getattr(more, each.name)) for each in fields(these)]
    return type(these)(*map(np.concatenate, pairs))

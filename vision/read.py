"""What is printed on cards and dice: the readers' nets on patches of the table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.loading import load_model
from models.pieces import PIPS, RANKS, SUITS

Array = NDArray[np.float64]

_NO_INDEX, _JOKER = RANKS.index("none"), RANKS.index("JOKER")


@dataclass(frozen=True, eq=False)
class Indices:
    """n card indices as read: log probabilities of `RANKS` (n, 15) and `SUITS` (n, 4)."""

    rank: Array
    suit: Array

    def cards(self) -> tuple[list[str], Array]:
        """The likeliest card of each index and its log probability; "none" where there is no index."""
        ranks, suits = self.rank.argmax(axis=1), self.suit.argmax(axis=1)
        suited = (ranks != _NO_INDEX) & (ranks != _JOKER)
        names = [
            RANKS[r] + (SUITS[s] if with_suit else "") for r, s, with_suit in zip(ranks, suits, suited, strict=True)
        ]
        return names, self.rank.max(axis=1) + np.where(suited, self.suit.max(axis=1), 0.0)


def read_indices(patches_bgr: NDArray[np.uint8]) -> Indices:
    """What n upright index patches (`models.pieces.INDEX_CROP_PX`) say."""
    rank, suit = _run("card_reader", patches_bgr)
    return Indices(rank, suit)


def read_dice(patches_bgr: NDArray[np.uint8]) -> tuple[list[str], Array]:
    """The pips of n top faces and the chance of each reading; "none" where there is no die."""
    (pips,) = _run("die_reader", patches_bgr)
    return [PIPS[index] for index in pips.argmax(axis=1)], np.exp(pips.max(axis=1))


def _run(name: str, patches_bgr: NDArray[np.uint8]) -> list[Array]:
    session = load_model(name)
    if not len(patches_bgr):
        return [np.zeros((0, output.shape[1])) for output in session.get_outputs()]
    crops = np.ascontiguousarray(patches_bgr.transpose(0, 3, 1, 2), np.float32)
    return [_log_softmax(logits) for logits in session.run(None, {"crops": crops})]


def _log_softmax(logits: NDArray[np.float32]) -> Array:
    shifted = logits.astype(float) - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)), float)

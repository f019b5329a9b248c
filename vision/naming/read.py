"""What is printed on cards and dice: the readers' nets on patches of the table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.loading import load_model
from models.pieces import PIPS, RANKS, SUITS

Array = NDArray[np.float64]

_NO_INDEX, _JOKER = RANKS.index("none"), RANKS.index("JOKER")
# Every class that an index can say, the suits of each rank together, the joker last.
CARDS = (*(rank + suit for rank in RANKS[:_JOKER] for suit in SUITS), "JOKER")
# The same card in the other suit of its colour; of a joker there is none but itself.
OTHER_SUIT = {"S": "C", "C": "S", "H": "D", "D": "H"}
_OTHER_SUIT = np.array([*(CARDS.index(card[:-1] + OTHER_SUIT[card[-1]]) for card in CARDS[:-1]), len(CARDS) - 1])
# The two ends of a card are set in one font and lie in one light: their readings count less than if independent.
_ENDS, _TOGETHER = 2, 0.75
# Patches of one face count as so many independent ones, as the two ends of a card do, however many they are.
_TURNED = _ENDS * _TOGETHER
# Turned, a face reads as it did: of 643 traced dice that were read at eight turns and named, 613 were by seven of them
# or all, 28 by six, two by five. Glare in the middle pip of a photographed three made five twos and three threes, each
# of up to 0.96, and together a two of 0.86 (*script*). Where fewer agree a number is no surer than their share.
_AGREE = 0.75


@dataclass(frozen=True, eq=False)
class Indices:
    """n card indices as read: log probabilities of `RANKS` (n, 15) and `SUITS` (n, 4)."""

    rank: Array
    suit: Array

    def cards(self) -> tuple[list[str], Array]:
        """The likeliest card of each index and its log probability (n,); "none" where there is no index."""
        ranks, suits = self.rank.argmax(axis=1), self.suit.argmax(axis=1)
        suited = (ranks != _NO_INDEX) & (ranks != _JOKER)
        names = [
            RANKS[r] + (SUITS[s] if with_suit else "") for r, s, with_suit in zip(ranks, suits, suited, strict=True)
        ]
        return names, self.rank.max(axis=1) + np.where(suited, self.suit.max(axis=1), 0.0)

    def of_cards(self) -> tuple[list[str], Array, Array, Array]:
        """The likeliest class of each card and its log probability (n / 2,), that of either suit of its colour, and
        those of the ranks (n / 2, 13) in any suit. Two indices in a row are the ends of one card.

        An end that cannot be read counts for nothing; of a card of which none can be read all classes are alike.
        """
        each = np.log(self._classes()).reshape(-1, _ENDS, len(CARDS)).sum(axis=1) * _TOGETHER
        each -= each.max(axis=1, keepdims=True)
        each -= np.log(np.exp(each).sum(axis=1, keepdims=True))
        best, card = each.argmax(axis=1), np.arange(len(each))
        log_probs = each[card, best]
        of_colour = np.logaddexp(log_probs, each[card, _OTHER_SUIT[best]])
        of_ranks = np.logaddexp.reduce(each[:, :-1].reshape(len(each), _JOKER, len(SUITS)), axis=2)
        return [CARDS[index] for index in best], log_probs, of_colour, of_ranks

    def _classes(self) -> Array:
        """(n, 53) probabilities of `CARDS`; the chance that there is no index is spread over all alike."""
        rank, suit = np.exp(self.rank), np.exp(self.suit)
        suited = (rank[:, :_JOKER, None] * suit[:, None]).reshape(len(rank), -1)
        read = np.concatenate([suited, rank[:, [_JOKER]]], axis=1)
        return np.asarray(read + rank[:, [_NO_INDEX]] / len(CARDS), float)


def read_indices(patches_bgr: NDArray[np.uint8]) -> Indices:
    """What upright patches (n, h, w, 3) of indices say, of the size `models.pieces.INDEX_CROP_PX`."""
    rank, suit = _run("card_reader", patches_bgr)
    return Indices(rank, suit)


def read_dice(patches_bgr: NDArray[np.uint8], each: int = 1) -> tuple[list[str], Array]:
    """The pips of top faces, from patches (n, h, w, 3), and the chance of each reading; "none" where there is no die.

    each  how many patches that follow one another show one and the same face, turned
    """
    (pips,) = _run("die_reader", patches_bgr)
    together = pips.reshape(-1, each, pips.shape[1]).mean(axis=1) * min(each, _TURNED)
    chance = np.exp(_log_softmax(together))
    best, sure = chance.argmax(axis=1), chance.max(axis=1)
    agree = (pips.argmax(axis=1).reshape(-1, each) == best[:, None]).mean(axis=1)
    return [PIPS[index] for index in best], np.where(agree < _AGREE, np.minimum(sure, agree), sure)


def read_sticks(patches_bgr: NDArray[np.uint8]) -> Array:
    """(n, 3) log probabilities of `models.pieces.STICKS`: whether a match lies along a patch, its head at which end."""
    (shows,) = _run("match_reader", patches_bgr)
    return shows


def _run(name: str, patches_bgr: NDArray[np.uint8]) -> list[Array]:
    session = load_model(name)
    if not len(patches_bgr):
        return [np.zeros((0, output.shape[1])) for output in session.get_outputs()]
    crops = np.ascontiguousarray(patches_bgr.transpose(0, 3, 1, 2), np.float32)
    return [_log_softmax(logits) for logits in session.run(None, {"crops": crops})]


def _log_softmax(logits: NDArray[np.float32] | Array) -> Array:
    shifted = logits.astype(float) - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)), float)

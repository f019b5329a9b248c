"""What both ends of cards say, read again where their edges tell that the indices are, as the deck prints them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.pieces import INDEX_CROP_PX, INDEX_CROP_PX_PER_MM, INDEX_FROM_CORNER_MM
from vision.detect.card.card_hints import COVERED, NAMED
from vision.frame import ImageBgr
from vision.metric.patch import patches
from vision.naming.read import Indices, read_indices
from vision.shape.rectangle import RectangleFit

Array = NDArray[np.float64]


class Reading(NamedTuple):
    """What the signs of a card say: its class, and the logarithms of how likely that is, and either suit of its colour,
    and each rank that has pips or a picture, if both ends were read."""

    cls: str
    log_prob: float
    of_colour: float
    of_ranks: tuple[float, ...] = ()


@dataclass(frozen=True)
class Print:
    """How a deck prints its indices.

    size            times as large as usual
    from_corner_mm  how far their middles lie from a card's left side and from its top
    """

    size: float
    from_corner_mm: tuple[float, float]


def _larger(size: float) -> Print:
    """Indices so many times as large as usual, and as far from the corner."""
    return Print(size, (size * INDEX_FROM_CORNER_MM[0], size * INDEX_FROM_CORNER_MM[1]))


USUAL = Print(1.0, INDEX_FROM_CORNER_MM)
# Indices set far inside a broad white rim: middles of 10 to 14 mm in and 17 to 21 mm down read alike.
INSET = Print(1.1, (11.5, 18.5))
_OTHERS = (_larger(0.75), _larger(1.4), _larger(1.8), INSET)
# The print counts at which a whole table of at least so many cards reads best. There cards must be half as far from
# certain (mean log probability), and nearer by so much.
_FEWEST, _LIKELIER, _LEAST_GAIN = 6, 0.5, 0.05


@dataclass(frozen=True, eq=False)
class Ends:
    """What the ends of n cards say.

    readings  of both ends together
    agree     (n,) whether each end for itself surely says the same, and no joker: boards of markers pass for jokers
    printed   how their deck prints its indices
    """

    readings: list[Reading]
    agree: NDArray[np.bool_]
    printed: Print

    @property
    def doubt(self) -> Array:
        """How far from certain each card is, in log probability; not more than one of which nothing shows."""
        return -np.maximum([read.log_prob for read in self.readings], COVERED)


def both_ends(image_bgr: ImageBgr, plane: TablePlane, fits: list[RectangleFit]) -> Ends:
    """What both ends of each card say, read where its deck prints the indices."""
    usual = _ends(image_bgr, plane, fits, USUAL)
    if not fits or _doubts([usual])[0] < _LEAST_GAIN:
        return usual
    prints = [usual, *(_ends(image_bgr, plane, fits, other) for other in _OTHERS)]
    if _readable(prints).sum() < _FEWEST:
        best = max(prints[1:], key=lambda ends: int(ends.agree.sum()))
        return best if _few_are(best, usual, int(_readable(prints).sum())) else usual
    doubts = _doubts(prints)
    best = prints[1:][int(doubts[1:].argmin())]
    return best if doubts[1:].min() < min(_LIKELIER * doubts[0], doubts[0] - _LEAST_GAIN) else usual


def _few_are(other: Ends, usual: Ends, readable: int) -> bool:
    """Whether few cards are printed otherwise: both ends of most agree so, and none can be read as usual."""
    is_named = usual.doubt < -NAMED
    return 2 * int(other.agree.sum()) > readable and not is_named.any()


def _readable(prints: list[Ends]) -> NDArray[np.bool_]:
    """(n,) whether each card says anything by any print."""
    return np.asarray((np.array([ends.doubt for ends in prints]) < -COVERED).any(axis=0))


def _doubts(prints: list[Ends]) -> Array:
    """How far from certain cards are read by each print, in the mean over those that are read by any."""
    readable = _readable(prints)
    doubt = np.array([ends.doubt for ends in prints])
    return doubt[:, readable].mean(axis=1) if readable.any() else np.full(len(prints), np.inf)


def _ends(image_bgr: ImageBgr, plane: TablePlane, fits: list[RectangleFit], printed: Print) -> Ends:
    """What the ends of cards say if their indices are printed so."""
    if not fits:
        return Ends([], np.zeros(0, bool), printed)
    angles = np.array([[fit.angle_rad, fit.angle_rad + np.pi] for fit in fits])
    down = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    right = np.stack([-down[..., 1], down[..., 0]], axis=-1)
    half_mm = np.array([fit.size_mm for fit in fits])[:, None, :] / 2
    across_mm, along_mm = printed.from_corner_mm
    at_mm = (
        np.array([fit.centre_mm for fit in fits])[:, None]
        - down * (half_mm[..., :1] - along_mm)
        - right * (half_mm[..., 1:] - across_mm)
    )
    turn_rad, px_per_mm = angles.ravel() + np.pi / 2, INDEX_CROP_PX_PER_MM / printed.size
    indices = read_indices(patches(image_bgr, plane, at_mm.reshape(-1, 2), turn_rad, INDEX_CROP_PX, px_per_mm))
    names, log_probs, of_colour, of_ranks = indices.of_cards()
    readings = map(Reading, names, log_probs.tolist(), of_colour.tolist(), map(tuple, of_ranks.tolist()))
    return Ends(list(readings), _agreeing(indices), printed)


def _agreeing(indices: Indices) -> NDArray[np.bool_]:
    """(n,) whether both ends of each card surely say one and the same suited card."""
    names, log_probs = indices.cards()
    pairs = zip(names[::2], names[1::2], log_probs[::2], log_probs[1::2], strict=True)
    return np.array([one == other not in ("JOKER", "none") and min(sure) >= NAMED for one, other, *sure in pairs], bool)

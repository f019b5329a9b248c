"""How large cards that were read measure on a plane whose scale may be wrong: by the size that their edges bear out.

`calibration.rulers.cards` measures a card's sides to half a millimetre where its white stands out. On stone, cloth or
paper as bright as the card it finds none; yet the eyes read such cards by their indices, and so know where their sides
are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from calibration.rulers.known_length import Proof
from vision.detection import Detection
from vision.frame import Frame
from vision.shape.rectangle import fit_rectangles

Array = NDArray[np.float64]

# Sizes tried, as shares of the true one.
_SHARES = np.arange(0.88, 1.1201, 0.01)
# So much of its sides must be edge in the best size, and so much more of them than in sizes farther off than this:
# grain has edges everywhere, and a court card's frame in a size of its own.
_BORNE_OUT, _STANDS_OUT, _AWAY = 0.6, 0.08, 0.035
# Sizes whose support is within this of the best one's are as likely.
_AS_GOOD = 0.03
# Of its diagonal: ten cards on granite, the told size right and 5 % off, scatter by 1.3 % of it, and print passes for
# an edge now and then.
_SIGMA_MM = 2.0
# The usual sizes lie farther apart.
_SAME_SIZE_MM = 1.0


def size_proofs(
    frame: Frame, plane: TablePlane, cards: Sequence[Detection], card_mm: tuple[float, float]
) -> list[Proof]:
    """The diagonals of those cards whose edges bear out one size and no other.

    card_mm  length and breadth as they are cut
    """
    cards = [card for card in cards if _is_of(card, card_mm)]
    centres_mm = np.array([card.position_mm for card in cards]).reshape(-1, 2)
    angles_rad = np.radians([card.rotation_deg for card in cards])
    true_mm = float(np.hypot(*card_mm))
    proofs = []
    for number, support in enumerate(_supports(frame, plane, centres_mm, angles_rad, card_mm)):
        share = _borne_out(support)
        if share is not None:
            x, y = cards[number].position_mm
            proofs.append(Proof(f"card {cards[number].cls}", (x, y), true_mm, share * true_mm, _SIGMA_MM, "card"))
    return proofs


def _is_of(card: Detection, card_mm: tuple[float, float]) -> bool:
    """Whether it was found in that size; one of another maker proves nothing."""
    near, far, other = np.array(card.footprint.exterior.coords)[:3]
    sides_mm = sorted((np.hypot(*(far - near)), np.hypot(*(other - far))), reverse=True)
    return bool(np.allclose(sides_mm, card_mm, atol=_SAME_SIZE_MM))


def _supports(
    frame: Frame, plane: TablePlane, centres_mm: Array, angles_rad: Array, card_mm: tuple[float, float]
) -> Array:
    """(cards, shares) how much of each card's sides is edge in each size."""
    fits = [
        fit_rectangles(frame.image_bgr, plane, centres_mm, angles_rad, (card_mm[0] * share, card_mm[1] * share))
        for share in _SHARES.tolist()
    ]
    return np.array([[fit.support for fit in each] for each in fits]).reshape(len(_SHARES), -1).T


def _borne_out(support: Array) -> float | None:
    """The share that the edges bear out; None where they do not, or others as well."""
    best = int(support.argmax())
    if best in (0, len(support) - 1):
        return None
    elsewhere = support[np.abs(_SHARES - _SHARES[best]) > _AWAY]
    if support[best] < max(_BORNE_OUT, elsewhere.max() + _STANDS_OUT):
        return None
    near = (support >= support[best] - _AS_GOOD) & (np.abs(_SHARES - _SHARES[best]) <= _AWAY)
    return float(_SHARES[near].mean())

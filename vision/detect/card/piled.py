"""Cards on cards: what lies on a pile lies higher than the table by what is below it, and shows as far aside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from shapely import area, bounds, intersection

from calibration.plane import TablePlane
from vision.detect.coin.on_cards import CARD_MM
from vision.detection import Detection

# A card lies on another if so much of it, or more, lies there, and more of its own sides shows.
_COVERS = 0.05
# For each told card below one so many lie there, give or take so many, since not all of a pile are told (21 tops of
# drawn piles: one to five on one, three and four on two; *script*).
_BELOW, _GIVE_OR_TAKE = 1.5, 1.0


def as_piled(plane: TablePlane, cards: Sequence[Detection], shown: Sequence[float]) -> list[Detection]:
    """The cards, those that lie on others where they lie at that height.

    shown  how much of the sides of each shows, 0 to 1
    """
    below = _below(cards, shown).tolist()
    return [_laid(plane, card, many) if many else card for card, many in zip(cards, below, strict=True)]


def _below(cards: Sequence[Detection], shown: Sequence[float]) -> NDArray[np.intp]:
    """(n,) how many others each card lies on, by how much of their sides shows."""
    outlines = np.array([card.footprint for card in cards], object)
    first, last = np.split(bounds(outlines).reshape(-1, 4), 2, axis=1)
    near = (first[:, None] < last).all(axis=2) & (first < last[:, None]).all(axis=2)
    above, under = np.nonzero(near & (np.array(shown)[:, None] > np.array(shown)))
    meet = area(intersection(outlines[above], outlines[under])) > _COVERS * area(outlines[above])
    return np.bincount(above[meet], minlength=len(cards))


def _laid(plane: TablePlane, card: Detection, below: int) -> Detection:
    """A card on so many told ones."""
    as_told, a_mm_higher = (plane.to_table([card.image_px], CARD_MM + high_mm)[0] for high_mm in (0.0, 1.0))
    dx_mm, dy_mm = lean = a_mm_higher - as_told
    rise_mm, doubt_mm = _BELOW * below * CARD_MM, _GIVE_OR_TAKE * below * CARD_MM
    sigma_mm = float(np.hypot(card.sigma_mm, doubt_mm * np.linalg.norm(lean)))
    return replace(card.shifted(float(rise_mm * dx_mm), float(rise_mm * dy_mm)), sigma_mm=sigma_mm)

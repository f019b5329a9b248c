"""Whether cards that alone measure a table have the size that was told: several, lying at different turns, show it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.fit.bundle import CameraFit, fit_bundle
from calibration.fit.correspondence import Correspondences
from calibration.fit.first_guesses import first_guesses
from calibration.fit.seen import Seen
from calibration.lens import Lens
from calibration.plane import TablePlane
from calibration.rulers.cards import find_cards

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Size = tuple[float, float]

# Three cards that leave so little lie on the plane as the size has it; what they leave where it is another's is more
# (rendered cards 0.1 px, photographed ones 0.3, of a breadth 2 % off 0.45).
_AGREEING, _MET_PX = 3, 0.3
# A card more that agrees is worth so much cost, and another size must be better by five sigma.
_CARD_COST, _CLEARLY = 15.0, 25.0
# Where nobody told a size, the first one, which most tables have, is better by so much beforehand (odds of 2 to 1), and
# one fits as well that costs so little more (3.5 to 1). One card through a lens file tells least: of 200 drawn ones of
# either size none is taken for the other if its corners err by 0.12 px, and 2 (bridge: 34) % are in doubt.
_FIRST, _AS_WELL = 1.5, 2.5
# The breadth is tried this far off. Cards are cut to 0.3 mm, and 88 x 63 and 88.9 x 63.5 mm differ by 0.2 % in shape.
_TRIED_SHARE, _CUT_SHARE, _SIGMAS = 0.02, 0.004, 3.0


@dataclass(frozen=True)
class BreadthOff:
    """By what share the cards are broader than told, if their length is as told, and the sigma of that."""

    share: float
    sigma: float

    @property
    def is_sure(self) -> bool:
        """Whether that is more than how cards are cut and errors of measuring explain."""
        return abs(self.share) > _SIGMAS * float(np.hypot(self.sigma, _CUT_SHARE))


def are_met(plane: TablePlane) -> bool:
    """Whether enough cards measured the plane and all have the told size on it."""
    cards = {residual.source for residual in plane.residuals}
    return not plane.rejected and len(cards) >= _AGREEING and plane.reprojection_error_px < _MET_PX


def likelier_size(image: Image, told_mm: Size, usual_mm: Iterable[Size], lens: Lens | None) -> Size | None:
    """The usual (length, breadth) that fits the cards in a picture clearly better than the told one, if there is one.

    lens  None if nobody measured it
    """
    camera = _camera(image, lens)
    costs = {size_mm: _least(image, size_mm, camera) for size_mm in {told_mm, *usual_mm}}
    best_mm = min(costs, key=lambda size_mm: costs[size_mm])
    return best_mm if costs[best_mm] < costs[told_mm] - _CLEARLY else None


def likely_sizes(image: Image, usual_mm: Iterable[Size], lens: Lens | None) -> tuple[Size, ...]:
    """The usual (length, breadth) that cards may have of which nobody told it: those that fit a picture as well as any
    does, but for what chance may do, in the order in which they are named, that of most tables first.

    lens  None if nobody measured it
    """
    camera = _camera(image, lens)
    costs = {size_mm: _least(image, size_mm, camera) for size_mm in usual_mm}
    costs[next(iter(costs))] -= _FIRST
    least = min(costs.values())
    return tuple(size_mm for size_mm, cost in costs.items() if cost < least + _AS_WELL)


def breadth_off(image: Image, size_mm: Size, lens: Lens | None) -> BreadthOff | None:
    """What the cards of a picture tell of their breadth; None where they are too few."""
    camera = _camera(image, lens)
    cards = find_cards(image, size_mm, camera)
    if len(cards.groups) < _AGREEING:
        return None
    tried = np.array([-_TRIED_SHARE, 0.0, _TRIED_SHARE])
    fits = [_fit(_broader(cards, share), camera) for share in tried]
    curve, slope, level = np.polyfit(tried, [fit.cost for fit in fits], 2)
    if curve <= 0:
        return None
    share = float(-slope / (2 * curve))
    spare = max(cards.numbers - 3 * len(cards.groups) - len(camera.parameters), 1)
    noise = max(1.0, float(level - slope**2 / (4 * curve)) / spare)
    return BreadthOff(share, float(np.sqrt(noise / curve)))


def _camera(image: Image, lens: Lens | None) -> Lens:
    size_px = (image.shape[1], image.shape[0])
    return (lens or Lens.unknown(size_px, barrels=False)).scaled_to(size_px)


def _least(image: Image, size_mm: Size, lens: Lens) -> float:
    """What the cards of that size cost, less what those that agree are worth; 0 where they are none."""
    cards = find_cards(image, size_mm, lens)
    if not len(cards):
        return 0.0
    cost = _fit(cards, lens).cost
    return cost - _CARD_COST * len(cards.groups) if cost < cards.numbers else 0.0


def _fit(cards: Correspondences, lens: Lens) -> CameraFit:
    return fit_bundle(Seen(cards), lens, first_guesses(Seen(cards), lens))


def _broader(cards: Correspondences, share: float) -> Correspondences:
    """The same cards, their shorter sides longer by a share."""
    quads_mm = cards.table_mm.reshape(-1, 4, 2)
    extents_mm = np.ptp(quads_mm, axis=1)
    stretch = np.where(extents_mm == extents_mm.min(axis=1, keepdims=True), 1 + share, 1.0)
    return replace(cards, table_mm=(quads_mm * stretch[:, None]).reshape(-1, 2))

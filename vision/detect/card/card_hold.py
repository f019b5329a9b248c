"""How firmly a card is held by what shows of its sides, and so how far off it may lie."""

from __future__ import annotations

import numpy as np
import shapely
from shapely import Polygon, STRtree

from vision.detect.card.strays import PLAINLY, Card
from vision.shape.rectangle import RectangleFit

# A card is reported when this much of its edge or two indices show; so much of a side holds it.
SUPPORT = 0.3
# Where two cards share more than so much a side holds a card if so much of it shows.
_APART, _SIDE_AMONG_OTHERS = 0.05, 0.65
# Edges lie within 0.09 to 0.16 mm (RMS) of those of cards that show all sides, within 0.26 to 0.34 mm of what print and
# brick have there, which passed for backs.
STRAIGHT_MM = 0.21
# Error of a card by its edges, mm: white paper blooms over dark ground by a part of a pixel (rendered stills: median
# 0.40); sides that are not straight are partly another card's; one of which little shows is known no better than by
# its index.
_EDGE_SIGMA_MM, _AMONG_OTHERS_SIGMA_MM, _INDEX_SIGMA_MM = 0.35, 0.9, 3.0


def held(fit: RectangleFit, least: float) -> tuple[bool, bool]:
    """Whether so much of a side across its length shows, which tells where it lies along it, and of one along it."""
    return max(fit.sides[:2]) >= least, max(fit.sides[2:]) >= least


def least_sides(cards: list[Card]) -> list[float]:
    """How much of a side must show to hold each card: more where another lies on or below it, whose sides may pass for
    parts of its own."""
    outlines = np.array([Polygon(fit.corners()) for _, fit in cards], object)
    one, other = STRtree(outlines).query(outlines)
    one, other = one[one != other], other[one != other]
    shared = shapely.area(shapely.intersection(outlines[one], outlines[other]))
    among_others = set(one[shared >= _APART * shapely.area(outlines[one])].tolist())
    return [_SIDE_AMONG_OTHERS if number in among_others else SUPPORT for number in range(len(cards))]


def card_sigma_mm(fit: RectangleFit, least: float) -> float:
    """Error of a card's place by its edges, or where these do not hold it by its signs."""
    if fit.support < SUPPORT or not all(held(fit, least)):
        return _INDEX_SIGMA_MM
    is_own = (least == SUPPORT or fit.support >= PLAINLY) and fit.straight_mm <= STRAIGHT_MM
    return _EDGE_SIGMA_MM if is_own else _AMONG_OTHERS_SIGMA_MM

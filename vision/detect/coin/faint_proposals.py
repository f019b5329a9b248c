"""Which of the circles that the detector is unsure of show a rim: most of them are print."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.coins import TYPICAL_THICKNESS_MM
from vision.detect.coin.proposals import Proposals
from vision.frame import ImageBgr
from vision.shape.rim import look_at_rims

Array = NDArray[np.float64]

# What the detector is less sure of than this is measured only where the rim net's first look doubts the radius no more
# than that: on stills of seed 5 so do all four coins in sight that are so faint, and none of 350 pieces of print.
_FAINT, _DOUBT_OF_FAINT = 0.18, -4.1
# What it doubts more it looks at again, from where the first look says it is, if no more than this: of 3,459 faint
# pieces of print on composed cards 16 are doubted so little, and none then so little as above.
_LOOKED_AT_AGAIN = -3.2


def borne_out(image_bgr: ImageBgr, plane: TablePlane, proposals: Proposals) -> Proposals:
    """Without those that the detector is unsure of and in which the rim net sees no rim."""
    faint = proposals.heat < _FAINT
    doubt = np.full(len(faint), -np.inf)
    doubt[faint] = _doubt(image_bgr, plane, proposals.only(faint), looks=1)
    again = faint & (doubt >= _DOUBT_OF_FAINT) & (doubt < _LOOKED_AT_AGAIN)
    doubt[again] = _doubt(image_bgr, plane, proposals.only(again), looks=2)
    return proposals.only(doubt < _DOUBT_OF_FAINT)


def _doubt(image_bgr: ImageBgr, plane: TablePlane, asked: Proposals, looks: int) -> Array:
    """(n,) the rim net's doubt of their radii, as a logarithm of sigma over radius."""
    height = np.full(len(asked.heat), TYPICAL_THICKNESS_MM)
    circles = look_at_rims(image_bgr, plane, asked.centre_mm, asked.radius_mm, height, looks=looks)
    return np.asarray(np.log(circles.radius_sigma_mm / circles.radius_mm), float)

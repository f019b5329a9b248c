"""Cards as a first ruler where nothing else measures the table: found by the nets at a guessed scale.

The nets know cards at one scale only. The picture is taken for a view straight down at several scales in turn; where
the nets read the most cards, those cards' outlines are near enough for `calibration.cards` to measure them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.correspondence import Correspondences
from calibration.plane import TablePlane, fit_plane
from models import pieces
from rules.scene import UNKNOWN
from vision.detect.cards import find_cards
from vision.detect.pieces import look_for_pieces
from vision.detection import Detection
from vision.frame import Frame, ImageBgr
from vision.topview import TopView
from vision.views import Views

Array = NDArray[np.float64]

# A card's length in the picture is tried from this many px to this share of the picture's longer side.
_SHORTEST_PX, _LONGEST_SHARE = 70.0, 0.75
# A net that was taught cards within 5 % of their size still finds them within 15 %.
_STEP = 1.25
_CARD_LENGTH_MM = 88.9


def shows_a_card(frame: Frame, plane: TablePlane) -> bool:
    """Whether a card lies on that plane beyond doubt: one that is read, and shows an index and another sign.

    By one sign alone print on a wrong plane passes for a card, boards of markers for jokers and backs.
    """
    view = Views().of(frame, plane, pieces.TOPVIEW_PX_PER_MM, 0.0, pieces.STRIDE_PX)
    cards = find_cards(frame.image_bgr, plane, look_for_pieces(frame.image_bgr, view), beyond_doubt=True)
    return any(card.cls not in (UNKNOWN, "BACK") for card in cards)


def card_seeds(image_bgr: ImageBgr) -> tuple[Array, ...]:
    """Outlines (4, 2) in px, rough, of the cards that the nets read best; none where they read none."""
    best: tuple[float, tuple[Array, ...]] = (0.0, ())
    length_px = _SHORTEST_PX
    while length_px < _LONGEST_SHARE * max(image_bgr.shape[:2]):
        plane = _straight_down(image_bgr, length_px / _CARD_LENGTH_MM)
        cards = _cards(image_bgr, plane)
        score = sum(card.confidence for card in cards if card.cls != UNKNOWN)
        if score > best[0]:
            best = score, tuple(plane.to_image(np.array(card.footprint.exterior.coords)[:4]) for card in cards)
        length_px *= _STEP
    return best[1]


def _straight_down(image_bgr: ImageBgr, px_per_mm: float) -> TablePlane:
    """The plane of a camera that looks straight down, `px_per_mm` px to the millimetre."""
    height, width = image_bgr.shape[:2]
    corners_px = np.array([(0, height - 1), (width - 1, height - 1), (width - 1, 0), (0, 0)], float)
    corners_mm = np.stack([corners_px[:, 0], height - 1 - corners_px[:, 1]], axis=1) / px_per_mm
    return fit_plane(Correspondences.of(corners_px, corners_mm), None, (width, height))


def _cards(image_bgr: ImageBgr, plane: TablePlane) -> list[Detection]:
    width = image_bgr.shape[1]
    size_mm = tuple(float(side) for side in plane.to_table([(width - 1, 0)])[0])
    view = TopView.of_table(plane, (size_mm[0], size_mm[1]), pieces.TOPVIEW_PX_PER_MM, 0.0, 0.0, pieces.STRIDE_PX)
    return find_cards(image_bgr, plane, look_for_pieces(image_bgr, view))

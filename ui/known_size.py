"""How far to trust a table by what lies on it and has a known size: the cards that are read, and coins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration.correspondence import Circle
from calibration.known_length import Proof
from calibration.plane import TablePlane
from calibration.proof import TrustReport, card_proofs, check_table
from calibration.table import CalibrationSpec
from vision.card_sizes import size_proofs
from vision.frame import Frame
from vision.ruler import cards_read


def trusted(
    frame: Frame,
    plane: TablePlane,
    spec: CalibrationSpec,
    card_mm: tuple[float, float],
    coins: tuple[Circle, ...] = (),
) -> TrustReport:
    """The report on a plane, proved by cards of that size and by coins that were found and named."""
    proving = replace(spec, card_size_mm=card_mm)
    return check_table(frame.image_bgr, plane, proving, coins, _of_cards(frame, plane, proving, card_mm))


def _of_cards(frame: Frame, plane: TablePlane, proving: CalibrationSpec, card_mm: tuple[float, float]) -> list[Proof]:
    """What the cards prove that are read: print has rectangles of a card's size too.

    By the sides that are found for themselves where cards stand out, and only else by the size that their edges bear
    out: that decks differ is the greater part of what several cards tell wrong.
    """
    cards = cards_read(frame, plane, card_mm)
    places_mm = np.array([card.position_mm for card in cards]).reshape(-1, 2)
    by_sides = card_proofs(frame.image_bgr, plane, proving, places_mm)
    return by_sides or size_proofs(frame, plane, cards, card_mm)

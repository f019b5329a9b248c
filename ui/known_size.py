"""How far to trust a table by what lies on it and has a known size: the cards that are read, and coins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration.correspondence import Circle
from calibration.plane import TablePlane
from calibration.proof import TrustReport, card_proofs, check_table
from calibration.table import CalibrationSpec
from vision.frame import Frame
from vision.ruler import cards_read


def trusted(
    frame: Frame,
    plane: TablePlane,
    spec: CalibrationSpec,
    card_mm: tuple[float, float],
    coins: tuple[Circle, ...] = (),
) -> TrustReport:
    """The report on a plane, proved by cards of that size and by coins that were found and named.

    Print has rectangles of a card's size too: only what reads as a card proves anything. Without any such shape nothing
    is read, which costs a second.
    """
    proving = replace(spec, card_size_mm=card_mm)
    shapes = card_proofs(frame.image_bgr, plane, proving)
    cards_mm = cards_read(frame, plane, card_mm) if shapes else np.zeros((0, 2))
    return check_table(frame.image_bgr, plane, proving, coins, cards_mm)

"""A table whose told shape the cards and coins on it contradict: its plane with the error of a side told wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration.plane import TablePlane
from calibration.proof import card_proofs, surely_oval, tells_no_shape
from calibration.sheet import Sheet
from calibration.sheet_shape import as_far_off
from calibration.table import CalibrationSpec
from rules.setup import Setup
from ui.clicked_marks import look_for
from vision.frame import Frame
from vision.known_coins import coins_wider
from vision.ruler import cards_read


def in_doubt_by_things(plane: TablePlane, spec: CalibrationSpec, rules: Setup, frame: Frame) -> TablePlane:
    """The plane that was measured by a told size alone, its errors larger and with a note of it where cards and coins
    surely show another shape (`calibration.told_shape`).

    Coins are looked for, and cards where something has their shape.
    """
    if not tells_no_shape(spec):
        return plane
    proving = replace(spec, card_size_mm=rules.card_mm)
    cards = card_proofs(frame.image_bgr, plane, proving)
    if cards:  # print has rectangles of a card's size too
        places_mm = np.array([card.position_mm for card in cards_read(frame, plane, rules.card_mm)]).reshape(-1, 2)
        cards = card_proofs(frame.image_bgr, plane, proving, places_mm)
    seen = look_for(rules.table_size_mm, rules.currency)(frame, plane)
    against = surely_oval(spec, cards, coins_wider(frame.image_bgr, plane, seen))
    if against is None:
        return plane
    table = spec.sheet if spec.sheet is not None else Sheet(None, rules.table_size_mm)
    doubted = as_far_off(plane, table, against.share)
    return replace(doubted, notes=(*plane.notes, against.sentence(table.size_mm)))

"""A table whose told shape the cards and coins on it contradict: its plane with the error of a side told wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from calibration.corners.sheet_shape import as_far_off
from calibration.maps.sheet import Sheet
from calibration.plane import TablePlane
from calibration.proof import card_proofs, shape_shown, tells_no_shape
from calibration.rulers.told_shape import OtherShape
from calibration.table import CalibrationSpec
from rules.setup import Setup
from ui.measuring.clicked_marks import look_for
from vision.frame import Frame
from vision.scale.known_coins import coins_wider
from vision.scale.ruler import cards_read


@dataclass(frozen=True)
class Then:
    """The table as it was set up: its plane, and its picture, read when it is asked for."""

    plane: TablePlane
    frame: Callable[[], Frame]


def in_doubt_by_things(
    plane: TablePlane, spec: CalibrationSpec, rules: Setup, frame: Frame, then: Then | None = None
) -> TablePlane:
    """The plane; if a told size alone measured it and cards and coins surely show another shape, its errors are larger
    and a note says why (`calibration.rulers.told_shape`).

    then  the table as it was set up, which is asked if too little lies there now
    """
    if not tells_no_shape(spec):
        return plane
    against, where = _shape_shown(plane, spec, rules, frame), "on the table"
    if against is None and then is not None:
        against, where = _shape_shown(then.plane, spec, rules, then.frame()), "on the table as it was set up"
    if against is None or not against.is_sure:
        return plane
    table = spec.sheet if spec.sheet is not None else Sheet(None, rules.table_size_mm)
    doubted = as_far_off(plane, table, against.share)
    return replace(doubted, notes=(*plane.notes, against.sentence(table.size_mm, where)))


def _shape_shown(plane: TablePlane, spec: CalibrationSpec, rules: Setup, frame: Frame) -> OtherShape | None:
    """What cards and coins on the table say of the told shape; None if there are too few."""
    proving = replace(spec, card_size_mm=rules.card_mm)
    cards = card_proofs(frame.image_bgr, plane, proving)
    if cards:  # print has rectangles of a card's size too
        places_mm = np.array([card.position_mm for card in cards_read(frame, plane, rules.card_mm)]).reshape(-1, 2)
        cards = card_proofs(frame.image_bgr, plane, proving, places_mm)
    seen = look_for(rules.table_size_mm, rules.currency)(frame, plane)
    return shape_shown(spec, cards, coins_wider(frame.image_bgr, plane, seen))

"""A sheet on a table of its own colour shows its printed frame alone."""

import cv2
import numpy as np
import pytest

from calibration.corners.sheet_corners import find_sheet_corners
from calibration.lens import Lens

SHEET_MM, LENS = (420, 297), Lens.measured((800, 600), [[900, 0, 399.5], [0, 900, 299.5], [0, 0, 1]])
LEFT, TOP, PX_PER_MM, MARGIN_PX = 105, 90, 1.4, 14


def seen_from_above(table: int, frame: int = 30) -> tuple[np.ndarray, list[str]]:
    """What the corners are stated to be good to, px, and what is told, of a sheet with a frame in its margin."""
    picture = np.full((600, 800), table, np.uint8)
    width, depth = (round(side * PX_PER_MM) for side in SHEET_MM)
    cv2.rectangle(picture, (LEFT, TOP), (LEFT + width, TOP + depth), 230, -1)
    within = (LEFT + MARGIN_PX, TOP + MARGIN_PX), (LEFT + width - MARGIN_PX, TOP + depth - MARGIN_PX)
    cv2.rectangle(picture, *within, frame, 2)
    notes: list[str] = []
    seen = find_sheet_corners(cv2.GaussianBlur(picture, (0, 0), 0.7), SHEET_MM, LENS, notes)
    return seen.sigma_px, notes


def test_a_frame_on_white_is_doubted_and_said():
    """Its corners lay 14 px off with 0.7 stated."""
    sigma_px, notes = seen_from_above(table=230)
    assert (2.45 * sigma_px > MARGIN_PX).all()
    assert len(notes) == 1 and notes[0].startswith("a line, and no edge, was taken for every side of the sheet")


@pytest.mark.parametrize("table", [60, 200])
def test_a_sheet_whose_edge_shows_is_not(table):
    sigma_px, notes = seen_from_above(table)
    assert (sigma_px < 1.0).all() and not notes


def test_a_dark_sheet_is_no_frame():
    sigma_px, notes = seen_from_above(table=250, frame=230)
    assert (sigma_px < 1.0).all() and not notes

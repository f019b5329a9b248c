"""Marker and ChArUco sheets."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.fiducials.markers import dictionary_named, marker_image
from rules.scene import Point2
from ui.sheets.page import Paper, Sheet, pdf_sheet

# The border of a 4x4 marker is one cell wide on each side.
_BORDER_CELLS = 1
# The white that a marker needs on each side, as a share of its own.
_RIM = 1 / 6
_GAP_MM = 14.0
# A label's letters; its baseline below the marker, in the rim where that has room for it, or below the cutting line.
_LABEL_MM, _BASELINE_MM, _ROOMY_RIM_MM = 2.2, 3.4, 4.0
# Between a label and the next thing to its right; between two cutting lines.
_CLEAR_MM, _BETWEEN_CUTS_MM = 1.5, 2.5
SMALLEST_MARKER_MM = 5.0
# OpenCV's own board, as `calibrate lens` expects it unless told otherwise.
CHARUCO_SQUARES = (7, 5)
CHARUCO_SQUARE_MM, CHARUCO_MARKER_MM = 34.0, 25.0


def largest_marker_mm(paper_name: str) -> int:
    """The side of the largest marker that the paper holds with its white rim and its cutting line, in whole mm."""
    paper = Paper.for_content(1, 1, paper_name)
    return math.floor(min(paper.free_width_mm, paper.free_height_mm) / (1 + 2 * _RIM))


def print_markers(out: Path, paper_name: str, dictionary: str, size_mm: float, ids: tuple[int, ...]) -> None:
    """Markers with their numbers and a cutting line that leaves the white rim that they need.

    size_mm  at most `largest_marker_mm` of that paper
    """
    with_rim = size_mm * (1 + 2 * _RIM)
    paper = Paper.for_content(with_rim, with_rim, paper_name)
    pitch = max(size_mm + _GAP_MM, with_rim + _BETWEEN_CUTS_MM)
    columns = max(int(paper.free_width_mm // pitch), 1)
    rows = max(int(paper.free_height_mm // pitch), 1)
    with pdf_sheet(out, paper, f"Sandtable markers {dictionary}") as sheet:
        for index, marker in enumerate(ids):
            place = index % (columns * rows)
            if index and place == 0:
                sheet.new_page()
            if place == 0:
                sheet.text(0, paper.free_height_mm + 4.0, f"markers of {dictionary}, {size_mm:g} mm", 2.6)
            _marker(sheet, dictionary, marker, size_mm, (place % columns * pitch, place // columns * pitch))


def _marker(sheet: Sheet, dictionary: str, marker: int, size_mm: float, corner: Point2) -> None:
    (x, y) = corner
    rim = size_mm * _RIM
    sheet.cells(x + rim, y + rim, size_mm, marker_cells(dictionary, marker))
    for corner_x in (x, x + size_mm + 2 * rim):
        for corner_y in (y, y + size_mm + 2 * rim):
            sheet.line((corner_x - 1, corner_y), (corner_x + 1, corner_y), 0.1)
            sheet.line((corner_x, corner_y - 1), (corner_x, corner_y + 1), 0.1)
    is_roomy = rim >= _ROOMY_RIM_MM
    words = _label(sheet, dictionary, marker, size_mm, size_mm + (rim if is_roomy else _GAP_MM) - _CLEAR_MM)
    sheet.text(x + rim, y + size_mm + (rim if is_roomy else 2 * rim) + _BASELINE_MM, words, _LABEL_MM)


def _label(sheet: Sheet, dictionary: str, marker: int, size_mm: float, room_mm: float) -> str:
    """The most that can be said of the marker in that room; the foot of the page tells the rest."""
    size = f"{size_mm:g} mm"
    choices = (f"{dictionary} {marker}   top ↑   {size}", f"{marker}   top ↑   {size}", f"{marker} ↑ {size}")
    return next((words for words in choices if sheet.text_width_mm(words, _LABEL_MM) <= room_mm), f"{marker} ↑")


def marker_cells(dictionary: str, marker: int) -> NDArray[np.bool_]:
    """(n, n): which cells are dark, the border included."""
    side_px = 240
    image = marker_image(dictionary, marker, side_px)
    cells = _cell_count(dictionary)
    centres = ((np.arange(cells) + 0.5) * side_px / cells).astype(int)
    return np.asarray(image[np.ix_(centres, centres)] < 128, np.bool_)


def _cell_count(dictionary: str) -> int:
    return int(dictionary_named(dictionary).markerSize) + 2 * _BORDER_CELLS


def print_charuco(out: Path, paper_name: str, dictionary: str) -> None:
    """A ChArUco board for `sandtable calibrate lens`, with OpenCV's numbering: the upper left square is black."""
    columns, rows = CHARUCO_SQUARES
    square, rim = CHARUCO_SQUARE_MM, (CHARUCO_SQUARE_MM - CHARUCO_MARKER_MM) / 2
    paper = Paper.for_content(columns * square, rows * square, paper_name)
    with pdf_sheet(out, paper, "Sandtable ChArUco board") as sheet:
        marker = 0
        for row in range(rows):
            for column in range(columns):
                x, y = column * square, row * square
                if (row + column) % 2 == 0:
                    sheet.box(x, y, square, square)
                    continue
                sheet.cells(x + rim, y + rim, CHARUCO_MARKER_MM, marker_cells(dictionary, marker))
                marker += 1
        words = f"{columns} x {rows} squares of {square:g} mm, markers {CHARUCO_MARKER_MM:g} mm, {dictionary}"
        sheet.text(0, rows * square + 4.0, words, 2.6)

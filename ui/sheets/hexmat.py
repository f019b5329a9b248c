"""A mat of hexagons, as many as a page holds."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

from ui.sheets.page import Paper, Sheet, pdf_sheet


def print_hexmat(out: Path, paper_name: str, pitch_mm: float) -> None:
    """Hexagons with a corner up, `pitch_mm` between the centres of neighbours."""
    paper = Paper.for_content(1, 1, paper_name)
    width, height = paper.free_width_mm, paper.free_height_mm
    with pdf_sheet(out, paper, f"Sandtable hex mat {pitch_mm:g} mm") as sheet:
        for x, y in hex_centres(pitch_mm, width, height):
            _hexagon(sheet, x, y, pitch_mm / math.sqrt(3))
        sheet.text(0, height + 4.0, f"hexagons, pitch {pitch_mm:g} mm, corner up", 2.6)


def hex_centres(pitch_mm: float, width_mm: float, height_mm: float) -> list[tuple[float, float]]:
    """Centres of all hexagons that lie wholly in the area, from its upper left corner."""
    radius, row_mm = pitch_mm / math.sqrt(3), pitch_mm * math.sqrt(3) / 2
    rows = int((height_mm - 2 * radius) / row_mm + 1e-9) + 1
    centres = []
    for row in range(max(rows, 0)):
        indent = pitch_mm / 2 * (1 + row % 2)
        columns = int((width_mm - indent - pitch_mm / 2) / pitch_mm + 1e-9) + 1
        centres += [(indent + column * pitch_mm, radius + row * row_mm) for column in range(columns)]
    return centres


def _hexagon(sheet: Sheet, x: float, y: float, radius_mm: float) -> None:
    corners = [
        (x + radius_mm * math.sin(math.radians(60 * k)), y - radius_mm * math.cos(math.radians(60 * k)))
        for k in range(7)
    ]
    for start, end in pairwise(corners):
        sheet.line(start, end, 0.3, "#444444")
    sheet.circle(x, y, 0.35, fill="#444444")

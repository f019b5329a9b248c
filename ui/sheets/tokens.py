"""Coins and owner's dots to cut out, for those who have no such coins in the house."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from rules.scene import COIN_DIAMETER_MM
from ui.sheets.page import Paper, Sheet, pdf_sheet
from ui.telling.words import class_name

# The dots that the coin net learned (`models/training/looks.py`). The window's own red and orange are made to be told
# apart by colour-blind people, not by it: a dot of that red it takes for an orange one.
DOTS: Mapping[str, str] = MappingProxyType(
    {
        "red": "#C82828",
        "blue": "#1E5AB4",
        "green": "#289646",
        "yellow": "#F5D732",
        "white": "#FFFFFF",
        "black": "#212123",
        "orange": "#F57D1E",
        "purple": "#6E328C",
        "tan": "#CDAF82",
        "grey": "#878787",
    }
)
_GAP_MM = 4.0
_DOT_MM = 8.0
_NAME_MM, _NAME_ROOM_MM = 2.6, 14.0
# Between two rows of dots: where the page has less room, the rows move together.
_ROW_GAP_MM, _LEAST_ROW_GAP_MM = 2.0, 0.5


def print_tokens(out: Path, paper_name: str) -> None:
    """A disc of true size for every coin, and dots of every player's colour, beside its name in the set-up."""
    paper = Paper.for_content(1, 1, paper_name)
    with pdf_sheet(out, paper, "Sandtable tokens") as sheet:
        bottom = _discs(sheet, paper)
        _dots(sheet, paper, bottom + 8.0)


def _discs(sheet: Sheet, paper: Paper) -> float:
    """Draw the discs row by row; the y where the last row ends."""
    x = y = row_mm = 0.0
    for cls, diameter_mm in COIN_DIAMETER_MM.items():
        if x + diameter_mm > paper.free_width_mm:
            x, y, row_mm = 0.0, y + row_mm + _GAP_MM, 0.0
        centre = (x + diameter_mm / 2, y + diameter_mm / 2)
        sheet.circle(*centre, diameter_mm / 2)
        sheet.text(centre[0] - 5.0, centre[1] + 0.5, class_name(cls), 3.4)
        sheet.text(centre[0] - 5.0, centre[1] + 4.0, cls.partition("-")[0], 2.0)
        x, row_mm = x + diameter_mm + _GAP_MM, max(row_mm, diameter_mm)
    return y + row_mm


def _dots(sheet: Sheet, paper: Paper, top: float) -> None:
    count = int((paper.free_width_mm - _NAME_ROOM_MM) // (_DOT_MM + _GAP_MM))
    room_mm = (paper.free_height_mm - top - len(DOTS) * _DOT_MM) / (len(DOTS) - 1)
    if room_mm < _LEAST_ROW_GAP_MM:
        sheet.new_page()
        top, room_mm = 0.0, _ROW_GAP_MM
    for row, (owner, colour) in enumerate(DOTS.items()):
        y = top + row * (_DOT_MM + min(room_mm, _ROW_GAP_MM))
        for column in range(count):
            sheet.circle(column * (_DOT_MM + _GAP_MM) + _DOT_MM / 2, y + _DOT_MM / 2, _DOT_MM / 2, fill=colour)
            sheet.circle(column * (_DOT_MM + _GAP_MM) + _DOT_MM / 2, y + _DOT_MM / 2, _DOT_MM / 2, 0.1)
        sheet.text(count * (_DOT_MM + _GAP_MM), y + (_DOT_MM + _NAME_MM) / 2, owner, _NAME_MM)

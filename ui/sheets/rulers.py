"""Rulers for the games that measure in card lengths and breadths, inches and millimetres."""

from __future__ import annotations

from pathlib import Path

from ui.sheets.page import Paper, Sheet, pdf_sheet

_INCH_MM = 25.4
_LENGTH_MM = 250.0
_BREADTH_MM = 16.0


def print_rulers(out: Path, paper_name: str, card: str, card_mm: tuple[float, float]) -> None:
    """A card's length and breadth, inches and millimetres, each on a strip to cut out.

    card     what the card is called on the sheet
    card_mm  its length and breadth
    """
    length_mm, breadth_mm = card_mm
    paper = Paper.for_content(_LENGTH_MM, 5 * (_BREADTH_MM + 6), paper_name)
    with pdf_sheet(out, paper, "Sandtable rulers") as sheet:
        _strip(sheet, 0, _INCH_MM, "inches", 4)
        _strip(sheet, 1, 10.0, "centimetres", 10)
        _strip(sheet, 2, length_mm, f"card lengths L = {length_mm:g} mm ({card})", 4)
        _strip(sheet, 3, breadth_mm, f"card breadths B = {breadth_mm:g} mm ({card})", 4)


def _strip(sheet: Sheet, place: int, unit_mm: float, name: str, parts: int) -> None:
    top = place * (_BREADTH_MM + 6)
    for y in (top, top + _BREADTH_MM):
        sheet.line((0, y), (_LENGTH_MM, y), 0.15)
    for x in (0.0, _LENGTH_MM):
        sheet.line((x, top), (x, top + _BREADTH_MM), 0.15)
    count = int(_LENGTH_MM / unit_mm * parts + 1e-9)
    for tick in range(count + 1):
        whole = tick % parts == 0
        x = tick * unit_mm / parts
        sheet.line((x, top), (x, top + (7.0 if whole else 3.5)), 0.35 if whole else 0.2)
        if whole and tick and x + 0.8 + sheet.text_width_mm(str(tick // parts), 3.4) <= _LENGTH_MM:
            sheet.text(x + 0.8, top + 7.0, str(tick // parts), 3.4)
    sheet.text(2.0, top + _BREADTH_MM - 2.0, name, 3.0)

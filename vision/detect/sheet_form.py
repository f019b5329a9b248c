"""What the outline of a sheet tells of its name: strips are cut from paper, napkins are folded square."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from rules.scene import UNKNOWN
from vision.detect.parts import SHEET_MM
from vision.detect.terrain import NAMED
from vision.detection import Detection

Array = NDArray[np.float64]

# A strip is so broad, for spoons and screwdrivers that pass for paper are 18 and 21 mm, and so many times as long; drawn
# in by these shares of its breadth it is still whole, or nothing.
_BREADTH_MM, _LONG = (30.0, 80.0), 2.5
_WHOLE_WITHIN, _GONE_WITHIN, _WHOLE = 0.35, 0.62, 0.6
# A napkin's side; what it may be longer than broad; how much of the rectangle around it is its own.
_SIDE_MM, _LONGER, _FILLED = (80.0, 210.0), 1.12, 0.93
# What may have such a form, and how much likelier a form makes it beside all that seldom has (of 20 sheets of paper on
# the sample and seven rendered stills 9 are strips, of 17 napkins 7 square; nothing else that is flat is either).
_STRIPS, _SQUARES, _LIKELIER = ("paper", "pencils"), ("napkin", "book", "box"), 8.0
_SHEETS = ("napkin", "paper")


def named_by_form(sheet: Detection, told: Mapping[str, float]) -> Detection:
    """A sheet with the name that its measured outline and what the net says of it make likely enough together.

    told  by class, the logarithm of its chance by the net alone
    """
    if not told or sheet.cls not in (*_SHEETS, UNKNOWN) or (sheet.height_mm or 0.0) > SHEET_MM:
        return sheet
    having = _STRIPS if is_strip(sheet.footprint) else _SQUARES if is_square(sheet.footprint) else ()
    odds = {name: np.exp(chance) * (_LIKELIER if name in having else 1.0) for name, chance in told.items()}
    name = max(odds, key=lambda name: odds[name])
    chance = float(odds[name] / sum(odds.values()))
    if not having or name not in _SHEETS:
        return sheet
    return replace(sheet, cls=name, confidence=chance) if chance >= NAMED else replace(sheet, cls=UNKNOWN)


def is_strip(outline: Polygon) -> bool:
    """Whether it has one breadth all along a much longer way, with bends in it or none."""
    breadth, length = _run(outline)
    if not (_BREADTH_MM[0] < breadth < _BREADTH_MM[1] and length > _LONG * breadth):
        return False
    core = outline.buffer(-_WHOLE_WITHIN * breadth)
    is_whole = isinstance(core, Polygon) and core.area > _WHOLE * (1 - 2 * _WHOLE_WITHIN) * outline.area
    return is_whole and outline.buffer(-_GONE_WITHIN * breadth).is_empty


def is_square(outline: Polygon) -> bool:
    """Whether it is as long as it is broad, of a napkin's size."""
    around = outline.minimum_rotated_rectangle
    if not isinstance(around, Polygon):
        return False
    breadth, length = np.sort(np.hypot(*np.diff(np.array(around.exterior.coords), axis=0)[:2].T))
    is_of_size = _SIDE_MM[0] < breadth and length < _SIDE_MM[1]
    return bool(is_of_size and length < _LONGER * breadth and outline.area > _FILLED * around.area)


def _run(outline: Polygon) -> tuple[float, float]:
    """Breadth and length in mm of the rectangle of the same area and way around."""
    around, area = outline.length, outline.area
    breadth = (around - np.sqrt(max(around**2 - 16 * area, 0.0))) / 4
    return float(breadth), float(area / max(breadth, 1e-9))

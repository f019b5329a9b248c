"""What the outline of a sheet tells of its name: strips are cut from paper, napkins are folded square."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from rules.scene import UNKNOWN
from vision.detect.solid.guesses import SHEETS
from vision.detect.solid.parts import SHEET_MM
from vision.detect.solid.terrain import NAMED
from vision.detection import Detection

Array = NDArray[np.float64]

# A strip is so broad (spoons and screwdrivers, which pass for paper, are 18 and 21 mm), and so many times as long;
# drawn in by these shares of its breadth it is still whole, or nothing.
_BREADTH_MM, _LONG = (30.0, 80.0), 2.5
_WHOLE_WITHIN, _GONE_WITHIN, _WHOLE = 0.35, 0.62, 0.6
# A napkin's side; what it may be longer than broad; how much of the rectangle around it is its own.
_SIDE_MM, _LONGER, _FILLED = (80.0, 210.0), 1.12, 0.93
# Telephones' sides, what they are longer than broad, and how much of the rectangle around them is their own (makers
# since 2012 tell 58 to 79 mm by 123 to 166; measured a little larger by their sides): of 49 drawn ones four passed for
# paper or a napkin, 68 to 73 mm by 141 to 154 and wholly filled; of 43 papers and napkins beside them none is so.
_PHONE_MM, _PHONE_LONGER, _PHONE_FILLED = ((57.0, 82.0), (120.0, 170.0)), (1.9, 2.25), 0.93
# What may have such a form, and how much likelier a form makes it beside all that seldom has (of 15 sheets of paper
# found on the sample and seven rendered stills 7 are strips, of 14 napkins 7 square; nothing else there that is flat).
_STRIPS, _SQUARES, _LIKELIER = ("paper", "pencils"), ("napkin", "book", "box"), 8.0


def named_by_form(sheet: Detection, told: Mapping[str, float]) -> Detection:
    """A sheet with the name that its measured outline and what the net says of it make likely enough together.

    told  by class, the logarithm of its chance by the net alone
    """
    is_flat = sheet.cls in (*SHEETS, UNKNOWN) and (sheet.height_mm or 0.0) <= SHEET_MM
    if is_flat and is_phone(sheet.footprint):
        return replace(sheet, cls=UNKNOWN)
    having = _having(sheet.footprint) if told and is_flat else ()
    if not having:
        return sheet
    name, chance = likeliest(told, having)
    if name not in SHEETS:
        return sheet
    return replace(sheet, cls=name, confidence=chance) if chance >= NAMED else replace(sheet, cls=UNKNOWN)


def likeliest(told: Mapping[str, float], having: Container[str]) -> tuple[str, float]:
    """The likeliest name of a thing whose form only some things have, and its chance by that and the net together.

    told    by class, the logarithm of its chance by the net alone
    having  the names of what may have such a form
    """
    odds = {name: np.exp(chance) * (_LIKELIER if name in having else 1.0) for name, chance in told.items()}
    name = max(odds, key=lambda name: odds[name])
    return name, float(odds[name] / sum(odds.values()))


def _having(outline: Polygon) -> tuple[str, ...]:
    """What may have such a form; nothing if it tells nothing."""
    if is_strip(outline):
        return _STRIPS
    return _SQUARES if is_square(outline) else ()


def is_strip(outline: Polygon) -> bool:
    """Whether the outline is a strip, straight or bent: of one breadth, and much longer than broad."""
    breadth, length = _run(outline)
    if not (_BREADTH_MM[0] < breadth < _BREADTH_MM[1] and length > _LONG * breadth):
        return False
    core = outline.buffer(-_WHOLE_WITHIN * breadth)
    is_whole = isinstance(core, Polygon) and core.area > _WHOLE * (1 - 2 * _WHOLE_WITHIN) * outline.area
    return is_whole and outline.buffer(-_GONE_WITHIN * breadth).is_empty


def is_square(outline: Polygon) -> bool:
    """Whether the outline is a square as large as a napkin."""
    breadth, length, filled = _around(outline)
    is_of_size = _SIDE_MM[0] < breadth and length < _SIDE_MM[1]
    return is_of_size and length < _LONGER * breadth and filled > _FILLED


def is_phone(outline: Polygon) -> bool:
    """Whether it has the sides of a telephone, which is no sheet: half a napkin may have them, too."""
    breadth, length, filled = _around(outline)
    (narrowest, broadest), (shortest, longest) = _PHONE_MM
    is_of_size = narrowest < breadth < broadest and shortest < length < longest
    is_as_long = _PHONE_LONGER[0] * breadth < length < _PHONE_LONGER[1] * breadth
    return is_of_size and is_as_long and filled > _PHONE_FILLED


def _around(outline: Polygon) -> tuple[float, float, float]:
    """Breadth and length in mm of the least rectangle around it, and how much of that is its own; 0 of none."""
    around = outline.minimum_rotated_rectangle
    if not isinstance(around, Polygon):
        return 0.0, 0.0, 0.0
    breadth, length = np.sort(np.hypot(*np.diff(np.array(around.exterior.coords), axis=0)[:2].T))
    return float(breadth), float(length), float(outline.area / around.area)


def _run(outline: Polygon) -> tuple[float, float]:
    """Breadth and length in mm of the rectangle of the same area and way around."""
    around, area = outline.length, outline.area
    breadth = (around - np.sqrt(max(around**2 - 16 * area, 0.0))) / 4
    return float(breadth), float(area / max(breadth, 1e-9))

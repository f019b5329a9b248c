"""Things of which the net saw several pieces, each kept once: of a sheet, of a stack, of a block."""

from __future__ import annotations

from collections.abc import Iterable

from rules.scene import UNKNOWN
from vision.detect.solid.guesses import LOW_MM
from vision.detect.solid.terrain import TERRAIN_SIGMA_MM
from vision.detection import Detection

# What is looked for by its lines.
BY_LINES = ("book", "box", UNKNOWN)
# Sheets are no higher than this by the nets, mm; a thing of which so much lies in a sheet is a piece of it.
SHEET_MM, _PIECE = 6.0, 0.6
# What is no sheet by its name; plates have been told on papers.
HIGH = ("mug", "book", "box")
# A height that was not surely measured may be too large by so many of its sigmas.
_SURELY = 2.0
# A thing of which so much lies in a stack, or in a measured block, is a part of that.
_IN_STACK = 0.6
# Two blocks are one if they share so much of the area that both cover, and their heights are so near, mm.
_SAME, _SAME_MM = 0.9, 5.0
# The outline of a rectangle has so many points, the first again at its end.
_CORNERS = 5


def stands(thing: Detection) -> bool:
    """Whether it is terrain that surely is no sheet: by its name, or by its height where edges bear that out.

    What the net alone says of heights is not enough: of papers on 36 mats it says 27 mm at most, of boxes 6 and more.
    """
    is_named = thing.cls in HIGH
    is_measured = thing.sigma_mm < TERRAIN_SIGMA_MM
    sure_mm = (thing.height_mm or 0.0) - (0.0 if is_measured else _SURELY * thing.height_sigma_mm)
    return thing.kind == "terrain" and (is_named or sure_mm > SHEET_MM)


def whole_once(things: Iterable[Detection]) -> list[Detection]:
    """The things, without those that are only a part of another: of a napkin the net often sees several pieces."""
    kept: list[Detection] = []
    for thing in sorted(things, key=lambda thing: (thing.cls == UNKNOWN, -thing.footprint.area)):
        if not any(_is_of(thing, other) for other in kept):
            kept.append(thing)
    return kept


def _is_of(thing: Detection, other: Detection) -> bool:
    is_part = _is_piece(thing, other) or _is_storey(thing, other) or _is_scrap(thing, other)
    return is_part or _is_same_block(thing, other)


def _is_same_block(thing: Detection, block: Detection) -> bool:
    """Whether both were measured as one block: the net saw its top and its front, or either half of it."""
    both = thing.footprint.intersection(block.footprint).area
    return (
        thing.cls == UNKNOWN
        and block.cls in BY_LINES
        and both > _SAME * thing.footprint.union(block.footprint).area
        and abs((thing.height_mm or 0.0) - (block.height_mm or 0.0)) < _SAME_MM
    )


def _is_scrap(thing: Detection, block: Detection) -> bool:
    """Whether a nameless thing that was not measured is a part of a higher block: the net sees several."""
    is_guess = thing.cls == UNKNOWN and thing.sigma_mm >= TERRAIN_SIGMA_MM
    is_block = block.cls in BY_LINES and len(block.footprint.exterior.coords) == _CORNERS
    return is_guess and is_block and _is_higher(block, thing) and _is_within(thing, block)


def _is_higher(block: Detection, thing: Detection) -> bool:
    return (block.height_mm or 0.0) > (thing.height_mm or 0.0) + LOW_MM


def _is_within(thing: Detection, block: Detection) -> bool:
    return bool(thing.footprint.intersection(block.footprint).area > _IN_STACK * thing.footprint.area)


def _is_storey(thing: Detection, stack: Detection) -> bool:
    among = thing.cls in BY_LINES and (stack.level or 0) > 1
    return among and _is_within(thing, stack)


def _is_piece(thing: Detection, sheet: Detection) -> bool:
    both_low = (thing.height_mm or 0.0) < LOW_MM and (sheet.height_mm or 0.0) < SHEET_MM
    alike = thing.cls in (UNKNOWN, sheet.cls)
    return both_low and alike and thing.footprint.intersection(sheet.footprint).area > _PIECE * thing.footprint.area

"""Shapes that terrain may have, to begin measuring with: as the net proposes it, and as rims tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from types import MappingProxyType

import numpy as np
from shapely import Polygon

from rules.scene import UNKNOWN
from vision.detect.solid.fit import Fit, Guess
from vision.detect.solid.forms import BLOCK, DRUM
from vision.detection import Detection

# What a thing of each class is, and heights in mm that it may have beside the one that the net says.
_DRUMS: Mapping[str, tuple[float, ...]] = MappingProxyType({"mug": (60.0, 95.0), "plate": (), "unknown": (60.0, 95.0)})
_BLOCKS: Mapping[str, tuple[float, ...]] = MappingProxyType(
    {"book": (15.0, 35.0), "box": (25.0, 50.0), "napkin": (), "paper": (), "unknown": (35.0,)}
)
# The height of sheets is not looked for; anything else is at least so high.
SHEETS = ("napkin", "paper")
_LEAST_MM = 8.0
# Of a nameless thing as low as this, edges do not tell the near side's foot from its top.
LOW_MM = 15.0
# How far the net may be off: the middle in mm, lengths as a share, the turn in radians, a drum's foot as a share of its
# rim, a drum's height and a block's.
_MIDDLE_MM, _LENGTH, _TURN, _FOOT = 11.0, 0.15, 0.1, 0.15
_DRUM_HEIGHT_MM, _BLOCK_HEIGHT_MM = 18.0, 10.0
_USUAL_FOOT = 0.85
# The same where the rim was seen: its middle in mm and its radius as a share.
_RIM_MM, _RIM = 5.0, 0.06
# A drum this tall has an inside, and its rim a lip so broad, mm; how far off a fit without one is: middle and radius in
# mm, the foot's share, the lip and the height in mm. Without one it lies between the lip's two edges.
_HOLLOW_MM, _LIP_MM, _LIP_SPREAD = 30.0, 2.0, (4.0, 4.0, 2.5, 0.08, 2.5, 3.0)
# What fills less of the rectangle around it is bent or partly hidden, and no block.
_FILLED = 0.75

# x, y, radius and height in mm that a rim tells.
Drum = tuple[float, float, float, float]


def drums(thing: Detection) -> Iterable[Guess]:
    """Drums as large as the thing's footprint, of each height that a thing of its class may have."""
    radius = float(np.sqrt(thing.footprint.area / np.pi))
    for height in _heights(thing, _DRUMS):
        start = np.array([*middle_mm(thing), radius, _USUAL_FOOT, 0.0, height])
        spread = (_MIDDLE_MM, _MIDDLE_MM, _LENGTH * radius, _FOOT, 0.0, min(_DRUM_HEIGHT_MM, height))
        yield Guess(DRUM, start, np.array(spread))


def by_rim_of(drum: Drum | None) -> Iterable[Guess]:
    """The drum that a rim tells, if one was seen; its place and size are open to less than those of `drums`."""
    if drum is not None:
        x, y, radius, height = drum
        start = np.array([x, y, radius, _USUAL_FOOT, 0.0, max(height, _LEAST_MM / 2)])
        spread = (_RIM_MM, _RIM_MM, _RIM * radius, _FOOT, 0.0, min(_DRUM_HEIGHT_MM, start[-1]))
        yield Guess(DRUM, start, np.array(spread))


def lipped(fit: Fit) -> Iterable[Guess]:
    """A fitted tall drum again, with a lip."""
    if fit.form is DRUM and fit.height_mm > _HOLLOW_MM:
        x, y, radius, share, _, height = fit.shape
        wider = radius + _LIP_MM
        start = np.array([x, y, wider, share * radius / wider, _LIP_MM, height])
        yield Guess(DRUM, start, np.array(_LIP_SPREAD))


def blocks(thing: Detection) -> Iterable[Guess]:
    """The rectangle around the thing's footprint, if it fills that, in each height that a thing of its class may
    have."""
    around = thing.footprint.minimum_rotated_rectangle
    if not isinstance(around, Polygon) or thing.footprint.area < _FILLED * around.area:
        return
    corners = np.array(around.exterior.coords)
    sides = np.diff(corners, axis=0)[:2]
    length, breadth = np.hypot(*sides.T)
    turn = float(np.arctan2(sides[0, 1], sides[0, 0]))
    for height in _heights(thing, _BLOCKS):
        start = np.array([*middle_mm(thing), length, breadth, turn, height])
        spread = (_MIDDLE_MM, _MIDDLE_MM, _LENGTH * length, _LENGTH * breadth, _TURN, min(_BLOCK_HEIGHT_MM, height))
        yield Guess(BLOCK, start, np.array(spread))


def _heights(thing: Detection, usual: Mapping[str, tuple[float, ...]]) -> Iterable[float]:
    """The net's, that of a sheet being none, and what is usual."""
    if thing.cls not in usual or (thing.cls == UNKNOWN and (thing.height_mm or 0.0) < LOW_MM):
        return ()
    return chain([0.0 if thing.cls in SHEETS else max(thing.height_mm or 0.0, _LEAST_MM)], usual[thing.cls])


def middle_mm(thing: Detection) -> tuple[float, float]:
    """The middle of the thing's footprint."""
    return thing.footprint.centroid.x, thing.footprint.centroid.y

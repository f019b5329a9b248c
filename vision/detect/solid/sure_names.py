"""Names of terrain that are told: a wrong one is worse than none, and some kinds are taken for others more often."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from rules.scene import UNKNOWN
from vision.detect.solid.parts import SHEET_MM
from vision.detection import Detection

# How likely a name must be to be told, beside what the net must say of any (`terrain`). Of 38 rendered stills and 100
# tiles (models/terrain.md) no mug was wrong above that; boxes taken for books were up to 0.79 and once 0.92, a bowl
# taken for a plate 0.81, paper for a napkin 0.82.
_LIKELY: Mapping[str, float] = MappingProxyType({"plate": 0.85, "book": 0.8, "napkin": 0.85, "paper": 0.8})
# What is measured higher than a plate may be a bowl as well (rendered plates are told 9 to 22 mm high, that bowl of
# 45 mm 31), and what is as flat as a sheet is no book or box: a quarter of a printed mat was one, 2.8 mm high.
_HEIGHTS_MM: Mapping[str, tuple[float, float]] = MappingProxyType(
    {"plate": (0.0, 28.0), "book": (SHEET_MM, np.inf), "box": (SHEET_MM, np.inf)}
)


def surely_named(thing: Detection) -> Detection:
    """The thing with its name where that is sure enough, else `unknown`, for a person to name."""
    is_sure = thing.confidence >= _LIKELY.get(thing.cls, 0.0)
    lowest_mm, highest_mm = _HEIGHTS_MM.get(thing.cls, (0.0, np.inf))
    if is_sure and lowest_mm <= (thing.height_mm or 0.0) <= highest_mm:
        return thing
    return replace(thing, cls=UNKNOWN, level=None)

"""Signs of playing cards: indices and middles that a net proposes, and what the indices say."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.pieces import INDEX_CROP_PX, INDEX_CROP_PX_PER_MM, INDEX_FROM_CORNER_MM
from rules.scene import UNKNOWN
from vision.detect.pieces import Peaks
from vision.frame import ImageBgr
from vision.metric.patch import patches
from vision.naming.read import read_indices

Array = NDArray[np.float64]

# A reading that is less likely than this says nothing of the card: a coin lies on it.
COVERED = float(np.log(0.2))
# A card is named when its reading is at least this likely.
NAMED = float(np.log(0.85))


@dataclass(frozen=True)
class Hint:
    """One sign of a card (an index or a middle): the card's middle and direction guessed from it, and what it says."""

    centre_mm: tuple[float, float]
    angle_rad: float
    heat: float
    cls: str
    log_prob: float
    is_index: bool
    at_mm: tuple[float, float]


def index_hints(image_bgr: ImageBgr, plane: TablePlane, peaks: Peaks, size_mm: tuple[float, float]) -> list[Hint]:
    """What each proposed index says. Its patch is upright: the arrow points down, the x axis lies 90 degrees ahead."""
    crops = patches(image_bgr, plane, peaks.at_mm, peaks.angle_rad + np.pi / 2, INDEX_CROP_PX, INDEX_CROP_PX_PER_MM)
    names, log_probs = read_indices(crops).cards()
    hints = []
    for at, angle, heat, name, log_prob in zip(peaks.at_mm, peaks.angle_rad, peaks.heat, names, log_probs, strict=True):
        if name == "none":
            continue
        middle = _middle(at, angle, size_mm)
        hints.append(
            Hint(
                middle,
                float(angle),
                float(heat),
                name,
                float(log_prob),
                True,
                (float(at[0]), float(at[1])),
            )
        )
    return hints


def _middle(at_mm: Array, angle_rad: float, size_mm: tuple[float, float]) -> tuple[float, float]:
    """The middle of a card of that size from one of its indices, mm."""
    down = np.array([np.cos(angle_rad), np.sin(angle_rad)])
    right = np.array([-down[1], down[0]])
    across_mm, along_mm = INDEX_FROM_CORNER_MM
    x, y = at_mm + down * (size_mm[0] / 2 - along_mm) + right * (size_mm[1] / 2 - across_mm)
    return float(x), float(y)


def middles_of(hints: list[Hint], size_mm: tuple[float, float]) -> list[Hint]:
    """The hints of indices, each card's middle guessed as of one of that size."""
    return [replace(hint, centre_mm=_middle(np.array(hint.at_mm), hint.angle_rad, size_mm)) for hint in hints]


def middle_hints(peaks: Peaks) -> list[Hint]:
    """Each proposed middle, and whether it shows a back."""
    rows = zip(peaks.at_mm, peaks.angle_rad, peaks.heat, peaks.back, strict=True)
    return [
        Hint(
            (float(at[0]), float(at[1])),
            float(angle),
            float(heat),
            "BACK" if back > 0.5 else UNKNOWN,
            float(np.log(max(back, 1 - back))),
            False,
            (float(at[0]), float(at[1])),
        )
        for at, angle, heat, back in rows
    ]


def unread(group: list[Hint]) -> list[Hint]:
    """The hints of a card whose indices were read at the wrong size or turn: what they say does not count."""
    return [replace(hint, cls=UNKNOWN, log_prob=COVERED) if hint.is_index else hint for hint in group]

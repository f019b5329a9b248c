"""A pane of glass over the map: what measures the table shows through it, and the pieces lie on top.

Seen at a slant, a place under glass shows nearer to the camera than it lies, as if it were raised by a third to a half
of the pane's thickness. Pieces are not: above the plane as it seems to lie they are as high as the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.maps.folds import Folds
from calibration.plane import TablePlane

Array = NDArray[np.float64]

# Of window glass (1.52) and acrylic (1.49), for yellow light.
REFRACTION = 1.505
# Heights change slowly over the table.
_STEP_MM = 50.0
# A pane is measured with a ruler (standard deviation).
_RULER_MM = 0.25


@dataclass(frozen=True, eq=False)
class Pane(Folds):
    """A pane `thick_mm` thick over a table of `size_mm`, as one camera sees through it."""

    size_mm: tuple[float, float]
    thick_mm: float


def glass_over(plane: TablePlane, size_mm: tuple[float, float], thick_mm: float) -> Pane:
    """How high pieces on a pane lie above a plane that was measured through it."""
    columns, rows = (int(np.ceil(side / _STEP_MM)) + 1 for side in size_mm)
    x, y = np.meshgrid(_STEP_MM * np.arange(columns), _STEP_MM * np.arange(rows))
    share = seeming_share(plane.camera_position_mm, np.stack([x, y], axis=-1), thick_mm)
    return Pane((0.0, 0.0), _STEP_MM, thick_mm * share, _RULER_MM * share, size_mm, thick_mm)


def lying_again(plane: TablePlane, lies: Folds | None) -> TablePlane:
    """A plane that was measured again, with what lay on the one before: paper as it lay, a pane as this camera sees
    through it. As the one before saw it, a camera that came down from 60 to 35 degrees would be 1.3 mm off."""
    seen = glass_over(plane, lies.size_mm, lies.thick_mm) if isinstance(lies, Pane) else lies
    return replace(plane, folds=seen)


def seeming_share(camera_mm: Array, places_mm: Array, thick_mm: float) -> Array:
    """(...) how deep below a pane's upper side places (..., 2) under it seem to lie, as a share of its thickness.

    By Snell's law: sight that comes down at an angle a goes on at b, sin b = sin a / `REFRACTION`, and what lies one
    thickness deeper shows where nothing broken would show it tan b / tan a of that.
    """
    flat_mm = np.linalg.norm(places_mm - camera_mm[:2], axis=-1)
    sine = flat_mm / np.hypot(flat_mm, camera_mm[2] - thick_mm)
    return np.asarray(np.sqrt((1 - sine**2) / (REFRACTION**2 - sine**2)), float)

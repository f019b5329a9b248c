"""The table's outline in the picture."""

from __future__ import annotations

import numpy as np
from shapely import Polygon, box, segmentize

from calibration.plane import TablePlane

# Sides are bent by the lens between so many mm.
_APART_MM = 20.0


def outline_px(plane: TablePlane, table_size_mm: tuple[float, float]) -> Polygon | None:
    """The table's sides, px, also beyond the picture's edges; None where it goes on behind the camera, or a lens is
    asked for what it cannot show."""
    sides_mm = segmentize(box(0.0, 0.0, *table_size_mm), _APART_MM).exterior.coords
    sides_px = plane.to_image(np.array(sides_mm))
    if not np.isfinite(sides_px).all():
        return None
    outline = Polygon(sides_px)
    return outline if outline.is_valid else None

"""Round corners drawn with longer chords: what a path bends round may be coarser than what is drawn in the end."""

from __future__ import annotations

import math

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from rules.compiled import compiled

Floats = NDArray[np.float64]

# A chord spans at most a sixth of a circle, however small that is.
_TURN_COSINE = 0.5
_FEWEST = 3


def with_longer_chords(polygon: Polygon, sagitta_mm: float) -> Polygon:
    """The polygon with fewer corners, all of them its own: never larger, and smaller by at most `sagitta_mm`.

    A path round an arc of t radians gets shorter by at most t / 3 of the sagitta.
    """
    outline = shapely.orient_polygons(polygon)
    rings = [_thinned_out(shapely.get_coordinates(ring), sagitta_mm) for ring in shapely.get_rings(outline)]
    if any(len(ring) < _FEWEST for ring in rings):
        return polygon
    coarse = Polygon(rings[0], rings[1:])
    # A hole close to the outline may come to lie across it.
    return coarse if shapely.is_valid(coarse) else polygon


@compiled
def _thinned_out(ring: Floats, sagitta_mm: float) -> Floats:
    """Fewer corners of a closed ring with the solid on its left: from one on to the farthest that the chord allows."""
    corners = ring[:-1]
    count = len(corners)
    first = _sharpest(corners)
    kept = np.empty((count, 2))
    made, done = 0, 0
    while done < count:
        kept[made] = corners[(first + done) % count]
        made += 1
        step = 1
        while done + step < count and _allows(corners, first + done, step + 1, sagitta_mm):
            step += 1
        done += step
    return kept[:made]


@compiled
def _allows(corners: Floats, start: int, steps: int, sagitta_mm: float) -> bool:
    """Whether the chord over so many sides leaves out only ground of the solid, no deeper than the sagitta."""
    count = len(corners)
    ax, ay = corners[start % count]
    bx, by = corners[(start + steps) % count]
    if _cosine(corners, start, start + steps - 1) < _TURN_COSINE:
        return False
    length = math.hypot(bx - ax, by - ay)
    for step in range(1, steps):
        x, y = corners[(start + step) % count]
        depth = (by - ay) * (x - ax) - (bx - ax) * (y - ay)
        if not 0.0 <= depth <= sagitta_mm * length:
            return False
    return True


@compiled
def _cosine(corners: Floats, one: int, other: int) -> float:
    """The cosine between the sides that begin at two corners."""
    count = len(corners)
    ax, ay = corners[(one + 1) % count] - corners[one % count]
    bx, by = corners[(other + 1) % count] - corners[other % count]
    return float((ax * bx + ay * by) / (math.hypot(ax, ay) * math.hypot(bx, by)))


@compiled
def _sharpest(corners: Floats) -> int:
    """The corner at which the ring turns most."""
    sharpest, least = 0, math.inf
    for corner in range(len(corners)):
        cosine = _cosine(corners, corner - 1, corner)
        if cosine < least - 1e-9:
            sharpest, least = corner, cosine
    return sharpest

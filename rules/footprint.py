"""What a piece covers: the usual shape of its kind where nobody drew it (C2), and how long the sides of one are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Point, Polygon, box
from shapely.affinity import rotate

from rules.scene import COIN_DIAMETER_MM, Kind, Point2
from rules.setup import CARD_SIZE_MM

# A disc's diameter, or length and breadth, in mm.
Size = float | tuple[float, float]

# C2: what a piece of the kind measures when nothing is said; a toy soldier's and a small base's disc is an inch.
_SIZE_MM: Mapping[Kind, Size] = {
    "card": CARD_SIZE_MM["poker"],
    "die": (16.0, 16.0),
    "match": (43.0, 2.0),
    "soldier": 25.4,
    "base": 25.4,
}
# A disc as a polygon: 32 segments a quarter keep it within 0.03 mm of a 50 mm coin.
_QUAD_SEGS = 32
# Corners that two sides of a rectangle have.
_TWO_SIDES = 3


def usual_size_mm(kind: Kind, cls: str) -> Size | None:
    """The size of a piece of that kind and class; None for an unknown coin and for terrain, which has none."""
    return COIN_DIAMETER_MM.get(cls) if kind == "coin" else _SIZE_MM.get(kind)


def drawn(at: Point2, size_mm: Size, rotation_deg: float) -> Polygon:
    """A disc of that diameter, or a rectangle whose first side lies along the rotation."""
    if not isinstance(size_mm, tuple):
        return Point(at).buffer(size_mm / 2, quad_segs=_QUAD_SEGS)
    (x, y), (length_mm, breadth_mm) = at, size_mm
    lying = box(x - length_mm / 2, y - breadth_mm / 2, x + length_mm / 2, y + breadth_mm / 2)
    return rotate(lying, rotation_deg, origin=at)


def sides_mm(footprints: Sequence[Polygon]) -> NDArray[np.float64]:
    """(n, 2) the longer and the shorter side of footprints that are rectangles, however they are turned; 0 of none."""
    corners_mm = [shapely.get_coordinates(one)[:3] for one in shapely.oriented_envelope(footprints)]
    whole = [corners if len(corners) == _TWO_SIDES else np.zeros((_TWO_SIDES, 2)) for corners in corners_mm]
    sides = np.hypot(*np.diff(np.reshape(whole, (-1, _TWO_SIDES, 2)), axis=1).transpose(2, 0, 1))
    return np.asarray(np.sort(sides, axis=1)[:, ::-1], float)

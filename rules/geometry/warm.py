"""Compiles the geometry's inner loops once, so that the first ruling of a new installation does not wait for it.

`make install` runs this: python -m rules.geometry.warm. Without it the first use compiles (about 8 s of one core).
"""

from __future__ import annotations

from shapely import box

from rules.geometry.reach import Walk
from rules.geometry.sight import visibility_polygon, visible_pairs


def warm() -> None:
    """Run each compiled loop on the smallest scene that enters it."""
    bounds = box(0, 0, 40, 40)
    _ = Walk((9.0, 9.0), 5.0, (box(20, 2, 22, 5),), 1.0, bounds).region
    visibility_polygon((1.0, 1.0), [box(3, 3, 4, 4)], bounds)
    visible_pairs([(0.0, 0.0)], [(9.0, 9.0)], [box(3, 3, 4, 4)])


if __name__ == "__main__":
    warm()

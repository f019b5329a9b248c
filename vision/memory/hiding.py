"""What stands hides what lies behind it: which part of the table a thing keeps from the camera."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from shapely import LineString, Polygon, union_all
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from vision.detection import FIGURES, Detection

# A toy soldier is about so many times as tall as the mean radius of his base (50 mm on 8, `models.training.rendered`).
TALL_RADII = 6.0
# A change of which one thing showed on so much is that thing gone; a book laid over it is larger.
_GONE_SHARE = 1 / 3
# A card that is laid in the place of another lies so far beside it at most, and outlines of changes are as coarse.
_AROUND_MM = 8.0


def hidden_by(seen: Detection, plane: TablePlane) -> BaseGeometry:
    """What a thing hides of the table, mm: what lies under it, and behind what stands up to its top."""
    if seen.kind in FIGURES:
        return _behind_figure(seen, plane)
    if seen.kind in ("die", "terrain") and seen.height_mm:
        outline = np.asarray(seen.footprint.exterior.coords)
        top = plane.behind(outline, seen.elevation_mm + seen.height_mm)
        return union_all([seen.footprint, Polygon(top)]).convex_hull
    return seen.footprint


def _behind_figure(seen: Detection, plane: TablePlane) -> BaseGeometry:
    """All that lies behind it up to its head."""
    foot_and_head_mm = seen.elevation_mm + np.array([0.0, TALL_RADII * seen.radius_mm])
    return LineString(plane.behind([seen.position_mm] * 2, foot_and_head_mm)).buffer(seen.radius_mm)


def laid_over(changed_mm: BaseGeometry, shown_mm: Iterable[BaseGeometry]) -> BaseGeometry:
    """The parts of a change, made by no arm, that may hide what lay there: those that are not one thing's being taken.

    shown_mm  where on the table each thing showed
    """
    shown = list(shown_mm)
    parts = getattr(changed_mm, "geoms", [changed_mm])
    return union_all([part for part in parts if not any(is_gone(one, part) for one in shown)])


def is_within_one(changed_mm: BaseGeometry, shown_mm: Iterable[BaseGeometry]) -> bool:
    """Whether each part of a change lies where one thing lay, so that it was turned over, exchanged or taken off."""
    around = [one.buffer(_AROUND_MM) for one in shown_mm]
    parts = getattr(changed_mm, "geoms", [changed_mm])
    return all(any(one.covers(part) for one in around) for part in parts)


def is_gone(shown_mm: BaseGeometry, part_mm: BaseGeometry) -> bool:
    """Whether a part of a change is explained by one thing that showed there having gone."""
    return float(shown_mm.intersection(part_mm).area) >= _GONE_SHARE * float(part_mm.area)

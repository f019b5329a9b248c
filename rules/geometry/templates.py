"""Templates laid on the table: discs, cones, triangles, and what they cover (C4.6)."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon, intersection

from rules.scene import Point2

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

# The chords of a disc are at most this far inside its circle.
SAGITTA_MM = 0.02
# Overlaps thinner than this are a touch: far below any measurement, far above rounding (about 1e-10 mm on a table).
TOUCH_MM = 1e-6


def arc_steps(radius_mm: float, turn_rad: float = math.tau, sagitta_mm: float = SAGITTA_MM) -> int:
    """How many chords draw an arc of `turn_rad` with no chord farther than `sagitta_mm` from it; at least 1.

    Source  sagitta = r (1 - cos(step / 2)).
    """
    if radius_mm <= sagitta_mm:
        return max(1, math.ceil(abs(turn_rad) / (math.pi / 2)))
    step_rad = 2 * math.acos(1 - sagitta_mm / radius_mm)
    return max(1, math.ceil(abs(turn_rad) / step_rad))


def disc(center: Point2, radius_mm: float, sagitta_mm: float = SAGITTA_MM) -> Polygon:
    """All points of the table within `radius_mm` of `center`, as an inscribed polygon.

    center      table frame, mm
    radius_mm   > 0; 0 gives the empty polygon; negative raises ValueError
    Error       no chord is more than `sagitta_mm` inside the circle (256 corners or so at a foot)
    """
    if radius_mm < 0:
        raise ValueError(f"a disc's radius is at least 0 mm, not {radius_mm}")
    if radius_mm == 0:
        return Polygon()
    return Polygon(_rim(radius_mm, sagitta_mm) + np.asarray(center, float))


@lru_cache(maxsize=256)
def _rim(radius_mm: float, sagitta_mm: float) -> NDArray[np.float64]:
    """The corners of a disc about the origin; kept, because most discs of a game are of a few sizes."""
    corners = 4 * max(4, math.ceil(arc_steps(radius_mm, sagitta_mm=sagitta_mm) / 4))
    turns_rad = np.arange(corners) * (math.tau / corners)
    rim_mm: NDArray[np.float64] = np.column_stack((np.cos(turns_rad), np.sin(turns_rad))) * radius_mm
    return rim_mm


def triangle(tip: Point2, toward: Point2, length_mm: float, base_mm: float) -> Polygon:
    """The isosceles triangle with its tip at `tip`, pointing at `toward`.

    length_mm   from the tip to the middle of the base
    base_mm     breadth of the base, at right angles to the line of fire
    Raises      ValueError if `toward` is the tip: there is no direction then.
    """
    direction = np.subtract(toward, tip)
    distance_mm = math.hypot(*direction)
    if distance_mm == 0:
        raise ValueError("a triangle needs a direction: its tip and its aim are the same point")
    forward = direction / distance_mm
    left = np.array((-forward[1], forward[0]))
    middle = np.asarray(tip, float) + forward * length_mm
    return Polygon((tip, middle - left * (base_mm / 2), middle + left * (base_mm / 2)))


def cone(tip: Point2, toward: Point2, length_mm: float, angle_deg: float) -> Polygon:
    """The round-ended sector of `angle_deg` (up to 180) and `length_mm` from `tip`, its middle toward `toward`."""
    if tuple(tip) == tuple(toward):
        raise ValueError("a cone needs a direction: its tip and its aim are the same point")
    turn_rad = math.radians(angle_deg)
    middle_rad = math.atan2(toward[1] - tip[1], toward[0] - tip[0])
    steps = arc_steps(length_mm, turn_rad)
    turns_rad = middle_rad + np.linspace(-turn_rad / 2, turn_rad / 2, steps + 1)
    rim_mm = np.column_stack((np.cos(turns_rad), np.sin(turns_rad))) * length_mm + np.asarray(tip, float)
    return Polygon(np.vstack((np.asarray(tip, float), rim_mm)))


def covers(template: BaseGeometry, footprint: BaseGeometry) -> bool:
    """Whether the template overlaps the footprint by more than a touch (C4.6).

    A shared edge or corner is a touch; so is an overlap thinner than `TOUCH_MM`.
    """
    common = intersection(template, footprint)
    return common.area > TOUCH_MM * max(common.length / 2, TOUCH_MM)

"""How the map lies that the set-up names: flat, or folded, as far as its roads tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.folds import Folds
from calibration.folds_seen import folds_seen
from calibration.plane import TablePlane
from rules.map import Map
from rules.setup import Setup
from vision.frame import Frame


def as_it_lies(setup: Setup, plane: TablePlane, frame: Frame) -> TablePlane:
    """The plane with the folds of the map on it, which is told then."""
    if setup.map is None:
        return plane
    folds = folds_seen(frame.image_bgr, roads_by_class_mm(setup.map), plane, setup.table_size_mm)
    return plane if folds is None else replace(plane, folds=folds, notes=(*plane.notes, told(folds)))


def told(folds: Folds) -> str:
    """One line: how far off the table the map lies, and where, and what would be better."""
    x_mm, y_mm, high_mm = folds.highest_mm
    where = f"{abs(high_mm):.0f} mm {'above' if high_mm > 0 else 'below'} the table near ({x_mm:.0f}, {y_mm:.0f})"
    return f"the map does not lie flat, up to {where}: its roads tell how, and it is allowed for; flat is better"


def roads_by_class_mm(drawn: Map) -> Mapping[str, list[NDArray[np.float64]]]:
    """A map's roads as lines (n, 2), table mm, by class: those of one class are printed alike."""
    found: dict[str, list[NDArray[np.float64]]] = {}
    for road in drawn.roads:
        found.setdefault(road.cls, []).append(np.asarray(road.line.coords, float)[:, :2])
    return found

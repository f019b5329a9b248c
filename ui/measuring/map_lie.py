"""How the map lies that the set-up names: under glass, flat, or folded, as far as its roads tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.maps.folds import Folds
from calibration.maps.folds_seen import Astray, folds_seen
from calibration.maps.glass import glass_over
from calibration.plane import TablePlane
from rules.map import Map
from ui.setup.setup_file import SetupFile
from vision.frame import Frame

ASTRAY = (
    "the map's roads show some mm beside where the set-up has them: it lies elsewhere, or not flat; press it flat, lay"
    " it where it lay, or measure the table again"
)


def as_it_lies(setup: SetupFile, plane: TablePlane, frame: Frame) -> TablePlane:
    """The plane with the pane that lies over the map, or with the map's folds, which are told then."""
    drawn, sheet, glass_mm = setup.rules.map, setup.calibration.sheet, setup.calibration.glass_mm
    if glass_mm > 0:
        return replace(plane, folds=glass_over(plane, setup.rules.table_size_mm, glass_mm))
    if drawn is None:
        return plane
    by_map = setup.calibration.roads or (sheet is not None and sheet.picture is not None)
    roads, size_mm = roads_by_class_mm(drawn), setup.rules.table_size_mm
    lie = folds_seen(frame.image_bgr, roads, plane, size_mm, by_map=by_map)
    if lie is None:
        return plane
    folded = plane if isinstance(lie, Astray) else replace(plane, folds=lie)
    return replace(folded, notes=(*plane.notes, ASTRAY if isinstance(lie, Astray) else _folded(lie)))


def told_of_map(plane: TablePlane) -> tuple[str, ...]:
    """The line that `as_it_lies` added to a plane's notes, if it did."""
    lies = (ASTRAY, *([_folded(plane.folds)] if plane.folds is not None else []))
    return tuple(line for line in lies if line in plane.notes)


def _folded(folds: Folds) -> str:
    """How far off the table the map lies, and where, and what would be better."""
    x_mm, y_mm, high_mm = folds.highest_mm
    where = f"{abs(high_mm):.0f} mm {'above' if high_mm > 0 else 'below'} the table near ({x_mm:.0f}, {y_mm:.0f})"
    return f"the map does not lie flat, up to {where}: its roads tell how, and it is allowed for; flat is better"


def roads_by_class_mm(drawn: Map) -> Mapping[str, list[NDArray[np.float64]]]:
    """A map's roads as lines (n, 2), table mm, by class: those of one class are printed alike."""
    found: dict[str, list[NDArray[np.float64]]] = {}
    for road in drawn.roads:
        found.setdefault(road.cls, []).append(np.asarray(road.line.coords, float)[:, :2])
    return found

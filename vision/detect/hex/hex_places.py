"""The hexes of a mat as a lattice that sharpens the table plane (`calibration.rulers.by_lattice`)."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from calibration.rulers.lattice import Lattice
from vision.detect.hex.hex_fit import Shown, shown_near
from vision.detect.hex.hexgrid import IN_PART, HexGrid, cell_shares, find_hexgrid, ground_of, top_view
from vision.frame import ImageBgr

# A lens takes nine numbers and a tilt two: what is told by fewer marks is told badly, and misread more often.
_FEWEST = 60
_AROUND = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
# How much clearer, or less clear, than the middle one a mark may count.
_CLARITY = (0.25, 2.0)


@dataclass(eq=False)
class HexPlaces:
    """Sees the hexes of one picture: first by looking for a grid on a rough plane, then about where they were seen."""

    image_bgr: ImageBgr
    table_size_mm: tuple[float, float]
    _grid: HexGrid | None = field(default=None, init=False, repr=False)
    _before: Lattice | None = field(default=None, init=False, repr=False)

    def __call__(self, plane: TablePlane) -> Lattice | None:
        """The lattice on a plane that is nearly right; None where no grid is sure, or too little of it shows."""
        if self._grid is None:
            self._grid = find_hexgrid(self.image_bgr, plane, self.table_size_mm)
        if self._grid is None:
            return None
        step, origin = self._grid.factor, complex(*self._grid.origin_mm)
        if self._before is not None:
            step, origin = self._before.placed(plane.lens, plane.pose)
        ground = ground_of(top_view(plane, self.table_size_mm), self.image_bgr)
        shown = shown_near(ground, step, origin, self._grid.motif, self.table_size_mm)
        if shown is None:
            return None
        kept = shown.present & _well_inside(shown, abs(step), self.table_size_mm)
        if kept.sum() < _FEWEST:
            return None
        self._before = _lattice(shown, kept, step, plane)
        return self._before


def _lattice(shown: Shown, kept: NDArray[np.bool_], step: complex, plane: TablePlane) -> Lattice:
    normal, contrast = shown.marks.normal[kept], shown.contrast[kept]
    at = shown.marks.at[kept] + shown.offset_mm[kept] * normal
    weight = np.clip(contrast / np.median(contrast), *_CLARITY)
    px = plane.to_image(np.column_stack([at.real, at.imag]))
    return Lattice(px, shown.marks.unit[kept], normal / (step / abs(step)), weight)


def _well_inside(shown: Shown, pitch_mm: float, table_size_mm: tuple[float, float]) -> NDArray[np.bool_]:
    """(n,) whether marks lie amid the hexes that are there and away from the table's sides: an edge beside a mark draws
    it off its place, and the table with it by half a millimetre."""
    cells, share = cell_shares(shown.marks.cell, shown.present)
    part = {(int(q), int(r)) for q, r in cells[share >= IN_PART]}
    amid = {(q, r) for q, r in part if all((q + i, r + j) in part for i, j in _AROUND)}
    inside = np.array([(int(q), int(r)) in amid for q, r in shown.marks.cell], bool)
    at = np.column_stack([shown.marks.at.real, shown.marks.at.imag])
    off_sides = (at > pitch_mm / 2) & (at < np.asarray(table_size_mm) - pitch_mm / 2)
    return np.asarray(inside & off_sides.all(axis=1), bool)

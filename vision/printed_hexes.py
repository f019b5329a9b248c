"""The hexes that are printed on the table: seen once, remembered, and taken off the pictures before the nets look."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce

from calibration.plane import TablePlane
from vision.detect.hexgrid import HexGrid, find_hexgrid
from vision.frame import Frame
from vision.unprinted import Stretches, stretches_of, unprinted


@dataclass(eq=False)
class PrintedHexes:
    """A table's hex grid, looked for until it is found; a camera that moved is measured in the same table's mm."""

    table_size_mm: tuple[float, float]
    grid: HexGrid | None = None
    _plane: TablePlane | None = field(default=None, repr=False)
    _stretches: tuple[Stretches, ...] = field(default=(), repr=False)

    def taken_off(self, frame: Frame, plane: TablePlane) -> Frame:
        """The frame without the hexes' lines; as it is where no grid was found."""
        if self.grid is None:
            self.grid = find_hexgrid(frame.image_bgr, plane, self.table_size_mm)
        if self.grid is None:
            return frame
        if self._plane is not plane:
            height, width = frame.image_bgr.shape[:2]
            self._plane = plane
            self._stretches = stretches_of(self.grid, plane, (width, height), self.table_size_mm)
        return replace(frame, image_bgr=reduce(unprinted, self._stretches, frame.image_bgr))

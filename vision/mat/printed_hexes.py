"""The hexes that are printed on the table: seen once, remembered, and taken off the pictures before the nets look."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce

from calibration.plane import TablePlane
from vision.frame import Frame
from vision.mat.hex_search import HexSearch
from vision.mat.unprinted import Stretches, stretches_of, unprinted


@dataclass(eq=False)
class PrintedHexes:
    """Takes off what a table's grid draws; a camera that moved is measured in the same table's mm."""

    search: HexSearch
    _plane: TablePlane | None = field(default=None, repr=False)
    _stretches: tuple[Stretches, ...] = field(default=(), repr=False)

    def taken_off(self, frame: Frame, plane: TablePlane) -> Frame:
        """The frame without the hexes' lines; as it is where no grid was found."""
        grid = self.search.of(frame, plane)
        if grid is None:
            return frame
        if self._plane is not plane:
            height, width = frame.image_bgr.shape[:2]
            self._plane = plane
            self._stretches = stretches_of(grid, plane, (width, height), self.search.table_size_mm)
        return replace(frame, image_bgr=reduce(unprinted, self._stretches, frame.image_bgr))

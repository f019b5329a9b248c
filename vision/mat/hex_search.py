"""The hex grid of a table, looked for until it is found: at once, then ever more rarely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from calibration.plane import TablePlane
from vision.detect.hex.hexgrid import HexGrid, find_hexgrid
from vision.frame import Frame


@dataclass(eq=False)
class HexSearch:
    """Remembers the grid, and how often it was asked for. The 1st, 2nd, 4th, 8th ... time the picture is searched: a
    table without hexes costs a second of CPU each time, and OmniWar is played on such tables too (OMNI-4.3)."""

    table_size_mm: tuple[float, float]
    grid: HexGrid | None = None
    _asked: int = 0

    def of(self, frame: Frame, plane: TablePlane) -> HexGrid | None:
        """The grid, if it is found in this frame or was found before."""
        self._asked += 1
        if self.grid is None and self._asked & (self._asked - 1) == 0:
            # A grid is printed: it lies under a pane, if there is one, and pieces on top.
            self.grid = find_hexgrid(frame.image_bgr, plane.flat, self.table_size_mm)
        return self.grid


@runtime_checkable
class SeesHexes(Protocol):
    """Eyes that search for a grid themselves, to take it off what they look at."""

    @property
    def hex_search(self) -> HexSearch | None:
        """Their search; None where no hexes are expected."""
        ...

"""A large print cut into pages of the paper in the house, to be put together again."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from rules.scene import Point2
from ui.sheets.page import Paper

# So much of a page is on the next one too.
OVERLAP_MM = 10.0


@dataclass(frozen=True)
class Tile:
    """A page of the print.

    row, column  from the far left one, 0 the first
    corner_mm    its upper left corner on the print, mm to the right and down
    size_mm      how much of the print it shows
    """

    row: int
    column: int
    corner_mm: Point2
    size_mm: tuple[float, float]


@dataclass(frozen=True)
class Tiling:
    """The pages of a print of width and height in mm, row by row; neighbours share `OVERLAP_MM`."""

    paper: Paper
    size_mm: tuple[float, float]

    @classmethod
    def with_fewest_pages(cls, size_mm: tuple[float, float], paper_name: str) -> Tiling:
        """On A4 or Letter, upright or across, whichever takes fewer."""
        upright = Paper.for_content(1, 1, paper_name)
        across = Paper(upright.height_mm, upright.width_mm)
        return min((cls(paper, size_mm) for paper in (upright, across)), key=lambda tiling: math.prod(tiling.shape))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return _pages(self.size_mm[1], self.paper.free_height_mm), _pages(self.size_mm[0], self.paper.free_width_mm)

    def __iter__(self) -> Iterator[Tile]:
        rows, columns = self.shape
        for row in range(rows):
            for column in range(columns):
                x, y = column * self._steps_mm[0], row * self._steps_mm[1]
                shown = (
                    min(self.paper.free_width_mm, self.size_mm[0] - x),
                    min(self.paper.free_height_mm, self.size_mm[1] - y),
                )
                yield Tile(row, column, (x, y), shown)

    def seams_mm(self) -> tuple[list[float], list[float]]:
        """Where the pages are cut: x of the upright seams and y of those across, in the middle of what two share."""
        rows, columns = self.shape
        return (
            [column * self._steps_mm[0] + OVERLAP_MM / 2 for column in range(1, columns)],
            [row * self._steps_mm[1] + OVERLAP_MM / 2 for row in range(1, rows)],
        )

    @property
    def _steps_mm(self) -> tuple[float, float]:
        return self.paper.free_width_mm - OVERLAP_MM, self.paper.free_height_mm - OVERLAP_MM


def _pages(length_mm: float, free_mm: float) -> int:
    return max(math.ceil((length_mm - OVERLAP_MM) / (free_mm - OVERLAP_MM) - 1e-9), 1)

"""How far off a measured table plane is at places all over the table, and what it states for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.plane import SIGMAS_95, TablePlane

Array = NDArray[np.float64]

# Places all over a table of 700 x 500 mm.
GRID = np.array([[x, y] for x in np.linspace(0, 700, 8) for y in np.linspace(0, 500, 6)])


@dataclass(frozen=True, eq=False)
class TableError:
    """Of n places: how far off each is, mm (n,), and the half width that is stated for 95 % of such places, mm (n,)."""

    off_mm: Array
    stated_mm: Array

    @classmethod
    def of(cls, plane: TablePlane, px: Array, true_mm: Array) -> TableError:
        """Of places that show at `px` (n, 2) and truly lie at `true_mm` (n, 2)."""
        return cls(np.hypot(*(plane.to_table(px) - true_mm).T), SIGMAS_95 * plane.sigma_mm(px))

    @classmethod
    def all_over(cls, plane: TablePlane, camera: TablePlane, beyond_mm: float = 0.0) -> TableError:
        """Of `GRID`, beside the true camera; the plane's origin lies so far to the left of the grid's, and nearer."""
        return cls.of(plane, camera.to_image(GRID), GRID + beyond_mm)

    @classmethod
    def joined(cls, errors: Iterable[TableError]) -> TableError:
        """All places of several tables."""
        each = list(errors)
        return cls(np.concatenate([e.off_mm for e in each]), np.concatenate([e.stated_mm for e in each]))

    @property
    def holds(self) -> NDArray[np.bool_]:
        """(n,) whether each place lies within what is stated."""
        return np.asarray(self.off_mm <= self.stated_mm)

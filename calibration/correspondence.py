"""Which pixel shows which point of the table, who says so, and how exactly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

# A person's click, or a number typed to the whole pixel: 0.3 px of rounding and 0.4 px of hand (0.5 px together).
CLICK_SIGMA_PX = 0.5
# A number with decimals was measured: an edge fit and its rounding.
MEASURED_SIGMA_PX = 0.2


@dataclass(frozen=True, eq=False)
class Correspondences:
    """Points seen and known.

    image_px   (n, 2) distorted, as in the picture
    table_mm   (n, 2) table frame
    height_mm  (n,) above the table
    sigma_px   (n,) standard deviation of each coordinate in the picture
    sources    n names; points of one name stand or fall together ("marker 3")
    """

    image_px: Array
    table_mm: Array
    height_mm: Array
    sigma_px: Array
    sources: tuple[str, ...]

    @classmethod
    def of(
        cls,
        image_px: ArrayLike,
        table_mm: ArrayLike,
        sources: Iterable[str] | None = None,
        sigma_px: ArrayLike | None = None,
        height_mm: ArrayLike = 0.0,
    ) -> Correspondences:
        """From anything array-like; without `sources` each point is its own ("point 1", ...)."""
        image, table = np.asarray(image_px, float).reshape(-1, 2), np.asarray(table_mm, float).reshape(-1, 2)
        if len(image) != len(table):
            raise ValueError(f"{len(image)} image points but {len(table)} table points: they must go in pairs")
        names = tuple(sources) if sources is not None else tuple(f"point {i + 1}" for i in range(len(image)))
        sigma = np.broadcast_to(_sigma_of(image) if sigma_px is None else np.asarray(sigma_px, float), len(image))
        return cls(image, table, np.broadcast_to(np.asarray(height_mm, float), len(image)), sigma, names)

    @classmethod
    def joined(cls, parts: Iterable[Correspondences]) -> Correspondences:
        """All parts together, in their order."""
        every = [part for part in parts if len(part)]
        if not every:
            return cls.of(np.zeros((0, 2)), np.zeros((0, 2)))
        return cls(
            np.concatenate([part.image_px for part in every]),
            np.concatenate([part.table_mm for part in every]),
            np.concatenate([part.height_mm for part in every]),
            np.concatenate([part.sigma_px for part in every]),
            tuple(name for part in every for name in part.sources),
        )

    def __len__(self) -> int:
        return len(self.image_px)

    @property
    def groups(self) -> tuple[str, ...]:
        """The sources, each once, in their order."""
        return tuple(dict.fromkeys(self.sources))

    def only(self, groups: Iterable[str]) -> Correspondences:
        """The points of these sources."""
        wanted = set(groups)
        keep = np.array([name in wanted for name in self.sources], bool)
        names = tuple(name for name in self.sources if name in wanted)
        return Correspondences(
            self.image_px[keep], self.table_mm[keep], self.height_mm[keep], self.sigma_px[keep], names
        )


def _sigma_of(image_px: Array) -> float:
    return CLICK_SIGMA_PX if np.array_equal(image_px, np.round(image_px)) else MEASURED_SIGMA_PX

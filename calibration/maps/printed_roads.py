"""A map's roads as a picture shows them: what is seen across each of many places, and how that would lie higher."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane

Array = NDArray[np.float64]
Samples = NDArray[np.float32]
Image = NDArray[np.uint8]

# Places this far apart along a road, but no more of them in all than these.
_GAP_MM, _MOST_PLACES = 3.0, 9000
# A map's frame and its sheet's edge are lines as well.
EDGE_MM = 8.0
# cv2.remap takes no more rows than a signed 16-bit number tells.
assert _MOST_PLACES < 2**15


@dataclass(frozen=True, eq=False)
class PrintedRoads:
    """Places on roads that the picture shows, n of them.

    image      (h, w, 3) uint8, a little smoothed
    kind       (n,) of which class of roads: those of one class are printed alike
    mm         (n, 2) where the map has them
    across_mm  (n, 2) unit vectors across the road, on the table
    px         (n, 2) where the plane shows them, if the sheet is flat
    across_px  (n, 2) unit vectors across the road, in the picture
    px_per_mm  (n,) across it
    rise_px    (n,) how far across it shows, that is 1 mm higher
    """

    image: Image
    kind: NDArray[np.int_]
    mm: Array
    across_mm: Array
    px: Array
    across_px: Array
    px_per_mm: Array
    rise_px: Array

    @classmethod
    def seen(
        cls,
        image: Image,
        roads_mm: Mapping[str, Sequence[Array]],
        plane: TablePlane,
        size_mm: tuple[float, float],
        reach_mm: float,
    ) -> PrintedRoads:
        """Those on a map of that size, `reach_mm` within the picture.

        image     (h, w, 3) uint8
        roads_mm  lines (n, 2) by class, table mm
        """
        smooth = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8)
        kind, mm, across_mm = _places(roads_mm)
        px = plane.to_image(mm)
        along_px = plane.to_image(mm + np.stack([-across_mm[:, 1], across_mm[:, 0]], axis=1)) - px
        across_px = np.stack([along_px[:, 1], -along_px[:, 0]], axis=1)
        across_px /= np.maximum(np.hypot(*along_px.T), 1e-9)[:, None]
        scale = np.sum((plane.to_image(mm + across_mm) - px) * across_px, axis=1)
        rise_px = np.sum((plane.to_image(mm, 1.0) - px) * across_px, axis=1)
        margin_px = reach_mm * np.abs(scale)[:, None]
        with np.errstate(invalid="ignore"):
            shows = ((px > margin_px) & (px < np.array(plane.lens.size_px) - 1 - margin_px)).all(axis=1)
        shows &= ((mm > EDGE_MM) & (mm < np.array(size_mm) - EDGE_MM)).all(axis=1)
        sign = np.sign(scale)
        every = cls(smooth, kind, mm, across_mm, px, across_px * sign[:, None], np.abs(scale), rise_px * sign)
        return every.only(shows)

    def __len__(self) -> int:
        return len(self.mm)

    def only(self, kept: NDArray[np.bool_] | slice) -> PrintedRoads:
        """Some of the places."""
        return PrintedRoads(
            self.image,
            self.kind[kept],
            self.mm[kept],
            self.across_mm[kept],
            self.px[kept],
            self.across_px[kept],
            self.px_per_mm[kept],
            self.rise_px[kept],
        )

    def profiles(self, aside_px: Array) -> Samples:
        """(n, k, 3) the picture's colours across each place, so many px (n, k) from where the plane shows it."""
        u, v = (self.px.T[..., None] + aside_px * self.across_px.T[..., None]).astype(np.float32)
        seen = cv2.remap(self.image, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen, np.float32)


def _places(roads_mm: Mapping[str, Sequence[Array]]) -> tuple[NDArray[np.int_], Array, Array]:
    """Classes (n,), places (n, 2) and unit vectors across the roads there (n, 2), all roads one after the other."""
    lines = [line for group in roads_mm.values() for line in group]
    kinds = np.repeat(np.arange(len(roads_mm)), [sum(map(len, group)) for group in roads_mm.values()])
    corners = np.concatenate(lines)
    steps = np.diff(corners, axis=0)
    # From one road's end to the next one's beginning there are no places.
    steps[np.cumsum([len(line) for line in lines])[:-1] - 1] = 0.0
    lengths = np.hypot(*steps.T)
    ends = np.r_[0.0, np.cumsum(lengths)]
    gap_mm = max(_GAP_MM, float(ends[-1]) / _MOST_PLACES)
    at = (np.arange(int(ends[-1] / gap_mm)) + 0.5) * gap_mm
    which = np.searchsorted(ends, at) - 1
    way = steps[which] / lengths[which, None]
    places = corners[which] + (at - ends[which])[:, None] * way
    return kinds[which], places, np.column_stack([way[:, 1], -way[:, 0]])

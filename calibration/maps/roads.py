"""The roads of a known map as a reference: a rough plane drawn onto the lines that the picture shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from calibration.bending.plumb_line import Bend
from calibration.edges.edge import sample
from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.lens import Lens
from calibration.plane import TablePlane

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# How far in px to look on both sides of each road, round by round; clicks are good to a few px. Where roads lie close
# together those of the last rounds are not taken for one another. Each until the plane stands still: what is found of
# other lines, all round where the roads are expected, holds it back.
_REACHES_PX = (12.0, 8.0, 5.0, 4.0, 3.0, 2.0, 1.5)
ROUGH_PX, _FINEST_PX = _REACHES_PX[0], _REACHES_PX[-1]
_MOST_ROUNDS, _STILL_PX = 12, 0.1
_STEP_PX = 0.5
_GAP_MM = 4.0
_MOST_PLACES = 400
# Width in px of the line that the filter answers to best.
_LINE_PX = 1.5
# A line stands out by this much from what is beside it, or it is noise or a coin on the road.
_FAINTEST = 2.0
_ROADS_SIGMA_PX = 0.35
_FEWEST_PLACES = 40
# A place so many times the median off counts a quarter (Geman and McClure 1987): another line, a road's own casing.
_DOUBTED, _SHARPEST_PX = 2.0, 0.1
# Neighbours on a road err alike, and so do roads of one kind: of the places that are used so many are independent (the
# most with which eleven stills held for 95 %, with a lens file and without, docs/measured/table.md).
_USED, _INDEPENDENT = 240, 60
# Half of the roads stand out within so many px more than this share of what lies so far beside them does: 1.7 to 2.4
# times as much on four stills, of other maps, which were drawn onto what lines there are, 0.7 times at most.
_NEAR_PX, _BESIDE_MM, _CHANCE = 2.0, 7.0, 0.7
_UNKNOWN = "the map's roads are not recognised in the picture: check the map, or give four points"


def roads_seen(
    image: Image,
    roads_mm: Sequence[Array],
    rough: TablePlane,
    lens: Lens | None,
    reach_px: float = ROUGH_PX,
    bend: Bend | None = None,
) -> Correspondences:
    """Places on roads and where the picture shows them ("roads"), from a plane that is off by up to `reach_px`.

    roads_mm  lines (n, 2), table mm
    lens      None if it is not known
    bend      what the picture's straight edges tell of a lens that nobody measured
    Raises    ValueError where the roads are not in the picture, or others are
    Each place is found across its road only; roads of all directions hold the plane together.
    """
    lines = RoadLines.of(image, roads_mm)
    plane, seen = rough, Correspondences.joined([])
    for reach in (each for each in _REACHES_PX if each <= reach_px):
        for _ in range(_MOST_ROUNDS):
            seen, before = lines.followed(plane, reach), plane
            if len(seen) < _FEWEST_PLACES:
                raise ValueError(_UNKNOWN)
            plane = fit_plane(seen, lens, plane.lens.size_px, bend=bend)
            if np.abs(plane.to_image(seen.table_mm) - before.to_image(seen.table_mm)).max() < _STILL_PX:
                break
    if not lines.stand_out(plane):
        raise ValueError(_UNKNOWN)
    few = np.linspace(0, len(seen) - 1, min(len(seen), _USED)).astype(int)
    used = _on_roads(seen.image_px[few], seen.table_mm[few], seen.across[few], seen.sigma_px[few])
    return replace(used, crowd=max(1.0, len(used) / _INDEPENDENT))


@dataclass(frozen=True, eq=False)
class RoadLines:
    """Places (n, 2) mm on a map's roads, the unit directions there, and the picture's colours, a little smoothed."""

    places: Array
    along: Array
    channels: tuple[Image, ...]

    @classmethod
    def of(cls, image: Image, roads_mm: Sequence[Array]) -> RoadLines:
        """Places along lines (n, 2) mm, beside the picture (h, w) or (h, w, 3) uint8 that shows them."""
        smooth = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.8), np.uint8)
        channels = tuple(np.ascontiguousarray(each, np.uint8) for each in cv2.split(smooth))
        return cls(*_places(roads_mm), channels)

    def drawn_in(self, size_mm: tuple[float, float], margin_mm: float) -> RoadLines:
        """The map shrunk so that its margin lies within `size_mm`.

        So a plane shows it that was measured by the sheet's corners while they were taken for the map's.
        """
        shrink = np.array(size_mm) / (np.array(size_mm) + 2 * margin_mm)
        return replace(self, places=(self.places + margin_mm) * shrink)

    def strengths(self, plane: TablePlane, reach_px: float) -> Array:
        """(n,) how strong a line, in grey levels, shows near where the plane puts each place; 0 where too few show."""
        px, across, _ = self._shown(plane, reach_px)
        return _line_shift(self.channels, px, across, reach_px)[1] if len(px) >= _FEWEST_PLACES else np.zeros(1)

    def stand_out(self, plane: TablePlane) -> bool:
        """Whether the roads show where the plane has them, or by chance, as what lies beside them does."""
        across = np.column_stack([-self.along[:, 1], self.along[:, 0]]) * _BESIDE_MM
        beside = [replace(self, places=self.places + aside).strengths(plane, _NEAR_PX) for aside in (-across, across)]
        return bool(np.median(self.strengths(plane, _NEAR_PX)) > np.quantile(np.concatenate(beside), _CHANCE))

    def followed(self, plane: TablePlane, reach_px: float) -> Correspondences:
        """The places moved across their roads to where the line is; what stands out from the others is dropped."""
        px, across, mm = self._shown(plane, reach_px)
        if not len(px):
            return Correspondences.joined([])
        shift, contrast = _line_shift(self.channels, px, across, reach_px)
        clear = (contrast > _FAINTEST) & np.isfinite(shift)
        middle = float(np.median(np.abs(shift[clear]))) if clear.any() else 0.0
        kept = clear & (np.abs(shift) <= max(4 * middle, 1.0))
        found = px[kept] + shift[kept, None] * across[kept]
        near = reach_px if reach_px > _FINEST_PX else _DOUBTED * max(middle, _SHARPEST_PX)
        doubt = 1 + np.square(shift[kept] / near)
        return _on_roads(found, mm[kept], across[kept], _ROADS_SIGMA_PX * doubt)

    def _shown(self, plane: TablePlane, reach_px: float) -> tuple[Array, Array, Array]:
        """(n, 2) px of the places in the picture, unit vectors across their roads there, and their mm."""
        px = plane.to_image(self.places)
        way = plane.to_image(self.places + self.along) - px
        across = np.stack([way[:, 1], -way[:, 0]], axis=1) / np.maximum(np.hypot(*way.T), 1e-9)[:, None]
        margin = reach_px + 4
        inside = (px > margin).all(axis=1) & (px < np.array(plane.lens.size_px) - margin - 1).all(axis=1)
        return px[inside], across[inside], self.places[inside]


def _on_roads(image_px: Array, table_mm: Array, across: Array, sigma_px: Array) -> Correspondences:
    return Correspondences.of(image_px, table_mm, ["roads"] * len(image_px), sigma_px, across=across)


def _places(roads_mm: Sequence[Array]) -> tuple[Array, Array]:
    """Places (n, 2) every few mm along the roads, however finely they are drawn, and the unit directions there."""
    if not len(roads_mm):
        raise ValueError("the map has no roads to calibrate by")
    found = [_along(road) for road in roads_mm]
    every, ways = (np.concatenate(each) for each in zip(*found, strict=True))
    few = np.linspace(0, len(every) - 1, min(len(every), _MOST_PLACES)).astype(int)
    return every[few], ways[few]


def _along(road: Array) -> tuple[Array, Array]:
    """Places (n, 2) along one road (m, 2), and the directions in which it runs there, over a gap between two."""
    ends = np.r_[0.0, np.cumsum(np.hypot(*np.diff(road, axis=0).T))]
    at = (np.arange(int(ends[-1] / _GAP_MM)) + 0.5) * _GAP_MM
    before, here, after = (
        np.stack([np.interp(at + step * _GAP_MM, ends, axis) for axis in road.T], axis=1) for step in (-0.5, 0.0, 0.5)
    )
    chord = after - before
    return here, chord / np.maximum(np.hypot(*chord.T), 1e-9)[:, None]


def _line_shift(channels: Sequence[Image], px: Array, across: Array, reach_px: float) -> tuple[Array, Array]:
    """(n,) px across each road to the strongest line within reach, and how strong it is in grey levels; NaN px where it
    is the flank of a line beyond."""
    pad = 3 * _LINE_PX
    offsets = np.arange(-reach_px - pad, reach_px + pad + _STEP_PX / 2, _STEP_PX)
    where = px[:, None] + offsets[:, None] * across[:, None]
    taps = np.arange(-pad, pad + _STEP_PX / 2, _STEP_PX) / _LINE_PX
    ridge = (1 - taps**2) * np.exp(-(taps**2) / 2)
    ridge -= ridge.mean()
    ridge /= np.abs(ridge).sum() / 2
    # The ridge is the same from both ends.
    answers = [sliding_window_view(sample(each, where), len(ridge), axis=1) @ ridge for each in channels]
    strength = np.sqrt(np.sum(np.square(answers), axis=0))
    peak = np.clip(np.argmax(strength, axis=1), 1, strength.shape[1] - 2)
    rows = np.arange(len(px))
    left, top, right = (strength[rows, peak + k] for k in (-1, 0, 1))
    bend = left - 2 * top + right
    is_line = (top >= left) & (top >= right) & (bend < 0)
    vertex = np.where(is_line, 0.5 * (left - right) / np.where(is_line, bend, 1), np.nan)
    return (peak + vertex) * _STEP_PX - reach_px, top

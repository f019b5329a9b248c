"""Printers that fit the sheet to the page, and sizes told in another unit: all printed markers are smaller or larger
than said, by one share. And one marker, or two, that were printed at another scale than the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from calibration.fit.bundle import CameraFit
from calibration.fit.correspondence import Correspondences
from calibration.fit.seen import Seen

Array = NDArray[np.float64]

# So many markers that agree on a share tell it.
_FEWEST_MARKERS = 3
# So many of one size tell that others are of another, if their size differs by more than this.
_FEWEST_ALIKE, _LEAST_ODD = 2, 0.01
# The markers agree on a scale if they scatter by less than this part of its difference from 1.
_SCATTER = 0.3
# Printers make a sheet half as large to twice; a size is told in centimetres, inches or metres as well. Markers that
# measure smaller have their middles told so, which measures no table.
_LEAST, _MOST = 0.5, 1500.0


def tells_print_scale(seen: Seen) -> bool:
    """Whether there are markers enough to tell the scale that the sheet was printed at."""
    return bool(_markers(seen))


def print_scales(seen: Seen, fit: CameraFit) -> tuple[float, ...]:
    """The shares of their told size that the markers may have: by their ink, which the fit tells from light that
    spreads into them, and by how large they measure on its plane; none where they tell no common share.

    Light alone makes markers of 40 mm look 2 to 3 % small.
    """
    parts = _markers(seen)
    shares = [_size(fit.pose.to_table(fit.lens, part.image_px)) / _size(part.table_mm) for part in parts]
    if not shares or not np.isfinite(shares).all():
        return ()
    share, side_mm = float(np.median(shares)), float(np.median([_size(part.table_mm) for part in parts])) / np.sqrt(2)
    if np.ptp(shares) >= _SCATTER * abs(share - 1):
        return ()
    return tuple(each for each in (1 + 2 * fit.ink_mm / side_mm, share) if each != 1.0 and _LEAST < each < _MOST)


def odd_markers(seen: Seen, fit: CameraFit, count: int) -> dict[str, float]:
    """The one or two markers whose size differs from the others' on the fit's plane, and how many times as large as
    theirs each is, beside what is told of it; none where too few are seen. Light spreads into all alike.

    Of two against two those are odd that are not as large as said.
    """
    parts = _markers(seen)
    sizes = {
        part.sources[0]: _size(fit.pose.to_table(fit.lens, part.image_px)) / _size(part.table_mm) for part in parts
    }
    if len(parts) < count + _FEWEST_ALIKE or not np.isfinite(list(sizes.values())).all():
        return {}

    def others(odd: tuple[str, ...]) -> Array:
        return np.array([np.log(size) for name, size in sizes.items() if name not in odd])

    every = combinations(sizes, count)
    odd = min(every, key=lambda names: float(np.ptp(others(names)) + abs(np.median(others(names)))))
    usual = np.exp(np.median(others(odd)))
    shares = {name: float(sizes[name] / usual) for name in odd}
    return shares if all(abs(share - 1) > _LEAST_ODD for share in shares.values()) else {}


def scaled(seen: Seen, share: float) -> Seen:
    """The same with each marker `share` times as large about its middle."""
    return resized(seen, {part.sources[0]: share for part in _markers(seen)})


def resized(seen: Seen, shares: Mapping[str, float]) -> Seen:
    """The same with the markers of these names so many times as large about their middles."""
    table_mm = seen.points.table_mm.copy()
    for name, share in shares.items():
        mine = seen.points.of_source[name]
        middle = table_mm[mine].mean(axis=0)
        table_mm[mine] = middle + share * (table_mm[mine] - middle)
    return replace(seen, points=replace(seen.points, table_mm=table_mm))


def _markers(seen: Seen) -> list[Correspondences]:
    """Fixed things with four corners."""
    fixed = [name for name in seen.points.groups if name not in seen.points.loose]
    parts = [seen.points.only((name,)) for name in fixed if seen.points.sources.count(name) == 4]
    return parts if len(parts) >= _FEWEST_MARKERS else []


def _size(corners: Array) -> float:
    return float(np.sqrt(np.square(corners - corners.mean(axis=0)).sum()))

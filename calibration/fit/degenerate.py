"""References of which no table plane can be made, each refused with one line that says what to do about it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from calibration.fit.correspondence import Correspondences
from calibration.fit.planar import turn
from calibration.fit.seen import Seen

Array = NDArray[np.float64]

# A triangle whose height is under 3 % of its longest side is a line to a person who clicks.
FLAT_TRIANGLE = 0.03
SAME_PX = 1.0
SAME_MM = 0.5
# One disc's ellipse is ambiguous and its tilt weak; four of them hold a plane to about a degree.
FEWEST_CIRCLES = 4


def check_seen(seen: Seen) -> None:
    """Refuse what fixes no plane: ValueError with one line."""
    points = seen.points
    if not (np.isfinite(points.image_px).all() and np.isfinite(points.table_mm).all()):
        raise ValueError("a calibration point is not a number: each needs u, v in px and x, y in mm")
    fixed = points.only(tuple(name for name in points.groups if name not in points.loose))
    if points.loose:
        _check_turn(fixed)
    elif not (len(points) == 0 and len(seen.circles) >= FEWEST_CIRCLES):
        check_points(fixed)


def check_points(seen: Correspondences) -> None:
    """Refuse points that fix no plane by themselves."""
    if len(seen) < 4:
        raise ValueError(
            f"only {len(seen)} calibration points: a table plane needs at least four, or three and a lens file"
        )
    _check_doubles(seen)
    for points, where in ((seen.table_mm, "on the table"), (seen.image_px, "in the picture")):
        if not _spread_out(points):
            raise ValueError(
                f"the calibration points lie on a line {where}: give at least four, no three of them on a line"
            )
    if len(seen) == 4:
        _check_order(seen)


def lie_on_line(points: Array) -> bool:
    """Whether points (n, 2) all lie as good as on one line."""
    long, broad = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    return bool(broad <= FLAT_TRIANGLE * long)


def _check_turn(fixed: Correspondences) -> None:
    """Beside cards one fixed place leaves the table free to turn about it."""
    if len(fixed) and (
        np.ptp(fixed.table_mm, axis=0).max() < SAME_MM or np.ptp(fixed.image_px, axis=0).max() < SAME_PX
    ):
        raise ValueError(
            "one calibration point beside cards does not tell how the table is turned: give another, far from it"
        )


def _check_doubles(seen: Correspondences) -> None:
    """Of four points none may be spared; among more, a doubled one is caught by what it contradicts."""
    for i, j in combinations(range(len(seen)), 2) if len(seen) == 4 else ():
        same_px = np.hypot(*(seen.image_px[i] - seen.image_px[j])) < SAME_PX
        same_mm = np.hypot(*(seen.table_mm[i] - seen.table_mm[j])) < SAME_MM
        if same_px or same_mm:
            where = "in the picture" if same_px else "on the table"
            raise ValueError(
                f"{seen.sources[i]} and {seen.sources[j]} are the same point {where}: give each point once"
            )


def _spread_out(points: Array) -> bool:
    """Whether some four points have no three on a line (the first that will do; many points are thinned)."""
    few = points[np.linspace(0, len(points) - 1, min(len(points), 12)).astype(int)]
    return any(
        all(_relative_height(few[list(triple)]) > FLAT_TRIANGLE for triple in combinations(four, 3))
        for four in combinations(range(len(few)), 4)
    )


def _relative_height(triangle: Array) -> float:
    sides = triangle - np.roll(triangle, 1, axis=0)
    longest = float(np.max(np.hypot(*sides.T)))
    return abs(turn(triangle)) / max(longest**2, 1e-12)


def _check_order(seen: Correspondences) -> None:
    """Four corners must go round the other way in the picture (v is down); all of them, or two are swapped."""
    if _goes_round(seen.image_px, seen.table_mm):
        return
    if _goes_round(seen.image_px * [-1, 1], seen.table_mm):
        raise ValueError(
            "the calibration points run the wrong way round: the picture is mirrored, or x and y are swapped "
            "(x to the right, y away from the near edge)"
        )
    for i, j in combinations(range(4), 2):
        order = np.arange(4)
        order[[i, j]] = j, i
        if _goes_round(seen.image_px[order], seen.table_mm):
            raise ValueError(f"the calibration points cross: {seen.sources[i]} and {seen.sources[j]} look swapped")
    raise ValueError("the calibration points cross: check which pixel belongs to which place on the table")


def _goes_round(image_px: Array, table_mm: Array) -> bool:
    return all(turn(image_px[list(triple)]) * turn(table_mm[list(triple)]) < 0 for triple in combinations(range(4), 3))

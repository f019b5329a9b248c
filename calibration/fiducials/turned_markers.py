"""Markers that lie turned to what the set-up says: their middles tell the table, and so which way each looks."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fiducials.markers import Marker
from calibration.fit.correspondence import Correspondences
from calibration.fit.planar import cross

Array = NDArray[np.float64]

# So many middles fix a homography; what a lens bends turns a marker by a degree or two, hands by five.
_MIDDLES, _TURNED_DEG, _SQUARE_DEG = 4, 20.0, 8.0
# Where markers do not measure about as large as they are, the middles are not where the set-up has them.
_OTHER_SIZE = 0.25
# What is said of markers that hands laid askew.
_TOLD_DEG = 0.5


def turned_by(
    markers: Collection[Marker],
    centres_mm: Mapping[int, tuple[float, float]],
    size_mm: float,
    told_deg: Mapping[int, float],
) -> dict[int, float]:
    """By id, how far each marker is turned from what was told, degrees counter-clockwise; nearly a quarter counts as
    one. Only those that are; none where too few are seen, or their middles lie elsewhere."""
    if len(markers) < _MIDDLES:
        return {}
    middles_px = np.array([_middle(marker.corners_px) for marker in markers])
    table_mm = np.array([centres_mm[marker.id] for marker in markers], float)
    homography, _ = cv2.findHomography(middles_px, table_mm)
    # OpenCV gives None for middles in a line, whatever its stubs say.
    if np.ndim(homography) != 2:
        return {}
    corners_mm = np.array([marker.corners_px for marker in markers]).reshape(-1, 1, 2)
    lying = cv2.perspectiveTransform(corners_mm, homography).reshape(-1, 4, 2)
    sides_mm = np.linalg.norm(np.roll(lying, -1, axis=1) - lying, axis=-1)
    tops, sides = np.asarray(lying[:, 1] - lying[:, 0], float), np.asarray(lying[:, 2] - lying[:, 1], float)
    is_mirrored = bool((cross(tops, sides) > 0).any())
    if is_mirrored or np.abs(sides_mm / size_mm - 1).max() > _OTHER_SIZE:
        return {}
    looks_deg = np.degrees(np.arctan2(tops[:, 1], tops[:, 0]))
    off_deg = {
        marker.id: float((look - told_deg.get(marker.id, 0.0)) % 360)
        for marker, look in zip(markers, looks_deg, strict=True)
    }
    return {marker: _squared(off) for marker, off in off_deg.items() if _TURNED_DEG < off < 360 - _TURNED_DEG}


def askew_in_words(turns_deg: Mapping[str, float], points: Correspondences) -> str:
    """Which markers of `points` lie askew, by source, and the `turn_deg` that says it; "" where none does by much."""
    much = {name: turn for name, turn in turns_deg.items() if abs(turn) >= _TOLD_DEG}
    if not much:
        return ""
    by = ", ".join(f"{name} by {turn:.1f} degrees" for name, turn in much.items())
    lies = {name: (_told_deg(points.only((name,)).table_mm) + turn) % 360 for name, turn in much.items()}
    said = ", ".join(f"{name.removeprefix('marker ')} = {turn:.1f}" for name, turn in lies.items())
    return f"laid askew: {by}; measured so, and `turn_deg = {{ {said} }}` beside the centres says it"


def _told_deg(corners_mm: Array) -> float:
    along = corners_mm[1] - corners_mm[0]
    return float(np.degrees(np.arctan2(along[1], along[0])))


def _middle(corners_px: Array) -> Array:
    """(2,) where the diagonals cross: the middle in any view."""
    first, second = (np.cross([*corners_px[at], 1.0], [*corners_px[at + 2], 1.0]) for at in (0, 1))
    crossing = np.cross(first, second)
    return np.asarray(crossing[:2] / crossing[2], float)


def _squared(off_deg: float) -> float:
    quarter = 90.0 * round(off_deg / 90)
    return quarter if abs(off_deg - quarter) < _SQUARE_DEG else float(round(off_deg))

"""How large a die is: by how far each size lies on edges, by what it covers that is no ground, and by what is usual."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.pieces import DIE_SIDE_MM
from vision.detect.die.die_silhouette import area_mm2, covered
from vision.frame import ImageBgr

Array = NDArray[np.float64]

# Sides that dice have, mm, and how usual each is; in a silhouette smaller and larger ones are tried, too.
SIDES_MM = np.arange(12.0, 20.1)
_USUAL = np.array([2, 1, 2, 1, 8, 1, 1.5, 1.5, 1])
_TRIED_MM = np.arange(10.0, 22.1)
_AMONG_TRIED = np.isin(_TRIED_MM, SIDES_MM)
# A silhouette tells the size where the best one covers what is no ground to this share, and is none of the ends.
_COVERED = 0.7
# Likelihoods (logarithm): of lying on no edge for all of the best one's, beside a silhouette and alone, and of a mm of
# the silhouette's outline; of such a share of dice both tell nothing. Fitted to 129 path traced dice of 12 to 20 mm,
# rounded by 4 to 25 % of their side, by another maker (*script*).
_EDGES, _EDGES_ALONE, _OUTLINE, _ASTRAY = 4.1, 2.2, 2.1, 0.05
_OUTLINE_MM = 4 * DIE_SIDE_MM
# Where none lies on so much edge, none is told.
_LEAST = 0.2
# A die is of the usual side, to a mm, unless it is less likely than this; how far off a side is at least, mm.
_LIKELY, _SURE_MM = 0.3, 0.5
# How far the net points aside of the middle of a top, mm: it sees a small die's top and front as one. So much of what
# the silhouette says of that counts, beyond what it may be off by; a rounded die's seems so much nearer to the camera.
_POINTED_MM, _BY_SILHOUETTE_MM, _COUNTS, _ASIDE_MM, _NEARER_MM = 0.8, 0.55, 0.7, 0.7, 0.5


@dataclass(frozen=True, eq=False)
class DieSize:
    """A die's side and how far off that may be, mm; by how much the middle of its top shows aside of where the net
    points, (2,) mm on the table, and how far off that may be."""

    side_mm: float
    side_sigma_mm: float
    aside_mm: Array
    top_sigma_mm: float


def die_size(
    image_bgr: ImageBgr, plane: TablePlane, tops: Sequence[tuple[Array, float]], index: int, borne: Array
) -> DieSize:
    """How large one of several dice is.

    tops   where the middle of each one's top shows on the table, (2,) mm, and how its sides are turned, radians
    index  of the one
    borne  how far a die of each of `SIDES_MM` lies on edges there, 0 to 1
    """
    at_mm, turn = tops[index]
    others = [*tops[:index], *tops[index + 1 :]]
    by_edges = borne / max(borne.max(), _LEAST) - 1
    covers, off_mm = covered(image_bgr, plane, at_mm, turn, _TRIED_MM, others)
    most = int(covers.argmax())
    share = covers[most] / area_mm2(plane, at_mm, turn, _TRIED_MM[most])
    if not (0 < most < len(_TRIED_MM) - 1 and share > _COVERED):
        return DieSize(*_told(_EDGES_ALONE * by_edges)[:2], np.zeros(2), _POINTED_MM)
    short_mm = (covers.max() - covers[_AMONG_TRIED]) / _OUTLINE_MM
    side_mm, sigma_mm, likely = _told(_EDGES * by_edges - _OUTLINE * short_mm)
    aside_mm = likely @ off_mm[_AMONG_TRIED] - _NEARER_MM * _toward_camera(plane, at_mm)
    counts = _COUNTS * max(0.0, 1 - _ASIDE_MM / max(float(np.linalg.norm(aside_mm)), _ASIDE_MM))
    return DieSize(side_mm, sigma_mm, counts * aside_mm, _BY_SILHOUETTE_MM)


def _told(log_likely: Array) -> tuple[float, float, Array]:
    """The side that is told, how far off it may be, mm, and how likely each is."""
    likely = _USUAL * np.exp(log_likely - log_likely.max())
    likely = (1 - _ASTRAY) * likely / likely.sum() + _ASTRAY * _USUAL / _USUAL.sum()
    is_usual = likely[np.abs(SIDES_MM - DIE_SIDE_MM) <= 1].sum() >= _LIKELY
    side_mm = DIE_SIDE_MM if is_usual else float(likely @ SIDES_MM)
    return side_mm, max(float(np.sqrt(likely @ np.square(SIDES_MM - side_mm))), _SURE_MM), likely


def _toward_camera(plane: TablePlane, at_mm: Array) -> Array:
    """(2,) the way along the table to below the camera; none from right below it."""
    way = np.asarray(plane.camera_position_mm, float)[:2] - at_mm
    return np.asarray(way / max(float(np.linalg.norm(way)), 1.0), float)

"""How large dice are: by how far each size lies on edges, by what it covers that is no ground, by what is usual and by
how large the others on the table are."""

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
# Dice on one table are mostly of one set: so much of what is usual is what the others there seem to be, n / (n + 1) of
# it if there are n. Chosen on 434 path traced dice of two makers, half of them of mixed sizes (*script*).
_OF_A_SET = 0.5
# For each mm that a die is smaller the net points so much nearer to the camera, even where the silhouette corrects it
# (two makers: 0.10 to 0.12), so that size and place err the same way. From this slant on, mm aside for a mm of height.
_POINTED_NEARER, _SLANT = 0.1, 0.05
# How far the net points aside of the middle of a top, mm: it sees a small die's top and front as one. So much of what
# the silhouette says of that counts, beyond what it may be off by; a rounded die's seems so much nearer to the camera.
_POINTED_MM, _BY_SILHOUETTE_MM, _COUNTS, _ASIDE_MM, _NEARER_MM = 0.8, 0.55, 0.7, 0.7, 0.5


@dataclass(frozen=True, eq=False)
class DieSize:
    """A die's side and how far off that may be, mm; by how much the middle of its top shows aside of where the net
    points, (2,) mm on the table, and how far off that may be.

    height_sigma_mm  how far off its top's height would be if the side alone were to err as much as side and top do
    """

    side_mm: float
    side_sigma_mm: float
    aside_mm: Array
    top_sigma_mm: float
    height_sigma_mm: float


@dataclass(frozen=True, eq=False)
class _Signs:
    """How likely each of `SIDES_MM` is, (n,) logarithms, whatever is usual, and by how much the middle of its top shows
    aside then, (n, 2) mm; None where the silhouette tells nothing."""

    log_likely: Array
    off_mm: Array | None


def die_sizes(
    image_bgr: ImageBgr, plane: TablePlane, tops: Sequence[tuple[Array, float]], borne: Sequence[Array]
) -> list[DieSize]:
    """How large each of several dice is.

    tops   where the middle of each one's top shows on the table, (2,) mm, and how its sides are turned, radians
    borne  for each how far a die of each of `SIDES_MM` lies on edges there, 0 to 1; of those at the end of `tops` that
           have none it is known only that they hide what is behind them
    """
    signs = [_signs(image_bgr, plane, tops, index, each) for index, each in enumerate(borne)]
    usual = _usual_among([_likely(each.log_likely, _USUAL / _USUAL.sum()) for each in signs])
    return [_size(plane, at_mm, *each) for (at_mm, _), each in zip(tops, zip(signs, usual, strict=True), strict=False)]


def _signs(
    image_bgr: ImageBgr, plane: TablePlane, tops: Sequence[tuple[Array, float]], index: int, borne: Array
) -> _Signs:
    """What edges and silhouette say of one of the dice."""
    at_mm, turn = tops[index]
    others = [*tops[:index], *tops[index + 1 :]]
    by_edges = borne / max(borne.max(), _LEAST) - 1
    covers, off_mm = covered(image_bgr, plane, at_mm, turn, _TRIED_MM, others)
    most = int(covers.argmax())
    share = covers[most] / area_mm2(plane, at_mm, turn, _TRIED_MM[most])
    if not (0 < most < len(_TRIED_MM) - 1 and share > _COVERED):
        return _Signs(_EDGES_ALONE * by_edges, None)
    short_mm = (covers.max() - covers[_AMONG_TRIED]) / _OUTLINE_MM
    return _Signs(_EDGES * by_edges - _OUTLINE * short_mm, off_mm[_AMONG_TRIED])


def _usual_among(likely: Sequence[Array]) -> list[Array]:
    """For each of several dice how usual each size is, by how likely each is for the others."""
    usual, others = _USUAL / _USUAL.sum(), len(likely) - 1
    weight = _OF_A_SET / max(len(likely), 1)
    return [usual + weight * (np.sum(likely, axis=0) - each - others * usual) for each in likely]


def _likely(log_likely: Array, usual: Array) -> Array:
    """(n,) how likely each side is."""
    likely = usual * np.exp(log_likely - log_likely.max())
    return np.asarray((1 - _ASTRAY) * likely / likely.sum() + _ASTRAY * usual, float)


def _size(plane: TablePlane, at_mm: Array, signs: _Signs, usual: Array) -> DieSize:
    """What is told of a die where so much is usual."""
    likely = _likely(signs.log_likely, usual)
    side_mm, sigma_mm = _told(likely)
    toward = _toward_camera(plane, at_mm)
    pointed_mm = _POINTED_NEARER * (side_mm - DIE_SIDE_MM) * toward
    height_sigma_mm = sigma_mm * (1 + _POINTED_NEARER / max(_slant(plane, at_mm), _SLANT))
    if signs.off_mm is None:
        return DieSize(side_mm, sigma_mm, pointed_mm, _POINTED_MM, height_sigma_mm)
    aside_mm = likely @ signs.off_mm - _NEARER_MM * toward
    counts = _COUNTS * max(0.0, 1 - _ASIDE_MM / max(float(np.linalg.norm(aside_mm)), _ASIDE_MM))
    return DieSize(side_mm, sigma_mm, counts * aside_mm + pointed_mm, _BY_SILHOUETTE_MM, height_sigma_mm)


def _told(likely: Array) -> tuple[float, float]:
    """The side that is told, and how far off it may be, mm."""
    is_usual = likely[np.abs(SIDES_MM - DIE_SIDE_MM) <= 1].sum() >= _LIKELY
    side_mm = DIE_SIDE_MM if is_usual else float(likely @ SIDES_MM)
    return side_mm, max(float(np.sqrt(likely @ np.square(SIDES_MM - side_mm))), _SURE_MM)


def _slant(plane: TablePlane, at_mm: Array) -> float:
    """How far aside what lies a mm higher shows there, mm."""
    eye_mm = np.asarray(plane.camera_position_mm, float)
    return float(np.linalg.norm(eye_mm[:2] - at_mm) / eye_mm[2])


def _toward_camera(plane: TablePlane, at_mm: Array) -> Array:
    """(2,) the way along the table to below the camera; none from right below it."""
    way = np.asarray(plane.camera_position_mm, float)[:2] - at_mm
    return np.asarray(way / max(float(np.linalg.norm(way)), 1.0), float)

"""What one mistake may have done to clicked points that do not fit one another through a measured lens: a click, a told
side, or the lens file.

Four clicks leave two numbers beyond the camera's place. A depth of 500 mm told as 495 leaves 1.2 px in them and moves
the table by 3 mm, and so does a click 8 px off: which it was nothing tells, and the pixels left say little of the
millimetres. Where a mistake is likelier than not, each that explains the points goes into the error of every place, as
likely as people make it and as it explains them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.bundle import CameraFit
from calibration.lens import Lens
from calibration.pose import CameraGuess
from calibration.problem import Problem
from calibration.seen import Seen
from calibration.solve import inverse

Array = NDArray[np.float64]

# How large mistakes are, one as likely as the other: a hand that slips and one that takes another corner; a ruler that
# is misread; a lens that focuses nearer than on the board, and one of another zoom.
_CLICK_PX, _SHARES = (3.0, 10.0, 30.0), (0.005, 0.02, 0.07)
# How often: of each click, each told side and each lens file. Nobody counted.
_OF_CLICK, _OF_SIDE, _OF_FILE = 0.02, 0.04, 0.08
# Hands that are rougher than said by so much, and how many are.
_ROUGHER, _HANDS = np.array([1.0, 1.6, 2.5]), np.array([0.8, 0.15, 0.05])
# Four points fix a plane and leave so many numbers; more than eight are no person's.
_FEWEST, _MOST, _LEFT = 4, 8, 2

MISTAKEN = (
    "the clicked points do not fit one another through this lens file: one of them, a told side or the lens file may "
    "be wrong, and the table is off by what that makes; click again, measure both sides, measure the lens again"
)


@dataclass(frozen=True, eq=False)
class _Mistake:
    """How often people make it, and what its standard deviations do: to the residuals (n, k), and to (lens parameters,
    rvec, tvec) beyond what the fit follows of it (m, k), a lens that is not as its file says."""

    often: float
    does: Array
    strays: Array


def covariance_mistaken(seen: Seen, lens: Lens, fit: CameraFit) -> Array | None:
    """What is to be added to the covariance of a camera that clicked points alone tell, where they leave so much that
    one of these mistakes is likelier than none; otherwise None.

    lens  as it was told before the fit
    """
    points = seen.points
    clicks = points.is_single.all() and _FEWEST <= len(points) <= _MOST
    if not (lens.known and clicks) or seen.circles or points.loose:
        return None
    problem = Problem.of(seen, lens.upside_down() if fit.turned_over else lens)
    begun = problem.start(CameraGuess(fit.lens, fit.pose))
    off, by = problem.residuals(begun)
    follows = inverse(by.T @ by) @ by.T
    left = off - by @ (follows @ off)
    mistakes = list(_mistakes(problem, begun, len(off)))
    none = np.log(1 - sum(each.often for each in mistakes)) + _by_hand(float(left @ left), len(points))
    odds, moved = zip(*(_explained(each, left, by @ follows, problem.lift @ follows) for each in mistakes), strict=True)
    every = float(np.logaddexp.reduce(odds))
    if every < none:
        return None
    weights = np.exp(np.array(odds) - np.logaddexp(every, none))
    return np.asarray(np.tensordot(weights, np.array(moved), 1), float)


def _explained(mistake: _Mistake, left: Array, seen: Array, lifted: Array) -> tuple[float, Array]:
    """The logarithm of how likely a mistake is by what is left (n,), and the second moments (m, m) of what it did to
    the camera, as large as it most likely is and as open as that stays.

    seen    (n, n) what the fit follows of residuals, in residuals; lifted: (m, n) the same in the camera
    """
    betrayed = mistake.does.T @ left
    spread = np.linalg.inv(np.eye(len(betrayed)) + mistake.does.T @ (mistake.does - seen @ mistake.does))
    odds = np.log(mistake.often) + (betrayed @ spread @ betrayed + np.linalg.slogdet(spread)[1]) / 2
    ways = mistake.strays - lifted @ mistake.does
    at = ways @ (-spread @ betrayed)
    return float(odds), np.outer(at, at) + ways @ spread @ ways.T


def _by_hand(cost: float, points: int) -> float:
    """The logarithm of how likely what is left is if nothing is wrong, beside hands as exact as said."""
    numbers = _LEFT + 2 * (points - _FEWEST)
    gained = cost / 2 * (1 - _ROUGHER**-2.0) - numbers * np.log(_ROUGHER)
    return float(np.logaddexp.reduce(np.log(_HANDS) + gained))


def _mistakes(problem: Problem, begun: Array, rows: int) -> Iterator[_Mistake]:
    """Those that people make, of `rows` residuals."""
    points, (lens, pose) = problem.seen.points, problem.camera(begun)
    by_place, by_camera = pose.place_jacobian(lens, points.table_mm, problem.heights_mm(begun))

    def sized(often: float, px: Array, sizes: tuple[float, ...], strays: ArrayLike = 0.0) -> Iterator[_Mistake]:
        """One of each size, by what a unit of it does to the pixels (n, 2, k)."""
        does = np.pad(points.in_sigmas(px), ((0, rows - 2 * len(points)), (0, 0)))
        return (_Mistake(often / len(sizes), size * does, size * np.asarray(strays, float)) for size in sizes)

    for clicked in np.eye(len(points)):
        yield from sized(_OF_CLICK, clicked[:, None, None] * np.eye(2), _CLICK_PX)
    for side in range(2):
        yield from sized(_OF_SIDE, by_place[:, :, side, None] * points.table_mm[:, side, None, None], _SHARES)
    focal = np.eye(by_camera.shape[2])[:, :2].sum(axis=1, keepdims=True)
    yield from sized(_OF_FILE, by_camera @ focal, _SHARES, focal)

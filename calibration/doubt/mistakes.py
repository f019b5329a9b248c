"""What one mistake may have done to references that do not fit one another: a click, a thing pushed aside, a told side,
or the lens file.

Four clicks leave two numbers beyond the camera's place. A depth of 500 mm told as 495 leaves 1.2 px in them and moves
the table by 3 mm, and so does a click 8 px off: which it was nothing tells, and the pixels left say little of the
millimetres. Each that explains the points goes into the error of every place, as likely as people make it and as it
explains them, and is said where one is likelier than none. Cards and markers beside clicks tell more of them apart:
beside four cards a side told 2 % wrong is a million times likelier than any click.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.doubt.slip import SLIP_MM
from calibration.fit.bundle import CameraFit
from calibration.fit.correspondence import Correspondences
from calibration.fit.problem import Problem
from calibration.fit.seen import Seen
from calibration.fit.solve import inverse
from calibration.lens import Lens
from calibration.pose import CameraGuess

Array = NDArray[np.float64]

# How large mistakes are, one as likely as the other: a hand that slips and one that takes another corner; a ruler that
# is misread; a lens that focuses nearer than on the board, one of another zoom, and another camera's.
_CLICK_PX, _SHARES = (3.0, 10.0, 30.0), (0.005, 0.02, 0.07)
_LENS_SHARES = (*_SHARES, 0.25)
# A thing that was laid a little aside, or in another place.
_PUSHED_MM = (2.0, 8.0, 30.0)
# How often: of each click, each told side and each lens file. Nobody counted.
_OF_CLICK, _OF_SIDE, _OF_FILE = 0.02, 0.04, 0.08
# Hands that are rougher than said by so much, and how many are.
_ROUGHER, _HANDS = np.array([1.0, 1.6, 2.5]), np.array([0.8, 0.15, 0.05])
# Four points fix a plane and leave two numbers through a measured lens; more than eight are no person's.
_MOST, _LEFT = 8, 2
# Of more corners than a marker's or a card's something is found by its print, and laid by nobody.
_CORNERS = 4

WIDTH, DEPTH, LENS_FILE = "width", "depth", "lens file"


@dataclass(frozen=True, eq=False)
class _Mistake:
    """What is mistaken (a source, a told side or the lens file), how often people make it, how large it is (standard
    deviation: px of a click, mm of a thing, a share of a side or of the focal length), and what that does: to the
    residuals (n, k), and to (lens parameters, rvec, tvec) beyond what the fit follows of it (m, k), a lens that is not
    as its file says."""

    what: str
    often: float
    size: float
    does: Array
    strays: Array


@dataclass(frozen=True, eq=False)
class Weighed:
    """One mistake by what it leaves unexplained.

    odds    logarithm of how likely it is
    amount  as large as it most likely is, in what its size is told in; a side that is told too long errs by more than 0
    at      (m,) what it most likely did to (lens parameters, rvec, tvec); spread: (m, m) how open that stays
    explains  whether it leaves no more than rough hands do
    """

    what: str
    odds: float
    amount: float
    at: Array
    spread: Array
    explains: bool

    @property
    def moved(self) -> Array:
        """(m, m) second moments of what it did to (lens parameters, rvec, tvec)."""
        return np.outer(self.at, self.at) + self.spread


@dataclass(frozen=True, eq=False)
class Mistaken:
    """What may be mistaken of references, each mistake alone.

    none       logarithm of how likely it is that nothing is, beside the odds of those that are `weighed`
    by_clicks  whether points were clicked, and not all were found by a computer
    """

    none: float
    weighed: tuple[Weighed, ...]
    by_clicks: bool

    @property
    def is_likelier(self) -> bool:
        """Whether some mistake is likelier than that people merely clicked and laid as exactly as they usually do."""
        return self._every > self.none

    @cached_property
    def _every(self) -> float:
        return float(np.logaddexp.reduce([each.odds for each in self.weighed]))

    @property
    def moves_table(self) -> bool:
        """Whether the mistakes are said, since they move the table; unsaid they go into its error as likely as they
        are (`calibration.doubt.mixture`)."""
        return self.by_clicks and self.is_likelier

    @property
    def chances(self) -> Array:
        """(k,) of each of those that are `weighed`."""
        return np.asarray(np.exp([each.odds for each in self.weighed] - np.logaddexp(self._every, self.none)), float)

    @property
    def likely(self) -> float:
        """How likely it is that one of them was made."""
        return float(self.chances.sum())

    @property
    def covariance(self) -> Array:
        """(m, m) what they may have done to (lens parameters, rvec, tvec)."""
        return np.asarray(np.tensordot(self.chances, np.array([each.moved for each in self.weighed]), 1), float)


def mistaken_in(seen: Seen, lens: Lens, fit: CameraFit) -> Mistaken | None:
    """The mistakes that may be in references, if people made them by clicking or laying things down; None where nothing
    tells, as alone through a lens that nobody measured, or where something else does. Coins are not asked.

    lens  as it was told before the fit
    """
    seen = replace(seen, circles=())  # coins lie anywhere: their rims, which err together, blame nothing
    points = seen.points
    counts = [points.sources.count(name) for name in points.groups]
    by_hand = bool(counts) and max(counts) <= _CORNERS and counts.count(1) <= _MOST
    is_alone = counts.count(1) == len(counts)
    if not by_hand or seen.spare <= 0 - _LEFT * lens.known or (is_alone and not lens.known):
        return None
    problem = Problem.of(_as_laid(seen), lens.upside_down() if fit.turned_over else lens)
    begun = problem.start(CameraGuess(fit.lens, fit.pose))
    off, by = problem.residuals(begun)
    follows = inverse(by.T @ by) @ by.T
    left = off - by @ (follows @ off)
    mistakes = list(_mistakes(problem, begun, len(off)))
    cost, numbers = float(left @ left), seen.spare + _LEFT * lens.known
    none = np.log(1 - sum(each.often for each in mistakes)) + _by_hand(cost, numbers)
    rough = _ROUGHER[-1] ** 2 * numbers - cost
    weighed = (_explained(each, left, by @ follows, problem.lift @ follows, rough) for each in mistakes)
    return Mistaken(float(none), tuple(weighed), by_clicks=1 in counts)


def _as_laid(seen: Seen) -> Seen:
    """The same, what was laid to its place as hands lay it: half a millimetre beside it is no mistake."""
    points = seen.points
    if (points.is_single | points.is_loose).all():
        return seen
    return replace(seen, points=replace(points, placing_mm=max(points.placing_mm, SLIP_MM)))


def of_sides(points: Correspondences) -> NDArray[np.bool_]:
    """(n,) which points were told by the table's sides: the clicks, or without one all that lies fixed."""
    return points.is_single if points.is_single.any() else ~points.is_loose


def _middles_mm(points: Correspondences) -> Array:
    """(n, 2) the middles of the things that points are of: a side told wrong moves a marker, and makes it no wider."""
    middles_mm = points.table_mm.copy()
    for mine in points.of_source.values():
        middles_mm[mine] = middles_mm[mine].mean(axis=0)
    return middles_mm


def _explained(mistake: _Mistake, left: Array, seen: Array, lifted: Array, rough: float) -> Weighed:
    """A mistake by what is left (n,), as large as it most likely is and as open as that stays.

    seen    (n, n) what the fit follows of residuals, in residuals; lifted: (m, n) the same in the camera
    rough   what rough hands leave beyond the squares of what is left
    """
    betrayed = mistake.does.T @ left
    spread = np.linalg.inv(np.eye(len(betrayed)) + mistake.does.T @ (mistake.does - seen @ mistake.does))
    odds = np.log(mistake.often) + (betrayed @ spread @ betrayed + np.linalg.slogdet(spread)[1]) / 2
    ways = mistake.strays - lifted @ mistake.does
    likeliest = spread @ betrayed
    at = ways @ -likeliest
    amount = mistake.size * float(likeliest[0] if len(likeliest) == 1 else np.hypot(*likeliest))
    explains = rough + float(betrayed @ spread @ betrayed) > 0
    return Weighed(mistake.what, float(odds), amount, at, ways @ spread @ ways.T, explains)


def _by_hand(cost: float, numbers: int) -> float:
    """The logarithm of how likely what is left of so many numbers is if nothing is wrong, beside hands as exact as
    said."""
    gained = cost / 2 * (1 - _ROUGHER**-2.0) - numbers * np.log(_ROUGHER)
    return float(np.logaddexp.reduce(np.log(_HANDS) + gained))


def _mistakes(problem: Problem, begun: Array, rows: int) -> Iterator[_Mistake]:
    """Those that people make, of `rows` residuals."""
    points, (lens, pose) = problem.seen.points, problem.camera(begun)
    by_place, by_camera = pose.place_jacobian(lens, problem.lying_mm(begun), problem.heights_mm(begun))
    moved_mm = _middles_mm(points) * of_sides(points)[:, None]

    def sized(
        what: str, often: float, px: Array, sizes: tuple[float, ...], strays: ArrayLike = 0.0
    ) -> Iterator[_Mistake]:
        """One of each size, by what a unit of it does to the pixels (n, 2, k)."""
        does = np.pad(points.in_sigmas(px), ((0, rows - 2 * len(points)), (0, 0)))
        far = np.asarray(strays, float)
        return (_Mistake(what, often / len(sizes), size, size * does, size * far) for size in sizes)

    for name in points.groups:
        mine = points.of_source[name][:, None, None]
        if points.is_single[points.of_source[name]].all():
            yield from sized(name, _OF_CLICK, mine * np.eye(2), _CLICK_PX)
        elif name not in points.loose:
            yield from sized(name, _OF_CLICK, mine * by_place[:, :, :2], _PUSHED_MM)
    for side, what in enumerate((WIDTH, DEPTH)):
        yield from sized(what, _OF_SIDE, by_place[:, :, side, None] * moved_mm[:, side, None, None], _SHARES)
    if problem.lens.known:
        focal = np.eye(by_camera.shape[2])[:, :2].sum(axis=1, keepdims=True)
        yield from sized(LENS_FILE, _OF_FILE, by_camera @ focal, _LENS_SHARES, focal)

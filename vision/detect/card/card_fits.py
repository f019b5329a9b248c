"""Cards measured by their edges, from where their hints say that they lie."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.detect.card.own_sides import between_far_sides, lie_beside, slid_aside
from vision.detect.card.paper import borne_by_margins, papers_bgr
from vision.detect.card.strays import CLEARLY, PLAINLY
from vision.frame import ImageBgr
from vision.shape.rectangle import RectangleFit, fit_rectangles, rectangles_at

Array = NDArray[np.float64]

# A sleeve for the wider format, of the usual makes; its margin may be as white as the card.
SLEEVE_MM = (91.0, 66.0)
# Of a card that shows both its indices the middle between them is so far off at most, however far from its corners the
# deck has them (75 cards, rendered, half of them on checked cloth: 1.0 mm; the squares of the cloth were 6 and more).
_HELD_MM = 3.0
# A fit with less support is tried again from starts turned by so much, for hints are up to 8 degrees off; then so far
# along and across, for the sides of a card in a grid may have gone to the edge of the card beside it, one gap aside.
_SHAKY, _TURNED_RAD = 0.9, (-0.12, 0.12)
_ASIDE_MM = ((7.0, 0.0), (-7.0, 0.0), (0.0, 7.0), (0.0, -7.0))
# A face of which every side is so much edge with its paper within, so near in the mean (mm), lies on its own.
_OWN, _NEAR_MM, _STRAIGHTER = 0.95, 0.15, 0.7


@dataclass(frozen=True, eq=False)
class Starts:
    """From where n cards' edges are looked for.

    centre_mm, angle_rad  (n, 2), (n,) their middles, and the directions of their lengths
    faces                 (n,) of which of them printed lines are told from sides; backs need not have a bare margin
    held                  (n,) whose middle is told by indices at both ends
    """

    centre_mm: Array
    angle_rad: Array
    faces: NDArray[np.bool_]
    held: NDArray[np.bool_]

    def of(self, which: NDArray[np.intp]) -> Starts:
        """Those of some of the cards."""
        return Starts(self.centre_mm[which], self.angle_rad[which], self.faces[which], self.held[which])

    def moved(self, centre_mm: Array, angle_rad: Array) -> Starts:
        """The same cards, looked for elsewhere."""
        return Starts(centre_mm, angle_rad, self.faces, self.held)

    def is_left(self, index: int | np.intp, fit: RectangleFit) -> bool:
        """Whether a fit went farther from a card's middle than this is off where two indices tell it."""
        return bool(self.held[index] and np.hypot(*(fit.centre_mm - self.centre_mm[index])) > _HELD_MM)


def best_fits(
    image_bgr: ImageBgr, plane: TablePlane, starts: Starts, sizes_mm: tuple[tuple[float, float], ...]
) -> list[RectangleFit]:
    """Each card's place in the size that fits it: the first is the expected one, another must be clearly better."""
    best = supported_fits(image_bgr, plane, starts, sizes_mm[0])
    least = borne_by_sides(image_bgr, plane, best, starts.faces) + CLEARLY
    for size_mm in sizes_mm[1:]:
        open_to = np.flatnonzero(least < PLAINLY + CLEARLY)
        others, borne = _fits(image_bgr, plane, starts.of(open_to), size_mm)
        better = {
            index: (other, support)
            for index, other, support in zip(open_to.tolist(), others, borne, strict=True)
            if support > least[index] and not starts.is_left(index, other)
        }
        for index in _of_another_size(best, {index: other for index, (other, _) in better.items()}):
            best[index], least[index] = better[index]
    return best


def supported_fits(
    image_bgr: ImageBgr, plane: TablePlane, starts: Starts, size_mm: tuple[float, float]
) -> list[RectangleFit]:
    """The best supported fits; from a start that is turned too far, sides go to the edges of the card beneath."""
    best = fit_rectangles(image_bgr, plane, starts.centre_mm, starts.angle_rad, size_mm)
    astray = np.array([index for index, fit in enumerate(best) if starts.is_left(index, fit)], np.intp)
    near = starts.of(astray)
    held = fit_rectangles(image_bgr, plane, near.centre_mm, near.angle_rad, size_mm, near=True)
    for index, fit in zip(astray, held, strict=True):
        best[index] = fit
    borne = borne_by_sides(image_bgr, plane, best, starts.faces)

    def improve(which: NDArray[np.intp], elsewhere: Starts) -> None:
        """Put those in place of the best ones so far that more of their edges support."""
        for index, other, support in zip(which, *_fits(image_bgr, plane, elsewhere, size_mm), strict=True):
            if support > borne[index] and not starts.is_left(index, other):
                best[index], borne[index] = other, support

    shaky = _shaky(best)
    for turn_rad in _TURNED_RAD if len(shaky) else ():
        again = starts.of(shaky)
        improve(shaky, again.moved(again.centre_mm, again.angle_rad + turn_rad))
    shaky = _shaky(best)
    for along_mm, across_mm in _ASIDE_MM if len(shaky) else ():
        aside = np.array([_aside(best[index], along_mm, across_mm) for index in shaky])
        improve(shaky, starts.of(shaky).moved(aside, np.array([best[index].angle_rad for index in shaky])))
    return _by_own_edges(image_bgr, plane, starts, best)


def _by_own_edges(
    image_bgr: ImageBgr, plane: TablePlane, starts: Starts, fits: list[RectangleFit]
) -> list[RectangleFit]:
    """The fits; faces elsewhere whose sides are rather edges of their own paper there: in a grid the edge of the card
    beside them is as near as their own, across the gap."""
    faces = np.flatnonzero(starts.faces & lie_beside(fits))
    papers = papers_bgr(image_bgr, plane, [fits[index] for index in faces])
    now = _lying(image_bgr, plane, [fits[index] for index in faces], papers)
    some = np.flatnonzero([min(fit.sides) < _OWN or fit.residual_mm > _NEAR_MM for fit in now])
    own = _lying(image_bgr, plane, [now[at] for at in some], papers[some], again=True)
    better = {
        int(faces[at]): fit
        for at, fit in zip(some, own, strict=True)
        if _is_better(fit, now[at]) and not starts.is_left(faces[at], fit)
    }
    moved = dict(zip(better, _lying(image_bgr, plane, list(better.values())), strict=True))
    return [moved.get(index, fit) for index, fit in enumerate(fits)]


def _is_better(fit: RectangleFit, other: RectangleFit) -> bool:
    """Whether clearly more edges support a fit than another, or as many that lie clearly nearer to its sides."""
    is_nearer = fit.support >= other.support and fit.residual_mm < _STRAIGHTER * other.residual_mm
    return is_nearer or fit.support > other.support + CLEARLY


def _lying(
    image_bgr: ImageBgr,
    plane: TablePlane,
    fits: list[RectangleFit],
    paper_bgr: Array | None = None,
    *,
    again: bool = False,
) -> list[RectangleFit]:
    """What edges lie under cards of one size, of all or with paper of such colours (n, 3) within; `again` measured from
    where they lie."""
    if not fits:
        return []
    lie = np.array([(*fit.centre_mm, fit.angle_rad) for fit in fits])
    measured = fit_rectangles if again else rectangles_at
    return measured(image_bgr, plane, lie[:, :2], lie[:, 2], fits[0].size_mm, paper_bgr=paper_bgr)


def on_far_sides(
    image_bgr: ImageBgr, plane: TablePlane, starts: Starts, fits: list[RectangleFit]
) -> list[RectangleFit]:
    """The fits; of those that show but one of two opposite sides where both show, if more edges support that."""
    best, slid = list(fits), slid_aside(fits)
    for size_mm in {fit.size_mm for fit in compress(fits, slid)}:
        some = np.flatnonzero(slid & np.array([fit.size_mm == size_mm for fit in fits]))
        for index, fit in zip(some, _on_both(image_bgr, plane, starts.of(some), [fits[n] for n in some]), strict=True):
            best[index] = fit
    return best


def _on_both(image_bgr: ImageBgr, plane: TablePlane, starts: Starts, fits: list[RectangleFit]) -> list[RectangleFit]:
    """The same of fits of one size."""
    least = borne_by_sides(image_bgr, plane, fits, starts.faces) + CLEARLY
    middles_mm = between_far_sides(image_bgr, plane, fits)
    there = starts.moved(middles_mm, np.array([fit.angle_rad for fit in fits]))
    others, borne = _fits(image_bgr, plane, there, fits[0].size_mm)
    is_better = [
        support > most and not starts.is_left(index, other)
        for index, (other, support, most) in enumerate(zip(others, borne, least, strict=True))
    ]
    return [other if better else fit for other, fit, better in zip(others, fits, is_better, strict=True)]


def in_sleeves(image_bgr: ImageBgr, plane: TablePlane, starts: Starts, bare: list[RectangleFit]) -> list[RectangleFit]:
    """The fits, with a sleeve in place of the card where it fits most of them clearly better, or of those that show
    plainly, for what is no card has neither: a card and the gap on either side of it are as large."""
    open_to = np.array([index for index, fit in enumerate(bare) if fit.support < PLAINLY], np.intp)
    sleeved = starts.of(open_to)
    fits = fit_rectangles(image_bgr, plane, sleeved.centre_mm, sleeved.angle_rad, SLEEVE_MM)
    better = {
        index: fit for index, fit in zip(open_to, fits, strict=True) if fit.support > bare[index].support + CLEARLY
    }
    plain = sum(fit.support >= PLAINLY for fit in better.values())
    are_sleeved = plain > len(bare) - len(open_to) or 2 * len(better) > len(bare)
    told = _of_another_size(bare, better) if are_sleeved else []
    return [better[index] if index in told else fit for index, fit in enumerate(bare)]


def _of_another_size(fits: list[RectangleFit], better: dict[int, RectangleFit]) -> list[int]:
    """Which of the cards are of another size, that fits them better: those that show it plainly. The others may be
    partly hidden cards of the first size, so they count only if at least as many plain cards are of this one."""
    plain = [index for index, fit in better.items() if fit.support >= PLAINLY]
    of_first = sum(fit.support >= PLAINLY for index, fit in enumerate(fits) if index not in plain)
    return plain if len(plain) < of_first else list(better)


def borne_by_sides(image_bgr: ImageBgr, plane: TablePlane, fits: list[RectangleFit], faces: NDArray[np.bool_]) -> Array:
    """(n,) the support by which fits are compared: of faces without that of printed lines."""
    supports = np.array([fit.support for fit in fits])
    supports[faces] = borne_by_margins(image_bgr, plane, list(compress(fits, faces)))
    return supports


def _fits(
    image_bgr: ImageBgr, plane: TablePlane, starts: Starts, size_mm: tuple[float, float]
) -> tuple[list[RectangleFit], Array]:
    """The fits from there, and by what they are compared."""
    fits = fit_rectangles(image_bgr, plane, starts.centre_mm, starts.angle_rad, size_mm)
    return fits, borne_by_sides(image_bgr, plane, fits, starts.faces)


def _shaky(fits: list[RectangleFit]) -> NDArray[np.intp]:
    """Which of them are worth another try."""
    return np.array([index for index, fit in enumerate(fits) if fit.support < _SHAKY], np.intp)


def _aside(fit: RectangleFit, along_mm: float, across_mm: float) -> Array:
    """The middle of a rectangle so far from that one, along and across it."""
    cos, sin = np.cos(fit.angle_rad), np.sin(fit.angle_rad)
    return np.array(fit.centre_mm) + along_mm * np.array([cos, sin]) + across_mm * np.array([-sin, cos])

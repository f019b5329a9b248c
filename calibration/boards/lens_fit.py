"""The lens from views of a board: camera matrix, distortion, their error, and whether the views sufficed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.bending.lens_fold import folds
from calibration.boards.board import Board, BoardView, find_board
from calibration.boards.disagreement import FEW_LEFT_OUT, disagreement
from calibration.boards.lens_models import CONTRADICT, POOR_RMS_PX, LensFit, Model, as_bent_apart, best_fit
from calibration.boards.shown_board import shown_board
from calibration.boards.turned_view import other_lens, turned_over
from calibration.boards.two_lenses import focal_scatter, two_lenses
from calibration.lens import Lens

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

FEWEST_VIEWS = 4
# Eight good views suffice (benchmarks/calibration.py); fewer leave the corners of the picture open.
GOOD_VIEWS = 8
# A view this much worse than the median is blurred, bent, or not the board.
_BAD_VIEW = 3.0
_BAD_VIEW_PX = 0.5
WORST_RMS_PX = 2.0
# So many pictures of another size are named.
_NAMED = 5
# Boards held square to the lens leave the focal length open.
_WORST_FOCAL_SIGMA, _POOR_FOCAL_SIGMA = 0.02, 0.005
# Of the picture's longer side no camera has less: 220 degrees (Nikkor's fisheye of 6 mm) within the height of a picture
# of 16 to 9 are 9 / 16 / 3.84 = 0.146, and 280 were 0.115.
_SHORTEST_FOCAL = 0.1
# By less of its length no board that people have is bent.
_BENT = 0.003
# A board that is so much longer one way is said: what the same printer draws of markers and maps is, too.
_STRETCHED = 0.002
# Groups of views can be chosen in many more ways than a view that was turned over: one such explained 0.801 of what
# views told apart, the best groups 0.808.
_CLEARLY_MORE = 1.1
_ANOTHER = "contradicts all others, and is left out: another camera, zoom or focus, or the board bent?"
COVERAGE_CELLS = (8, 6)
_GOOD_COVERAGE = 0.6


@dataclass(frozen=True)
class ViewResidual:
    """One picture's reprojection error; `used` is False for one that was left out."""

    name: str
    corners: int
    rms_px: float
    used: bool = True


@dataclass(frozen=True, eq=False)
class LensReport:
    """A calibrated lens and how far to trust it.

    rms_px        over all corners of the views used (distance, as cv2.calibrateCamera counts it)
    quantiles_px  50, 95 and 100 % of the corners' distances
    views         one line for each picture in which the board was found
    unseen        pictures in which it was not
    coverage      (6, 8) bool: which cells of the picture hold a corner, top row first
    warnings      what to do better
    """

    lens: Lens
    board: Board
    rms_px: float
    quantiles_px: tuple[float, float, float]
    views: tuple[ViewResidual, ...]
    unseen: tuple[str, ...]
    coverage: NDArray[np.bool_]
    warnings: tuple[str, ...]


def calibrate_lens(images: Sequence[Image], names: Sequence[str], model: Model = "auto") -> LensReport:
    """The lens of the camera that took these pictures of a ChArUco or chessboard.

    images  (h, w) or (h, w, 3) uint8, all of one size
    Raises  ValueError, one line: no board, too few views, sizes mixed, no slanted view, views that contradict
    """
    chosen = shown_board(images)
    if chosen is None:
        raise ValueError(
            "no chessboard or ChArUco board is seen whole in any picture; print one: sandtable print charuco board.pdf"
        )
    found = [find_board(image, chosen, name) for image, name in zip(images, names, strict=True)]
    unseen = tuple(name for name, view in zip(names, found, strict=True) if view is None)
    return report_lens([view for view in found if view is not None], chosen, unseen, model)


def report_lens(
    views: Sequence[BoardView], board: Board, unseen: tuple[str, ...] = (), model: Model = "auto"
) -> LensReport:
    """The lens, as `calibrate_lens` gives it, from views whose corners are found already (a live source collects them).

    unseen  names of the pictures in which no board was found
    """
    _check_views(views, board)
    kept, odd, fit = _none_odd(views, model)
    for _ in range(3):
        good = [view for view, rms_px in zip(kept, fit.rms_by_view_px, strict=True) if rms_px <= _gate_px(fit)]
        if len(good) == len(kept) or len(good) < FEWEST_VIEWS:
            break
        kept, fit = good, as_bent_apart(good, best_fit(good, model), model)
    apart = disagreement(fit, [view.name for view in kept], len(views))
    fit, refocused = _as_it_focuses(fit)
    _check_fit(fit, (*refocused, *apart))
    coverage = coverage_of(kept)
    odd += [*apart, *refocused]
    return LensReport(
        lens=fit.lens,
        board=board,
        rms_px=fit.rms_px,
        quantiles_px=_quantiles(fit.distances_px),
        views=tuple(_view_residual(view, kept, fit) for view in views),
        unseen=unseen,
        coverage=coverage,
        warnings=(*odd, *_warnings(kept, coverage, fit)),
    )


def _none_odd(views: Sequence[BoardView], model: Model) -> tuple[list[BoardView], list[str], LensFit]:
    """The views without those that were turned over or taken through another lens, a line for each of these, and the
    lens. A bend of its own, which each view may have, would explain some of these."""
    kept, odd = list(views), list[str]()
    while True:
        as_one = best_fit(kept, model)
        strange, fit = _strange(kept, as_one), as_one
        if not strange:
            fit = as_bent_apart(kept, as_one, model)
            other = other_lens(fit.told, fit.squares_px2, fit.variance_px2)
            # Of a camera that focuses by itself the farthest are no stranger than the rest.
            strange = {} if other is None or focal_scatter(fit.told, fit.variance_px2) else {other: _ANOTHER}
        if not strange or len(kept) - len(strange) < FEWEST_VIEWS:
            return kept, odd, fit
        odd += [f"{kept[number].name} {why}" for number, why in strange.items()]
        kept = [view for number, view in enumerate(kept) if number not in strange]


def _strange(views: Sequence[BoardView], fit: LensFit) -> dict[int, str]:
    """The view that was turned over, or those few of another zoom, by their numbers, whichever explains more, and what
    is said of them; ValueError where those of another zoom are not few."""
    other = other_lens(fit.told, fit.squares_px2, fit.variance_px2)
    over = turned_over(fit.told, fit.lens, fit.variance_px2)
    two = two_lenses(fit.told, fit.variance_px2)
    if (
        over is not None
        and other in (None, over.view)
        and (two is None or two.gain_px2 < _CLEARLY_MORE * over.gain_px2)
    ):
        return {over.view: f"fits the others as if {over.how}, and is left out: name it as the camera took it"}
    if two is None:
        return {}
    if len(two.fewer) > FEW_LEFT_OUT * len(views):
        raise ValueError(_of_two_zooms([views[number].name for number in sorted(two.fewer)], two.times))
    return dict.fromkeys(sorted(two.fewer), _ANOTHER)


def _of_two_zooms(names: Sequence[str], times: float) -> str:
    """What is said of pictures of which some show a focal length so many times as long as the others do."""
    show = f"{_in_a_row(names)} show{'s' if len(names) == 1 else ''}"
    cure = "use those of one alone, or hold zoom and focus and take all again"
    told = f"{show} a focal length {times:.2f} times as long as the others"
    return f"the pictures are of two zooms or cameras: {told}: {cure}"


def _in_a_row(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + (" and " if names[:-1] else "") + names[-1]


def coverage_of(views: Sequence[BoardView]) -> NDArray[np.bool_]:
    """(6, 8) bool: the cells of the picture that hold a corner in some view, top row first."""
    columns, rows = COVERAGE_CELLS
    seen = np.zeros((rows, columns), bool)
    for view in views:
        cell = np.floor((view.corners_px + 0.5) / view.size_px * COVERAGE_CELLS).astype(int)
        column, row = np.clip(cell, 0, [columns - 1, rows - 1]).T
        seen[row, column] = True
    return seen


def _check_views(views: Sequence[BoardView], board: Board) -> None:
    if len(views) < FEWEST_VIEWS:
        raise ValueError(
            f"the {board.name} is seen in {len(views)} picture{'' if len(views) == 1 else 's'}; at least {FEWEST_VIEWS}"
            " are needed, better 12, each with the board whole, sharp and well lit"
        )
    named: dict[tuple[int, int], list[str]] = {}
    for view in views:
        named.setdefault(view.size_px, []).append(view.name)
    if len(named) > 1:
        told = " and ".join(f"{width} x {height}" for width, height in sorted(named))
        commonest = max(named.values(), key=len)
        others = [name for names in named.values() if names is not commonest for name in names]
        raise ValueError(
            f"the pictures have different sizes ({told}): {_one_size(named)}, and leave out"
            f" {', '.join(others[:_NAMED])}{' and more' if len(others) > _NAMED else ''}"
        )


def _one_size(sizes_px: Collection[tuple[int, int]]) -> str:
    """What to do for pictures of one size: a telephone held upright turns them, and its resolution is the same."""
    if len({tuple(sorted(size)) for size in sizes_px}) > 1:
        return "use one camera at one resolution"
    return "some are on their side; hold the camera one way in all, as over the table"


def _as_it_focuses(fit: LensFit) -> tuple[LensFit, tuple[str, ...]]:
    """The lens with what its focal length differs by from view to view, which it may be off by over the table, and a
    line that says so."""
    scatter = focal_scatter(fit.told, fit.variance_px2)
    if not scatter:
        return fit, ()
    covariance = fit.lens.covariance.copy()
    covariance[:2, :2] += scatter**2
    told = f"the focal length differs by {100 * scatter:.1f} % from picture to picture: hold zoom and focus"
    return replace(fit, lens=replace(fit.lens, covariance=covariance)), (told,)


def _check_fit(fit: LensFit, told: Sequence[str]) -> None:
    """ValueError for a lens that is none, or not told well enough; for what reason, if views contradict one another."""
    if not fit.rms_px < WORST_RMS_PX:
        raise ValueError(f"{CONTRADICT} (reprojection error {fit.rms_px:.1f} px)")
    focal_px = float(min(fit.lens.matrix[0, 0], fit.lens.matrix[1, 1]))
    if focal_px < _SHORTEST_FOCAL * max(fit.lens.size_px):
        raise ValueError(
            f"a focal length of {focal_px:.0f} px, which these views tell, is shorter than any camera's: "
            "hold the board at a slant, 30 to 50 degrees, in several views"
        )
    if not fit.focal_sigma < _WORST_FOCAL_SIGMA:
        why = told[0] if told else "hold the board at a slant, 30 to 50 degrees, in several views"
        raise ValueError(f"the focal length stays open by {100 * fit.focal_sigma:.0f} %: {why}")


def _gate_px(fit: LensFit) -> float:
    return max(_BAD_VIEW * float(np.median(fit.rms_by_view_px)), _BAD_VIEW_PX)


def _view_residual(view: BoardView, kept: Sequence[BoardView], fit: LensFit) -> ViewResidual:
    used = next((i for i, each in enumerate(kept) if each is view), None)
    if used is not None:
        return ViewResidual(view.name, len(view.board), fit.rms_by_view_px[used])
    undistorted = fit.lens.undistort(view.corners_px)
    homography, _ = cv2.findHomography(view.board, undistorted, 0)
    expected = cv2.perspectiveTransform(view.board[None], homography)[0]
    off_px = float(np.sqrt(np.mean(np.sum(np.square(expected - undistorted), axis=1))))
    return ViewResidual(view.name, len(view.board), off_px, used=False)


def _quantiles(distances_px: Array) -> tuple[float, float, float]:
    half, most, all_of = np.quantile(distances_px, [0.5, 0.95, 1.0])
    return float(half), float(most), float(all_of)


def _warnings(views: Sequence[BoardView], coverage: NDArray[np.bool_], fit: LensFit) -> tuple[str, ...]:
    told = []
    if len(views) < GOOD_VIEWS:
        told.append(f"only {len(views)} views: take {GOOD_VIEWS} to 15")
    if coverage.mean() < _GOOD_COVERAGE or _bare(coverage):
        where = ", ".join(_bare(coverage)) or "the edges"
        told.append(f"the board covers {100 * coverage.mean():.0f} % of the picture: bring it to {where}")
    if folds(fit.lens):
        told.append("the lens is not told in the corners of the picture, where no board was: bring it there")
    if fit.bent_share > _BENT:
        how = "otherwise in each picture, by up to" if fit.bent_apart else "by"
        bent = f"the board is bent, {how} {100 * fit.bent_share:.1f} % of its length, and the lens measured so"
        told.append(f"{bent}: a stiff one tells more")
    if abs(fit.stretch) > _STRETCHED:
        way = "wide" if fit.stretch > 0 else "high"
        longer = f"the board is {100 * abs(fit.stretch):.1f} % too {way} for its squares, and the lens measured so"
        told.append(f"{longer}: what the same printer draws may be, too")
    if fit.rms_px > POOR_RMS_PX:
        told.append(f"reprojection error {fit.rms_px:.2f} px: is the board flat, sharp and held still?")
    if fit.focal_sigma > _POOR_FOCAL_SIGMA:
        focal_px = fit.lens.matrix[0, 0]
        told.append(
            f"the focal length, {focal_px:.0f} px, may be off by {1.96 * fit.focal_sigma * focal_px:.0f} px: "
            "hold the board at other slants, and nearer"
        )
    tilts = [float(np.degrees(np.arccos(min(abs(cv2.Rodrigues(r)[0][2, 2]), 1.0)))) for r, _ in fit.poses]
    if max(tilts) < 20:
        told.append(f"the board is never more than {max(tilts):.0f} degrees aslant: tilt it 30 to 50 degrees")
    return tuple(told)


def _bare(coverage: NDArray[np.bool_]) -> list[str]:
    """The regions of the picture that hold the least, for a person to aim at."""
    regions = {
        "the upper left": coverage[:2, :2],
        "the upper right": coverage[:2, -2:],
        "the lower left": coverage[-2:, :2],
        "the lower right": coverage[-2:, -2:],
        "the middle": coverage[2:4, 3:5],
    }
    return [name for name, cells in regions.items() if cells.mean() < _GOOD_COVERAGE / 2]

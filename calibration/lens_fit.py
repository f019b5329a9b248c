"""The lens from views of a board: camera matrix, distortion, their error, and whether the views sufficed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import USUAL_BOARDS, Board, BoardView, find_board, usual_board
from calibration.lens import Lens
from calibration.solve import inverse
from calibration.turned_view import ViewTold, turned_over

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Model = Literal["auto", "pinhole", "fisheye"]

_CONTRADICT = "the views contradict one another: hold the board flat, still and in focus, and check its size"
FEWEST_VIEWS = 4
# Eight good views suffice (benchmarks/calibration.py); fewer leave the corners of the picture open.
GOOD_VIEWS = 8
# So many pictures, from the first to the last, are asked which board they show.
_ASKED = 7
# A view this much worse than the median is blurred, bent, or not the board.
_BAD_VIEW = 3.0
_BAD_VIEW_PX = 0.5
WORST_RMS_PX = 2.0
POOR_RMS_PX = 0.6
# So many pictures of another size are named.
_NAMED = 5
# Boards held square to the lens leave the focal length open.
_WORST_FOCAL_SIGMA, _POOR_FOCAL_SIGMA = 0.02, 0.005
# Of the picture's longer side no camera has less: 220 degrees (Nikkor's fisheye of 6 mm) within the height of a picture
# of 16 to 9 are 9 / 16 / 3.84 = 0.146, and 280 were 0.115.
_SHORTEST_FOCAL = 0.1
COVERAGE_CELLS = (8, 6)
_GOOD_COVERAGE = 0.6
# The fisheye model is taken when it explains the views so much better, or no worse where the other one folds: powers of
# a pinhole's radius turn back in the corners of a wide picture, where no board told them (rays 130 degrees off).
_FISHEYE_GAIN, _NO_WORSE = 0.9, 1.1
# Focal lengths, of the width, that a fisheye is begun with: from far off OpenCV's steps end nowhere, or it gives up.
_FISHEYE_STARTS = (0.32, 0.4, 0.5, 0.25, 0.7)
# A place of the picture comes back as it was from the ray that shows there, unless the lens folds.
_BACK_PX = 0.5
_STOP = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 100, 1e-9)


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
    """The lens of the camera that took these pictures of one of the usual boards.

    images  (h, w) or (h, w, 3) uint8, all of one size
    Raises  ValueError, one line: no board, too few views, sizes mixed, no slanted view, views that contradict
    """
    chosen = _most_seen(images)
    if chosen is None:
        raise ValueError(
            "no chessboard or ChArUco board is seen whole in any picture; print one: sandtable print charuco board.pdf"
        )
    found = [find_board(image, chosen, name) for image, name in zip(images, names, strict=True)]
    unseen = tuple(name for name, view in zip(names, found, strict=True) if view is None)
    return report_lens([view for view in found if view is not None], chosen, unseen, model)


def _most_seen(images: Sequence[Image]) -> Board | None:
    """The usual board that the most pictures show: in a folder one picture may show another, or two.

    Some pictures say each which it shows, for a chessboard holds smaller ones: such a one is seen in all of them.
    """
    places = np.unique(np.linspace(0, len(images) - 1, _ASKED).round().astype(int)) if images else ()
    votes = Counter(board for place in places if (board := usual_board([images[place]])) is not None)
    if not votes:
        return usual_board(images)
    return max(votes, key=lambda board: (votes[board], -USUAL_BOARDS.index(board)))


def report_lens(
    views: Sequence[BoardView], board: Board, unseen: tuple[str, ...] = (), model: Model = "auto"
) -> LensReport:
    """The lens, as `calibrate_lens` gives it, from views whose corners are found already (a live source collects them).

    unseen  names of the pictures in which no board was found
    """
    _check_views(views, board)
    kept, turned, fit = _none_turned(views, model)
    for _ in range(3):
        good = [view for view, rms_px in zip(kept, fit.rms_by_view_px, strict=True) if rms_px <= _gate_px(fit)]
        if len(good) == len(kept) or len(good) < FEWEST_VIEWS:
            break
        kept, fit = good, _best_fit(good, model)
    _check_fit(fit)
    coverage = coverage_of(kept)
    return LensReport(
        lens=fit.lens,
        board=board,
        rms_px=fit.rms_px,
        quantiles_px=_quantiles(fit.distances_px),
        views=tuple(_view_residual(view, kept, fit) for view in views),
        unseen=unseen,
        coverage=coverage,
        warnings=(*turned, *_warnings(kept, coverage, fit)),
    )


def _none_turned(views: Sequence[BoardView], model: Model) -> tuple[list[BoardView], list[str], _Fit]:
    """The views without those that were turned over, a line for each of these, and the lens."""
    kept, turned, fit = list(views), [], _best_fit(views, model)
    while len(kept) > FEWEST_VIEWS and (over := turned_over(fit.told, fit.lens, fit.variance_px2)) is not None:
        name = kept.pop(over.view).name
        turned.append(f"{name} fits the others as if {over.how}, and is left out: name it as the camera took it")
        fit = _best_fit(kept, model)
    return kept, turned, fit


def coverage_of(views: Sequence[BoardView]) -> NDArray[np.bool_]:
    """(6, 8) bool: the cells of the picture that hold a corner in some view, top row first."""
    columns, rows = COVERAGE_CELLS
    seen = np.zeros((rows, columns), bool)
    for view in views:
        cell = np.floor((view.corners_px + 0.5) / view.size_px * COVERAGE_CELLS).astype(int)
        column, row = np.clip(cell, 0, [columns - 1, rows - 1]).T
        seen[row, column] = True
    return seen


@dataclass(frozen=True, eq=False)
class _Fit:
    lens: Lens
    poses: tuple[tuple[Array, Array], ...]
    errors_px: tuple[Array, ...]
    told: tuple[ViewTold, ...]
    variance_px2: float

    @property
    def distances_px(self) -> Array:
        """(n,) reprojection errors of all points of all views."""
        return np.concatenate([np.hypot(*errors.T) for errors in self.errors_px])

    @property
    def rms_px(self) -> float:
        """Root mean square of the reprojection errors of all points, px."""
        return float(np.sqrt(np.mean(np.square(self.distances_px))))

    @property
    def focal_sigma(self) -> float:
        """By what share the focal length may err, standard deviation of the worse of the two."""
        return float(np.sqrt(max(self.lens.covariance[0, 0], self.lens.covariance[1, 1])))

    @property
    def rms_by_view_px(self) -> list[float]:
        """Root mean square of the reprojection errors of each view's points, px."""
        return [float(np.sqrt(np.mean(np.sum(np.square(errors), axis=1)))) for errors in self.errors_px]


def _best_fit(views: Sequence[BoardView], model: Model) -> _Fit:
    """By the model that is asked for, or the likelier one."""
    pinhole = _pinhole(views) if model != "fisheye" else None
    fisheye = _fisheye(views) if model != "pinhole" else None
    if pinhole is None or fisheye is None:
        if (fit := pinhole or fisheye) is None:
            raise ValueError(_CONTRADICT)
        return fit
    share = _FISHEYE_GAIN if _folds(fisheye.lens) or not _folds(pinhole.lens) else _NO_WORSE
    return fisheye if fisheye.rms_px < share * pinhole.rms_px else pinhole


def _folds(lens: Lens) -> bool:
    """Whether the lens shows two directions in one place of the picture, its border and corners among them."""
    across, down = (np.linspace(0, side - 1, 9) for side in lens.size_px)
    places_px = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    with np.errstate(over="ignore", invalid="ignore"):
        ahead = np.c_[lens.rays(places_px), np.ones(len(places_px))]
        back_px, _ = lens.project(ahead, np.zeros(3), np.zeros(3))
        return not bool((np.hypot(*(back_px - places_px).T) < _BACK_PX).all())


def _pinhole(views: Sequence[BoardView]) -> _Fit | None:
    """None where OpenCV finds no such lens."""
    objects = [np.c_[view.board, np.zeros(len(view.board))].astype(np.float32) for view in views]
    corners = [view.corners_px.astype(np.float32) for view in views]
    start, nothing = np.eye(3), np.zeros(5)
    try:
        _, matrix, distortion, rvecs, tvecs = cv2.calibrateCamera(
            objects, corners, views[0].size_px, start, nothing, criteria=_STOP
        )
        lens = Lens.measured(views[0].size_px, matrix, distortion)
    except (cv2.error, ValueError):
        return None
    return _fit_of(lens, views, list(zip(rvecs, tvecs, strict=True)))


def _fisheye(views: Sequence[BoardView]) -> _Fit | None:
    """The best that is reached from a few focal lengths, the first that does; None where OpenCV finds no such lens."""
    reached: list[_Fit] = []
    for of_width in _FISHEYE_STARTS:
        fit = _fisheye_from(views, of_width * max(views[0].size_px))
        reached += [fit] if fit is not None else []
        if fit is not None and fit.rms_px < POOR_RMS_PX:
            break
    return min(reached, key=lambda fit: fit.rms_px, default=None)


def _fisheye_from(views: Sequence[BoardView], focal_px: float) -> _Fit | None:
    objects = [np.c_[view.board, np.zeros(len(view.board))].reshape(1, -1, 3) for view in views]
    corners = [view.corners_px.reshape(1, -1, 2) for view in views]
    (width, height), flags = views[0].size_px, cv2.CALIB_RECOMPUTE_EXTRINSIC | cv2.CALIB_FIX_SKEW
    start = np.array([[focal_px, 0, (width - 1) / 2], [0, focal_px, (height - 1) / 2], [0, 0, 1]])
    flags |= cv2.CALIB_USE_INTRINSIC_GUESS
    try:
        _, matrix, distortion, rvecs, tvecs = cv2.fisheye.calibrate(
            objects, corners, (width, height), start, np.zeros((4, 1)), flags=flags, criteria=_STOP
        )
        lens = Lens.measured((width, height), matrix, distortion, fisheye=True)
    except (cv2.error, ValueError):
        return None
    fit = _fit_of(lens, views, list(zip(rvecs, tvecs, strict=True)))
    return fit if np.isfinite(fit.rms_px) else None


def _fit_of(lens: Lens, views: Sequence[BoardView], poses: Sequence[tuple[object, object]]) -> _Fit:
    """With residuals, and the lens's covariance with the views' poses taken out (Schur complement)."""
    size = len(lens.parameters)
    told, errors, clean = [], [], []
    for view, (rvec, tvec) in zip(views, poses, strict=True):
        pose = (np.asarray(rvec, float).ravel(), np.asarray(tvec, float).ravel())
        px, jacobian = lens.project(np.c_[view.board, np.zeros(len(view.board))], *pose)
        flat = jacobian.reshape(-1, size + 6)
        by_lens, by_pose = flat[:, :size], flat[:, size:]
        cross = by_lens.T @ by_pose
        hidden, off = cross @ inverse(by_pose.T @ by_pose), px - view.corners_px
        pull = (by_lens.T - hidden @ by_pose.T) @ off.ravel()
        told.append(ViewTold(by_lens.T @ by_lens - hidden @ cross.T, pull))
        errors.append(off)
        clean.append(pose)
    squares = sum(float(np.sum(np.square(each))) for each in errors)
    redundancy = max(2 * sum(map(len, errors)) - size - 6 * len(views), 1)
    variance_px2 = squares / redundancy * _alike(views, errors)
    covariance = inverse(np.sum([each.information for each in told], axis=0)) * variance_px2
    fit = _Fit(lens, tuple(clean), tuple(errors), tuple(told), variance_px2)
    return replace(fit, lens=replace(lens, covariance=covariance, rms_px=fit.rms_px))


def _alike(views: Sequence[BoardView], errors: Sequence[Array]) -> float:
    """As how many numbers one counts, since a corner of the board errs alike in several views: a curled board does in
    all of them, and what is seen from one place six times is seen once (the design effect of Kish 1965)."""
    of_corner: dict[tuple[float, ...], list[Array]] = {}
    for view, off in zip(views, errors, strict=True):
        for corner, each in zip(view.board.tolist(), off, strict=True):
            of_corner.setdefault(tuple(corner), []).append(each)
    between = [len(each) * float(np.square(np.mean(each, axis=0)).sum()) for each in of_corner.values()]
    every = float(np.mean(np.square(np.concatenate(errors)).sum(axis=1)))
    return max(1.0, float(np.mean(between)) / max(every, np.finfo(float).tiny))


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
            f"the pictures have different sizes ({told}): use one camera at one resolution, and leave out"
            f" {', '.join(others[:_NAMED])}{' and more' if len(others) > _NAMED else ''}"
        )


def _check_fit(fit: _Fit) -> None:
    if not fit.rms_px < WORST_RMS_PX:
        raise ValueError(f"{_CONTRADICT} (reprojection error {fit.rms_px:.1f} px)")
    focal_px = float(min(fit.lens.matrix[0, 0], fit.lens.matrix[1, 1]))
    if focal_px < _SHORTEST_FOCAL * max(fit.lens.size_px):
        raise ValueError(
            f"a focal length of {focal_px:.0f} px, which these views tell, is shorter than any camera's: "
            "hold the board at a slant, 30 to 50 degrees, in several views"
        )
    if not fit.focal_sigma < _WORST_FOCAL_SIGMA:
        raise ValueError(
            f"the focal length stays open by {100 * fit.focal_sigma:.0f} %: "
            "hold the board at a slant, 30 to 50 degrees, in several views"
        )


def _gate_px(fit: _Fit) -> float:
    return max(_BAD_VIEW * float(np.median(fit.rms_by_view_px)), _BAD_VIEW_PX)


def _view_residual(view: BoardView, kept: Sequence[BoardView], fit: _Fit) -> ViewResidual:
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


def _warnings(views: Sequence[BoardView], coverage: NDArray[np.bool_], fit: _Fit) -> tuple[str, ...]:
    told = []
    if len(views) < GOOD_VIEWS:
        told.append(f"only {len(views)} views: take {GOOD_VIEWS} to 15")
    if coverage.mean() < _GOOD_COVERAGE or _bare(coverage):
        where = ", ".join(_bare(coverage)) or "the edges"
        told.append(f"the board covers {100 * coverage.mean():.0f} % of the picture: bring it to {where}")
    if _folds(fit.lens):
        told.append("the lens is not told in the corners of the picture, where no board was: bring it there")
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

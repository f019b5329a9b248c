"""The lens that explains views of a board, by either model, with the error that they leave it; of a bent board too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.bending.lens_fold import folds
from calibration.boards.board import BoardView
from calibration.boards.bowed_board import NO_CHANCE, STRETCH_SIGMA, Bow, bent_more, shared_jacobian
from calibration.boards.bowed_views import bent_apart
from calibration.boards.turned_view import ViewTold, apart_px2, told_apart
from calibration.fit.solve import inverse
from calibration.lens import Lens

Array = NDArray[np.float64]
Model = Literal["auto", "pinhole", "fisheye"]

Rows = tuple[Array, Array, Array]

CONTRADICT = "the views contradict one another: hold the board flat, still, in focus and whole in the picture"
POOR_RMS_PX = 0.6
# The fisheye model is taken when it explains the views so much better, or no worse where the other one folds: powers of
# a pinhole's radius turn back in the corners of a wide picture, where no board told them (rays 130 degrees off). Where
# both do, one is as good as the other there, and the better one is taken.
_FISHEYE_GAIN, _NO_WORSE = 0.9, 1.1
# Focal lengths, of the width, that a fisheye is begun with: from far off OpenCV's steps end nowhere, or it gives up.
_FISHEYE_STARTS = (0.32, 0.4, 0.5, 0.25, 0.7)
# A board's bend (squares) and its stretch are told in so many steps, fewer where one is so small.
_MOST_BOW_STEPS, _SETTLED = 8, 2e-5
# Each view has a bend of its own where views tell apart so many times what chance makes of them (flat boards 1.2 at
# most), and so much less with such bends, in px2: of sheets that bent otherwise in each view 0.00 to 0.21 remain, of
# views at two zooms, of two cameras or in changing focus 0.43 to 0.85, boards whose one bend is of a higher order 0.87
# to 1.5. What remains may be no chance, so that the ratios to chance do not tell: 0.03 to 1.5 of bent sheets.
_BENT_APART, _AGREE_SHARE = 2.0, 1 / 3
_STOP = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 100, 1e-9)


@dataclass(frozen=True, eq=False)
class LensFit:
    """A lens and what views of a board told of it.

    poses         (rvec, tvec) of the board in each view
    errors_px     of each view, (n, 2) how far from its corners they are expected
    told          what each view tells of the lens
    variance_px2  of each coordinate of a corner
    bent_share    how far the board turned out to be bent, of its length; 0 for a flat one
    bent_apart    whether it is bent otherwise in each view
    stretch       by what share it turned out longer along its x than along y
    """

    lens: Lens
    poses: tuple[tuple[Array, Array], ...]
    errors_px: tuple[Array, ...]
    told: tuple[ViewTold, ...]
    variance_px2: float
    bent_share: float = 0.0
    bent_apart: bool = False
    stretch: float = 0.0

    @property
    def told_apart(self) -> float:
        """By how much more the views leave through one lens than each through its own, by what chance takes of that."""
        return told_apart(self.told, self.squares_px2, len(self.distances_px))

    @property
    def distances_px(self) -> Array:
        """(n,) reprojection errors of all points of all views."""
        return np.concatenate([np.hypot(*errors.T) for errors in self.errors_px])

    @property
    def squares_px2(self) -> float:
        """All reprojection errors, squared."""
        return float(np.square(self.distances_px).sum())

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


def best_fit(views: Sequence[BoardView], model: Model) -> LensFit:
    """The fit by the model that is asked for, or by the likelier one, of a board that may be bent.

    Taken as flat, a bent one may pass for a fisheye's picture: where it is bent both models are asked again.
    """
    pinhole = _pinhole(views) if model != "fisheye" else None
    fisheye = _fisheye(views) if model != "pinhole" else None
    if (flat := _likelier(pinhole, fisheye)) is None:
        raise ValueError(CONTRADICT)
    fit, other = _as_bent(views, flat), pinhole if flat is fisheye else fisheye
    if fit.bent_share and other is not None:
        fits = {each.lens.fisheye: each for each in (fit, _as_bent(views, other))}
        fit = _likelier(fits[False], fits[True]) or fit
    return fit


def _likelier(pinhole: LensFit | None, fisheye: LensFit | None) -> LensFit | None:
    if pinhole is None or fisheye is None:
        return pinhole or fisheye
    share = _FISHEYE_GAIN
    if folds(pinhole.lens):
        share = 1.0 if folds(fisheye.lens) else _NO_WORSE
    return fisheye if fisheye.rms_px < share * pinhole.rms_px else pinhole


def _pinhole(views: Sequence[BoardView], begun: Lens | None = None, bow: Bow | None = None) -> LensFit | None:
    """None where OpenCV finds no such lens. One to begin with is needed where the board is bent."""
    objects = [view.points.astype(np.float32) for view in views]
    corners = [view.corners_px.astype(np.float32) for view in views]
    start, bends = (np.eye(3), np.zeros(5)) if begun is None else (begun.matrix.copy(), begun.distortion.copy())
    flags = 0 if begun is None else cv2.CALIB_USE_INTRINSIC_GUESS
    try:
        _, matrix, distortion, rvecs, tvecs = cv2.calibrateCamera(
            objects, corners, views[0].size_px, start, bends, flags=flags, criteria=_STOP
        )
        lens = Lens.measured(views[0].size_px, matrix, distortion)
        return _finite_fit(lens, views, list(zip(rvecs, tvecs, strict=True)), bow or Bow.none_of(views))
    except (cv2.error, ValueError):
        return None


def _fisheye(views: Sequence[BoardView]) -> LensFit | None:
    """The best that is reached from a few focal lengths, the first that does; None where OpenCV finds no such lens."""
    reached: list[LensFit] = []
    for of_width in _FISHEYE_STARTS:
        fit = _fisheye_from(views, _fisheye_begun(views[0].size_px, of_width))
        reached += [fit] if fit is not None else []
        if fit is not None and fit.rms_px < POOR_RMS_PX:
            break
    return min(reached, key=lambda fit: fit.rms_px, default=None)


def _fisheye_begun(size_px: tuple[int, int], focal_of_width: float) -> Lens:
    focal_px, (width, height) = focal_of_width * max(size_px), size_px
    matrix = np.array([[focal_px, 0, (width - 1) / 2], [0, focal_px, (height - 1) / 2], [0, 0, 1]])
    return Lens.measured(size_px, matrix, np.zeros(4), fisheye=True)


def _fisheye_from(views: Sequence[BoardView], begun: Lens, bow: Bow | None = None) -> LensFit | None:
    objects = [view.points.reshape(1, -1, 3) for view in views]
    corners = [view.corners_px.reshape(1, -1, 2) for view in views]
    flags = cv2.CALIB_RECOMPUTE_EXTRINSIC | cv2.CALIB_FIX_SKEW | cv2.CALIB_USE_INTRINSIC_GUESS
    start, bends = begun.matrix.copy(), begun.distortion.reshape(4, 1).copy()
    try:
        _, matrix, distortion, rvecs, tvecs = cv2.fisheye.calibrate(
            objects, corners, begun.size_px, start, bends, flags=flags, criteria=_STOP
        )
        lens = Lens.measured(begun.size_px, matrix, distortion, fisheye=True)
        return _finite_fit(lens, views, list(zip(rvecs, tvecs, strict=True)), bow or Bow.none_of(views))
    except (cv2.error, ValueError):
        return None


def _finite_fit(
    lens: Lens, views: Sequence[BoardView], poses: Sequence[tuple[object, object]], bow: Bow
) -> LensFit | None:
    """`_fit_of`; None where views contradict one another so much that the lens's error is no number (or ValueError,
    where it cannot even be asked for)."""
    with np.errstate(over="ignore", invalid="ignore"):
        fit = _fit_of(lens, views, poses, bow)
    return fit if np.isfinite(fit.rms_px) else None


def _fit_of(lens: Lens, views: Sequence[BoardView], poses: Sequence[tuple[object, object]], bow: Bow) -> LensFit:
    """Of one board, whose stretch was estimated too, and its bend, if it has one in all views."""
    clean = [(np.asarray(rvec, float).ravel(), np.asarray(tvec, float).ravel()) for rvec, tvec in poses]
    rows = []
    for view, pose in zip(views, clean, strict=True):
        px, by_shared, by_pose = shared_jacobian(view, lens, pose, bow)
        rows.append(((px - view.corners_px).ravel(), by_shared, by_pose))
    return replace(_fit_by(lens, views, clean, rows), stretch=bow.stretch)


def _fit_by(
    lens: Lens, views: Sequence[BoardView], poses: Sequence[tuple[Array, Array]], rows: Sequence[Rows]
) -> LensFit:
    """With residuals, and the lens's covariance with what is each view's own taken out (Schur complement), and what was
    estimated of all beside the lens, the board's stretch first.

    What views tell apart by more than chance makes counts as chance of that size.
    """
    size = len(lens.parameters)
    told, errors, shared = [], [], []
    for view, (off, by_shared, by_own) in zip(views, rows, strict=True):
        cross = by_shared.T @ by_own
        hidden = cross @ inverse(by_own.T @ by_own)
        pull = (by_shared.T - hidden @ by_own.T) @ off
        shared.append(by_shared.T @ by_shared - hidden @ cross.T)
        told.append(ViewTold(shared[-1][:size, :size], pull[:size]))
        errors.append(off[: 2 * len(view.board)].reshape(-1, 2))
    squares = sum(float(np.sum(np.square(each))) for each in errors)
    redundancy = max(2 * sum(map(len, errors)) - len(shared[0]) - sum(by_own.shape[1] for _, _, by_own in rows), 1)
    variance_px2, alike = squares / redundancy, _alike(views, errors)
    fit = LensFit(lens, tuple(poses), tuple(errors), tuple(told), variance_px2 * alike)
    information, chance_px2 = np.sum(shared, axis=0), variance_px2 * max(alike, fit.told_apart)
    information[size, size] += chance_px2 / STRETCH_SIGMA**2
    covariance = inverse(information)[:size, :size] * chance_px2
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


def _as_bent(views: Sequence[BoardView], begun: LensFit) -> LensFit:
    """The lens by a board that may be stretched, and bent, where one that lies flat does not explain the views as
    well."""
    stretched = _shaped(views, begun, Bow.none_of(views))
    bent = _shaped(views, begun, replace(Bow.none_of(views), bends=True))
    if _explains_more(bent, stretched):
        return bent
    # What chance makes of a stretch is left alone: of eight views of a square board it made the focal length 1.0 % too
    # long, in place of 0.5. That it may be there is in the lens's covariance all the same.
    return stretched if _explains_more(stretched, begun) else begun


def _explains_more(fit: LensFit, other: LensFit) -> bool:
    """Whether a board of another shape explains the views better than by chance."""
    return other.squares_px2 - fit.squares_px2 > NO_CHANCE * fit.variance_px2


def _shaped(views: Sequence[BoardView], begun: LensFit, bow: Bow) -> LensFit:
    """The lens by a board of the likeliest shape; as begun where that leads to none, or to one bent by half of it."""
    fit, again = begun, _fisheye_from if begun.lens.fisheye else _pinhole
    # What views contradict one another by counts as chance from the second step on: of what a stretched board leaves
    # the first one takes most, which would else pass for chance and hide the stretch.
    chance_px2 = begun.variance_px2
    for _ in range(_MOST_BOW_STEPS):
        more = bent_more([bow.bent(view) for view in views], fit.lens, fit.poses, bow, chance_px2)
        if not np.abs(more).max() < bow.reach:
            return begun
        bow = bow.grown(more)
        refitted = again([bow.bent(view) for view in views], fit.lens, bow)
        if refitted is None:
            return begun
        fit, chance_px2 = refitted, refitted.variance_px2 * max(1.0, refitted.told_apart)
        if np.abs(more).max() < _SETTLED:
            break
    return replace(fit, bent_share=bow.share(views))


def as_bent_apart(views: Sequence[BoardView], fit: LensFit, model: Model) -> LensFit:
    """The lens by a board that has another bend in each view; `fit` where one bend, or none, explains the views."""
    if fit.told_apart < _BENT_APART:
        return fit
    asked = {False: "pinhole", True: "fisheye"}
    begun = {each: _pinhole(views) if not each else _fisheye(views) for each in asked if model in ("auto", asked[each])}
    apart = {each: _bent_apart(views, flat) for each, flat in begun.items() if flat is not None}
    likelier = _likelier(apart.get(False), apart.get(True))
    return likelier if likelier is not None and _agrees_better(likelier, fit) else fit


def _agrees_better(apart: LensFit, fit: LensFit) -> bool:
    gained = (fit.squares_px2 - apart.squares_px2) / apart.variance_px2
    remains = apart_px2(apart.told) < _AGREE_SHARE * apart_px2(fit.told)
    return remains and gained > NO_CHANCE + 3 * len(fit.poses)


def _bent_apart(views: Sequence[BoardView], begun: LensFit) -> LensFit | None:
    """None where it leads to no lens."""
    try:
        with np.errstate(all="ignore"):
            lens, bent = bent_apart(views, begun.lens, begun.poses, float(np.sqrt(begun.variance_px2)))
            fit = _fit_by(lens, views, [each.pose for each in bent], [each.rows(lens) for each in bent])
    except (cv2.error, ValueError, np.linalg.LinAlgError):
        return None
    share = max(each.bow.share([each.view]) for each in bent)
    fit = replace(fit, bent_share=share, bent_apart=True, stretch=bent[0].bow.stretch)
    return fit if np.isfinite(fit.rms_px) else None

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
from calibration.boards.bowed_board import NO_CHANCE, Bow, bent_more, shared_jacobian
from calibration.boards.turned_view import ViewTold
from calibration.fit.solve import inverse
from calibration.lens import Lens

Array = NDArray[np.float64]
Model = Literal["auto", "pinhole", "fisheye"]

CONTRADICT = "the views contradict one another: hold the board flat, still, in focus and whole in the picture"
POOR_RMS_PX = 0.6
# The fisheye model is taken when it explains the views so much better, or no worse where the other one folds: powers of
# a pinhole's radius turn back in the corners of a wide picture, where no board told them (rays 130 degrees off). Where
# both do, one is as good as the other there, and the better one is taken.
_FISHEYE_GAIN, _NO_WORSE = 0.9, 1.1
# Focal lengths, of the width, that a fisheye is begun with: from far off OpenCV's steps end nowhere, or it gives up.
_FISHEYE_STARTS = (0.32, 0.4, 0.5, 0.25, 0.7)
# A board's bend is told in so many steps.
_BOW_STEPS = 3
_STOP = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 100, 1e-9)


@dataclass(frozen=True, eq=False)
class LensFit:
    """A lens and what views of a board told of it.

    poses         (rvec, tvec) of the board in each view
    errors_px     of each view, (n, 2) how far from its corners they are expected
    told          what each view tells of the lens
    variance_px2  of each coordinate of a corner
    bent_share    how far the board turned out to be bent, of its length; 0 for a flat one
    """

    lens: Lens
    poses: tuple[tuple[Array, Array], ...]
    errors_px: tuple[Array, ...]
    told: tuple[ViewTold, ...]
    variance_px2: float
    bent_share: float = 0.0

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
    if not fit.bent_share or other is None:
        return fit
    fits = {each.lens.fisheye: each for each in (fit, _as_bent(views, other))}
    return _likelier(fits[False], fits[True]) or fit


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
        return _finite_fit(lens, views, list(zip(rvecs, tvecs, strict=True)), bow)
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
        return _finite_fit(lens, views, list(zip(rvecs, tvecs, strict=True)), bow)
    except (cv2.error, ValueError):
        return None


def _finite_fit(
    lens: Lens, views: Sequence[BoardView], poses: Sequence[tuple[object, object]], bow: Bow | None
) -> LensFit | None:
    """`_fit_of`; None where views contradict one another so much that the lens's error is no number (or ValueError,
    where it cannot even be asked for)."""
    with np.errstate(over="ignore", invalid="ignore"):
        fit = _fit_of(lens, views, poses, bow)
    return fit if np.isfinite(fit.rms_px) else None


def _fit_of(
    lens: Lens, views: Sequence[BoardView], poses: Sequence[tuple[object, object]], bow: Bow | None = None
) -> LensFit:
    """With residuals, and the lens's covariance with the views' poses taken out (Schur complement), and a board's bend
    that was estimated too."""
    size = len(lens.parameters)
    told, errors, clean, shared = [], [], [], []
    for view, (rvec, tvec) in zip(views, poses, strict=True):
        pose = (np.asarray(rvec, float).ravel(), np.asarray(tvec, float).ravel())
        px, by_shared, by_pose = shared_jacobian(view, lens, pose, bow)
        cross = by_shared.T @ by_pose
        hidden, off = cross @ inverse(by_pose.T @ by_pose), px - view.corners_px
        pull = (by_shared.T - hidden @ by_pose.T) @ off.ravel()
        shared.append(by_shared.T @ by_shared - hidden @ cross.T)
        told.append(ViewTold(shared[-1][:size, :size], pull[:size]))
        errors.append(off)
        clean.append(pose)
    squares = sum(float(np.sum(np.square(each))) for each in errors)
    redundancy = max(2 * sum(map(len, errors)) - len(shared[0]) - 6 * len(views), 1)
    variance_px2 = squares / redundancy * _alike(views, errors)
    covariance = inverse(np.sum(shared, axis=0))[:size, :size] * variance_px2
    fit = LensFit(lens, tuple(clean), tuple(errors), tuple(told), variance_px2)
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


def _as_bent(views: Sequence[BoardView], flat: LensFit) -> LensFit:
    """The lens by a board that may be bent; as it was where a flat one explains the views as well."""
    bow, fit = Bow.none_of(views), flat
    for _ in range(_BOW_STEPS):
        more = bent_more([bow.bent(view) for view in views], fit.lens, fit.poses, bow)
        bow = replace(bow, heights=bow.heights + more)
        again = _fisheye_from if flat.lens.fisheye else _pinhole
        refitted = again([bow.bent(view) for view in views], fit.lens, bow)
        if refitted is None:
            return flat
        fit = refitted
    is_bent = flat.squares_px2 - fit.squares_px2 > NO_CHANCE * fit.variance_px2
    return replace(fit, bent_share=bow.share(views)) if is_bent else flat

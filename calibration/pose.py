"""The camera that saw given points of a plane: first guess, least squares, and the points that contradict the rest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.correspondence import Correspondences
from calibration.lens import Lens
from calibration.solve import inverse, levenberg_marquardt, square_root

Array = NDArray[np.float64]

# The stated pixel errors count as this many observations when the residuals judge them: four points leave two.
PRIOR_OBSERVATIONS = 2.0
# A source is wrong when it lies this many of its sigmas off what the others agree on, and by at least so much.
WRONG_SIGMAS = 6.0
WRONG_PX = 1.5
# Two explanations whose costs differ by less than this (three sigma) cannot be told apart.
CLEAR_COST = 9.0
_MOST_TRIALS = 120


@dataclass(frozen=True, eq=False)
class CameraFit:
    """A camera, the covariance of (lens parameters, rvec, tvec), and the sources that it follows."""

    lens: Lens
    rvec: Array
    tvec: Array
    covariance: Array
    cost: float
    groups: tuple[str, ...]
    ambiguous: bool = False

    def errors_px(self, seen: Correspondences) -> Array:
        """(n, 2) expected minus observed px."""
        points = np.c_[seen.table_mm, seen.height_mm]
        return self.lens.project(points, self.rvec, self.tvec)[0] - seen.image_px


def fit_camera(seen: Correspondences, lens: Lens) -> CameraFit:
    """The camera that most of the sources agree on. At least four points, as `degenerate.check_points` demands."""
    whole = _fit(seen, lens)
    strained = whole.cost > CLEAR_COST * len(seen)
    if len(seen.groups) < 5 or not (strained or _contradicting(whole, seen)):
        return whole
    trials = sorted(_consenting(seen, lens), key=lambda fit: _truncated_cost(fit, seen))
    best = trials[0]
    blamed = _contradicting(best, seen)
    rivals = [fit for fit in trials if _contradicting(fit, seen) != blamed]
    if rivals and _truncated_cost(rivals[0], seen) - _truncated_cost(best, seen) < CLEAR_COST:
        return replace(whole, ambiguous=True)
    return best


def _consenting(seen: Correspondences, lens: Lens) -> Iterable[CameraFit]:
    """For each way to trust four sources: the fit to all sources that agree with them."""
    known: dict[tuple[str, ...], CameraFit] = {}
    for trusted in _samples(seen.groups):
        agreed = trusted
        for _ in range(4):
            if agreed not in known:
                known[agreed] = _fit(seen.only(agreed), lens)
            wrong = _contradicting(known[agreed], seen)
            grown = tuple(name for name in seen.groups if name not in wrong)
            if grown == agreed or len(grown) < 4:
                break
            agreed = grown
    return known.values()


def _samples(groups: tuple[str, ...]) -> list[tuple[str, ...]]:
    every: list[tuple[str, ...]] = list(combinations(groups, 4))
    if len(every) <= _MOST_TRIALS:
        return every
    chosen = np.random.default_rng(0).choice(len(every), _MOST_TRIALS, replace=False)
    return [every[i] for i in chosen]


def _contradicting(fit: CameraFit, seen: Correspondences) -> set[str]:
    distance_px = np.hypot(*fit.errors_px(seen).T)
    gate_px = np.maximum(WRONG_SIGMAS * seen.sigma_px, WRONG_PX)
    return {name for name, wrong in zip(seen.sources, distance_px > gate_px, strict=True) if wrong}


def _truncated_cost(fit: CameraFit, seen: Correspondences) -> float:
    """The prior's cost and each source's, a contradicting one counting no more than the gate."""
    squares = np.sum(np.square(fit.errors_px(seen) / seen.sigma_px[:, None]), axis=1)
    names = np.array(seen.sources)
    per_source = [min(float(squares[names == name].max()), 2 * WRONG_SIGMAS**2) for name in seen.groups]
    used = np.isin(names, fit.groups)
    return sum(per_source) + max(fit.cost - float(squares[used].sum()), 0.0)


def _fit(seen: Correspondences, lens: Lens) -> CameraFit:
    """Least squares over all points, from every first guess."""
    root = square_root(lens.covariance)
    sigma_px = np.repeat(seen.sigma_px, 2)
    points = np.c_[seen.table_mm, seen.height_mm]
    free = root.shape[1]

    def camera(parameters: Array) -> Lens:
        return lens.with_parameters(lens.parameters + root @ parameters[:free])

    def residuals(parameters: Array) -> tuple[Array, Array]:
        px, jacobian = camera(parameters).project(points, parameters[free : free + 3], parameters[free + 3 :])
        by_lens = jacobian[:, :, :-6] @ root
        wide = np.concatenate([by_lens, jacobian[:, :, -6:]], axis=2).reshape(-1, free + 6)
        prior = np.eye(free, free + 6)
        misfit = (px - seen.image_px).ravel() / sigma_px
        return np.r_[misfit, parameters[:free]], np.vstack([wide / sigma_px[:, None], prior])

    starts = _first_guesses(seen, lens, root)
    best = min((levenberg_marquardt(residuals, start) for start in starts), key=lambda solution: solution.cost)
    spread = _covariance(best.residuals, best.jacobian, free)
    lift = np.zeros((len(lens.parameters) + 6, free + 6))
    lift[:-6, :free], lift[-6:, free:] = root, np.eye(6)
    rvec, tvec = best.parameters[free : free + 3], best.parameters[free + 3 :]
    return CameraFit(camera(best.parameters), rvec, tvec, lift @ spread @ lift.T, best.cost, seen.groups)


def _covariance(residuals: Array, jacobian: Array, free: int) -> Array:
    """The inverse normal matrix, the pixel errors scaled to what the residuals show them to be."""
    observed, prior = jacobian[: len(jacobian) - free], jacobian[len(jacobian) - free :]
    information, held = observed.T @ observed, prior.T @ prior
    used = float(np.trace(inverse(information + held) @ information))
    misfit = residuals[: len(observed)]
    redundancy = max(len(observed) - used, 0.0)
    scale = (PRIOR_OBSERVATIONS + float(misfit @ misfit)) / (PRIOR_OBSERVATIONS + redundancy)
    return inverse(information / scale + held)


def _first_guesses(seen: Correspondences, lens: Lens, root: Array) -> list[Array]:
    """Parameter vectors (whitened lens, rvec, tvec) from the homography, for each focal length that it may mean."""
    undistorted = lens.undistort(seen.image_px)
    found, _ = cv2.findHomography(seen.table_mm, undistorted, 0)
    if found is None:
        raise ValueError("the calibration points fit no plane: check their order and their numbers")
    homography = np.asarray(found, float)
    focals = [lens.matrix[0, 0]] if lens.known else focal_candidates(homography, lens)
    guesses = []
    for focal_px in focals:
        shift = np.zeros(len(lens.parameters))
        shift[:2] = np.log(focal_px / lens.matrix[0, 0])
        whitened = np.linalg.lstsq(root, shift, rcond=None)[0]
        guesses.append(np.r_[whitened, pose_of(homography, lens.with_parameters(lens.parameters + shift))])
    return guesses


def focal_candidates(homography: Array, lens: Lens) -> list[float]:
    """Focal lengths in px to try for a homography mm -> px: what its own two constraints say, and the usual ones.

    With the principal point p taken off, its columns h1, h2 are images of perpendicular, equally long vectors:
    h1' w h2 = 0 and h1' w h1 = h2' w h2 with w = diag(1/f^2, 1/f^2, 1) (Zhang 2000). A frontal view says nothing.
    """
    centre = np.array([[1, 0, -lens.matrix[0, 2]], [0, 1, -lens.matrix[1, 2]], [0, 0, 1]])
    h1, h2 = (centre @ homography / np.linalg.norm(homography))[:, :2].T
    flat = np.array([h1[:2] @ h2[:2], h1[:2] @ h1[:2] - h2[:2] @ h2[:2]])
    deep = -np.array([h1[2] * h2[2], h1[2] ** 2 - h2[2] ** 2])
    usual = float(lens.matrix[0, 0])
    inverse_square = float(flat @ deep) / max(float(flat @ flat), 1e-300)
    limits = np.array([0.3, 4.0]) * usual
    own = [float(np.clip(inverse_square**-0.5, *limits))] if inverse_square > 0 else []
    return [*own, usual, 2 * usual]


def pose_of(homography: Array, lens: Lens) -> Array:
    """(6,): rvec and tvec of a homography mm -> undistorted px, the points before the camera."""
    columns = np.linalg.solve(lens.matrix, homography)
    columns /= np.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1]))
    columns *= 1.0 if columns[2, 2] > 0 else -1.0
    left, _, right = np.linalg.svd(np.c_[columns[:, :2], np.cross(columns[:, 0], columns[:, 1])])
    rotation = left @ np.diag([1, 1, np.linalg.det(left @ right)]) @ right
    return np.asarray(np.r_[cv2.Rodrigues(rotation)[0].ravel(), columns[:, 2]], float)

"""Three known points: the camera that sees them so, where only one does, by a measured lens or by coins beside them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.bending.unmeasured import bent
from calibration.fit.bundle import CameraFit, cameras_from, fit_bundle
from calibration.fit.correspondence import Circle, Correspondences
from calibration.fit.degenerate import FLAT_TRIANGLE, SAME_PX
from calibration.fit.planar import circle_through, turn
from calibration.fit.seen import Seen
from calibration.lens import Lens
from calibration.pose import CameraGuess, Pose, guesses_from_points, refocused

Array = NDArray[np.float64]

# Cameras on tripods and shelves stand level to a few degrees; beyond this a person would have set it straight.
_MOST_ROLL_DEG = 15.0
_FOURTH = "give a fourth"
# How far off two of three points may be beside the one between them.
_DEPTHS = (0.72, 0.86, 1.0, 1.18, 1.42)
# From so many coins on it shows which of them has a wrong name; at most this share of them may have one.
FEWEST_CIRCLES, _MOST_WRONG = 6, 0.2
# A coin whose size is this many sigmas off what the others leave it is another coin, or half covered.
_WRONG_SIGMAS = 4.0
# Two cameras whose costs differ by less than this (three sigma) cannot be told apart. They are two if one shows a
# corner of the table farther off than so many sigmas of the other, and than a fit may stop short of the best.
_CLEAR_COST, _APART_SIGMAS, _APART_PX = 9.0, 3.0, 1.0
_SAME_PX = 0.3
# Focal lengths to begin with, of the usual one: those of all cameras (`calibration.lens`). Of what they lead to, in so
# many steps, so many are followed on, if they show a corner so far apart, in shares of the picture's width.
_FOCAL_SHARES = np.geomspace(0.5, 2.6, 15)
_ROUNDS = ((0, 6, 0.04), (10, 3, 1e-3))
# Corners that were clicked at the picture's edge may lie a little beyond it. Where a camera is only tried, the fourth
# may seem to by this share of the picture, and the camera less level.
_BEYOND_PX, _TRIED_BEYOND, _TRIED_ROLL_DEG = 5.0, 0.2, 22.0


def is_by_three(seen: Seen, lens: Lens) -> bool:
    """Whether three points are all that lies fixed, and a measured lens or coins of known size are beside them."""
    return len(seen.points) == 3 and not seen.points.loose and (lens.known or bool(seen.circles))


def fit_three(seen: Seen, lens: Lens, corners_mm: Array) -> CameraFit:
    """The only level camera above the table that shows three points where they were seen, and all `corners_mm` (n, 2).

    Up to four cameras show three points alike (Grunert 1841; cv2.solveP3P), with a lens that nobody measured as many
    for each focal length. Coins of known size lying about tell which, and how long it is: those far off show smaller.
    Without them nothing is left over that could tell how far the points are off, so that the error follows from what
    they state.
    Raises  ValueError, one line, where no such camera or more than one does
    """
    _check_three(seen)
    if seen.circles:
        return _by_circles(seen, lens, corners_mm)
    guesses = [guess for guess in _cameras(seen, lens) if _is_likely(guess, corners_mm)]
    if not guesses:
        raise ValueError(f"no level camera that shows the whole table sees three points so: check them, or {_FOURTH}")
    if len(guesses) > 1:
        raise ValueError(f"three points leave {len(guesses)} places where the camera may be: {_FOURTH}")
    return fit_bundle(seen, lens, guesses)


def three_point_guesses(
    seen: Seen, lens: Lens, corners_mm: Array, beyond_px: float = _BEYOND_PX, roll_deg: float = _MOST_ROLL_DEG
) -> Iterator[CameraGuess]:
    """Cameras to start from that show three points so, or nearly, and look likely: the points being so far away.

    beyond_px  how far out of the picture a corner of the table may show; no camera is rolled by more than `roll_deg`
    """
    image_px, table_mm = seen.points.image_px, seen.points.table_mm
    first, middle, last = lens.undistort(image_px)
    whole_mm = np.vstack([table_mm, table_mm[0] + table_mm[2] - table_mm[1]])
    for one, other in product(_DEPTHS, _DEPTHS):
        # Depths are linear over a plane, and so is what they weigh.
        fourth = (one * first + other * last - middle) / (one + other - 1)
        whole_px = np.vstack([image_px, lens.distort(fourth)])
        for guess in guesses_from_points(whole_px, whole_mm, lens)[:1]:
            if _is_likely(guess, corners_mm, beyond_px, roll_deg):
                yield guess


def cameras_by_three(points: Correspondences, lens: Lens, corners_mm: Array) -> list[CameraGuess]:
    """All cameras that show three points where they were seen and look likely: of one whose lens nobody measured a few
    focal lengths, each way to stand.

    corners_mm  (n, 2) the table's
    """
    seen = Seen(points)
    _check_three(seen)
    return _starts(seen, lens, corners_mm)


def _by_circles(seen: Seen, lens: Lens, corners_mm: Array) -> CameraFit:
    """The camera on which most coins have their sizes, those left out that have another."""
    prior = lens if lens.known or seen.bend is not None else lens.straight()
    first = _fits(seen, prior, _starts(seen, prior, corners_mm), corners_mm)
    fit, kept = first[0], seen
    while (wrong := _wrong_circle(fit, kept)) is not None:
        kept = seen.only(tuple(name for name in fit.groups if name != wrong))
        fit = _fits(kept, prior, [CameraGuess(fit.lens, fit.pose)], corners_mm)[0]
    left_out = len(seen.circles) - len(kept.circles)
    if len(kept.circles) < FEWEST_CIRCLES or left_out > _MOST_WRONG * len(seen.circles):
        raise ValueError(
            f"three points need {FEWEST_CIRCLES} coins that agree, and {len(kept.circles)} of {len(seen.circles)} do:"
            f" {_FOURTH}"
        )
    # What was left out on the way from one guess may be what another camera explains.
    judged = _judged(kept, fit)
    fits = _fits(judged, prior, [CameraGuess(each.lens, each.pose) for each in (fit, *first[1:])], corners_mm)
    _check_clear(fits, corners_mm)
    return replace(fits[0], bent=bent(judged, lens, fits[0]))


def _starts(seen: Seen, prior: Lens, corners_mm: Array) -> list[CameraGuess]:
    """Cameras that show the three points where they were seen, one for each focal length and each way to stand."""
    lenses = [prior]
    if not prior.known:
        lenses = [refocused(prior, share * float(prior.matrix[0, 0])) for share in _FOCAL_SHARES]
        lenses = [seen.bend.bending(lens) for lens in lenses] if seen.bend is not None else lenses
    tried = (_TRIED_BEYOND * max(prior.size_px), _TRIED_ROLL_DEG)
    found = [each for lens in lenses for each in _cameras(seen, lens) if _is_likely(each, corners_mm, *tried)]
    return found or list(three_point_guesses(seen, prior, corners_mm, *tried))


def _fits(seen: Seen, prior: Lens, guesses: list[CameraGuess], corners_mm: Array) -> list[CameraFit]:
    """The likely cameras that the guesses lead to, each once, the one of least cost first."""
    for steps, most, apart in _ROUNDS if len(guesses) > 1 else ():
        guesses = _best(cameras_from(seen, prior, guesses, steps), corners_mm, most, apart * max(prior.size_px))
    fits = [fit_bundle(seen, prior, [guess]) for guess in guesses]
    ended = [(fit.cost, CameraGuess(fit.lens, fit.pose)) for fit in fits]
    kept = [camera for camera in _best(ended, corners_mm, len(ended), _SAME_PX) if _is_likely(camera, corners_mm)]
    if not kept:
        raise ValueError(f"no level camera that shows the whole table sees three points and the coins so: {_FOURTH}")
    return [next(fit for fit in fits if fit.lens is camera.lens) for camera in kept]


def _best(ended: list[tuple[float, CameraGuess]], corners_mm: Array, most: int, apart_px: float) -> list[CameraGuess]:
    """Of cameras and what they cost the best, those left out that show all corners nearly where a better one does."""
    found: list[CameraGuess] = []
    for _, camera in sorted((each for each in ended if np.isfinite(each[0])), key=lambda each: each[0]):
        shown = _shown(camera, corners_mm)[0]
        if all(np.abs(_shown(other, corners_mm)[0] - shown).max() > apart_px for other in found):
            found.append(camera)
    return found[:most]


def _check_clear(fits: list[CameraFit], corners_mm: Array) -> None:
    """ValueError where another camera explains as much as the first."""
    shown, jacobian = _shown(CameraGuess(fits[0].lens, fits[0].pose), corners_mm)
    jacobian = jacobian[:, :, : len(fits[0].covariance)]
    sigma_px = np.sqrt(np.trace(jacobian @ fits[0].covariance @ jacobian.transpose(0, 2, 1), axis1=1, axis2=2))
    for rival in fits[1:]:
        apart_px = np.hypot(*(_shown(CameraGuess(rival.lens, rival.pose), corners_mm)[0] - shown).T)
        is_other = bool((apart_px > _APART_PX + _APART_SIGMAS * sigma_px).any())
        if is_other and rival.cost < fits[0].cost + _CLEAR_COST:
            raise ValueError(f"three points and the coins leave two places where the camera may be: {_FOURTH}")


def _shown(camera: CameraGuess, corners_mm: Array) -> tuple[Array, Array]:
    """(n, 2) px, and (n, 2, m + 9) how they change with lens, pose and place."""
    return camera.lens.project(np.c_[corners_mm, np.zeros(len(corners_mm))], camera.pose.rvec, camera.pose.tvec)


def _wrong_circle(fit: CameraFit, seen: Seen) -> str | None:
    """The coin that has another size than it should, if one has; the worst."""
    sizes = {circle.source: _size_sigmas(fit, circle) for circle in seen.circles if circle.source in fit.groups}
    middle = float(np.median(list(sizes.values())))
    worst = max(sizes, key=lambda name: abs(sizes[name] - middle))
    return worst if abs(sizes[worst] - middle) > _WRONG_SIGMAS else None


def _size_sigmas(fit: CameraFit, circle: Circle) -> float:
    """How many sigmas larger than it is the coin shows on the table."""
    rim_mm = fit.pose.to_table(fit.lens, circle.rim_px, circle.height_mm)
    if not np.isfinite(rim_mm).all():
        return float("inf")
    middle, radius_mm = circle_through(rim_mm)
    px_per_mm = float(fit.pose.px_per_mm(fit.lens, middle[None], circle.height_mm)[0])
    off = (radius_mm - circle.radius_mm) * px_per_mm / circle.sigma_px
    # A radius is one of an ellipse's five numbers.
    return off if circle.size_only else off * 5**0.5


def _judged(seen: Seen, fit: CameraFit) -> Seen:
    """With the coins' errors as large as their sizes scatter, where that is more than they say."""
    off = [_size_sigmas(fit, circle) for circle in seen.circles]
    share = max(1.0, float(np.std(off)))
    return replace(seen, circles=tuple(replace(circle, sigma_px=circle.sigma_px * share) for circle in seen.circles))


def _check_three(seen: Seen) -> None:
    image_px, table_mm = seen.points.image_px, seen.points.table_mm
    for points in (image_px, table_mm):
        sides = np.hypot(*(points - np.roll(points, 1, axis=0)).T)
        if sides.min() < SAME_PX or abs(turn(points)) < FLAT_TRIANGLE * sides.max() ** 2:
            raise ValueError("the three calibration points lie on a line, or two of them in one place")
    if turn(image_px) * turn(table_mm) > 0:
        raise ValueError("the three calibration points run the wrong way round: two are swapped, or x and y are")


def _cameras(seen: Seen, lens: Lens) -> list[CameraGuess]:
    points = seen.points
    flat = np.c_[points.table_mm, points.height_mm]
    rays = lens.rays(points.image_px)
    _, rvecs, tvecs = cv2.solveP3P(flat, rays, np.eye(3), np.zeros(4), flags=cv2.SOLVEPNP_AP3P)
    return [CameraGuess(lens, Pose(np.ravel(r), np.ravel(t))) for r, t in zip(rvecs, tvecs, strict=True)]


def _is_likely(
    guess: CameraGuess, corners_mm: Array, beyond_px: float = _BEYOND_PX, roll_deg: float = _MOST_ROLL_DEG
) -> bool:
    """Above the table, level, and with the whole table in its picture or no farther beyond it."""
    pose, lens = guess.pose, guess.lens
    solid = np.c_[corners_mm, np.zeros(len(corners_mm))]
    if pose.position_mm[2] <= 0 or (solid @ pose.rotation[2] + pose.tvec[2] <= 0).any():
        return False
    px, _ = lens.project(solid, pose.rvec, pose.tvec)
    is_level = abs(pose.rotation[0, 2]) < np.sin(np.radians(roll_deg))
    return bool(is_level and ((px > -beyond_px) & (px < np.add(lens.size_px, beyond_px))).all())

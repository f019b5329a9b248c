"""One least squares over all that was seen: the camera, and where cards and coins of known size lie."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from calibration.fit.problem import Problem
from calibration.fit.seen import Seen
from calibration.fit.solve import Solution, inverse, square_root
from calibration.lens import Lens
from calibration.pose import CameraGuess, Pose, Rigid, rigid_between
from calibration.rulers.rims import rim_errors_px

Array = NDArray[np.float64]

# So many points tell a homography, and with it a guess for each focal length.
_FIXED_BY = 4
# Costs that differ by no more are of one solution: a search stops where a step gains a ten-millionth of its cost.
_SAME_SHARE, _SAME_COST = 1e-5, 1e-9


@dataclass(frozen=True, eq=False)
class CameraFit:
    """A camera over the table.

    reckoned    gives `covariance`
    cost        of what it follows, the sources in `groups`
    ambiguous   the sources contradict one another with no majority
    strained    no camera explains them even if each had slipped a little
    bent        the covariance where nothing tells how the lens, taken as free of distortion, bends: as webcams do
    print_scale what share of their said size all markers turned out to have
    odd         the one or two markers of another size than all others, and what share of theirs each turned out to have
    turned_over whether the picture is the other way up than that by which its lens was measured
    bloom_px    by source, how far light spreads into what is dark
    ink_mm      by how much what is dark is larger on every side than said
    turns_deg   by source that may lie askew, by how much it turned out to be turned, counter-clockwise
    rise        by how many of their standard deviations raised points are
    """

    lens: Lens
    pose: Pose
    reckoned: Callable[[], Array]
    cost: float
    groups: tuple[str, ...]
    ambiguous: bool = False
    strained: bool = False
    bent: Array | None = None
    print_scale: float = 1.0
    odd: dict[str, float] = field(default_factory=dict)
    turned_over: bool = False
    bloom_px: dict[str, float] = field(default_factory=dict)
    ink_mm: float = 0.0
    turns_deg: dict[str, float] = field(default_factory=dict)
    rise: float = 0.0

    @property
    def covariance(self) -> Array:
        """(n, n) of (lens parameters, rvec, tvec), reckoned when it is asked for: most cameras are but compared."""
        return self.reckoned()

    def errors_px(self, seen: Seen) -> dict[str, Array]:
        """By source, (n,) distances in px between what is expected and what was seen, loose things well placed, and
        those that may lie askew well turned."""
        points = seen.points
        errors = {}
        for name in points.groups:
            part = points.only((name,))
            shape = part.table_mm + self.ink_mm * part.outward
            if name in points.loose:
                there = self.pose.to_table(self.lens, part.image_px, part.height_mm)
                shape = rigid_between(shape, there).apply(shape) if np.isfinite(there).all() else shape + np.inf
            elif name in points.askew:
                there, middle = self.pose.to_table(self.lens, part.image_px, part.height_mm), shape.mean(axis=0)
                turn = rigid_between(shape, there).turn if np.isfinite(there).all() else 0.0
                shape = middle + Rigid(turn, (0.0, 0.0)).apply(shape - middle)
            heights_mm = part.height_mm + self.rise * part.raised_mm
            px = self.lens.project(np.c_[shape, heights_mm], self.pose.rvec, self.pose.tvec)[0]
            px += self.bloom_px.get(name, 0.0) * part.bloom
            errors[name] = np.hypot(*part.seen_part(px - part.image_px).T)
        for circle in seen.circles:
            errors[circle.source] = rim_errors_px(circle, self.lens, self.pose)
        return errors


def cameras_from(
    seen: Seen, lens: Lens, guesses: list[CameraGuess], most_steps: int
) -> list[tuple[float, CameraGuess]]:
    """By guess, the cost and the camera that so many steps from it lead to; with no steps, what the guess itself costs.
    A later fit may go on from there, and completes the camera."""
    problem = Problem.of(seen, lens)
    solutions = [problem.solved(guess, most_steps) for guess in guesses]
    return [(solution.cost, CameraGuess(*problem.camera(solution.parameters))) for solution in solutions]


def fit_bundle(seen: Seen, lens: Lens, guesses: list[CameraGuess]) -> CameraFit:
    """The camera of least cost, from the best of the guesses."""
    problem = Problem.of(seen, lens)
    best = _best_from(problem, guesses)
    camera, pose = problem.camera(best.parameters)
    bloom_px, ink_mm = problem.bloom_px(best.parameters), problem.ink_mm(best.parameters)
    turns_deg, rise = problem.turns_deg(best.parameters), problem.rise(best.parameters)
    return CameraFit(
        camera,
        pose,
        cache(partial(problem.camera_covariance, best)),
        best.cost,
        seen.groups,
        bloom_px=bloom_px,
        ink_mm=ink_mm,
        turns_deg=turns_deg,
        rise=rise,
    )


def _best_from(problem: Problem, guesses: list[CameraGuess]) -> Solution:
    """The solution of least cost that the guesses lead to.

    Those from four points and more share a homography, and differ in the focal length: where the two that cost least
    lead to one place, so do the others, which come from farther and take the longest. Where the axis is open too, the
    valley is so long that each may stop elsewhere in it.
    """
    if len(guesses) <= 2:
        return min((problem.solved(guess) for guess in guesses), key=lambda solution: solution.cost)
    nearest = sorted(guesses, key=lambda guess: problem.solved(guess, 0).cost)
    solutions = [problem.solved(guess) for guess in nearest[:2]]
    if len(problem.seen.points) < _FIXED_BY or problem.lens.is_cut_out or not _is_one(*solutions):
        solutions += [problem.solved(guess) for guess in nearest[2:]]
    return min(solutions, key=lambda solution: solution.cost)


def _is_one(first: Solution, second: Solution) -> bool:
    """Whether two solutions are the same but for where the search stopped."""
    return abs(second.cost - first.cost) <= _SAME_SHARE * first.cost + _SAME_COST


def covariance_under(seen: Seen, lens: Lens, fit: CameraFit) -> Array:
    """(n, n) what a fitted camera's covariance would be with another `lens` to begin from, errors as stated."""
    problem = Problem.of(seen, lens)
    _, jacobian = problem.residuals(problem.start(CameraGuess(fit.lens, fit.pose)))
    return problem.lifted(inverse(jacobian.T @ jacobian))


def covariance_overlooking(seen: Seen, bends: Array, fit: CameraFit) -> Array:
    """(n, n) the covariance of a fitted camera whose lens was taken as exact but for its straight part and errs by
    `bends`, (k, k) of the lens's parameters. The fit follows the overlooked error as far as it can, so the residuals
    would not tell it."""
    straight = Problem.of(seen, fit.lens)
    problem = replace(straight, root=np.hstack([straight.root, square_root(bends)]))
    _, jacobian = problem.residuals(problem.start(CameraGuess(fit.lens, fit.pose)))
    overlooked = np.zeros(problem.unknowns.size, bool)
    overlooked[straight.unknowns.of_lens : problem.unknowns.of_lens] = True
    fitted = jacobian[:, ~overlooked]
    own = inverse(fitted.T @ fitted)
    follows = np.zeros((len(overlooked), overlooked.sum()))
    follows[~overlooked] = own @ fitted.T @ jacobian[:, overlooked]
    follows[overlooked] = -np.eye(overlooked.sum())
    spread = follows @ follows.T
    spread[np.ix_(~overlooked, ~overlooked)] += own
    return problem.lifted(spread)

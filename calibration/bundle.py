"""One least squares over all that was seen: the camera, and where cards and coins of known size lie."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.noise import judged_noise
from calibration.plumb_line import Bend
from calibration.pose import CameraGuess, Pose, pose_showing, rigid_between
from calibration.rims import Rims, rim_errors_px
from calibration.seen import Seen
from calibration.slip import slip_covariance
from calibration.solve import MOST_STEPS, Solution, inverse, levenberg_marquardt, square_root

Array = NDArray[np.float64]

# Light, shadow and bright borders make all rims of one table look wider or narrower by this share; by more where
# nothing but the rims tells the plane, and with it what is rim and what is foot (on rendered tables 4 %).
RIM_LIGHT_SHARE, RIM_ALONE_SHARE = 0.02, 0.05
# Sizes of discs err together besides: by so much for each log px a mm, since what shows small looks smaller or larger
# than it is, and for each width of the picture from its left to its right, with the light (48 rendered stills of seed
# 5, beyond what the scatter of the coins explains).
SIZE_SLOPE, SIZE_ACROSS = 0.013, 0.02
# Makers, round corners and the knife make all cards of one table smaller or larger than said by this share, and what
# cards measure with them: 88 x 63 and 88.9 x 63.5 mm (3.5 x 2.5 in) are both sold as poker cards, 1.0 % apart; rendered
# cards measure 0.3 to 0.6 % narrow. What lies fixed, or coins, tell by how much.
LOOSE_SHARE = 0.007
# Lens blur mixes light, and a picture shows its root: bright paper spreads into what is dark beside it. On rendered
# stills the sides of markers lie 0.1 to 0.9 px inward, the more the softer; those in better light 0.1 px more.
BLOOM_PX, OWN_BLOOM_PX = 0.5, 0.1
# Ink and toner run: what is printed dark is so much larger on every side, all of one print alike. In millimetres and
# not in pixels, so that what is far shows less of it: rendered sheets have 0.12 +- 0.01, print softened by 0.17 mm.
INK_MM = 0.1


@dataclass(frozen=True, eq=False)
class CameraFit:
    """A camera over the table.

    covariance  of (lens parameters, rvec, tvec)
    cost        of what it follows, the sources in `groups`
    ambiguous   the sources contradict one another with no majority
    bent        the covariance where nothing tells how the lens, taken as free of distortion, bends: as webcams do
    print_scale what share of their said size all markers turned out to have
    bloom_px    by source, how far light spreads into what is dark
    ink_mm      by how much what is dark is larger on every side than said
    """

    lens: Lens
    pose: Pose
    covariance: Array
    cost: float
    groups: tuple[str, ...]
    ambiguous: bool = False
    bent: Array | None = None
    print_scale: float = 1.0
    bloom_px: dict[str, float] = field(default_factory=dict)
    ink_mm: float = 0.0

    def errors_px(self, seen: Seen) -> dict[str, Array]:
        """By source, (n,) distances in px between what is expected and what was seen, loose things well placed."""
        points = seen.points
        errors = {}
        for name in points.groups:
            part = points.only((name,))
            shape = part.table_mm + self.ink_mm * part.outward
            if name in points.loose:
                there = self.pose.to_table(self.lens, part.image_px, part.height_mm)
                shape = rigid_between(shape, there).apply(shape) if np.isfinite(there).all() else shape + np.inf
            px = self.lens.project(np.c_[shape, part.height_mm], self.pose.rvec, self.pose.tvec)[0]
            px += self.bloom_px.get(name, 0.0) * part.bloom
            errors[name] = np.hypot(*part.seen_part(px - part.image_px).T)
        for circle in seen.circles:
            errors[circle.source] = rim_errors_px(circle, self.lens, self.pose)
        return errors


def cameras_from(
    seen: Seen, lens: Lens, guesses: list[CameraGuess], most_steps: int
) -> list[tuple[float, CameraGuess]]:
    """By guess, the cost and the camera that it leads to in so many steps; none at all tell what the guess itself
    costs. A fit from there goes on, and adds what it is good for."""
    problem = _Problem.of(seen, lens)
    solutions = [problem.solved(guess, most_steps) for guess in guesses]
    return [(solution.cost, CameraGuess(*problem.camera(solution.parameters))) for solution in solutions]


def fit_bundle(seen: Seen, lens: Lens, guesses: list[CameraGuess]) -> CameraFit:
    """The camera of least cost, from the best of the guesses."""
    problem = _Problem.of(seen, lens)
    solutions = [problem.solved(guess) for guess in guesses]
    best = min(solutions, key=lambda solution: solution.cost)
    covariance = problem.camera_covariance(best)
    camera, pose = problem.camera(best.parameters)
    bloom_px, ink_mm = problem.bloom_px(best.parameters), problem.ink_mm(best.parameters)
    return CameraFit(camera, pose, covariance, best.cost, seen.groups, bloom_px=bloom_px, ink_mm=ink_mm)


def covariance_under(seen: Seen, lens: Lens, fit: CameraFit) -> Array:
    """What a fitted camera's covariance would be with another `lens` to begin from, errors as stated."""
    problem = _Problem.of(seen, lens)
    _, jacobian = problem.residuals(problem.start(CameraGuess(fit.lens, fit.pose)))
    return problem.lifted(inverse(jacobian.T @ jacobian))


def covariance_overlooking(seen: Seen, bends: Array, fit: CameraFit) -> Array:
    """What a fitted camera's covariance is if its lens, taken as exact but for its straight part, errs by `bends` (of
    the lens's parameters): the fit follows what it overlooks as far as it can, whatever the residuals would have told.
    """
    straight = _Problem.of(seen, fit.lens)
    problem = replace(straight, root=np.hstack([straight.root, square_root(bends)]))
    _, jacobian = problem.residuals(problem.start(CameraGuess(fit.lens, fit.pose)))
    overlooked = np.zeros(problem.size, bool)
    overlooked[straight.free : problem.free] = True
    fitted = jacobian[:, ~overlooked]
    own = inverse(fitted.T @ fitted)
    follows = np.zeros((problem.size, problem.free - straight.free))
    follows[~overlooked] = own @ fitted.T @ jacobian[:, overlooked]
    follows[overlooked] = -np.eye(problem.free - straight.free)
    spread = follows @ follows.T
    spread[np.ix_(~overlooked, ~overlooked)] += own
    return problem.lifted(spread)


@dataclass(frozen=True, eq=False)
class _Problem:
    """The layout of the unknowns: whitened lens, rvec, tvec; (x, y, turn) of loose shapes, (x, y) of circles,
    (x, y) of the slip of each thing that was laid down by hand, by what shares the light widens all rims, by what
    share all loose shapes are larger than said, by how many px light spreads into what is dark: into all of it, and
    into each thing more, and by how many mm ink has run out of it.
    """

    seen: Seen
    lens: Lens
    root: Array
    loose: tuple[str, ...]
    placed: tuple[str, ...]
    dark: tuple[str, ...]
    anchored: bool

    @classmethod
    def of(cls, seen: Seen, lens: Lens) -> _Problem:
        """The first loose shape is the table frame if nothing is fixed; circles alone are held by the first."""
        groups, loose = seen.points.groups, tuple(n for n in seen.points.groups if n in seen.points.loose)
        placed = tuple(n for n in groups if n not in loose) if seen.points.placing_mm > 0 else ()
        if loose and len(loose) == len(groups):
            loose = loose[1:]
        dark = tuple(n for n in groups if seen.points.bloom[np.array(seen.points.sources) == n].any())
        return cls(seen, lens, square_root(lens.covariance), loose, placed, dark, anchored=bool(groups))

    @property
    def free(self) -> int:
        """How many unknowns the lens has."""
        return int(self.root.shape[1])

    @property
    def size(self) -> int:
        """How many unknowns there are in all."""
        return self._ink + int(bool(self.dark))

    @property
    def _ink(self) -> int:
        return self._bloom + (1 + len(self.dark) if self.dark else 0)

    @property
    def _bloom(self) -> int:
        return self._stretch + self._is_stretched

    @property
    def _stretch(self) -> int:
        return self._light + self._lights

    @property
    def _is_stretched(self) -> bool:
        """Whether all loose shapes may be larger than said by one share."""
        return bool(self.seen.points.loose)

    @property
    def _lights(self) -> int:
        """How many ways there are in which all rims err together."""
        return 3 if any(circle.size_only for circle in self.seen.circles) else int(bool(self.seen.circles))

    @property
    def _circles(self) -> int:
        return self.free + 6 + 3 * len(self.loose)

    @property
    def _slips(self) -> int:
        return self._circles + 2 * len(self.seen.circles)

    @property
    def _light(self) -> int:
        return self._slips + 2 * len(self.placed)

    def camera(self, parameters: Array) -> tuple[Lens, Pose]:
        """The lens and pose of a parameter vector."""
        f = self.free
        lens = self.lens.with_parameters(self.lens.parameters + self.root @ parameters[:f])
        return lens, Pose(parameters[f : f + 3], parameters[f + 3 : f + 6])

    def bloom_px(self, parameters: Array) -> dict[str, float]:
        """By source, how far light spreads into it, of a parameter vector."""
        common, own = parameters[self._bloom : self._bloom + 1], parameters[self._bloom + 1 : self._ink]
        return dict(zip(self.dark, (common + own).tolist(), strict=True)) if self.dark else {}

    def ink_mm(self, parameters: Array) -> float:
        """By how much what is dark is larger on every side, of a parameter vector."""
        return float(parameters[self._ink]) if self.dark else 0.0

    def start(self, guess: CameraGuess) -> Array:
        """Parameters of a guessed camera, with loose things where it sees them."""
        whitened = np.linalg.lstsq(self.root, guess.lens.parameters - self.lens.parameters, rcond=None)[0]
        parts = [whitened, guess.pose.rvec, guess.pose.tvec]
        for name in self.loose:
            part = self.seen.points.only((name,))
            motion = rigid_between(part.table_mm, guess.pose.to_table(guess.lens, part.image_px, part.height_mm))
            parts.append(np.array([*motion.shift_mm, motion.turn]))
        if self.seen.circles:
            parts.append(self._rims.middles(guess.lens, guess.pose).ravel())
        parts.append(np.zeros(self.size - self._slips))
        return np.nan_to_num(np.concatenate(parts))

    def solved(self, guess: CameraGuess, most_steps: int = MOST_STEPS) -> Solution:
        """The solution of the least squares nearest to a guess."""
        is_held = len(self.seen.points) == 3 and bool(self.seen.circles) and not (self.loose or self.placed)
        return levenberg_marquardt(self.residuals, self.start(guess), self._followed if is_held else None, most_steps)

    def _followed(self, best: Solution, step: Array) -> Array:
        """Where a step leads to if all moves in the picture as it says: straight on, a camera that three points hold
        would leave them after a little, and what they say outweighs all discs."""
        there, f = best.parameters + step, self.free
        (lens, pose), centres = self.camera(best.parameters), slice(self._circles, self._slips)
        points, heights_mm = self.seen.points, [circle.height_mm for circle in self.seen.circles]
        fixed = np.column_stack([points.table_mm, points.height_mm])
        discs = np.column_stack([best.parameters[centres].reshape(-1, 2), heights_mm])
        px, jacobian = lens.project(np.vstack([fixed, discs]), pose.rvec, pose.tvec)
        px += jacobian[..., :-6] @ (self.root @ step[:f]) + jacobian[..., -6:] @ step[f : f + 6]
        by_place = (jacobian[..., -3:] @ pose.rotation[:, :2])[len(fixed) :]
        px[len(fixed) :] += (by_place @ step[centres].reshape(-1, 2, 1))[..., 0]
        moved, straight_on = self.camera(there)
        held = pose_showing(fixed, px[: len(fixed)], moved, straight_on)
        if held is None:
            return there
        there[f : f + 3], there[f + 3 : f + 6] = held.rvec, held.tvec
        centres_mm = held.to_table(moved, px[len(fixed) :], heights_mm).ravel()
        there[centres] = np.where(np.isfinite(centres_mm), centres_mm, there[centres])
        return there

    def residuals(self, parameters: Array) -> tuple[Array, Array]:
        """Weighted misfits of points, circles, the lens's prior and, without a fixed point, the frame's anchor."""
        blocks = [self._points(parameters)]
        if self.seen.circles:
            blocks.append(self._round(parameters))
        blocks.append((parameters[: self.free], np.eye(self.free, self.size)))
        if self.bend is not None:
            blocks.append(self._bent(parameters, self.bend))
        if self.size > self._slips:
            held = np.eye(self.size)[self._slips :] / self._slack
            blocks.append((held @ parameters, held))
        if not self.anchored:
            blocks.append(self._anchor(parameters))
        return np.concatenate([block[0] for block in blocks]), np.vstack([block[1] for block in blocks])

    @property
    def bend(self) -> Bend | None:
        """What tells the bend of a lens that may bend and was not measured."""
        may_bend = not self.lens.known and self.lens.covariance[4, 4] > 0
        return self.seen.bend if may_bend else None

    def _bent(self, parameters: Array, bend: Bend) -> tuple[Array, Array]:
        lens, _ = self.camera(parameters)
        off, by = bend.misfit(lens)
        rows = np.zeros((len(off), self.size))
        rows[:, : self.free] = by @ self.root
        return off, rows

    @property
    def _slack(self) -> Array:
        """(n, 1) standard deviations of slips and light."""
        slips = [self.seen.points.placing_mm] * (2 * len(self.placed))
        light = RIM_LIGHT_SHARE if len(self.seen.points) else RIM_ALONE_SHARE
        lights = [light, SIZE_SLOPE, SIZE_ACROSS][: self._lights]
        stretch = [LOOSE_SHARE] * self._is_stretched
        bloom = [BLOOM_PX, *[OWN_BLOOM_PX] * len(self.dark), INK_MM] if self.dark else []
        return np.array([*slips, *lights, *stretch, *bloom])[:, None]

    def camera_covariance(self, best: Solution) -> Array:
        """(lens parameters, rvec, tvec): the inverse normal matrix, pixel errors scaled to what the residuals show."""
        residuals, jacobian = best.residuals, best.jacobian
        held = self.free + self.size - self._slips + (0 if self.anchored else 3)
        held += 0 if self.bend is None else len(self.bend.told)
        observed, prior = jacobian[: len(jacobian) - held], jacobian[len(jacobian) - held :]
        information, known = observed.T @ observed, prior.T @ prior
        # Rims err together, so that their residuals say nothing of their error.
        judges = 2 * len(self.seen.points)
        exact = inverse(information + known)
        redundancy, noise = judged_noise(self.seen.points, residuals[:judges], observed[:judges], exact)
        by_slips = np.pad(self._by_slips(best.parameters), ((0, len(residuals) - judges), (0, 0)))
        slips = slip_covariance(residuals, jacobian, exact, by_slips, redundancy)
        alike = np.unique(noise)
        if len(alike) < 2:
            return self.lifted(inverse(information / (alike[0] if len(alike) else 1.0) + known) + slips)
        spread = observed.T @ (np.pad(noise, (0, len(observed) - judges), constant_values=1.0)[:, None] * observed)
        return self.lifted(exact @ (spread + known) @ exact + slips)

    def _by_slips(self, parameters: Array) -> Array:
        """(points' residuals, m) by the places of the things that are said to lie exactly; single points are noise."""
        points, (lens, pose) = self.seen.points, self.camera(parameters)
        exact = [] if self.placed else [name for name in points.groups if name not in points.loose]
        by_place, _ = pose.place_jacobian(lens, points.table_mm, points.height_mm)
        mine = [np.array(points.sources) == name for name in exact]
        columns = [points.in_sigmas(by_place[:, :, :2] * each[:, None, None]) for each in mine if each.sum() > 1]
        return np.hstack([np.zeros((2 * len(points), 0)), *columns])

    def lifted(self, spread: Array) -> Array:
        """(lens parameters, rvec, tvec) covariance from that of all unknowns."""
        lift = np.zeros((len(self.lens.parameters) + 6, self.free + 6))
        lift[:-6, : self.free], lift[-6:, self.free :] = self.root, np.eye(6)
        return np.asarray(lift @ spread[: self.free + 6, : self.free + 6] @ lift.T, float)

    def _wide(self, jacobian: Array) -> Array:
        """(n, 2, lens + 6) -> (n, 2, size) by the unknowns."""
        wide = np.zeros((*jacobian.shape[:2], self.size))
        wide[..., : self.free] = jacobian[..., :-6] @ self.root
        wide[..., self.free : self.free + 6] = jacobian[..., -6:]
        return wide

    def _points(self, parameters: Array) -> tuple[Array, Array]:
        points = self.seen.points
        lens, pose = self.camera(parameters)
        mm = points.table_mm.copy()
        columns, loose = np.zeros((len(points), 2, self.size)), np.isin(points.sources, list(points.loose))
        if self._is_stretched:
            columns[loose, :, self._stretch] = mm[loose]
            mm[loose] *= 1 + parameters[self._stretch]
        for i, name in enumerate(self.loose):
            mine = np.array(points.sources) == name
            at = self.free + 6 + 3 * i
            cos, sin = np.cos(parameters[at + 2]), np.sin(parameters[at + 2])
            turn = np.array([[cos, sin], [-sin, cos]])
            turned, columns[mine, :, self._stretch] = mm[mine] @ turn, columns[mine, :, self._stretch] @ turn
            mm[mine] = turned + parameters[at : at + 2]
            columns[mine, :, at : at + 2] = np.eye(2)
            columns[mine, :, at + 2] = turned @ np.array([[0, 1], [-1, 0]])
        if self.dark:
            mm += self.ink_mm(parameters) * points.outward
            columns[:, :, self._ink] = points.outward
        for i, name in enumerate(self.placed):
            mine, at = np.array(points.sources) == name, self._slips + 2 * i
            mm[mine] += parameters[at : at + 2]
            columns[mine, :, at : at + 2] = np.eye(2)
        px, jacobian = lens.project(np.column_stack([mm, points.height_mm]), pose.rvec, pose.tvec)
        by_place = jacobian[:, :, -3:] @ pose.rotation[:, :2]
        wide = self._wide(jacobian) + by_place @ columns
        for name, bloom_px in self.bloom_px(parameters).items():
            mine, own = np.array(points.sources) == name, self._bloom + 1 + self.dark.index(name)
            px[mine] += bloom_px * points.bloom[mine]
            wide[mine, :, self._bloom] = wide[mine, :, own] = points.bloom[mine]
        return points.in_sigmas(px - points.image_px), points.in_sigmas(wide)

    @cached_property
    def _rims(self) -> Rims:
        return Rims.of(self.seen.circles, self.lens.size_px[0])

    def _round(self, parameters: Array) -> tuple[Array, Array]:
        """How far the rims' sight rays pass outside them, in their sigmas, and the Jacobian."""
        lens, pose = self.camera(parameters)
        centres_mm = parameters[self._circles : self._slips].reshape(-1, 2)
        misfit = self._rims.misfit(lens, pose, centres_mm, parameters[self._light : self._stretch])
        by_lens, by_pose = misfit.by_camera[:, :-6] @ self.root, misfit.by_camera[:, -6:]
        # Of all centres each row has but its own disc's.
        rows = np.hstack([misfit.off_mm[:, None], by_lens, by_pose, -misfit.outward, misfit.by_light])
        told = self._rims.told(rows * misfit.weight[:, None], misfit.outward)
        own = self.free + 6
        wide = np.zeros((len(told), self.size))
        wide[:, :own], wide[:, self._light : self._stretch] = told[:, 1 : own + 1], told[:, own + 3 :]
        at = self._circles + 2 * self._rims.told_of
        wide[np.arange(len(wide))[:, None], np.stack([at, at + 1], axis=1)] = told[:, own + 1 : own + 3]
        return told[:, 0], wide

    def _anchor(self, parameters: Array) -> tuple[Array, Array]:
        """Holds the first circle at the origin and the picture's right along x: circles alone fix no frame."""
        f, at, step = self.free, self._circles, 1e-6
        _, pose = self.camera(parameters)
        rows = np.zeros((3, self.size))
        rows[[0, 1], [at, at + 1]] = 1.0
        for k in range(3):
            moved = Pose(pose.rvec + step * np.eye(3)[k], pose.tvec)
            rows[2, f + k] = (moved.rotation[0, 1] - pose.rotation[0, 1]) / step
        return np.array([*parameters[at : at + 2], pose.rotation[0, 1] * 1e3]), rows * [[1], [1], [1e3]]

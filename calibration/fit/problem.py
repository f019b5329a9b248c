"""The misfits that one least squares over all that was seen makes small, and what they say of its error."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from calibration.bending.plumb_line import Bend
from calibration.doubt.slip import slip_covariance
from calibration.fit.noise import judged_noise
from calibration.fit.seen import Seen
from calibration.fit.solve import MOST_STEPS, Solution, inverse, levenberg_marquardt, square_root
from calibration.fit.unknowns import Unknowns
from calibration.lens import Lens
from calibration.pose import CameraGuess, Pose, Rigid, pose_showing, rigid_between
from calibration.rulers.rims import Rims
from calibration.rulers.slant import Slant

Array = NDArray[np.float64]

# Light, shadow and bright borders make all rims of one table look wider or narrower by this share; by more where
# nothing but the rims' edges tells the plane, and with it what is rim and what is foot (on rendered tables 4 %), or
# nothing but sizes that were measured on the plane they tell (20 tables drawn by another maker 2.6 %, 15 stills 1.3).
RIM_LIGHT_SHARE, RIM_ALONE_SHARE, SIZES_ALONE_SHARE = 0.02, 0.05, 0.03
# Sizes of discs err together besides: by so much for each log px a mm, since what shows small looks smaller or larger
# than it is, and for each width of the picture from its left to its right, with the light (48 rendered stills of seed
# 5, beyond what the scatter of the coins explains).
SIZE_SLOPE, SIZE_ACROSS = 0.013, 0.02
# Hands that lay a thing down square turn it by a degree or two; what was seen to lie askew, by up to ten.
ASKEW_DEG = 4.0
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
class Problem:
    """One least squares: what was seen, and the unknowns that explain it.

    lens    with the covariance that it begins with, of which `root` is a square root: the lens's unknowns are white
    loose   sources of shapes of which nobody said where they lie, but for one that is the table's frame
    placed  sources of things that were laid down by hand
    askew   sources of things that may lie turned a little
    dark    sources into which light spreads
    """

    seen: Seen
    lens: Lens
    root: Array
    loose: tuple[str, ...]
    placed: tuple[str, ...]
    askew: tuple[str, ...]
    dark: tuple[str, ...]
    anchored: bool

    @classmethod
    def of(cls, seen: Seen, lens: Lens) -> Problem:
        """The first loose shape is the table frame if nothing is fixed; circles alone are held by the first."""
        groups, loose = seen.points.groups, tuple(n for n in seen.points.groups if n in seen.points.loose)
        placed = tuple(n for n in groups if n not in loose) if seen.points.placing_mm > 0 else ()
        askew = tuple(n for n in groups if n in seen.points.askew)
        if loose and len(loose) == len(groups):
            loose = loose[1:]
        dark = tuple(n for n in groups if seen.points.bloom[np.array(seen.points.sources) == n].any())
        return cls(seen, lens, square_root(lens.covariance), loose, placed, askew, dark, anchored=bool(groups))

    @cached_property
    def unknowns(self) -> Unknowns:
        """Where each group of unknowns stands in a parameter vector."""
        circles = self.seen.circles
        return Unknowns(
            self.root.shape[1],
            len(self.loose),
            len(circles),
            len(self.placed),
            len(self.askew),
            bool(self.seen.points.raised_mm.any()),
            3 if any(circle.size_only for circle in circles) else int(bool(circles)),
            bool(self.seen.points.loose),
            len(self.dark),
        )

    def camera(self, parameters: Array) -> tuple[Lens, Pose]:
        """The lens and pose of a parameter vector."""
        at = self.unknowns
        lens = self.lens.with_parameters(self._lens_at_first + self.root @ parameters[at.lens])
        return lens, Pose(parameters[at.rvec], parameters[at.tvec])

    @cached_property
    def _lens_at_first(self) -> Array:
        return self.lens.parameters

    def bloom_px(self, parameters: Array) -> dict[str, float]:
        """By source, how far light spreads into it, of a parameter vector."""
        common, *own = parameters[self.unknowns.bloom : self.unknowns.ink].tolist() or (0.0,)
        return dict(zip(self.dark, (common + each for each in own), strict=True))

    def turns_deg(self, parameters: Array) -> dict[str, float]:
        """By source that may lie askew, by how much it is turned, counter-clockwise, of a parameter vector."""
        return {name: float(np.degrees(parameters[self.unknowns.turn(n)])) for n, name in enumerate(self.askew)}

    def ink_mm(self, parameters: Array) -> float:
        """By how much what is dark is larger on every side, of a parameter vector."""
        return float(parameters[self.unknowns.ink]) if self.dark else 0.0

    def rise(self, parameters: Array) -> float:
        """By how many of their standard deviations raised points are, of a parameter vector."""
        return float(parameters[self.unknowns.rise]) if self.unknowns.raised else 0.0

    def lying_mm(self, parameters: Array) -> Array:
        """(n, 2) where the points lie on the table, of a parameter vector."""
        return self._lying(parameters)[0]

    def heights_mm(self, parameters: Array) -> Array:
        """(n,) how high the points are, of a parameter vector."""
        points = self.seen.points
        return points.height_mm + self.rise(parameters) * points.raised_mm

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
        parts.append(np.zeros(self.unknowns.size - self.unknowns.held.start))
        return np.nan_to_num(np.concatenate(parts))

    def solved(self, guess: CameraGuess, most_steps: int = MOST_STEPS) -> Solution:
        """The solution of the least squares nearest to a guess."""
        is_held = len(self.seen.points) == 3 and bool(self.seen.circles) and not (self.loose or self.placed)
        return levenberg_marquardt(self.residuals, self.start(guess), self._followed if is_held else None, most_steps)

    def _followed(self, best: Solution, step: Array) -> Array:
        """Where a step leads to if all moves in the picture as it says: straight on, a camera that three points hold
        would leave them after a little, and what they say outweighs all discs."""
        there, at = best.parameters + step, self.unknowns
        lens, pose = self.camera(best.parameters)
        points, heights_mm = self.seen.points, [circle.height_mm for circle in self.seen.circles]
        fixed = np.column_stack([points.table_mm, self.heights_mm(best.parameters)])
        discs = np.column_stack([best.parameters[at.centres].reshape(-1, 2), heights_mm])
        px, jacobian = lens.project(np.vstack([fixed, discs]), pose.rvec, pose.tvec)
        px += jacobian[..., :-6] @ (self.root @ step[at.lens]) + jacobian[..., -6:-3] @ step[at.rvec]
        px += jacobian[..., -3:] @ step[at.tvec]
        if at.raised:
            px[: len(fixed)] += _by_rise(jacobian[: len(fixed)], pose, points.raised_mm) * step[at.rise]
            fixed[:, 2] = self.heights_mm(there)
        by_place = (jacobian[..., -3:] @ pose.rotation[:, :2])[len(fixed) :]
        px[len(fixed) :] += (by_place @ step[at.centres].reshape(-1, 2, 1))[..., 0]
        moved, straight_on = self.camera(there)
        held = pose_showing(fixed, px[: len(fixed)], moved, straight_on)
        if held is None:
            return there
        there[at.rvec], there[at.tvec] = held.rvec, held.tvec
        centres_mm = held.to_table(moved, px[len(fixed) :], heights_mm).ravel()
        there[at.centres] = np.where(np.isfinite(centres_mm), centres_mm, there[at.centres])
        return there

    def residuals(self, parameters: Array) -> tuple[Array, Array]:
        """(m,) misfits in sigmas of points, circles, the lens's prior and, without a fixed point, the frame's anchor;
        and how they change with the unknowns (m, n)."""
        at, (lens, pose) = self.unknowns, self.camera(parameters)
        blocks = [self._points(parameters, lens, pose)]
        if self.seen.circles:
            blocks.append(self._round(parameters, lens, pose))
        blocks.append((parameters[at.lens], self._of_lens))
        if self.bend is not None:
            blocks.append(self._bent(lens, self.bend))
        if self.seen.slant is not None:
            blocks.append(self._slanted(lens, pose, self.seen.slant))
        if at.size > at.held.start:
            blocks.append((self._held @ parameters, self._held))
        if not self.anchored:
            blocks.append(self._anchor(parameters, pose))
        return np.concatenate([block[0] for block in blocks]), np.vstack([block[1] for block in blocks])

    @cached_property
    def _of_lens(self) -> Array:
        """Rows of the white lens's unknowns."""
        return np.eye(self.unknowns.of_lens, self.unknowns.size)

    @cached_property
    def _held(self) -> Array:
        """Rows of what is held to nothing."""
        return np.asarray(np.eye(self.unknowns.size)[self.unknowns.held] / self._slack, float)

    @cached_property
    def bend(self) -> Bend | None:
        """What tells how the lens bends, if it was not measured and may bend."""
        may_bend = not self.lens.known and self.lens.covariance[4, 4] > 0
        return self.seen.bend if may_bend else None

    def _bent(self, lens: Lens, bend: Bend) -> tuple[Array, Array]:
        off, by = bend.misfit(lens)
        rows = np.zeros((len(off), self.unknowns.size))
        rows[:, self.unknowns.lens] = by @ self.root
        return off, rows

    def _slanted(self, lens: Lens, pose: Pose, slant: Slant) -> tuple[Array, Array]:
        off, by = slant.misfit(lens, pose)
        rows = np.zeros((len(off), self.unknowns.size))
        rows[:, self.unknowns.lens] = by[:, :-6] @ self.root
        rows[:, self.unknowns.of_lens : self.unknowns.camera.stop] = by[:, -6:]
        return off, rows

    @property
    def _slack(self) -> Array:
        """(n, 1) standard deviations of slips, turns, heights and light."""
        rises = [1.0] * self.unknowns.raised
        slips = [self.seen.points.placing_mm] * (2 * len(self.placed))
        turns = [np.radians(ASKEW_DEG)] * len(self.askew)
        by_size = any(circle.size_only for circle in self.seen.circles)
        alone = SIZES_ALONE_SHARE if by_size else RIM_ALONE_SHARE
        light = RIM_LIGHT_SHARE if len(self.seen.points) else alone
        lights = [light, SIZE_SLOPE, SIZE_ACROSS][: self.unknowns.lights]
        stretch = [LOOSE_SHARE] * self.unknowns.stretched
        bloom = [BLOOM_PX, *[OWN_BLOOM_PX] * len(self.dark), INK_MM] if self.dark else []
        return np.array([*slips, *turns, *rises, *lights, *stretch, *bloom])[:, None]

    def camera_covariance(self, best: Solution) -> Array:
        """(n, n) of (lens parameters, rvec, tvec): the inverse normal matrix, pixel errors as the residuals show."""
        residuals, jacobian = best.residuals, best.jacobian
        at = self.unknowns
        held = at.of_lens + at.size - at.held.start + (0 if self.anchored else 3)
        held += 0 if self.bend is None else len(self.bend.told)
        held += 0 if self.seen.slant is None else self.seen.slant.numbers
        observed, prior = jacobian[: len(jacobian) - held], jacobian[len(jacobian) - held :]
        information, known = observed.T @ observed, prior.T @ prior
        # Rims err together, so that their residuals say nothing of their error.
        judges = 2 * len(self.seen.points)
        exact = inverse(information + known)
        redundancy, noise = judged_noise(self.seen.points, residuals[:judges], observed[:judges], exact)
        by_slips = np.pad(self._by_slips(best.parameters), ((0, len(residuals) - judges), (0, 0)))
        clicked = np.pad(np.repeat(self.seen.points.is_single, 2), (0, len(residuals) - judges))
        slips = slip_covariance(residuals, jacobian, exact, by_slips, redundancy, clicked)
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
        mine = [points.of_source[name] for name in exact]
        columns = [points.in_sigmas(by_place[:, :, :2] * each[:, None, None]) for each in mine if each.sum() > 1]
        return np.hstack([np.zeros((2 * len(points), 0)), *columns])

    def lifted(self, spread: Array) -> Array:
        """(n, n) covariance of (lens parameters, rvec, tvec) from that of all unknowns."""
        camera = self.unknowns.camera
        return np.asarray(self.lift[:, camera] @ spread[camera, camera] @ self.lift[:, camera].T, float)

    @cached_property
    def lift(self) -> Array:
        """(n, size) by which (lens parameters, rvec, tvec) follow the unknowns."""
        at = self.unknowns
        lift = np.zeros((len(self.lens.parameters) + 6, at.size))
        lift[:-6, at.lens], lift[-6:, at.of_lens : at.camera.stop] = self.root, np.eye(6)
        return lift

    def _wide(self, jacobian: Array) -> Array:
        """(n, 2, lens + 6) -> (n, 2, size) by the unknowns."""
        at = self.unknowns
        wide = np.zeros((*jacobian.shape[:2], at.size))
        wide[..., at.lens] = jacobian[..., :-6] @ self.root
        wide[..., at.of_lens : at.camera.stop] = jacobian[..., -6:]
        return wide

    def _points(self, parameters: Array, lens: Lens, pose: Pose) -> tuple[Array, Array]:
        """Misfits of the points, and by the unknowns."""
        points, at = self.seen.points, self.unknowns
        mm, columns = self._lying(parameters)
        px, jacobian = lens.project(np.column_stack([mm, self.heights_mm(parameters)]), pose.rvec, pose.tvec)
        wide = self._wide(jacobian)
        if columns is not None:
            wide += (jacobian[:, :, -3:] @ pose.rotation[:, :2]) @ columns
        if at.raised:
            wide[:, :, at.rise] = _by_rise(jacobian, pose, points.raised_mm)
        if self._blooming is not None:
            px += self._blooming @ parameters
            wide += self._blooming
        told = points.in_sigmas(np.concatenate([(px - points.image_px)[:, :, None], wide], axis=2))
        return told[:, 0], told[:, 1:]

    def _lying(self, parameters: Array) -> tuple[Array, Array | None]:
        """(n, 2) mm where the points lie on the table, and (n, 2, size) by the unknowns, None where they lie fixed."""
        points, at, straight = self.seen.points, self.unknowns, self._slipping
        if straight is None:
            return points.table_mm, None
        if not (at.stretched or self.askew):
            return points.table_mm + straight @ parameters, straight
        mm, columns = points.table_mm.copy(), np.zeros_like(straight)
        for n, name in enumerate(self.askew):
            mine, turned_at = points.of_source[name], at.turn(n)
            middle = mm[mine].mean(axis=0)
            turned = Rigid(float(parameters[turned_at]), (0.0, 0.0)).apply(mm[mine] - middle)
            mm[mine], columns[mine, :, turned_at] = middle + turned, turned @ np.array([[0, 1], [-1, 0]])
        if not at.stretched:
            return mm + straight @ parameters, columns + straight
        loose = points.is_loose
        columns[loose, :, at.stretch] = mm[loose]
        mm[loose] *= 1 + parameters[at.stretch]
        for n, name in enumerate(self.loose):
            mine, mine_at = points.of_source[name], at.shape(n)
            *shift_mm, angle = parameters[mine_at]
            turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
            turned, columns[mine, :, at.stretch] = mm[mine] @ turn, columns[mine, :, at.stretch] @ turn
            mm[mine] = turned + shift_mm
            by_angle = turned @ np.array([[0, 1], [-1, 0]])
            columns[mine, :, mine_at] = np.dstack([np.broadcast_to(np.eye(2), (len(turned), 2, 2)), by_angle])
        return mm + straight @ parameters, columns + straight

    @cached_property
    def _blooming(self) -> Array | None:
        """(n, 2, size) how far light that spreads into what is dark moves its corners; None where nothing is dark."""
        points, at = self.seen.points, self.unknowns
        if not self.dark:
            return None
        columns = np.zeros((len(points), 2, at.size))
        for n, name in enumerate(self.dark, at.bloom + 1):
            mine = points.of_source[name]
            columns[mine, :, at.bloom] = columns[mine, :, n] = points.bloom[mine]
        return columns

    @cached_property
    def _slipping(self) -> Array | None:
        """(n, 2, size) how far the points lie from where they are said to by the slips of things and by ink that has
        run; None where all lie fixed."""
        points, at = self.seen.points, self.unknowns
        if not (at.stretched or self.dark or self.placed or self.askew):
            return None
        columns = np.zeros((len(points), 2, at.size))
        if self.dark:
            columns[:, :, at.ink] = points.outward
        for n, name in enumerate(self.placed):
            columns[points.of_source[name], :, at.slip(n)] = np.eye(2)
        return columns

    @cached_property
    def _rims(self) -> Rims:
        return Rims.of(self.seen.circles, self.lens.size_px[0])

    def _round(self, parameters: Array, lens: Lens, pose: Pose) -> tuple[Array, Array]:
        """How far the rims' sight rays pass outside them, in their sigmas, and the Jacobian."""
        at = self.unknowns
        centres_mm = parameters[at.centres].reshape(-1, 2)
        misfit = self._rims.misfit(lens, pose, centres_mm, parameters[at.light])
        by_lens, by_pose = misfit.by_camera[:, :-6] @ self.root, misfit.by_camera[:, -6:]
        # Of all centres each row has but its own disc's.
        rows = np.hstack([misfit.off_mm[:, None], by_lens, by_pose, -misfit.outward, misfit.by_light])
        told = self._rims.told(rows * misfit.weight[:, None], misfit.outward)
        own = at.camera.stop
        wide = np.zeros((len(told), at.size))
        wide[:, :own], wide[:, at.light] = told[:, 1 : own + 1], told[:, own + 3 :]
        centre = at.centres.start + 2 * self._rims.told_of
        wide[np.arange(len(wide))[:, None], np.stack([centre, centre + 1], axis=1)] = told[:, own + 1 : own + 3]
        return told[:, 0], wide

    def _anchor(self, parameters: Array, pose: Pose) -> tuple[Array, Array]:
        """Holds the first circle at the origin and the picture's right along x: circles alone fix no frame."""
        at, step = self.unknowns, 1e-6
        first = at.centres.start
        rows = np.zeros((3, at.size))
        rows[[0, 1], [first, first + 1]] = 1.0
        for k in range(3):
            moved = Pose(pose.rvec + step * np.eye(3)[k], pose.tvec)
            rows[2, at.rvec.start + k] = (moved.rotation[0, 1] - pose.rotation[0, 1]) / step
        return np.array([*parameters[first : first + 2], pose.rotation[0, 1] * 1e3]), rows * [[1], [1], [1e3]]


def _by_rise(jacobian: Array, pose: Pose, raised_mm: Array) -> Array:
    """(n, 2) px by which points move that are raised by so many mm each."""
    return np.asarray((jacobian[:, :, -3:] @ pose.rotation[:, 2]) * raised_mm[:, None], float)

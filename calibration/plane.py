"""The table plane: pixels to millimetres and back, at any height, with the error that they carry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.bundle import CameraFit
from calibration.consensus import as_fitted, fit_agreeing, misleads
from calibration.correspondence import Circle, Correspondences
from calibration.degenerate import check_seen
from calibration.folds import Folds
from calibration.lens import Lens
from calibration.likeliest import in_words
from calibration.measured_again import MeasuredAgain
from calibration.mistakes import mistaken_in
from calibration.other_lens import NO_LENS, measured_without
from calibration.plumb_line import Bend
from calibration.pose import Pose
from calibration.reframe import covariance_laid, covariance_moved_by, level_motion, moved_by
from calibration.rivals import doubt
from calibration.seen import Seen
from calibration.slant import Slant
from calibration.three_points import fit_three, is_by_three
from calibration.turned_markers import askew_in_words
from calibration.view import check_view

Array = NDArray[np.float64]

# 95 % radius of a two-dimensional normal error over its larger sigma, by the ratio of the smaller to the larger:
# from sqrt(chi2(1)) = 1.96 for a line to sqrt(chi2(2)) = 2.4477 for a circle (numerical integration).
_RATIO = np.linspace(0, 1, 11)
_RADIUS_95 = np.array(
    [1.95996, 1.96253, 1.97040, 1.98420, 2.00514, 2.03586, 2.08130, 2.14598, 2.23029, 2.33180, 2.44775]
)
SIGMAS_95 = 2.44775

# So many times the plane's own error are told to contradict one another.
_DOUBTED = 1.1
# What stands higher than this share of the camera's height is followed no farther: its head nears the horizon.
BELOW_CAMERA = 2 / 3
# Markers of 50 px look so much smaller, and no more, where the picture is out of focus by 2 px: light runs into them.
_SHRUNK_BY_LIGHT = 0.9
# Enough to tell the measurements of a match apart.
_NAME_LETTERS = 12
# Until a line of sight meets a folded sheet to a few thousandths of a mm: each step errs by a third of the one before.
_FOLD_STEPS = 7


@dataclass(frozen=True)
class Residual:
    """How far off one point of one source is: in the picture and on the table; rejected points were not used."""

    source: str
    px: float
    mm: float
    rejected: bool = False


@dataclass(frozen=True, eq=False)
class TablePlane:
    """A camera over a table (x right, y away from the near edge, z up, mm; the origin is the near left corner).

    lens                   with the intrinsics as estimated together with the plane
    rvec, tvec             (3,) table frame to camera frame: p_camera = R(rvec) p_table + tvec, mm
    covariance             of (lens.parameters, rvec, tvec), as the reprojection residuals left it; where nothing tells
                           how a lens that nobody measured bends, as webcams' lenses do
    reprojection_error_px  RMS distance of the points used, in the picture as it is (distorted)
    residuals              one for each point, rejected ones included
    rejected               the sources that contradict the others
    notes                  what a person should know of this calibration
    again                  where it was measured by places that this camera had measured before: from what, and how
    lattice                that told lens and tilt: the step from a cell to the next and where one is, mm (x + iy)
    folds                  of the sheet on it, above which all heights are meant then; None where it lies flat
    """

    lens: Lens
    rvec: Array
    tvec: Array
    covariance: Array
    reprojection_error_px: float = 0.0
    residuals: tuple[Residual, ...] = ()
    rejected: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    again: MeasuredAgain | None = None
    lattice: tuple[complex, complex] | None = None
    folds: Folds | None = None

    @classmethod
    def exact(cls, lens: Lens, rvec: Array, tvec: Array) -> TablePlane:
        """A plane without error: the camera's place is known, (3,) Rodrigues vector and (3,) mm, and its lens."""
        count = len(lens.parameters) + 6
        return cls(lens, np.asarray(rvec, float), np.asarray(tvec, float), np.zeros((count, count)))

    @property
    def flat(self) -> TablePlane:
        """The table under the sheet: where its texture seems to lie is what a moved camera is told by."""
        return self if self.folds is None else replace(self, folds=None)

    @cached_property
    def history(self) -> MeasuredAgain:
        """What it was measured from: itself, if from nothing."""
        if self.again is not None:
            return self.again
        numbers = np.r_[self.lens.parameters, self.rvec, self.tvec]
        name = sha256(numbers.tobytes()).hexdigest()[:_NAME_LETTERS]
        still = np.eye(len(numbers))
        return MeasuredAgain(self.lens, self.pose, self.covariance, still, 0.0 * still, 0.0 * still, name)

    @cached_property
    def pose(self) -> Pose:
        """Where the camera is."""
        return Pose(self.rvec, self.tvec)

    @property
    def rotation(self) -> Array:
        """(3, 3): table frame to camera frame."""
        return self.pose.rotation

    @property
    def camera_position_mm(self) -> Array:
        """(3,) where the lens is, table frame."""
        return self.pose.position_mm

    @property
    def tilt_deg(self) -> float:
        """How far the camera looks down: 90 straight down, 0 along the table."""
        return float(np.degrees(np.arcsin(np.clip(-self.rotation[2, 2], -1, 1))))

    @cached_property
    def table2image(self) -> Array:
        """(3, 3) homography from table mm at height 0 to undistorted px, scaled so that its corner is 1."""
        forward = self.lens.matrix @ np.c_[self.rotation[:, :2], self.tvec]
        return np.asarray(forward / forward[2, 2], float)

    @cached_property
    def image2table(self) -> Array:
        """(3, 3) homography from undistorted px: the inverse of `table2image`, never a fit of its own."""
        backward = np.linalg.inv(self.table2image)
        return np.asarray(backward / backward[2, 2], float)

    def to_table(self, px: ArrayLike, height_mm: ArrayLike = 0.0) -> Array:
        """Where the sight ray of each pixel is `height_mm` above the table.

        px         (n, 2) distorted, as in the picture
        height_mm  number or (n,)
        Returns    (n, 2) mm; NaN where the ray never comes to that height
        """
        if self.folds is None:
            return self.pose.to_table(self.lens, px, height_mm)
        sight = self.pose.sight(self.lens, px)
        mm = self.pose.along(sight, height_mm)
        for _ in range(_FOLD_STEPS):
            mm = self.pose.along(sight, self.raised(mm, height_mm))
        return mm

    def to_image(self, mm: ArrayLike, height_mm: ArrayLike = 0.0) -> Array:
        """(n, 2) distorted px of points (n, 2) at `height_mm`; NaN behind the camera."""
        places = np.asarray(mm, float).reshape(-1, 2)
        upward = np.multiply.outer(np.asarray(self.raised(places, height_mm), float), self.rotation[:, 2])
        ahead = places @ self.rotation[:, :2].T + (upward + self.tvec)
        px = self.lens.shown(ahead)
        px[ahead[:, 2] <= 0] = np.nan
        return px

    def raised(self, mm: ArrayLike, height_mm: ArrayLike) -> ArrayLike:
        """How high above the plane places (n, 2) are that are so high above the sheet, number or (n,)."""
        return height_mm if self.folds is None else np.asarray(height_mm, float) + self.folds.heights_at(mm)

    def behind(self, mm: ArrayLike, height_mm: ArrayLike) -> Array:
        """(..., 2) mm of the table points that points (..., 2) at `height_mm`, number or (...), hide from the camera.

        What is nearly as high as the camera, or higher, is taken to be two thirds as high.
        """
        *foot_mm, high_mm = self.camera_position_mm
        places, below = np.asarray(mm, float), np.minimum(height_mm, BELOW_CAMERA * high_mm)
        return np.asarray(places + (places - foot_mm) * np.asarray(below / (high_mm - below))[..., None], float)

    def covariance_mm(
        self, px: ArrayLike, sigma_px: ArrayLike = 0.0, height_mm: ArrayLike = 0.0, height_sigma_mm: ArrayLike = 0.0
    ) -> Array:
        """(n, 2, 2) covariance of `to_table`: pixel noise, the plane's own error, and the height's, to first order."""
        mm = self.to_table(px, height_mm)
        by_place, jacobian = self.pose.place_jacobian(self.lens, mm, self.raised(mm, height_mm))
        back = np.linalg.inv(by_place[:, :, :2])
        noise_px = jacobian @ self.covariance @ jacobian.transpose(0, 2, 1)
        noise_px += np.broadcast_to(np.square(sigma_px), len(mm))[:, None, None] * np.eye(2)
        of_sheet_mm = 0.0 if self.folds is None else self.folds.sigmas_at(mm)
        upward = by_place[:, :, 2] * np.broadcast_to(np.hypot(height_sigma_mm, of_sheet_mm), len(mm))[:, None]
        noise_px += upward[:, :, None] * upward[:, None, :]
        return np.asarray(back @ noise_px @ back.transpose(0, 2, 1), float)

    def sigma_mm(
        self, px: ArrayLike, sigma_px: ArrayLike = 0.0, height_mm: ArrayLike = 0.0, height_sigma_mm: ArrayLike = 0.0
    ) -> Array:
        """(n,): the true position lies within 2.45 of these in 95 % of all cases (see `covariance_mm`)."""
        return sigma_of(self.covariance_mm(px, sigma_px, height_mm, height_sigma_mm))

    def shared_sigma_mm(self, mm: ArrayLike, height_mm: ArrayLike = 0.0) -> Array:
        """(n,): of `sigma_mm` at places (n, 2), what they have in common with all that was measured from the same first
        measurement of the table, `history.name`. Two looks at what lies still are never apart by it."""
        places = np.asarray(mm, float).reshape(-1, 2)
        whole = self.sigma_mm(self.to_image(places, height_mm), 0.0, height_mm)
        apart = sigma_of(self.history.covariance_apart_mm(self.lens, self.pose, places, height_mm))
        return np.asarray(np.sqrt(np.maximum(np.square(whole) - np.square(apart), 0.0)), float)

    def added_sigma_mm(self, mm: ArrayLike) -> Array:
        """(n,): what measuring the table again added to the error of places (n, 2); 0 if it never was."""
        added = replace(self.flat, covariance=self.history.fitted)
        return added.sigma_mm(added.to_image(mm))

    def px_per_mm(self, mm: ArrayLike, height_mm: ArrayLike = 0.0) -> Array:
        """(n,): how many pixels show a millimetre there, the mean of all directions (root of the area ratio)."""
        return self.pose.px_per_mm(self.lens, mm, height_mm)


def sigma_of(covariance: ArrayLike) -> Array:
    """(n,): for covariances (n, 2, 2), the sigma of which 2.45 hold 95 % of the error, however long its ellipse is."""
    spread = np.sqrt(np.maximum(np.linalg.eigvalsh(np.asarray(covariance, float)), 0))
    ratio = np.divide(spread[:, 0], spread[:, 1], out=np.ones(len(spread)), where=spread[:, 1] > 0)
    return np.asarray(spread[:, 1] * np.interp(ratio, _RATIO, _RADIUS_95) / SIGMAS_95, float)


def fit_plane(
    correspondences: Correspondences,
    lens: Lens | None,
    size_px: tuple[int, int],
    table_size_mm: tuple[float, float] | None = None,
    circles: tuple[Circle, ...] = (),
    bend: Bend | None = None,
    slant: Slant | None = None,
) -> TablePlane:
    """The plane that shows the points where they were seen, least squares in the picture.

    correspondences  at least four points, no three of four on a line; or three and a measured lens; or at least one
                     loose shape
    lens             None where the set-up has no `[camera]`: the focal length is estimated with the plane
    size_px          (width, height) of the picture
    table_size_mm    the playing area, which must lie before the camera; the points' own extent if None
    circles          coins of known size; they may also calibrate alone, from four on
    bend             what the picture's straight edges tell of a lens that nobody measured
    slant            what a lattice on the table tells of a camera that is nearly right
    Without a fixed point the frame's origin is where the picture's near left corner shows the table, x to its right.
    Raises           ValueError, one line: too few, collinear, doubled, crossed, mirrored, too oblique, too coarse
    """
    seen, is_misled = Seen(correspondences, circles, bend, slant), False
    camera = (lens or Lens.unknown(size_px)).scaled_to(size_px)
    if slant is None and is_by_three(seen, camera):
        fit = fit_three(seen, camera, _outline_mm(table_size_mm, correspondences.table_mm))
    else:
        if slant is None:
            check_seen(seen)
        is_misled = misleads(seen, camera)
        camera = Lens.unknown(size_px) if is_misled else camera
        fit = fit_agreeing(seen, camera)
    if set(correspondences.groups) <= correspondences.loose:
        fit = _from_near_left(_laid(fit, seen))
    rejected = tuple(name for name in seen.groups if name not in fit.groups)
    taken = as_fitted(seen, fit)
    errors_px = fit.errors_px(taken)
    rms_px = float(np.sqrt(np.mean(np.square(np.concatenate([errors_px[name] for name in fit.groups])))))
    covariance = fit.bent if fit.bent is not None else fit.covariance
    bare = TablePlane(fit.lens, fit.pose.rvec, fit.pose.tvec, covariance, rms_px, rejected=rejected)
    corners_mm = _corners_mm(bare, seen, table_size_mm)
    check_view(bare, corners_mm)
    doubted = doubt(fit, seen, camera, bare, corners_mm, SIGMAS_95)
    bare = replace(bare, covariance=doubted**2 * covariance)
    used = taken.only(fit.groups)
    mistaken = mistaken_in(used, camera, fit)
    if mistaken is not None and mistaken.moves_table:
        bare = replace(bare, covariance=bare.covariance + mistaken.covariance)
    askew = askew_in_words(fit.turns_deg, taken.points)
    told = (*_notes(bare, fit, corners_mm), *([askew] if askew else ()))
    notes = (*(measured_without(told) if is_misled else told), *_raised(correspondences))
    contradicted = in_words(mistaken, used, is_contradicted=fit.ambiguous)
    notes += (contradicted,) if contradicted else ()
    if doubted > _DOUBTED and not contradicted:
        notes += ("the references leave more than noise: some lie off, or the field is measured wrong; check places",)
    return replace(bare, residuals=_residuals(bare, seen, errors_px), notes=notes)


def _laid(fit: CameraFit, seen: Seen) -> CameraFit:
    """Its errors as of a frame of its own, which may lie anywhere: those of shape and scale about what was seen."""
    mm = fit.pose.to_table(fit.lens, seen.only(fit.groups).image_px)
    mm = mm[np.isfinite(mm).all(axis=1)]
    covariance = covariance_laid(fit.covariance, fit.lens, fit.pose, mm)
    bent = None if fit.bent is None else covariance_laid(fit.bent, fit.lens, fit.pose, mm)
    return replace(fit, covariance=covariance, bent=bent)


def _from_near_left(fit: CameraFit) -> CameraFit:
    """Level with the picture, its near left corner at the origin."""
    near_left_mm = fit.pose.to_table(fit.lens, [[0, fit.lens.size_px[1] - 1]])[0]
    if not np.isfinite(near_left_mm).all():
        raise ValueError("the picture's lower edge does not show the table: turn the camera down")
    motion = level_motion(fit.pose, near_left_mm)
    covariance = covariance_moved_by(fit.covariance, fit.pose, motion)
    bent = None if fit.bent is None else covariance_moved_by(fit.bent, fit.pose, motion)
    return replace(fit, pose=moved_by(fit.pose, motion), covariance=covariance, bent=bent)


def _corners_mm(plane: TablePlane, seen: Seen, table_size_mm: tuple[float, float] | None) -> Array:
    said_mm = table_size_mm if set(seen.points.groups) - seen.points.loose else None
    return _outline_mm(said_mm, plane.to_table(seen.image_px))


def _outline_mm(table_size_mm: tuple[float, float] | None, places_mm: Array) -> Array:
    """(4, 2) corners of the table, or else of what holds the places (n, 2)."""
    if table_size_mm is not None:
        (left, near), (right, far) = (0.0, 0.0), table_size_mm
    else:
        (left, near), (right, far) = np.nanmin(places_mm, axis=0), np.nanmax(places_mm, axis=0)
    return np.array([[left, near], [right, near], [right, far], [left, far]])


def _residuals(plane: TablePlane, seen: Seen, errors_px: dict[str, Array]) -> tuple[Residual, ...]:
    told = []
    for name in seen.groups:
        part = seen.points.only((name,))
        where_px = part.image_px if len(part) else next(c.rim_px for c in seen.circles if c.source == name)
        scale = plane.px_per_mm(plane.to_table(where_px))
        for px, px_per_mm in zip(errors_px[name], scale, strict=True):
            told.append(Residual(name, float(px), float(px / px_per_mm), name in plane.rejected))
    return tuple(told)


def _notes(plane: TablePlane, fit: CameraFit, corners_mm: Array) -> tuple[str, ...]:
    notes = [f"{name} contradicts the other references and was left out" for name in plane.rejected]
    if fit.print_scale != 1.0:
        large = f"all markers are about {fit.print_scale:.2f} times as large as said: measured so"
        soft = ", or focus the camera if it is as said" if _SHRUNK_BY_LIGHT < fit.print_scale < 1.0 else ""
        notes.append(f"{large}; measure the black square and correct size_mm{soft}")
    if fit.turned_over:
        notes.append("the picture is upside down to that by which its lens was measured: the lens was turned with it")
    if not plane.lens.known:
        notes += _guessed(plane, corners_mm, is_told=fit.bent is None)
    return tuple(notes)


def _raised(seen: Correspondences) -> Iterator[str]:
    """What the height of that leaves open on which places were clicked."""
    thick_mm = float(seen.raised_mm.max(initial=0.0))
    if thick_mm > 0:
        flat = "tape, paper or a cross by pen would tell more"
        yield f"what marks the points may be {2 * thick_mm:.1f} mm thick, and a click on its top off by that: {flat}"


def _guessed(plane: TablePlane, corners_mm: Array, *, is_told: bool) -> Iterator[str]:
    """What references and edges told of a lens that has no file, and what they did not."""
    lens = plane.lens
    k1, sigma = lens.distortion[0], np.sqrt(plane.covariance[4, 4])
    barrel = f"distortion too (k1 {k1:.3f} +- {sigma:.3f})" if is_told else "distortion taken as none"
    yield f"{NO_LENS}focal length estimated as {lens.matrix[0, 0]:.0f} px, {barrel}"
    if lens.is_off_centre:
        cause = "the picture was cut out of a larger one, or a point or a told size is wrong"
        off = f"{lens.off_centre_px:.0f} px off the picture's middle"
        yield f"the lens's axis is {off}: {cause}; heights are told less well"
    if not is_told:
        # Halfway between the corners too: there a bend shows that four points hide.
        places_mm = np.vstack([corners_mm, (corners_mm + np.roll(corners_mm, 1, axis=0)) / 2])
        spread_mm = plane.sigma_mm(plane.to_image(places_mm))
        cure = "measure the lens once (`sandtable calibrate lens`), or lay down more (cards, markers)"
        worst_mm = SIGMAS_95 * spread_mm.max()
        # Through nine published wide lenses four points were five times as far off as is stated (25 mm, p95).
        more = "" if lens.may_be_any else ", and through a wide lens five times that"
        far = f"up to {worst_mm:.1f} mm{more}"
        yield f"so few references do not tell how the lens bends, {far}: {cure}"

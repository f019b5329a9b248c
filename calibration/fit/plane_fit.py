"""The table plane that shows all that was seen where it was seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.bending.other_lens import measured_without
from calibration.bending.plumb_line import Bend
from calibration.corners.three_points import fit_three, is_by_three
from calibration.doubt.consensus import fit_agreeing, misleads
from calibration.doubt.laid import as_fitted
from calibration.doubt.likeliest import in_words
from calibration.doubt.mistakes import Mistaken, mistaken_in
from calibration.doubt.mixture import share_of_mistakes
from calibration.doubt.rivals import doubt
from calibration.fit.bundle import CameraFit
from calibration.fit.correspondence import Circle, Correspondences
from calibration.fit.degenerate import check_seen
from calibration.fit.plane_notes import notes_on, raised
from calibration.fit.seen import Seen
from calibration.kick.reframe import covariance_laid, covariance_moved_by, level_motion, moved_by
from calibration.lens import Lens
from calibration.plane import SIGMAS_95, Residual, TablePlane
from calibration.rulers.slant import Slant
from calibration.view import check_view

Array = NDArray[np.float64]

# So many times the plane's own error are told to contradict one another.
_DOUBTED = 1.1
_UNEXPLAINED = "the references leave more than noise: some lie off, or the field is measured wrong; check places"


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
    seen, told = Seen(correspondences, circles, bend, slant), (lens or Lens.unknown(size_px)).scaled_to(size_px)
    fit, camera = _fitted(seen, told, table_size_mm)
    taken = as_fitted(seen, fit)
    errors_px = fit.errors_px(taken)
    bare = _plane_of(fit, seen, errors_px)
    corners_mm = _corners_mm(bare, seen, table_size_mm)
    check_view(bare, corners_mm)
    doubted = doubt(fit, seen, camera, bare, corners_mm, SIGMAS_95)
    used = taken.only(fit.groups)
    mistaken = mistaken_in(used, camera, fit)
    plane = _in_doubt(bare, doubted, mistaken, corners_mm)
    notes = notes_on(plane, fit, taken, corners_mm)
    notes = (*(measured_without(notes) if camera is not told else notes), *raised(correspondences))
    contradicted = in_words(mistaken, used, is_contradicted=fit.ambiguous)
    contradicted = contradicted or (_UNEXPLAINED if doubted > _DOUBTED else "")
    notes += (contradicted,) if contradicted else ()
    return replace(plane, residuals=_residuals(plane, seen, errors_px), notes=notes)


def _fitted(seen: Seen, told: Lens, table_size_mm: tuple[float, float] | None) -> tuple[CameraFit, Lens]:
    """The camera that most of what was seen agrees on, and the lens that it was sought with: none that was measured if
    the told one misleads."""
    if seen.slant is None and is_by_three(seen, told):
        fit, camera = fit_three(seen, told, _outline_mm(table_size_mm, seen.points.table_mm)), told
    else:
        if seen.slant is None:
            check_seen(seen)
        camera = Lens.unknown(told.size_px) if misleads(seen, told) else told
        fit = fit_agreeing(seen, camera)
    are_loose = set(seen.points.groups) <= seen.points.loose
    return _from_near_left(_laid(fit, seen)) if are_loose else fit, camera


def _plane_of(fit: CameraFit, seen: Seen, errors_px: dict[str, Array]) -> TablePlane:
    """The plane of a camera, without a word on it."""
    rejected = tuple(name for name in seen.groups if name not in fit.groups)
    rms_px = float(np.sqrt(np.mean(np.square(np.concatenate([errors_px[name] for name in fit.groups])))))
    covariance = fit.bent if fit.bent is not None else fit.covariance
    return TablePlane(fit.lens, fit.pose.rvec, fit.pose.tvec, covariance, rms_px, rejected=rejected)


def _in_doubt(plane: TablePlane, doubted: float, mistaken: Mistaken | None, corners_mm: Array) -> TablePlane:
    """The plane, its errors so many times as large, and larger by what one mistake of clicks may have done."""
    plane = replace(plane, covariance=doubted**2 * plane.covariance)
    if mistaken is None or not mistaken.by_clicks:
        return plane
    share = share_of_mistakes(plane, mistaken, corners_mm)
    return replace(plane, covariance=plane.covariance + share * mistaken.covariance)


def _laid(fit: CameraFit, seen: Seen) -> CameraFit:
    """Its errors as of a frame of its own, which may lie anywhere: those of shape and scale about what was seen."""
    mm = fit.pose.to_table(fit.lens, seen.only(fit.groups).image_px)
    mm = mm[np.isfinite(mm).all(axis=1)]
    covariance = covariance_laid(fit.covariance, fit.lens, fit.pose, mm)
    bent = None if fit.bent is None else covariance_laid(fit.bent, fit.lens, fit.pose, mm)
    return replace(fit, reckoned=lambda: covariance, bent=bent)


def _from_near_left(fit: CameraFit) -> CameraFit:
    """Level with the picture, its near left corner at the origin."""
    near_left_mm = fit.pose.to_table(fit.lens, [[0, fit.lens.size_px[1] - 1]])[0]
    if not np.isfinite(near_left_mm).all():
        raise ValueError("the picture's lower edge does not show the table: turn the camera down")
    motion = level_motion(fit.pose, near_left_mm)
    covariance = covariance_moved_by(fit.covariance, fit.pose, motion)
    bent = None if fit.bent is None else covariance_moved_by(fit.bent, fit.pose, motion)
    return replace(fit, pose=moved_by(fit.pose, motion), reckoned=lambda: covariance, bent=bent)


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

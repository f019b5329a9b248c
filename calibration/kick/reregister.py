"""The plane again after a kick, from the table's own texture."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fiducials.markers import Image
from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.kick.drift import Anchor, Drift, watch
from calibration.kick.reframe import followed_by, turned_by
from calibration.kick.texture import FAR, Mask, Texture, flow, to_full
from calibration.lens import UNKNOWN_LOG_FOCAL_SIGMA, Lens
from calibration.maps.glass import lying_again
from calibration.plane import TablePlane
from calibration.pose import Pose

Array = NDArray[np.float64]

# Flow between pictures brought to the same view.
_TEXTURE_SIGMA_PX = 0.3
_INLIER_PX = 1.5
_FEWEST_POINTS = 20
# Flow errs alike where light, blur and the turn of the view change a neighbourhood alike: as so many points that err
# each by itself. All taken for such, 58 % of the stated intervals held after kicks of 2 to 20 degrees; now 97 on those
# fourteen drawn tables, on fourteen fresh ones 94.
_INDEPENDENT = 30
# Beyond this the old focal length does not explain the new picture.
_WORST_RMS_PX = 0.8
# So much is left of a picture that is explained, and no other lens is asked. Of a zoom of 1 to 3 % during a push the
# old focal length leaves 0.25 to 0.8 px, the right one 0.03 to 0.12; what stands on a table leaves more by any.
_NOISE_PX, _FAR_LESS = 0.15, 0.5


def reregister(anchor: Anchor, frame_bgr: Image) -> TablePlane | None:
    """The plane in a later picture of the same table; None where too little of it is recognised.

    Error  the anchor's own, and under 0.3 mm of texture flow on rendered 1080p tables (benchmarks/calibration.py)
    """
    drift = watch(anchor, frame_bgr)
    if drift.motion is None or drift.kind in ("mirrored", "covered", "dark"):
        return None
    seen = _texture_seen(anchor, frame_bgr, drift)
    if len(seen) < _FEWEST_POINTS:
        return None
    if drift.kind != "turned":
        return _fitted(anchor, anchor.plane, seen, zooms=drift.breathes)
    # A camera that was turned over, or a program that turns its picture over: whichever explains the picture better.
    fits = [_fitted(anchor, plane, seen) for plane in (anchor.plane, upside_down(anchor.plane))]
    return min(filter(None, fits), key=lambda plane: plane.reprojection_error_px, default=None)


def upside_down(plane: TablePlane) -> TablePlane:
    """The plane in the same pictures turned by 180 degrees by a program."""
    over = np.diag([-1.0, -1.0, 1.0])
    now = Pose(np.ravel(cv2.Rodrigues(over @ plane.rotation)[0]), over @ plane.tvec)
    lens, sign = plane.lens.upside_down(), np.ones(len(plane.covariance))
    sign[2:4] = -1.0
    if not lens.fisheye:
        sign[6:8] = -1.0
    turned = turned_by(len(sign), plane.pose, now) * sign
    return remeasured(replace(plane, lens=lens, rvec=now.rvec, tvec=now.tvec), plane, turned, 0.0 * plane.covariance)


def remeasured(now: TablePlane, old: TablePlane, follows: Array, fitted: Array) -> TablePlane:
    """The plane `now` with the errors of the old one, which its numbers follow so, and those that measuring it adds."""
    covariance = follows @ old.covariance @ follows.T + fitted
    return lying_again(replace(now, covariance=covariance, again=old.history.then(follows, fitted)), old.folds)


def measured_again(
    old: TablePlane, seen: Correspondences, table_size_mm: tuple[float, float], *, zooms: bool = False
) -> TablePlane | None:
    """The plane now, by places that were measured with the old one and are as good as that; None where they fix none.

    zooms  through the old lens at another focal length
    """
    lens = _zoomable(old.lens) if zooms else _frozen(old.lens)
    try:
        plane = fit_plane(seen, lens, lens.size_px, table_size_mm)
    except ValueError:
        return None
    was, now = (old.lens, old.pose), (plane.lens, plane.pose)
    return remeasured(plane, old, followed_by(was, now, seen.table_mm, zooms=zooms), plane.covariance)


def _fitted(anchor: Anchor, old: TablePlane, seen: Correspondences, *, zooms: bool = False) -> TablePlane | None:
    """With the lens of `old` if that explains the picture, and no other focal length does far better; else with that.

    zooms  the picture is only larger or smaller, so little that the old focal length may seem to explain it: the other
           one first
    """
    first = measured_again(old, seen, anchor.table_size_mm, zooms=zooms)
    if first is not None and first.reprojection_error_px < (_WORST_RMS_PX if zooms else _NOISE_PX):
        return first
    other = measured_again(old, seen, anchor.table_size_mm, zooms=not zooms)
    fits = [each for each in (first, other) if each is not None and each.reprojection_error_px < _WORST_RMS_PX]
    return fits[-1] if len(fits) == 2 and explains_better(fits[1], fits[0]) else next(iter(fits), None)


def explains_better(one: TablePlane, other: TablePlane) -> bool:
    """Whether one plane leaves so much less of a picture than the other that its lens is the right one."""
    return one.reprojection_error_px < _FAR_LESS * other.reprojection_error_px


def _frozen(lens: Lens) -> Lens:
    return replace(lens, covariance=np.zeros_like(lens.covariance), known=True)


def _zoomable(lens: Lens) -> Lens:
    covariance = np.zeros_like(lens.covariance)
    covariance[:2, :2] = UNKNOWN_LOG_FOCAL_SIGMA**2
    return replace(_frozen(lens), covariance=covariance)


def _texture_seen(anchor: Anchor, frame_bgr: Image, drift: Drift) -> Correspondences:
    """The anchor's texture in the new picture, as far as it went one way."""
    if drift.motion is None:
        return Correspondences.joined([])
    before_px, now_px = texture_again(anchor, frame_bgr, drift.motion)
    if len(now_px) < _FEWEST_POINTS:
        return Correspondences.joined([])
    _, inliers = cv2.findHomography(before_px, now_px, cv2.RANSAC, _INLIER_PX)
    kept = np.ravel(inliers) > 0
    table_mm = anchor.plane.to_table(before_px[kept])
    seen = Correspondences.of(now_px[kept], table_mm, ["texture"] * int(kept.sum()), _TEXTURE_SIGMA_PX)
    return replace(seen, crowd=max(1.0, len(seen) / _INDEPENDENT))


def texture_again(anchor: Anchor, frame_bgr: Image, motion: Array) -> tuple[Array, Array]:
    """(n, 2) px of the anchor's texture that a new picture shows, and (n, 2) px where it shows, by flow. The motion (3,
    3), rough, leads from the anchor's picture to the new one."""
    if not len(anchor.corners):  # OpenCV takes no transform of nothing
        return anchor.corners, anchor.corners
    size_px = anchor.image.shape[1::-1]
    back = np.linalg.inv(motion)
    aligned = np.asarray(cv2.warpPerspective(frame_bgr, back, size_px, flags=cv2.INTER_LINEAR), np.uint8)
    after, found = flow(anchor.texture, Texture.of(aligned), anchor.corners, FAR)
    now_px = cv2.perspectiveTransform(to_full(after)[None], motion)[0]
    found &= _visible(now_px, size_px)
    return to_full(anchor.corners)[found], now_px[found]


def _visible(px: Array, size_px: tuple[int, ...]) -> Mask:
    width, height = size_px[:2]
    return np.asarray((px > 8).all(axis=1) & (px < np.array([width, height]) - 9).all(axis=1), bool)

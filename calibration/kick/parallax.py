"""The plane again where things stand on the table: their texture tells which way the camera went, its own how far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import contains_xy
from shapely.geometry.base import BaseGeometry

from calibration.fiducials.markers import Image
from calibration.fit.correspondence import Correspondences
from calibration.kick.drift import Anchor
from calibration.kick.reframe import followed_by
from calibration.kick.reregister import measured_again, remeasured, texture_again
from calibration.kick.sighted import Seen, Sighted, Told
from calibration.plane import Residual, TablePlane

Array = NDArray[np.float64]

# The picture is brought to the anchor's view so often, at most, until the table's corners stay where they are.
_LOOKS, _STAYS_PX = 4, 0.5


@dataclass(frozen=True, eq=False)
class Bodies:
    """What stands on a table.

    hidden_mm  the parts of it that it hides from a camera
    tall_mm    how high its texture may show
    """

    hidden_mm: BaseGeometry
    tall_mm: float


Standing = Callable[[TablePlane], Bodies]


def by_parallax(
    anchor: Anchor, frame_bgr: Image, rough: TablePlane, bodies: Bodies, told: Array | None = None
) -> TablePlane | None:
    """The plane in a later picture of a table on which things stand; None where too little of it is seen again.

    rough   the plane in that picture to a centimetre or so; the lens is the anchor's, whatever this one's is
    bodies  what hides the table in the anchor's picture: what shows there may be of any height
    told    (6, 6) covariance of the rough plane's (rvec, tvec), where something else than this texture told it
    Error   0.1 to 0.7 mm 20 to 60 mm aside on eight rendered tables, 0.1 to 2.9 some 50 degrees round, as far as these
            were recognised (benchmarks/carried_figures.py; docs/measured/trouble.md)
    """
    now = through(anchor, rough)
    if now is None:
        return None
    by_others = Told.of(now.pose, told, bodies.tall_mm)
    for _ in range(_LOOKS):
        before, after = now, _seen_from(anchor, frame_bgr, now, bodies, by_others)
        if after is None:
            return None
        now = after
        if np.abs(now.to_image(anchor.outline_mm) - before.to_image(anchor.outline_mm)).max() < _STAYS_PX:
            break
    return now if told is None else replace(now, residuals=(*rough.residuals, *now.residuals))


def through(anchor: Anchor, rough: TablePlane) -> TablePlane | None:
    """About the same picture through the anchor's lens: what stands on a table can pass for another focal length."""
    if np.allclose(rough.lens.parameters, anchor.plane.lens.parameters):
        return rough
    shown = Correspondences.of(rough.to_image(anchor.outline_mm), anchor.outline_mm)
    return measured_again(anchor.plane, shown, anchor.table_size_mm)


def _seen_from(anchor: Anchor, frame_bgr: Image, rough: TablePlane, bodies: Bodies, told: Told) -> TablePlane | None:
    """The plane by the anchor's texture, looked for where the rough one has it."""
    here, there = (plane.to_image(anchor.outline_mm).astype(np.float32) for plane in (anchor.plane, rough))
    if not (np.isfinite(here).all() and np.isfinite(there).all()):
        return None
    before_px, now_px = texture_again(anchor, frame_bgr, np.asarray(cv2.getPerspectiveTransform(here, there), float))
    feet_mm = anchor.plane.to_table(before_px)
    on_things = contains_xy(bodies.hidden_mm, feet_mm)
    seen = Sighted.of(anchor.plane, rough.lens, feet_mm, now_px, on_things, bodies.tall_mm).camera(rough.pose, told)
    return _measured(anchor, rough, feet_mm, seen) if seen is not None else None


def _measured(anchor: Anchor, rough: TablePlane, feet_mm: Array, seen: Seen) -> TablePlane:
    """The rough plane's camera where it was seen to be, and what its points (n, 2) mm leave."""
    was, numbers = anchor.plane, len(rough.lens.parameters)
    off_mm = seen.off_px / was.px_per_mm(feet_mm)
    left = zip(seen.off_px.tolist(), off_mm.tolist(), (~seen.borne_out).tolist(), strict=True)
    now = replace(
        rough,
        rvec=seen.pose.rvec,
        tvec=seen.pose.tvec,
        reprojection_error_px=float(np.sqrt(np.mean(np.square(seen.off_px[seen.borne_out])))),
        residuals=tuple(Residual("texture", px, mm, rejected) for px, mm, rejected in left),
    )
    follows = followed_by((was.lens, was.pose), (now.lens, now.pose), anchor.outline_mm, zooms=False)
    return remeasured(now, was, follows, np.pad(seen.covariance, ((numbers, 0), (numbers, 0))))

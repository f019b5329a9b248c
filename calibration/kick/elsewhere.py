"""The plane in a picture of the same table from anywhere else: both pictures are compared as from above.

A camera that is carried round a table on the same tripod looks down on it about as steeply as before. Drawn as from
above by the old plane, the table is then only turned, shifted and a little larger or smaller, and its features are
known again. Between the pictures themselves they are not, from 50 degrees on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import contains_xy
from shapely.geometry.base import BaseGeometry

from calibration.fiducials.markers import Image
from calibration.fit.correspondence import Correspondences
from calibration.kick.drift import Anchor
from calibration.kick.from_above import FromAbove
from calibration.kick.ground import by_ground
from calibration.kick.parallax import Standing, by_parallax, through
from calibration.kick.reregister import measured_again
from calibration.plane import TablePlane

Array = NDArray[np.float64]

# Features agree that went one way to within so many mm: what stands above the table goes a little aside.
_AGREED_MM, _TRIES = 5.0, 20000
# So many that agree are no chance: on six rendered tables from some 50 degrees round 19 agree at least, and at most 7
# of one table with those of another (60 pairs).
_FEWEST = 12
_SIGMA_PX = 2.0
# If at least so many features lie on the ground, this share of them must show so near to where a plane has them, px.
_FEWEST_LYING, _SHARE_BORNE_OUT, _BORNE_OUT_PX = 8, 1 / 3, 3.0
# What stands on the table tells it hardly better than the scatter of its ground does, a third of what that states: on
# three of eighteen pictures of rendered tables it stated too little.
_LEFT_OPEN = 1 / 9


@dataclass(frozen=True, eq=False)
class Glimpse:
    """A table known again.

    plane   to some centimetres, where much stands on it
    was_mm  (n, 2) where the features were by which it was known
    now_px  (n, 2) and where they show
    """

    plane: TablePlane
    was_mm: Array
    now_px: Array

    def bears_out(self, plane: TablePlane, hidden_mm: BaseGeometry) -> bool:
        """Whether a better plane has the features about where they show, as far as nothing stands there."""
        lies = ~contains_xy(hidden_mm, self.was_mm)
        if lies.sum() < _FEWEST_LYING:
            return True
        off_px = np.hypot(*(plane.to_image(self.was_mm[lies]) - self.now_px[lies]).T)
        return bool((off_px < _BORNE_OUT_PX).mean() >= _SHARE_BORNE_OUT)


def seen_elsewhere(anchor: Anchor, frame_bgr: Image) -> Glimpse | None:
    """The table in a later picture from anywhere; None where it is not known again.

    Cost  0.2 s of one core at 1080p
    """
    before, after = anchor.from_above, FromAbove.of(frame_bgr, anchor.plane, anchor.table_size_mm)
    alike = before.known_again(after)
    if len(alike) < _FEWEST:
        return None
    was_mm = anchor.plane.to_table(before.px[alike[:, 0]])
    now_px = after.px[alike[:, 1]]
    _, agree = cv2.findHomography(was_mm, anchor.plane.to_table(now_px), cv2.USAC_MAGSAC, _AGREED_MM, maxIters=_TRIES)
    agrees = np.ravel(agree) > 0
    if agrees.sum() < _FEWEST:
        return None
    seen = Correspondences.of(now_px[agrees], was_mm[agrees], ["feature"] * int(agrees.sum()), _SIGMA_PX)
    plane = measured_again(anchor.plane, seen, anchor.table_size_mm)
    return Glimpse(plane, was_mm[agrees], now_px[agrees]) if plane is not None else None


def measured_elsewhere(anchor: Anchor, frame_bgr: Image, standing: Standing) -> TablePlane | None:
    """The plane in a later picture of the same table from anywhere; None where too little is known again.

    standing  what stands on the table, by the plane with which it is seen
    Error     that of `sharpened`
    Cost      0.8 s of one core at 1080p
    """
    glimpse = seen_elsewhere(anchor, frame_bgr)
    plane = sharpened(anchor, frame_bgr, glimpse.plane, standing) if glimpse is not None else None
    is_it = plane is not None and glimpse is not None and glimpse.bears_out(plane, standing(anchor.plane).hidden_mm)
    return plane if is_it else None


def sharpened(
    anchor: Anchor, frame_bgr: Image, rough: TablePlane, standing: Standing, told: Array | None = None
) -> TablePlane | None:
    """The plane in a later picture by the ground and by what stands on it; None where too little is known again.

    rough  the plane in that picture to some centimetres; the lens is the anchor's, whatever this one's is
    told   (6, 6) covariance of its (rvec, tvec), where something else than texture told it
    Error  0.02 to 0.6 mm on 22 of 23 pictures of ten rendered tables, 20 mm aside to 135 degrees round
           (benchmarks/carried_figures.py; docs/measured/trouble.md)
    """
    now = through(anchor, rough)
    if now is None:
        return None
    ground = by_ground(anchor, frame_bgr, now, lambda plane: standing(plane).hidden_mm)
    if ground is not None and told is not None and added_mm(ground, anchor) > added_mm(rough, anchor):
        ground = None
    bodies = standing(anchor.plane)
    if bodies.hidden_mm.is_empty and ground is not None:
        return ground
    if ground is None:
        return by_parallax(anchor, frame_bgr, now, bodies, told)
    by_ground_alone = ground.history.last[-6:, -6:]
    plane = by_parallax(anchor, frame_bgr, ground, bodies, by_ground_alone)
    return _less_sure(plane, _LEFT_OPEN * by_ground_alone) if plane is not None else ground


def _less_sure(plane: TablePlane, covariance: Array) -> TablePlane:
    """The plane, its (rvec, tvec) less sure by a covariance (6, 6)."""
    numbers = len(plane.lens.parameters)
    more = np.pad(covariance, ((numbers, 0), (numbers, 0)))
    again = replace(plane.history, fitted=plane.history.fitted + more, last=plane.history.last + more)
    return replace(plane, covariance=plane.covariance + more, again=again)


def added_mm(plane: TablePlane, anchor: Anchor) -> float:
    """What measuring it again added to the error of the table's corners, at most."""
    return float(plane.added_sigma_mm(anchor.outline_mm).max())

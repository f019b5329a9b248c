"""The plane in a picture of the same table from anywhere else: what both pictures show of it, as from above.

A camera that is carried round a table on the same tripod looks down on it about as steeply as before. Drawn as from
above by the old plane, what the table shows is turned, shifted and a little larger or smaller then, and features that
bear that are known again, where between the pictures themselves they are not from 50 degrees on.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.correspondence import Correspondences
from calibration.drift import Anchor
from calibration.from_above import FromAbove
from calibration.ground import by_ground
from calibration.markers import Image
from calibration.parallax import Standing, by_parallax
from calibration.plane import TablePlane
from calibration.reregister import measured_again

Array = NDArray[np.float64]

# Features agree that went one way to within so many mm: what stands above the table goes a little aside.
_AGREED_MM, _TRIES = 5.0, 20000
# So many that agree are no chance: on six rendered tables from some 50 degrees round 19 agree at least, and at most 7
# of one table with those of another (60 pairs).
_FEWEST = 12
_SIGMA_PX = 2.0


def seen_elsewhere(anchor: Anchor, frame_bgr: Image) -> TablePlane | None:
    """The plane in a later picture of the same table, to a centimetre or two where much stands on it; None where it is
    not recognised.

    Cost  0.3 s of one core at 1080p
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
    return measured_again(anchor.plane, seen, anchor.table_size_mm)


def measured_elsewhere(anchor: Anchor, frame_bgr: Image, standing: Standing) -> TablePlane | None:
    """The plane in a later picture of the same table from anywhere else; None where too little is known again.

    standing  what stands on the table, by the plane with which it is seen
    Error     that of `sharpened`
    Cost      0.8 s of one core at 1080p
    """
    rough = seen_elsewhere(anchor, frame_bgr)
    return sharpened(anchor, frame_bgr, rough, standing) if rough is not None else None


def sharpened(
    anchor: Anchor, frame_bgr: Image, rough: TablePlane, standing: Standing, told: Array | None = None
) -> TablePlane | None:
    """The plane in a later picture by the ground and by what stands on it; None where too little is known again.

    rough  the plane in that picture to some centimetres
    told   (6, 6) covariance of its (rvec, tvec), where something else than texture told it
    Error  0.02 to 0.6 mm on 22 of 23 pictures of ten rendered tables, 20 mm aside to 135 degrees round
           (benchmarks/carried_figures.py; docs/measured/trouble.md)
    """
    ground = by_ground(anchor, frame_bgr, rough, lambda plane: standing(plane).hidden_mm)
    if ground is not None and told is not None and _added_mm(ground, anchor) > _added_mm(rough, anchor):
        ground = None
    bodies = standing(anchor.plane)
    if bodies.hidden_mm.is_empty and ground is not None:
        return ground
    start, told = (ground, ground.history.fitted[-6:, -6:]) if ground is not None else (rough, told)
    return by_parallax(anchor, frame_bgr, start, bodies, told) or ground


def _added_mm(plane: TablePlane, anchor: Anchor) -> float:
    """What measuring it again added to the error of the table's corners, at most."""
    return float(plane.added_sigma_mm(anchor.outline_mm).max())

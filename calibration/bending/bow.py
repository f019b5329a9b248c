"""Quadrilaterals whose corners are where straight lines along their sides meet, though the lens bends the sides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.corners.outline import Bending
from calibration.edges.edge import side_crossings
from calibration.fit.correspondence import Correspondences
from calibration.lens import Lens

Array = NDArray[np.float64]


def without_bow(seen: Correspondences, lens: Lens) -> Correspondences:
    """The same, the corners of what was found by its four sides moved to where this lens shows them.

    A barrel bows a 60 px side by 0.06 px; a line along it passes outside both corners by two thirds of that.
    """
    if not seen.lined or not (lens.fisheye or lens.distortion.any()):
        return seen
    image_px = seen.image_px.copy()
    for name in seen.lined:
        mine = np.array(seen.sources) == name
        image_px[mine] -= bow_px(image_px[mine], lens.undistort, lens.distort)
    return replace(seen, image_px=image_px)


def bow_px(corners_px: Array, straighten: Bending, bent: Bending) -> Array:
    """(4, 2) how far the lines along the bent sides meet from the corners (4, 2) that these sides join.

    straighten, bent  where a lens without distortion shows px (n, 2) of the picture, and the way back
    """
    straight = straighten(corners_px)

    def shown(share: Array) -> Array:
        """(4, n, 2) px where the picture shows places along each side, at shares (4, n) of its length."""
        along = np.roll(straight, -1, axis=0) - straight
        places = straight[:, None] + share[:, None] * along[:, None]
        return bent(places.reshape(-1, 2)).reshape(4, len(share), 2)

    return side_crossings(corners_px, shown) - corners_px

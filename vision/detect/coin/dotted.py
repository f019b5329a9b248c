"""Paper dots seen from above: a small disc that is brighter or darker than all that is round it, in some colour, as far
as a coin reaches about a dot. The detector takes some silver coins with a dot for washers, most of those with white or
black ones, and is nearly sure of none; a dot says where to look all the same."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr

Array = NDArray[np.float64]
Grey = NDArray[np.uint8]

# Half the scale of the detector's top view is fine enough, px to a mm.
_PX_PER_MM = 0.625
# A dot is 8 mm wide: its inner part, px, and a ring of metal beyond it, px, 5 to 6.4 mm, which small coins still have.
_INNER_PX, _BEYOND_PX, _RING_PX = 3, 3.6, 0.45
# Its middle lies within so many px of what the detector takes for the coin's.
_OFF_PX = 2
# From so many grey levels on it stands out: on 28 stills of seeds 501 and 43003 dots on coins that the detector is
# nearly sure to be none have more, and three other places a picture.
_LEVELS = 35


def are_dotted(top_bgr: ImageBgr, px_per_mm: float, at_px: Array) -> NDArray[np.bool_]:
    """(n,) whether a dot stands out near `at_px` (n, 2), columns and rows of a top view of that scale."""
    share = _PX_PER_MM / px_per_mm
    small = cv2.resize(top_bgr, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    dots = _dots(np.asarray(small, np.uint8))
    at = np.rint((at_px + 0.5) * share - 0.5).astype(int)
    columns, rows = np.clip(at, 0, np.array(dots.shape[::-1]) - 1).T
    return np.asarray(dots[rows, columns] >= _LEVELS)


def _dots(small_bgr: ImageBgr) -> Grey:
    """(h, w) by how many levels the likeliest dot near each pixel stands out, in that of blue, green and red which
    shows it best: a blue one on silver is dark in red, and hardly in grey."""
    disc, ring = cv2.blur(small_bgr, (_INNER_PX, _INNER_PX)), _ring()
    bright = cv2.subtract(disc, cv2.dilate(small_bgr, ring))
    dark = cv2.subtract(cv2.erode(small_bgr, ring), disc)
    dots = cv2.max(bright, dark).max(axis=2)
    near = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * _OFF_PX + 1, 2 * _OFF_PX + 1))
    return np.asarray(cv2.dilate(dots, near), np.uint8)


def _ring() -> Grey:
    reach = int(np.ceil(_BEYOND_PX))
    rows, columns = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    return np.asarray(np.abs(np.hypot(rows, columns) - _BEYOND_PX) <= _RING_PX, np.uint8)

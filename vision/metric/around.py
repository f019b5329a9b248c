"""Where circles on the table show in the picture, and what is around them, unrolled."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.frame import ImageBgr
from vision.metric.sampling import colours_at

Array = NDArray[np.float64]

# So many points of a circle are projected; waves of up to three periods go through them. Of a coin nearer than any
# camera stands, 150 mm, the fourth wave is below a thousandth of a pixel.
_PROJECTED, _PERIODS = 8, 3
# Circles that show larger than this are looked at in a picture made smaller: nothing aliases between the steps, and the
# rim net learnt from none larger (photographs from near by: spread of a table's common scale by edges 1.5 -> 1.2 %).
_LARGEST_PX = 40.0


def circles_px(plane: TablePlane, centre_mm: Array, radius_mm: Array, height_mm: Array, rays: int) -> Array:
    """(n, rays, 2) picture px of points around n circles, counter-clockwise from +x, each in its plane at `height_mm`.

    rays  a multiple of 8
    """
    angles = _angles(_PROJECTED)
    spokes = radius_mm[:, None, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    corners = (centre_mm[:, None] + spokes).reshape(-1, 2)
    seen = plane.to_image(corners, np.repeat(height_mm, _PROJECTED)).reshape(-1, _PROJECTED, 2)
    return np.asarray(_between(rays).T @ seen, float)


def unrolled(
    image_bgr: ImageBgr,
    plane: TablePlane,
    circles: tuple[Array, Array, Array],
    rays: int,
    shares: Array,
    interpolation: int = cv2.INTER_LINEAR,
) -> tuple[ImageBgr, Array]:
    """Colours (n, rays, steps, 3) along rays from n circles' middles, and px between steps (n,).

    circles  centre_mm (n, 2), radius_mm (n,), height_mm (n,)
    shares   of the radius (steps,), evenly spaced

    Both ends of a ray are projected; between them the picture is straight to 0.01 px.
    """
    centre_mm, radius_mm, height_mm = circles
    rings = np.concatenate([shares[0] * radius_mm, shares[-1] * radius_mm])
    ends = circles_px(plane, np.tile(centre_mm, (2, 1)), rings, np.tile(height_mm, 2), rays)
    first, last = ends[: len(radius_mm)], ends[len(radius_mm) :]
    radius_px = np.linalg.norm(last - first, axis=-1) / (shares[-1] - shares[0])
    image_bgr, first, last = _from_afar(image_bgr, first, last, radius_px)
    colours = _between_ends(image_bgr, first, last, len(shares), interpolation)
    return colours, np.asarray(np.linalg.norm(last - first, axis=-1).mean(axis=1) / (len(shares) - 1), float)


def let_down(
    image_bgr: ImageBgr,
    plane: TablePlane,
    circles: tuple[Array, Array, Array],
    rays: NDArray[np.int_],
    all_rays: int,
    below_mm: Array,
) -> tuple[ImageBgr, Array]:
    """Colours (n, k, steps, 3) below n circles' rims, and px (n,) between steps along the middle one of the rays.

    circles   centre_mm (n, 2), radius_mm (n,), height_mm (n,)
    rays      (n, k) which points of each rim, of `all_rays` counter-clockwise from +x
    below_mm  how far each step lies below the rim (steps,), evenly spaced
    """
    centre_mm, radius_mm, height_mm = circles
    highest, lowest = (
        circles_px(plane, centre_mm, radius_mm, height_mm - below, all_rays) for below in (below_mm[0], below_mm[-1])
    )
    quarter = all_rays // 4
    radius_px = np.linalg.norm(highest[:, [0, quarter]] - highest[:, [2 * quarter, 3 * quarter]], axis=-1) / 2
    first, last = (np.take_along_axis(each, rays[..., None], axis=1) for each in (highest, lowest))
    image_bgr, first, last = _from_afar(image_bgr, first, last, radius_px)
    middle = rays.shape[1] // 2
    step_px = np.linalg.norm(last[:, middle] - first[:, middle], axis=-1) / (len(below_mm) - 1)
    return _between_ends(image_bgr, first, last, len(below_mm), cv2.INTER_LINEAR), np.asarray(step_px, float)


def _between_ends(image_bgr: ImageBgr, first: Array, last: Array, steps: int, interpolation: int) -> ImageBgr:
    """Colours (n, rays, steps, 3) along rays from `first` to `last` (n, rays, 2)."""
    along = np.linspace(0, 1, steps, dtype=np.float32)
    begin, step = (np.nan_to_num(each, nan=-1e4).astype(np.float32)[..., None] for each in (first, last - first))
    u, v = ((begin[:, :, axis] + along * step[:, :, axis]).reshape(-1, steps) for axis in (0, 1))
    return colours_at(image_bgr, u, v, interpolation).reshape(*first.shape[:2], steps, 3)


def _from_afar(image_bgr: ImageBgr, first: Array, last: Array, radius_px: Array) -> tuple[ImageBgr, Array, Array]:
    """The picture with the ends of the rays (n, rays, 2) in it, made smaller where circles would show too large.

    radius_px  of the circles as the picture shows them, any shape
    """
    usual_px = float(np.median(radius_px)) if radius_px.size else 0.0
    if not usual_px > _LARGEST_PX:
        return image_bgr, first, last
    times = _LARGEST_PX / usual_px
    smaller = np.asarray(cv2.resize(image_bgr, None, fx=times, fy=times, interpolation=cv2.INTER_AREA), np.uint8)
    return smaller, (first + 0.5) * times - 0.5, (last + 0.5) * times - 0.5


@cache
def _between(rays: int) -> Array:
    """(_PROJECTED, rays) what each projected point counts for each ray."""
    return np.asarray(np.linalg.pinv(_waves(_angles(_PROJECTED))) @ _waves(_angles(rays)), float)


def _waves(angles: Array) -> Array:
    return np.asarray([wave(times * angles) for times in range(_PERIODS + 1) for wave in (np.cos, np.sin)], float)


def _angles(count: int) -> Array:
    return np.asarray(np.arange(count) * (2 * np.pi / count), float)

"""Where circles on the table show in the picture, and what is around them, unrolled."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.frame import ImageBgr
from vision.sampling import colours_at

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
    image_bgr, first, last = _from_afar(image_bgr, first, last, float(shares[-1] - shares[0]))
    along = np.linspace(0, 1, len(shares), dtype=np.float32)
    begin, step = (np.nan_to_num(each, nan=-1e4).astype(np.float32)[..., None] for each in (first, last - first))
    u, v = ((begin[:, :, axis] + along * step[:, :, axis]).reshape(-1, len(shares)) for axis in (0, 1))
    seen = colours_at(image_bgr, u, v, interpolation)
    lengths_px = np.linalg.norm(last - first, axis=-1)
    colours = seen.reshape(-1, rays, len(shares), 3)
    return colours, np.asarray(lengths_px.mean(axis=1) / (len(shares) - 1), float)


def _from_afar(image_bgr: ImageBgr, first: Array, last: Array, share: float) -> tuple[ImageBgr, Array, Array]:
    """The picture with the ends of the rays (n, rays, 2) in it, made smaller where circles would show too large.

    share  how much of the radius the rays span
    """
    radius_px = np.median(np.linalg.norm(last - first, axis=-1)) / share if len(first) else 0.0
    if not radius_px > _LARGEST_PX:
        return image_bgr, first, last
    times = _LARGEST_PX / float(radius_px)
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

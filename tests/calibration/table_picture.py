"""Pictures of a table whose truth is known: each pixel the mean of sight rays, then lens blur and noise."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha1

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.plane import TablePlane

Array = NDArray[np.float64]
Gray = NDArray[np.uint8]

# So many rows of a picture are shot at once.
_BAND_PX = 16
# The pictures that were shot last, by all that they show.
_SHOTS: dict[tuple[object, ...], Gray] = {}
_MOST_SHOTS = 8


def a_lens(size_px: tuple[int, int] = (1920, 1080), distortion: tuple[float, ...] = (0.0,) * 5) -> Lens:
    """An ordinary webcam: 67 degrees across."""
    focal_px = 0.755 * size_px[0]
    matrix = [[focal_px, 0, (size_px[0] - 1) / 2], [0, focal_px, (size_px[1] - 1) / 2], [0, 0, 1]]
    return Lens.measured(size_px, matrix, distortion)


def a_camera(
    tilt_deg: float = 45,
    distance_mm: float = 900,
    roll_deg: float = 0,
    pan_deg: float = 0,
    lens: Lens | None = None,
    aim_mm: tuple[float, float] = (350, 250),
) -> TablePlane:
    """An exact camera that looks at `aim_mm` from the near side, turned by `pan_deg` about it."""
    lens = lens or a_lens()
    tilt, pan, roll = np.radians([tilt_deg, pan_deg, roll_deg])
    ahead = np.array([np.sin(pan), np.cos(pan), 0]) * np.cos(tilt) - [0, 0, np.sin(tilt)]
    right = np.array([np.cos(pan), -np.sin(pan), 0])
    level = np.array([right, np.cross(ahead, right), ahead])
    turn = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    rotation = turn @ level
    position = np.r_[aim_mm, 0] - distance_mm * ahead
    return TablePlane.exact(lens, cv2.Rodrigues(rotation)[0].ravel(), -rotation @ position)


def shoot(
    plane: TablePlane,
    texture: Gray,
    texels_per_mm: float,
    corner_mm: tuple[float, float] = (0, 0),
    *,
    rays: int = 3,
    blur_px: float = 0.6,
    noise: float = 2.0,
    seed: int = 0,
    beyond: int = 90,
) -> Gray:
    """The picture of a flat texture; its bottom left corner lies at `corner_mm`, its rows run towards the viewer.

    Asked for again, as by several tests of one file, it is a copy of the one that was shot.
    """
    camera = (plane.lens.parameters, plane.rvec, plane.tvec)
    asked = plane.lens.size_px, plane.lens.fisheye, plane.folds, texture.shape, texels_per_mm, corner_mm
    how = rays, blur_px, noise, seed, beyond
    key = asked, how, sha1(b"".join(each.tobytes() for each in (*camera, texture))).digest()
    if key not in _SHOTS:
        while len(_SHOTS) >= _MOST_SHOTS:
            del _SHOTS[next(iter(_SHOTS))]
        _SHOTS[key] = _shot(plane, texture, texels_per_mm, corner_mm, *how)
    return _SHOTS[key].copy()


def _shot(
    plane: TablePlane,
    texture: Gray,
    texels_per_mm: float,
    corner_mm: tuple[float, float],
    rays: int,
    blur_px: float,
    noise: float,
    seed: int,
    beyond: int,
) -> Gray:
    width, height = plane.lens.size_px
    if plane.folds is None:
        mm = plane.pose.along(_ahead(plane.lens) @ plane.rotation, 0.0).reshape(height, width, 2)
    else:
        mm = plane.to_table(_pixels(plane.lens.size_px)).reshape(height, width, 2)
    column = (mm[..., 0] - corner_mm[0]) * texels_per_mm - 0.5
    row = texture.shape[0] - (mm[..., 1] - corner_mm[1]) * texels_per_mm - 0.5
    # Within a pixel the table is flat to 1e-4 texels.
    ways = [(each, np.gradient(each, axis=1), np.gradient(each, axis=0)) for each in (column, row)]
    total = np.zeros((height, width, *texture.shape[2:]), np.float32)
    # A band at a time, which stays in the processor's cache: three times as fast.
    for band in (np.s_[top : top + _BAND_PX] for top in range(0, height, _BAND_PX)):
        total[band] = _rays_sum(texture, [tuple(each[band] for each in way) for way in ways], rays, beyond)
    picture = cv2.GaussianBlur(total / rays**2, (0, 0), blur_px)
    picture += _noise(seed, noise, picture.shape)
    return np.clip(np.rint(picture, out=picture), 0, 255, out=picture).astype(np.uint8)


def _pixels(size_px: tuple[int, int]) -> Array:
    u, v = np.meshgrid(*(np.arange(side, dtype=float) for side in size_px))
    return np.c_[u.ravel(), v.ravel()]


@lru_cache(maxsize=2)
def _ahead(lens: Lens) -> Array:
    """(n, 3) the sight rays of all pixels, camera frame: cameras of one lens share them."""
    rays = lens.rays(_pixels(lens.size_px))
    return np.column_stack([rays, np.ones(len(rays))])


@lru_cache(maxsize=2)
def _noise(seed: int, sigma: float, shape: tuple[int, ...]) -> Array:
    """What a sensor adds to a picture, which took a third of the time of shooting it: most are shot with one seed."""
    return np.random.default_rng(seed).normal(0, sigma, shape)


def _rays_sum(texture: Gray, ways: list[tuple[Array, Array, Array]], rays: int, beyond: int) -> NDArray[np.float32]:
    """What all sight rays of each pixel show of a texture, added up; `ways` is where the pixels lie in it, column and
    row, and how that changes across and down the picture."""
    shape = ways[0][0].shape
    total, maps = np.zeros((*shape, *texture.shape[2:]), np.float32), np.empty((2, *shape), np.float32)
    at, further = np.empty(shape), np.empty(shape)
    # No two rays of a pixel in one row or column: an upright edge would move by steps of a whole row of them.
    for i, j in np.ndindex(rays, rays):
        du, dv = (i + (j + 0.5) / rays) / rays - 0.5, (j + (i + 0.5) / rays) / rays - 0.5
        for (each, across, down), into in zip(ways, maps, strict=True):
            np.add(each, np.multiply(across, du, out=at), out=at)
            np.add(at, np.multiply(down, dv, out=further), out=at)
            # What the picture shows of no table, NaN, lies beyond the texture.
            into[:] = np.minimum(np.fmax(at, -1e4, out=at), 3e4, out=at)
        border = (beyond,) * 3
        total += cv2.remap(texture, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=border)
    return total


def paper(size_mm: tuple[float, float], texels_per_mm: float, seed: int = 0, gray: int = 200) -> Gray:
    """A sheet with a faint print that a tracker can hold on to: soft spots and lines."""
    rng = np.random.default_rng(seed)
    height, width = round(size_mm[1] * texels_per_mm), round(size_mm[0] * texels_per_mm)
    small = rng.normal(0, 1, (round(size_mm[1] / 3), round(size_mm[0] / 3))).astype(np.float32)
    sheet = gray + 18 * cv2.resize(cv2.GaussianBlur(small, (0, 0), 1.2), (width, height), interpolation=cv2.INTER_CUBIC)
    for _ in range(60):
        start, end = rng.uniform(0, 1, (2, 2)) * (width, height)
        tone = int(rng.integers(40, 160))
        cv2.line(sheet, tuple(map(int, start)), tuple(map(int, end)), tone, max(1, round(texels_per_mm * 0.8)))
    return np.clip(sheet, 0, 255).astype(np.uint8)


def lay(sheet: Gray, patch: Gray, centre_mm: tuple[float, float], size_mm: float, texels_per_mm: float) -> None:
    """Put a square patch upright on the sheet, in place; its edges fall between texels."""
    side = round(size_mm * texels_per_mm)
    left = round(centre_mm[0] * texels_per_mm - side / 2)
    top = round(sheet.shape[0] - centre_mm[1] * texels_per_mm - side / 2)
    sheet[top : top + side, left : left + side] = cv2.resize(patch, (side, side), interpolation=cv2.INTER_NEAREST)


def lay_card(
    sheet: Gray, place: tuple[float, float, float], size_mm: tuple[float, float], texels_per_mm: float, tone: int
) -> None:
    """Paint a rectangle about (x mm, y mm, turn in degrees) on the sheet, in place, to a sixteenth of a texel."""
    x, y, turn_deg = place
    middle = (x * texels_per_mm - 0.5, sheet.shape[0] - y * texels_per_mm - 0.5)
    # cv2 paints the outline's own pixels too: half a texel on each side.
    size = (size_mm[0] * texels_per_mm - 1, size_mm[1] * texels_per_mm - 1)
    box = cv2.boxPoints((middle, size, -turn_deg))
    cv2.fillPoly(sheet, [np.round(box * 16).astype(np.int32)], tone, cv2.LINE_8, 4)

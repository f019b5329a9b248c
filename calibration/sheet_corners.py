"""The four corners of a map sheet or a mat that lies on a table of another colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from calibration.cards import find_rectangles
from calibration.correspondence import Correspondences
from calibration.lens import Lens
from calibration.long_edge import LongEdge, long_edges
from calibration.markers import gray_of
from calibration.outline import Bending, outlines
from calibration.plumb_line import bend_of
from calibration.pose import guesses_from_points

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

_SMALLEST_OF_PICTURE, _LARGEST_OF_PICTURE = 0.08, 0.97
# A sheet's edge is a fold or a cut, and its size is read off a ruler to half a millimetre: good to this where its sides
# are straight. How far they stray from lines, as curled paper's do, comes on top.
_CORNER_SIGMA_PX = 0.7
_SHAPE_TOLERANCE = 0.08
# Outlines of less than this are chance; and so many are looked at for one of the sheet's shape.
_LEAST_SEEN, _OUTLINES = 0.2, 6
_NAMES = ("far left", "far right", "near right", "near left")


def find_sheet_corners(image: Image, size_mm: tuple[float, float], lens: Lens) -> Correspondences:
    """The corners of a sheet of known size, its near edge towards the camera.

    size_mm  (width, depth); the sheet's near left corner is the origin
    Raises   ValueError when no such outline is seen whole
    """
    for corners, sigma_px in sheet_outlines(image, size_mm, lens):
        width, depth = size_mm
        table = np.array([[0, depth], [width, depth], [width, 0], [0, 0]], float)
        names = [f"sheet corner {name}" for name in _NAMES]
        return Correspondences.of(corners, table, names, sigma_px)
    raise ValueError(
        f"no outline of a sheet of {size_mm[0]:g} x {size_mm[1]:g} mm is seen whole: "
        "uncover its corners, lay it on something darker or lighter, or click them"
    )


def sheet_outlines(image: Image, size_mm: tuple[float, float], lens: Lens) -> Iterator[tuple[Array, Array]]:
    """Corners (4, 2) of what has the sheet's shape, from far left clockwise, and their sigma in px (4,).

    The likeliest first: by its sides, or by what stands out whole.
    """
    yield from _by_sides(image, size_mm, lens)
    gray = gray_of(image)
    for surface in (gray, 255 - gray):
        for rectangle in find_rectangles(np.asarray(surface, np.uint8), _LARGEST_OF_PICTURE, _SMALLEST_OF_PICTURE):
            first = _level(rectangle.corners, size_mm, lens)
            if first is not None:
                yield np.roll(rectangle.corners, first, axis=0), np.full(4, _CORNER_SIGMA_PX)


def _by_sides(image: Image, size_mm: tuple[float, float], lens: Lens) -> Iterator[tuple[Array, Array]]:
    edges, size_px = long_edges(image), lens.size_px
    straighten, bent, straight = bending(edges, lens)
    edges = tuple(replace(edge, points_px=straighten(edge.points_px)) for edge in edges)
    for outline in outlines(edges, size_px, bent)[:_OUTLINES]:
        first = _level(outline.corners[::-1], size_mm, straight)
        if first is None or outline.seen < _LEAST_SEEN or outline.area < _SMALLEST_OF_PICTURE:
            continue
        # A side that may be another is as uncertain as the two lie apart.
        loose = np.maximum(outline.margin, np.roll(outline.margin, 1))
        stray = np.hypot(outline.stray_px, np.roll(outline.stray_px, 1)) / np.sqrt(2)
        sigma_px = np.hypot(np.hypot(_CORNER_SIGMA_PX, stray), loose)
        yield bent(np.roll(outline.corners[::-1], first, axis=0)), np.roll(sigma_px[::-1], first)


def bending(edges: Sequence[LongEdge], lens: Lens) -> tuple[Bending, Bending, Lens]:
    """How to straighten the picture and to bend it again, by the lens or by the edges, and the lens without a bend."""
    if lens.known:
        return lens.undistort, lens.distort, replace(lens, distortion=np.zeros_like(lens.distortion), fisheye=False)
    bend = bend_of(edges, lens.size_px)
    if bend is None:
        return np.asarray, np.asarray, lens
    return partial(bend.straightened, size_px=lens.size_px), partial(bend.bent, size_px=lens.size_px), lens


def _level(quad: Array, size_mm: tuple[float, float], lens: Lens) -> int | None:
    """How many corners to roll back for the far left one to be first, as a camera held upright sees them, clockwise;
    None if the shape is another."""
    width, depth = size_mm
    shape = np.array([[0, depth], [width, depth], [width, 0], [0, 0]])
    best: tuple[float, int] | None = None
    for first in range(4):
        corners = np.roll(quad, first, axis=0)
        for guess in guesses_from_points(corners, shape, lens):
            found = guess.pose.to_table(guess.lens, corners)
            sides = np.hypot(*(np.roll(found, -1, axis=0) - found).T)
            off = float(np.abs(np.nan_to_num(sides) / (width, depth, width, depth) - 1).max())
            upright = float(guess.pose.rotation[0, 0])
            if guess.pose.position_mm[2] > 0 and off < _SHAPE_TOLERANCE and (best is None or upright > best[0]):
                best = (upright, first)
    return best[1] if best is not None and best[0] > np.cos(np.radians(60)) else None

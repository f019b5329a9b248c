"""The four corners of a map sheet or a mat that lies on a table of another colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from calibration.bending.bow import bow_px
from calibration.bending.plumb_line import ROUGHEST_PX, Bend, bend_of
from calibration.corners.outline import Bending, Outline, outlines
from calibration.corners.printed_frame import NOTE, are_lines
from calibration.edges.long_edge import LongEdge, long_edges, profile_across
from calibration.edges.tints import ROUGHEST_TINT_PX, tints
from calibration.fiducials.markers import gray_of
from calibration.fit.correspondence import Correspondences
from calibration.lens import Lens
from calibration.pose import guesses_from_points
from calibration.rulers.cards import find_rectangles

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# What of the picture's area a sheet's outline takes: more is the picture's own edge.
_SMALLEST_OF_PICTURE, _LARGEST_OF_PICTURE = 0.08, 0.97
# A sheet's edge is a fold or a cut, and its size is read off a ruler to half a millimetre: good to this where its sides
# are straight. How far they stray from lines, as curled paper's do, comes on top.
_CORNER_SIGMA_PX = 0.7
_SHAPE_TOLERANCE = 0.08
# Outlines of less than this are chance; and so many are looked at for one of the sheet's shape.
_LEAST_SEEN, _OUTLINES = 0.2, 6
_NAMES = ("far left", "far right", "near right", "near left")
# A sheet on planks seen from low down: a joint runs beside its far side, and of two outlines of its shape seen half as
# well as one another either may be the sheet's. One whose sides show so well is doubted only by what is seen nearly as
# well and is as a likely camera shows a sheet (of 71 pictures from 16.5 to 68 degrees 5 were wrong; `low_views`).
_RIVAL, _SURE, _RIVAL_OF_SURE = 0.5, 0.6, 0.7
# On both sides of a printed line the tint is the same, to this share of the line's own difference.
_LINE = 0.5
# Likely cameras: how far the axis may be off the middle, and the focal length, in shares of the picture's longer side.
_OFF_MIDDLE, _FOCAL = 0.1, (0.45, 1.8)
# A printed line that was taken for a side lies within it by a margin: printers leave 4 to 12 mm of 300 (sigma, share).
_USUAL_MARGIN = 0.02
_SIDES = ("far side", "right side", "near side", "left side")


@dataclass(frozen=True, eq=False)
class SheetOutline:
    """What has a sheet's shape.

    corners_px  (4, 2) from far left clockwise
    sigma_px    (4,) their standard deviation in each coordinate, if it is the sheet
    doubt_px    (4,) by which they may be off since it may be another that is seen nearly as well
    lines       (4,) bool, which sides are lines, and may be a printed frame's: far, right, near, left
    """

    corners_px: Array
    sigma_px: Array
    doubt_px: Array = field(default_factory=lambda: np.zeros(4))
    lines: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(4, bool))


def find_sheet_corners(
    image: Image, size_mm: tuple[float, float], lens: Lens, notes: list[str] | None = None
) -> Correspondences:
    """The corners of a sheet of known size, its near edge towards the camera.

    size_mm  (width, depth); the sheet's near left corner is the origin
    notes    is told where what was taken for its sides may be a printed frame
    Raises   ValueError when no such outline is seen whole
    """
    for outline in sheet_outlines(image, size_mm, lens):
        width, depth = size_mm
        table = np.array([[0, depth], [width, depth], [width, 0], [0, 0]], float)
        names = [f"sheet corner {name}" for name in _NAMES]
        sigma_px = np.hypot(outline.sigma_px, outline.doubt_px)
        if notes is not None and outline.lines.any():
            notes.append(NOTE.format(sides=_in_words(outline.lines)))
        return Correspondences.of(outline.corners_px, table, names, sigma_px)
    raise ValueError(
        f"no outline of a sheet of {size_mm[0]:g} x {size_mm[1]:g} mm is seen whole: "
        "uncover its corners, lay it on something of another colour, or click them"
    )


def sheet_outlines(image: Image, size_mm: tuple[float, float], lens: Lens) -> Iterator[SheetOutline]:
    """The outlines of the sheet's shape, the likeliest first: by sides seen in grey or in tints, or as a patch that
    stands out whole.

    Lines count in grey alone: a yellow frame on white is seen in tints, and is no side. Through an unknown lens tints
    count where they tell its bend too: else corners of bowed sides would be pixels off.
    """
    gray = gray_of(image)
    edges = long_edges(gray)
    bend = _bend_of(edges, lens)
    for outline in chain(_by_sides(edges, size_mm, lens, bend), _whole(gray, size_mm, lens, bend)):
        yield _with_margin(outline, gray, size_mm, _bending(lens, bend))
    for tint in tints(image):
        steps = [edge for edge in long_edges(tint) if not _is_line(tint, edge)]
        bend = _bend_of(steps, lens, ROUGHEST_TINT_PX)
        if lens.known or bend is not None:
            yield from _by_sides(steps, size_mm, lens, bend)


def _with_margin(
    outline: SheetOutline, gray: Image, size_mm: tuple[float, float], bending: tuple[Bending, Bending, Lens]
) -> SheetOutline:
    """The outline with the doubt of a margin beyond each side that is a line: white paper on a white table showed its
    frame alone, 5 to 10 mm inside the sheet, and a millimetre was stated."""
    straighten, bent, _ = bending
    corners_px = straighten(outline.corners_px)
    lines = are_lines(gray, corners_px, size_mm, bent)
    if not lines.any():
        return outline
    across_px = np.hypot(*(np.roll(corners_px, -1, axis=0) - corners_px).T)
    # Beyond a side lies a margin along its neighbours, of their length.
    margin_px = _USUAL_MARGIN * np.roll(across_px, 1) * lines
    doubt_px = np.hypot(outline.doubt_px, np.maximum(margin_px, np.roll(margin_px, 1)))
    return replace(outline, doubt_px=doubt_px, lines=lines)


def _in_words(lines: NDArray[np.bool_]) -> str:
    if lines.all():
        return "every side"
    return "the " + " and the ".join(side for side, is_line in zip(_SIDES, lines.tolist(), strict=True) if is_line)


def _is_line(tint: Image, edge: LongEdge) -> bool:
    """Whether an edge is a printed line's, and no surface ends there."""
    profile = profile_across(tint, edge)
    return bool(abs(profile[-1] - profile[0]) < _LINE * np.ptp(profile))


def _whole(gray: Image, size_mm: tuple[float, float], lens: Lens, bend: Bend | None) -> Iterator[SheetOutline]:
    """What is lighter or darker than all round it."""
    straighten, bent, _ = _bending(lens, bend)
    for surface in (gray, 255 - gray):
        for rectangle in find_rectangles(np.asarray(surface, np.uint8), _LARGEST_OF_PICTURE, _SMALLEST_OF_PICTURE):
            how = _level(rectangle.corners, size_mm, lens)
            if how is not None:
                corners_px = rectangle.corners - bow_px(rectangle.corners, straighten, bent)
                yield SheetOutline(np.roll(corners_px, how.first, axis=0), np.full(4, _CORNER_SIGMA_PX))


def _by_sides(
    edges: Sequence[LongEdge], size_mm: tuple[float, float], lens: Lens, bend: Bend | None
) -> Iterator[SheetOutline]:
    """What four edges make of the sheet's shape, each in doubt by those that may be it as well."""
    straighten, bent, straight = _bending(lens, bend)
    straightened = [replace(edge, points_px=straighten(edge.points_px)) for edge in edges]
    every = outlines(straightened, lens.size_px, bent)[:_OUTLINES]
    large = [outline for outline in every if outline.area >= _SMALLEST_OF_PICTURE]
    lying = [_level(outline.corners[::-1], size_mm, straight) for outline in large]
    shaped = [
        _Shaped(each.seen, how.is_likely, _of_sides(each, how.first, bent))
        for each, how in zip(large, lying, strict=True)
        if how is not None
    ]
    for one in shaped:
        if one.seen >= _LEAST_SEEN:
            rivals = [one.outline.corners_px, *(other.outline.corners_px for other in shaped if other.rivals(one))]
            apart_px = np.hypot(*np.moveaxis(np.array(rivals) - one.outline.corners_px, -1, 0))
            yield replace(one.outline, doubt_px=apart_px.max(axis=0))


@dataclass(frozen=True, eq=False)
class _Shaped:
    """An outline of the sheet's shape, how well it is `seen`, and whether a likely camera shows a sheet so."""

    seen: float
    is_likely: bool
    outline: SheetOutline

    def rivals(self, best: _Shaped) -> bool:
        """Whether it may be the sheet as well."""
        if best.seen < _SURE:
            return self.seen >= _RIVAL * best.seen
        return self.is_likely and self.seen >= _RIVAL_OF_SURE * best.seen


def _of_sides(outline: Outline, first: int, bent: Bending) -> SheetOutline:
    """The outline as the picture shows it, its corners from the far left one on, which `first` says."""
    # A side that may be another is as uncertain as the two lie apart.
    loose = np.maximum(outline.margin, np.roll(outline.margin, 1))
    stray = np.hypot(outline.stray_px, np.roll(outline.stray_px, 1)) / np.sqrt(2)
    sigma_px = np.hypot(np.hypot(_CORNER_SIGMA_PX, stray), loose)
    corners_px = bent(np.roll(outline.corners[::-1], first, axis=0))
    return SheetOutline(corners_px, np.roll(sigma_px[::-1], first))


def bending(edges: Sequence[LongEdge], lens: Lens, roughest_px: float = ROUGHEST_PX) -> tuple[Bending, Bending, Lens]:
    """How to straighten the picture and to bend it again, by the lens or by the edges, and the lens without a bend."""
    return _bending(lens, _bend_of(edges, lens, roughest_px))


def _bend_of(edges: Sequence[LongEdge], lens: Lens, roughest_px: float = ROUGHEST_PX) -> Bend | None:
    """What edges tell of the bend of a lens that nobody measured."""
    return None if lens.known else bend_of(edges, lens.size_px, roughest_px)


def _bending(lens: Lens, bend: Bend | None) -> tuple[Bending, Bending, Lens]:
    """As `bending`, by a bend that was told."""
    if lens.known:
        return lens.undistort, lens.distort, replace(lens, distortion=np.zeros_like(lens.distortion), fisheye=False)
    if bend is None:
        return np.asarray, np.asarray, lens
    return partial(bend.straightened, size_px=lens.size_px), partial(bend.bent, size_px=lens.size_px), lens


@dataclass(frozen=True)
class _Level:
    """How a quadrilateral of a sheet's shape lies before a camera held upright.

    first      how many corners to roll back for the far left one to be first, clockwise
    is_likely  whether cameras' axes and focal lengths are as this one's
    """

    first: int
    is_likely: bool


def _level(quad: Array, size_mm: tuple[float, float], lens: Lens) -> _Level | None:
    """How it lies; None if the shape is another, or it does not stand upright whichever corner is first."""
    width, depth = size_mm
    shape = np.array([[0, depth], [width, depth], [width, 0], [0, 0]])
    lying: list[tuple[float, float, _Level]] = []
    for first in range(4):
        corners = np.roll(quad, first, axis=0)
        for guess in guesses_from_points(corners, shape, lens):
            found = guess.pose.to_table(guess.lens, corners)
            sides = np.hypot(*(np.roll(found, -1, axis=0) - found).T)
            off = float(np.abs(np.nan_to_num(sides) / (width, depth, width, depth) - 1).max())
            if guess.pose.position_mm[2] > 0 and off < _SHAPE_TOLERANCE:
                lying.append((float(guess.pose.rotation[0, 0]), off, _Level(first, _is_likely(guess.lens))))
    upright, _, best = max(lying, key=lambda each: each[0], default=(0.0, 0.0, None))
    if best is None or upright <= np.cos(np.radians(60)):
        return None
    # Of the cameras that may see it, the one to which it has the sheet's own shape.
    return min((each for each in lying if each[2].first == best.first), key=lambda each: each[1])[2]


def _is_likely(lens: Lens) -> bool:
    """Whether it is as cameras' lenses are; one that was measured is."""
    longer_px = max(lens.size_px)
    off_px = np.hypot(*(lens.matrix[:2, 2] - (np.array(lens.size_px) - 1) / 2))
    is_usual = _FOCAL[0] < lens.matrix[0, 0] / longer_px < _FOCAL[1]
    return lens.known or bool(off_px < _OFF_MIDDLE * longer_px and is_usual)

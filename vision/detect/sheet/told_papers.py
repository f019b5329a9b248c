"""Papers of a colour that the set-up tells, laid on a mat for woods and lakes: even patches that end at an edge."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon, contains_xy, get_coordinates, line_interpolate_point, simplify, union_all
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from rules.scene import NONE
from vision.detect.box.cast_shadow import is_shadow
from vision.detect.hex.hex_marks import InHexes, near_sides
from vision.detect.hex.hexgrid import HexGrid
from vision.detect.sheet.bare import is_bare
from vision.detect.sheet.covered import joined
from vision.detect.sheet.paper_colour import name_paper
from vision.detect.sheet.sheet_colour import LAB_WEIGHTS
from vision.detect.solid.glance import Sight
from vision.detect.solid.parts import stands
from vision.detect.solid.terrain import turn_deg
from vision.detection import Detection
from vision.memory.hiding import hidden_by
from vision.metric.topview import TopView

Array = NDArray[np.float64]
Pixels = NDArray[np.uint8]

# Scale of the view from above in which they are looked for, and how far it is softened.
PX_PER_MM, _SOFT_MM = 1.0, 1.0
# Where a colour (Lab, weighed) changes by less than this from mm to mm it is even.
_EVEN = 4.0
# A patch that is even ends this far within its paper, for the change at the edge is as broad.
_RIM_MM = 3.0
# From a third of the smallest usual hex, 29 mm across, to a quarter of the table: what is larger is the mat.
_LEAST_MM2, _MOST = 240.0, 0.25
# A patch is a hex of the print where so much of its outline lies so near the sides of hexes (a paper torn by chance has
# a quarter of it there), and the mat is printed in fields where such patches cover so much of it.
_ON_SIDES, _NEAR_MM, _IN_FIELDS = 0.55, 2.5, 0.3
# What lies at a paper's edge hides a part of it, whose outline goes on straight; that far beside the piece it shows.
_BESIDE_MM = 4.0
# A patch of which this share lies on found pieces is no paper but one of these. A patch is only a ring, such as a
# printed frame, if neither its own colour nor a piece shows in this share of what it encloses.
_PIECE, _OPEN = 0.5, 0.5
# Lines run across a patch where, so far from its edge, there is so much of them beside what the whole mat has.
_LINED, _WITHIN_MM = 0.5, 5.0
_OUTLINE_MM, _SIGMA_MM, _CHANCE = 1.0, 2.0, 0.9


def told_papers(
    close: Sight[TopView],
    told: Mapping[str, str],
    pieces: Sequence[Detection],
    grid: HexGrid | None,
    lines_mm: Array | None = None,
) -> list[Detection]:
    """The papers that lie on a mat.

    close     the table from above, `PX_PER_MM`, without the hexes' lines
    told      the class of each colour of paper that the set-up tells: {"blue": "paper"}
    pieces    what else was found there; on what stands, and in the shadow beside it, no paper is looked for
    grid      the hexes of the mat, where they are known: their printed ground is no paper
    lines_mm  (n, 2) where those lines were, every so often: what they run across is printed as they are
    """
    bodies = [hidden_by(piece, close.plane) for piece in pieces]
    standing = [body for piece, body in zip(pieces, bodies, strict=True) if stands(piece)]
    patches = list(_patches(close, standing))
    named = [(patch, name_paper(patch.pixels_bgr)) for patch in patches]
    papers = [
        _paper(_filled(patch.outline, bodies), told[colour], colour, close.plane)
        for patch, colour in named
        if colour in told
        and not _is_piece(patch.outline, bodies)
        and not _is_ring(patch, bodies, close.view)
        and not is_shadow(patch.outline, patch.pixels_bgr, standing, close)
    ]
    on_them = (body for piece, body in zip(pieces, bodies, strict=True) if piece.kind != "terrain")
    papers = joined(papers, on_them, close, side_by_side=True)
    if papers and grid is not None and lines_mm is not None:
        usual = len(lines_mm) / _mat_mm2(grid, close.view)
        papers = [paper for paper in papers if not _is_lined(paper.footprint, bodies, lines_mm, usual)]
    if papers and grid is not None and _is_in_fields(patches, grid, close.view):
        papers = [paper for paper in papers if not _is_on_sides(paper.footprint, grid)]
    ground_lab = None if grid is None else _of_hexes(grid, close)
    return [paper for paper in papers if not is_bare(paper, pieces, close, ground_lab)]


@dataclass(frozen=True, eq=False)
class _Patch:
    """Some even ground with an edge all round.

    outline     on the table, mm
    pixels_bgr  (n, 3) what shows there
    """

    outline: Polygon
    pixels_bgr: Pixels


def _patches(close: Sight[TopView], standing: Sequence[BaseGeometry]) -> Iterator[_Patch]:
    """The even patches as large as a paper may be, but where something stands: its top and its front are none."""
    even = _even(close.seen, close.view.px_per_mm)
    for body in standing:
        cv2.fillPoly(even, [np.rint(close.view.to_px(get_coordinates(body))).astype(np.int32)], (0,))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(even, connectivity=4)
    mm2 = stats[:, cv2.CC_STAT_AREA] / close.view.px_per_mm**2
    width_mm, depth_mm = close.view.table_mm
    for label in range(1, count):
        if _LEAST_MM2 <= mm2[label] <= _MOST * width_mm * depth_mm:
            x, y, wide, high, _ = stats[label]
            window = (slice(y, y + high), slice(x, x + wide))
            inside = labels[window] == label
            outline = _outline(inside, (x, y), close.view)
            if outline is not None and outline.area <= _MOST * width_mm * depth_mm:
                yield _Patch(outline, np.asarray(close.seen[window][inside], np.uint8))


def _even(seen_bgr: Pixels, px_per_mm: float) -> Pixels:
    """(h, w) 1 where the colour hardly changes to any side, of what the picture shows."""
    soft = cv2.GaussianBlur(seen_bgr, (0, 0), _SOFT_MM * px_per_mm)
    lab = cv2.cvtColor(soft, cv2.COLOR_BGR2LAB).astype(np.float32) * LAB_WEIGHTS
    across, along = (cv2.Sobel(lab, cv2.CV_32F, dx, 1 - dx, ksize=3, scale=px_per_mm / 8) for dx in (1, 0))
    # Channels are summed by OpenCV: numpy is slow along a last axis of three.
    change = cv2.transform(np.abs(across) + np.abs(along), np.ones((1, 3), np.float32))
    return np.asarray((change < _EVEN) & seen_bgr.any(axis=2), np.uint8)


def _outline(inside: NDArray[np.bool_], first_px: tuple[int, int], view: TopView) -> Polygon | None:
    """The outline of a patch's paper, its holes filled, mm; None of a thread."""
    contours, _ = cv2.findContours(inside.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE, offset=first_px)
    longest = max(contours, key=len).reshape(-1, 2).astype(float)
    if len(longest) < 4:
        return None
    whole = simplify(Polygon(view.to_table(longest)).buffer(_RIM_MM), _OUTLINE_MM)
    return whole if isinstance(whole, Polygon) and not whole.is_empty else None


def _is_piece(outline: Polygon, bodies: Sequence[BaseGeometry]) -> bool:
    """Whether a patch is what one of some pieces shows."""
    return bool(outline.intersection(union_all(bodies)).area > _PIECE * outline.area)


def _is_ring(patch: _Patch, bodies: Sequence[BaseGeometry], view: TopView) -> bool:
    """Whether a patch runs round what is neither its own nor a piece."""
    inner = patch.outline.buffer(-_RIM_MM)
    hidden = inner.intersection(union_all([body.buffer(_BESIDE_MM) for body in bodies]))
    shown_mm2 = len(patch.pixels_bgr) / view.px_per_mm**2
    return bool(inner.area - shown_mm2 - hidden.area > _OPEN * inner.area)


def _is_lined(outline: Polygon, bodies: Sequence[BaseGeometry], lines_mm: Array, usual: float) -> bool:
    """Whether the hexes' lines run across a patch as across the mat, where so many are `usual` to a mm²."""
    within = outline.buffer(-_WITHIN_MM).difference(union_all([body.buffer(_BESIDE_MM) for body in bodies]))
    return bool(contains_xy(within, *lines_mm.T).sum() > _LINED * usual * within.area)


def _of_hexes(grid: HexGrid, close: Sight[TopView]) -> Array:
    """(n, 3) the colours (Lab) in the middles of the mat's hexes that show."""
    farthest = math.ceil(2 * max(close.view.table_mm) / grid.pitch_mm)
    every = grid.cells or tuple((q, r) for q in range(-farthest, farthest) for r in range(-farthest, farthest))
    px = np.rint(close.view.to_px(np.array([grid.centre_mm(cell) for cell in every]))).astype(int)
    shown = px[((px >= 0) & (px < close.view.size_px)).all(axis=1)]
    return np.asarray(cv2.cvtColor(close.seen[shown[:, 1], shown[:, 0]][None], cv2.COLOR_BGR2LAB)[0], float)


def _is_in_fields(patches: Sequence[_Patch], grid: HexGrid, view: TopView) -> bool:
    """Whether hexes of the mat are printed in tints of their own."""
    fields_mm2 = sum(patch.outline.area for patch in patches if _is_on_sides(patch.outline, grid))
    return fields_mm2 > _IN_FIELDS * _mat_mm2(grid, view)


def _mat_mm2(grid: HexGrid, view: TopView) -> float:
    """How large the mat is."""
    width_mm, depth_mm = view.table_mm
    return width_mm * depth_mm if grid.cells is None else len(grid.cells) * math.sqrt(0.75) * grid.pitch_mm**2


def _is_on_sides(outline: Polygon, grid: HexGrid) -> bool:
    """Whether an outline runs along the sides of hexes."""
    ring = outline.exterior
    steps = np.linspace(0.0, 1.0, max(int(ring.length / _NEAR_MM), 12), endpoint=False)
    at_mm = get_coordinates(line_interpolate_point(ring, steps, normalized=True))
    away_mm = near_sides(InHexes.of(grid, at_mm), grid.pitch_mm).away_mm
    return bool((away_mm < _NEAR_MM).mean() > _ON_SIDES)


def _filled(outline: Polygon, bodies: Sequence[BaseGeometry]) -> Polygon:
    """The paper with what pieces at its edge hide of it: as much as lies between the ends of what shows beside them."""
    bays = [outline.intersection(body.buffer(_BESIDE_MM)).convex_hull.intersection(body) for body in bodies]
    whole = union_all([outline, *bays])
    return Polygon(whole.exterior) if isinstance(whole, Polygon) else outline


def _paper(outline: Polygon, cls: str, colour: str, plane: TablePlane) -> Detection:
    at = (outline.centroid.x, outline.centroid.y)
    px = plane.to_image([at])
    return Detection(
        "terrain",
        cls,
        at,
        outline,
        float(np.hypot(plane.sigma_mm(px)[0], _SIGMA_MM)),
        _CHANCE,
        (float(px[0, 0]), float(px[0, 1])),
        owner=NONE,
        height_mm=0.0,
        rotation_deg=turn_deg(outline),
        colour=colour,
    )

"""Whether a printed map's roads show where a plane has them, and where they show if not: moved, turned or mirrored.

A drawing of the roads, as the plane would show it, is known again in the picture as a table is in a later picture of
it (`calibration.kick.elsewhere`): both are looked at by colour alone, since lettering, coins and grain are in no
drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.kick.drift import Anchor, Drift, Kind, apart_px
from calibration.kick.elsewhere import seen_elsewhere
from calibration.maps.printed_roads import PrintedRoads
from calibration.maps.road_likeness import REACH_MM, known_again
from calibration.plane import TablePlane

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
RoadsMm = Mapping[str, Sequence[Array]]

# A place is known again that is so much like others of its class (correlation). Where the map lies three of four on
# coloured roads are, dimmed, blurred and noisy pictures included (13 pictures), of mirrored, turned and moved maps and
# of tables without a map 27 % at most (21). White roads lie so near together that half as many are known by chance.
_ALIKE, _SHOWN = 0.6, 0.45
_FEWEST = 150
# How roads are drawn: breadth in mm, and colour (BGR) on pale ground, as maps print them. White ones have no colour.
_BREADTH_MM = 1.6
_COLOURS: Mapping[str, tuple[int, int, int]] = {
    "motorway": (212, 140, 54),
    "primary": (88, 170, 70),
    "a": (96, 96, 226),
    "b": (110, 200, 250),
}
_GROUND = (225, 240, 235)
# Chords of a road so long show straight through any lens.
_CHORD_MM = 5.0
# What differs in colour from all round it, so many mm across; the clearest of it counts as so much, faint noise less.
_AROUND_MM, _CLEAREST, _FAINT = 6.0, 0.98, 6.0
_TURNED_DEG = 20.0


@dataclass(frozen=True, eq=False)
class RoadsElsewhere:
    """Where a map's roads show.

    plane   good to some mm; of the mirrored picture, if the picture is
    drift   how the picture of the table moved: kick, turned or mirrored
    off_mm  how far from its true place the plane asked about has what shows of the table (median)
    """

    plane: TablePlane
    drift: Drift
    off_mm: float


def roads_show(image: Image, roads_mm: RoadsMm, plane: TablePlane, size_mm: tuple[float, float]) -> bool | None:
    """Whether the roads that have a colour show where the plane has them, to 2 mm; None where the picture shows too few
    of those places.

    image     (h, w, 3) uint8
    roads_mm  lines (n, 2) by class, table mm
    Cost      0.1 s of one core
    """
    coloured = {cls: lines for cls, lines in roads_mm.items() if cls in _COLOURS}
    roads = PrintedRoads.seen(image, coloured, plane, size_mm, REACH_MM) if coloured else None
    if roads is None or len(roads) < _FEWEST:
        return None
    aside_px, alike = known_again(roads, np.zeros(len(roads)))
    return bool(((alike > _ALIKE) & np.isfinite(aside_px)).mean() >= _SHOWN)


def roads_elsewhere(
    image: Image, roads_mm: RoadsMm, plane: TablePlane, size_mm: tuple[float, float]
) -> RoadsElsewhere | None:
    """Where they show, if they are known again anywhere in the picture, or in its mirror image.

    Cost  1 s of one core at 1080p
    """
    around_px = _AROUND_MM * float(plane.px_per_mm([(size_mm[0] / 2, size_mm[1] / 2)])[0])
    drawing = Anchor.of(_coloured_lines(_drawn(roads_mm, plane), around_px), plane, size_mm)
    for is_mirrored in (False, True):
        seen = np.ascontiguousarray(image[:, ::-1]) if is_mirrored else image
        glimpse = seen_elsewhere(drawing, _coloured_lines(seen, around_px))
        if glimpse is not None and roads_show(seen, roads_mm, glimpse.plane, size_mm):
            now_px = glimpse.plane.to_image(_places_mm(size_mm))
            if is_mirrored:
                now_px = np.array([image.shape[1] - 1, 0]) + now_px * [-1, 1]
            off_mm = np.hypot(*(plane.to_table(now_px) - _places_mm(size_mm)).T)
            return RoadsElsewhere(
                glimpse.plane, _drift(drawing, glimpse.plane, is_mirrored), float(np.nanmedian(off_mm))
            )
    return None


def _drift(drawing: Anchor, plane: TablePlane, is_mirrored: bool) -> Drift:
    if is_mirrored:
        return Drift(float("nan"), "mirrored", 1.0)
    places_mm = _places_mm(drawing.table_size_mm)
    fit, _ = cv2.estimateAffinePartial2D(drawing.plane.to_image(places_mm), plane.to_image(places_mm))
    turned_deg = float(np.degrees(np.arctan2(fit[1, 0], fit[0, 0])))
    kind: Kind = "turned" if abs(turned_deg) > _TURNED_DEG else "kick"
    return Drift(apart_px(drawing, plane, drawing.plane), kind, 1.0, turned_deg=turned_deg)


def _places_mm(size_mm: tuple[float, float]) -> Array:
    """(n, 2) all over the table."""
    x, y = np.meshgrid(np.linspace(0, size_mm[0], 6), np.linspace(0, size_mm[1], 5))
    return np.column_stack([x.ravel(), y.ravel()])


def _drawn(roads_mm: RoadsMm, plane: TablePlane) -> Image:
    """(h, w, 3) the roads that have a colour, as the plane would show them."""
    width, height = plane.lens.size_px
    drawing = np.full((height, width, 3), _GROUND, np.uint8)
    for cls, colour in _COLOURS.items():
        lines = roads_mm.get(cls, ())
        # All of a class at once: of hundreds of roads one by one the calls alone took ten times as long.
        shown_px, scales = _each(plane.to_image, list(map(_in_chords, lines))), _each(plane.px_per_mm, lines)
        for px, scale in zip(shown_px, scales, strict=True):
            if np.isfinite(px).all():
                breadth_px = max(1, round(_BREADTH_MM * float(np.median(scale))))
                eighths = np.round(px * 8).clip(-(2**20), 2**20).astype(np.int32)
                cv2.polylines(drawing, [eighths], False, colour, breadth_px, cv2.LINE_AA, 3)
    return drawing


def _each(of_places: Callable[[Array], Array], lines: Sequence[Array]) -> list[Array]:
    """Line by line what is told of its places, asked for all of them together."""
    if not lines:
        return []
    return np.split(of_places(np.concatenate(lines)), np.cumsum([len(line) for line in lines])[:-1])


def _in_chords(line: Array) -> Array:
    """The same line (n, 2) with no piece longer than a chord."""
    lengths = np.hypot(*np.diff(line, axis=0).T)
    along = np.r_[0.0, np.cumsum(lengths)]
    at = np.union1d(along, np.linspace(0, along[-1], int(along[-1] / _CHORD_MM) + 2))
    return np.stack([np.interp(at, along, axis) for axis in line.T], axis=1)


def _coloured_lines(image: Image, around_px: float) -> Image:
    """(h, w) how much each pixel differs in hue and saturation from what lies round it."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    off = np.zeros(image.shape[:2], np.float32)
    for channel in (1, 2):
        colour = np.ascontiguousarray(lab[..., channel])
        off += np.square(colour.astype(np.float32) - cv2.medianBlur(colour, 2 * round(around_px / 2) + 1))
    off = np.sqrt(off)
    return np.asarray(np.clip(off / max(float(np.quantile(off, _CLEAREST)), _FAINT) * 200, 0, 255), np.uint8)

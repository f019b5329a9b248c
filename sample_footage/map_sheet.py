"""The map drawn like a printed road atlas: relief, woods, water, casings, road numbers, names, grid, corner markers.

`sheet_bgr` draws any `sandtable/map/1` collection in table millimetres; row 0 is the far edge of the sheet.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon
from shapely.geometry import shape

from sample_footage.bands import bands
from sample_footage.kingsmere import MAP_FILE
from sample_footage.lettering import text_mask, text_origin, write
from sample_footage.lie_of_the_land import MARKER_CENTRES_MM, SHEET_MM
from sample_footage.noise import fractal

if TYPE_CHECKING:
    from shapely import Geometry

Bgr = tuple[float, float, float]
GRID_MM = 40.0  # ten kilometres at 1:250 000
MARKER_MM = 40.0
MARGIN_MM = 10.0

SEA: Bgr = (240, 222, 190)
SHORE: Bgr = (150, 118, 40)
WOOD: Bgr = (170, 214, 180)
TOWN: Bgr = (168, 196, 218)
TOWN_EDGE: Bgr = (110, 130, 150)
GRID: Bgr = (205, 176, 120)
INK: Bgr = (38, 34, 32)
# From low to high.
HEIGHT_TINTS = np.array(
    [(214, 240, 226), (206, 240, 240), (186, 228, 242), (166, 212, 236), (150, 196, 226)], np.float32
)


@dataclass(frozen=True)
class RoadStyle:
    """Widths in mm; colours as printed."""

    width_mm: float
    casing_mm: float
    fill: Bgr
    casing: Bgr


ROAD_STYLES = {
    "minor": RoadStyle(0.55, 0.95, (250, 252, 252), (120, 120, 120)),
    "b": RoadStyle(0.85, 1.25, (110, 200, 250), (50, 90, 130)),
    "a": RoadStyle(1.05, 1.5, (96, 96, 226), (40, 40, 120)),
    "primary": RoadStyle(1.25, 1.75, (88, 170, 70), (36, 80, 24)),
    "motorway": RoadStyle(1.7, 2.2, (212, 140, 54), (120, 60, 20)),
}
PLACE_TEXT_MM = {"city": 5.2, "town": 3.5, "village": 2.15, "major-suburb": 2.2, "minor-suburb": 1.9}


class Sheet:
    """A sheet being drawn: the picture and how millimetres fall on it."""

    def __init__(self, size_mm: tuple[float, float], px_per_mm: float) -> None:
        self.size_mm, self.scale = size_mm, px_per_mm
        self.picture: NDArray[np.uint8] = np.full(
            (round(size_mm[1] * px_per_mm), round(size_mm[0] * px_per_mm), 3), 255, np.uint8
        )

    def px(self, xy_mm: Any) -> NDArray[np.float64]:
        """Millimetres to pixels, the centre of the first pixel at 0."""
        xy = np.asarray(xy_mm, float)
        return np.column_stack([xy[..., 0].ravel(), self.size_mm[1] - xy[..., 1].ravel()]) * self.scale - 0.5

    def fill(self, area: Geometry, colour: Bgr, edge: Bgr | None = None, edge_mm: float = 0.2) -> None:
        """A polygon or several, holes left open."""
        for part in _polygons(area):
            rings = [self._fixed(ring.coords) for ring in (part.exterior, *part.interiors)]
            cv2.fillPoly(self.picture, rings, colour, cv2.LINE_AA, 4)
            if edge is not None:
                cv2.polylines(self.picture, rings, True, edge, max(1, round(edge_mm * self.scale)), cv2.LINE_AA, 4)

    def line(self, xy_mm: Any, colour: Bgr, width_mm: float) -> None:
        """A polyline with round joints."""
        cv2.polylines(
            self.picture, [self._fixed(xy_mm)], False, colour, max(1, round(width_mm * self.scale)), cv2.LINE_AA, 4
        )

    def dot(self, at_mm: tuple[float, float], radius_mm: float, fill: Bgr, edge: Bgr) -> None:
        """A ring with a filled middle."""
        (centre,) = self._fixed([at_mm])
        cv2.circle(self.picture, centre, round(radius_mm * self.scale * 16), edge, -1, cv2.LINE_AA, 4)
        cv2.circle(self.picture, centre, round(0.62 * radius_mm * self.scale * 16), fill, -1, cv2.LINE_AA, 4)

    def _fixed(self, xy_mm: Any) -> NDArray[np.int32]:
        return np.rint(self.px(xy_mm) * 16).astype(np.int32)


def sheet_bgr(collection: dict[str, Any], px_per_mm: float) -> NDArray[np.uint8]:
    """The whole sheet with its corner markers, (rows, columns, 3), row 0 at the far edge."""
    by_kind = _by_kind(collection)
    sheet = Sheet(SHEET_MM, px_per_mm)
    _relief(sheet)
    _waters(sheet, by_kind)
    _grid(sheet)
    _built_up(sheet, by_kind["settlement"])
    _roads(sheet, by_kind["road"])
    taken = _place_marks(sheet, by_kind["settlement"])
    _road_numbers(sheet, by_kind["road"], taken)
    _place_names(sheet, by_kind["settlement"], taken)
    _title(sheet)
    _corner_markers(sheet)
    return sheet.picture


@lru_cache(maxsize=2)
def kingsmere_sheet_bgr(px_per_mm: float = 6.0) -> NDArray[np.uint8]:
    """The packaged map as it is printed: the sheet and a white margin of `MARGIN_MM`, which the markers need."""
    sheet = sheet_bgr(json.loads(MAP_FILE.read_text(encoding="utf-8")), px_per_mm)
    margin = round(MARGIN_MM * px_per_mm)
    return np.pad(sheet, ((margin, margin), (margin, margin), (0, 0)), constant_values=255)


Feature = tuple[Any, dict[str, Any]]
Layer = NDArray[np.float64]
Box = tuple[int, int, int, int]
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1), (0.8, 0.8), (0.8, -0.8), (-0.8, 0.8), (-0.8, -0.8))  # where names may stand


def _polygons(area: Geometry) -> tuple[Polygon, ...]:
    return tuple(part for part in getattr(area, "geoms", (area,)) if isinstance(part, Polygon))


def _by_kind(collection: dict[str, Any]) -> dict[str, list[Feature]]:
    found: dict[str, list[Feature]] = {kind: [] for kind in ("land", "water", "river", "road", "settlement")}
    for feature in collection["features"]:
        found[feature["properties"]["kind"]].append((shape(feature["geometry"]), feature["properties"]))
    return found


def _relief(sheet: Sheet) -> None:
    """Hills in layers of tint with a light from the north-west, and woods."""
    rng = np.random.default_rng(7)
    rows, columns = round(sheet.size_mm[1]), round(sheet.size_mm[0])
    height = fractal((rows, columns), 190.0, 6, rng) + 0.5 * np.linspace(0.9, -0.9, columns)
    slope = cv2.GaussianBlur(
        np.diff(height, axis=1, append=height[:, -1:]) + np.diff(height, axis=0, append=height[-1:]), (0, 0), 1.2
    )
    woods = fractal((rows * 2, columns * 2), 38.0, 4, rng)
    big = (sheet.picture.shape[1], sheet.picture.shape[0])
    layers = [cv2.resize(layer, big, interpolation=cv2.INTER_CUBIC) for layer in (height, slope, woods)]
    for band in bands(big[1]):
        sheet.picture[band] = _tinted(*(layer[band] for layer in layers))


def _tinted(height: Layer, slope: Layer, woods: Layer) -> NDArray[np.uint8]:
    """Paper (rows, columns, 3) in the tints of its heights, lit by its slope, with its woods."""
    steps = np.clip((height + 0.9) / 0.62, 0, 3.999)
    layered = np.floor(steps) + np.clip((steps % 1.0) * 6 - 2.5, 0, 1)
    lower = np.floor(layered).astype(int)
    part, higher = layered - lower, np.minimum(lower + 1, 4)
    lit, forest = 1 + np.clip(2.2 * slope, -0.13, 0.07), np.clip((woods - 1.15) * 14, 0, 1)
    channels = []
    # Channel by channel: numpy is slow along a last axis of three.
    for tints, wood in zip(HEIGHT_TINTS.T, WOOD, strict=True):
        level = (tints[lower] * (1 - part) + tints[higher] * part) * lit
        channels.append(np.clip(level + forest * (wood - level), 0, 255).astype(np.uint8))
    return np.asarray(cv2.merge(channels), np.uint8)


def _waters(sheet: Sheet, by_kind: dict[str, list[Feature]]) -> None:
    for line, _ in by_kind["river"]:
        sheet.line(line.coords, SHORE, 0.75)
        sheet.line(line.coords, (226, 196, 140), 0.45)
    for area, _ in by_kind["water"]:
        sheet.fill(area, SEA, SHORE, 0.3)
        for depth_mm, shade in ((3.0, 0.975), (7.0, 0.95)):
            deeper = area.buffer(-depth_mm).simplify(0.5)
            if not deeper.is_empty:
                sheet.fill(deeper, (SEA[0] * shade, SEA[1] * shade, SEA[2] * shade**2))


def _grid(sheet: Sheet) -> None:
    width, height = sheet.size_mm
    for x in np.arange(GRID_MM, width, GRID_MM):
        sheet.line([(x, 0), (x, height)], GRID, 0.18)
    for y in np.arange(GRID_MM, height, GRID_MM):
        sheet.line([(0, y), (width, y)], GRID, 0.18)


def _built_up(sheet: Sheet, settlements: list[Feature]) -> None:
    for area, properties in settlements:
        if area.geom_type != "Point":
            sheet.fill(area, TOWN, TOWN_EDGE, 0.2)
        elif "suburb" in properties["class"]:
            sheet.fill(area.buffer(2.6), TOWN)


def _roads(sheet: Sheet, roads: list[Feature]) -> None:
    """Class by class, casing below fill, so that junctions are open and a motorway bridges what it does not join."""
    for cls, style in ROAD_STYLES.items():
        lines = [line for line, properties in roads if properties["class"] == cls]
        for line in lines:
            sheet.line(line.coords, style.casing, style.casing_mm)
        for line in lines:
            sheet.line(line.coords, style.fill, style.width_mm)
            if cls == "motorway":
                sheet.line(line.coords, (250, 250, 250), 0.3)
    _motorway_junctions(sheet, roads)


def _motorway_junctions(sheet: Sheet, roads: list[Feature]) -> None:
    for line, properties in roads:
        if properties["class"] == "motorway":
            others = {point for other, _ in roads if other is not line for point in other.coords}
            joints = [point for point in line.coords if point in others]
            for number, at in enumerate(joints, 1):
                sheet.dot(at, 1.5, (255, 255, 255), ROAD_STYLES["motorway"].casing)
                _boxed(
                    sheet, str(number), (at[0] + 3.0, at[1] + 2.2), 1.7, (250, 250, 250), ROAD_STYLES["motorway"].casing
                )


def _place_marks(sheet: Sheet, settlements: list[Feature]) -> list[Box]:
    """Dots of villages; returns the boxes that text must keep clear of."""
    taken = [_box_px(sheet, centre, MARKER_MM / 2 + 6) for centre in MARKER_CENTRES_MM]
    for area, properties in settlements:
        at = (area.centroid.x, area.centroid.y)
        if properties["class"] == "village":
            sheet.dot(at, 0.8, (255, 255, 255), INK)
            taken.append(_box_px(sheet, at, 0.9))
    return taken


def _box_px(sheet: Sheet, at_mm: tuple[float, float], half_mm: float) -> Box:
    (u, v), half = sheet.px([at_mm])[0], half_mm * sheet.scale
    return round(u - half), round(v - half), round(u + half), round(v + half)


def _road_numbers(sheet: Sheet, roads: list[Feature], taken: list[Box]) -> None:
    """One number on the longest piece of each road, more on motorways."""
    longest: dict[str, Feature] = {}
    for line, properties in roads:
        if properties["ref"] and line.length > longest.get(properties["ref"], (None, {"length": 0.0}))[1]["length"]:
            longest[properties["ref"]] = (line, {**properties, "length": line.length})
    for ref, (line, properties) in longest.items():
        style = ROAD_STYLES[properties["class"]]
        shares = np.arange(0.1, 1, 0.16) if properties["class"] == "motorway" else (0.5,)
        for share in shares if line.length > 11 else ():
            at = line.interpolate(share, normalized=True)
            ink = (255, 255, 255) if properties["class"] != "b" else INK
            taken.append(
                _boxed(sheet, ref, (at.x, at.y), 2.7 if len(shares) > 1 else 1.9, ink, style.fill, style.casing)
            )


def _boxed(
    sheet: Sheet, text: str, at_mm: tuple[float, float], size_mm: float, ink: Bgr, fill: Bgr, edge: Bgr | None = None
) -> Box:
    size, at = round(size_mm * sheet.scale), tuple(sheet.px([at_mm])[0])
    mask = text_mask(text, size, 600)
    x, y = text_origin(mask, at, size, (0.5, 0.5))
    border, pad = size // 2 + 1, max(1, size // 5)
    corner = (x + border - pad, y + border - pad)
    far = (x + mask.shape[1] - border + pad, y + mask.shape[0] - border + pad)
    cv2.rectangle(sheet.picture, corner, far, fill, -1)
    cv2.rectangle(sheet.picture, corner, far, edge or fill, max(1, size // 10), cv2.LINE_AA)
    write(sheet.picture, text, at, size, ink, 600)
    return (*corner, *far)


def _place_names(sheet: Sheet, settlements: list[Feature], taken: list[Box]) -> None:
    """Names beside their places, big ones first, where they cover no other text if there is such a side."""
    order = sorted(settlements, key=lambda feature: -PLACE_TEXT_MM[feature[1]["class"]])
    for area, properties in order:
        size_mm = PLACE_TEXT_MM[properties["class"]]
        size, weight = round(size_mm * sheet.scale), {"city": 700, "town": 600}.get(properties["class"], 420)
        gap_mm = 1.3 if properties["class"] == "village" else 0.25 * size_mm
        box, at, anchor = _best_side(sheet, area, properties["name"], size, weight, gap_mm, taken)
        slanted = "suburb" in properties["class"]
        write(sheet.picture, properties["name"], at, size, INK, weight, slanted, (244, 250, 250), anchor)
        taken.append(box)


def _best_side(
    sheet: Sheet, area: Any, name: str, size: int, weight: int, gap_mm: float, taken: list[Box]
) -> tuple[Box, tuple[float, float], tuple[float, float]]:
    """The box, its point and which point of the box that is, on the side where the name covers least."""
    mask = text_mask(name, size, weight)
    border = size // 2 + 1
    centre, others = area.centroid, np.array(taken)
    choices: list[tuple[int, int, Box, tuple[float, float], tuple[float, float]]] = []
    for dx, dy in SIDES:
        anchor = (0.5 - 0.5 * np.sign(dx), 0.5 + 0.5 * np.sign(dy))
        u, v = sheet.px([(centre.x + dx * gap_mm, centre.y + dy * gap_mm)])[0]
        at = (float(u), float(v))
        x, y = text_origin(mask, at, size, anchor)
        box = (x + border, y + border, x + mask.shape[1] - border, y + mask.shape[0] - border)
        covered = _overlap(box, others) + _outside(sheet, box)
        choices.append((covered, len(choices), box, at, anchor))
    return min(choices)[2:]


def _overlap(box: Box, others: NDArray[np.int64]) -> int:
    """How many px of the box others (n, 4) cover, those that several cover as often."""
    low, high = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:])
    return int(np.maximum(high - low, 0).prod(axis=1).sum())


def _outside(sheet: Sheet, box: Box) -> int:
    height, width = sheet.picture.shape[:2]
    return 10**6 * (box[0] < 4 or box[1] < 4 or box[2] > width - 4 or box[3] > height - 4)


def _title(sheet: Sheet) -> None:
    size = round(7.0 * sheet.scale)
    at = tuple(sheet.px([(664, 146)])[0])
    write(sheet.picture, "KINGSMERE", at, size, (110, 60, 20), 700, anchor=(1, 1))
    write(
        sheet.picture,
        "Road map 1 : 250 000",
        tuple(sheet.px([(664, 141)])[0]),
        round(2.6 * sheet.scale),
        INK,
        500,
        anchor=(1, 0),
    )
    for k in range(4):
        x = 624 + 10 * k
        sheet.line([(x, 133), (x + 10, 133)], INK if k % 2 == 0 else (250, 250, 250), 1.0)
    write(sheet.picture, "10 km", tuple(sheet.px([(664, 130)])[0]), round(2.0 * sheet.scale), INK, 500, anchor=(1, 0))
    height, width = sheet.picture.shape[:2]
    cv2.rectangle(sheet.picture, (0, 0), (width - 1, height - 1), INK, max(1, round(0.5 * sheet.scale)))


def _corner_markers(sheet: Sheet) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    side = round(MARKER_MM * sheet.scale)
    for number, centre in enumerate(MARKER_CENTRES_MM):
        x0, y0, x1, y1 = _box_px(sheet, centre, MARKER_MM / 2 + 5)
        cv2.rectangle(sheet.picture, (max(0, x0), max(0, y0)), (x1, y1), (255, 255, 255), -1)
        u, v = sheet.px([(centre[0] - MARKER_MM / 2, centre[1] + MARKER_MM / 2)])[0] + 0.5
        marker = cv2.aruco.generateImageMarker(dictionary, number, side)
        sheet.picture[round(v) : round(v) + side, round(u) : round(u) + side] = marker[..., None]

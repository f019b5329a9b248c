"""Soldiers, bases and household terrain: proposed by the solids net where they touch the table."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Point, Polygon, simplify

from calibration.plane import TablePlane
from models import solids
from models.loading import load_model
from rules.scene import NONE, Kind
from vision.colour import PAINT_BGR, name_colour
from vision.detect.peaks import logistic, peaks
from vision.detection import Detection
from vision.frame import ImageBgr
from vision.topview import TopView

Array = NDArray[np.float64]

_HEAT = 0.35
_ALONE_CELLS = 2
# The net points at a foot to within about a third of a cell.
_FOOT_SIGMA_MM = 1.5
# Terrain smaller than this is a scrap of the net's doubt; a pencil covers about 1000 mm2.
_LEAST_MM2 = 700.0
# Outlines are drawn from soft borders; their corners are kept to this many mm.
_OUTLINE_MM = 1.5
_TERRAIN_SIGMA_MM = 3.0
# Pixels of paint are looked for this far around a figure, mm, in the top view.
_PAINT_REACH_MM = 45


def look_for_solids(
    image_bgr: ImageBgr, plane: TablePlane, view: TopView, colours: tuple[str, ...] = tuple(PAINT_BGR)
) -> list[Detection]:
    """Everything that stands on the table. `colours` are those that an army may have."""
    top = view.resample(image_bgr)
    (output,) = load_model("solids").run(
        None, {"picture": np.ascontiguousarray(top.transpose(2, 0, 1)[None], np.float32)}
    )
    maps = np.asarray(output[0])
    return [*_figures(maps, top, plane, view, colours), *_terrain(maps, plane, view)]


def hand_mask(maps: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Cells of the top view that a hand or sleeve hides."""
    return np.asarray(maps[solids.HAND] > 0)


def _figures(
    maps: NDArray[np.float32], top: ImageBgr, plane: TablePlane, view: TopView, colours: tuple[str, ...]
) -> list[Detection]:
    strongest = maps[solids.HEAT].max(axis=0)
    rows, columns = peaks(strongest, _HEAT, _ALONE_CELLS)
    cells = np.stack([columns, rows], axis=1) + np.clip(maps[solids.OFFSET, rows, columns].T, -1.5, 1.5).astype(float)
    at_px = cells * solids.CELL_PX + (solids.CELL_PX - 1) / 2
    at_mm = view.to_table(at_px)
    kinds = maps[solids.HEAT][:, rows, columns].argmax(axis=0)
    radius_mm = solids.REFERENCE_RADIUS_MM * np.exp(np.clip(maps[solids.RADIUS, rows, columns].astype(float), -1, 1))
    facing = np.degrees(np.arctan2(-maps[solids.FACING][1, rows, columns], maps[solids.FACING][0, rows, columns])) % 360
    heat = logistic(strongest[rows, columns])
    paint = cv2.resize(maps[solids.FIGURE], (top.shape[1], top.shape[0]), interpolation=cv2.INTER_LINEAR) > 0
    nearest = _nearest_foot(at_px, top.shape)
    found = []
    for n in range(len(rows)):
        name = solids.FIGURES[kinds[n]]
        kind: Kind = "base" if name == "base" else "soldier"
        owner = name_colour(top[paint & (nearest == n)], colours) if kind == "soldier" else NONE
        found.append(_figure(kind, name, owner, plane, at_mm[n], float(radius_mm[n]), float(facing[n]), float(heat[n])))
    return found


def _nearest_foot(at_px: Array, shape: tuple[int, ...]) -> NDArray[np.int32]:
    """(h, w) index of the foot that each pixel is nearest to within reach, else -1."""
    label = np.full(shape[:2], -1, np.int32)
    best = np.full(shape[:2], float(_PAINT_REACH_MM * solids.TOPVIEW_PX_PER_MM) ** 2)
    reach = int(_PAINT_REACH_MM * solids.TOPVIEW_PX_PER_MM)
    for n, (u, v) in enumerate(at_px):
        low_u, low_v = max(0, int(u) - reach), max(0, int(v) - reach)
        window = np.s_[low_v : int(v) + reach, low_u : int(u) + reach]
        rows, columns = np.mgrid[low_v : low_v + best[window].shape[0], low_u : low_u + best[window].shape[1]]
        squared = np.square(rows - v) + np.square(columns - u)
        nearer = squared < best[window]
        best[window][nearer], label[window][nearer] = squared[nearer], n
    return label


def _figure(
    kind: Kind, name: str, owner: str, plane: TablePlane, at_mm: Array, radius_mm: float, facing: float, heat: float
) -> Detection:
    px = plane.to_image([at_mm])
    sigma_mm = float(np.hypot(plane.sigma_mm(px)[0], _FOOT_SIGMA_MM))
    place, seen = (float(at_mm[0]), float(at_mm[1])), (float(px[0, 0]), float(px[0, 1]))
    disc = Point(place).buffer(radius_mm)
    return Detection(kind, name, place, disc, sigma_mm, heat, seen, owner=owner, facing_deg=facing, rotation_deg=facing)


def _terrain(maps: NDArray[np.float32], plane: TablePlane, view: TopView) -> list[Detection]:
    """One piece of terrain for each patch of one class, outlined at the net's even chance."""
    size = (maps.shape[2] * solids.CELL_PX, maps.shape[1] * solids.CELL_PX)
    logits = np.stack([cv2.resize(layer, size, interpolation=cv2.INTER_LINEAR) for layer in maps[solids.GROUND]])
    best = logits.argmax(axis=0).astype(np.uint8)
    height = cv2.resize(maps[solids.HEIGHT], size, interpolation=cv2.INTER_LINEAR) * solids.HEIGHT_UNIT_MM
    found = []
    count, patches = cv2.connectedComponents((best > 0).astype(np.uint8), connectivity=4)
    for index in range(1, count):
        patch = patches == index
        cls = solids.TERRAIN[int(np.bincount(best[patch], minlength=len(solids.TERRAIN))[1:].argmax()) + 1]
        outline = _outline(patch, view)
        if outline is not None and outline.area >= _LEAST_MM2:
            found.append(
                _piece_of_terrain(cls, outline, float(np.median(height[patch])), _margin(logits[:, patch]), plane)
            )
    return found


def _outline(patch: NDArray[np.bool_], view: TopView) -> Polygon | None:
    contours, _ = cv2.findContours(patch.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    longest = max(contours, key=len)
    if len(longest) < 8:
        return None
    smooth = simplify(Polygon(view.to_table(longest.reshape(-1, 2).astype(float))).buffer(0), _OUTLINE_MM)
    return smooth if isinstance(smooth, Polygon) and not smooth.is_empty else None


def _margin(logits: Array) -> float:
    """The mean chance of terrain over a patch."""
    shifted = np.exp(logits - logits.max(axis=0))
    return float(1 - (shifted[0] / shifted.sum(axis=0)).mean())


def _piece_of_terrain(cls: str, outline: Polygon, height_mm: float, chance: float, plane: TablePlane) -> Detection:
    at = (outline.centroid.x, outline.centroid.y)
    px = plane.to_image([at])
    sigma_mm = float(np.hypot(plane.sigma_mm(px)[0], _TERRAIN_SIGMA_MM))
    tall = max(0.0, round(height_mm, 1))
    return Detection(
        "terrain", cls, at, outline, sigma_mm, chance, (float(px[0, 0]), float(px[0, 1])), owner=NONE, height_mm=tall
    )

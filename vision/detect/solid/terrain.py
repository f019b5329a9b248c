"""Household terrain, from the surfaces of the solids net: mugs and plates round, books, boxes and napkins square."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon, simplify

from calibration.plane import TablePlane
from models import solids
from rules.scene import NONE
from vision.detect.sheet.patchwork import of_one_colour
from vision.detect.solid.glance import Glance
from vision.detection import Detection
from vision.frame import ImageBgr
from vision.metric.topview import TopView
from vision.naming.colour import TERRAIN_BGR, name_colour

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

# Terrain smaller than this is a scrap of the net's doubt; a pencil covers about 1000 mm2.
_LEAST_MM2 = 700.0
# A class that has less than this share of a patch is doubt about the patch, not a thing on or beside another.
_LEAST_SHARE = 0.15
# A whole sheet beside others has so much, and so much of what is as likely is a thing beside another; sheets that touch
# by no more than a neck are several.
_SHEET_MM2, _LIKELY, _NECK_MM = 2500.0, 0.7, 14.0
# From these chances on, on average over its pixels, a patch is there at all, and has the name of its class; between
# them something stands there that a person must name. Chosen on photographs of mugs and rendered pictures (seed 5): a
# wrong name is worse than none.
_THERE, NAMED = 0.72, 0.75
# Outlines are drawn from soft borders; their corners are kept to this many mm.
_OUTLINE_MM = 1.5
# Footprints are inferred below what hides them: on rendered pictures (seed 5) 95 % of the middles are within 31 mm.
TERRAIN_SIGMA_MM = 12.0
# What the net says of heights is so far off (17 books and boxes of rendered pictures, seeds 5, 6, 41107; no stacks).
HEIGHT_SIGMA_MM = 20.0
# A patch is taken to have the shape of its class when it fills so much of their union.
_FITS = 0.82
_ROUND = ("mug", "plate")
_SQUARE = ("book", "box", "napkin")
_FLAT_MM = 5.0
# A thing whose outline is to so large a share the picture's edge goes on beyond it.
_CUT = 0.2
_UNKNOWN = solids.TERRAIN.index("unknown")


def find_terrain(glance: Glance[TopView]) -> list[Detection]:
    """One piece of terrain for each patch of one class, outlined at the net's even chance; what the picture's edge cuts
    off is not measured."""
    maps, top, view = glance.maps, glance.seen, glance.view
    size = (top.shape[1], top.shape[0])
    # In one array of all classes, at first of logits: new memory for each step takes as long as the step.
    chances = np.stack([cv2.resize(layer, size, interpolation=cv2.INTER_LINEAR) for layer in maps[solids.GROUND]])
    chances -= chances.max(axis=0)
    np.exp(chances, out=chances)
    chances /= chances.sum(axis=0)
    height_px = cv2.resize(maps[solids.HEIGHT], size, interpolation=cv2.INTER_LINEAR) * solids.HEIGHT_UNIT_PX
    rim = _rim(glance.shown, size)
    found = []
    flat = height_px < _FLAT_MM * view.px_per_mm
    for patch in _patches(chances, flat, top, view.px_per_mm):
        outline = None if _is_cut(patch, rim) else _outline(patch, view)
        if outline is None:
            continue
        if 1 - chances[0, patch].mean() < _THERE:
            continue
        mean = chances[:, patch].mean(axis=1)
        cls, chance = _named(mean)
        tall_mm = max(0.0, round(float(np.median(height_px[patch]) / view.px_per_mm), 1))
        colour = name_colour(top[patch], tuple(TERRAIN_BGR)) if tall_mm < _FLAT_MM else None
        piece = _piece(cls, _shaped(outline, cls), tall_mm, chance, colour, glance.plane)
        found.append(replace(piece, class_log_probs=_log_probs(mean)))
    return found


def _rim(shown: Mask, size: tuple[int, int]) -> Mask:
    """(h, w) pixels of the top view within a cell of where the picture or the view ends."""
    inside = cv2.resize(shown.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
    inside[0], inside[-1], inside[:, 0], inside[:, -1] = 0, 0, 0, 0
    return np.asarray(cv2.erode(inside, np.ones((2 * solids.CELL_PX + 1,) * 2, np.uint8)) == 0, bool)


def _is_cut(patch: Mask, rim: Mask) -> bool:
    """Whether a good part of the patch's edge is the picture's."""
    pixels = patch.astype(np.uint8)
    edge = patch & (cv2.erode(pixels, np.ones((3, 3), np.uint8), borderValue=0) == 0)
    return bool((edge & rim).sum() > _CUT * edge.sum())


def _patches(chances: NDArray[np.float32], flat: Mask, top_bgr: ImageBgr, px_per_mm: float) -> list[Mask]:
    """Connected patches of terrain, each cut into the classes that have a good share of it, and sheets at necks and
    where their colours change."""
    best = chances.argmax(axis=0).astype(np.uint8)
    best[chances[0] > 0.5] = 0
    least_px = _LEAST_MM2 * px_per_mm**2
    found: list[Mask] = []
    for patch in _connected(best > 0, least_px):
        likely = chances[:, patch].max(axis=0) > _LIKELY
        large = _large(best[patch], flat[patch] | likely, _SHEET_MM2 * px_per_mm**2)
        parts = [patch] if len(large) < 2 else _parts(patch, chances, large, least_px)
        for part in parts:
            if flat[part].mean() > 0.5:
                at_necks = _at_necks(part, round(_NECK_MM * px_per_mm), least_px)
                found += [one for sheet in at_necks for one in of_one_colour(sheet, top_bgr, px_per_mm)]
            else:
                found.append(part)
    return found


def _connected(mask: Mask, least_px: float) -> list[Mask]:
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    return [labels == n for n in range(1, count) if stats[n, cv2.CC_STAT_AREA] >= least_px]


def _large(classes: NDArray[np.uint8], plain: Mask, sheet_px: float) -> NDArray[np.intp]:
    """The classes that have a good share of a patch, or of which it has so much as a whole sheet where it is plain:
    flat, or hardly doubtful."""
    counts = np.bincount(classes, minlength=len(solids.TERRAIN))
    plain_counts = np.bincount(classes[plain], minlength=len(solids.TERRAIN))
    # Beside something with a name, what has none is doubt about it: the inside of a mug, the shadow of a book.
    if counts[_UNKNOWN] < 0.5 * len(classes):
        counts[_UNKNOWN] = plain_counts[_UNKNOWN] = 0
    return np.flatnonzero((counts >= _LEAST_SHARE * len(classes)) | (plain_counts >= sheet_px))


def _parts(patch: Mask, chances: NDArray[np.float32], classes: NDArray[np.intp], least_px: float) -> list[Mask]:
    """The connected parts of a patch that belong to one of some classes each."""
    among = classes[chances[classes].argmax(axis=0)]
    return [part for cls in classes for part in _connected(patch & (among == cls), least_px)]


def _at_necks(sheet: Mask, neck_px: int, least_px: float) -> list[Mask]:
    """Several sheets that touch only by a corner, each."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (neck_px, neck_px))
    cores = _connected(cv2.erode(sheet.astype(np.uint8), kernel, borderValue=0) > 0, 0.3 * least_px)
    if len(cores) < 2:
        return [sheet]
    away = np.stack([cv2.distanceTransform((~core).astype(np.uint8), cv2.DIST_L2, 5) for core in cores])
    nearest = away.argmin(axis=0)
    return [part for n in range(len(cores)) for part in _connected(sheet & (nearest == n), least_px)]


def _log_probs(mean: NDArray[np.float32]) -> dict[str, float]:
    """Of every class, for `terrain_shape`, which may bear out a name that is not likely enough by itself."""
    return {name: float(np.log(max(chance, 1e-6))) for name, chance in zip(solids.TERRAIN[1:], mean[1:], strict=True)}


def _named(mean: NDArray[np.float32]) -> tuple[str, float]:
    """The class of a patch and its mean chance; `unknown` when none is likely, with the chance that it is anything."""
    likeliest = int(mean[1:].argmax()) + 1
    if mean[likeliest] >= NAMED:
        return solids.TERRAIN[likeliest], float(mean[likeliest])
    return "unknown", float(1 - mean[0])


def _outline(patch: Mask, view: TopView) -> Polygon | None:
    contours, _ = cv2.findContours(patch.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    longest = max(contours, key=len)
    if len(longest) < 8:
        return None
    smooth = simplify(
        Polygon(view.to_table(longest.reshape(-1, 2).astype(float))).buffer(0.5 / view.px_per_mm), _OUTLINE_MM
    )
    return smooth if isinstance(smooth, Polygon) and not smooth.is_empty else None


def _shaped(outline: Polygon, cls: str) -> Polygon:
    """The circle or rectangle that things of that class are, where the outline bears it out."""
    if cls in _ROUND:
        shape = outline.centroid.buffer(float(np.sqrt(outline.area / np.pi)))
    elif cls in _SQUARE:
        shape = _rectangle(outline)
    else:
        return outline
    return shape if outline.intersection(shape).area >= _FITS * outline.union(shape).area else outline


def _rectangle(outline: Polygon) -> Polygon:
    """The smallest rectangle around it, drawn in half way to its area: around soft corners it is a little too large."""
    around = outline.minimum_rotated_rectangle
    if not isinstance(around, Polygon):
        return outline
    factor = 0.5 + 0.5 * np.sqrt(outline.area / around.area)
    middle = np.array(around.centroid.coords[0])
    return Polygon(middle + (np.array(around.exterior.coords) - middle) * factor)


def _piece(
    cls: str, outline: Polygon, tall_mm: float, chance: float, colour: str | None, plane: TablePlane
) -> Detection:
    at = (outline.centroid.x, outline.centroid.y)
    px = plane.to_image([at])
    top_px = plane.to_image([at], tall_mm)
    sigma_mm = float(np.hypot(plane.sigma_mm(px)[0], TERRAIN_SIGMA_MM))
    return Detection(
        "terrain",
        cls,
        at,
        outline,
        sigma_mm,
        chance,
        (float(top_px[0, 0]), float(top_px[0, 1])),
        owner=NONE,
        height_mm=tall_mm,
        height_sigma_mm=0.0 if tall_mm < _FLAT_MM else HEIGHT_SIGMA_MM,
        rotation_deg=turn_deg(outline),
        colour=colour,
    )


def turn_deg(outline: Polygon) -> float:
    """Direction of the long side of the smallest rectangle around it, 0 to 180; 0 where it has none."""
    box = outline.minimum_rotated_rectangle
    if not isinstance(box, Polygon):
        return 0.0
    corners = np.array(box.exterior.coords)
    sides = np.diff(corners, axis=0)[:2]
    lengths = np.hypot(*sides.T)
    along = sides[int(lengths.argmax())]
    if lengths.max() < 1.05 * lengths.min():
        return 0.0
    return float(np.degrees(np.arctan2(along[1], along[0])) % 180)

"""How well the colour classes of a printed map's roads are found, against the map that was printed.

    .venv/bin/python -m benchmarks.roads [--picture FOLDER]

Our own Kingsmere sheet (sample_footage) from above, and as a 1920 x 1080 camera sees it in several lights. Recall:
share of the true length with a found middle line within 1.5 mm; precision: share of the found middle line within 1.5
mm of a road of that class. Roads under the corner markers are not asked for.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
import shapely
from shapely import LineString, Point
from skimage.morphology import skeletonize

from sample_footage.kingsmere import MAP_FILE
from sample_footage.lie_of_the_land import MARKER_CENTRES_MM, SHEET_MM
from sample_footage.map_sheet import kingsmere_sheet_bgr, sheet_bgr
from tests.vision.planes import plane_of
from vision.detect.roads import CLASSES, road_masks
from vision.metric.topview import TopView

NEAR_MM, PX_PER_MM = 1.5, 2.5
LIGHTS = {"even": (1.0, 1.0, 1.0), "warm": (0.72, 0.92, 1.05), "dim": (0.5, 0.5, 0.5), "cold": (1.05, 0.95, 0.82)}


def truth() -> dict[str, shapely.MultiLineString]:
    """The roads that were printed, by class, in table mm."""
    features = json.loads(MAP_FILE.read_text(encoding="utf-8"))["features"]
    hidden = shapely.union_all([Point(at).buffer(32) for at in MARKER_CENTRES_MM])
    found: dict[str, list[LineString]] = {cls: [] for cls in CLASSES}
    for feature in features:
        if feature["properties"]["kind"] == "road":
            found[feature["properties"]["class"]].append(LineString(feature["geometry"]["coordinates"]))
    return {cls: shapely.MultiLineString(lines).difference(hidden) for cls, lines in found.items()}


def scores(
    masks: dict[str, np.ndarray], roads: dict[str, shapely.Geometry], px_per_mm: float
) -> dict[str, tuple[float, float]]:
    """By class, the share of the road that was found, and of what was found that is road."""
    told = {}
    for cls, mask in masks.items():
        rows, columns = np.nonzero(skeletonize(mask))
        at = np.column_stack([(columns + 0.5) / px_per_mm, SHEET_MM[1] - (rows + 0.5) / px_per_mm])
        found = shapely.MultiPoint(at)
        shown = at[[min(np.hypot(x - u, y - v) for u, v in MARKER_CENTRES_MM) > 32 for x, y in at]]
        near = shapely.dwithin(shapely.points(shown), roads[cls], NEAR_MM)
        way = shapely.get_parts(shapely.segmentize(roads[cls], 0.5))
        along = shapely.points(shapely.get_coordinates(way))
        hit = shapely.dwithin(along, found, NEAR_MM) if len(at) else np.zeros(len(along), bool)
        told[cls] = (float(hit.mean()), float(near.mean()) if len(near) else float("nan"))
    return told


def seen_top(light: tuple[float, float, float]) -> np.ndarray:
    """The sheet as the top view of a camera's picture of it, lit in that colour and falling off to one side."""
    from sample_footage.camera import looking_at

    camera = looking_at((350.0, 228.0, 0.0), 870.0, 52.0, focal_px=1450.0)
    sheet = cv2.GaussianBlur(kingsmere_sheet_bgr(6.0), (0, 0), 1.3)
    width, height = camera.size_px
    at = camera.to_plane(np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2))
    margin = (sheet.shape[1] / 6.0 - SHEET_MM[0]) / 2
    u = ((at[:, 0] + margin) * 6 - 0.5).reshape(height, width).astype(np.float32)
    v = ((SHEET_MM[1] - at[:, 1] + margin) * 6 - 0.5).reshape(height, width).astype(np.float32)
    lit = cv2.remap(sheet, u, v, cv2.INTER_LINEAR, borderValue=(60, 84, 118)) * np.asarray(light)
    lit = lit * (0.7 + 0.3 * (at[:, 0] / SHEET_MM[0]).clip(0, 1).reshape(height, width, 1))
    noisy = cv2.GaussianBlur(lit, (0, 0), 0.5) + np.random.default_rng(3).normal(0, 1.8, lit.shape)
    picture = np.clip(noisy, 0, 255).astype(np.uint8)
    view = TopView.of_table(plane_of(camera), SHEET_MM, PX_PER_MM, 0.0, 0.0)
    return view.resample(picture)


def main() -> None:
    """Find the roads in the rendered pictures and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--picture", type=Path, help="write what was found there, to look at")
    folder = parser.parse_args().picture
    roads = truth()
    flat = sheet_bgr(json.loads(MAP_FILE.read_text(encoding="utf-8")), 6.0)
    size = (round(SHEET_MM[0] * PX_PER_MM), round(SHEET_MM[1] * PX_PER_MM))
    tops = {"from above": cv2.resize(flat, size, interpolation=cv2.INTER_AREA)}
    tops |= {f"camera, {name}": seen_top(light) for name, light in LIGHTS.items()}
    print(f"{'recall / precision, %':18}" + "".join(f"{cls:>16}" for cls in CLASSES))
    for name, top in tops.items():
        masks = road_masks(top, PX_PER_MM)
        told = scores(masks, roads, PX_PER_MM)
        print(f"{name:18}" + "".join(f"{100 * told[cls][0]:9.1f} / {100 * told[cls][1]:4.1f}" for cls in CLASSES))
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(folder / f"roads-{name.replace(', ', '-').replace(' ', '-')}.png"), painted(top, masks))


def painted(top: np.ndarray, masks: dict[str, np.ndarray]) -> np.ndarray:
    """The masks in strong colours over the paled map."""
    picture = (0.35 * top + 160).clip(0, 255).astype(np.uint8)
    colours = {
        "motorway": (220, 60, 0),
        "primary": (0, 150, 0),
        "a": (0, 0, 220),
        "b": (0, 130, 255),
        "minor": (120, 0, 120),
    }
    for cls, mask in masks.items():
        picture[mask] = colours[cls]
    return picture


if __name__ == "__main__":
    main()

"""What is known of a rendered table of soldiers, miniatures and household terrain: its scene, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from shapely import Point, Polygon, box, union_all
from shapely.geometry import mapping

from models.solids import FIGURES, TERRAIN
from sample_footage.camera import Camera
from sample_footage.lie_of_the_land import SHEET_MM as TABLE_MM

if TYPE_CHECKING:
    from models.training.rendered import layout

# The armies' colours that a player may have; an army of another is nobody's that can be told.
OWNERS = {"green", "tan", "grey", "blue", "red", "yellow", "white", "black"}
# Pencils no farther apart than this are a row: no soldier passes between them.
ROW_GAP_MM = 5.0
# What hangs over the table's edge of these is not seen, and no part of the game.
SHEETS = ("napkin", "paper")
# Levels are counted of these.
STACKED = ("book", "box")


def solid_truth(truth: layout.Truth, camera: Camera, index: np.ndarray, look: str) -> dict[str, object]:
    """The scene: what of everything lies on the table; pencils in a row are one piece."""
    middle = np.array(TABLE_MM) / 2
    features = [_figure(figure, middle, camera, index) for figure in truth.figures]
    for n, (cls, outline, height, level) in enumerate(_terrain(truth, middle)):
        x, y = outline.centroid.x, outline.centroid.y
        extra = {"owner": "none", "height_mm": round(height, 1), **({"level": level} if level else {})}
        features.append(_feature(f"t{n}", "terrain", TERRAIN[cls], outline, (x, y, 0.0), camera, 1.0, extra, height))
    table = {"size_mm": list(TABLE_MM), "reprojection_error_px": 0.0, "sigma_mm": 0.0}
    head = {"type": "FeatureCollection", "schema": "sandtable/scene/1", "time_s": 0.0}
    return {**head, "looks": [look] if look != "plain" else [], "table": table, "features": features}


def _terrain(truth: layout.Truth, middle: np.ndarray) -> list[tuple[int, Polygon, float, int]]:
    """Every thing, as high as its highest part, of sheets what lies on the table; pencils in a row are one. Of books
    and boxes how many lie on one another, 0 of others."""
    found = []
    for thing in sorted(set(truth.things)):
        ours = [part for part, of in zip(truth.footprints, truth.things, strict=True) if of == thing]
        cls, height = ours[0][0], max(height for *_, height in ours)
        gap_mm = ROW_GAP_MM / 2 if TERRAIN[cls] == "pencils" else 0.0
        # Mitred, so that corners stay corners.
        joined = union_all([Polygon(outline + middle).buffer(gap_mm, join_style="mitre") for _, outline, _ in ours])
        joined = joined.buffer(-gap_mm, join_style="mitre")
        on_table = joined.intersection(box(0, 0, *TABLE_MM)) if TERRAIN[cls] in SHEETS else joined
        level = len(ours) if TERRAIN[cls] in STACKED else 0
        found += [(cls, part, height, level) for part in getattr(on_table, "geoms", [on_table]) if not part.is_empty]
    return found


def _figure(figure: layout.Figure, middle: np.ndarray, camera: Camera, index: np.ndarray) -> dict[str, object]:
    x, y = figure.at + middle
    disc = Point(x, y).buffer(figure.radius)
    near, far = camera.project([(x, y, figure.elevation), (x + 1, y, figure.elevation)])
    shown_mm2 = float((index == figure.number).sum()) / float(np.hypot(*(near - far))) ** 2
    visible = min(1.0, shown_mm2 / max(60.0, 2.2 * figure.radius**2))
    cls = FIGURES[figure.kind]
    kind, cls = ("base", "base") if cls == "base" else ("soldier", cls)
    owner = figure.colour if figure.colour in OWNERS else "unknown"
    extra = {"owner": owner, "facing_deg": round(float(np.degrees(figure.facing)) % 360, 1)}
    return _feature(f"s{figure.number}", kind, cls, disc, (x, y, figure.elevation), camera, visible, extra)


def _feature(
    name: str,
    kind: str,
    cls: str,
    outline: Polygon,
    at: tuple[float, float, float],
    camera: Camera,
    visible: float,
    extra: dict[str, object],
    shown_mm: float = 0.0,
) -> dict[str, object]:
    """A thing that stands at a point; its picture's place is what lies so far above that: of terrain the middle of its
    top, of a figure its foot."""
    u, v = camera.project([(*at[:2], at[2] + shown_mm)])[0]
    properties = {
        "kind": kind,
        "class": cls,
        "position_mm": [round(float(at[0]), 2), round(float(at[1]), 2)],
        "elevation_mm": round(at[2], 2),
        "sigma_mm": 0.0,
        "confidence": 1.0,
        "image_px": [round(float(u), 2), round(float(v), 2)],
        "visible": round(visible, 3),
        **extra,
    }
    rounded = Polygon(np.round(np.array(outline.exterior.coords), 2))
    return {"type": "Feature", "id": name, "geometry": mapping(rounded), "properties": properties}

"""Pictures of soldiers, miniatures and household terrain on a bare table, rendered by Blender's Cycles, with truth.

    python -m sample_footage.solid_pictures --out sample_footage/solids --count 6 --seed 2026 [--pegs 1]

Needs what `models/render_solids.py` needs, and about three minutes a picture. The things are modelled by the same code
as those that the solids net learns from, other specimens of it; tables, camera, lens and light are those of the other
stills. How well the net sees real things, `benchmarks/solids.py` tells.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix
from shapely import Point, Polygon, box, union_all
from shapely.geometry import mapping

from models.solids import FIGURES, TERRAIN
from models.training.rendered import figures, layout, paint, room
from sample_footage.camera import Camera
from sample_footage.ground import TABLE_REACH_MM, table_top
from sample_footage.lie_of_the_land import SHEET_MM as TABLE_MM
from sample_footage.setup_file import PLAYERS, setup_toml, write_whole
from sample_footage.still_pictures import KNOWN_POINTS_MM, _jpeg, camera_for, sensor_for

LOOKS = ("plain", "warm", "oblique", "dim", "noise", "plain")
SURFACES = ("green-cloth", "oak", "white", "walnut", "grey-cloth", "pine")
# The armies' colours that a player may have; an army of another is nobody's that can be told.
OWNERS = {"green", "tan", "grey", "blue", "red", "yellow", "white", "black"}
# Pencils no farther apart than this are a row: no soldier passes between them.
ROW_GAP_MM = 5.0
# What hangs over the table's edge of these is not seen, and no part of the game.
SHEETS = ("napkin", "paper")
# Levels are counted of these.
STACKED = ("book", "box")
SAMPLES = 24
JPEG_QUALITY = 88


def write_picture(number: int, seed: int, out: Path, threads: int, pegs: float = 0.0) -> None:
    """Picture, truth and set-up; the picture last."""
    rng = np.random.default_rng([seed, number, 7])
    figures.clear()
    look, surface = LOOKS[number % len(LOOKS)], SURFACES[number % len(SURFACES)]
    bent = camera_for(look, rng)
    camera = replace(bent, distortion=(0.0,) * 5, centre_px=((bent.size_px[0] - 1) / 2, (bent.size_px[1] - 1) / 2))
    truth = layout.lay(rng, (TABLE_MM[0] - 80, TABLE_MM[1] - 80), crowd=2, pegs=pegs)
    room.prepare(rng, SAMPLES, threads)
    room.light_up(rng)
    room.ground(paint.printed(table_top(surface, seed + number), 0.8), TABLE_REACH_MM)
    look_through(camera)
    with tempfile.TemporaryDirectory() as folder:
        rgba, index = room.shoot(Path(folder))
    name = f"solids-{number:03d}-{look}"
    game = "omog" if any(FIGURES[figure.kind] != "base" for figure in truth.figures) else "osmcg"
    colours = sorted({figure.colour for figure in truth.figures} & OWNERS)
    write_whole(out / f"{name}.setup.toml", setup_text(camera, colours, game))
    write_whole(out / f"{name}.truth.geojson", json.dumps(_truth(truth, camera, index, look)) + "\n")
    light = np.ascontiguousarray(rgba[..., 2::-1]) * np.float32(0.8)
    part = out / f"{name}.jpg.part"
    part.write_bytes(_jpeg(sensor_for(look, rng).develop(light, light.shape[:2]), JPEG_QUALITY))
    part.replace(out / f"{name}.jpg")


def look_through(camera: Camera) -> None:
    """Blender's camera of the same pinhole: the table's middle is its origin, its axes are the table's."""
    scene = bpy.context.scene
    lens = bpy.data.cameras.new("camera")
    lens.sensor_fit, lens.sensor_width = "HORIZONTAL", 36.0
    lens.lens = camera.focal_px[0] * 36.0 / camera.size_px[0]
    lens.clip_end = 10000
    thing = bpy.data.objects.new("camera", lens)
    turn = np.array(camera.rotation).T * (1, -1, -1)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = turn, camera.eye_mm - (TABLE_MM[0] / 2, TABLE_MM[1] / 2, 0)
    thing.matrix_world = Matrix(pose.tolist())
    scene.collection.objects.link(thing)
    scene.camera = thing
    scene.render.resolution_x, scene.render.resolution_y = camera.size_px


def setup_text(camera: Camera, colours: list[str], game: str) -> str:
    """The game that is played with such figures, its two players in the colours of the armies."""
    others = [colour for colour in ("green", "tan") if colour not in colours]
    first, second = (*colours, *others)[:2]
    text = setup_toml(camera, KNOWN_POINTS_MM, game=game)
    for (name, usual), colour in zip(PLAYERS, (first, second), strict=True):
        text = text.replace(f'name = "{name}"\ncolour = "{usual}"', f'name = "{name}"\ncolour = "{colour}"')
    return text


def _truth(truth: layout.Truth, camera: Camera, index: np.ndarray, look: str) -> dict[str, object]:
    """The scene: what of everything lies on the table; pencils in a row are one piece."""
    middle = np.array(TABLE_MM) / 2
    features = [_figure(figure, middle, camera, index) for figure in truth.figures]
    for n, (cls, outline, height, level) in enumerate(_terrain(truth, middle)):
        x, y = outline.centroid.x, outline.centroid.y
        extra = {"owner": "none", "height_mm": round(height, 1), **({"level": level} if level else {})}
        features.append(_feature(f"t{n}", "terrain", TERRAIN[cls], outline, (x, y, 0.0), camera, 1.0, extra))
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
) -> dict[str, object]:
    u, v = camera.project([at])[0]
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


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--pegs", type=float, default=0.0)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    for number in range(args.count):
        if not (args.out / f"solids-{number:03d}-{LOOKS[number % len(LOOKS)]}.jpg").exists():
            write_picture(number, args.seed, args.out, args.threads, args.pegs)


if __name__ == "__main__":
    main()

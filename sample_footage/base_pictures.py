"""Pictures of miniatures on round and oval bases and on pills, rendered by Blender's Cycles, with each base's outline.

    python -m sample_footage.base_pictures --out FOLDER --count 6 --seed 2026 [--samples 16] [--threads 1]

Needs what `models/render_solids.py` needs, and about two minutes a picture. Figures and bases are modelled by the code
that those of the nets are; tables, cameras, lenses and light are those of the other stills. For
`python -m benchmarks.bases FOLDER`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import bpy
import numpy as np
from shapely import Polygon
from shapely.affinity import rotate, translate
from shapely.geometry import mapping

from models.training.rendered import figures, mesh, paint, room
from sample_footage.ground import TABLE_REACH_MM, table_top
from sample_footage.lie_of_the_land import SHEET_MM as TABLE_MM
from sample_footage.solid_pictures import LOOKS, look_through, setup_text
from sample_footage.still_pictures import camera_for, sensor_for, write_jpeg
from sample_footage.whole_file import write_whole

if TYPE_CHECKING:
    from sample_footage.camera import Camera

# Length and breadth, mm, of bases that are sold: round, oval, and with straight sides and round ends.
ROUND_MM = ((25.0, 25.0), (28.5, 28.5), (32.0, 32.0), (40.0, 40.0), (50.0, 50.0), (60.0, 60.0))
OVAL_MM = ((60.0, 35.0), (75.0, 42.0), (52.0, 30.0), (90.0, 52.0), (105.0, 70.0))
PILL_MM = ((50.0, 25.0), (60.0, 30.0))
SURFACES = ("green-cloth", "oak", "white", "walnut", "grey-cloth", "pine")
MOST, TRIES, EDGE_MM = 16, 400, 45.0
JPEG_QUALITY = 88


@dataclass(frozen=True)
class Standing:
    """A miniature on the table: its base's outline, mm, the length and breadth of that, and how it is turned."""

    outline: Polygon
    size_mm: tuple[float, float]
    turn_deg: float
    number: int
    form: str


def outline_of(form: str, size_mm: tuple[float, float]) -> np.ndarray:
    """(n, 2) about the origin, its length along x."""
    long, broad = np.array(size_mm) / 2
    if form != "pill":
        return np.asarray(mesh.ring(64) * (long, broad))
    ends = np.sign(mesh.ring(64)[:, :1]) * (long - broad) * (1.0, 0.0)
    return np.asarray(mesh.ring(64) * broad + ends)


def stand_up(rng: np.random.Generator) -> list[Standing]:
    """Miniatures where there is room for their bases; some stand close together."""
    standing: list[Standing] = []
    for _ in range(TRIES):
        form = str(rng.choice(("round", "oval", "pill"), p=(0.45, 0.4, 0.15)))
        sizes = {"round": ROUND_MM, "oval": OVAL_MM, "pill": PILL_MM}[form]
        size_mm = sizes[int(rng.integers(len(sizes)))]
        turn_deg = float(rng.uniform(0, 180))
        at = rng.uniform(EDGE_MM, np.array(TABLE_MM) - EDGE_MM)
        drawn = outline_of(form, size_mm)
        outline = translate(rotate(Polygon(drawn), turn_deg, origin=(0, 0)), *at)
        gap_mm = 3.0 if rng.random() < 0.3 else 25.0
        if len(standing) < MOST and all(outline.distance(one.outline) > gap_mm for one in standing):
            number = len(standing) + 1
            mesh.place(figures.on_base(rng, drawn), at - np.array(TABLE_MM) / 2, np.radians(turn_deg), number)
            standing.append(Standing(outline, size_mm, turn_deg, number, form))
    return standing


def write_picture(number: int, seed: int, out: Path, samples: int, threads: int) -> None:
    """Picture, truth and set-up; the picture last."""
    rng = np.random.default_rng([seed, number, 11])
    figures.clear()
    look, surface = LOOKS[number % len(LOOKS)], SURFACES[(number + seed) % len(SURFACES)]
    bent = camera_for(look, rng)
    camera = replace(bent, distortion=(0.0,) * 5, centre_px=((bent.size_px[0] - 1) / 2, (bent.size_px[1] - 1) / 2))
    standing = stand_up(rng)
    room.prepare(rng, samples, threads)
    room.light_up(rng)
    room.ground(paint.printed(table_top(surface, seed + number), 0.8), TABLE_REACH_MM)
    look_through(camera)
    with tempfile.TemporaryDirectory() as folder:
        rgba, _ = room.shoot(Path(folder))
    name = f"bases-{number:03d}-{look}"
    write_whole(out / f"{name}.setup.toml", setup_text(camera, ["blue", "red"], "osmcg"))
    write_whole(out / f"{name}.truth.geojson", json.dumps(truth_of(standing, camera, look)) + "\n")
    light = np.ascontiguousarray(rgba[..., 2::-1]) * np.float32(0.8)
    write_jpeg(out / f"{name}.jpg", sensor_for(look, rng).develop(light, light.shape[:2]), JPEG_QUALITY)


def truth_of(standing: list[Standing], camera: Camera, look: str) -> dict[str, object]:
    """The scene, exactly."""
    table = {"size_mm": list(TABLE_MM), "reprojection_error_px": 0.0, "sigma_mm": 0.0}
    head = {"type": "FeatureCollection", "schema": "sandtable/scene/1", "time_s": 0.0}
    features = [_feature(one, camera) for one in standing]
    return {**head, "looks": [look] if look != "plain" else [], "table": table, "features": features}


def _feature(one: Standing, camera: Camera) -> dict[str, object]:
    x, y = one.outline.centroid.x, one.outline.centroid.y
    (u, v), *_ = camera.project([(x, y, 0.0)])
    properties = {
        "kind": "base", "class": "base", "owner": "unknown",
        "position_mm": [round(x, 2), round(y, 2)], "elevation_mm": 0.0, "sigma_mm": 0.0, "confidence": 1.0,
        "image_px": [round(float(u), 2), round(float(v), 2)], "rotation_deg": round(one.turn_deg, 1),
        "visible": 1.0, "form": one.form, "base_mm": list(one.size_mm),
    }  # fmt: skip
    rounded = Polygon(np.round(np.array(one.outline.exterior.coords), 2))
    return {"type": "Feature", "id": f"b{one.number}", "geometry": mapping(rounded), "properties": properties}


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=16)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    for number in range(args.count):
        if not (args.out / f"bases-{number:03d}-{LOOKS[number % len(LOOKS)]}.jpg").exists():
            write_picture(number, args.seed, args.out, args.samples, args.threads)


if __name__ == "__main__":
    main()

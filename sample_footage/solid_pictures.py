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

from models.solids import FIGURES
from models.training.rendered import figures, layout, paint, room
from sample_footage.camera import Camera
from sample_footage.ground import TABLE_REACH_MM, table_top
from sample_footage.lie_of_the_land import SHEET_MM as TABLE_MM
from sample_footage.setup_file import PLAYERS, setup_toml
from sample_footage.solid_truth import OWNERS, solid_truth
from sample_footage.still_pictures import KNOWN_POINTS_MM, camera_for, sensor_for, write_jpeg
from sample_footage.whole_file import write_whole

LOOKS = ("plain", "warm", "oblique", "dim", "noise", "plain")
SURFACES = ("green-cloth", "oak", "white", "walnut", "grey-cloth", "pine")
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
    write_whole(out / f"{name}.truth.geojson", json.dumps(solid_truth(truth, camera, index, look)) + "\n")
    light = np.ascontiguousarray(rgba[..., 2::-1]) * np.float32(0.8)
    write_jpeg(out / f"{name}.jpg", sensor_for(look, rng).develop(light, light.shape[:2]), JPEG_QUALITY)


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

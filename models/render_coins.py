"""Renders coins on tables with Blender's Cycles, for the coin nets: struck metal that mirrors a room, edges, shadows.

    python -m models.render_coins --out FOLDER --count 100 --seed 1 [--photos FOLDER] [--stacked 0.08]
        [--dotted 0.3] [--dots COLOUR...] [--strangers 0] [--threads 1]

Needs `bpy`, `OpenEXR` and `opencv-python-headless` (models/requirements-training.txt). Each picture shows one table in
perspective into FOLDER/SEED-NUMBER.npz: `bgr` (h, w, 3), the camera (`matrix`, `rotation`, `translation`), and `coins`
(n, 8): x, y and height of the middle of the face, radius, mm, indices in CLASSES, FACES and OWNERS of `models.coins`, how
much of it shows; `strangers` (n, 4): the same without names of washers, nuts and whatever else is round and no coin
(`models.training.minted_shots` reads them).
With --photos some of the grounds are cut from licensed training pictures. Takes 15 to 20 s a picture on one core; stop
and go on at will. Bound to a core (`taskset -c 0`) it takes less than half the CPU time: the scheduler inside Blender
starts a thread for each core that it sees, and those wait in a loop.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import bpy
import cv2
import numpy as np
from mathutils import Matrix

from models.coins import CLASSES, FACES, OWNERS
from models.training import grounds
from models.training.dataset import coin_grounds
from models.training.rendered import figures, mesh, paint, room
from models.training.rendered.minted import Habits, Minted, lay, lay_strangers
from models.training.shot import Pinhole, aimed
from models.training.stored import store

SIDE_PX = 680
_SAMPLES, _BOUNCES = 12, 3
# How wide a table shows, mm, and how far from its middle coins lie, as a share; the finest picture has 3.6 px a mm.
_SHOWN_MM, _REACH = (190.0, 330.0), 0.42
_ROUND = np.linspace(0, 2 * np.pi, 90, endpoint=False)


def picture(
    rng: np.random.Generator, ground_bgr: np.ndarray, folder: Path, args: argparse.Namespace
) -> dict[str, np.ndarray]:
    """One table as `main` stores it."""
    figures.clear()
    room.strike()
    room.prepare(rng, _SAMPLES, args.threads)
    scene = bpy.context.scene
    scene.cycles.max_bounces, scene.cycles.use_denoising = _BOUNCES, True
    scene.render.film_transparent = False
    scene.render.resolution_x = scene.render.resolution_y = SIDE_PX
    shown_mm = rng.uniform(*_SHOWN_MM)
    camera = aimed(rng, rng.uniform(28, 90), SIDE_PX / shown_mm, (SIDE_PX, SIDE_PX), np.zeros(2))
    look_through(camera)
    room.light_up(rng, gloomy=True)
    side_mm = grounds.GROUND_PX / grounds.GROUND_PX_PER_MM
    table = mesh.sheet((side_mm, side_mm), np.zeros((2, 2)), paint.printed(ground_bgr, rng.uniform(0.25, 0.9)))
    mesh.place([table], np.zeros(2), rng.uniform(0, 2 * np.pi), 0)
    room.ground(paint.material(paint.colour(rng), 0.6), 1500.0).location[2] = -0.5
    coins = lay(rng, _REACH * shown_mm, Habits(args.stacked, args.dotted, args.dots))
    strangers = lay_strangers(rng, coins, _REACH * shown_mm, args.strangers)
    rgba, index = room.shoot(folder)
    coded = np.clip(rgba[..., 2::-1], 0, 1) ** (1 / 2.2)
    return {
        "bgr": np.rint(coded * 255).astype(np.uint8),
        "matrix": camera.matrix,
        "rotation": camera.rotation,
        "translation": camera.translation,
        "coins": np.array([row(coin, camera, index) for coin in coins]).reshape(-1, 8),
        "strangers": np.array([(*each.at_mm, each.top_mm, each.radius_mm) for each in strangers]).reshape(-1, 4),
    }


def row(coin: Minted, camera: Pinhole, index: np.ndarray) -> tuple[float, ...]:
    """Where a coin's face is, and how much of it shows."""
    around = coin.radius_mm * np.c_[np.cos(_ROUND), np.sin(_ROUND)]
    rim = camera.project(np.c_[around + coin.at_mm, np.full(len(_ROUND), coin.top_mm)])
    mask = cv2.fillPoly(np.zeros(index.shape, np.uint8), [np.rint(rim * 16).astype(np.int32)], (1,), cv2.LINE_8, 4) > 0
    whole = cv2.contourArea(rim.astype(np.float32))
    shown = (mask & (index == coin.number)).sum() / max(whole, 1.0)
    named = CLASSES.index(coin.cls), FACES.index(coin.face), OWNERS.index(coin.owner)
    return (*coin.at_mm, coin.top_mm, coin.radius_mm, *named, min(1.0, float(shown)))


def look_through(camera: Pinhole) -> None:
    """Blender's camera at a pinhole's place; it looks along its own -z, up is +y."""
    lens = bpy.data.cameras.new("camera")
    lens.sensor_width, lens.clip_start, lens.clip_end = 36.0, 10, 6000
    lens.lens = 36.0 * camera.matrix[0, 0] / camera.size_px[0]
    thing = bpy.data.objects.new("camera", lens)
    pose = np.eye(4)
    pose[:3, :3] = camera.rotation.T * (1, -1, -1)
    pose[:3, 3] = camera.eye_mm
    thing.matrix_world = Matrix(pose.tolist())
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.scene.camera = thing


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--photos", type=Path, default=Path("none"))
    usual = Habits()
    parser.add_argument("--stacked", type=float, default=usual.stacked, help="how many lie on another")
    parser.add_argument("--dotted", type=float, default=usual.dotted, help="how many bear an owner's dot")
    parser.add_argument("--dots", nargs="+", choices=OWNERS[1:], default=usual.owners, help="in these colours")
    parser.add_argument(
        "--strangers", type=int, default=0, help="round things that are no coins on each table, at most"
    )
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    laid = coin_grounds(args.photos, args.count, np.random.default_rng(args.seed))
    with tempfile.TemporaryDirectory() as folder:
        for number, ground_bgr in enumerate(laid):
            path = args.out / f"{args.seed:03d}-{number:04d}.npz"
            if path.exists():
                continue
            rng = np.random.default_rng((args.seed, number))
            store(path, picture(rng, ground_bgr, Path(folder), args), small=True)


if __name__ == "__main__":
    main()

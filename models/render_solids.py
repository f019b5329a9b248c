"""Renders tables of toy soldiers, miniatures, household terrain and hands with Blender's Cycles, for the solids net.

    python -m models.render_solids --out FOLDER --count 200 --seed 1 [--threads 1] [--sculpts FOLDER] [--crowds 0.5]
        [--scenery 0.5] [--full 0.6] [--pegs 0.5]

Needs `bpy`, `OpenEXR` and `opencv-python-headless` (models/requirements-training.txt). Each table is shot twice, painted
anew and in other light, into FOLDER/SEED-NUMBER-SHOT.npz: the things and their shadows without the ground, so that they
can be laid on any ground, as an orthographic camera sees them and stretched back to true lengths on the table. Takes
about 5 s a shot on one core of a machine at work; stop and go on at will; bind it to a core, as `models.render_coins`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

import bpy
import cv2
import numpy as np

from models.training.rendered import crowds, figures, layout, mesh, room, shadows, uniforms
from models.training.rendered.layout import Truth
from models.training.rendered.measures import PX_PER_MM, SIDE_MM, WHOLE_MM
from models.training.rendered.sculpts import Sculptures
from models.training.stored import store

SHOTS = 2
# The net of figures wants crowds, that of terrain household things and hands.
CROWDS = 0.5


def shots(
    rng: np.random.Generator, folder: Path, sculptures: Sculptures | None, args: argparse.Namespace
) -> Iterator[dict[str, np.ndarray]]:
    """One table as `SHOTS` cameras see it under as many lamps, its things painted anew for each."""
    figures.clear()
    crowded = rng.random() < args.crowds
    side = (SIDE_MM, SIDE_MM)
    truth = (
        crowds.lay(rng, side, sculptures, args.scenery, args.full, args.pegs)
        if crowded
        else layout.lay(rng, side, pegs=args.pegs)
    )
    for shot in range(SHOTS):
        if shot:
            uniforms.repaint(rng)
        yield seen(truth, rng, folder, args.threads)


def seen(truth: Truth, rng: np.random.Generator, folder: Path, threads: int) -> dict[str, np.ndarray]:
    """rgba (n, n, 4) uint8, its colours premultiplied and gamma coded; owner, ground, height; rows; slant."""
    elevation = np.radians(rng.uniform(28, 85))
    shining = room.furnish(rng, elevation, WHOLE_MM, PX_PER_MM, threads)
    rgba, index = room.shoot(folder)
    shade = shadows.cast(rng, mesh.standing(), shining, WHOLE_MM)
    ground, height = layout.draw_footprints(truth, WHOLE_MM, PX_PER_MM)
    return {
        "rgba": coded(rgba, shade, len(ground)),
        "owner": cv2.resize(index, ground.shape, interpolation=cv2.INTER_NEAREST).astype(np.uint8),
        "ground": ground,
        "height": height.astype(np.float16),
        "rows": rows(truth, float(1 / np.tan(elevation))),
        "cotangent": np.float32(1 / np.tan(elevation)),
    }


def coded(rgba: np.ndarray, shade: np.ndarray, size_px: int) -> np.ndarray:
    """(size, size, 4) uint8 of a linear picture and of what the ground lacks of its light."""
    whole = np.clip(rgba, 0, 1)
    whole[..., :3] **= 1 / 2.2
    whole = cv2.resize(calm(np.rint(whole * 255).astype(np.uint8)), (size_px, size_px), interpolation=cv2.INTER_LINEAR)
    dark = cv2.resize(shade, (size_px, size_px), interpolation=cv2.INTER_LINEAR)
    whole[..., 3] = np.rint(whole[..., 3] + (255.0 - whole[..., 3]) * dark).astype(np.uint8)
    return whole


def rows(truth: layout.Truth, cotangent: float) -> np.ndarray:
    """(n, 6) kind, x, y, facing, radius, number; what stands higher is to be found where it shows on the table."""
    shown = [(f.kind, f.at[0], f.at[1] + cotangent * f.elevation, f.facing, f.radius, f.number) for f in truth.figures]
    return np.array(shown, np.float32).reshape(-1, 6)


def calm(rgba: np.ndarray) -> np.ndarray:
    """Without the grain of a few samples, lest the net take grain for a thing."""
    rgb = cv2.bilateralFilter(cv2.bilateralFilter(np.ascontiguousarray(rgba[..., :3]), 7, 45, 2.0), 5, 30, 1.5)
    return np.dstack([rgb, rgba[..., 3]])


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--sculpts", type=Path)
    parser.add_argument("--crowds", type=float, default=CROWDS)
    parser.add_argument("--scenery", type=float, default=0.0)
    parser.add_argument("--full", type=float, default=0.0)
    parser.add_argument("--pegs", type=float, default=0.0)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    sculptures = Sculptures.of(args.sculpts) if args.sculpts else None
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(args.count):
            paths = [args.out / f"{args.seed:03d}-{number:04d}-{shot}.npz" for shot in range(SHOTS)]
            if paths[-1].exists():
                continue
            seen_by = shots(np.random.default_rng((args.seed, number)), Path(folder), sculptures, args)
            for path, parts in zip(paths, seen_by, strict=True):
                store(path, parts, small=True)


if __name__ == "__main__":
    main()

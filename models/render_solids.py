"""Renders tables of toy soldiers, miniatures, household terrain and hands with Blender's Cycles, for the solids net.

    python -m models.render_solids --out FOLDER --count 200 --seed 1 [--threads 1]

Needs `bpy`, `OpenEXR` and `opencv-python-headless` (models/requirements-training.txt). Each table becomes one file,
FOLDER/SEED-NUMBER.npz: the things and their shadows without the ground, so that they can be laid on any ground, as an
orthographic camera sees them and stretched back to true lengths on the table. Takes about 5 s a table on one core;
stop and go on at will.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import bpy
import cv2
import numpy as np

from models.training.rendered import figures, layout, room
from models.training.rendered.measures import PX_PER_MM, SIDE_MM, WHOLE_MM


def table(rng: np.random.Generator, folder: Path, threads: int) -> dict[str, np.ndarray]:
    """One table: rgba (n, n, 4) uint8, its colours premultiplied and gamma coded; owner, ground, height; rows; slant."""
    figures.clear()
    elevation = np.radians(rng.uniform(28, 85))
    truth = layout.lay(rng, (SIDE_MM, SIDE_MM))
    room.furnish(rng, elevation, WHOLE_MM, PX_PER_MM, threads)
    rgba, index = room.shoot(folder)
    size = (round(WHOLE_MM * PX_PER_MM),) * 2
    coded = np.clip(rgba, 0, 1)
    coded[..., :3] **= 1 / 2.2
    coded = calm(np.rint(coded * 255).astype(np.uint8), index)
    ground, height = layout.draw_footprints(truth, WHOLE_MM, PX_PER_MM)
    return {
        "rgba": cv2.resize(coded, size, interpolation=cv2.INTER_LINEAR),
        "owner": cv2.resize(index, size, interpolation=cv2.INTER_NEAREST).astype(np.uint8),
        "ground": ground,
        "height": height.astype(np.float16),
        "rows": rows(truth, float(1 / np.tan(elevation))),
        "cotangent": np.float32(1 / np.tan(elevation)),
    }


def rows(truth: layout.Truth, cotangent: float) -> np.ndarray:
    """(n, 6) kind, x, y, facing, radius, number; what stands higher is to be found where it shows on the table."""
    shown = [(f.kind, f.at[0], f.at[1] + cotangent * f.elevation, f.facing, f.radius, f.number) for f in truth.figures]
    return np.array(shown, np.float32).reshape(-1, 6)


def calm(rgba: np.ndarray, index: np.ndarray) -> np.ndarray:
    """Without the grain of a few samples, lest the net take grain for a thing: shadows soft, edges kept."""
    soft = cv2.GaussianBlur(rgba[..., 3], (0, 0), 2.5)
    rgb = cv2.bilateralFilter(np.ascontiguousarray(rgba[..., :3]), 5, 30, 1.5)
    return np.dstack([rgb, np.where(index > 0, rgba[..., 3], np.where(rgba[..., 3] > 250, rgba[..., 3], soft))])


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(args.count):
            path = args.out / f"{args.seed:03d}-{number:04d}.npz"
            if path.exists():
                continue
            parts = table(np.random.default_rng((args.seed, number)), Path(folder), args.threads)
            part = path.with_suffix(".part.npz")
            np.savez_compressed(part, **parts)
            part.replace(path)


if __name__ == "__main__":
    main()

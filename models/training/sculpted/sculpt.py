"""One posed figure: its parts with their pictures, z up, facing +x, as tall as it was made."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from models.training.stored import store

Array = NDArray[np.float64]
# A figure an inch tall shows no finer paint.
_PICTURE_PX = 128


@dataclass(frozen=True, eq=False)
class Part:
    """A skin of triangles: (n, 3) points, (m, 3) corners, (n, 2) uv with v upwards, and its picture or none."""

    points: Array
    faces: NDArray[np.int64]
    uv: Array
    picture: Path | None

    def moved(self, pose: Array) -> Part:
        """The same after a (4, 4) pose."""
        return Part(self.points @ pose[:3, :3].T + pose[:3, 3], self.faces, self.uv, self.picture)


def save(path: Path, parts: list[Part], rng: np.random.Generator) -> None:
    """One .npz: arrays `points0`, `faces0`, `uv0`, `picture0` (h, w, 3) RGB, and so on; paint where a team's colour shows."""
    team = rng.uniform(0.05, 0.9, 3)
    arrays: dict[str, np.ndarray] = {}
    for n, part in enumerate(parts):
        arrays |= {
            f"points{n}": part.points.astype(np.float32),
            f"faces{n}": part.faces.astype(np.int32),
            f"uv{n}": part.uv.astype(np.float32),
            f"picture{n}": _picture(part.picture, team),
        }
    store(path, arrays, small=True)


def _picture(path: Path | None, team: Array) -> NDArray[np.uint8]:
    """(h, w, 3) RGB; grey where there is none."""
    if path is None or not path.exists():
        return np.full((1, 1, 3), 128, np.uint8)
    rgba = np.asarray(Image.open(path).convert("RGBA"), np.float32)
    share = min(1.0, _PICTURE_PX / max(rgba.shape[:2]))
    small = cv2.resize(rgba, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    alpha = small[..., 3:] / 255
    painted = small[..., :3] * (alpha + (1 - alpha) * team)
    return np.asarray(np.clip(painted, 0, 255), np.uint8)

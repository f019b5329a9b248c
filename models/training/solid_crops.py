"""Random crops of the tables of `models.train_solids_data` as a look sees them, and what is asked of the net there."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from models import solids
from models.training.upright import Tile, Upright

CROP = 320
CELLS = CROP // solids.CELL_PX
# A figure of which less than this shows is not asked for; between the two the net may say what it likes.
HIDDEN, SHOWN = 0.2, 0.45
SIGMA = 1.1
# How many crops are cut by the edge of what the camera shows.
EDGE_SHARE = 0.15
SURFACES = ("ground", "height", "figure", "hand")
# Cross entropy passes over this class.
UNASKED = -100
# Scales at which things are shown are off from those of the looks by as much.
SCALES = (0.65, 1.35)
# Shape and type of each part of a crop: the picture, black beyond what the camera shows; the slant; measures wanted, where
# heat counts and where measures do; classes of terrain, its height, figures and hands as they show.
PARTS: dict[str, tuple[tuple[int, ...], type]] = {
    "picture": ((CROP, CROP, 3), np.uint8),
    "slant": ((2,), np.float32),
    "wanted": ((9, CELLS, CELLS), np.float16),
    "weight": ((CELLS, CELLS), np.uint8),
    "near": ((CELLS, CELLS), np.uint8),
    "ground": ((CELLS, CELLS), np.int8),
    "height": ((CELLS, CELLS), np.float16),
    "figure": ((CELLS, CELLS), np.uint8),
    "hand": ((CELLS, CELLS), np.uint8),
}


def crop_of(table: Mapping[str, np.ndarray], look: solids.Look, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """A view of one table in `PARTS`, perhaps mirrored, some of them cut by the picture's edge."""
    tile, rows = table["tiles"], table["rows"]
    rows = rows[rows[:, 0] >= 0]
    scale = look.px_per_mm * float(np.exp(rng.uniform(*np.log(SCALES))))
    view = Upright.drawn(rng, CROP, scale, Tile(len(tile), table["slant"].astype(float), rows))
    shown = view.surface(np.ones(table["ground"].shape, np.uint8)) > 0
    picture = view.picture(tile)
    if rng.random() < EDGE_SHARE:
        beyond = half_plane(rng)
        picture[beyond] = 0
        shown &= ~beyond[1::4, 1::4]
    want, weight, near = targets(view.rows(rows), CELLS, look.radii_px)
    parts = {"picture": picture, "slant": view.slant, "wanted": want, "weight": weight * shown, "near": near * shown}
    parts |= surfaces_of(table, view, shown, look)
    return {key: np.asarray(parts[key]).astype(kind) for key, (_, kind) in PARTS.items()}


def surfaces_of(
    table: Mapping[str, np.ndarray], view: Upright, shown: np.ndarray, look: solids.Look
) -> dict[str, np.ndarray]:
    """The right answers for each cell; for terrain only where it shows, and only for the net that looks for it."""
    surfaces = {key: np.where(shown, view.surface(table[key].astype(np.float32)), 0) for key in SURFACES}
    asked = shown if look is solids.TERRAIN_LOOK else np.zeros_like(shown)
    return {
        "ground": np.where(asked, surfaces["ground"], UNASKED),
        "height": surfaces["height"] * view.scale,
        "figure": surfaces["figure"] > 0,
        "hand": surfaces["hand"] > 0,
    }


def targets(rows: np.ndarray, cells: int, radii_px: tuple[float, float]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Wanted measures (9, cells, cells), where heat counts (cells, cells), and where measures do; rows in px."""
    v, u = np.mgrid[0:cells, 0:cells].astype(np.float32)
    wanted, weight, near = (
        np.zeros((9, cells, cells), np.float32),
        np.ones((cells, cells), np.float32),
        np.zeros((cells, cells), np.float32),
    )
    for kind, x_px, y_px, facing, radius, shown in rows[rows[:, 0] >= 0]:
        k = int(kind)
        x, y = ((p - (solids.CELL_PX - 1) / 2) / solids.CELL_PX for p in (x_px, y_px))
        if shown < HIDDEN or not (-1 < x < cells and -1 < y < cells):
            continue
        heat = np.exp(-(np.square(u - x) + np.square(v - y)) / (2 * SIGMA**2))
        if shown < SHOWN or not radii_px[0] < radius < radii_px[1]:
            weight[heat > 0.02] = 0
            continue
        inside = heat > np.maximum(wanted[:4].max(axis=0), 0.3)
        wanted[k] = np.maximum(wanted[k], heat)
        near[inside] = 1
        wanted[4][inside], wanted[5][inside] = (x - u)[inside], (y - v)[inside]
        wanted[6][inside], wanted[7][inside] = np.cos(facing), np.sin(facing)
        wanted[8][inside] = np.log(radius / solids.REFERENCE_RADIUS_PX)
        row, column = round(float(y)), round(float(x))
        if 0 <= row < cells and 0 <= column < cells:
            wanted[k, row, column] = 1.0
    return wanted, weight, near


def half_plane(rng: np.random.Generator) -> np.ndarray:
    """(CROP, CROP) what lies beyond the edge of the picture, which a top view shows black."""
    v, u = np.mgrid[0:CROP, 0:CROP] - CROP / 2
    angle = rng.uniform(0, 2 * np.pi)
    return u * np.cos(angle) + v * np.sin(angle) > rng.uniform(0.15, 0.5) * CROP

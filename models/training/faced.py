"""Crops around the soldiers on tables of `models.train_solids_data`, and which way each faces."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models import solids
from models.training.slices import CANVAS_PX, PX_PER_MM
from models.training.upright import Tile, Upright

# A margin around what the reader sees, for shifts while training.
MARGIN_PX = 8
# The first of `models.solids.FIGURES` are soldiers; bases have no front.
SOLDIERS = solids.FIGURES.index("base")
# Those of which less shows are not asked for.
_SHOWN = 0.45
_VIEWS = 2
_SCALES = (0.85, 1.2)
_LEAN = 0.2


@dataclass(frozen=True, eq=False)
class Faced:
    """n soldiers.

    crops   (n, h, w, 3) the foot at FACING_FOOT_PX, MARGIN_PX further in
    slant   (n, 2) of the view
    facing  (n,) rad, from the right by way of the camera
    kind    (n,) index in FIGURES
    """

    crops: NDArray[np.uint8]
    slant: NDArray[np.float32]
    facing: NDArray[np.float32]
    kind: NDArray[np.int64]


def faced_on(files: list[Path], rng: np.random.Generator | None) -> Faced:
    """All soldiers on the tables of these files, seen as a look sees them, or twice, leaning and at other scales."""
    found = [part for path in files for part in _on_tables(path, rng)]
    crops, slant, facing, kind = zip(*found, strict=True)
    return Faced(np.array(crops), np.array(slant, np.float32), np.array(facing, np.float32), np.array(kind, np.int64))


def _on_tables(path: Path, rng: np.random.Generator | None) -> list[tuple]:
    tables, found = np.load(path), []
    for picture, slant, rows in zip(tables["tiles"], tables["slant"], tables["rows"], strict=True):
        asked = rows[(rows[:, 0] >= 0) & (rows[:, 0] < SOLDIERS) & (rows[:, 5] > _SHOWN)]
        tile = Tile(len(picture), slant.astype(float), asked)
        for _ in range(_VIEWS if rng is not None and len(asked) else 1):
            found += _in_view(_view(tile, rng), picture, tile)
    return found


def _view(tile: Tile, rng: np.random.Generator | None) -> Upright:
    px_per_mm = solids.FIGURES_LOOK.px_per_mm
    side = int(-(-np.sqrt(2) * CANVAS_PX / PX_PER_MM * px_per_mm // solids.STRIDE_PX)) * solids.STRIDE_PX
    if rng is None:
        return Upright.whole(side, px_per_mm, tile)
    lean = float(np.arctan2(rng.normal(0, _LEAN), np.hypot(*tile.slant)))
    return Upright.whole(side, px_per_mm * float(np.exp(rng.uniform(*np.log(_SCALES)))), tile, lean)


def _in_view(view: Upright, picture: NDArray[np.uint8], tile: Tile) -> list[tuple]:
    share = solids.FACING_PX_PER_MM / solids.FIGURES_LOOK.px_per_mm
    seen = cv2.resize(view.picture(picture), None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    rows = view.rows(tile.rows)
    rows = rows[view.shows(rows[:, 1:3].astype(float), tile.side_px)]
    feet_px = np.rint((rows[:, 1:3] + 0.5) * share - 0.5).astype(int)
    return [
        (_around(seen, foot), view.slant, facing, int(kind))
        for foot, kind, facing in zip(feet_px, rows[:, 0], rows[:, 3], strict=True)
    ]


def _around(seen: NDArray[np.uint8], foot_px: NDArray[np.intp]) -> NDArray[np.uint8]:
    """Black beyond the view."""
    side = solids.FACING_CROP_PX + 2 * MARGIN_PX
    padded = np.pad(seen, ((side, side), (side, side), (0, 0)))
    column, row = foot_px - solids.FACING_FOOT_PX - MARGIN_PX + side
    return padded[row : row + side, column : column + side].copy()

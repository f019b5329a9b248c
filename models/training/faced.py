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
_SIDE_PX = solids.FACING_CROP_PX + 2 * MARGIN_PX
# Crops reach beyond views, black there.
_BEYOND_PX = 2 * _SIDE_PX
# How wide a base is taken for errs by as much.
_RADIUS_ERROR = 0.12


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
    opened = [np.load(path) for path in files]
    tables = [table for file in opened for table in zip(file["tiles"], file["slant"], file["rows"], strict=True)]
    crops, slant, facing, kind = zip(*(part for table in tables for part in soldiers_on(*table, rng)), strict=True)
    return Faced(np.array(crops), np.array(slant, np.float32), np.array(facing, np.float32), np.array(kind, np.int64))


def soldiers_on(
    picture: NDArray[np.uint8], slant: NDArray[np.float32], rows: NDArray[np.float32], rng: np.random.Generator | None
) -> list[tuple]:
    """The same of one table: (crop, slant, facing, kind) of each."""
    asked = rows[(rows[:, 0] >= 0) & (rows[:, 0] < SOLDIERS) & (rows[:, 5] > _SHOWN)]
    tile = Tile(len(picture), slant.astype(float), asked)
    views = _VIEWS if rng is not None and len(asked) else 1
    return [part for _ in range(views) for part in _in_view(_view(tile, rng), picture, tile, rng)]


def _view(tile: Tile, rng: np.random.Generator | None) -> Upright:
    px_per_mm = solids.FIGURES_LOOK.px_per_mm
    side = int(-(-np.sqrt(2) * CANVAS_PX / PX_PER_MM * px_per_mm // solids.STRIDE_PX)) * solids.STRIDE_PX
    if rng is None:
        return Upright.whole(side, px_per_mm, tile)
    lean = float(np.arctan2(rng.normal(0, _LEAN), np.hypot(*tile.slant)))
    return Upright.whole(side, px_per_mm * float(np.exp(rng.uniform(*np.log(_SCALES)))), tile, lean)


def _in_view(view: Upright, picture: NDArray[np.uint8], tile: Tile, rng: np.random.Generator | None) -> list[tuple]:
    seen = np.pad(view.picture(picture), ((_BEYOND_PX, _BEYOND_PX), (_BEYOND_PX, _BEYOND_PX), (0, 0)))
    rows = view.rows(tile.rows)
    rows = rows[view.shows(rows[:, 1:3].astype(float), tile.side_px)]
    radii_px = rows[:, 4] * (np.exp(rng.normal(0, _RADIUS_ERROR, len(rows))) if rng is not None else 1.0)
    shares = solids.facing_share(radii_px)
    return [
        (_around(seen, foot, share), view.slant, facing, int(kind))
        for foot, share, kind, facing in zip(rows[:, 1:3], shares, rows[:, 0], rows[:, 3], strict=True)
    ]


def _around(seen: NDArray[np.uint8], foot_px: NDArray[np.float64], share: float) -> NDArray[np.uint8]:
    """`share` px to a px of the view, which is padded by _BEYOND_PX."""
    side = round(_SIDE_PX / share)
    corner = foot_px - (np.array(solids.FACING_FOOT_PX) + MARGIN_PX + 0.5) / share + 0.5
    column, row = np.rint(corner).astype(int) + _BEYOND_PX
    cut = seen[row : row + side, column : column + side]
    return np.asarray(cv2.resize(cut, (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_AREA), np.uint8)

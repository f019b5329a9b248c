"""Where cards, dice and matches may lie: the peaks of the pieces net on the metric top view."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models import pieces
from vision.detect.peaks import Cells, logistic, peaks
from vision.frame import ImageBgr
from vision.metric.heat import Maps, heat_maps
from vision.metric.topview import TopView

Array = NDArray[np.float64]

# Heats below these are no proposals; the readers and the edges throw out what is none.
_HEAT = {pieces.INDEX: 0.25, pieces.CARD: 0.3, pieces.DIE: 0.22, pieces.MATCH: 0.15}
# Half width in cells of the neighbourhood in which only the highest heat counts.
_ALONE_CELLS = {pieces.INDEX: 2, pieces.CARD: 4, pieces.DIE: 2, pieces.MATCH: 2}


@dataclass(frozen=True, eq=False)
class Peaks:
    """Things of one kind, proposed.

    at_mm      (n, 2) where they show on the table plane
    heat       (n,) the net's confidence, 0 to 1
    angle_rad  (n,) table direction: index and match by their arrow, card by its long side (modulo pi)
    back       (n,) chance that a card shows its back
    """

    at_mm: Array
    heat: Array
    angle_rad: Array
    back: Array


def look_for_pieces(image_bgr: ImageBgr, view: TopView) -> dict[int, Peaks]:
    """The peaks of each kind (`models.pieces.INDEX`, `CARD`, `DIE`, `MATCH`)."""
    return peaks_in(heat_maps("pieces", view.resample(image_bgr)), view)


def peaks_in(maps: Maps, view: TopView) -> dict[int, Peaks]:
    """The peaks of each kind in the maps (channels, h / 4, w / 4) of a view."""
    return {kind: _peaks(maps, kind, view) for kind in _HEAT}


def _peaks(maps: NDArray[np.float32], kind: int, view: TopView) -> Peaks:
    rows, columns = peaks(maps[kind], _HEAT[kind], _ALONE_CELLS[kind])
    cells = np.stack([columns, rows], axis=1).astype(float)
    if kind == pieces.CARD:
        cells += _middle(maps[kind], rows, columns)
    else:
        cells += np.clip(maps[pieces.OFFSET[kind], rows, columns].T, -1.5, 1.5)
    # Rows run towards the near edge: an angle in the view is the negative of the table's.
    turned = maps[pieces.DIRECTION.get(kind, pieces.DOUBLE_ANGLE), rows, columns].astype(float)
    angle = -np.arctan2(turned[1], turned[0]) / (2 if kind == pieces.CARD else 1)
    at_mm = view.to_table(cells * pieces.CELL_PX + (pieces.CELL_PX - 1) / 2)
    return Peaks(at_mm, logistic(maps[kind, rows, columns]), angle, logistic(maps[pieces.BACK, rows, columns]))


def _middle(logit: NDArray[np.float32], rows: Cells, columns: Cells) -> Array:
    """(n, 2) offset in cells of the heat's centre of mass over the 5 x 5 cells about each peak."""
    padded = np.pad(logit, 2, constant_values=-np.inf)
    v, u = np.mgrid[-2:3, -2:3]
    around = logistic(padded[rows[:, None, None] + v + 2, columns[:, None, None] + u + 2])
    mass = around.sum(axis=(1, 2)) + 1e-9
    return np.stack([(around * u).sum(axis=(1, 2)) / mass, (around * v).sum(axis=(1, 2)) / mass], axis=1)

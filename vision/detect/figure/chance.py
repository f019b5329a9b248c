"""How likely a figure stands where the net of figures points, by that net and by the one of terrain, which is asked for
figures too, at half the scale, and learned on its own."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from models import solids
from vision.detect.peaks import logistic
from vision.detect.solid.glance import Glance
from vision.metric.heat import BLOCK_PX, Blocks
from vision.metric.upright import UprightView

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

# What speaks for a soldier and what for a base, against nothing and each other: the heat of soldiers, that of bases,
# the size, the coarse net, and a bias (multinomial logistic regression on 707 tiles of scenes that no net was trained
# on, 140 of them of sculptors' figures never seen; models/figures.md). `benchmarks.figure_chance` fits such.
WEIGHTS = np.array([(1.98, 0.04, 0.87, 1.03, 0.96), (0.27, 1.01, 2.17, 2.28, -0.58)])
# Beyond these each says no more.
_LEAST, _MOST = (-8.0, -8.0, -1.5, -12.0), (np.inf, np.inf, 1.0, np.inf)
_BASE = solids.FIGURES.index("base")
# What the games say beforehand (logarithm of the odds). In one of miniatures few are like plastic men; in one of
# soldiers a man on a disc looks like a miniature (of men of simple shapes 49 % are found at -3, 55 here, 57 at 0).
# Where both are played, bases must be a little surer: discs of metal and feet of trees are taken for them (on twenty
# photographs false ones 110 -> 83, found 300 -> 295).
_SOLDIERS_AMONG_BASES, _BASES_AMONG_SOLDIERS, _BASES_BESIDE_SOLDIERS = -3.0, -1.0, -0.4
# The coarse net's chances are summed over so many cells each way: it points less well.
_SIDE = 3
_NEVER = -20.0
# Where they say less than this, the net of figures is not asked: of 1,700 figures found on those tiles and stills the
# faintest is at -1.2. And so far around: the coarse net misses a foot by some mm, and a body's paint is looked for.
_WORTH_A_LOOK, _FOOT_MM, _AROUND_BLOCKS = -2.0, 8.0, 7


def chances(says: Floats, at_mm: Array, coarse: Glance[UprightView], names: Sequence[str]) -> Array:
    """(n,) that one of `names` stands there, from what the net of figures says (CHANNELS, n) of places (n, 2) mm, and
    what the net of terrain says of the same piece of the table."""
    logits = evidence(says, at_mm, coarse) @ WEIGHTS.T + _prior(names)
    return logistic(np.logaddexp.reduce(logits, axis=1))


def evidence(says: Floats, at_mm: Array, coarse: Glance[UprightView]) -> Array:
    """(n, 5) what `WEIGHTS` weigh: heat of soldiers, of bases, size, what the net of terrain says around, and one."""
    heat = says[solids.HEAT]
    soldiers, base = np.logaddexp.reduce(np.delete(heat, _BASE, axis=0), axis=0), heat[_BASE]
    found = np.stack([soldiers, base, says[solids.RADIUS], _seen_by(coarse, at_mm)], axis=1).astype(float)
    return np.asarray(np.c_[np.clip(found, _LEAST, _MOST), np.ones(len(found))], float)


def _prior(names: Sequence[str]) -> tuple[float, float]:
    """What the game says of soldiers and of bases."""
    if "base" not in names:
        return 0.0, _BASES_AMONG_SOLDIERS
    return (_SOLDIERS_AMONG_BASES, 0.0) if set(names) == {"base"} else (0.0, _BASES_BESIDE_SOLDIERS)


def worth_a_look(coarse: Glance[UprightView], view: UprightView) -> Blocks:
    """(rows, columns) blocks of a closer view of the same piece of the table on which a figure may stand."""
    rows, columns = np.nonzero(_logs(coarse) > _WORTH_A_LOOK)
    cells = np.stack([columns, rows], axis=1).astype(float)
    at_mm = coarse.view.to_table(cells * solids.CELL_PX + (solids.CELL_PX - 1) / 2)
    width, height = (side // BLOCK_PX for side in view.size_px)
    at = view.to_px(at_mm[view.is_near(at_mm, _FOOT_MM)]) // BLOCK_PX
    column, row = np.clip(at, 0, (width - 1, height - 1)).astype(int).T
    blocks = np.zeros((height, width), np.uint8)
    blocks[row, column] = 1
    return cv2.dilate(blocks, np.ones((2 * _AROUND_BLOCKS + 1,) * 2, np.uint8)) > 0


def _logs(coarse: Glance[UprightView]) -> Floats:
    """(rows, columns) logarithm of the chances around each cell, summed."""
    chance = logistic(np.logaddexp.reduce(coarse.maps[solids.HEAT], axis=0)).astype(np.float32)
    summed = cv2.boxFilter(chance, -1, (_SIDE, _SIDE), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(np.log(np.maximum(summed, np.float32(np.exp(_NEVER)))), np.float32)


def _seen_by(coarse: Glance[UprightView], at_mm: Array) -> Floats:
    """(n,) what `_logs` are at each place."""
    logs = _logs(coarse)
    cells = ((coarse.view.to_px(at_mm) - (solids.CELL_PX - 1) / 2) / solids.CELL_PX).astype(np.float32)
    if not len(cells):
        return np.zeros(0, np.float32)
    found = cv2.remap(
        logs, cells[None, :, 0], cells[None, :, 1], cv2.INTER_LINEAR, None, cv2.BORDER_CONSTANT, (_NEVER,) * 4
    )
    return np.asarray(found[0], np.float32)

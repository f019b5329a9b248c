"""Things laid on a tile: they are seen where nothing stands before them, and known where they lie."""

import numpy as np
import pytest

from models import solids
from models.training.laid import ground_of, lay

SIDE = 384
TALL_MM = 40.0
SLANT = np.array([0.0, -1.0])
MUG = solids.TERRAIN.index("mug")


@pytest.fixture
def ground():
    """A grey tile of 384 x 384 mm with a mug on it, which hides what lies up to 40 mm beyond it."""
    kinds, height = np.zeros((SIDE, SIDE), np.uint8), np.zeros((SIDE, SIDE), np.float32)
    kinds[50:60, 40:56], height[50:60, 40:56] = MUG, TALL_MM
    tile = np.full((2 * SIDE, 2 * SIDE, 3), 120, np.uint8)
    return ground_of(tile, kinds, height, np.zeros_like(kinds), SLANT)


def test_what_stands_there_hides_what_is_laid_and_stays_what_it_is(ground):
    rng = np.random.default_rng(4)
    for _ in range(6):
        lay(ground, np.full((2 * SIDE, 2 * SIDE, 3), 200, np.uint8), rng)
    # Rows 20 to 50 mm lie behind the mug: its body is shown there, as it was.
    assert (ground.bgr[2 * 22 : 2 * 58, 2 * 42 : 2 * 54] == 120).all()
    assert (ground.kinds[50:60, 40:56] == MUG).all()
    assert (ground.height[50:60, 40:56] == TALL_MM).all()


def test_what_is_laid_is_seen_and_known(ground):
    before = ground.bgr.copy()
    for seed in range(8):
        lay(ground, np.full((2 * SIDE, 2 * SIDE, 3), 200, np.uint8), np.random.default_rng(seed))
    flat = {solids.TERRAIN.index(name) for name in ("none", "napkin", "paper", "pencils")}
    laid = set(np.unique(ground.kinds)) - {MUG}
    assert len(laid) > 1 and laid <= flat
    known = np.repeat(np.repeat(ground.kinds > 0, 2, axis=0), 2, axis=1) & (ground.free > 0.99)
    changed = np.abs(ground.bgr - before).max(axis=2) > 3
    # A pale strip on the pale tile may leave it as it was here and there.
    assert changed[known].mean() > 0.8

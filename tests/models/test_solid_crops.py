"""Crops of a table ask of each figure what is there, where the crop shows it."""

import numpy as np
import pytest

from models import solids
from models.training.slices import CANVAS_PX
from models.training.solid_crops import CELLS, CROP, PARTS, UNASKED, crop_of, targets


@pytest.fixture
def table():
    """A grey tile with one man in its middle, who stands on a book."""
    ground = np.zeros((CANVAS_PX // 2,) * 2, np.uint8)
    ground[150:240, 150:240] = solids.TERRAIN.index("book")
    rows = np.full((48, 6), -1, np.float32)
    rows[0] = (0, 192, 192, 0.5, 11, 1)
    return {
        "tiles": np.full((CANVAS_PX, CANVAS_PX, 3), 120, np.uint8),
        "rows": rows,
        "slant": np.array([0, -0.7], np.float32),
        "ground": ground,
        "height": np.where(ground, 20, 0).astype(np.float16),
        "figure": np.zeros_like(ground),
        "hand": np.zeros_like(ground),
    }


@pytest.mark.parametrize("look", solids.LOOKS.values(), ids=solids.LOOKS)
def test_a_crop_has_the_parts_that_a_pool_has_room_for(table, look):
    crop = crop_of(table, look, np.random.default_rng(2))
    assert {key: (part.shape, part.dtype) for key, part in crop.items()} == {
        key: (shape, np.dtype(kind)) for key, (shape, kind) in PARTS.items()
    }


def test_only_the_look_for_terrain_is_asked_for_it_and_nothing_beyond_the_tile(table):
    there = crop_of(table, solids.TERRAIN_LOOK, np.random.default_rng(2))
    assert (crop_of(table, solids.FIGURES_LOOK, np.random.default_rng(2))["ground"] == UNASKED).all()
    assert solids.TERRAIN.index("book") in there["ground"]
    beyond = (there["picture"][1::4, 1::4] == 0).all(axis=2)
    assert beyond.any() and (there["weight"][beyond] == 0).mean() > 0.95


def test_a_man_is_wanted_where_he_stands_and_not_where_he_hardly_shows():
    man = np.array([[0, 41.5, 81.5, 0.5, 20, 1], [3, 161.5, 161.5, 0, 20, 0.3]], np.float32)
    wanted, weight, near = targets(man, CELLS, (5.0, 64.0))
    row, column = np.unravel_index(wanted[0].argmax(), wanted[0].shape)
    assert (row, column) == (20, 10) and wanted[0, row, column] == 1
    assert near[20, 10] == 1 and np.hypot(*(wanted[4:6, 20, 10])) < 0.1
    assert weight[40, 40] == 0 and weight[20, 10] == 1 and wanted[3].max() == 0
    assert CELLS * solids.CELL_PX == CROP

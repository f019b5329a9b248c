"""Boards that end and printed markers, drawn as grounds for the nets of solids."""

import numpy as np

from models.training.boards import lay_board, lay_markers, plain
from models.training.slices import CANVAS_PX, Layers

BLACK, WHITE = 10.0, 240.0


def empty(value):
    """A bare table of one grey under a camera that stands at 45 degrees."""
    picture = np.full((CANVAS_PX, CANVAS_PX, 3), value, np.float32)
    return Layers(picture, np.array([0.0, -1.0]), np.array([0.5, 0.0]))


def test_a_board_covers_part_of_the_table_and_is_nothing_to_find():
    for seed in range(8):
        layers = empty(WHITE)
        lay_board(layers, np.full_like(layers.bgr, BLACK), np.random.default_rng(seed))
        dark = (layers.bgr.max(axis=2) < WHITE / 4).mean()
        assert 0.05 < dark < 0.98
        assert not layers.ground.any()
        assert not layers.height.any()


def test_markers_are_black_and_white_and_nothing_to_find():
    layers = empty(128.0)
    lay_markers(layers.bgr, np.random.default_rng(3))
    assert layers.bgr.min() < 70
    assert layers.bgr.max() > 210
    assert not layers.ground.any()


def test_plain_grounds_are_of_one_colour_and_often_black():
    rng = np.random.default_rng(1)
    grounds = [plain(rng) for _ in range(30)]
    assert all(ground.shape == (CANVAS_PX, CANVAS_PX, 3) for ground in grounds)
    assert all(ground.std(axis=(0, 1)).max() < 30 for ground in grounds)
    assert sum(np.median(ground) < 50 for ground in grounds) > 6

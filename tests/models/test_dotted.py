"""Dots that are no die are drawn as asked: the same of one seed, others of another, and no two alike."""

import numpy as np

from models.pieces import DIE_CROP_PX
from models.training.dotted import drawn_dotted


def test_a_seed_draws_the_same_crops():
    first, again = (drawn_dotted(12, np.random.default_rng(4)) for _ in range(2))
    assert first.shape == (12, DIE_CROP_PX, DIE_CROP_PX, 3) and first.dtype == np.uint8
    assert np.array_equal(first, again)
    assert not np.array_equal(first, drawn_dotted(12, np.random.default_rng(5)))


def test_every_crop_shows_something_of_its_own():
    crops = drawn_dotted(40, np.random.default_rng(6))
    assert np.median(crops.reshape(40, -1).std(axis=1)) > 15
    assert len({crop.tobytes() for crop in crops}) == 40


def test_none_may_be_asked_for():
    assert drawn_dotted(0, np.random.default_rng(1)).shape == (0, DIE_CROP_PX, DIE_CROP_PX, 3)

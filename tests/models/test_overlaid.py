"""Dyes of rendered figures, one for all or each his own."""

import numpy as np

from models.training.overlaid import tints
from models.training.rendered.measures import TERRAIN_INDEX


def drawn(count=60):
    return [tints(np.random.default_rng(seed)) for seed in range(count)]


def test_half_of_the_tables_stay_as_rendered():
    assert 15 < sum(np.allclose(tint, 1) for tint in drawn()) < 45


def test_an_army_of_one_dye_and_men_dyed_each_for_himself_both_come():
    dyed = [tint[1:TERRAIN_INDEX] for tint in drawn() if not np.allclose(tint, 1)]
    alike = [np.allclose(tint, tint[0]) for tint in dyed]
    assert any(alike) and not all(alike)

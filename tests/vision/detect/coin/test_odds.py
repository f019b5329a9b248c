"""What each kind of evidence does to the odds of a coin."""

import numpy as np
import pytest

from vision.detect.coin.odds import BY_LOOKS, BY_OUTLINE, look_evidence, outline_evidence
from vision.detect.coin.proposals import Proposals
from vision.naming.sticker import Dots
from vision.shape.circle import Rims
from vision.shape.rim import Circles

MIDDLE, RADIUS = np.zeros((1, 2)), np.array([12.0])


def by_outline(heat=0.5, support=0.9, doubt=-4.5):
    sigma = RADIUS * np.exp(doubt)
    on_rim = np.arange(10)[None] < 10 * support
    rims = Rims(MIDDLE, RADIUS, sigma, on_rim, MIDDLE, MIDDLE)
    proposals, circles = Proposals(MIDDLE, RADIUS, np.array([heat])), Circles(MIDDLE, RADIUS, sigma, sigma)
    return float((outline_evidence(proposals, circles, rims) @ BY_OUTLINE)[0])


def by_looks(no_coin=0.1, stands_out=0.5, apart=30.0):
    dots = Dots(np.array([stands_out]), np.zeros((1, 3)), np.zeros((1, 3)))
    return float((look_evidence(np.array([no_coin]), dots, np.array([apart])) @ BY_LOOKS)[0])


def test_heat_edge_and_a_radius_without_doubt_speak_for_a_coin():
    assert by_outline(heat=0.9) > by_outline(heat=0.2)
    assert by_outline(support=1.0) > by_outline(support=0.5)
    assert by_outline(doubt=-5.0) > by_outline(doubt=-4.0)
    assert by_outline(doubt=-2.5) == pytest.approx(by_outline(doubt=-1.0))


def test_a_dot_speaks_for_a_coin_and_none_against_it():
    assert by_looks(stands_out=3.0) > by_looks(stands_out=2.0) > by_looks()
    assert by_looks(stands_out=0.1) == by_looks(stands_out=1.0)
    assert by_looks(stands_out=4.0) == by_looks(stands_out=9.0)


def test_a_circle_with_the_ground_on_both_sides_is_print():
    assert by_looks(apart=6.0) < -2
    assert by_looks(apart=30.0) == by_looks(apart=90.0) > 0
    assert np.isfinite(by_looks(no_coin=0.0, apart=0.0))

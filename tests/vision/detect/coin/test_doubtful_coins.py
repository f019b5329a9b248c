"""Which tables of coins are asked for their reliefs: those on which one has no name, and not for what is print. What a
dot adds to the odds of one."""

from dataclasses import replace

import numpy as np
import pytest

from models.coins import CLASSES, CROP_PX
from vision.classify import Looks
from vision.detect.coin.coin_circles import CoinCircles
from vision.detect.coin.looked_at import LookedAt
from vision.detect.coin.proposals import Proposals
from vision.naming.currency import Naming
from vision.naming.sticker import Dots
from vision.shape.circle import RAYS, Rims
from vision.shape.rim import Circles

SURE, UNSURE, PRINT = {"gbp-2p": 0.999}, {"gbp-2p": 0.8, "gbp-1p": 0.199}, {"gbp-1p": 0.002, "gbp-2p": 0.003}


def found_of(*rows, edge=1.0, apart=40.0, hollow=False):
    """Circles of such chances, what is left being that of no coin; the last has so much edge round it, differs so far
    from the ground and may show it in its middle."""
    count = len(rows)
    probs = np.zeros((count, len(CLASSES) + 1))
    for row, told in zip(probs, rows, strict=True):
        for cls, chance in told.items():
            row[CLASSES.index(cls)] = chance
        row[-1] = 1 - row.sum()
    middle, ones, last = np.zeros((count, 2)), np.ones(count), np.arange(count) == count - 1
    on_rim = np.arange(RAYS) < RAYS * np.where(last, edge, 1.0)[:, None]
    circles = Circles(middle, 12 * ones, 0.1 * ones, 0.1 * ones)
    return LookedAt(
        CoinCircles(
            Proposals(middle, 12 * ones, 0.5 * ones), circles, Rims(middle, 12 * ones, ones, on_rim, middle, middle)
        ),
        np.zeros((count, CROP_PX, CROP_PX, 3), np.uint8),
        Looks(np.zeros((count, 24)), np.zeros((count, 2)), np.zeros((count, 11))),
        np.zeros((count, 4)),
        np.zeros((count, len(CLASSES))),
        last & hollow,
        np.where(last, apart, 40.0),
        Dots(0.5 * ones, np.zeros((count, 3)), np.zeros((count, 3))),
        Naming(probs, 1.0, np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(count)),
    )


def test_coins_that_all_have_names_are_not_in_doubt():
    assert not found_of(SURE, SURE).is_in_doubt


def test_print_beside_coins_has_no_name_and_puts_none_in_doubt():
    assert not found_of(SURE, SURE, PRINT, edge=0.4, apart=2.0).is_in_doubt


@pytest.mark.parametrize("last", [UNSURE, {"gbp-2p": 0.3, "gbp-1p": 0.2}])
def test_a_coin_without_a_name_is_in_doubt(last):
    assert found_of(SURE, SURE, last).is_in_doubt


def test_beside_what_has_no_name_a_coin_must_be_surer_of_its_own():
    """Reliefs move the scale of a table, and with it its coins, where one is less sure."""
    named = {"gbp-2p": 0.96, "gbp-1p": 0.039}
    assert not found_of(SURE, named).is_in_doubt
    assert found_of(SURE, named, PRINT, edge=0.4, apart=2.0).is_in_doubt


def test_a_washer_has_no_name_and_is_none():
    assert not found_of(SURE, UNSURE, hollow=True).is_in_doubt


def test_what_a_dot_says_may_be_left_out():
    """It shows on a five pence as well as on the twenty pence below it, if there is one at all."""
    bare = found_of(SURE)
    dotted = replace(bare, dots=replace(bare.dots, stands_out=np.array([4.0])))
    assert dotted.odds[0] > bare.odds[0] + 3
    assert dotted.odds_but_for_dots == pytest.approx(bare.odds_but_for_dots) == bare.odds

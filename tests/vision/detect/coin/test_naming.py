"""What the coins' own doubts become: named or unknown, and how large a table's coins are taken to be."""

import numpy as np
import pytest

from models.coins import CLASSES, OWNERS
from vision.detect.coin.coin_radius import radius_by_both
from vision.detect.coin.coins import _owner
from vision.detect.coin.looked_at import classes_of
from vision.naming.currency import Naming
from vision.shape.circle import RAYS, SIDED, Rims
from vision.shape.rim import Circles


def naming_of(*rows):
    probs = np.zeros((len(rows), len(CLASSES) + 1))
    for row, told in zip(probs, rows, strict=True):
        for cls, chance in told.items():
            row[CLASSES.index(cls)] = chance
    return Naming(probs, 1.0, np.array([0.0, 1.0, 0.0, 0.0]), np.zeros(len(rows)))


@pytest.mark.parametrize(
    ("told", "sure", "cls"),
    [
        ({"eur-20c": 0.93, "eur-50c": 0.07}, 0.97, "eur-20c"),  # one currency: one coin's doubt
        ({"eur-2c": 0.93, "usd-1c": 0.07}, 0.97, "unknown"),  # the whole table's
        ({"eur-2c": 0.93, "usd-1c": 0.07}, 0.9, "eur-2c"),  # where the set-up tells the currency
        ({"eur-20c": 0.85, "eur-50c": 0.15}, 0.97, "unknown"),
    ],
)
def test_less_is_enough_for_a_name_where_the_currency_is_past_doubt(told, sure, cls):
    assert classes_of(naming_of(told), sure) == [cls]


def circles_and_rims(by_net, by_edges):
    count, ones = len(by_net), np.ones(len(by_net))
    zeros = np.zeros((count, 2))
    circles = Circles(zeros, np.array(by_net), 0.1 * ones, 0.1 * ones)
    sides = np.zeros((count, len(SIDED)))
    return circles, Rims(zeros, np.array(by_edges), 0.1 * ones, np.ones((count, RAYS), bool), sides, sides)


def test_a_table_whose_net_and_edges_lie_as_usual_is_as_large_as_the_net_says():
    radii = np.full(9, 11.0)
    assert np.allclose(radius_by_both(*circles_and_rims(radii, radii * np.exp(-0.012))), radii)


def test_where_the_net_sees_all_rims_too_large_their_edges_tell():
    true = np.array([8.9, 9.0, 9.5, 10.6, 11.6, 12.1, 13.0, 14.2, 15.3])
    measured = radius_by_both(*circles_and_rims(true * 1.03, true * np.exp(-0.012)))
    assert np.all((measured < true * 1.02) & (measured > true))


def test_one_rim_whose_edges_are_something_elses_is_left_to_the_net():
    true = np.full(9, 11.0)
    edges = true * np.exp(-0.012)
    edges[4] *= 1.12
    assert radius_by_both(*circles_and_rims(true, edges))[4] == pytest.approx(11.0, rel=1e-6)


@pytest.mark.parametrize(("none", "said"), [(0.99, "none"), (0.9, "unknown"), (0.2, "red")])
def test_that_nobody_owns_a_coin_is_said_only_where_a_dot_is_past_doubt_absent(none, said):
    probs = np.zeros(len(OWNERS))
    probs[OWNERS.index("none")], probs[OWNERS.index("red")] = none, 1 - none
    assert _owner(probs) == said


@pytest.mark.parametrize(("currency", "mixed"), [((0, 0.9, 0, 0.1), False), ((0.1, 0.2, 0, 0.7), True)])
def test_a_table_is_mixed_where_several_currencies_are_likelier_than_any_one(currency, mixed):
    assert Naming(np.zeros((0, len(CLASSES) + 1)), 1.0, np.array(currency, float), np.zeros(0)).is_mixed is mixed

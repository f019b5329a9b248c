"""Coins of other nations, and what passes for them, bear no known coin's name."""

import numpy as np
import pytest

from models.coins import DIAMETER_MM
from rules.scene import UNKNOWN
from tests.vision.naming.test_currency import SILVER, looks_of
from vision.detect.coin.looked_at import classes_of
from vision.naming.currency import name_coins

# Swiss francs and rappen, of cupro-nickel (Swissmint: 2, 1 and 1/2 franc, 20 and 10 rappen).
FRANCS_MM = (27.4, 23.2, 18.2, 21.05, 19.15)
USD = ("usd-10c", "usd-5c", "usd-25c", "usd-50c", "usd-25c")


def silver_named(widths_mm, expected=None, sure=0.97, no_coin=None):
    """Names of silver coins that are measured to 1 %, each twice."""
    widths = np.repeat(np.array(widths_mm, float), 2) * np.tile([0.996, 1.004], len(widths_mm))
    looks = looks_of([SILVER] * len(widths))
    if no_coin is not None:
        looks = np.log(np.c_[np.exp(looks[:, :-1]) * (1 - no_coin), np.full(len(looks), no_coin)])
    return classes_of(name_coins(looks, widths, 0.01 * widths, expected), sure)


def test_coins_of_a_known_currency_keep_their_names():
    assert silver_named([DIAMETER_MM[cls] for cls in USD]) == list(np.repeat(USD, 2))


def test_francs_are_no_dollars():
    assert set(silver_named(FRANCS_MM)) == {UNKNOWN}


def test_where_dollars_are_told_francs_that_are_as_wide_as_none_bear_no_name():
    """A half franc is a dime's width to 1.6 %, 20 rappen are a nickel's to 0.8."""
    named = silver_named(FRANCS_MM, {"usd": 1.0}, 0.9)
    assert set(named[:4] + named[-2:]) == {UNKNOWN}


def test_one_franc_among_dimes_and_quarters_costs_these_no_name():
    widths = [DIAMETER_MM["usd-10c"], DIAMETER_MM["usd-25c"], DIAMETER_MM["usd-5c"], 27.4]
    assert silver_named(widths) == ["usd-10c"] * 2 + ["usd-25c"] * 2 + ["usd-5c"] * 2 + [UNKNOWN] * 2


@pytest.mark.parametrize(("width_mm", "cls"), [(38.1, "usd-1-silver"), (40.6, UNKNOWN), (34.0, UNKNOWN)])
def test_what_no_coin_is_as_wide_as_is_no_silver_dollar(width_mm, cls):
    widths = [DIAMETER_MM[each] for each in USD] + [width_mm]
    assert silver_named(widths)[-2:] == [cls] * 2


def test_what_looks_rather_like_no_coin_bears_no_name_however_well_its_width_fits():
    widths = [DIAMETER_MM["usd-1-silver"]] * 2
    assert set(silver_named(widths, {"usd": 1.0}, 0.9)) == {"usd-1-silver"}
    assert set(silver_named(widths, {"usd": 1.0}, 0.9, no_coin=0.97)) == {UNKNOWN}

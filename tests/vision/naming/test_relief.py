"""What reliefs say of currencies, and what a table's naming makes of it."""

import numpy as np
import pytest

from models.coins import CLASSES, CROP_PX, DIAMETER_MM
from models.reliefs import DESIGNS, OFTEN, design_of
from tests.vision.naming.test_currency import SILVER, best, looks_of
from vision.naming.currency import name_coins
from vision.naming.relief import believed, reliefs_of

DIMES, COUNT = DIAMETER_MM["usd-10c"], 9


def said(**chances):
    """How likely a net finds the designs that sees these."""
    chances = np.array([chances.get(name.replace("-", "_"), 0.02) for name in DESIGNS])
    return np.tile(chances / chances.sum(), (COUNT, 1))


def of_a_heap(reliefs=None):
    """A table of nine silver coins as wide as a dime, or five pence, or nearly."""
    diameters, sigma = np.full(COUNT, DIMES), np.full(COUNT, 0.1)
    return name_coins(looks_of([SILVER] * COUNT), diameters, sigma, reliefs=reliefs)


def test_every_class_bears_a_design():
    assert {design_of(cls) for cls in CLASSES} == set(DESIGNS)
    assert OFTEN.sum() == pytest.approx(1)


@pytest.mark.parametrize(("seen", "cls"), [("gbp", "gbp-5p"), ("usd_10c", "usd-10c")])
def test_a_heap_of_one_kind_is_named_by_its_reliefs(seen, cls):
    naming = of_a_heap(believed(said(**{seen: 0.6})))
    assert best(naming) == [cls] * COUNT
    assert naming.probs[:, CLASSES.index(cls)].min() > of_a_heap().probs[:, CLASSES.index(cls)].max()


def test_the_surer_a_relief_is_a_pounds_the_likelier_are_pounds():
    pence = [believed(said(gbp=share))[0, CLASSES.index("gbp-5p")] for share in (0.1, 0.3, 0.9)]
    assert pence == sorted(pence) and pence[0] < 0 < pence[-1]


def test_reliefs_tell_dollars_from_one_another_too():
    told = believed(said(usd_10c=0.5))[0]
    assert told[CLASSES.index("usd-10c")] > told[CLASSES.index("usd-1c")]
    assert told[CLASSES.index("gbp-5p")] == told[CLASSES.index("gbp-1p")]


def test_a_coin_under_a_dot_says_nothing_of_its_relief():
    crops = np.random.default_rng(3).integers(0, 255, (2, CROP_PX, CROP_PX, 3), np.uint8)
    told = reliefs_of(crops, np.array([0.2, 5.0]))
    assert told[0].any() and not told[1].any()


def test_no_coins_say_nothing():
    assert reliefs_of(np.zeros((0, CROP_PX, CROP_PX, 3), np.uint8), np.zeros(0)).shape == (0, len(CLASSES))

import numpy as np
import pytest

from models.coins import CROP_PX, DIAMETER_MM
from tests.vision.naming.test_currency import COPPER, GOLD, SILVER, best, looks_of
from vision.naming.currency import name_coins
from vision.naming.metal import lights_of, tints_of
from vision.naming.tints import densities

# A grey wall mirrored by copper, nordic gold and cupro-nickel (red, green, blue), read off photographs of euro and
# UK coins beside one another, not off `vision.naming.metal`.
SHINE = {COPPER: (0.80, 0.46, 0.34), GOLD: (0.76, 0.60, 0.31), SILVER: (0.60, 0.60, 0.60)}
LAMPS = [(1.0, 1.0, 1.0), (1.35, 1.0, 0.6), (0.85, 1.0, 1.3)]


def crops_under(lamp, groups, dot=None):
    """Plain discs of these metals as a camera under that lamp develops them (gamma 2.2)."""
    rows, columns = np.mgrid[:CROP_PX, :CROP_PX] - (CROP_PX - 1) / 2
    crops = np.zeros((len(groups), CROP_PX, CROP_PX, 3))
    for crop, group in zip(crops, groups, strict=True):
        crop[:] = 0.4 * np.array(SHINE[group]) * lamp
        if dot is not None:
            crop[np.hypot(rows, columns) < 0.55 * 0.8 * CROP_PX / 2] = dot
    return np.rint(255 * np.clip(crops, 0, 1) ** (1 / 2.2)).astype(np.uint8)[..., ::-1]


def metal_in_likeliest_light(tints):
    """The metal (0 copper, 1 gold, 2 silver) of each coin, by its border alone, in the light that suits all of them."""
    metals = np.full((len(tints), 7), 1 / 3)
    metals[:, 3:] = 1e-3
    lights, log_likely = lights_of(tints, metals)
    density = densities(tints, lights)[..., :3]
    best_light = (np.log(density.sum(axis=2)).sum(axis=1) + log_likely).argmax()
    return list(density[best_light].argmax(axis=1))


@pytest.mark.parametrize("lamp", LAMPS)
@pytest.mark.parametrize("dot", [None, (0.7, 0.05, 0.05), (0.05, 0.1, 0.6)])
def test_beside_one_another_metals_are_told_in_any_light_and_under_any_dot(lamp, dot):
    groups = [COPPER, SILVER, GOLD, SILVER, COPPER, GOLD]
    assert metal_in_likeliest_light(tints_of(crops_under(lamp, groups, dot))) == [0, 2, 1, 2, 0, 1]


def test_tints_are_ratios_of_light_and_do_not_change_with_exposure():
    bright, dark = (tints_of(crops_under(np.full(3, share), [COPPER])) for share in (1.5, 0.3))
    assert bright[0, :2] == pytest.approx([np.log(0.80 / 0.46), np.log(0.34 / 0.46)], abs=0.04)
    assert dark == pytest.approx(bright, abs=0.08)


def test_blown_out_pixels_have_no_colour():
    crop = crops_under((1.0, 1.0, 1.0), [COPPER])
    half = crop.copy()
    half[:, : CROP_PX // 2] = 255
    assert tints_of(half)[:, :2] == pytest.approx(tints_of(crop)[:, :2], abs=0.02)
    assert tints_of(half)[0, 2] == pytest.approx(0.5, abs=0.02)


def test_what_lies_on_a_coin_says_nothing_of_its_metal():
    copper, silver = crops_under((1.0, 1.0, 1.0), [COPPER, SILVER])
    pair, hidden = copper.copy(), np.zeros((1, CROP_PX, CROP_PX), bool)
    pair[:, : CROP_PX // 2], hidden[:, :, : CROP_PX // 2] = silver[:, : CROP_PX // 2], True
    assert tints_of(pair[None], hidden)[:, :2] == pytest.approx(tints_of(copper[None])[:, :2], abs=0.01)
    assert tints_of(pair[None])[0, 0] < tints_of(copper[None])[0, 0] - 0.1
    assert tints_of(pair[None], ~np.zeros_like(hidden))[0, 2] == 0


def test_a_border_that_is_blown_out_says_nothing_of_its_metal():
    """What is left of copper under a lamp is as pale as silver."""
    tints = tints_of(crops_under((1.0, 1.0, 1.0), [COPPER, COPPER, SILVER]))
    tints[1] = [*tints[2, :2], 0.2, 0]
    by_metal = densities(tints, tints[2:, :2])[0, :, :3]
    assert by_metal[2].argmax() == 2
    assert np.ptp(by_metal[1]) == 0


@pytest.mark.parametrize(("metal", "cls"), [(GOLD, "eur-50c"), (SILVER, "usd-25c")])
@pytest.mark.parametrize("lamp", LAMPS)
def test_coins_whose_looks_do_not_tell_gold_from_silver_are_named_by_their_colour(metal, cls, lamp):
    """A quarter and half a euro are of one size; a classifier in doubt, and two cents of the same purse beside."""
    cents = ["eur-1c", "eur-5c"] if cls == "eur-50c" else ["usd-1c", "usd-1c"]
    looks = looks_of([("eur-50c", "usd-25c")] * 2 + [COPPER] * 2)
    size = np.array([DIAMETER_MM[name] for name in [cls, cls, *cents]])
    tints = tints_of(crops_under(lamp, [metal, metal, COPPER, COPPER]))
    assert best(name_coins(looks, size, np.full(4, 0.1), tints=tints)) == [cls, cls, *cents]


def test_no_coins_have_no_tints():
    assert tints_of(np.zeros((0, CROP_PX, CROP_PX, 3), np.uint8)).shape == (0, 4)

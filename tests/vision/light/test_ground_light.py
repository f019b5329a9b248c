import numpy as np
import pytest

from models.coins import CROP_PX, RIM_SHARE
from tests.vision.naming.test_currency import COPPER, GOLD, SILVER
from tests.vision.naming.test_metal import SHINE
from vision.light.ground_light import in_one_light
from vision.naming.metal import tints_of
from vision.naming.tints import densities

CLOTH = (0.5, 0.42, 0.35)


def coins_on(grounds, metals, lamps):
    """Discs of these metals on grounds of these colours (red, green, blue), each under its own lamp (gamma 2.2)."""
    rows, columns = np.mgrid[:CROP_PX, :CROP_PX] - (CROP_PX - 1) / 2
    on_coin = np.hypot(rows, columns) < RIM_SHARE * CROP_PX / 2
    crops = np.zeros((len(metals), CROP_PX, CROP_PX, 3))
    for crop, ground, metal, lamp in zip(crops, grounds, metals, lamps, strict=True):
        crop[:] = np.where(on_coin[..., None], 0.4 * np.array(SHINE[metal]), 0.5 * np.array(ground)) * lamp
    return np.rint(255 * np.clip(crops, 0, 1) ** (1 / 2.2)).astype(np.uint8)[..., ::-1]


def slope(count, most):
    """Lamps that turn redder and less blue from one side of the table to the other."""
    return [np.exp(share * np.array([1.0, 0.0, -1.0])) for share in np.linspace(-most, most, count)]


def test_a_plain_ground_tells_the_light_on_each_coin():
    metals = [SILVER] * 6
    crops = coins_on([CLOTH] * 6, metals, slope(6, 0.1))
    before = tints_of(crops)
    after = in_one_light(before, crops)
    assert np.ptp(before[:, :2], axis=0).min() > 0.18
    assert np.ptp(after[:, :2], axis=0).max() < 0.03
    assert after[:, 3].all()


def test_silver_in_yellow_light_is_no_gold_where_the_ground_is_as_yellow():
    crops = coins_on([CLOTH] * 5, [GOLD, SILVER, SILVER, SILVER, GOLD], slope(5, 0.11))
    tints = tints_of(crops)
    light = tints[2:3, :2]
    gold_over_silver = [
        densities(one, light)[0, 3, 1] / densities(one, light)[0, 3, 2] for one in (tints, in_one_light(tints, crops))
    ]
    assert gold_over_silver[1] < gold_over_silver[0] / 3


@pytest.mark.parametrize("patches", [(0, 1, 0, 1, 2, 2), (2, 1, 0, 0, 1, 2)])
def test_a_printed_map_tells_no_light(patches):
    printed = [CLOTH, (0.3, 0.5, 0.3), (0.5, 0.5, 0.2)]
    crops = coins_on([printed[patch] for patch in patches], [COPPER] * 6, slope(6, 0.0))
    assert (in_one_light(tints_of(crops), crops) == tints_of(crops)).all()


def test_a_coin_whose_neighbour_shows_beside_it_keeps_its_tint():
    crops = coins_on([CLOTH] * 5, [SILVER] * 5, slope(5, 0.1))
    crops[1, :, -8:] = crops[1, CROP_PX // 2, CROP_PX // 2]
    crops[1, -8:] = crops[1, CROP_PX // 2, CROP_PX // 2]
    tints = tints_of(crops)
    lit = in_one_light(tints, crops)
    assert list(lit[:, 3]) == [1, 0, 1, 1, 1]
    assert (lit[1] == tints[1]).all()


def test_two_coins_are_too_few_and_none_are_none():
    crops = coins_on([CLOTH] * 2, [SILVER] * 2, slope(2, 0.1))
    assert (in_one_light(tints_of(crops), crops) == tints_of(crops)).all()
    assert in_one_light(tints_of(crops[:0]), crops[:0]).shape == (0, 4)

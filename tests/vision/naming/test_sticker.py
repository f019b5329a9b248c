import numpy as np
import pytest

from models.coins import CROP_PX, OWNERS, RIM_SHARE
from rules.scene import NONE
from vision.naming.colour import PAINT_BGR
from vision.naming.sticker import dots_of, owner_probs, painted_over

COPPER_BGR, SILVER_BGR, GOLD_BGR, CLOTH_BGR = (70, 100, 150), (165, 168, 170), (90, 160, 185), (90, 60, 40)
BARE, RED = OWNERS.index(NONE), OWNERS.index("red")
ROWS, COLUMNS = (np.mgrid[:CROP_PX, :CROP_PX] - (CROP_PX - 1) / 2) / (RIM_SHARE * CROP_PX / 2)


def coin(metal_bgr, grain=4.0):
    """A coin of one metal on cloth."""
    crop = np.where((np.hypot(ROWS, COLUMNS) < 1)[..., None], metal_bgr, CLOTH_BGR).astype(float)
    return crop + np.random.default_rng(3).normal(0, grain, crop.shape)


def crops(*pictures):
    return np.clip(np.stack(pictures), 0, 255).astype(np.uint8)


def with_disc(crop, bgr, radius, x=0.0, y=0.0):
    crop[np.hypot(COLUMNS - x, ROWS - y) < radius] = bgr
    return crop


def net(**chances):
    """What the classifier says of one coin, the rest shared out."""
    rest = (1 - sum(chances.values())) / (len(OWNERS) - len(chances))
    return np.log([[chances.get(owner, rest) for owner in OWNERS]])


@pytest.mark.parametrize("colour", ["red", "blue", "green", "yellow", "black", "orange", "purple"])
@pytest.mark.parametrize(("radius", "x", "y"), [(0.27, 0.1, -0.15), (0.49, 0.0, 0.0), (0.4, 0.25, 0.2)])
def test_a_dot_stands_out_of_any_metal_and_has_its_paints_colour(colour, radius, x, y):
    metals = (SILVER_BGR, COPPER_BGR, GOLD_BGR)
    dots = dots_of(crops(*(with_disc(coin(metal), PAINT_BGR[colour], radius, x, y) for metal in metals)))
    assert (dots.stands_out > 2.5).all()
    owners = owner_probs(np.repeat(net(none=0.6), len(metals), axis=0), dots)
    assert [OWNERS[best] for best in owners.argmax(axis=1)] == [colour] * len(metals)


def test_relief_a_shadows_edge_and_the_core_of_two_metals_are_no_dots():
    shaded = coin(SILVER_BGR)
    shaded[COLUMNS > 0.1] *= 0.5
    cored = [with_disc(coin(GOLD_BGR), SILVER_BGR, share) for share in (0.64, 0.73)]
    scratched = coin(COPPER_BGR)
    scratched[np.abs(ROWS - COLUMNS) < 0.08] *= 1.4
    assert (dots_of(crops(coin(COPPER_BGR), shaded, scratched, *cored)).stands_out < 1.6).all()


def test_both_are_asked_whether_there_is_a_dot():
    dots = dots_of(crops(coin(SILVER_BGR), with_disc(coin(SILVER_BGR), PAINT_BGR["red"], 0.4)))
    unsure, sure_of_none = np.repeat(net(none=0.8), 2, axis=0), np.repeat(net(none=0.9999), 2, axis=0)
    assert owner_probs(unsure, dots)[0, BARE] > 0.97
    assert owner_probs(unsure, dots)[1, RED] > 0.75
    assert owner_probs(unsure, dots)[1, BARE] < owner_probs(sure_of_none, dots)[1, BARE]


def test_the_players_colours_are_likelier_than_others():
    dots = dots_of(crops(with_disc(coin(SILVER_BGR), (40, 170, 235), 0.4)))
    says = net(yellow=0.45, orange=0.45)
    one, other = (owner_probs(says, dots, (colour,))[0] for colour in ("yellow", "orange"))
    assert one[OWNERS.index("yellow")] > other[OWNERS.index("yellow")]
    assert np.isclose(one.sum(), 1)


def test_no_coins_have_no_dots():
    none = dots_of(np.zeros((0, CROP_PX, CROP_PX, 3), np.uint8))
    assert owner_probs(np.zeros((0, len(OWNERS))), none).shape == (0, len(OWNERS))


def test_a_clear_dot_is_one_though_the_net_sees_none():
    white = dots_of(crops(with_disc(coin(SILVER_BGR), (195, 196, 198), 0.4, 0.12, -0.12)))
    assert 1.6 < white.stands_out[0] < 3
    assert owner_probs(net(none=0.99), white)[0, BARE] < 0.5


def test_of_a_dot_that_the_net_does_not_see_it_need_not_know_the_colour():
    red = dots_of(crops(with_disc(coin(SILVER_BGR), PAINT_BGR["red"], 0.4)))
    assert OWNERS[owner_probs(net(none=0.98, tan=0.0199), red)[0].argmax()] == "red"
    assert OWNERS[owner_probs(net(none=0.02, orange=0.97), red)[0].argmax()] == "orange"


def test_a_dot_is_painted_over_with_the_metal_round_it_and_nothing_else_is():
    bare = coin(SILVER_BGR, grain=0.0)
    dotted = crops(with_disc(bare.copy(), PAINT_BGR["black"], 0.33, 0.12, 0.0))
    painted = painted_over(dotted, dots_of(dotted))[0].astype(int)
    assert np.abs(painted - bare).max() <= 3


def test_nothing_is_painted_over_where_there_are_no_crops():
    none = np.zeros((0, CROP_PX, CROP_PX, 3), np.uint8)
    assert len(painted_over(none, dots_of(none))) == 0

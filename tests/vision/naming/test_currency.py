import numpy as np
import pytest

from models.coins import CLASSES, DIAMETER_MM
from vision.naming.currency import name_coins


def looks_of(groups, sure=0.9):
    """Log probabilities of a classifier that sees metal and shape only: one group of classes for each coin."""
    rows = np.full((len(groups), len(CLASSES) + 1), (1 - sure) / len(CLASSES))
    for row, group in zip(rows, groups, strict=True):
        row[[CLASSES.index(cls) for cls in group]] = sure / len(group)
    return np.log(rows / rows.sum(axis=1, keepdims=True))


COPPER = ("gbp-1p", "gbp-2p", "eur-1c", "eur-2c", "eur-5c", "usd-1c")
SILVER = ("gbp-5p", "gbp-10p", "usd-5c", "usd-10c", "usd-25c", "usd-50c", "usd-1-silver")
GOLD = ("eur-10c", "eur-20c", "eur-50c", "usd-1")


def named(classes, scale=0.99, expected=None, sure=0.9):
    groups = [next((group for group in (COPPER, SILVER, GOLD) if cls in group), (cls,)) for cls in classes]
    diameters = np.array([DIAMETER_MM[cls] for cls in classes]) * scale
    return name_coins(looks_of(groups, sure), diameters, np.full(len(classes), 0.1), expected)


def best(naming):
    return [CLASSES[index] for index in naming.probs[:, :-1].argmax(axis=1)]


@pytest.mark.parametrize("scale", [0.965, 0.99, 1.02])
@pytest.mark.parametrize(
    "classes",
    [
        ("gbp-1p", "gbp-2p", "gbp-5p", "gbp-10p", "gbp-20p", "gbp-2"),
        ("eur-1c", "eur-2c", "eur-5c", "eur-10c", "eur-20c", "eur-50c", "eur-2"),
        ("usd-1c", "usd-5c", "usd-10c", "usd-25c", "usd-50c", "usd-1c"),
    ],
)
def test_metal_size_and_company_name_a_purse_whatever_the_scale(classes, scale):
    naming = named(classes, scale)
    assert best(naming) == list(classes)
    assert abs(naming.scale - scale) < 0.012


def test_company_decides_between_coins_of_one_size():
    assert best(named(("gbp-1p", "gbp-2p", "gbp-2", "gbp-5p")))[3] == "gbp-5p"
    assert best(named(("usd-1c", "usd-5c", "usd-25c", "usd-10c")))[3] == "usd-10c"


def test_alone_a_coin_that_two_currencies_share_stays_unsure_and_a_setup_may_decide():
    alone = named(("usd-10c",))
    dime, five_pence = CLASSES.index("usd-10c"), CLASSES.index("gbp-5p")
    assert alone.probs[0, [dime, five_pence]].max() < 0.75
    told = named(("usd-10c",), expected={"usd": 1.0})
    assert told.probs[0, dime] > 0.9


def test_a_rim_that_swings_seven_times_makes_a_twenty_pence_of_a_nickel():
    looks = looks_of([("usd-5c", "gbp-20p")] * 6)
    size, sigma = np.full(6, 21.3), np.full(6, 0.1)
    uneven = np.full((6, 2), 0.0015)
    for seven, cls in (
        (0.009, "gbp-20p"),
        (0.001, "usd-5c"),
        (0.0, "usd-5c"),
    ):  # no swing at all is the roundest of all
        swing = np.column_stack([np.full(6, seven), np.full(6, 0.001)])
        assert set(best(name_coins(looks, size, sigma, sides=(swing, uneven)))) == {cls}


def test_a_rim_that_swings_twelve_times_makes_a_pound_of_a_euro():
    looks, size, sigma = looks_of([("gbp-1", "eur-1")] * 3), np.full(3, 23.3), np.full(3, 0.1)
    uneven = np.full((3, 2), 0.0007)
    for twelve, cls in ((0.0025, "gbp-1"), (0.0005, "eur-1")):
        swing = np.column_stack([np.full(3, 0.001), np.full(3, twelve)])
        assert set(best(name_coins(looks, size, sigma, sides=(swing, uneven)))) == {cls}


def test_a_rim_as_uneven_as_its_swing_says_nothing_of_sides():
    looks, size, sigma = looks_of([("usd-5c", "gbp-20p")]), np.array([21.3]), np.array([0.1])
    plain = name_coins(looks, size, sigma).probs
    uneven = name_coins(looks, size, sigma, sides=(np.array([[0.009, 0.003]]), np.ones((1, 2)))).probs
    assert np.allclose(plain, uneven, atol=0.03)


def test_relief_cannot_tell_a_coin_never_photographed_from_one_that_was():
    looks, size, sigma = looks_of([("gbp-5p",)], sure=0.999), np.array([17.95]), np.array([0.1])
    probs = name_coins(looks, size, sigma).probs[0]
    assert probs[CLASSES.index("usd-10c")] > 0.3
    assert name_coins(looks, size, sigma, {"gbp": 1.0}).probs[0, CLASSES.index("gbp-5p")] > 0.9


def test_forty_of_a_kind_are_not_forty_witnesses():
    def two_cents(count):
        looks = looks_of([("eur-2c", "eur-2c", "gbp-1p")] * count, sure=0.8)
        return name_coins(looks, np.full(count, 19.4), np.full(count, 0.1)).currency

    many, one = two_cents(40), two_cents(1)
    odds = [values[1] / values[0] for values in (many, one)]
    assert odds[0] < odds[1] ** 7  # the root of forty, not forty


def test_one_stranger_does_not_make_a_purse_a_mixture():
    purse = ("eur-1c", "eur-2c", "eur-5c", "eur-10c", "eur-20c", "eur-50c", "eur-2")
    assert named((*purse, "usd-1-silver"), scale=1.0).currency[1] > 0.9


def test_a_round_gold_coin_of_the_old_size_is_a_pound_among_british_coins():
    coins = looks_of([(cls,) for cls in ("gbp-2p", "gbp-10p", "gbp-50p", "gbp-2")] + [GOLD])
    size = np.array([DIAMETER_MM[cls] for cls in ("gbp-2p", "gbp-10p", "gbp-50p", "gbp-2")] + [22.5])
    assert best(name_coins(coins, size, np.full(5, 0.1)))[-1] == "gbp-1"


def test_neighbours_tell_how_far_off_the_plane_is_at_a_coin():
    near = [(20.0 * i, 0.0) for i in range(6)]
    far = [(500.0 + 20.0 * i, 0.0) for i in range(6)]
    classes = ["eur-1c", "eur-2", "eur-5c", "eur-1", "eur-2", "eur-20c"] * 2
    looks = looks_of([GOLD if cls in GOLD else (cls,) for cls in classes])
    size = np.array([DIAMETER_MM[cls] for cls in classes]) * np.repeat([1.03, 0.97], 6)
    sigma, unit = np.full(12, 0.15), {"eur": 0.98, "gbp": 0.01, "usd": 0.01}
    twenty = CLASSES.index("eur-20c")
    alone = name_coins(looks, size, sigma, unit).probs[[5, 11], twenty]
    together = name_coins(looks, size, sigma, unit, centre_mm=np.array(near + far)).probs[[5, 11], twenty]
    assert alone[0] < 0.5 < 0.7 < together[0]
    assert together[1] > alone[1]


def test_what_looks_like_no_coin_is_none():
    looks = np.full((1, len(CLASSES) + 1), np.log(1e-4))
    looks[0, -1] = np.log(1 - 23e-4)
    assert name_coins(looks, np.array([24.0]), np.array([0.1])).probs[0, -1] > 0.9


def test_probabilities_sum_to_one_and_no_coins_give_none():
    assert np.allclose(named(("eur-1c", "eur-2")).probs.sum(axis=1), 1)
    assert name_coins(np.zeros((0, len(CLASSES) + 1)), np.zeros(0), np.zeros(0)).probs.shape == (0, len(CLASSES) + 1)


EUROS = {"eur": 1.0, "gbp": 0.0, "usd": 0.0, "mixed": 0.0}


def chance_of_five_cents(sure_ones, doubtful):
    """Of the last of some coins that may be five cents by metal and size, or ten, beside some that are surely five."""
    looks = looks_of([("eur-5c",)] * sure_ones + [("eur-5c", "eur-10c")] * doubtful, sure=0.99)
    size = np.array([21.25] * sure_ones + [20.5] * doubtful)
    return float(name_coins(looks, size, np.full(len(size), 0.3), EUROS).probs[-1, CLASSES.index("eur-5c")])


def test_a_coin_in_doubt_is_rather_what_the_others_of_its_table_surely_are():
    assert chance_of_five_cents(12, 1) > 0.85 > 0.7 > chance_of_five_cents(1, 1)


def test_coins_in_doubt_do_not_talk_one_another_into_a_class():
    alone, many = chance_of_five_cents(0, 1), chance_of_five_cents(0, 20)
    assert abs(np.log(many / (1 - many)) - np.log(alone / (1 - alone))) < np.log(4)

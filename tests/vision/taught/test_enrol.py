from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from shapely import Point, box

from models.coins import CLASSES
from sample_footage.camera import looking_at
from sample_footage.coin import Coin
from sample_footage.film import lit_table
from sample_footage.ground import Ground, View
from sample_footage.light import Light
from sample_footage.sensor import Sensor
from tests.vision.planes import plane_of
from vision.detect.coin.proposals import Proposals
from vision.detection import Detection
from vision.eyes import Eyes
from vision.frame import Frame
from vision.light import srgb
from vision.taught.enrol import NEAR, Enrolled, learned
from vision.taught.recognise import Recogniser
from vision.taught.sample import Sample, plain_pieces, round_pieces, sample_of
from vision.wanted import Wanted

SIZE_MM = (700.0, 500.0)
EYES = Eyes(SIZE_MM, Wanted(frozenset(("coin",))))
# Seen in the second picture: the taught coin twice, and four others.
OTHERS = {(180.0, 150.0): "gbp-2p", (480.0, 320.0): "gbp-10p", (220.0, 330.0): "eur-1", (420.0, 120.0): "usd-1c"}
TAUGHT = ((300.0, 240.0), (380.0, 380.0))


def a_coin(cls, at, face="heads", turn=0.0):
    return Coin(f"{cls}@{at}", cls, at, "none", face, turn, 0.0, 0.4, 3)


def picture(coins, seed):
    camera = looking_at((350, 228, 0), 640.0, 52, 1.0, 0.5, (1280, 720), 900.0)
    view = View(camera, Ground("green-cloth", False, 1), Light(azimuth_deg=60.0 + 20 * seed))
    table = lit_table(view, view.bare(), coins)
    return Frame(Sensor(seed=seed).develop(table, table.shape[:2])), plane_of(camera)


@cache
def taught():
    frame, plane = picture([a_coin("eur-20c", (340.0, 230.0))], 1)
    return learned("token", [round_pieces(frame, plane, EYES.coin_view(frame, plane))])


@cache
def table():
    coins = [a_coin(cls, at, turn=77.0) for at, cls in OTHERS.items()]
    return picture([*coins, *(a_coin("eur-20c", at, turn=40.0 * n + 31) for n, at in enumerate(TAUGHT))], 3)


def named_at(detections, at):
    return next((d.cls for d in detections if np.hypot(*np.subtract(d.position_mm, at)) < 5), None)


def test_a_taught_coin_is_known_again_at_another_turn_and_in_another_light_and_others_keep_their_names():
    frame, plane = table()
    view_of = EYES.coin_view
    plain = EYES.look(frame, plane)
    seen = Recogniser(EYES.look, (taught(),), view_of)(frame, plane)
    assert [named_at(seen, at) for at in TAUGHT] == ["token", "token"]
    assert [named_at(seen, at) for at in OTHERS] == [named_at(plain, at) for at in OTHERS]


def test_a_name_with_a_meaning_is_seen_as_that_class():
    frame, plane = table()
    seen = Recogniser(EYES.look, (taught(),), EYES.coin_view, {"token": "gbp-5p"})(frame, plane)
    assert named_at(seen, TAUGHT[0]) == "gbp-5p"


def test_what_was_taught_is_known_by_eyes_that_look_for_coins_alone():
    eyes = Recogniser(Eyes(SIZE_MM), (taught(),), EYES.coin_view).only(frozenset({"coin"}))
    assert eyes.look.wanted.kinds == {"coin"}
    assert eyes.classes == (taught(),)


def test_a_picture_without_a_piece_or_with_two_different_ones_says_so():
    with pytest.raises(ValueError, match="photo 1: no coin found"):
        learned("token", [[]])
    frame, plane = table()
    with pytest.raises(ValueError, match="photo 2: two different pieces found, at"):
        samples = round_pieces(frame, plane, EYES.coin_view(frame, plane))
        learned("token", [samples[:1], samples])


def test_two_photos_must_show_pieces_of_one_size():
    crop = np.full((48, 48, 3), 90, np.uint8)
    small, large = (Sample("coin", crop, size, (0.0, 0.0)) for size in (18.0, 24.0))
    with pytest.raises(ValueError, match=r"photo 2: two different pieces: 24\.0 mm across here, 18\.0 mm in photo 1"):
        learned("token", [[small], [large]])


def test_a_card_is_learned_by_its_picture():
    rng = np.random.default_rng(3)
    mine, other = (np.kron(rng.integers(0, 255, (6, 4, 3)), np.ones((12, 12, 1))).astype(np.uint8) for _ in range(2))
    known = learned("my-card", [[Sample("card", mine, 75.0, (0.0, 0.0))]])
    near, turned, far = known.distances(np.stack([(mine * 0.9).astype(np.uint8), mine[::-1, ::-1], other]))
    assert near < 1.6
    assert turned < 1.6
    assert far > 3


def a_figure(coat, trousers, ground, seed, lean=0):
    """A man of two paints on a ground of some texture, as `sample_of` cuts him out."""
    rng = np.random.default_rng(seed)
    crop = np.clip(np.array(ground) + rng.normal(0, 9, (72, 48, 1)), 0, 255)
    for (x, y), (w, h), paint in (((24 + lean, 22), (6, 8), coat), ((24 + lean, 36), (9, 10), coat)):
        cv2.ellipse(crop, (x, y), (w, h), 0, 0, 360, paint, -1)
    cv2.rectangle(crop, (19, 44), (29, 71), trousers, -1)
    return (crop * rng.uniform(0.9, 1.1)).astype(np.uint8)


@pytest.mark.parametrize("light", [(0.7, 0.9, 1.05), (1.1, 1.0, 0.8), (0.6, 0.6, 0.6)])
def test_a_soldier_is_known_in_warm_cool_and_dim_light_and_one_in_other_paint_is_not(light):
    red, white, blue, green = (40, 40, 180), (190, 195, 200), (170, 90, 40), (60, 110, 50)
    known = learned("officer", [[Sample("soldier", a_figure(red, white, green, 1), 17.0, (0.0, 0.0))]])

    def is_known(coat, seed):
        seen = np.clip(a_figure(coat, white, green, seed, 2) * np.asarray(light), 0, 255).astype(np.uint8)
        return known.is_near(known.away(Sample("soldier", seen, 17.0, (0.0, 0.0))))

    assert is_known(red, 2)
    assert not is_known(blue, 3)


def test_a_soldier_is_known_by_his_paint_on_any_ground():
    red, blue, white, green, wood = (40, 40, 180), (170, 70, 30), (220, 220, 220), (60, 110, 50), (90, 130, 170)
    known = learned("officer", [[Sample("soldier", a_figure(red, white, green, 1), 17.0, (0.0, 0.0))]])
    again, other, ground = known.distances(
        np.stack([a_figure(red, white, wood, 2, 2), a_figure(blue, white, green, 3), a_figure(wood, wood, green, 4)])
    )
    assert again < NEAR
    assert min(other, ground) > 1.5 * NEAR


def test_how_large_a_base_is_is_known_less_well_than_a_coin():
    crop = a_figure((40, 40, 180), (40, 40, 180), (60, 110, 50), 5)
    man, coin = (
        (lambda size_mm: Sample("soldier", crop, size_mm, (0.0, 0.0))),
        (lambda size_mm: Sample("coin", crop[:48], size_mm, (0.0, 0.0))),
    )
    assert learned("officer", [[man(17.0)]]).may_be(man(20.0))
    assert not learned("token", [[coin(17.0)]]).may_be(coin(18.0))


def test_the_grain_of_a_table_is_no_piece_to_learn_but_may_be_one_that_is_known(monkeypatch):
    """Half a rim in the wood was learned as a piece, or said to be a second one beside the piece (seed 170140)."""
    frame, view = two_circles(monkeypatch, heat=(0.9, 0.15), support=(1.0, 0.52))
    assert [len(pieces(frame, None, view)) for pieces in (round_pieces, plain_pieces)] == [2, 1]


def test_a_counter_that_the_net_takes_for_no_coin_is_a_piece_where_it_stands_out(monkeypatch):
    """Two in three of coloured card could not be taught: "no coin found"."""
    rows, columns = np.mgrid[:48, :48] - 23.5
    counter = np.where((np.hypot(rows, columns) < 0.8 * 24)[..., None], (30, 30, 30), (110, 140, 180))
    grain = np.full((48, 48, 3), (110, 140, 180))
    crops = np.stack([counter, grain]).astype(np.uint8)
    frame, view = two_circles(monkeypatch, heat=(0.08, 0.07), support=(0.65, 0.65), crops=crops)
    for pieces in (round_pieces, plain_pieces):
        assert [piece.position_mm for piece in pieces(frame, None, view)] == [(300.0, 220.0)]
    (learned_from,) = plain_pieces(frame, None, view)
    assert not learned_from.is_whole


def test_a_counter_beside_a_coin_is_a_second_piece(monkeypatch):
    """Of a photo that shows both the coin was learned as the counter, without a word."""
    rows, columns = np.mgrid[:48, :48] - 23.5
    disc = np.where((np.hypot(rows, columns) < 0.8 * 24)[..., None], (50, 130, 60), (110, 140, 180)).astype(np.uint8)
    frame, view = two_circles(monkeypatch, heat=(0.9, 0.08), support=(1.0, 0.95), crops=np.stack([disc, disc]))
    assert len(plain_pieces(frame, None, view)) == 2


def two_circles(monkeypatch, heat, support, crops=None):
    """A frame and a view in which the nets see two circles, their rims seen and the crops as told."""
    centre, radius = np.array([[300.0, 220.0], [520.0, 190.0]]), np.array([12.0, 12.9])
    crops = np.zeros((2, 48, 48, 3), np.uint8) if crops is None else crops

    def of(told, at):
        return np.array([told[int(x > 400)] for x, _ in at], np.asarray(told).dtype).reshape(-1, *np.shape(told)[1:])

    def rims(image, plane, at, radius_mm, *_, **__):
        sigma = 0.02 * radius_mm
        return SimpleNamespace(centre_mm=at, radius_mm=radius_mm, radius_sigma_mm=sigma, support=of(support, at))

    monkeypatch.setattr("vision.taught.rounds.propose", lambda *_: Proposals(centre, radius, np.array(heat)))
    monkeypatch.setattr("vision.taught.rounds.look_at_rims", rims)
    monkeypatch.setattr("vision.taught.rounds.fit_rims", rims)
    monkeypatch.setattr(
        "vision.taught.sample.blur_px", lambda image, plane, circles, height_mm: np.zeros(len(height_mm))
    )
    for module in ("rounds", "sample"):
        monkeypatch.setattr(f"vision.taught.{module}.crops_of", lambda image, plane, at, *_: of(crops, at))
    return Frame(np.zeros((8, 8, 3), np.uint8)), SimpleNamespace(table_mm=(700.0, 500.0))


@pytest.mark.parametrize(
    ("said", "other", "are_one"),
    [
        (("8C",), ("3D",), False),
        (("8C",), ("8C",), True),
        (("8C",), (), True),
        (("8C",), None, True),
        (("8C", "8S"), ("8S",), True),
    ],
)
def test_cards_that_the_eyes_read_as_two_are_two_whatever_they_look_like(said, other, are_one):
    """An eight of clubs and a three of diamonds of one's own could not be taught both."""
    crop = np.full((72, 48, 3), 200, np.uint8)
    one, two = (Enrolled(name, "card", 75.0, (crop,), read) for name, read in (("eight", said), ("three", other)))
    assert one.is_like(two) == two.is_like(one) == are_one


class SoFar(Enrolled):
    """A taught coin from which every piece is so many spreads, and for which the eyes may take any coin."""

    doubles = frozenset(CLASSES)
    has_twins = True

    def away(self, sample):
        return self.size_mm / 10

    def may_be(self, sample):
        return True


class SoFarAndAlone(SoFar):
    """One that no known coin is like."""

    has_twins = False


def a_seen_coin(chances, x):
    cls = max(chances, key=chances.__getitem__) if max(chances.values()) > 0.9 else "unknown"
    logs = {cls: float(np.log(chance)) for cls, chance in chances.items()}
    spot = Point(x, 100.0).buffer(10.0)
    return Detection("coin", cls, (x, 100.0), spot, 0.2, 0.9, (x, 100.0), class_log_probs=logs)


DOUBTFUL = {"usd-25c": 0.4, "gbp-10p": 0.3, "eur-50c": 0.3}


def called_among(others, known, chances=DOUBTFUL):
    """What a coin is called, among others, by one who was taught `known`."""
    return called_among_all(others, (known,), chances)


def called_among_all(others, known, chances=DOUBTFUL, meaning=None):
    doubtful = a_seen_coin(chances, 50.0)
    seen = [doubtful, *(a_seen_coin({cls: 0.99}, 200.0 + 50 * n) for n, cls in enumerate(others))]
    rounds = [Sample("coin", np.zeros((48, 48, 3), np.uint8), 24.0, doubtful.position_mm)]
    eyes = Recogniser(lambda *_: (), known, EYES.coin_view, meaning or {})
    return eyes.named(seen, None, None, rounds)[0].cls


def test_among_coins_of_several_currencies_a_taught_name_takes_a_nearer_look():
    """A cent passed for the penny that was taught: on a table full of coins like them 4.3 % bore such names."""
    near, fair, far = (SoFar("token", "coin", 10 * away, ()) for away in (0.8, 1.4, 2.0))
    one, several = ("gbp-1p", "gbp-2p", "gbp-5p"), ("gbp-1p", "eur-2", "usd-5c")
    assert [called_among(one, known) for known in (near, fair, far)] == ["token", "token", "unknown"]
    assert [called_among(several, known) for known in (near, fair, far)] == ["token", "unknown", "unknown"]
    # So does one that the eyes name.
    penny = {"gbp-1p": 0.99}
    assert [called_among(one, known, penny) for known in (near, fair, far)] == ["token", "gbp-1p", "gbp-1p"]


def test_what_has_no_twins_among_known_coins_may_look_a_little_otherwise_on_any_table():
    """A nearer look was asked of every piece: on tables of three currencies 40 % of the taught ones had no name."""
    near, fair, far = (SoFarAndAlone("token", "coin", 10 * away, ()) for away in (0.8, 1.4, 2.0))
    several = ("gbp-1p", "eur-2", "usd-5c")
    assert [called_among(several, known) for known in (near, fair, far)] == ["token", "token", "unknown"]


def of_tint(red, blue, size_mm):
    """A taught disc whose border shows such logarithms of red and of blue over green."""
    green = 0.35
    light = np.array([green * np.exp(blue), green, green * np.exp(red)])
    return Enrolled("token", "coin", size_mm, (np.full((48, 48, 3), srgb.level(light)).astype(np.uint8),))


@pytest.mark.parametrize(
    ("red", "blue", "size_mm", "has_twins"),
    [
        (0.12, -0.22, 17.95, True),  # silver, as wide as a dime and a five pence
        (0.12, -0.22, 33.0, False),  # silver, wider than any
        (0.72, -0.59, 18.9, True),  # copper, as wide as two cents of the euro and a cent
        (0.72, -0.59, 23.4, False),  # copper, as wide as a pound, which is none
        (-1.2, 1.0, 18.0, False),  # blue card
    ],
)
def test_what_a_known_coin_is_like_has_twins(red, blue, size_mm, has_twins):
    assert of_tint(red, blue, size_mm).has_twins == has_twins


def test_what_a_coin_is_larger_or_smaller_counts_beside_its_look():
    crop = np.random.default_rng(2).integers(60, 200, (48, 48, 3)).astype(np.uint8)
    token = learned("token", [[Sample("coin", crop, 20.0, (0.0, 0.0))]])
    same, larger = (token.away(Sample("coin", crop, size, (0.0, 0.0))) for size in (20.0, 20.9))
    assert larger**2 - same**2 == pytest.approx((np.log(1.045) / 0.03) ** 2)


def test_a_foreign_coin_that_was_taught_is_known_where_the_currency_is_told():
    """The eyes took it for the euro coin most like it, and the name was refused: of photographed coins every second."""
    others = [a_coin(cls, at) for at, cls in {(180.0, 150.0): "eur-2", (480.0, 320.0): "eur-1"}.items()]
    frame, plane = picture([*others, a_coin("gbp-1p", (300.0, 240.0), turn=31.0)], 2)
    alone, flat = picture([a_coin("gbp-1p", (340.0, 230.0))], 1)
    known = learned("token", [round_pieces(alone, flat, EYES.coin_view(alone, flat))])
    eyes = Eyes(SIZE_MM, Wanted(frozenset(("coin",)), {"gbp": 0.0003, "eur": 0.999, "usd": 0.0003, "mixed": 0.0004}))
    plain = eyes.look(frame, plane)
    assert named_at(plain, (300.0, 240.0)).startswith("eur")
    seen = Recogniser(eyes.look, (known,), eyes.coin_view)(frame, plane)
    places = (300.0, 240.0), (180.0, 150.0), (480.0, 320.0)
    assert [named_at(seen, at) for at in places] == ["token", "eur-2", "eur-1"]


def test_what_may_be_either_of_two_taught_pieces_is_unknown_and_no_other_coin():
    """Taught under two names it was surely a pound."""
    near, also, far = (SoFar(name, "coin", 10 * away, ()) for name, away in (("a", 0.8), ("b", 0.85), ("c", 1.05)))
    one, penny = ("gbp-1p", "gbp-2p", "gbp-5p"), {"gbp-1p": 0.99}
    assert called_among_all(one, (near, also), penny) == "unknown"
    assert called_among_all(one, (near, far), penny) == "a"
    assert called_among_all(one, (near, also), penny, {"a": "gbp-5p", "b": "gbp-5p"}) == "gbp-5p"


def test_a_counter_that_may_be_either_of_two_is_seen_as_unknown():
    """No coin to the eyes, it was not there at all."""
    near, also = (SoFar(name, "coin", 10 * away, ()) for name, away in (("a", 0.8), ("b", 0.85)))
    frame, plane = table()
    rounds = [Sample("coin", np.zeros((48, 48, 3), np.uint8), 24.0, (50.0, 100.0))]
    (seen,) = Recogniser(lambda *_: (), (near, also), EYES.coin_view).named((), frame, plane, rounds)
    assert seen.cls == "unknown"


def test_a_taught_coin_on_a_pile_is_that_one_and_not_another_beside_it():
    """From 40 degrees above, a token on two coins was told as a nameless coin, and as a token 7 mm behind it."""
    top = replace(a_seen_coin(DOUBTFUL, 50.0), elevation_mm=5.4, lean=(0.0, -1.3))
    rounds = [Sample("coin", np.zeros((48, 48, 3), np.uint8), 24.0, (50.0, 107.0))]
    (seen,) = Recogniser(lambda *_: (), (SoFar("token", "coin", 8.0, ()),), EYES.coin_view).named(
        (top,), *table(), rounds
    )
    assert (seen.cls, seen.position_mm) == ("token", (50.0, 100.0))


def test_a_cards_two_sides_are_told():
    card = Detection("card", "QD", (100.0, 100.0), box(50, 70, 138.9, 133.5), 0.2, 0.9, (100.0, 100.0))
    frame, plane = table()
    assert sample_of(frame, plane, card).sides_mm == pytest.approx((88.9, 63.5))

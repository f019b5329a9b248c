"""A lamp's glow creeps over a coin: what changed where nothing moved is light, and the coin lies there still."""

from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
import pytest
from shapely import Point

from rules.scene import UNKNOWN
from tests.vision.test_observe import PICTURES_A_SECOND, SIZE_PX, START, Film, Table, places, px_at, straight_down
from vision.detection import Detection
from vision.frame import Frame
from vision.motion.by_light import ByLight
from vision.motion.change import Change, ChangeGate, shrunk

COIN = "gbp-10p"
AT_MM = START[COIN]
SEEN = Detection("coin", COIN, AT_MM, Point(AT_MM).buffer(12.25), 0.1, 0.99, (0, 0), owner="red")
# Levels that the glow adds in its middle, and how far it spreads, px. The eyes see no coin in more than so much of it.
BRIGHT, SPREAD_PX, HIDES = 70.0, 25.0, 30.0


def glow(levels: float) -> np.ndarray:
    """What a lamp's mirror image adds to a picture, on the coin."""
    spot = np.zeros(SIZE_PX[::-1], np.float32)
    spot[px_at(*AT_MM)[::-1]] = 1.0
    spot = cv2.GaussianBlur(spot, (0, 0), SPREAD_PX)
    return np.rint(levels * spot / spot.max()).astype(np.uint8)


@dataclass
class Lit(Table):
    """The drawn table in the glow, in which the eyes see another player's coin or none."""

    levels: float = 0.0
    misread: bool = False
    misread_as: str = COIN

    def image(self) -> np.ndarray:
        return cv2.add(super().image(), cv2.merge([glow(self.levels)] * 3))

    def look(self, *at) -> tuple[Detection, ...]:
        blinded = self.levels > HIDES
        coins = super().look(*at)
        if self.misread:
            other = partial(replace, cls=self.misread_as, owner="blue")
            return tuple(other(one) if blinded and one.cls == COIN else one for one in coins)
        return tuple(one for one in coins if not (blinded and one.cls == COIN))


def filmed(table: Lit) -> Film:
    film = Film()
    film.table, film.observer.look = table, table.look
    film.run(1.0)
    return film


def creep(film: Film, levels: float) -> None:
    """The glow grows or fades to so many levels within four seconds."""
    steps = 4 * PICTURES_A_SECOND
    for between in np.linspace(film.table.levels, levels, steps + 1)[1:]:
        film.table.levels = float(between)
        film.run(1 / PICTURES_A_SECOND)
    film.run(1.0)


def test_a_coin_over_which_a_glow_creeps_is_there_though_the_eyes_miss_it() -> None:
    film = filmed(Lit())
    creep(film, BRIGHT)
    assert places(film.run(0.5)[-1]) == {"c1": START["gbp-10p"], "c2": START["gbp-5p"]}
    creep(film, 0.0)
    assert places(film.run(0.5)[-1]) == {"c1": START["gbp-10p"], "c2": START["gbp-5p"]}


def test_nor_is_it_another_players_who_put_one_there_unseen() -> None:
    film = filmed(Lit(misread=True))
    creep(film, BRIGHT)
    assert {piece.id: piece.owner for piece in film.run(0.5)[-1].scene} == {"c1": "red", "c2": "red"}


def test_what_the_glow_had_misread_is_read_as_it_leaves_and_is_the_same_coin() -> None:
    film = filmed(Lit(levels=BRIGHT, misread=True))
    owners = {piece.id: piece.owner for piece in film.run(0.5)[-1].scene}
    creep(film, 0.0)
    now = {piece.id: piece.owner for piece in film.run(0.5)[-1].scene}
    assert (owners, now) == ({"c1": "blue", "c2": "red"}, {"c1": "red", "c2": "red"})


def test_a_coin_without_a_name_is_there_too_and_gets_its_name_as_the_glow_leaves() -> None:
    film = filmed(Lit(levels=BRIGHT, misread=True, misread_as=UNKNOWN))
    film.table.misread = False
    creep(film, 1.5 * BRIGHT)
    assert {piece.id: piece.cls for piece in film.run(0.5)[-1].scene} == {"c1": UNKNOWN, "c2": "gbp-5p"}
    film.table.misread = True
    creep(film, 0.0)
    assert {piece.id: piece.cls for piece in film.run(0.5)[-1].scene} == {"c1": COIN, "c2": "gbp-5p"}


def test_a_coin_that_a_hand_took_out_of_the_glow_is_gone() -> None:
    film = filmed(Lit())
    creep(film, BRIGHT)
    film.table.arm = 0.4
    film.run(1.0)
    del film.table.places[COIN]
    film.table.arm = 0.0
    assert places(film.run(2.0)[-1]) == {"c2": START["gbp-5p"]}


def test_a_coin_that_shows_once_the_glow_has_left_lay_there_before() -> None:
    film = filmed(Lit(levels=BRIGHT))
    assert places(film.run(0.5)[-1]) == {"c1": START["gbp-5p"]}
    creep(film, 0.0)
    [found] = [piece for piece in film.run(0.5)[-1].scene if piece.cls == COIN]
    assert found.came_in_sight


def test_one_that_a_hand_put_there_did_not() -> None:
    film = filmed(Lit(places={"gbp-5p": START["gbp-5p"]}))
    film.table.arm = 0.4
    film.run(1.0)
    film.table.places[COIN], film.table.arm = AT_MM, 0.0
    [found] = [piece for piece in film.run(2.0)[-1].scene if piece.cls == COIN]
    assert not found.came_in_sight


def pictures(*levels: float) -> list[np.ndarray]:
    return [Lit(levels=each).image() for each in levels]


def seen_by(by_light: ByLight, t_s: float, *, is_dim: bool = False, moves: bool = False) -> None:
    image = np.zeros((*SIZE_PX[::-1], 3), np.uint8)
    gate = ChangeGate().seen(Frame(image, 0, t_s - 0.2, "test"))[0]
    if moves:
        image = cv2.circle(image.copy(), px_at(*AT_MM), 30, (200, 200, 200), -1)
    by_light.see(gate.seen(Frame(image, 1, t_s, "test"))[1], PLANE, t_s, is_dim=is_dim)


PLANE = straight_down()


def test_light_alone_changed_what_lay_still_since() -> None:
    by_light = ByLight()
    seen_by(by_light, 1.0, moves=True)
    light_alone = by_light.between(*pictures(0.0, 60.0))
    assert light_alone(SEEN, 1.0)
    assert not light_alone(SEEN, 0.5)


def test_it_is_told_whether_the_glow_came_or_left() -> None:
    by_light = ByLight()
    seen_by(by_light, 1.0)
    bright, dark = pictures(60.0, 0.0)
    assert [by_light.between(*each)(SEEN, 0.5) for each in ((dark, bright), (bright, dark))] == ["more", "less"]


def test_in_the_dark_anything_may_have_moved() -> None:
    by_light = ByLight()
    seen_by(by_light, 1.0)
    assert by_light.between(*pictures(0.0, 60.0))(SEEN, 0.5)
    seen_by(by_light, 2.0, is_dim=True)
    assert not by_light.between(*pictures(0.0, 60.0))(SEEN, 0.5)


def test_what_is_gone_and_left_its_surroundings_as_they_were_is_no_light() -> None:
    by_light = ByLight()
    seen_by(by_light, 1.0)
    taken = Lit(places={}).image()
    assert not by_light.between(pictures(0.0)[0], taken)(SEEN, 0.5)


def test_a_table_is_dim_by_half_of_its_light() -> None:
    lit, gate = Table().image(), ChangeGate().agreeing(Frame(Table().image(), 0, 0.0, "test"))
    dim = [gate.seen(Frame(cv2.convertScaleAbs(lit, alpha=alpha), 1, 1.0, "test"))[0].is_dim for alpha in (0.9, 0.3)]
    assert dim == [False, True]


@pytest.mark.filterwarnings("error")
def test_a_coin_beyond_the_picture_of_which_only_the_surroundings_show_is_not_told() -> None:
    """numpy warned on standard error of a median of nothing."""
    plane, picture = straight_down(), np.full((*SIZE_PX[::-1], 3), 100, np.uint8)
    still = np.zeros(shrunk(picture).shape[:2], np.uint8)
    by_light = ByLight()
    by_light.see(Change(still, still, 1.0), plane, 0.0, is_dim=False)
    x_mm, y_mm = plane.to_table(np.array([[0.0, 0.0]]))[0] - (16.0, 40.0)
    beyond = replace(SEEN, position_mm=(x_mm, y_mm), footprint=Point(x_mm, y_mm).buffer(12.25))
    assert not by_light.between(picture, picture)(beyond, 0.0)

"""A coin on which a lamp's mirrored spot falls lies there still; on a ground that was white before it may be taken."""

from dataclasses import replace

import cv2
import numpy as np
from shapely import Point

from tests.vision.test_observe import SIZE_PX, START, Film, Table, places, px_at, straight_down
from vision.detection import Detection
from vision.motion.blown_out import newly_blown_out
from vision.track import Track

AT_MM = (500.0, 300.0)
SEEN = Detection("coin", "gbp-5p", AT_MM, Point(AT_MM).buffer(9), 0.1, 0.99, (0, 0), owner="red")


def table(spot_radius_mm: int) -> np.ndarray:
    image = np.full((*SIZE_PX[::-1], 3), 140, np.uint8)
    return cv2.circle(image, px_at(*AT_MM), spot_radius_mm, (255, 255, 255), -1)


def test_where_a_picture_is_newly_blown_out_around_a_coin_nothing_is_gone() -> None:
    coin, plane = Track("c1", SEEN, 0.0), straight_down()
    bare, spot, small = table(0), table(16), table(11)
    assert newly_blown_out([coin], bare, spot, plane).equals(SEEN.footprint)
    assert newly_blown_out([replace(coin, hidden=True)], spot, spot, plane).equals(SEEN.footprint)
    assert newly_blown_out([coin], bare, small, plane).is_empty
    assert newly_blown_out([coin], spot, spot, plane).is_empty


class Lamp(Table):
    """The drawn table, and a spot of a lamp on the coin, which nobody sees in it."""

    def image(self) -> np.ndarray:
        return cv2.circle(super().image().copy(), px_at(*AT_MM), 16, (255, 255, 255), -1)

    def look(self, *at) -> tuple[Detection, ...]:
        return tuple(seen for seen in super().look(*at) if seen.cls != "gbp-5p")


def test_a_coin_on_which_a_spot_falls_stays_until_it_is_seen_again() -> None:
    film = Film()
    film.run(1.0)
    film.table = Lamp()
    film.observer.look = film.table.look
    assert places(film.run(2.0)[-1]) == {"c1": START["gbp-10p"], "c2": START["gbp-5p"]}
    assert film.observer.tracker.tracks[1].hidden


def test_what_a_pencil_hid_on_a_white_ground_is_gone_that_does_not_show_when_it_is_taken_up() -> None:
    """It stayed in the match for good: the ground around it was white, before and after."""
    hidden, plane = replace(Track("c1", SEEN, 0.0), hidden=True), straight_down()
    bare = table(40)
    pencil = cv2.line(bare.copy(), px_at(430, 300), px_at(570, 300), (30, 170, 220), 12)
    assert newly_blown_out([hidden], pencil, bare, plane).is_empty

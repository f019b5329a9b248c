"""A sheet whose picture is known: what it draws is no piece, and what lies on its drawing still is one."""

import cv2
import numpy as np
import pytest
from shapely import Point, box

from calibration.lens import Lens
from calibration.maps.sheet import Sheet
from calibration.plane import TablePlane
from vision.detection import Detection
from vision.eyes import Eyes
from vision.frame import Frame
from vision.mat.known_print import KnownPrint
from vision.wanted import Wanted

TABLE_MM = (220.0, 160.0)
PX_PER_MM = 5
# A town as a disc 21 mm broad with a white rim, and the middle of a sheet on which nothing is drawn.
TOWNS_MM, BARE_MM = ((50.0, 50.0), (110.0, 110.0), (170.0, 50.0)), (50.0, 120.0)


def px(at_mm):
    return round(at_mm[0] * PX_PER_MM), round((TABLE_MM[1] - at_mm[1]) * PX_PER_MM)


def disc(image, at_mm, radius_mm, bgr):
    cv2.circle(image, px(at_mm), round(radius_mm * PX_PER_MM), bgr, -1, cv2.LINE_AA)


@pytest.fixture(scope="module")
def printed():
    """A dark board with white roads from town to town."""
    image = np.full((round(TABLE_MM[1] * PX_PER_MM), round(TABLE_MM[0] * PX_PER_MM), 3), (34, 42, 29), np.uint8)
    cv2.polylines(image, [np.array([px(at) for at in TOWNS_MM])], True, (240, 244, 244), 12, cv2.LINE_AA)
    for at, bgr in zip(TOWNS_MM, ((40, 40, 200), (60, 170, 50), (30, 190, 230)), strict=True):
        disc(image, at, 10.5, (245, 245, 245))
        disc(image, at, 9.3, bgr)
    return image


@pytest.fixture(scope="module")
def plane():
    """A camera 60 degrees above the table."""
    lens = Lens.measured((1280, 960), np.array([[1500.0, 0, 640], [0, 1500.0, 480], [0, 0, 1]]))
    down = np.radians(60.0)
    away = np.array([[1, 0, 0], [0, -np.sin(down), -np.cos(down)], [0, np.cos(down), -np.sin(down)]])
    eye = np.array([110.0, 80.0 - 420 * np.cos(down), 420 * np.sin(down)])
    return TablePlane.exact(lens, cv2.Rodrigues(away)[0].ravel(), -away @ eye)


def taken(table, plane):
    """A picture of the table, in dim and uneven yellow light."""
    corners_mm = np.array([[0.0, 0.0], [220.0, 0.0], [220.0, 160.0], [0.0, 160.0]])
    here = np.array([px(at) for at in corners_mm], np.float32) - np.float32(0.5)
    homography = cv2.getPerspectiveTransform(here, plane.to_image(corners_mm).astype(np.float32))
    seen = cv2.warpPerspective(table, homography, (1280, 960), flags=cv2.INTER_AREA, borderValue=(120, 140, 150))
    light = np.array([0.6, 0.75, 0.8]) * np.linspace(0.85, 1.0, 1280)[None, :, None]
    noise = np.random.default_rng(3).normal(0, 2, seen.shape)
    return np.clip(seen * light + noise, 0, 255).astype(np.uint8)


def found(plane, at_mm, outline=None, kind="coin"):
    at_px = plane.to_image(np.array([at_mm]))[0]
    shape = outline if outline is not None else Point(at_mm).buffer(10.5)
    return Detection(kind, "unknown", at_mm, shape, 0.3, 0.9, tuple(map(float, at_px)))


def known(printed):
    print_ = KnownPrint.of(Sheet(printed, TABLE_MM))
    assert print_ is not None
    return print_


@pytest.mark.parametrize("kind", ["coin", "die", "match"])
def test_a_printed_town_is_no_piece(printed, plane, kind):
    towns = [found(plane, at, kind=kind) for at in TOWNS_MM]
    assert known(printed).without_printed(towns, taken(printed, plane), plane) == ()


def test_coins_on_towns_and_on_bare_ground_stay(printed, plane):
    table = printed.copy()
    laid = [(TOWNS_MM[0], (90, 130, 170), 10.1), (TOWNS_MM[1], (50, 75, 120), 8.1), (BARE_MM, (60, 66, 62), 9.0)]
    for at, bgr, radius_mm in laid:
        disc(table, at, radius_mm, bgr)
    coins = [found(plane, at, Point(at).buffer(radius_mm)) for at, _, radius_mm in laid]
    kept = known(printed).without_printed([*coins, found(plane, TOWNS_MM[2])], taken(table, plane), plane)
    assert kept == tuple(coins)


def test_a_town_that_shows_around_the_coin_on_it_is_no_second_coin(printed, plane):
    table = printed.copy()
    disc(table, TOWNS_MM[0], 8.1, (50, 75, 120))
    coin, town = found(plane, TOWNS_MM[0], Point(TOWNS_MM[0]).buffer(8.1)), found(plane, TOWNS_MM[0])
    assert known(printed).without_printed([town, coin], taken(table, plane), plane) == (coin,)


def test_a_coin_on_a_larger_one_leaves_both(printed, plane):
    table = printed.copy()
    disc(table, TOWNS_MM[0], 13.0, (60, 85, 125))
    disc(table, TOWNS_MM[0], 8.1, (150, 165, 170))
    pile = [found(plane, TOWNS_MM[0], Point(TOWNS_MM[0]).buffer(radius_mm)) for radius_mm in (13.0, 8.1)]
    assert known(printed).without_printed(pile, taken(table, plane), plane) == tuple(pile)


def test_roads_that_frame_a_card_are_none_though_a_coin_lies_on_them(printed, plane):
    table = printed.copy()
    disc(table, BARE_MM, 10.0, (170, 180, 185))
    coin = found(plane, BARE_MM, Point(BARE_MM).buffer(10.0))
    card = found(plane, (80.0, 90.0), box(35.6, 58.3, 124.5, 121.7), "card")
    assert known(printed).without_printed([coin, card], taken(table, plane), plane) == (coin,)


def test_a_white_card_that_hides_roads_stays(printed, plane):
    table = printed.copy()
    cv2.rectangle(table, px((35.6, 121.7)), px((124.5, 58.3)), (250, 250, 250), -1)
    card = found(plane, (80.0, 90.0), box(35.6, 58.3, 124.5, 121.7), "card")
    assert known(printed).without_printed([card], taken(table, plane), plane) == (card,)


def test_the_eyes_take_printed_towns_for_coins_only_where_the_print_is_not_known(printed, plane):
    frame = Frame(taken(printed, plane))
    eyes = Eyes.packaged(TABLE_MM, Wanted(frozenset({"coin"})))
    assert eyes.look(frame, plane)
    eyes.known_print = known(printed)
    assert eyes.look(frame, plane) == ()


def test_a_sheet_that_is_known_by_its_outline_alone_has_no_print():
    assert KnownPrint.of(Sheet(None, TABLE_MM)) is None

"""Frames: quiet where nothing moves, coins where they were put, light as it was turned."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from sample_footage.block import Block
from sample_footage.camera import looking_at
from sample_footage.coin import Coin
from sample_footage.film import Drawn, Film, lit_table
from sample_footage.gesture import Gesture
from sample_footage.ground import Ground, View, window_of
from sample_footage.light import Light
from sample_footage.map_pdf import picture_pdf
from sample_footage.match_script import ANN, BEN
from sample_footage.sensor import Sensor, to_srgb

CAMERA = looking_at((350, 228, 0), 700, 54, size_px=(640, 360), focal_px=493.0)
COIN = Coin("c", "gbp-2p", (240.0, 150.0), "red")
REACH = Gesture(ANN, 1.0, COIN, (420.0, 300.0))


@pytest.fixture(scope="module")
def film():
    return Film(View(CAMERA, Ground("grey-cloth", False), Light()), Sensor(noise_moving=1.0))


def redness(picture, coin):
    u, v = np.rint(CAMERA.project([coin.top_centre_mm])[0]).astype(int)
    blue, _, red = picture[v, u].astype(int)
    return red - blue


def test_idle_frames_differ_by_noise_only(film):
    first, second = (film.frame(index, 0.0, (COIN,)).astype(int) for index in (0, 1))
    assert 0.5 < (first - second).std() < 2.5 and abs((first - second).mean()) < 0.1


def test_hand_covers_its_way_and_leaves_the_rest_alone(film):
    still = film.frame(0, 0.0, (), [REACH]).astype(int)
    moving = film.frame(0, (REACH.taken_s + REACH.put_s) / 2, (), [REACH]).astype(int)
    changed = np.abs(moving - still).max(axis=2) > 12
    u, v = np.rint(CAMERA.project([(330, 225, 20)])[0]).astype(int)
    assert changed[v - 10 : v + 10, u - 20 : u + 5].mean() > 0.8
    assert changed[:, 480:].mean() < 0.01


def test_a_hand_shows_beside_another_hand_as_it_does_alone(film):
    rests = Gesture(ANN, 0.0, COIN, None, holds=False, hover_s=30.0)
    moves = Gesture(BEN, 5.0, replace(COIN, position_mm=(300.0, 90.0)), (200.0, 330.0))
    t_s = moves.taken_s + 0.3
    both, one, other, still = (
        film.frame(0, t_s, (), reaches).astype(int) for reaches in ([rests, moves], [rests], [moves], [])
    )
    shown = [np.abs(alone - still).max(axis=2) > 25 for alone in (one, other)]
    for alone, here, elsewhere in ((one, shown[0], shown[1]), (other, shown[1], shown[0])):
        only = here & ~cv2.dilate(elsewhere.astype(np.uint8), np.ones((25, 25))).astype(bool)
        assert only.sum() > 3000
        assert (np.abs(both - alone)[only].max(axis=1) > 12).mean() < 0.01


def test_coin_shows_before_and_after_where_it_lies(film):
    put = replace(REACH.held_coin(REACH.put_s), low_mm=0.0)
    assert redness(film.frame(0, 0.0, (COIN,)), COIN) > 60
    after = film.frame(0, REACH.end_s + 1, (put,), [REACH])
    assert redness(after, put) > 60 and redness(after, COIN) < 30


def test_dimmed_light_is_that_share_of_the_light(film):
    full = film.frame(0, 0.0, ()).astype(float)
    film.dim(2 / 3)
    dim = film.frame(0, 0.0, ()).astype(float)
    film.dim(1.0)
    level = np.median(full)
    light = ((level / 255 + 0.055) / 1.055) ** 2.4
    assert np.median(dim) == pytest.approx(255 * (1.055 * (light * 2 / 3) ** (1 / 2.4) - 0.055), abs=1.5)


def test_srgb_curve_at_known_levels():
    assert to_srgb(np.array([0.0, 0.2140, 0.0031], np.float32)) == pytest.approx([0.0, 127.5, 10.2], abs=0.4)


def test_pdf_page_has_the_true_size_and_its_objects_are_found():
    page = picture_pdf(np.full((52, 72, 3), 200, np.uint8), (720.0, 520.0))
    assert b"/MediaBox [0 0 2040.9449 1474.0157]" in page
    start = int(page.rsplit(b"startxref\n", 1)[1].split(b"\n")[0])
    assert page[start : start + 4] == b"xref"
    for number, line in enumerate(page[start:].split(b"\n")[3:8], 1):
        assert page[int(line[:10]) :].startswith(f"{number} 0 obj".encode())


def test_what_is_kept_of_a_table_is_drawn_as_if_anew():
    view = View(CAMERA, Ground("grey-cloth", False), Light())
    bare, drawn = view.bare(), Drawn(view)
    card = Block("k", "card", "7D", (330.0, 240.0), 92.0)
    on_card, beside = replace(COIN, position_mm=(330.0, 240.0), low_mm=0.3), replace(COIN, position_mm=(371.0, 240.0))
    for table in ((card, on_card), (card, beside), (beside, on_card, card)):
        assert np.array_equal(drawn.table(bare, table), lit_table(view, bare, table))


def test_shadow_does_not_end_where_the_picture_is_cut_into_squares():
    view = View(CAMERA, Ground("white", False), Light())
    (_, near), *_ = view.shaded([COIN.solid])
    whole = (0, CAMERA.size_px[1], 0, CAMERA.size_px[0])
    assert near and len(view.shaded([COIN.solid])) < 5
    left, parts = view.left_in(whole, near), np.ones((*CAMERA.size_px[::-1], 3), np.float32)
    for tile, reaching in view.shaded([COIN.solid]):
        parts[window_of(tile)] *= view.left_in(tile, reaching)
    assert abs(left - parts).max() < 2e-3 and parts.min() < 0.7

"""A photographed coin, cut out and laid elsewhere: the same coin there, bare ground where it was."""

from dataclasses import replace

import cv2
import numpy as np

from sample_footage.camera import looking_at
from sample_footage.coin import Coin
from sample_footage.film import lit_table
from sample_footage.ground import linear
from sample_footage.light import Light
from sample_footage.photo_table import PhotoView, cut_coin

CAMERA = looking_at((100, 80, 0), 400, 60, size_px=(640, 480), focal_px=900)
FROM_MM, TO_MM = (70.0, 80.0), (140.0, 95.0)


def photograph(at_mm=FROM_MM):
    """A grey table with a bright coin on it, half of it red."""
    photo = np.full((480, 640, 3), 90, np.uint8)
    coin = Coin("c", "gbp-10p", at_mm)
    turns = np.linspace(0, 2 * np.pi, 60)
    for share, colour in ((1.0, (200, 200, 200)), (0.5, (40, 40, 220))):
        ring = np.column_stack([np.cos(turns), share * np.sin(turns)]) * coin.radius_mm + at_mm
        px = CAMERA.project(np.column_stack([ring, np.full(60, coin.high_mm)]))
        cv2.fillPoly(photo, [np.rint(px).astype(np.int32)], colour, cv2.LINE_AA)
    return photo


def test_a_coin_laid_elsewhere_looks_as_if_it_had_been_photographed_there():
    photo = photograph()
    coin = cut_coin("c", "gbp-10p", FROM_MM, linear(photo), CAMERA)
    view = PhotoView(CAMERA, Light(), photo, [coin], [coin])
    moved = lit_table(view, view.bare(), [replace(coin, position_mm=TO_MM)])
    assert np.abs(moved - linear(photograph(TO_MM))).mean() < 0.002
    there = lit_table(view, view.bare(), [coin])
    assert np.abs(there - linear(photo)).mean() < 0.002


def test_what_does_not_move_stays_as_photographed():
    photo = photograph()
    coins = [cut_coin(f"c{n}", "gbp-10p", at, linear(photo), CAMERA) for n, at in enumerate((FROM_MM, TO_MM))]
    view = PhotoView(CAMERA, Light(), photo, coins, coins[1:])
    u, v = np.rint(CAMERA.project([(*FROM_MM, 0.0)])[0]).astype(int)
    assert np.array_equal(view.bare()[v - 9 : v + 9, u - 9 : u + 9], linear(photo)[v - 9 : v + 9, u - 9 : u + 9])

"""Drawn coins lie where the truth says, measured on the picture against solids projected point by point."""

import math

import cv2
import numpy as np
import pytest

from rules.scene import COIN_DIAMETER_MM
from sample_footage.camera import looking_at
from sample_footage.coin import Coin
from sample_footage.coin_art import outline_radius
from sample_footage.coin_draw import coin_patch
from sample_footage.coin_stock import COIN_STOCK
from sample_footage.light import Light
from sample_footage.match_clip import match_camera
from sample_footage.scene_truth import scene_truth, visible_shares
from sample_footage.shadows import Bar, Disc, occlusion_of, shadow_of


def silhouette_moments(coin, camera):
    """Area and centroid of the solid's outline in the picture, from the hull of both rims."""
    turn = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    ring = np.column_stack(
        [coin.position_mm[0] + coin.radius_mm * np.cos(turn), coin.position_mm[1] + coin.radius_mm * np.sin(turn)]
    )
    px = camera.project(np.vstack([np.column_stack([ring, np.full(720, z)]) for z in (coin.low_mm, coin.high_mm)]))
    moments = cv2.moments(cv2.convexHull(px.astype(np.float32)))
    return moments["m00"], np.array([moments["m10"], moments["m01"]]) / moments["m00"]


@pytest.mark.parametrize(
    ("cls", "at_mm", "low_mm"),
    [("gbp-2p", (120.0, 80.0), 0.0), ("usd-25c", (610.0, 455.0), 0.0), ("eur-50c", (333.3, 251.7), 6.4)],
)
def test_cover_is_the_projected_solid(cls, at_mm, low_mm):
    camera = match_camera()
    coin = Coin("c", cls, at_mm, low_mm=low_mm)
    patch = coin_patch(coin, camera, Light())
    area, centre = silhouette_moments(coin, camera)
    v, u = np.mgrid[0 : patch.cover.shape[0], 0 : patch.cover.shape[1]]
    found = np.array([np.average(u, weights=patch.cover), np.average(v, weights=patch.cover)]) + patch.corner_px
    assert np.abs(found - centre).max() < 0.03
    assert patch.cover.sum() == pytest.approx(area, rel=0.01)


def test_sticker_is_where_the_top_centre_is():
    camera = match_camera()
    coin = Coin("c", "gbp-10p", (500.0, 120.0), "red", turn_deg=77.0)
    patch = coin_patch(coin, camera, Light())
    red = patch.colour[..., 2] > 3 * patch.colour[..., 0] + 0.02
    v, u = np.nonzero(red)
    found = np.array([u.mean(), v.mean()]) + patch.corner_px
    assert np.hypot(*(found - camera.project([coin.top_centre_mm])[0])) < 0.25


def test_stock_covers_every_class():
    assert set(COIN_STOCK) == set(COIN_DIAMETER_MM)
    assert all(1.2 < stock.thickness_mm < 3 for stock in COIN_STOCK.values())


def test_seven_sides_have_one_width():
    turn = np.linspace(0, 2 * np.pi, 20001)
    x, y = (outline_radius(COIN_STOCK["gbp-50p"], turn) * f(turn) for f in (np.cos, np.sin))
    widths = [np.ptp(x * np.cos(a) + y * np.sin(a)) for a in np.linspace(0, np.pi, 50)]
    assert min(widths) == pytest.approx(2.0, abs=1e-3) and max(widths) == pytest.approx(2.0, abs=1e-3)


def test_shadow_falls_away_from_the_lamp_by_height_over_tangent():
    light = Light(azimuth_deg=90.0, elevation_deg=45.0, spread_deg=0.01)
    disc = Disc((0.0, 0.0), 10.0, 0.0, 2.0)
    points = np.array([(0.0, -11.9), (0.0, -12.1), (0.0, 10.1), (10.1, 0.0)])
    assert shadow_of([disc], points, 0.0, light).tolist() == [1.0, 0.0, 0.0, 0.0]
    assert shadow_of([disc], points, 2.0, light).max() == 0.0


def test_corners_beside_a_coin_are_darkest_at_its_foot():
    disc = Disc((0.0, 0.0), 10.0, 0.0, 2.0)
    dark = occlusion_of([disc], np.array([(10.1, 0.0), (12.0, 0.0), (30.0, 0.0)]), 0.0)
    assert dark[0] > dark[1] > dark[2] >= 0 and dark[2] < 1e-3


def test_visible_share_of_a_penny_under_a_bigger_coin():
    camera = looking_at((0, 0, 0), 900, 89.9)
    penny = Coin("penny", "gbp-1p", (0.0, 0.0))
    guard = Coin("guard", "gbp-10p", (12.25, 0.0), low_mm=1.65)
    beside = Coin("beside", "gbp-5p", (60.0, 0.0))
    shares = visible_shares([penny, guard, beside], camera)
    r, big, d = 10.15, 12.25, 12.25
    lens = _lens_area(r, big, d)
    assert shares["penny"] == pytest.approx(1 - lens / (math.pi * r * r), abs=0.02)
    assert shares["guard"] == shares["beside"] == 1.0


def _lens_area(r, s, d):
    """Area common to two circles of radii r and s whose centres lie d apart."""
    a, b = math.acos((d * d + r * r - s * s) / (2 * d * r)), math.acos((d * d + s * s - r * r) / (2 * d * s))
    return r * r * (a - math.sin(2 * a) / 2) + s * s * (b - math.sin(2 * b) / 2)


def test_truth_tells_the_top_centre_in_the_picture():
    camera = match_camera()
    coin = Coin("c", "gbp-2", (640.0, 20.0), "blue", "tails", 30.0, low_mm=1.65, on="d")
    truth = scene_truth([coin], camera, {"c": 0.75}, ["stack"])
    properties = truth["features"][0]["properties"]
    assert properties["image_px"] == pytest.approx(camera.project([(640, 20, 4.15)])[0], abs=1e-3)
    assert (properties["elevation_mm"], properties["on"], properties["visible"]) == (1.65, "d", 0.75)
    ring = truth["features"][0]["geometry"]["coordinates"][0]
    assert ring[0] == ring[-1] and len(ring) == 65


@pytest.mark.parametrize("turn_deg", [0.0, 90.0, 30.0])
def test_shadow_of_a_box_turns_with_it(turn_deg):
    light = Light(azimuth_deg=turn_deg + 90.0, elevation_deg=45.0, spread_deg=0.01)
    bar = Bar((5.0, 7.0), (20.0, 8.0), turn_deg, 0.0, 16.0)
    turn = math.radians(turn_deg)
    own = np.array([(0.0, -23.9), (0.0, -24.1), (19.9, -20.0), (20.1, -20.0), (0.0, 8.1)])
    points = own @ np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]]) + (5.0, 7.0)
    assert shadow_of([bar], points, 0.0, light).tolist() == [1.0, 0.0, 1.0, 0.0, 0.0]
    assert bar.gap_mm(points)[3] == pytest.approx(math.hypot(0.1, 12.0))

import numpy as np
import pytest

from tests.vision.planes import plane_from
from vision.metric.around import circles_px, let_down, unrolled

LENS = (-0.12, 0.03, 0.001, -0.0008, 0.0)


@pytest.mark.parametrize("eye_mm", [(150.0, -300.0, 450.0), (0.0, -60.0, 140.0), (300.0, 100.0, 200.0)])
@pytest.mark.parametrize("rays", [8, 32, 48])
def test_points_around_circles_are_where_projection_puts_them(eye_mm, rays):
    plane = plane_from(eye_mm, (150.0, 100.0), distortion=LENS)
    centre, radius, height = np.array([(150.0, 100.0), (90.0, 130.0)]), np.array([9.0, 17.0]), np.array([1.7, 8.0])
    angles = 2 * np.pi * np.arange(rays) / rays
    spokes = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for index, seen in enumerate(circles_px(plane, centre, radius, height, rays)):
        there = plane.to_image(centre[index] + radius[index] * spokes, height[index])
        assert np.abs(seen - there).max() < 0.01


def test_no_circles_are_no_points():
    plane = plane_from((150.0, -300.0, 450.0), (150.0, 100.0))
    assert circles_px(plane, np.zeros((0, 2)), np.zeros(0), np.zeros(0), 48).shape == (0, 48, 2)


def test_more_circles_than_opencv_takes_at_once_are_unrolled_as_few_are():
    plane = plane_from((200.0, -420.0, 560.0), (200.0, 150.0))
    picture = np.random.default_rng(0).integers(0, 256, (960, 1280, 3), np.uint8)
    rng = np.random.default_rng(1)
    centre, radius = rng.uniform(100, 300, (700, 2)), rng.uniform(8, 14, 700)
    circles = centre, radius, np.full(700, 1.8)
    shares = np.linspace(0.7, 1.3, 12)
    many, _ = unrolled(picture, plane, circles, 48, shares)
    few, _ = unrolled(picture, plane, tuple(each[-5:] for each in circles), 48, shares)
    assert np.array_equal(many[-5:], few)


def test_circles_that_show_large_are_looked_at_in_a_smaller_picture_at_their_own_place():
    plane = plane_from((150.0, 100.0, 150.0), (150.0, 100.0))
    centre, radius = np.array([(150.0, 100.0), (120.0, 90.0)]), np.array([12.0, 10.0])
    v, u = np.mgrid[:960, :1280]
    waves = np.dstack([100 + 80 * np.sin(u / 9), 100 + 80 * np.sin(v / 9), np.full(u.shape, 100.0)])
    striped = np.rint(waves + 20 * (v % 2 * 2 - 1)[..., None]).astype(np.uint8)
    circles = centre, radius, np.full(2, 1.8)
    seen, px_per_step = unrolled(striped, plane, circles, 16, np.linspace(0.6, 1.4, 41))
    # 40 px to the radius: a step of 0.02 radii is 0.8 px; lines of one pixel are gone, the rest lies where it lay: half
    # a pixel aside would be 4 levels.
    assert np.allclose(px_per_step.mean(), 0.8, atol=0.1)
    there = 100 + 80 * np.sin(circles_px(plane, *circles, 16) / 9)
    off = seen[:, :, 20].astype(float) - np.dstack([there, np.full((2, 16), 100)])
    assert np.abs(off).mean() < 3
    assert np.abs(off).max() < 12


def test_a_rim_let_down_shows_the_picture_where_projection_puts_what_lies_below_it():
    plane = plane_from((150.0, -300.0, 450.0), (150.0, 100.0), distortion=LENS)
    v, u = np.mgrid[:960, :1280]
    picture = np.dstack([u / 6, v / 4, np.zeros(u.shape)]).astype(np.uint8)
    centre, radius, height = np.array([(150.0, 100.0), (90.0, 130.0)]), np.array([9.0, 12.0]), np.array([1.85, 6.0])
    rays, below = np.array([[45, 46, 47, 0], [11, 12, 13, 14]]), np.linspace(-2, 12, 15)
    seen, step_px = let_down(picture, plane, (centre, radius, height), rays, 48, below)
    for coin in range(2):
        angles = 2 * np.pi * rays[coin] / 48
        rim = centre[coin] + radius[coin] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        there = np.stack([plane.to_image(rim, height[coin] - each) for each in below], axis=1)
        assert np.abs(seen[coin, ..., :2] - there / (6, 4)).max() < 1.2  # grey levels are cut to whole ones twice
        assert step_px[coin] == pytest.approx(np.linalg.norm(there[2, -1] - there[2, 0]) / 14)

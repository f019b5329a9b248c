"""The generator's camera against the textbook formula, written out."""

import math
from dataclasses import replace

import numpy as np
import pytest

from sample_footage.camera import looking_at
from sample_footage.match_clip import match_camera
from sample_footage.setup_file import setup_toml


def by_hand(camera, point_mm):
    """Brown's model as OpenCV documents it, one point, plain arithmetic."""
    x, y, z = (
        sum(r * p for r, p in zip(row, point_mm, strict=True)) + t
        for row, t in zip(camera.rotation, camera.tvec_mm, strict=True)
    )
    x, y = x / z, y / z
    k1, k2, p1, p2, k3 = camera.distortion
    r2 = x * x + y * y
    radial = 1 + k1 * r2 + k2 * r2**2 + k3 * r2**3
    xd = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
    yd = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
    return camera.focal_px[0] * xd + camera.centre_px[0], camera.focal_px[1] * yd + camera.centre_px[1]


@pytest.mark.parametrize("point_mm", [(0, 0, 0), (700, 0, 0), (350, 250, 2.03), (20, 480, 0), (640, 333, 60)])
def test_projects_as_the_formula_says(point_mm):
    camera = match_camera()
    assert camera.project([point_mm])[0] == pytest.approx(by_hand(camera, point_mm), abs=1e-6)


@pytest.mark.parametrize("height_mm", [0.0, 2.5, 40.0])
def test_a_pixel_comes_back_to_its_point(height_mm):
    camera = match_camera()
    points = np.array([(x, y, height_mm) for x in (0, 350, 700) for y in (0, 250, 500)], float)
    assert np.abs(camera.to_plane(camera.project(points), height_mm) - points[:, :2]).max() < 1e-4


def test_stands_where_it_was_told():
    camera = looking_at((350, 250, 0), 800, 50, azimuth_deg=0)
    assert camera.eye_mm == pytest.approx(
        (350, 250 - 800 * math.cos(math.radians(50)), 800 * math.sin(math.radians(50)))
    )
    u, v = camera.project([(350, 250, 0)])[0]
    assert (u, v) == pytest.approx((959.5, 539.5))


def test_right_is_right_and_away_is_up():
    camera = match_camera()
    left, right, near, far = camera.project([(100, 250, 0), (600, 250, 0), (350, 50, 0), (350, 450, 0)])
    assert left[0] < right[0] and far[1] < near[1]


def test_faces_what_it_shows_and_neither_what_lies_behind_it_nor_what_a_bent_lens_would_fold_back():
    camera = replace(looking_at((350, 250, 0), 800, 50), distortion=(-0.15, 0.0, 0.0, 0.0, 0.0))
    corners = camera.to_plane([(0, 0), (1919, 0), (0, 1079), (1919, 1079)])
    assert camera.faces(np.column_stack([corners, np.zeros(4)])).all()
    seen_so = np.array([(0, 0, -300), (1250, 150, 500)], float)  # behind, and far aside
    places = (seen_so - camera.tvec_mm) @ np.array(camera.rotation)
    assert not camera.faces(places).any()
    u, v = camera.project(places[1:])[0]
    assert 0 < u < 1920 and 0 < v < 1080  # as if it were in the picture


def test_setup_file_repeats_the_camera():
    import tomllib

    camera = match_camera()
    setup = tomllib.loads(setup_toml(camera, [(40.0, 40.0), (660.0, 40.0)]))
    assert setup["camera"]["distortion"] == list(camera.distortion)
    assert [(x, y) for _, _, x, y in setup["calibration"]["points"]] == [(40, 40), (660, 40)]
    for u, v, x, y in setup["calibration"]["points"]:
        assert (u, v) == pytest.approx(by_hand(camera, (x, y, 0)), abs=1e-3)

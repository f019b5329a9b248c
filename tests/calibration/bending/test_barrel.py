"""A wide lens is told by a few bowed lines among many curves; curves alone, and sheets curled one way, tell none."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.bending.barrel import barrel_of
from calibration.bending.plumb_line import bend_of
from calibration.bending.radial import bent, straightened
from calibration.corners.sheet_corners import find_sheet_corners
from calibration.edges.long_edge import LongEdge, long_edges
from calibration.lens import Lens
from calibration.plane import SIGMAS_95
from calibration.table import CalibrationSpec, calibrate_table
from tests.calibration.table_picture import a_camera, shoot

SIZE = (1280, 720)
REACH_PX = float(np.hypot(*SIZE)) / 2
SHEET_MM = (420, 297)
GRID = np.array([[x, y] for x in (20, 210, 400) for y in (20, 150, 277)], float)


def a_wide_lens(k1=-0.28, k2=0.056):
    """A webcam that sees 90 degrees across."""
    focal_px = SIZE[0] / 2
    return Lens.measured(SIZE, [[focal_px, 0, 645], [0, focal_px, 352], [0, 0, 1]], (k1, k2, 0.0, 0.0, 0.0))


def shares(lens):
    q = REACH_PX / lens.matrix[0, 0]
    return np.array([lens.distortion[0] * q**2, lens.distortion[1] * q**4])


def a_side(lens, start, end, rng):
    along = lens.distort(np.array(start) + np.linspace(0, 1, 90)[:, None] * np.subtract(end, start))
    return LongEdge(along + rng.normal(0, 0.08, along.shape), 0.08)


def a_curve(rng, turn=None):
    """A line of grain, or a road."""
    turn = rng.uniform(-np.pi, np.pi) if turn is None else turn + rng.normal(0, 0.1)
    half = rng.uniform(110, 250)
    x = np.linspace(-1, 1, 60)
    curve = half * np.c_[x, rng.normal(0, 0.02) * x**2 + rng.normal(0, 0.02) * x**3]
    way = np.array([np.cos(turn), np.sin(turn)])
    turned = curve @ np.array([way, [-way[1], way[0]]])
    return LongEdge(turned + rng.uniform((250, 150), (1030, 570)) + rng.normal(0, 0.1, turned.shape), 0.1)


def sides(lens, rng):
    """The near, right, far and left side of a sheet, and its frame's, as that lens shows them."""
    outer = np.array([[100, 700], [1180, 720], [1000, 60], [260, 40]], float)
    frame = outer.mean(axis=0) + 0.95 * (outer - outer.mean(axis=0))
    return [a_side(lens, quad[k], quad[(k + 1) % 4], rng) for quad in (outer, frame) for k in range(4)]


@settings(deadline=None, max_examples=15)
@given(st.floats(-0.45, 0.2), st.floats(0.75, 1.0), st.integers(0, 10_000))
def test_what_is_bent_is_straightened(share, undone, seed):
    values = np.array([share, undone * share**2, 0.02, -0.01, 1e-3, -1e-3])
    shown = np.random.default_rng(seed).uniform(-0.65, 0.65, (40, 2))
    assert np.abs(bent(straightened(shown, values), values) - shown).max() < 5e-5


@pytest.mark.parametrize("seed", range(5))
def test_a_sheets_sides_tell_a_wide_lens_among_thrice_as_many_curves(seed):
    rng, lens = np.random.default_rng(seed), a_wide_lens()
    edges = [*sides(lens, rng), *(a_curve(rng) for _ in range(28))]
    bend = bend_of(edges, SIZE)
    assert bend is not None
    assert np.abs(bend.values[:2].sum() - shares(lens).sum()) < 0.01


@pytest.mark.parametrize("seed", range(8))
def test_curves_alone_tell_no_barrel(seed):
    rng = np.random.default_rng(seed)
    turn = None if seed % 2 else 0.1
    assert barrel_of([a_curve(rng, turn) for _ in range(30)], SIZE) is None


def test_lines_that_bow_to_one_side_only_are_a_curled_sheets():
    rng, lens = np.random.default_rng(1), a_wide_lens()
    near = [a_side(lens, (200, 520 + 25 * n), (1080, 520 + 25 * n), rng) for n in range(6)]
    far = [a_side(lens, (200, 60 + 25 * n), (1080, 60 + 25 * n), rng) for n in range(6)]
    assert barrel_of(near, SIZE) is None
    assert barrel_of([*near, *far], SIZE) is not None


def test_straight_lines_through_an_ordinary_lens_are_no_barrel():
    rng = np.random.default_rng(3)
    lens = Lens.measured(SIZE, [[1000, 0, 640], [0, 1000, 360], [0, 0, 1]], (-0.05, 0.0, 0.0, 0.0, 0.0))
    edges = [*sides(lens, rng), *(a_curve(rng) for _ in range(10))]
    assert barrel_of(edges, SIZE) is None or abs(bend_of(edges, SIZE).values[0] - shares(lens)[0]) < 0.02


def on_grain(seed):
    """A sheet of paper in the middle of a large table whose grain runs in waves; 2 texels a mm."""
    rng, (width, height) = np.random.default_rng(seed), (2400, 2000)
    texture = np.full((height, width), 120, np.uint8)
    x = np.arange(0, width, 20)
    for y in range(0, height, 90):
        wave = y + 12 * np.sin(x / rng.uniform(120, 260) + rng.uniform(0, 6)) + rng.normal(0, 0.02) * (x - width / 2)
        stripe = np.round(16 * np.c_[x, wave]).astype(np.int32)
        cv2.polylines(texture, [stripe], False, int(rng.integers(80, 160)), 10, cv2.LINE_AA, 4)
    left, top = (width - 2 * SHEET_MM[0]) // 2, (height - 2 * SHEET_MM[1]) // 2
    texture[top : top + 2 * SHEET_MM[1], left : left + 2 * SHEET_MM[0]] = 215
    right, bottom = left + 2 * SHEET_MM[0], top + 2 * SHEET_MM[1]
    cv2.rectangle(texture, (left + 20, top + 20), (right - 20, bottom - 20), 60, 3)
    return texture


@pytest.mark.parametrize("seed", [0, 1])
def test_a_sheet_on_grain_is_found_and_measured_through_a_wide_lens(seed):
    lens = a_wide_lens()
    camera = a_camera(50, 350, 4, 10, lens=lens, aim_mm=(210, 150))
    corner_mm = ((SHEET_MM[0] - 1200) / 2, (SHEET_MM[1] - 1000) / 2)
    picture = shoot(camera, on_grain(seed), 2, corner_mm, rays=2, seed=seed)
    assert len(long_edges(picture)) > 8
    seen = find_sheet_corners(picture, SHEET_MM, Lens.unknown(SIZE))
    assert np.abs(camera.to_image(seen.table_mm) - seen.image_px).max() < 1.5
    table = np.array([[0, 0], [420, 0], [420, 297], [0, 297]], float)
    points = tuple((*px, *mm) for px, mm in zip(np.round(camera.to_image(table)).tolist(), table.tolist(), strict=True))
    plane = calibrate_table(picture, CalibrationSpec(points=points))
    px = camera.to_image(GRID)
    error_mm = np.hypot(*(plane.to_table(px) - GRID).T)
    assert error_mm.max() < 2
    assert (error_mm < 1.3 * SIGMAS_95 * plane.sigma_mm(px)).all()
    assert abs(plane.lens.distortion[0] - lens.distortion[0]) < 0.05

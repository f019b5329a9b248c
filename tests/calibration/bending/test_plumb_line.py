"""Straight edges tell how an unmeasured lens bends, and nothing where there are none or they are curved themselves."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.bending.plumb_line import bend_of
from calibration.edges.long_edge import LongEdge, long_edges
from calibration.fit.planar import cross
from calibration.plane import SIGMAS_95
from calibration.table import CalibrationSpec, calibrate_table
from tests.calibration.table_picture import a_camera, a_lens, paper, shoot

SIZE = (1280, 720)
REACH_PX = float(np.hypot(*SIZE)) / 2
TABLE = np.array([[0, 0], [420, 0], [420, 297], [0, 297]], float)
GRID = np.array([[x, y] for x in (20, 210, 400) for y in (20, 150, 277)], float)


def straight_lines(lens, rng, count=6, noise_px=0.05):
    """Edges of straight lines through the picture, as a lens shows them."""
    found = []
    for _ in range(count):
        start, end = rng.uniform((60, 40), np.subtract(SIZE, (60, 40)), (2, 2))
        along = lens.distort(start + np.linspace(0, 1, 60)[:, None] * (end - start))
        found.append(LongEdge(along + rng.normal(0, noise_px, along.shape), noise_px))
    return found


def shares(lens):
    q = REACH_PX / lens.matrix[0, 0]
    off_axis = (lens.matrix[:2, 2] - (np.array(SIZE) - 1) / 2) / REACH_PX
    return np.array([lens.distortion[0] * q**2, lens.distortion[1] * q**4, *off_axis, *lens.distortion[2:4] * q])


@settings(deadline=None, max_examples=8)
@given(st.floats(-0.3, 0.2), st.floats(-0.1, 0.1), st.integers(0, 1000))
def test_straight_lines_tell_the_bend_to_what_they_say(k1, k2, seed):
    lens = a_lens(SIZE, (k1, k2, 0.0, 0.0, 0.0))
    bend = bend_of(straight_lines(lens, np.random.default_rng(seed), 10), SIZE)
    assert bend is not None
    off = bend.told - shares(lens)
    assert off @ bend.information @ off < 16
    # What matters is where the points at the picture's corners go.
    assert abs((bend.values - shares(lens))[:2].sum()) < 0.02


def test_the_misfit_is_none_at_the_lens_that_bends_so_and_its_jacobian_is_right():
    lens = a_lens(SIZE, (-0.1, 0.05, 0.0, 0.0, 0.0))
    bend = bend_of(straight_lines(lens, np.random.default_rng(1), 12), SIZE)
    at = lens.parameters + np.array([0.0, 0.0, 5.0, -3.0, 0.01, -0.01, 1e-3, -2e-3, 0.0])
    off, by = bend.misfit(lens.with_parameters(at))
    for k, step in enumerate(np.diag([1e-6, 1e-6, 1e-4, 1e-4, *[1e-6] * 5])):
        numeric = (bend.misfit(lens.with_parameters(at + step))[0] - off) / step[k]
        assert np.allclose(by[:, k], numeric, rtol=1e-3, atol=1e-2)
    right, _ = bend.misfit(lens)
    assert np.abs(right).max() < 4


def test_lines_tell_where_the_axis_of_a_bent_lens_is():
    bent = a_lens(SIZE, (-0.25, 0.05, 0.0, 0.0, 0.0))
    lens = bent.with_parameters(bent.parameters + np.array([0, 0, 25.0, -15.0, 0, 0, 0, 0, 0]))
    bend = bend_of(straight_lines(lens, np.random.default_rng(4), 25, noise_px=0.02), SIZE)
    # Taken as centred, the bend of this lens came out 3 % of half the diagonal off at the corners.
    assert np.abs((bend.values - shares(lens))[2:4] * REACH_PX).max() < 8
    assert np.abs((bend.values - shares(lens))[:2]).max() < 0.01


def test_curved_lines_are_outvoted_and_alone_they_tell_nothing():
    rng, lens = np.random.default_rng(2), a_lens(SIZE, (-0.15, 0.0, 0.0, 0.0, 0.0))
    curved = []
    for _ in range(4):
        x, turn = np.linspace(-250, 250, 60), rng.uniform(0, 3)
        arc = np.c_[x, rng.uniform(4e-4, 9e-4) * rng.choice([-1, 1]) * x**2]
        spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        curved.append(LongEdge(arc @ spin + rng.uniform((350, 300), (930, 420)), 0.05))
    bend = bend_of([*straight_lines(lens, rng, 8), *curved], SIZE)
    assert bend.lines == 8
    assert np.abs((bend.values - shares(lens))[:2].sum()) < 0.01
    assert bend_of(curved, SIZE) is None


@pytest.mark.parametrize("seed", range(6))
def test_lines_of_any_shape_tell_a_lens_or_nothing(seed):
    rng = np.random.default_rng(seed)
    along = np.linspace(-1, 1, 40)[:, None]
    edges = []
    for _ in range(12):
        ways = rng.normal(0, 1, (3, 2)) * [[300], [150], [80]]
        curve = along * ways[0] + along**2 * ways[1] + along**3 * ways[2]
        edges.append(LongEdge(curve + rng.uniform((0, 0), SIZE), 0.1))
    bend = bend_of(edges, SIZE)
    assert bend is None or np.isfinite([*bend.values, *bend.told]).all()


def test_too_few_lines_tell_nothing():
    assert bend_of(straight_lines(a_lens(SIZE), np.random.default_rng(0), 2), SIZE) is None


def test_edges_are_followed_past_what_lies_on_them():
    picture = np.full((720, 1280), 90, np.uint8)
    box = np.array([[200, 150], [1100, 210], [1000, 620], [150, 560]])
    cv2.fillPoly(picture, [box], 190, cv2.LINE_AA)
    cv2.circle(picture, (650, 180), 14, 60, -1, cv2.LINE_AA)
    edges = long_edges(np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8))
    assert len(edges) == 4
    for edge in edges:
        sides = zip(box, np.roll(box, -1, axis=0), strict=True)
        off = [np.abs(cross((b - a) / np.hypot(*(b - a)), edge.points_px - a)) for a, b in sides]
        assert min(np.median(each) for each in off) < 0.8
        assert edge.length_px > 380


@pytest.mark.parametrize("k1", [-0.2, -0.08, 0.0, 0.1])
def test_four_points_and_the_sheets_sides_measure_through_a_bent_lens(k1):
    lens = a_lens(SIZE, (k1, 0.0, 0.0, 0.0, 0.0))
    camera = a_camera(50, 640, 4, 10, lens=lens, aim_mm=(210, 150))
    picture = shoot(camera, paper((420, 297), 3), 3, rays=2, beyond=60)
    points = tuple((*px, *mm) for px, mm in zip(camera.to_image(TABLE).tolist(), TABLE.tolist(), strict=True))
    plane = calibrate_table(picture, CalibrationSpec(points=points))
    px = camera.to_image(GRID)
    error_mm = np.hypot(*(plane.to_table(px) - GRID).T)
    assert error_mm.max() < 0.35
    assert (error_mm < 1.3 * SIGMAS_95 * plane.sigma_mm(px)).all()
    assert not any("do not tell how the lens bends" in note for note in plane.notes)


def test_four_points_in_a_picture_without_edges_state_what_webcams_bend():
    lens = a_lens(SIZE, (0.134, -0.312, 0.0, 0.0, 0.0))
    camera = a_camera(50, 640, lens=lens, aim_mm=(210, 150))
    blank = np.full((720, 1280, 3), 120, np.uint8)
    points = tuple((*px, *mm) for px, mm in zip(camera.to_image(TABLE).tolist(), TABLE.tolist(), strict=True))
    plane = calibrate_table(blank, CalibrationSpec(points=points))
    px = camera.to_image(GRID)
    error_mm = np.hypot(*(plane.to_table(px) - GRID).T)
    assert error_mm.max() > 0.4
    assert (error_mm < SIGMAS_95 * plane.sigma_mm(px)).all()
    assert any("do not tell how the lens bends" in note for note in plane.notes)


def test_edges_of_a_few_points_are_none_in_small_pictures():
    stubs = [
        LongEdge(np.array([(50.0, 40.0 + 9 * n), (56.0, 40.0 + 9 * n), (62.0, 40.0 + 9 * n)]), 0.02) for n in range(8)
    ]
    assert bend_of(stubs, SIZE) is None


def side(start, end, lens, rng):
    """The edge of something straight from place to place, as a lens shows it."""
    along = lens.distort(start + np.linspace(0, 1, 80)[:, None] * np.subtract(end, start))
    return LongEdge(along + rng.normal(0, 0.05, along.shape), 0.05)


def test_the_edges_of_one_rim_are_no_three_lines():
    # A table's rim, light above and dark below its bevel, told three photographs a lens that bent by 0.1 to 0.3.
    rng, lens = np.random.default_rng(3), a_lens(SIZE, (-0.2, 0.0, 0.0, 0.0, 0.0))
    rim = [side((200 + off, 50), (90 + off, 650), lens, rng) for off in (0, 4, 8)]
    crease = [side((1000, 680), (1100, 60), lens, rng), side((1032, 500), (1093, 120), lens, rng)]
    assert bend_of(rim, SIZE) is None
    assert bend_of([*rim, *crease], SIZE) is None
    others = [side((150, 80), (1100, 40), lens, rng), side((60, 640), (1150, 690), lens, rng)]
    bend = bend_of([*rim, *crease, *others], SIZE)
    assert bend.lines == 4
    off = bend.told - shares(lens)
    assert off @ bend.information @ off < 16


def test_lines_that_cross_in_their_middles_are_several():
    rng, lens = np.random.default_rng(4), a_lens(SIZE, (-0.2, 0.0, 0.0, 0.0, 0.0))
    ends = [((80, 200), (1200, 520)), ((90, 500), (1190, 180)), ((100, 60), (1180, 660)), ((640, 40), (660, 690))]
    assert bend_of([side(*each, lens, rng) for each in ends], SIZE).lines == len(ends)

"""The laws of the plane, what it refuses, and whether its stated error holds."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.fit.correspondence import CLICK_SIGMA_PX, MEASURED_SIGMA_PX, Circle, Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.lens import Lens
from calibration.plane import SIGMAS_95, sigma_of
from tests.calibration.table_picture import a_camera, a_lens
from tests.vision.planes import plane_from

SIZE = (1920, 1080)
CORNERS = np.array([[0, 0], [700, 0], [700, 500], [0, 500.0]])
BARREL = (-0.1, 0.02, 0.001, -0.001, 0.003)
RATIONAL = (0.5, 0.2, 0.001, 0.0005, 0.02, 0.6, 0.3, 0.05)

cameras = st.builds(
    a_camera,
    tilt_deg=st.floats(30, 88),
    distance_mm=st.floats(700, 1600),
    roll_deg=st.floats(-20, 20),
    pan_deg=st.floats(-60, 60),
    lens=st.sampled_from([a_lens(), a_lens(distortion=BARREL)]),
)
places = st.lists(st.tuples(st.floats(0, 700), st.floats(0, 500)), min_size=1, max_size=6).map(np.array)


def seen_by(plane, mm, noise_px=0.0, seed=0, height_mm=0.0):
    return plane.to_image(mm, height_mm) + np.random.default_rng(seed).normal(0, noise_px, (len(mm), 2))


@settings(deadline=None, max_examples=40)
@given(cameras, places, st.floats(0, 60))
def test_there_and_back_at_any_height(plane, mm, height_mm):
    there = plane.to_image(mm, height_mm)
    assert np.allclose(plane.to_table(there, height_mm), mm, atol=1e-5)


@settings(deadline=None, max_examples=30)
@given(cameras, st.integers(0, 1000))
def test_four_exact_points_give_the_camera_back(plane, seed):
    fit = fit_plane(Correspondences.of(plane.to_image(CORNERS), CORNERS, sigma_px=0.1), plane.lens, SIZE)
    inside = np.random.default_rng(seed).uniform(0, 1, (5, 2)) * (700, 500)
    assert np.allclose(fit.to_table(plane.to_image(inside, 20), 20), inside, atol=0.02)
    assert fit.reprojection_error_px < 0.01


def test_a_fisheye_goes_there_and_back():
    lens = Lens.measured(SIZE, a_lens().matrix, (0.05, -0.01, 0.002, 0.0), fisheye=True)
    plane = a_camera(50, 700, lens=lens)
    assert np.allclose(plane.to_table(plane.to_image(CORNERS, 5), 5), CORNERS, atol=1e-4)


@pytest.mark.parametrize("distortion", [(0, 0, 0, 0, 0), BARREL, RATIONAL])
def test_points_show_where_opencv_has_them_however_high(distortion):
    plane = a_camera(40, lens=a_lens(distortion=distortion), roll_deg=11, pan_deg=25)
    rng = np.random.default_rng(5)
    mm, height_mm = rng.uniform(-100, 800, (60, 2)), rng.uniform(0, 90, 60)
    solid = np.column_stack([mm, height_mm])
    for heights, points in ((height_mm, solid), (30.0, solid * (1, 1, 0) + (0, 0, 30))):
        told, _ = cv2.projectPoints(points, plane.rvec, plane.tvec, plane.lens.matrix, plane.lens.distortion)
        assert np.allclose(plane.to_image(mm, heights), told[:, 0], rtol=0, atol=1e-9)


def test_points_behind_the_camera_show_nowhere():
    plane = a_camera(40, lens=a_lens(distortion=BARREL))
    x, y, _ = plane.camera_position_mm
    behind = np.array([(x, y)]) + 3000 * (np.array([(x, y)]) - (350, 250)) / np.hypot(x - 350, y - 250)
    assert np.isnan(plane.to_image(np.concatenate([behind, CORNERS]))).all(axis=1).tolist() == [True, *[False] * 4]


def test_homography_and_projection_say_the_same():
    plane = a_camera(50, lens=a_lens(distortion=BARREL))
    flat = plane.lens.undistort(plane.to_image(CORNERS))
    assert np.allclose(cv2.perspectiveTransform(flat[None], plane.image2table)[0], CORNERS, atol=1e-3)
    assert np.allclose(plane.image2table @ plane.table2image / (plane.image2table @ plane.table2image)[2, 2], np.eye(3))


def test_undistorting_and_distorting_cancel():
    lens = a_lens(distortion=BARREL)
    px = np.array([[10, 20], [960, 540], [1900, 1000.0]])
    assert np.allclose(lens.distort(lens.undistort(px)), px, atol=1e-4)


def test_undistorting_settles_in_the_corners_of_a_wide_webcam():
    lens = Lens.measured((1280, 720), [[560, 0, 640], [0, 560, 360], [0, 0, 1]], (-0.3, 0.08, 0, 0, 0))
    px = np.stack(np.meshgrid(np.linspace(0, 1279, 25), np.linspace(0, 719, 15)), axis=-1).reshape(-1, 2)
    assert np.allclose(lens.distort(lens.undistort(px)), px, rtol=0, atol=1e-6)


def test_beyond_the_fold_of_an_impossible_lens_nothing_breaks():
    lens = Lens.measured((1280, 720), [[560, 0, 640], [0, 560, 360], [0, 0, 1]], (-1.0, 0, 0, 0, 0))
    assert lens.undistort([(0.0, 0.0), (640.0, 360.0)])[1] == pytest.approx((640, 360))


def test_a_lens_scales_about_the_pictures_corner():
    half = a_lens().scaled_to((960, 540))
    # The middle of a 2 x 2 block of pixels is half a pixel from the middle of its first.
    assert np.allclose(half.matrix[:2, 2] * 2 + 0.5, a_lens().matrix[:2, 2])
    with pytest.raises(ValueError, match="1920 x 1080: calibrate the lens for this picture size"):
        a_lens().scaled_to((960, 720))
    with pytest.raises(ValueError, match="1920 x 1080: it is on its side: turn the camera, or the film, or calibrate"):
        a_lens().scaled_to((720, 1280))


def test_height_is_corrected_without_a_lens_file():
    plane = a_camera(45)
    grid = np.array([[x, y] for x in (0, 350, 700) for y in (0, 250, 500)], float)
    fit = fit_plane(Correspondences.of(seen_by(plane, grid, 0.05), grid), None, SIZE)
    top_px = plane.to_image([[350, 400]], 55)
    assert np.hypot(*(fit.to_table(top_px, 55) - [[350, 400]])[0]) < 0.6
    assert np.hypot(*(fit.to_table(top_px, 0) - [[350, 400]])[0]) > 20
    known = fit_plane(Correspondences.of(seen_by(plane, grid, 0.05), grid), plane.lens, SIZE)
    assert fit.sigma_mm(top_px, 0.05, 55)[0] > known.sigma_mm(top_px, 0.05, 55)[0]


def test_a_frontal_view_says_nothing_of_the_focal_length_and_says_so():
    plane = a_camera(89.9)
    fit = fit_plane(Correspondences.of(seen_by(plane, CORNERS, 0.2), CORNERS), None, SIZE)
    assert np.allclose(fit.to_table(plane.to_image(CORNERS)), CORNERS, atol=0.6)
    away = plane.to_image([[600, 450]], 55)
    error_mm = np.hypot(*(fit.to_table(away, 55) - [[600, 450]])[0])
    assert error_mm < SIGMAS_95 * fit.sigma_mm(away, 0.2, 55)[0]
    assert fit.sigma_mm(away, 0.2, 55)[0] > 2


@pytest.mark.parametrize("lens", [a_lens(), None])
def test_a_wrong_point_is_named_and_left_out(lens):
    plane = a_camera(45)
    mm = np.vstack([CORNERS, [[350, 250], [100, 400], [600, 300], [350, 20]]])
    px = seen_by(plane, mm, 0.2)
    px[5] += [25, -14]
    fit = fit_plane(Correspondences.of(px, mm), lens, SIZE)
    assert fit.rejected == ("point 6",)
    assert any("point 6" in note for note in fit.notes)
    assert [r.rejected for r in fit.residuals] == [i == 5 for i in range(8)]
    assert 20 < fit.residuals[5].px < 40
    assert np.allclose(fit.to_table(plane.to_image(mm)), mm, atol=0.5)


def test_a_table_whose_size_is_told_wrong_may_be_the_cause_of_a_lens_as_no_camera_has_it():
    """Of a sheet of 420 x 297 mm told as 330 deep only "cut out of a larger one, or a point is wrong" was said."""
    sheet = np.array([[0, 0], [420, 0], [420, 297], [0, 297]], float)
    camera = a_camera(50, 620, 4, 20, aim_mm=(210, 150))
    plane = fit_plane(Correspondences.of(camera.to_image(sheet), sheet * [1, 330 / 297]), None, camera.lens.size_px)
    assert any("a told size is wrong" in note for note in plane.notes)


def test_where_no_majority_is_the_error_grows_and_it_is_said():
    plane = a_camera(45, lens=a_lens())
    px = seen_by(plane, CORNERS, 0.1)
    px[2] += [12, 5]
    fit = fit_plane(Correspondences.of(px, CORNERS), a_lens(), SIZE)
    assert any("point 3 is 13 px off" in note for note in fit.notes)
    assert fit.sigma_mm(px)[0] > 1


def test_points_at_a_height_count_at_that_height():
    plane = a_camera(45)
    mm = np.vstack([CORNERS, [[200, 200]]])
    heights = np.array([0, 0, 0, 0, 30.0])
    fit = fit_plane(Correspondences.of(plane.to_image(mm, heights), mm, height_mm=heights), plane.lens, SIZE)
    assert fit.reprojection_error_px < 0.01


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda px, mm: (px[:3], mm[:3]), "only 3 calibration points"),
        (lambda px, mm: (px, mm[:, :1] * [1, 0.2] + mm[:, 1:] * [0.3, 0.06]), "on a line on the table"),
        (lambda px, mm: (np.c_[px[:, 0], px[:, 0] * 0.5], mm), "on a line in the picture"),
        (lambda px, mm: (px[[0, 1, 2, 2]], mm), "point 3 and point 4 are the same point in the picture"),
        (lambda px, mm: (px, mm[[0, 1, 1, 3]]), "point 2 and point 3 are the same point on the table"),
        (lambda px, mm: (px[[1, 0, 3, 2]], mm), "wrong way round: the picture is mirrored"),
        (lambda px, mm: (px[[0, 1, 3, 2]], mm), "point 3 and point 4 look swapped"),
        (lambda px, mm: (px * np.nan, mm), "not a number"),
        (lambda px, mm: (px / 10, mm), "px per mm of the table: bring the camera nearer"),
    ],
)
def test_what_fixes_no_plane_is_refused(change, message):
    px, mm = change(a_camera(45).to_image(CORNERS), CORNERS)
    with pytest.raises(ValueError, match=message):
        fit_plane(Correspondences.of(px, mm), None, SIZE)


def test_a_camera_too_flat_is_refused():
    plane = a_camera(8, 1500)
    with pytest.raises(ValueError, match="degrees above it, too flat to measure: raise it"):
        fit_plane(Correspondences.of(plane.to_image(CORNERS), CORNERS), plane.lens, SIZE)


def test_a_table_that_runs_behind_the_camera_is_refused():
    plane = a_camera(30, 800)
    far = np.array([[300, 200], [400, 200], [400, 300], [300, 300.0]])
    with pytest.raises(ValueError, match="horizon"):
        fit_plane(Correspondences.of(plane.to_image(far), far), plane.lens, SIZE, table_size_mm=(700, 90000))


def test_loose_cards_alone_calibrate_from_the_near_left_corner():
    plane = a_camera(55)
    card = np.array([[0, 0], [88.9, 0], [88.9, 63.5], [0, 63.5]])
    parts = []
    for i, (x, y, turn) in enumerate([(80, 60, 0.2), (500, 90, 1.0), (300, 330, -0.5), (560, 380, 2.0)]):
        there = card @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + (x, y)
        part = Correspondences.of(seen_by(plane, there, 0.1, seed=i), card, [f"card {i + 1}"] * 4, 0.1)
        parts.append(part.lying_anywhere())
    fit = fit_plane(Correspondences.joined(parts), plane.lens, SIZE)
    assert np.allclose(fit.to_table([[0, SIZE[1] - 1]]), 0, atol=1e-6)
    assert abs(fit.rotation[0, 1]) < 1e-6
    apart = fit.to_table(plane.to_image(CORNERS))
    assert np.hypot(*(apart[1] - apart[0])) == pytest.approx(700, abs=1.5)
    assert np.hypot(*(apart[3] - apart[0])) == pytest.approx(500, abs=1.5)


def test_coins_alone_calibrate():
    plane = a_camera(55)
    around = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    circles = []
    for i, (x, y) in enumerate([(60, 60), (640, 80), (600, 430), (90, 420), (350, 250), (200, 150)]):
        rim = plane.to_image(np.c_[x + 12.25 * np.cos(around), y + 12.25 * np.sin(around)], 1.85)
        px = rim + np.random.default_rng(i).normal(0, 0.05, rim.shape)
        circles.append(Circle(f"coin {i + 1}", px, 12.25, 1.85, 0.05))
    fit = fit_plane(Correspondences.joined([]), plane.lens, SIZE, circles=tuple(circles))
    apart = fit.to_table(plane.to_image(CORNERS))
    assert np.hypot(*(apart[1] - apart[0])) == pytest.approx(700, rel=0.004)
    assert np.hypot(*(apart[3] - apart[0])) == pytest.approx(500, rel=0.004)


def test_coins_alone_are_refused_where_the_camera_is_too_flat_over_them():
    plane, around = a_camera(8, 1000), np.linspace(0, 2 * np.pi, 16, endpoint=False)
    circles = [
        Circle(f"coin at {x}, {y}", plane.to_image(np.c_[x + 12 * np.cos(around), y + 12 * np.sin(around)]), 12)
        for x, y in [(60, 60), (640, 80), (600, 430), (90, 420), (350, 250)]
    ]
    with pytest.raises(ValueError, match="degrees above it, too flat to measure: raise it"):
        fit_plane(Correspondences.joined([]), plane.lens, SIZE, circles=tuple(circles))


def test_a_coin_of_another_size_than_said_is_named():
    plane = a_camera(55)
    circles = []
    for i, (x, y, radius) in enumerate([(60, 60, 12), (640, 80, 12), (600, 430, 15.0)]):
        around = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        rim = plane.to_image(np.c_[x + radius * np.cos(around), y + radius * np.sin(around)], 1.85)
        circles.append(Circle(f"coin {i + 1}", rim, 12, 1.85, 0.1))
    points = Correspondences.of(plane.to_image(CORNERS), CORNERS)
    fit = fit_plane(points, plane.lens, SIZE, circles=tuple(circles))
    assert fit.rejected == ("coin 3",)


def test_coins_do_not_outvote_all_that_tells_where_the_table_lies():
    plane = a_camera(55)
    around, circles = np.linspace(0, 2 * np.pi, 16, endpoint=False), []
    for i, (x, y) in enumerate([(60, 60), (640, 80), (600, 430), (90, 420)]):
        rim = plane.to_image(np.c_[x + 12 * np.cos(around), y + 12 * np.sin(around)], 1.85)
        circles.append(Circle(f"coin {i + 1}", rim, 12, 1.85, 0.3))
    px, told = seen_by(plane, CORNERS, 0.1), CORNERS.copy()
    told[1, 0] += 60
    fit = fit_plane(Correspondences.of(px, told), plane.lens, SIZE, circles=tuple(circles))
    assert fit.rejected == ("point 2",)
    assert np.hypot(*(fit.to_table(px) - CORNERS).T).max() < 5


def test_an_ellipse_becomes_its_rim():
    circle = Circle.of_ellipse("coin", (100, 50), (40, 20), 30, diameter_mm=20)
    (u, v), axes, angle = cv2.fitEllipse(circle.rim_px.astype(np.float32))
    assert (u, v) == pytest.approx((100, 50), abs=1e-3)
    assert sorted(axes) == pytest.approx([20, 40], abs=1e-2)
    assert angle == pytest.approx(120, abs=0.1)


@pytest.mark.parametrize("ratio", [0.0, 0.3, 0.7, 1.0])
def test_sigma_holds_95_percent_of_a_long_ellipse(ratio):
    error = np.random.default_rng(1).normal(0, 1, (40000, 2)) * [1, ratio]
    sigma = sigma_of(np.diag([1, ratio**2])[None])[0]
    assert np.mean(np.hypot(*error.T) <= SIGMAS_95 * sigma) == pytest.approx(0.95, abs=0.005)


def test_enough_points_tell_a_lens_without_a_file_how_much_it_bends():
    plane = a_camera(50, lens=a_lens(distortion=(-0.08, 0.0, 0.0, 0.0, 0.0)))
    grid = np.array([[x, y] for x in (0, 175, 350, 525, 700) for y in (0, 250, 500)], float)
    fit = fit_plane(Correspondences.of(seen_by(plane, grid, 0.1), grid, sigma_px=0.1), None, SIZE)
    assert fit.lens.distortion[0] == pytest.approx(-0.08, abs=0.02)
    between = np.array([[90, 120], [610, 380.0]])
    assert np.allclose(fit.to_table(plane.to_image(between)), between, atol=0.3)
    assert any("distortion too (k1 -0.0" in note for note in fit.notes)


def test_four_points_cannot_tell_how_much_a_lens_bends_and_say_so():
    plane = a_camera(50, lens=a_lens(distortion=(-0.08, 0.0, 0.0, 0.0, 0.0)))
    fit = fit_plane(Correspondences.of(plane.to_image(CORNERS), CORNERS, sigma_px=0.1), None, SIZE)
    assert any("do not tell how the lens bends, up to" in note for note in fit.notes)
    assert fit.lens.distortion.tolist() == [0, 0, 0, 0, 0]
    px = plane.to_image([[350, 480], [350, 20]])
    error_mm = np.hypot(*(fit.to_table(px) - [[350, 480], [350, 20]]).T)
    assert (error_mm > 1).all()
    assert (error_mm < SIGMAS_95 * fit.sigma_mm(px)).all()


def test_points_of_lines_hold_a_plane_though_each_is_told_across_its_line_only():
    plane = a_camera(50)
    ends = np.random.default_rng(3).uniform((50, 50), (650, 450), (12, 2, 2))
    at = ends[:, :1] + np.linspace(0, 1, 5)[:, None] * (ends[:, 1:] - ends[:, :1])
    mm, way = at.reshape(-1, 2), np.repeat(ends[:, 1] - ends[:, 0], 5, axis=0)
    along = plane.to_image(mm + way / np.hypot(*way.T)[:, None]) - plane.to_image(mm)
    along /= np.hypot(*along.T)[:, None]
    # Each is seen somewhere else along its line, by several px.
    slid = plane.to_image(mm) + along * np.random.default_rng(4).normal(0, 4, (60, 1))
    across = np.c_[along[:, 1], -along[:, 0]]
    seen = Correspondences.of(slid, mm, ["roads"] * 60, 0.1, across=across)
    assert seen.numbers == 60
    fit = fit_plane(seen, plane.lens, SIZE)
    assert np.allclose(fit.to_table(plane.to_image(CORNERS)), CORNERS, atol=0.5)
    as_places = fit_plane(Correspondences.of(slid, mm, ["roads"] * 60, 0.1), plane.lens, SIZE)
    assert not np.allclose(as_places.to_table(plane.to_image(CORNERS)), CORNERS, atol=0.5)


def test_what_a_point_hides_lies_where_its_picture_would_be_on_the_table():
    plane = plane_from((180.0, -350.0, 500.0), (200.0, 150.0), distortion=(-0.12, 0.02, 0.0, 0.0, 0.0))
    at_mm, high_mm = np.array([(10.0, 20.0), (300.0, 200.0), (150.0, 90.0)]), np.array([0.0, 40.0, 120.0])
    shown_mm = plane.to_table(plane.to_image(at_mm, high_mm))
    assert plane.behind(at_mm, high_mm) == pytest.approx(shown_mm, abs=1e-4)


def test_a_thing_higher_than_the_camera_hides_what_lies_behind_it_and_no_horizon():
    plane = plane_from((180.0, -350.0, 60.0), (200.0, 150.0))
    assert plane.behind([(180.0, 50.0)], 500.0) == pytest.approx(np.array([(180.0, 850.0)]))


@pytest.mark.parametrize(
    ("decimals", "sigma_px"), [(0, CLICK_SIGMA_PX), (1, CLICK_SIGMA_PX), (2, MEASURED_SIGMA_PX), (3, MEASURED_SIGMA_PX)]
)
def test_places_typed_to_tenths_of_a_pixel_are_clicks_and_finer_ones_measured(decimals, sigma_px):
    px = np.array([[206.7473, 908.8234], [1712.2531, 908.8234], [1495.2524, 215.1251], [423.7487, 215.1251]])
    typed = Correspondences.of(np.round(px, decimals), CORNERS)
    assert np.array_equal(typed.sigma_px, np.full(4, sigma_px))


def test_four_places_typed_to_tenths_by_hand_hold_through_a_lens_file():
    rng, held = np.random.default_rng(5), []
    for _ in range(40):
        camera = a_camera(rng.uniform(38, 75), rng.uniform(850, 1250), pan_deg=rng.uniform(-30, 30))
        typed = np.round(camera.to_image(CORNERS) + rng.normal(0, 0.4, (4, 2)), 1)
        plane = fit_plane(Correspondences.of(typed, CORNERS), camera.lens, SIZE)
        px = camera.to_image(CORNERS * 0.8 + 50)
        off_mm = np.hypot(*(plane.to_table(px) - camera.to_table(px)).T)
        held.append(np.mean(off_mm <= SIGMAS_95 * plane.sigma_mm(px)))
    # Taken for measured to 0.15 px they held for 61 %.
    assert np.mean(held) > 0.93

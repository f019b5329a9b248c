"""Three corners, through a measured lens or with coins beside them: the camera where only one sees them so, and a
refusal where more do."""

import numpy as np
import pytest

from calibration.corners.three_points import _cameras
from calibration.fit.bundle import cameras_from
from calibration.fit.correspondence import Circle, Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.fit.seen import Seen
from calibration.fit.solve import square_root
from calibration.lens import Lens
from calibration.plane import SIGMAS_95
from calibration.pose import CameraGuess, pose_showing, refocused
from tests.calibration.simulation import SIZE, TABLE
from tests.calibration.table_picture import a_camera, a_lens

LENS = a_lens(distortion=(-0.1, 0.02, 0.001, -0.001, 0.003))


def by_three(camera, corners=(0, 1, 2), noise_px=0.0, seed=0, lens=LENS):
    places = TABLE[list(corners)]
    px = camera.to_image(places) + np.random.default_rng(seed).normal(0, noise_px, places.shape)
    return fit_plane(Correspondences.of(px, places, sigma_px=max(noise_px, 0.05)), lens, SIZE, (700, 500))


@pytest.mark.parametrize("tilt_deg", [42, 55])
def test_three_exact_corners_give_the_camera_back(tilt_deg):
    camera = a_camera(tilt_deg, 1200, 2, 10, lens=LENS)
    plane = by_three(camera)
    assert np.allclose(plane.to_table(camera.to_image([[100, 400]], 20), 20), [[100, 400]], atol=0.02)
    assert np.allclose(plane.camera_position_mm, camera.camera_position_mm, atol=0.1)


def test_the_true_camera_or_a_refusal_and_the_interval_holds():
    rng, root = np.random.default_rng(5), square_root(LENS.covariance)
    inside, refused = [], 0
    for seed in range(120):
        lens = LENS.with_parameters(LENS.parameters + root @ rng.normal(size=root.shape[1]))
        turns = {"roll_deg": rng.uniform(-8, 8), "pan_deg": rng.uniform(-30, 30)}
        camera = a_camera(rng.uniform(40, 80), rng.uniform(1100, 1300), **turns, lens=lens)
        try:
            plane = by_three(camera, noise_px=0.5, seed=seed)
        except ValueError as error:
            assert "fourth" in str(error)
            refused += 1
            continue
        mm = rng.uniform((0, 0), (700, 500), (20, 2))
        px = camera.to_image(mm)
        inside.append(np.hypot(*(plane.to_table(px) - mm).T) <= SIGMAS_95 * plane.sigma_mm(px))
    assert 20 < refused < 70
    assert 0.92 < np.mean(inside) < 0.99


def test_three_say_less_than_four():
    camera = a_camera(50, 1200, 2, 10, lens=LENS)
    far_px = camera.to_image([[30, 470]])
    three, four = by_three(camera, noise_px=0.5), by_three(camera, (0, 1, 2, 3), noise_px=0.5)
    assert three.sigma_mm(far_px)[0] > 1.5 * four.sigma_mm(far_px)[0]


def test_what_three_points_do_not_tell_is_refused():
    camera = a_camera(50, 1200, 2, 10, lens=LENS)
    with pytest.raises(ValueError, match="at least four, or three and a lens file"):
        by_three(camera, lens=None)
    with pytest.raises(ValueError, match="at least four, or three and a lens file"):
        by_three(camera, lens=Lens.unknown(SIZE))
    swapped = Correspondences.of(camera.to_image(TABLE[[0, 2, 1]]), TABLE[:3])
    with pytest.raises(ValueError, match="the wrong way round"):
        fit_plane(swapped, LENS, SIZE)
    line = np.array([[0, 0], [350, 250], [700, 500.0]])
    with pytest.raises(ValueError, match="lie on a line"):
        fit_plane(Correspondences.of(camera.to_image(line), line), LENS, SIZE)


AROUND = np.linspace(0, 2 * np.pi, 16, endpoint=False)


def coins(camera, count, seed=0, share=0.01, named_too_large=()):
    """Coins anywhere on the table whose sizes are measured to a share; some pass for coins a sixth larger."""
    rng, found = np.random.default_rng(seed), []
    for number, at_mm in enumerate(rng.uniform((30, 30), (670, 470), (count, 2))):
        radius_mm = rng.choice([9.0, 10.15, 12.25, 12.95])
        spokes = np.c_[np.cos(AROUND), np.sin(AROUND)] * radius_mm * (1 + rng.normal(0, share))
        sigma_px = max(share, 1e-3) * radius_mm * camera.px_per_mm(at_mm[None])[0]
        said_mm = radius_mm * (7 / 6 if number in named_too_large else 1)
        rim_px = camera.to_image(at_mm + spokes, 1.7)
        found.append(Circle(f"coin {number}", rim_px, said_mm, 1.7, float(sigma_px), size_only=True))
    return tuple(found)


def by_coins(camera, circles, lens=None, noise_px=0.0, seed=0):
    px = camera.to_image(TABLE[:3]) + np.random.default_rng(seed).normal(0, noise_px, (3, 2))
    seen = Correspondences.of(px, TABLE[:3], sigma_px=max(noise_px, 0.05))
    return fit_plane(seen, lens, SIZE, (700, 500), circles)


@pytest.mark.parametrize("tilt_deg", [42, 58, 72])
def test_coins_give_the_camera_back_though_nobody_measured_the_lens(tilt_deg):
    camera = a_camera(tilt_deg, 1250, 2, 10)
    plane = by_coins(camera, coins(camera, 14, share=0.0))
    assert np.allclose(plane.to_table(camera.to_image(TABLE[3:])), TABLE[3:], atol=1.0)
    assert plane.lens.matrix[0, 0] == pytest.approx(camera.lens.matrix[0, 0], rel=0.02)


def test_with_coins_the_interval_holds_and_the_lens_file_tells_more():
    rng, inside, wide = np.random.default_rng(8), {True: [], False: []}, {True: [], False: []}
    for seed in range(12):
        camera = a_camera(rng.uniform(38, 75), rng.uniform(1150, 1300), rng.uniform(-4, 4), rng.uniform(-20, 20))
        circles, places_px = coins(camera, 14, seed), camera.to_image(TABLE)
        for known in (True, False):
            plane = by_coins(camera, circles, camera.lens if known else None, 0.5, seed)
            error_mm = np.hypot(*(plane.to_table(places_px) - TABLE).T)
            inside[known].append(error_mm <= SIGMAS_95 * plane.sigma_mm(places_px))
            wide[known].append(plane.sigma_mm(places_px)[3])
    assert np.mean(inside[True]) > 0.85 and np.mean(inside[False]) > 0.85
    assert np.median(wide[True]) < 0.7 * np.median(wide[False])


def test_a_coin_that_is_taken_for_another_is_left_out():
    camera = a_camera(50, 1250, 2, 10)
    plane = by_coins(camera, coins(camera, 16, named_too_large=(3, 8)), noise_px=0.3)
    assert plane.rejected == ("coin 3", "coin 8")
    corner_px = camera.to_image(TABLE[3:])
    assert np.hypot(*(plane.to_table(corner_px) - TABLE[3:]).T)[0] < 3 * plane.sigma_mm(corner_px)[0]


def test_coins_that_are_few_or_contradict_do_not_tell():
    camera = a_camera(50, 1250, 2, 10)
    with pytest.raises(ValueError, match="need 6 coins that agree, and 5 of 5 do: give a fourth"):
        by_coins(camera, coins(camera, 5))
    with pytest.raises(ValueError, match="give a fourth"):
        by_coins(camera, coins(camera, 12, named_too_large=(0, 2, 4, 6, 8)), noise_px=0.3)


def test_a_start_far_off_leads_to_the_same_camera_as_a_near_one_in_few_steps():
    camera = a_camera(50, 1250, 2, 10)
    px = camera.to_image(TABLE[:3])
    seen = Seen(Correspondences.of(px, TABLE[:3], sigma_px=0.05), coins(camera, 14))
    lens = Lens.unknown(SIZE).straight()
    starts = [
        pair
        for share in (0.75, 0.9, 1.05)
        for pair in _cameras(seen, refocused(lens, share * camera.lens.matrix[0, 0]))
    ]
    costs = [cost for cost, _ in cameras_from(seen, lens, starts, 12)]
    near = min(cameras_from(seen, lens, [CameraGuess(camera.lens, camera.pose)], 12))[0]
    assert sum(cost < near + 0.01 for cost in costs) >= 3


def test_three_points_are_shown_where_they_are_to():
    camera = a_camera(50, 1250, 2, 10)
    px, flat = camera.to_image(TABLE[:3]) + np.array([[3, -2], [-4, 1], [2, 5]]), np.c_[TABLE[:3], np.zeros(3)]
    pose = pose_showing(flat, px, camera.lens, camera.pose)
    assert np.allclose(camera.lens.project(flat, pose.rvec, pose.tvec)[0], px, atol=1e-3)
    assert pose_showing(flat, px * np.nan, camera.lens, camera.pose) is None

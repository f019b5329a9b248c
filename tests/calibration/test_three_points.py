"""Three corners through a measured lens: the camera where only one sees them so, and a refusal where more do."""

import numpy as np
import pytest

from calibration.correspondence import Correspondences
from calibration.lens import Lens
from calibration.plane import SIGMAS_95, fit_plane
from calibration.solve import square_root
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

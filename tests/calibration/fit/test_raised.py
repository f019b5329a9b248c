"""Points that were clicked on things of which nobody knows how thick they are."""

import numpy as np
import pytest

from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.fit.problem import Problem
from calibration.fit.seen import Seen
from calibration.lens import Lens
from calibration.plane import SIGMAS_95
from calibration.table import CalibrationSpec, calibrate_table
from tests.calibration.table_picture import a_camera, a_lens

SIZE_MM = (700.0, 500.0)
CORNERS = np.array([[0, 0], [700, 0], [700, 500], [0, 500]], float)
GRID = np.stack(np.meshgrid(np.linspace(20, 680, 8), np.linspace(20, 480, 6)), axis=-1).reshape(-1, 2)
THICK_MM = 1.5


def clicked(camera, high_mm, rng=None):
    hand = 0.3 * rng.normal(size=(4, 2)) if rng is not None else 0.0
    return Correspondences.of(camera.to_image(CORNERS, high_mm) + hand, CORNERS, sigma_px=0.3)


def test_the_interval_holds_over_the_table_whatever_the_marks_are():
    rng, shares = np.random.default_rng(8), {0.0: [], THICK_MM: []}
    for _ in range(40):
        camera = a_camera(rng.uniform(38, 65), 1000, rng.normal(0, 2), rng.normal(0, 8), lens=a_lens())
        points = clicked(camera, rng.uniform(0, 3), rng)
        places_px = camera.to_image(GRID)
        for raised_mm, held in shares.items():
            plane = fit_plane(points.raised_alike(raised_mm), camera.lens, camera.lens.size_px, SIZE_MM)
            error_mm = np.hypot(*(plane.to_table(places_px) - GRID).T)
            held.append(np.mean(error_mm <= SIGMAS_95 * plane.sigma_mm(places_px)))
    assert np.mean(shares[0.0]) < 0.5
    assert np.mean(shares[THICK_MM]) > 0.92


def test_what_is_stated_is_what_a_thick_mark_moves():
    """By h / tan(elevation), in the middle of a table: with exact clicks nothing else is open."""
    camera = a_camera(45, 1000, lens=a_lens())
    points = Correspondences.of(camera.to_image(CORNERS), CORNERS, sigma_px=0.01).raised_alike(THICK_MM)
    plane = fit_plane(points, camera.lens, camera.lens.size_px, SIZE_MM)
    spread = np.sqrt(np.linalg.eigvalsh(plane.covariance_mm(camera.to_image([[350, 250]])))[0])
    assert spread[1] == pytest.approx(THICK_MM, rel=0.15) and spread[0] < 0.5
    assert any("may be 3.0 mm thick" in note for note in plane.notes)


def test_the_misfits_change_with_the_height_as_their_jacobian_says():
    camera = a_camera(50, 900, 3, 10, lens=a_lens(distortion=(-0.1, 0.02, 0.0, 0.0, 0.0)))
    problem = Problem.of(Seen(clicked(camera, 1.0).raised_alike(THICK_MM)), Lens.unknown((1920, 1080)))
    at, step = problem.start(camera), 1e-5
    at[problem.unknowns.rise] = 0.4
    there = at + step * np.eye(len(at))[problem.unknowns.rise]
    (before, jacobian), (after, _) = problem.residuals(at), problem.residuals(there)
    assert (after - before) / step == pytest.approx(jacobian[:, problem.unknowns.rise], abs=1e-3)


def test_a_set_up_says_so_of_its_points_alone():
    camera = a_camera(45, 1000, lens=a_lens())
    rows = np.hstack([camera.to_image(CORNERS), CORNERS])
    spec = CalibrationSpec(tuple(map(tuple, rows.tolist())), lens=camera.lens, table_size_mm=SIZE_MM)
    blank, middle_px = np.full((1080, 1920), 90, np.uint8), camera.to_image([[350, 250]])
    flat, thick = (
        calibrate_table(blank, CalibrationSpec(**{**vars(spec), "points_raised_mm": raised_mm})).sigma_mm(middle_px)
        for raised_mm in (0.0, THICK_MM)
    )
    assert flat < 0.3 < 1.0 < thick

"""What looks before and after a kick have in common: brought about by an error of the camera, and measured."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.kick.reframe import followed_by
from calibration.kick.reregister import remeasured
from calibration.plane import TablePlane
from tests.calibration.table_picture import a_camera, a_lens

SIZE = (960, 540)
CAMERA = a_camera(45, 900, 3, lens=a_lens(SIZE))
KICKED = a_camera(48, 930, 8, lens=a_lens(SIZE))
GRID = np.array([[x, y] for x in np.linspace(20, 680, 9) for y in np.linspace(20, 480, 7)])
PLACES = np.array([[60.0, 60.0], [350.0, 250.0], [640.0, 440.0]])
# Of focal length, axis, k1, a tilt and a distance: one each.
WRONG = [(0, 0.01), (2, 3.0), (4, 0.02), (9, 2e-3), (14, 5.0)]


def wrong_by(plane, number, step):
    """The plane as it was measured wrongly."""
    off = np.zeros(len(plane.covariance))
    off[number] = step
    lens = plane.lens.with_parameters(plane.lens.parameters + off[:-6])
    return replace(plane, lens=lens, rvec=plane.rvec + off[-6:-3], tvec=plane.tvec + off[-3:])


def measured_again(old: TablePlane) -> TablePlane:
    """The kicked camera, by where the old plane says that the table's texture lies."""
    places_mm = old.to_table(CAMERA.to_image(GRID))
    frozen = replace(old.lens, covariance=np.zeros_like(old.lens.covariance), known=True)
    plane = fit_plane(Correspondences.of(KICKED.to_image(GRID), places_mm, sigma_px=0.3), frozen, SIZE, (700, 500))
    follows = followed_by((old.lens, old.pose), (plane.lens, plane.pose), places_mm, zooms=False)
    return remeasured(plane, old, follows, 0.0 * plane.covariance)


@pytest.mark.parametrize(("number", "step"), WRONG)
def test_how_far_looks_before_and_after_a_kick_are_apart_is_stated(number, step):
    wrong = wrong_by(replace(CAMERA, covariance=np.diag(np.eye(15)[number] * step**2)), number, step)
    now = measured_again(wrong)
    before_mm, after_mm = wrong.to_table(CAMERA.to_image(PLACES)), now.to_table(KICKED.to_image(PLACES))
    apart_mm = np.hypot(*(after_mm - before_mm).T)
    off_mm = np.hypot(*(before_mm - PLACES).T)
    stated = now.history.covariance_apart_mm(now.lens, now.pose, before_mm, 0.0)
    assert np.sqrt(np.trace(stated, axis1=1, axis2=2)) == pytest.approx(apart_mm, rel=0.15, abs=0.02)
    assert apart_mm.max() < 0.6 * off_mm.max()
    assert now.history.name == wrong.history.name


def test_a_plane_shares_all_its_error_with_itself_and_less_after_it_was_measured_again():
    unsure = replace(CAMERA, covariance=np.diag(np.r_[1e-4, 1e-4, 4.0, 4.0, np.full(5, 1e-4), np.full(6, 1e-6)]))
    sigma_mm = unsure.sigma_mm(unsure.to_image(PLACES))
    assert unsure.shared_sigma_mm(PLACES) == pytest.approx(sigma_mm)
    again = measured_again(unsure)
    twice = remeasured(again, again, np.eye(15), np.diag(np.r_[np.zeros(9), np.full(3, 1e-7), np.zeros(3)]))
    now, then = (plane.shared_sigma_mm(PLACES) for plane in (again, twice))
    assert (now < again.sigma_mm(again.to_image(PLACES))).all()
    assert np.diag(twice.history.last)[9:12] == pytest.approx(1e-7)
    own = [np.sqrt(p.sigma_mm(p.to_image(PLACES)) ** 2 - p.shared_sigma_mm(PLACES) ** 2) for p in (again, twice)]
    assert (own[1] > own[0]).all()
    assert then == pytest.approx(now, rel=0.05)
    assert unsure.history.name != replace(unsure, tvec=unsure.tvec + 1e-3).history.name

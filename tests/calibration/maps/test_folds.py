"""Heights above the table: between nodes, from what is seen here and there, and what they do to a plane."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from calibration.maps.folds import Folds
from calibration.maps.height_field import HeightField, Posterior
from tests.calibration.table_picture import a_camera, a_lens

LENS = a_lens((1280, 720))
CAMERA = a_camera(50, 800, 3, lens=LENS)
RIDGE = Folds((0.0, 0.0), 350.0, np.array([[0.0, 6.0, 0.0], [0.0, 6.0, 0.0]]), np.full((2, 3), 0.4))


def test_between_nodes_a_sheet_slopes_evenly_and_beyond_them_it_goes_on_level():
    at = [[0, 100], [175, 0], [350, 350], [525, 200], [900, -50]]
    assert RIDGE.heights_at(at) == pytest.approx([0, 3, 6, 3, 0])
    assert RIDGE.sigmas_at(at) == pytest.approx([0.4] * 5)


def test_where_it_lies_farthest_off_is_told_of_what_is_known_well():
    known = replace(RIDGE, sigmas_mm=np.array([[0.1, 0.9, 0.1], [0.1, 0.2, 0.1]]))
    assert known.highest_mm == (350.0, 350.0, 6.0)
    assert sorted(known.told_mm) == [0, 0, 0, 0, 6]


@given(st.floats(20, 680), st.floats(20, 480), st.floats(0, 40))
def test_what_lies_on_a_fold_shows_where_it_is_measured(x, y, height_mm):
    plane = replace(CAMERA, folds=RIDGE)
    px = plane.to_image([[x, y]], height_mm)
    assert plane.to_table(px, height_mm)[0] == pytest.approx([x, y], abs=0.01)
    assert CAMERA.to_image([[x, y]], height_mm + RIDGE.heights_at([[x, y]])) == pytest.approx(px)


def test_a_height_that_is_not_known_well_is_an_error_of_the_place():
    px = CAMERA.to_image([[350, 250]])
    folded = replace(CAMERA, folds=RIDGE)
    assert folded.sigma_mm(px)[0] > 0.25 > CAMERA.sigma_mm(px)[0]
    assert folded.flat.sigma_mm(px) == pytest.approx(CAMERA.sigma_mm(px))
    assert folded.added_sigma_mm([[350, 250]]) == pytest.approx(CAMERA.added_sigma_mm([[350, 250]]))


def test_a_field_goes_through_what_was_seen_and_says_where_nothing_was():
    field = HeightField.over(np.zeros(2), np.array([700.0, 500.0]))
    seen_mm = np.random.default_rng(3).uniform((0, 0), (350, 500), (600, 2))
    true_mm = 4 * np.exp(-np.abs(seen_mm[:, 0] - 175) / 40)
    design = field.weights(seen_mm)
    told, towards = sparse.csc_array(design.T @ design) / 0.1**2, design.T @ true_mm / 0.1**2
    folds = Posterior(field, told, towards, np.ones(field.count)).folds
    assert np.abs(folds.heights_at(seen_mm) - true_mm).max() < 0.4
    near, far = folds.sigmas_at([[175, 250], [600, 250]])
    assert near < 0.2 and far > 1.0

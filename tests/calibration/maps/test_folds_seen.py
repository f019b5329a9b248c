"""A folded map by its roads: measured to a few tenths of a mm; what is flat, elsewhere or unknown is left alone."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.maps.folds import Folds
from calibration.maps.folds_seen import Astray, folds_seen
from calibration.plane import SIGMAS_95
from tests.calibration.maps.test_roads import CAMERA, a_map, roads

SIZE_MM = (700.0, 500.0)
# As in `a_map`: every third road is printed alike.
ROADS = {str(kind): [line for k, line in enumerate(roads(count=40)) if k % 3 == kind] for kind in range(3)}
GRID = np.array([[x, y] for x in range(60, 660, 40) for y in range(60, 460, 40)], float)


def ridges(mm, high_mm):
    """A fold across the sheet and one along it, away from its corners."""
    # Paper is not bent to an edge: within some mm of its crest a fold is round.
    across, along = (np.exp((8 - np.hypot(off, 8)) / 35) for off in (mm[:, 0] - 250, mm[:, 1] - 310))
    held = np.prod(np.clip(np.minimum(mm, SIZE_MM - mm) / 80, 0, 1), axis=1)
    return high_mm * np.maximum(across, 0.6 * along) * held


def folded(picture, high_mm):
    """What the camera sees of a flat picture's sheet where it is raised."""
    height, width = picture.shape[:2]
    px = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2).astype(float)
    mm = CAMERA.to_table(px)
    for _ in range(10):
        mm = CAMERA.to_table(px, np.nan_to_num(ridges(mm, high_mm)))
    u, v = np.nan_to_num(CAMERA.to_image(mm), nan=-1).astype(np.float32).T.reshape(2, height, width)
    return cv2.remap(picture, u, v, cv2.INTER_CUBIC)


@pytest.fixture(scope="module")
def flat_map():
    return a_map(roads(count=40))


@pytest.mark.parametrize("high_mm", [3.0, 8.0])
def test_a_folded_map_is_measured_where_it_lies(flat_map, high_mm):
    folds = folds_seen(folded(flat_map, high_mm), ROADS, CAMERA, SIZE_MM)
    plane = replace(CAMERA, folds=folds)
    px = CAMERA.to_image(GRID, ridges(GRID, high_mm))
    as_flat_mm = np.hypot(*(CAMERA.to_table(px) - GRID).T)
    error_mm = np.hypot(*(plane.to_table(px) - GRID).T)
    assert np.quantile(error_mm, 0.95) < min(1.0, np.quantile(as_flat_mm, 0.95) / 3)
    assert np.mean(error_mm < SIGMAS_95 * plane.sigma_mm(px)) > 0.9


def test_a_flat_map_stays_flat(flat_map):
    assert folds_seen(flat_map, ROADS, CAMERA, SIZE_MM) is None


def test_a_page_on_a_flat_map_raises_nothing(flat_map):
    page, px = flat_map.copy(), CAMERA.to_image([[250, 150], [420, 150], [420, 300], [250, 300]])
    cv2.fillConvexPoly(page, np.round(px).astype(np.int32), (235, 235, 235))
    for y in range(160, 300, 6):
        start, end = np.round(CAMERA.to_image([[258, y], [410, y]])).astype(int).tolist()
        cv2.line(page, start, end, (60, 60, 60), 2)
    assert folds_seen(page, ROADS, CAMERA, SIZE_MM) is None


@pytest.mark.parametrize("shift_mm", [(2, 0), (0, 3), (0, -3), (2, -2)])
def test_a_map_that_lies_elsewhere_is_told_and_not_taken_for_a_folded_one(flat_map, shift_mm):
    elsewhere = {kind: [line + shift_mm for line in lines] for kind, lines in ROADS.items()}
    assert isinstance(folds_seen(flat_map, elsewhere, CAMERA, SIZE_MM), Astray)


def test_a_map_of_few_roads_that_lies_farther_away_is_no_raised_one():
    """From the near side it shows as one that is 4 mm high all over, but for what the heights leave."""
    few = list(roads(seed=11, count=12))
    elsewhere = {str(kind): [line - (0, 3) for line in few[kind::3]] for kind in range(3)}
    assert isinstance(folds_seen(a_map(few), elsewhere, CAMERA, SIZE_MM), Astray)


def test_another_map_and_none_tell_nothing(flat_map):
    other = {"a": list(roads(seed=9, count=40))}
    assert not isinstance(folds_seen(folded(flat_map, 6.0), other, CAMERA, SIZE_MM), Folds)
    assert folds_seen(np.full_like(flat_map, 120), ROADS, CAMERA, SIZE_MM) is None
    assert folds_seen(flat_map, {}, CAMERA, SIZE_MM) is None
    for line in ([[900.0, 900.0], [950.0, 950.0]], [[100.0, 100.0], [100.0, 100.0]], [[100.0, 100.0], [110.0, 105.0]]):
        assert folds_seen(flat_map, {"a": [np.array(line)]}, CAMERA, SIZE_MM) is None


def test_a_plane_that_is_hardly_known_tells_no_folds(flat_map):
    unsure = replace(CAMERA, covariance=CAMERA.covariance + np.diag([0.0] * (len(CAMERA.covariance) - 6) + [1e-4] * 6))
    assert folds_seen(folded(flat_map, 6.0), ROADS, unsure, SIZE_MM) is None

"""Under a pane of glass the map seems to lie nearer than it does; what lies on the pane is measured in its place."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.kick.reregister import measured_again
from calibration.maps.glass import glass_over
from calibration.plane import SIGMAS_95
from sample_footage.glass import Pane
from tests.calibration.table_picture import a_camera, a_lens

SIZE_MM = (700.0, 500.0)
LENS = a_lens((1920, 1080))
GRID = np.array([(x, y) for x in np.linspace(20, 680, 7) for y in np.linspace(20, 480, 5)])


def shown_under(pane, camera, places_mm):
    """The px at which a camera over a pane's upper side shows places of the map below it."""
    at_mm = places_mm
    for _ in range(20):
        at_mm = at_mm + places_mm - pane.under(at_mm, camera.camera_position_mm)
    return camera.to_image(at_mm)


@pytest.mark.parametrize("elevation_deg", [35, 50, 75])
@pytest.mark.parametrize("thick_mm", [2.0, 4.0])
def test_what_lies_on_a_pane_is_measured_where_it_lies(thick_mm, elevation_deg):
    camera = a_camera(elevation_deg, 900, 5, lens=LENS)
    px = shown_under(Pane(thick_mm), camera, GRID)
    through = fit_plane(Correspondences.of(px, GRID, ["map"] * len(GRID), 0.05), LENS, LENS.size_px, SIZE_MM)
    on_it = replace(through, folds=glass_over(through, SIZE_MM, thick_mm))
    at_px = camera.to_image(GRID)
    as_if_none, off_mm = (np.hypot(*(plane.to_table(at_px) - GRID).T) for plane in (through, on_it))
    assert off_mm.max() < 0.04 * thick_mm < 0.25 * thick_mm < np.median(as_if_none)
    assert (off_mm < SIGMAS_95 * on_it.sigma_mm(at_px)).all()


def test_a_pane_of_another_thickness_by_a_ruler_is_in_the_stated_error():
    camera = a_camera(40, 900, 5, lens=LENS)
    folds = glass_over(camera, SIZE_MM, 4.0)
    thicker = glass_over(camera, SIZE_MM, 4.25)
    assert thicker.heights_mm - folds.heights_mm == pytest.approx(folds.sigmas_mm, rel=0.05)


@pytest.mark.parametrize(("before_deg", "now_deg"), [(60, 35), (50, 30), (35, 60)])
def test_a_camera_that_was_carried_sees_through_a_pane_from_where_it_stands_now(before_deg, now_deg):
    camera, carried = a_camera(before_deg, 900, 5, lens=LENS), a_camera(now_deg, 900, 0, 20, lens=LENS)
    px, now_px = (shown_under(Pane(4.0), each, GRID) for each in (camera, carried))
    through = fit_plane(Correspondences.of(px, GRID, ["map"] * len(GRID), 0.05), LENS, LENS.size_px, SIZE_MM)
    on_it = replace(through, folds=glass_over(through, SIZE_MM, 4.0))
    again = measured_again(on_it, Correspondences.of(now_px, through.to_table(px), ["map"] * len(GRID), 0.05), SIZE_MM)
    off_mm = np.hypot(*(again.to_table(carried.to_image(GRID)) - GRID).T)
    assert off_mm.max() < 0.25

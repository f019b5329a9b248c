"""A lens that was measured by pictures the other way up."""

import numpy as np
import pytest

from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.lens import Lens
from tests.calibration.simulation import EIGHT_POINTS, MARKERS, POINTS, SIZE
from tests.calibration.table_picture import a_camera

PINHOLE = Lens.measured(SIZE, [[1500, 0, 975], [0, 1500, 528], [0, 0, 1]], (-0.12, 0.1, 0.001, -0.001, 0))
FISHEYE = Lens.measured(SIZE, [[850, 0, 945], [0, 850, 547], [0, 0, 1]], (0.03, -0.01, 0.002, 0), fisheye=True)
GRID = np.array([[x, y] for x in (50, 350, 650) for y in (50, 250, 450)], float)
TURNED = "the picture is upside down to that by which its lens was measured: the lens was turned with it"


def fitted(reference, lens, shown_by, sigma_px=0.1, pushed_mm=0.0):
    mm, sources = reference
    camera = a_camera(50, 900 * lens.matrix[0, 0] / 1450, lens=shown_by)
    lying = mm.copy()
    lying[:4] += pushed_mm
    px = camera.to_image(lying) + np.random.default_rng(3).normal(0, sigma_px, mm.shape)
    return camera, fit_plane(Correspondences.of(px, mm, sources, sigma_px), lens, SIZE, (700, 500))


@pytest.mark.parametrize("reference", [MARKERS, EIGHT_POINTS], ids=["markers", "eight points"])
@pytest.mark.parametrize("lens", [PINHOLE, FISHEYE], ids=["pinhole", "fisheye"])
def test_a_picture_upside_down_to_its_lens_is_measured_as_well(lens, reference):
    camera, plane = fitted(reference, lens, lens.upside_down())
    off_mm = np.hypot(*(plane.to_table(camera.to_image(GRID)) - GRID).T)
    assert TURNED in plane.notes
    assert off_mm.max() < 0.3


def test_four_clicks_tell_it_where_the_lens_bends():
    camera, plane = fitted(POINTS, PINHOLE, PINHOLE.upside_down())
    assert TURNED in plane.notes
    assert "if nobody turned camera or picture since, a point is far off instead: click them again" in plane.notes
    assert np.allclose(plane.to_table(camera.to_image(GRID)), GRID, atol=0.5)


def test_an_axis_near_the_middle_tells_it_where_many_numbers_are_left_over():
    """Corners that err by more than said left half of the cost, and the turn was missed."""
    lens = Lens.measured(SIZE, [[1500, 0, 963.5], [0, 1500, 543.5], [0, 0, 1]])
    mm, sources = MARKERS
    camera = a_camera(50, 930, lens=lens.upside_down())
    px = camera.to_image(mm) + np.random.default_rng(3).normal(0, 0.15, mm.shape)
    assert TURNED in fit_plane(Correspondences.of(px, mm, sources, 0.1), lens, SIZE, (700, 500)).notes


@pytest.mark.parametrize("pushed_mm", [0.0, 4.0], ids=["in their places", "one pushed aside"])
@pytest.mark.parametrize("lens", [PINHOLE, FISHEYE], ids=["pinhole", "fisheye"])
def test_an_upright_picture_is_not_turned(lens, pushed_mm):
    _, plane = fitted(MARKERS, lens, lens, pushed_mm=pushed_mm)
    assert TURNED not in plane.notes


@pytest.mark.parametrize(("click", "off_px"), [(2, (17.5, -30.3)), (3, (0, 20)), (0, (35, 0))])
def test_one_of_four_clicks_that_is_far_off_turns_no_lens(click, off_px):
    """A wrong click explains all that four leave, and a lens the other way up most of it: the picture was said to be
    upside down, and less stated than with the click in doubt."""
    mm, sources = POINTS
    camera = a_camera(50, 900 * 1500 / 1450, lens=PINHOLE)
    px = camera.to_image(mm)
    px[click] += off_px
    plane = fit_plane(Correspondences.of(px, mm, sources, 0.3), PINHOLE, SIZE, (700, 500))
    assert TURNED not in plane.notes

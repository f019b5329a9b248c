"""A print whose told size has not quite its picture's shape."""

import numpy as np
import pytest

from calibration.corners.sheet_shape import clicked_shape, in_doubt, shape_seen
from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.maps.sheet import Sheet
from calibration.plane import SIGMAS_95
from tests.calibration.table_picture import a_camera

PICTURE = np.zeros((594, 840), np.uint8)
SHARE = np.stack(np.meshgrid(np.linspace(0, 1, 5), np.linspace(0, 1, 4)), axis=-1).reshape(-1, 2)


@pytest.mark.parametrize("right", [Sheet(PICTURE, (420, 297)), Sheet(PICTURE, (420, 297), (60, 300), -90)])
@pytest.mark.parametrize("told", [(424, 297), (420, 294.5)])
def test_either_side_may_be_told_wrong(right, told):
    """Told as 424 mm wide, one of 420 put places 3.7 mm off, and 0.02 were stated."""
    sheet = Sheet(PICTURE, told, right.corner_mm, right.turn_deg)
    plane = in_doubt(a_camera(50, 700, aim_mm=(210, 150)), sheet, sheet.off_shape)
    told_mm = sheet.to_table(SHARE)
    off_mm = np.hypot(*(right.to_table(SHARE) - told_mm).T)
    stated_mm = SIGMAS_95 * plane.sigma_mm(plane.to_image(told_mm))
    assert (off_mm < stated_mm + 0.02).all()
    assert stated_mm.max() < 6.5
    assert "1.414 times as wide as deep" in plane.notes[0]


def test_nothing_is_added_where_the_shape_agrees():
    plane = a_camera(50, 700, aim_mm=(210, 150))
    for sheet in (Sheet(PICTURE, (420, 297)), Sheet(None, (420, 290))):
        assert in_doubt(plane, sheet, sheet.off_shape) is plane


@pytest.mark.parametrize(("told", "is_known"), [((426, 297), True), ((420, 301), True), ((420, 330), False)])
def test_four_corners_show_the_shape_to_a_lens_whose_axis_is_about_the_middle(told, is_known):
    """Told 2 % too deep, 4 mm were stated at the far side of an A3 sheet and 5 true."""
    camera, corners = a_camera(50, 700, 3, 15, aim_mm=(210, 150)), np.array([[0, 1], [1, 1], [1, 0], [0, 0]], float)
    lens = camera.lens if is_known else camera.lens.unknown(camera.lens.size_px)
    px = camera.to_image(corners * [420, 297])
    for size_mm in (told, (420, 297)):
        off_shape = np.log(420 / 297 * size_mm[1] / size_mm[0])
        seen = Correspondences.of(px, corners * size_mm, sigma_px=0.7)
        plane = fit_plane(seen, lens, lens.size_px)
        assert shape_seen(seen, plane, lens) == pytest.approx(off_shape, abs=1e-3 if is_known else 0.01)


@pytest.mark.parametrize(("depth_mm", "is_doubted"), [(500, False), (600, True)])
def test_clicked_corners_show_a_told_size_that_only_an_odd_camera_explains(depth_mm, is_doubted):
    """Told 20 % too deep, a table was 98 mm off and 2 stated; the right one states what it did."""
    camera, corners = a_camera(50, 900, 3, 15), np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    lens = camera.lens.unknown(camera.lens.size_px)
    seen = Correspondences.of(camera.to_image(corners * [700, 500]), corners * [700, depth_mm], sigma_px=0.5)
    plane = fit_plane(seen, lens, lens.size_px)
    doubted = clicked_shape(seen, plane, lens)
    assert (doubted is not plane) is is_doubted
    if is_doubted:
        assert SIGMAS_95 * doubted.sigma_mm(seen.image_px).max() > 98
        assert "the clicked corners show it to be" in doubted.notes[-1]


def test_clicks_beside_others_or_elsewhere_show_no_shape():
    camera, corners = a_camera(50, 900, 3, 15), np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    lens, px = camera.lens.unknown(camera.lens.size_px), camera.to_image(corners * [700, 500])
    oblique = Correspondences.of(px, corners * [700, 600] + [[0, 0], [0, 0], [0, 0], [90, 0]], sigma_px=0.5)
    plane = fit_plane(oblique, lens, lens.size_px)
    assert clicked_shape(oblique, plane, lens) is plane
    assert clicked_shape(Correspondences.of(px, corners * [700, 600], ["sheet"] * 4, 0.5), plane, lens) is plane

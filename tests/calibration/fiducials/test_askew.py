"""Markers that hands laid a few degrees askew: their middles and their sides tell the table, and how each is turned."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.fiducials.markers import corners_mm
from calibration.fit.correspondence import Correspondences, inward
from calibration.fit.plane_fit import fit_plane
from tests.calibration.table_picture import a_camera, a_lens

SIZE = (1920, 1080)
CENTRES = [(20, 20), (680, 20), (680, 480), (20, 480)]
CAMERA = a_camera(50, 900)
x, y = np.meshgrid(np.linspace(0, 700, 6), np.linspace(0, 500, 5))
PLACES = np.c_[x.ravel(), y.ravel()]


def markers(turns_deg=(0, 0, 0, 0), share=1.0, bloom_px=0.0):
    """Four markers of 40 mm, turned so, printed so many times as large, light spread so far into them."""
    quads = [CAMERA.to_image(corners_mm(c, 40 * share, turn)) for c, turn in zip(CENTRES, turns_deg, strict=True)]
    px = np.concatenate([quad + bloom_px * inward(quad[None])[0] for quad in quads])
    px += np.random.default_rng(5).normal(0, 0.03, px.shape)
    told = np.concatenate([corners_mm(centre, 40) for centre in CENTRES])
    names = [f"marker {n}" for n in range(4) for _ in range(4)]
    return Correspondences.of(px, told, names, 0.03).found_by_sides().dark_on_light()


def off_mm(plane):
    return np.hypot(*(plane.to_table(CAMERA.to_image(PLACES)) - PLACES).T).max()


@pytest.mark.parametrize("lens", [a_lens(), None], ids=["lens file", "no lens file"])
@pytest.mark.parametrize("placing_mm", [0.0, 1.0])
def test_markers_laid_askew_are_measured_as_they_lie(lens, placing_mm):
    seen = replace(markers((3.0, -2.9, -3.0, 2.0)), placing_mm=placing_mm)
    plane = fit_plane(seen, lens, SIZE, (700, 500))
    # With turns of nothing two were thrown out, and places 31 mm off.
    assert plane.rejected == () and off_mm(plane) < 0.5
    told = next(note for note in plane.notes if "askew" in note)
    assert "marker 0 by 3.0 degrees" in told or "marker 0 by 2.9 degrees" in told
    assert "3 = 2.0" in told or "3 = 1.9" in told


def test_markers_that_lie_straight_are_measured_as_before():
    plane = fit_plane(markers(), a_lens(), SIZE, (700, 500))
    assert off_mm(plane) < 0.1 and not plane.notes


def test_one_pushed_aside_does_not_pass_for_askew():
    seen = markers()
    px = seen.image_px.copy()
    px[4:8] = CAMERA.to_image(corners_mm((668, 29), 40))
    plane = fit_plane(replace(seen, image_px=px), a_lens(), SIZE, (700, 500))
    assert plane.rejected == ("marker 1",) and off_mm(plane) < 0.3


@pytest.mark.parametrize("share", [0.94, 0.96])
def test_light_that_spreads_into_markers_is_no_size(share):
    plane = fit_plane(markers(share=share, bloom_px=0.5), a_lens(), SIZE, (700, 500))
    assert f"all markers are about {share:.2f} times" in plane.notes[0] and off_mm(plane) < 0.2

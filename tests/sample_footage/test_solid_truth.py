"""The truth of rendered tables: where in the picture each thing shows."""

from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

import sample_footage
from rules.files.scene_file import read_scene
from sample_footage.camera import looking_at
from sample_footage.solid_truth import solid_truth
from ui.setup.setup_file import read_setup

SOLIDS = Path(sample_footage.__file__).parent / "solids"
CAMERA = looking_at((350, 250, 0), 900, 60, size_px=(480, 270), focal_px=400.0)


def corners(width_mm, depth_mm, at_mm):
    """A rectangle about a place from the table's middle."""
    half = np.array([width_mm, depth_mm]) / 2
    return np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half + at_mm


def test_terrain_shows_where_the_middle_of_its_top_is_and_a_soldier_where_he_stands():
    soldier = SimpleNamespace(
        kind=0, at=np.array([-50.0, 20.0]), facing=0.0, radius=12.0, elevation=30.0, colour="red", number=1
    )
    box, sheet = (4, corners(60, 40, (100, 50)), 80.0), (6, corners(90, 90, (-100, -50)), 0.0)
    lying = SimpleNamespace(figures=[soldier], footprints=[box, sheet], things=[1, 2])
    document = solid_truth(lying, CAMERA, np.zeros((270, 480), np.int16), "plain")
    shown = [feature["properties"]["image_px"] for feature in document["features"]]
    wanted = CAMERA.project([(300, 270, 30), (450, 300, 80), (250, 200, 0)])
    assert shown == [pytest.approx(place, abs=0.01) for place in wanted]


@pytest.mark.parametrize("truth", sorted(SOLIDS.glob("*.truth.geojson")), ids=lambda path: path.name)
def test_so_they_do_in_the_pictures_that_are_packaged(truth):
    setup = read_setup(truth.with_name(truth.name.replace(".truth.geojson", ".setup.toml")))
    lens, points = setup.camera, np.array(setup.calibration.points)
    matrix = np.array([[lens.fx, 0, lens.cx], [0, lens.fy, lens.cy], [0, 0, 1]])
    on_table = np.column_stack([points[:, 2:], np.zeros(len(points))])
    _, turn, shift = cv2.solvePnP(on_table, points[:, :2].copy(), matrix, None)
    for piece in read_scene(truth):
        above_mm = piece.elevation_mm + (piece.height_mm or 0.0 if piece.kind == "terrain" else 0.0)
        shown, _ = cv2.projectPoints(np.array([(*piece.position_mm, above_mm)]), turn, shift, matrix, None)
        assert piece.image_px == pytest.approx(shown.ravel(), abs=0.1), piece.id

"""Papers on a mat of hexes are ground in what the commands read off a picture."""

import json

import cv2
import numpy as np

from sample_footage.hex_table import PX_PER_MM, TABLE_MM, Cutting, HexTable, mat_bgr
from sample_footage.setup_file import setup_toml
from sample_footage.still_pictures import KNOWN_POINTS_MM
from tests.vision.hexes import a_camera
from ui.cli import run

LAKE = Cutting("blue", (190, 120, 50), ((300, 200), (380, 195), (400, 250), (345, 290), (290, 260)))
WOOD = Cutting("green", (60, 130, 70), ((480, 300), (560, 310), (550, 380), (470, 360)))


def seen_from(camera, mat):
    """The mat as that camera sees it, a pond printed on it."""
    width, height = camera.size_px
    at = camera.to_plane(np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2))
    u = (at[:, 0] * PX_PER_MM - 0.5).reshape(height, width).astype(np.float32)
    v = ((TABLE_MM[1] - at[:, 1]) * PX_PER_MM - 0.5).reshape(height, width).astype(np.float32)
    sheet = cv2.GaussianBlur(with_pond(mat_bgr(mat)), (0, 0), 2.0)
    return cv2.remap(sheet, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(60, 84, 118))


def with_pond(sheet):
    """A wash of blue over print and paper, through which the hexes' lines show."""
    middle, radius = (round(150 * PX_PER_MM), round(180 * PX_PER_MM)), round(60 * PX_PER_MM)
    wash = cv2.circle(np.full_like(sheet, 255), middle, radius, (210, 150, 80), -1)
    return cv2.multiply(sheet, wash, scale=1 / 255)


def test_a_lake_and_a_wood_of_paper_are_in_the_scene_and_a_printed_pond_is_not(tmp_path):
    camera = a_camera()
    mat = HexTable(40.0, 0.0, (30.0, 25.0), cuttings=(LAKE, WOOD))
    cv2.imwrite(str(tmp_path / "table.png"), seen_from(camera, mat))
    setup, out = tmp_path / "setup.toml", tmp_path / "scene.geojson"
    setup.write_text(setup_toml(camera, KNOWN_POINTS_MM, game="omniwar", sides=("near", "far")), encoding="utf-8")
    assert run(["scene", str(tmp_path / "table.png"), "--setup", str(setup), "--out", str(out)]) == 0
    seen = [feature["properties"] for feature in json.loads(out.read_text())["features"]]
    assert sorted((one["class"], one["colour"]) for one in seen) == [("paper", "blue"), ("paper", "green")]

import cv2
import numpy as np

from sample_footage.camera import looking_at
from tests.ui.sheets.test_sheets import PX_PER_MM, printed
from tests.vision.planes import plane_of
from ui.sheets.hexmat import hex_centres
from ui.sheets.page import PAPER_MARGIN_MM
from vision.detect.hex.hexgrid import find_hexgrid

PITCH_MM = 30.0


def seen(page, size_mm, camera):
    """The page lying with its near left corner on the origin, as the camera sees it on a brown table."""
    width, height = camera.size_px
    at = camera.to_plane(np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2))
    u = (at[:, 0] * PX_PER_MM - 0.5).reshape(height, width).astype(np.float32)
    v = ((size_mm[1] - at[:, 1]) * PX_PER_MM - 0.5).reshape(height, width).astype(np.float32)
    sheet = cv2.GaussianBlur(cv2.cvtColor(page, cv2.COLOR_GRAY2BGR), (0, 0), 1.5)
    return cv2.remap(sheet, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(60, 84, 118))


def test_the_printed_hex_mat_is_found_where_it_lies(tmp_path):
    [(page, size_mm)] = printed("hexmat", tmp_path / "mat.pdf", "--pitch-mm", str(PITCH_MM))
    camera = looking_at((105.0, 140.0, 0.0), 480.0, 58.0, 4.0, 1.0, (1280, 960), 1250.0)
    grid = find_hexgrid(seen(page, size_mm, camera), plane_of(camera), size_mm)
    assert grid is not None
    assert abs(grid.pitch_mm - PITCH_MM) < 0.05
    drawn = np.array(hex_centres(PITCH_MM, size_mm[0] - 2 * PAPER_MARGIN_MM, 230.0)) + PAPER_MARGIN_MM
    drawn[:, 1] = size_mm[1] - drawn[:, 1]
    found = np.array([grid.centre_mm((q, r)) for q in range(-30, 30) for r in range(-30, 30)])
    assert len(drawn) > 30
    assert np.linalg.norm(drawn[:, None] - found[None], axis=2).min(axis=1).max() < 0.3

"""A blurred picture is no reason to blame a marker."""

from pathlib import Path

from ui.measuring.table import plane_for
from ui.setup.setup_file import read_setup
from vision.stream.picture import read_picture

STILLS = Path(__file__).parents[3] / "sample_footage" / "stills"


def test_three_blurred_markers_are_all_believed() -> None:
    setup = read_setup(STILLS / "still-007-blur.setup.toml")
    plane = plane_for(setup, read_picture(STILLS / "still-007-blur.jpg"))
    assert not any(residual.rejected for residual in plane.residuals)
    assert plane.reprojection_error_px < 2.0

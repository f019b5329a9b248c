"""Which plane a picture without set-up is measured by."""

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.plane import TablePlane
from rules.setup import Setup
from tests.calibration.table_picture import a_camera, a_lens
from tests.vision.planes import plane_from
from ui.measuring.table import plane_for, sees_hexes
from ui.setup.calibration_block import CalibrationBlock
from ui.setup.setup_file import SetupFile, read_setup
from vision.frame import Frame
from vision.stream.picture import read_picture

STILLS = Path(__file__).parents[3] / "sample_footage" / "stills"


@pytest.mark.parametrize("name", ["still-000-plain.jpg", "still-003-warm.jpg"])
def test_a_maps_sheet_is_not_taken_for_a_card(name: str) -> None:
    with pytest.raises(ValueError, match=r"without --setup: .*card"):
        plane_for(None, read_picture(STILLS / name))


@pytest.mark.parametrize("sigma_mm", [50.0, math.inf])
def test_a_plane_that_tells_nothing_of_the_table_is_none(monkeypatch: pytest.MonkeyPatch, sigma_mm: float) -> None:
    """Points with a sign forgotten were played on, known to 30 m."""
    setup = SetupFile(Path("a.toml"), Setup("omms", (700.0, 500.0)))
    plane = plane_from((350, -380, 760), (350, 250))
    monkeypatch.setattr("ui.measuring.table._calibrated", lambda *_: plane)
    monkeypatch.setattr(TablePlane, "sigma_mm", lambda *_, **__: np.array([sigma_mm]))
    with pytest.raises(ValueError, match=r"a\.toml: calibration: the middle of the table is known .*: check the ref"):
        plane_for(setup, read_picture(STILLS / "still-000-plain.jpg"))


@pytest.mark.parametrize(("first", "refused"), [(0, False), (1, True), (2, False), (3, True)])
def test_corners_that_begin_one_place_on_are_told(first: int, refused: bool) -> None:
    """Of a table that is not square; begun at the far right it is only turned round."""
    camera = a_camera(55, 1300, lens=a_lens((1280, 720)))
    places = [(0.0, 0.0), (700.0, 0.0), (700.0, 500.0), (0.0, 500.0)]
    px = camera.to_image(np.array(places)).tolist()
    points = tuple((*at, *place) for at, place in zip(px, places[first:] + places[:first], strict=True))
    frame = Frame(np.full((720, 1280, 3), 90, np.uint8), 0, 0.0, "bare.png")
    setup = SetupFile(Path("a.toml"), Setup("omms", (700.0, 500.0)), calibration=CalibrationBlock(points=points))
    if refused:
        with pytest.raises(ValueError, match="the points look turned by one"):
            plane_for(setup, frame)
    else:
        assert np.allclose(plane_for(setup, frame).to_image([places[first]]), [px[0]], atol=1.0)


def test_points_outside_the_picture_are_told(tmp_path: Path) -> None:
    """Clicked in a picture half as large again they were measured by, or "looked turned by one"."""
    camera = a_camera(55, 1300, lens=a_lens((1280, 720)))
    places = [(0.0, 0.0), (700.0, 0.0), (700.0, 500.0), (0.0, 500.0)]
    px = camera.to_image(np.array(places)) * 1.5
    frame = Frame(np.full((720, 1280, 3), 90, np.uint8), 0, 0.0, "bare.png")

    def said(px: NDArray[np.float64]) -> str:
        points = tuple((*at, *place) for at, place in zip(px.tolist(), places, strict=True))
        setup = SetupFile(Path("a.toml"), Setup("omms", (700.0, 500.0)), calibration=CalibrationBlock(points=points))
        try:
            return "; ".join(plane_for(setup, frame).notes)
        except ValueError as error:
            return str(error)

    beyond = "outside the picture, which is 1280 x 720 px: click in one of that size"
    assert beyond in said(px)
    assert f"a.toml: calibration: point 1 lies {beyond}; " in said(np.vstack([[-300, px[0, 1] / 1.5], px[1:] / 1.5]))
    assert beyond not in said(px / 1.5)


@pytest.mark.parametrize("clicked_in", [(1280, 720), (640, 360)])
def test_points_that_were_clicked_in_a_larger_picture_measure_a_smaller_one(
    tmp_path: Path, clicked_in: tuple[int, int]
) -> None:
    """They were taken for px of the smaller one: a table lay 170 to 380 mm off. Its own clicks count as they are."""
    camera = a_camera(55, 1300, lens=a_lens((1280, 720)))
    places = np.array([(0.0, 0.0), (700.0, 0.0), (700.0, 500.0), (0.0, 500.0), (350.0, 250.0)])
    px = camera.to_image(places)
    small_px = (px + 0.5) / 2 - 0.5
    points = np.c_[px if clicked_in == (1280, 720) else small_px, places].tolist()
    (fx, _, cx), (_, fy, cy), _ = camera.lens.matrix.tolist()
    path = tmp_path / "a.toml"
    path.write_text(
        'schema = "sandtable/setup/1"\ngame = "omms"\n[table]\nsize_mm = [700, 500]\n'
        f"[camera]\nsize_px = [1280, 720]\nfx = {fx}\nfy = {fy}\ncx = {cx}\ncy = {cy}\n"
        f"distortion = {camera.lens.distortion.tolist()}\n[calibration]\npoints = {points}\n"
    )
    frame = Frame(np.full((360, 640, 3), 90, np.uint8), 0, 0.0, "small.png")
    assert np.allclose(plane_for(read_setup(path), frame).to_image(places), small_px, atol=0.1)


@pytest.mark.parametrize(("game", "looks"), [("omniwar", True), ("omms", False)])
def test_hexes_are_looked_for_where_a_game_is_played_on_them(game: str, looks: bool) -> None:
    setup = SetupFile(Path("a.toml"), Setup(game, (700.0, 500.0)))
    assert (sees_hexes(setup, read_picture(STILLS / "still-000-plain.jpg")) is not None) is looks

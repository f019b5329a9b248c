"""What of a table lies beyond the picture, with a margin in which pieces are cut."""

import numpy as np
import pytest
from shapely import Point, box

from tests.calibration.table_picture import a_camera, a_lens
from vision.metric.out_of_sight import out_of_sight

TABLE_MM = (700.0, 500.0)


def test_of_a_table_that_shows_whole_nothing_is() -> None:
    assert out_of_sight(a_camera(60, 1100), TABLE_MM).is_empty


@pytest.mark.parametrize("distortion", [(0.0,) * 5, (-0.25, 0.05, 0.0, 0.0, 0.0)])
def test_beside_the_picture_all_is_and_in_it_nothing_but_what_its_edges_cut(distortion: tuple[float, ...]) -> None:
    camera = a_camera(50, 600, pan_deg=40, lens=a_lens(distortion=distortion))
    beyond = out_of_sight(camera, TABLE_MM)
    assert 0.05 < beyond.area / (700 * 500) < 0.7
    places = np.random.default_rng(2).uniform((0, 0), TABLE_MM, (800, 2))
    u, v = camera.to_image(places).T
    shows = (u >= 0) & (u <= 1919) & (v >= 0) & (v <= 1079)
    inside = np.array([beyond.intersects(Point(place)) for place in places])
    assert inside[~shows].all()
    margin = np.array([beyond.boundary.distance(Point(place)) for place in places])
    assert (margin[shows & inside] < 15.5).all()


def test_a_camera_that_looks_away_shows_nothing_of_it() -> None:
    away = a_camera(60, 500, aim_mm=(2500, 250))
    assert out_of_sight(away, TABLE_MM).equals(box(0, 0, *TABLE_MM))


def test_a_camera_over_a_table_that_goes_on_behind_it_tells_nothing() -> None:
    over = a_camera(30, 300, aim_mm=(350, 700))
    assert np.isnan(over.to_image([(700, 0)])).all()
    assert out_of_sight(over, TABLE_MM).is_empty

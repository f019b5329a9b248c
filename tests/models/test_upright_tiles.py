"""Upright views of training tiles: what is known of a tile lies where the view shows it."""

import cv2
import numpy as np
import pytest

from models import solids
from models.training.slices import CANVAS_PX, PX_PER_MM
from models.training.upright import Tile, Upright

SLANTS = [(0.0, -1.2), (0.8, 0.3), (-0.05, 0.02)]
AT_MM, FACING = (180.0, 205.0), 0.6


@pytest.fixture(params=SLANTS)
def slant(request):
    return np.array(request.param)


def tile(slant):
    return Tile(CANVAS_PX, slant, np.array([(0, *AT_MM, FACING, 6.0, 1.0)], np.float32))


def views(slant):
    rng = np.random.default_rng(4)
    return [Upright.whole(1088, 2.0, tile(slant)), *(Upright.drawn(rng, 512, 1.3, tile(slant)) for _ in range(6))]


def test_a_figure_shows_where_its_row_says(slant):
    picture = np.zeros((CANVAS_PX, CANVAS_PX, 3), np.uint8)
    cv2.circle(picture, tuple(round(mm * PX_PER_MM) for mm in AT_MM), 6, (255, 255, 255), -1)
    for view in views(slant):
        at_px = view.rows(tile(slant).rows)[0, 1:3]
        if ((at_px > 20) & (at_px < view.side_px - 20)).all():
            rows, columns = np.nonzero(view.picture(picture)[..., 0] > 100)
            assert (columns.mean(), rows.mean()) == pytest.approx(at_px, abs=0.6)


def test_a_surface_lies_under_its_figure(slant):
    layer = np.zeros((CANVAS_PX // 2,) * 2, np.uint8)
    layer[round(AT_MM[1]) - 8 : round(AT_MM[1]) + 9, round(AT_MM[0]) - 8 : round(AT_MM[0]) + 9] = 1
    view = Upright.whole(1088, 2.0, tile(slant))
    rows, columns = np.nonzero(view.surface(layer))
    middle_px = np.array((columns.mean(), rows.mean())) * solids.CELL_PX + (solids.CELL_PX - 1) / 2
    assert middle_px == pytest.approx(view.rows(tile(slant).rows)[0, 1:3], abs=solids.CELL_PX / 2)


def test_what_is_above_the_table_shows_upwards_and_foreshortened(slant):
    cotangent = np.hypot(*slant)
    assert Upright.whole(1088, 2.0, tile(slant)).slant == pytest.approx(
        (0, -cotangent / np.hypot(1, cotangent)), abs=1e-9
    )


def test_facing_turns_with_the_view():
    away = tile(np.array((0.0, -1.0)))
    ahead = Upright.whole(1088, 2.0, away).rows(away.rows)[0, 3]
    from_the_side = tile(np.array((1.0, 0.0)))
    turned = Upright.whole(1088, 2.0, from_the_side).rows(from_the_side.rows)[0, 3]
    assert ahead == pytest.approx(FACING)
    assert turned == pytest.approx(FACING - np.pi / 2)

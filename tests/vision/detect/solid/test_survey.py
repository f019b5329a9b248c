"""The net of figures is asked where the net of terrain saw anything, and says there what it says of the whole."""

import cv2
import numpy as np
import pytest

from models import solids
from tests.vision.planes import plane_from
from vision.detect.figure.chance import worth_a_look
from vision.detect.solid.glance import Glance
from vision.detect.solid.solids import SolidMemory
from vision.detect.solid.survey import Survey
from vision.metric.heat import BLOCK_PX
from vision.metric.remap import Remap
from vision.metric.topview import TopView
from vision.metric.upright import UprightView

SIZE_MM = (320.0, 256.0)
AT_MM, BESIDE_MM = np.array([(120.0, 90.0)]), np.array([(200.0, 90.0)])


@pytest.fixture
def plane():
    return plane_from((160, -400, 600), (160, 128))


@pytest.fixture
def view(plane):
    return TopView.of_table(plane, SIZE_MM, 2.0, 0.0, 0.0, solids.STRIDE_PX)


def whole(plane, px_per_mm):
    return UprightView.of_piece(plane, np.array([(0.0, 0.0), SIZE_MM]), px_per_mm, 75.0, solids.STRIDE_PX)


def seen_at(view, at_mm, logit):
    """What a net says that sees something at one place and is sure of nothing elsewhere."""
    maps = np.zeros((solids.CHANNELS, view.size_px[1] // 4, view.size_px[0] // 4), np.float32)
    maps[solids.HEAT] = -12
    column, row = (view.to_px(at_mm)[0] / 4).astype(int)
    maps[solids.HEAT.start, row, column] = logit
    blank = np.zeros((view.size_px[1], view.size_px[0], 3), np.uint8)
    return Glance(view.plane, view, blank, maps, np.ones(maps.shape[1:], bool))


def hottest(glance, window):
    return np.logaddexp.reduce(glance.maps[solids.HEAT], axis=0)[window].max()


def block_of(view, at_mm):
    column, row = (view.to_px(at_mm)[0] / BLOCK_PX).astype(int)
    return row, column


def test_what_is_faintly_seen_is_worth_a_look_and_nothing_far_from_it(plane):
    coarse, close = whole(plane, 1.0), whole(plane, 2.0)
    blocks = worth_a_look(seen_at(coarse, AT_MM, -1.0), close)
    assert blocks[block_of(close, AT_MM)]
    assert not blocks[block_of(close, BESIDE_MM)]
    assert not worth_a_look(seen_at(coarse, AT_MM, -5.0), close).any()


def test_what_another_piece_owns_is_left_to_it(plane):
    left = np.array([(0.0, 0.0), (100.0, 256.0)])
    coarse, close = (UprightView.of_piece(plane, left, scale, 75.0, solids.STRIDE_PX) for scale in (1.0, 2.0))
    assert not worth_a_look(seen_at(coarse, AT_MM, 2.0), close).any()
    assert worth_a_look(seen_at(coarse, AT_MM - (16, 0), 2.0), close).any()


def test_only_pieces_worth_it_are_looked_at_closer(plane, view):
    picture = np.full((960, 1280, 3), 120, np.uint8)
    cv2.circle(picture, tuple(int(v) for v in plane.to_image(AT_MM)[0]), 9, (40, 40, 200), -1)
    coarse, closer = Survey(solids.TERRAIN_LOOK), Survey(solids.FIGURES_LOOK)
    glances = coarse.of(picture, plane, view)
    owner = next(n for n, glance in enumerate(glances) if glance.view.owns(AT_MM)[0])
    faint = [seen_at(glance.view, AT_MM, 0.0 if n == owner else -12.0) for n, glance in enumerate(glances)]
    ((glance, beside),) = closer.closer(picture, faint, view, worth_a_look)()
    assert beside is faint[owner]
    row, column = block_of(glance.view, AT_MM)
    assert glance.shown[2 * row, 2 * column]
    assert not glance.shown.all()
    unasked = glance.maps[solids.HEAT][:, ~glance.shown]
    assert unasked.max() < -10
    (all_of_it,) = [g for g in closer.of(picture, plane, view) if g.view is glance.view]
    there = np.s_[2 * row - 4 : 2 * row + 4, 2 * column - 4 : 2 * column + 4]
    assert hottest(glance, there) == pytest.approx(hottest(all_of_it, there), abs=0.15)


def test_figures_are_asked_for_twice_in_each_part(plane, view, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "vision.detect.solid.solids.find_figures", lambda *of, again: asked.append((of[0], again)) or []
    )
    monkeypatch.setattr("vision.detect.solid.solids.worth_a_look", lambda _, piece: all_blocks(piece))
    SolidMemory().look(np.full((960, 1280, 3), 120, np.uint8), plane, view)
    assert asked
    for one, again in asked:
        assert (again.view.piece_mm == one.view.piece_mm).all()
        assert np.linalg.det(again.view.linear) * np.linalg.det(one.view.linear) < 0


def all_blocks(piece):
    """Every block of a view."""
    width, height = piece.size_px
    return np.ones((height // BLOCK_PX, width // BLOCK_PX), bool)


def test_what_depends_on_the_camera_alone_can_be_worked_out_before_the_first_look(plane, view, monkeypatch):
    maps, of = [], Remap.of
    monkeypatch.setattr(Remap, "of", lambda *given: maps.append(of(*given)) or maps[-1])
    eyes, picture = SolidMemory(), np.full((960, 1280, 3), 120, np.uint8)
    cv2.circle(picture, tuple(int(v) for v in plane.to_image(AT_MM)[0]), 9, (40, 40, 200), -1)
    eyes.make_ready(plane, view)
    ready = len(maps)
    assert ready > 2
    seen = eyes.look(picture, plane, view)
    assert len(maps) == ready
    assert str(seen) == str(SolidMemory().look(picture, plane, view))

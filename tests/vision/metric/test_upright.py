import cv2
import numpy as np
import pytest

from tests.vision.planes import drawn_discs, plane_from
from vision.metric.topview import TopView
from vision.metric.upright import UprightView, upright_views

SIZE_MM = (900.0, 600.0)


@pytest.fixture(params=[(450.0, -500.0, 800.0), (1300.0, 200.0, 500.0), (450.0, 300.0, 900.0)])
def plane(request):
    return plane_from(request.param, (450.0, 300.0))


@pytest.fixture
def pieces(plane):
    return upright_views(plane, TopView.of_table(plane, SIZE_MM, 2.0, 0.0, 25.0, 64), 2.0, 70.0, 32)


def test_each_place_of_the_table_lies_on_one_piece(pieces):
    at_mm = np.random.default_rng(1).uniform((-25, -25), np.array(SIZE_MM) + 25, (500, 2))
    assert (sum(piece.owns(at_mm).astype(int) for piece in pieces) == 1).all()


def test_a_piece_shows_all_of_itself_and_the_head_of_who_stands_at_its_far_edge(plane, pieces):
    for piece in pieces:
        (left, near), (right, far) = piece.piece_mm
        corners_mm = np.array([(left, near), (right, near), (right, far), (left, far)])
        for high_mm in (0.0, 70.0):
            px = piece.to_px(plane.to_table(plane.to_image(corners_mm, high_mm)))
            assert (px > 0).all()
            assert (px < piece.size_px).all()


def test_what_stands_is_upright_and_as_tall_as_the_cameras_slant_shows_it(plane, pieces):
    for piece in pieces:
        middle_mm = piece.piece_mm.mean(axis=0)[None]
        foot_px, head_px = (piece.to_px(plane.to_table(plane.to_image(middle_mm, h)))[0] for h in (0.0, 1.0))
        right, up = (head_px - foot_px) * (1, -1)
        *under_mm, high_mm = plane.camera_position_mm
        away_mm = np.hypot(*(middle_mm[0] - under_mm))
        assert right == pytest.approx(0, abs=1e-6)
        assert up == pytest.approx(2.0 * away_mm / np.hypot(away_mm, high_mm), rel=0.01)


def test_px_and_mm_are_each_others_way_back(pieces):
    px = np.array([(3.0, 5.0), (120.5, 77.25)])
    for piece in pieces:
        assert piece.to_px(piece.to_table(px)) == pytest.approx(px)


def test_a_disc_on_the_table_shows_where_the_view_says():
    plane = plane_from((180.0, -350.0, 500.0), (200.0, 150.0), distortion=(-0.12, 0.02, 0.0, 0.0, 0.0))
    piece = UprightView.of_piece(plane, np.array([(100.0, 80.0), (240.0, 200.0)]), 2.0, 70.0, 32)
    seen = piece.resample(drawn_discs(plane, [(150.0, 130.0, 12.0, 0.0)], foot=False))
    (contour,), _ = cv2.findContours((seen[..., 0] > 165).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    (x, y), axes, _ = cv2.fitEllipse(contour)
    assert piece.to_table(np.array([(x, y)]))[0] == pytest.approx((150.0, 130.0), abs=0.3)
    assert max(axes) + 1 == pytest.approx(2 * 12.0 * 2.0, abs=1.5)


def test_a_view_in_the_mirror_shows_all_of_the_other_and_each_place_where_it_says(pieces):
    for piece in pieces:
        other = piece.in_mirror(8.0, 0.93, 32)
        width, height = piece.size_px
        corners_px = other.to_px(piece.to_table(np.array([(0, 0), (width, 0), (width, height), (0, height)], float)))
        assert (corners_px > -1e-6).all()
        assert (corners_px < np.array(other.size_px) + 1e-6).all()
        assert not np.array(other.size_px) % 32 @ (1, 1)
        right, down = corners_px[1] - corners_px[0], corners_px[3] - corners_px[0]
        assert right == pytest.approx(0.93 * width * np.array((-np.cos(np.radians(8)), -np.sin(np.radians(8)))))
        assert right[0] * down[1] < right[1] * down[0]
        assert np.hypot(*down) == pytest.approx(0.93 * height)
        assert other.owns(piece.piece_mm.mean(axis=0))


def test_a_disc_shows_where_the_view_in_the_mirror_says():
    plane = plane_from((180.0, -350.0, 500.0), (200.0, 150.0), distortion=(-0.12, 0.02, 0.0, 0.0, 0.0))
    piece = UprightView.of_piece(plane, np.array([(100.0, 80.0), (240.0, 200.0)]), 2.0, 70.0, 32)
    other = piece.in_mirror(8.0, 0.93, 32)
    seen = other.resample(drawn_discs(plane, [(150.0, 130.0, 12.0, 0.0)], foot=False))
    (contour,), _ = cv2.findContours((seen[..., 0] > 165).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    (x, y), *_ = cv2.fitEllipse(contour)
    assert other.to_table(np.array([(x, y)]))[0] == pytest.approx((150.0, 130.0), abs=0.3)

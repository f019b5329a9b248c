import cv2
import numpy as np
import pytest

from tests.vision.planes import drawn_discs, plane_from
from vision.metric.topview import TopView

EYE, DISC = (180.0, -350.0, 500.0), (140.0, 130.0, 12.0, 1.85)


def view(px_per_mm=2.0, multiple_px=16, distortion=(0, 0, 0, 0, 0)):
    plane = plane_from(EYE, (200.0, 150.0), distortion=distortion)
    return plane, TopView.of_table(plane, (400.0, 300.0), px_per_mm, DISC[3], 25.0, multiple_px)


def test_a_coin_seen_at_a_slant_is_round_and_true_to_scale_in_the_top_view():
    plane, top = view(distortion=(-0.12, 0.02, 0.0, 0.0, 0.0))
    seen = top.resample(drawn_discs(plane, [DISC], foot=False))
    mask = (seen[..., 0] > 165).astype(np.uint8)
    (contour,), _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    (x, y), (minor, major), _ = cv2.fitEllipse(contour)
    assert np.allclose(top.to_table(np.array([[x, y]]))[0], DISC[:2], atol=0.15)
    assert abs(major - minor) < 0.8
    assert abs((major + minor) / 2 + 1 - 2 * DISC[2] * top.px_per_mm) < 1.0


def test_sides_are_multiples_and_hold_the_table_with_its_margin():
    _, top = view(px_per_mm=1.25)
    assert all(side % 16 == 0 for side in top.size_px)
    far_right = top.to_table(np.array([[top.size_px[0] - 1, top.size_px[1] - 1]], float))[0]
    assert far_right[0] >= 425 - 1
    assert far_right[1] <= -25 + 1


def test_a_table_too_large_for_the_scale_is_shown_more_coarsely():
    plane = plane_from((4000.0, -3500.0, 5000.0), (4000.0, 3000.0))
    top = TopView.of_table(plane, (8000.0, 6000.0), 1.25, 1.85, 25.0, 16)
    assert max(top.size_px) <= 3216
    assert top.px_per_mm < 0.5


def test_a_fine_picture_is_halved_before_it_is_resampled():
    plane = plane_from((60.0, 40.0, 250.0), (60.0, 40.0))
    assert TopView.of_table(plane, (100.0, 80.0), 1.25, 1.85, 5.0).remap.halvings == 2


def test_the_map_between_its_samples_is_exact():
    plane, top = view()
    columns, rows = np.meshgrid(np.arange(3, top.size_px[0], 37), np.arange(5, top.size_px[1], 29))
    wanted = plane.to_image(top.to_table(np.stack([columns, rows], axis=-1).reshape(-1, 2)), DISC[3])
    whole, part = top.remap.map_px
    mapped = (
        whole[rows, columns].reshape(-1, 2) + np.stack(np.divmod(part[rows, columns].ravel(), 32)[::-1], axis=1) / 32
    )
    inside = (wanted > 1).all(axis=1)
    assert np.abs(mapped - wanted)[inside].max() < 0.02 + 1 / 32


def test_the_halved_view_keeps_every_second_pixel_where_it_lies():
    _, top = view(multiple_px=64)
    halved = top.halved
    assert halved.size_px == tuple(side // 2 for side in top.size_px)
    at = np.array([(10.0, 20.0), (57.0, 3.0)])
    assert halved.to_table(at) == pytest.approx(top.to_table(2 * at))
    picture = np.random.default_rng(1).integers(0, 255, (960, 1280, 3)).astype(np.uint8)
    assert (halved.resample(picture) == top.resample(picture)[::2, ::2]).all()


def test_a_grown_view_shows_the_same_pixels_and_others_around_them():
    plane, top = view()
    grown = top.grown(plane, 16)
    assert grown.size_px == (top.size_px[0] + 32, top.size_px[1] + 32)
    at = np.array([(10.0, 20.0), (57.0, 3.0)])
    assert grown.to_table(at + 16) == pytest.approx(top.to_table(at))
    picture = cv2.GaussianBlur(np.random.default_rng(1).integers(0, 255, (960, 1280, 3)).astype(np.uint8), (0, 0), 3)
    inner = grown.resample(picture)[16:-16, 16:-16].astype(int)
    assert np.abs(inner - top.resample(picture))[20:-20, 20:-20].max() <= 2


def test_a_view_just_below_the_camera_is_not_halved_away():
    plane = plane_from((60.0, 40.0, 250.0), (60.0, 40.0))
    top = TopView.of_table(plane, (100.0, 80.0), 1.25, 249.99, 5.0)
    assert top.resample(np.zeros((48, 64, 3), np.uint8)).shape[:2] == top.size_px[::-1]

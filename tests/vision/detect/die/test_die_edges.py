"""How a die is turned and how large it is shows by the edges of its top and its foot."""

import cv2
import numpy as np
import pytest

from tests.calibration.table_picture import a_camera
from vision.detect.box.block_outlines import corners
from vision.detect.die.die_edges import _Edges, die_forms

CAMERA = a_camera(50, 700)


def shown(at_mm, turn_deg, side_mm):
    """A picture of one white die on grey cloth, and where the middle of its top shows on the table."""
    image = np.full((CAMERA.lens.size_px[1], CAMERA.lens.size_px[0], 3), (70, 80, 75), np.uint8)
    feet = corners(np.array([[*at_mm, side_mm, side_mm, np.radians(turn_deg), side_mm]]))[0]
    foot, top = (CAMERA.to_image(feet, height).astype(np.float32) for height in (0.0, side_mm))
    fill(image, cv2.convexHull(np.concatenate([foot, top])).reshape(-1, 2), (140, 140, 140))
    fill(image, top, (225, 225, 225))
    for share in ((-0.25, -0.25), (0.25, 0.25), (0.25, -0.25), (-0.25, 0.25)):
        along = np.array(share) @ np.array([feet[1] - feet[0], feet[3] - feet[0]])
        u, v = np.rint(CAMERA.to_image([np.add(at_mm, along)], side_mm)[0] * 16).astype(int)
        cv2.circle(image, (u, v), 16 * 3, (30, 30, 30), -1, cv2.LINE_AA, 4)
    rng = np.random.default_rng(1)
    noisy = cv2.GaussianBlur(image, (0, 0), 0.7) + rng.normal(0, 2, image.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), CAMERA.to_table(CAMERA.to_image([at_mm], side_mm))


def fill(image, outline_px, colour):
    cv2.fillPoly(image, [np.rint(outline_px * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)


@pytest.mark.parametrize("turn_deg", [0, 20, 45, 83])
@pytest.mark.parametrize("side_mm", [12, 16, 19])
def test_turn_and_side_are_measured(turn_deg, side_mm):
    picture, at_mm = shown((300, 260), turn_deg, side_mm)
    (form,) = die_forms(picture, CAMERA, at_mm)
    assert abs((np.degrees(form.turn) - turn_deg + 45) % 90 - 45) < 3
    assert 0 <= form.turn < np.pi / 2
    assert form.size.side_mm == pytest.approx(side_mm, abs=1)


def test_where_no_edge_shows_a_die_is_of_the_usual_side_and_that_is_doubtful():
    flat = np.full((CAMERA.lens.size_px[1], CAMERA.lens.size_px[0], 3), 90, np.uint8)
    (form,) = die_forms(flat, CAMERA, np.array([(300.0, 260.0)]))
    assert form.size.side_mm == 16.0
    assert form.size.side_sigma_mm > 2


@pytest.mark.parametrize("turn_deg", [0, 30, 75])
def test_half_a_domino_is_no_die_and_a_die_no_half(turn_deg):
    picture, at_mm = shown_domino((300, 260), turn_deg)
    (form,) = die_forms(picture, CAMERA, at_mm)
    assert form.is_domino
    picture, at_mm = shown((300, 260), turn_deg, 16)
    (form,) = die_forms(picture, CAMERA, at_mm)
    assert not form.is_domino


def test_a_half_that_lies_on_hardly_more_edge_than_a_die_is_one(monkeypatch):
    """Dice on cards were dropped so: their edges and the card's bear a half out by a tenth more."""
    monkeypatch.setattr(_Edges, "borne", lambda *_: np.full(9, 0.64))
    picture, at_mm = shown((300, 260), 0, 16)
    for half, is_domino in ((0.71, False), (0.75, True)):
        monkeypatch.setattr(_Edges, "half_borne", lambda *_, half=half: half)
        assert die_forms(picture, CAMERA, at_mm)[0].is_domino == is_domino


def shown_domino(half_mm, turn_deg):
    """A picture of a domino of 47 by 23.5 by 7.4 mm with a four, and where the middle of that half shows."""
    image = np.full((CAMERA.lens.size_px[1], CAMERA.lens.size_px[0], 3), (70, 80, 75), np.uint8)
    along = np.array([np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))])
    across, middle_mm = np.array([-along[1], along[0]]), np.array(half_mm) - 11.75 * along
    feet = corners(np.array([[*middle_mm, 47, 23.5, np.radians(turn_deg), 7.4]]))[0]
    foot, top = (CAMERA.to_image(feet, height).astype(np.float32) for height in (0.0, 7.4))
    fill(image, cv2.convexHull(np.concatenate([foot, top])).reshape(-1, 2), (140, 140, 140))
    fill(image, top, (225, 225, 225))
    line = [middle_mm + 0.5 * i * along + 10 * j * across for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    fill(image, CAMERA.to_image(line, 7.4), (30, 30, 30))
    for i, j in ((-1, -1), (1, 1), (1, -1), (-1, 1)):
        pip = [half_mm + 5.6 * (i * along + j * across) + 1.8 * np.array([np.cos(a), np.sin(a)]) for a in range(7)]
        fill(image, cv2.convexHull(CAMERA.to_image(pip, 7.4).astype(np.float32)).reshape(-1, 2), (30, 30, 30))
    rng = np.random.default_rng(1)
    noisy = cv2.GaussianBlur(image, (0, 0), 0.7) + rng.normal(0, 2, image.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), CAMERA.to_table(CAMERA.to_image([half_mm], 7.4))

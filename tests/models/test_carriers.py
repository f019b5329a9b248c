"""Photographed coins that something is laid on: the camera that their own pictures tell."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.coins import DIAMETER_MM, THICKNESS_MM
from models.training.carriers import seen_about

LONG_PX, SHORT_PX = 90.0, 60.0
ROW = {"class": "gbp-2p", "u": "300", "v": "220", "xu": "390", "xv": "220", "yu": "300", "yv": "160"}
FACE_MM, RADIUS_MM = THICKNESS_MM["gbp-2p"], DIAMETER_MM["gbp-2p"] / 2


def photograph() -> np.ndarray:
    """A white coin on black, seen from 42 degrees above the table."""
    photo = np.zeros((500, 700, 3), np.uint8)
    cv2.ellipse(photo, (300, 220), (90, 60), 0, 0, 360, (255, 255, 255), -1, cv2.LINE_AA)
    return photo


@pytest.mark.parametrize("seed", range(4))
def test_a_coins_rim_is_where_the_photograph_shows_it(seed: int) -> None:
    picture, camera = seen_about(photograph(), ROW, np.random.default_rng(seed))
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    ring = np.c_[np.cos(turns), np.sin(turns)]

    def shade(radius_mm: float) -> np.ndarray:
        px = camera.project(np.c_[radius_mm * ring, np.full(24, FACE_MM)])
        return picture[tuple(np.rint(px).astype(int).T[::-1])][:, 0]

    assert (shade(RADIUS_MM - 3.0) > 250).all()
    assert (shade(RADIUS_MM + 3.0) < 5).all()


def test_height_shows_upwards_by_the_cosine_of_how_steeply_the_camera_looks() -> None:
    _, camera = seen_about(photograph(), ROW, np.random.default_rng(1))
    at, above, aside = camera.project(np.array([[0, 0, 0], [0, 0, 1.0], [1.0, 0, 0]]))
    assert (above - at)[0] == pytest.approx(0)
    assert (above - at)[1] / (aside - at)[0] == pytest.approx(-np.sqrt(1 - (SHORT_PX / LONG_PX) ** 2))


def test_the_eye_lies_on_the_ray_of_what_is_seen_in_one_place() -> None:
    _, camera = seen_about(photograph(), ROW, np.random.default_rng(1))
    foot, eye = np.array([2.0, -3.0, 0.0]), camera.eye_mm
    on_the_way = foot + 5.0 / eye[2] * eye
    assert camera.project(on_the_way[None]) == pytest.approx(camera.project(foot[None]), abs=1e-6)

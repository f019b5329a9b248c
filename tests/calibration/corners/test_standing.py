"""Whether what a person clicked stands out of the table."""

import cv2
import numpy as np
import pytest

from calibration.corners.standing import stands_at
from calibration.pose import CameraGuess
from tests.calibration.table_picture import a_camera, a_lens, paper, shoot

TEXELS, SIZE = 3, (1280, 720)
CAMERA = a_camera(50, 1000, 2, 8, lens=a_lens(SIZE))
GUESS = CameraGuess(CAMERA.lens, CAMERA.pose)
AT_MM = np.array([200.0, 180.0])


def shown(draw):
    """A grained table with what is drawn about (0, 0) mm at the place."""
    table = paper((700, 500), TEXELS, gray=150)
    grain = cv2.GaussianBlur(np.random.default_rng(2).normal(0, 40, table.shape), (0, 0), 4)
    table = np.clip(table + grain, 0, 255).astype(np.uint8)
    draw(table, TEXELS * np.array([AT_MM[0], 500 - AT_MM[1]]))
    return np.dstack([shoot(CAMERA, table, TEXELS, rays=2, beyond=120)] * 3)


def disc(radius_mm, level=40, off_mm=0.0):
    def draw(table, at):
        middle = np.rint(at + off_mm * TEXELS).astype(int)
        cv2.circle(table, tuple(middle.tolist()), round(radius_mm * TEXELS), level, -1, cv2.LINE_AA)

    return draw


def bars(*halves_mm):
    def draw(table, at):
        for half in halves_mm:
            low, high = np.rint(at - np.multiply(half, TEXELS)), np.rint(at + np.multiply(half, TEXELS))
            cv2.rectangle(table, tuple(low.astype(int).tolist()), tuple(high.astype(int).tolist()), 40, -1)

    return draw


def table_corner(table, at):
    u, v = np.rint(at).astype(int).tolist()
    table[v:, :] = table[:, :u] = 40


@pytest.mark.parametrize("draw", [disc(8), disc(12, level=250), disc(20), bars((8, 8)), disc(9, off_mm=2.0)])
def test_discs_and_dice_do(draw):
    assert stands_at(shown(draw), GUESS, AT_MM)


@pytest.mark.parametrize(
    "draw",
    [
        lambda table, at: None,
        bars((14, 3), (3, 14)),
        bars((14, 0.7), (0.7, 14)),
        bars((20, 7)),
        table_corner,
        disc(9, off_mm=12.0),
        disc(2.5),
    ],
    ids=["bare", "tape", "pen", "strip", "corner", "beside", "dot"],
)
def test_bare_tables_tape_pen_and_corners_do_not(draw):
    assert not stands_at(shown(draw), GUESS, AT_MM)

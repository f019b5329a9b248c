"""How much wider than deep coins show where a side of their table was told wrong."""

import cv2
import numpy as np
import pytest

from tests.calibration.table_picture import a_camera, a_lens
from vision.shape.circle import wider_than_deep

CAMERA = a_camera(55, 700, lens=a_lens((1280, 720)))
CENTRES_MM = np.array([[250, 180], [330, 250], [420, 180], [350, 330], [450, 300]], float)
RADII_MM = np.array([11.6, 12.1, 9.9, 12.9, 11.1])


@pytest.mark.parametrize("longer", [(1.0, 1.0), (1.05, 1.0), (1.0, 1.05), (0.97, 1.0)])
def test_the_share_is_told_of_discs(longer):
    around = np.linspace(0, 2 * np.pi, 200, endpoint=False)
    discs_mm = CENTRES_MM[:, None] + RADII_MM[:, None, None] * np.stack([np.cos(around), np.sin(around)], axis=1)
    picture = np.full((720, 1280, 3), 60, np.uint8)
    # What is shown is what a plane that is told longer takes for coins: true discs on it are ovals.
    for disc_mm in discs_mm:
        middle = disc_mm.mean(axis=0)
        shown = CAMERA.to_image(middle + (disc_mm - middle) * longer, 0.0)
        cv2.fillPoly(picture, [np.round(shown * 16).astype(np.int32)], (150, 170, 190), cv2.LINE_AA, 4)
    wider, support = wider_than_deep(picture, CAMERA, CENTRES_MM, RADII_MM, np.zeros(5))
    assert support.min() > 0.9
    # On plain discs nothing holds the fit back: more is told than of coins.
    told = np.log(longer[0] / longer[1])
    assert np.sign(told) * np.median(wider) >= abs(told) - 0.01 if told else abs(np.median(wider)) < 0.01


def test_no_coins_tell_nothing():
    wider, support = wider_than_deep(np.zeros((720, 1280, 3), np.uint8), CAMERA, np.zeros((0, 2)), *np.zeros((2, 0)))
    assert len(wider) == len(support) == 0

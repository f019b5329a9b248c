"""The colour of a paper: card comes in pale and bright shades of the paints too."""

import numpy as np
import pytest

from vision.detect.sheet.paper_colour import name_paper


def paper(*bgr):
    return np.full((20, 3), bgr, np.uint8)


@pytest.mark.parametrize(
    ("colour", "bgr"),
    [
        ("blue", (170, 85, 40)),
        ("blue", (225, 190, 145)),
        ("blue", (230, 170, 60)),
        ("green", (70, 130, 50)),
        ("green", (150, 205, 160)),
        ("green", (50, 115, 95)),
        ("red", (45, 45, 190)),
        ("yellow", (90, 225, 245)),
    ],
)
def test_a_paint_and_its_tints(colour, bgr):
    assert name_paper(paper(*bgr)) == colour


@pytest.mark.parametrize("bgr", [(235, 235, 235), (246, 232, 220), (212, 226, 240)])
def test_white_paper_in_any_light_is_white(bgr):
    assert name_paper(paper(*bgr)) == "white"


def test_turquoise_is_neither_green_nor_blue():
    assert name_paper(paper(185, 180, 45)) == "unknown"

"""Terrain that nobody has named."""

from __future__ import annotations

from dataclasses import replace

import pytest
from shapely import box

from rules.scene import Piece
from rules.unnamed import could_be

THING = Piece("t1", "terrain", "unknown", (5, 5), box(0, 0, 10, 10))


@pytest.mark.parametrize(
    ("height_mm", "is_flat", "is_high"),
    [(0.0, True, False), (2.0, True, False), (3.0, False, True), (None, True, True)],
)
def test_what_it_could_be_goes_by_its_height(height_mm, is_flat, is_high):
    could = could_be(replace(THING, height_mm=height_mm))
    assert ("paper" in could, "box" in could) == (is_flat, is_high)


def test_what_is_known_is_nothing_else():
    assert could_be(replace(THING, cls="mug")) == ()
    assert could_be(replace(THING, kind="coin")) == ()

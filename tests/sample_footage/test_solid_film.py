"""Figures of a rendered table in a film: cut out where they stood, carried by a hand, and gone from where they were."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from sample_footage.camera import Camera, looking_at
from sample_footage.figure import Figure, cut_out
from sample_footage.solid_film import SolidDrawn

CAMERA = looking_at((350, 250, 0), 900, 60, size_px=(480, 270), focal_px=400.0)
HORSEMAN = Figure("s1", "mounted", (300.0, 200.0), 1, 12.0, 50.0, "red")


@dataclass
class DrawnTable:
    """A grey table on which every figure is a red spot about its foot; how often it was shot."""

    camera: Camera = CAMERA
    lying: list[Figure] = field(default_factory=lambda: [HORSEMAN])
    shots: int = 0

    def show(self, figures: Iterable[Figure]) -> None:
        self.lying, self.shots = list(figures), self.shots + 1

    @property
    def index(self) -> np.ndarray:
        numbers = np.zeros(self.camera.size_px[::-1], np.int16)
        for one in self.lying:
            cv2.circle(numbers, np.rint(one.foot_px(self.camera)).astype(int).tolist(), 6, one.number, -1)
        return numbers

    @property
    def picture(self) -> np.ndarray:
        return np.where(self.index[..., None] > 0, (0.0, 0.0, 0.8), (0.2, 0.2, 0.2)).astype(np.float32)


def test_a_figure_is_cut_out_of_the_table_with_soft_edges() -> None:
    table = DrawnTable()
    cut = cut_out(table.picture, table.index == HORSEMAN.number)
    middle = np.array(cut.cover.shape) // 2
    assert cut.cover.shape == (13, 13) and cut.cover[tuple(middle)] > 0.99 and cut.cover.min() < 0.3
    assert np.allclose(cut.colour[tuple(middle)], (0, 0, 0.8), atol=0.01)


def test_what_a_hand_holds_shows_where_it_is_held() -> None:
    drawn = SolidDrawn(DrawnTable(), ())  # type: ignore[arg-type]
    drawn.table(np.zeros(0, np.float32), [HORSEMAN])
    bare = drawn.table(np.zeros(0, np.float32), [])
    held = replace(HORSEMAN, position_mm=(400.0, 260.0), low_mm=20.0)
    drawn.patch(held, []).lay_over(bare)
    u, v = np.rint(held.foot_px(CAMERA)).astype(int)
    assert np.allclose(bare[v, u], (0, 0, 0.8), atol=0.02)
    u, v = np.rint(HORSEMAN.foot_px(CAMERA)).astype(int)
    assert np.allclose(bare[v, u], 0.2)


def test_a_figure_that_is_brought_is_shot_before_it_comes() -> None:
    new, table = replace(HORSEMAN, id="s2", number=2, position_mm=(150.0, 350.0)), DrawnTable()
    drawn = SolidDrawn(table, [new])  # type: ignore[arg-type]
    assert table.lying == [HORSEMAN]
    assert drawn.patch(replace(new, low_mm=30.0), []).cover.max() > 0.99

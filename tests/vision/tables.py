"""Empty tables for tests, as the view shows them in which edges are looked for."""

from __future__ import annotations

import numpy as np

from models import solids
from tests.vision.planes import plane_from
from vision.detect.solid.glance import Sight
from vision.detect.solid.solids import EDGES_PX_PER_MM
from vision.metric.topview import TopView

SIZE_MM = (400.0, 320.0)
BROWN_BGR = (60, 90, 130)


def an_empty_table(grain: float = 0.0, margin_mm: float = 25.0) -> Sight[TopView]:
    """A brown table of `SIZE_MM` with so much around it, seen from in front; `grain` in grey levels."""
    plane = plane_from((200, -350, 550), (200, 160))
    view = TopView.of_table(plane, SIZE_MM, EDGES_PX_PER_MM, 0.0, margin_mm, solids.STRIDE_PX)
    noise = np.random.default_rng(3).normal(0, grain, (view.size_px[1], view.size_px[0], 1))
    return Sight(plane, view, np.clip(np.array(BROWN_BGR) + noise, 0, 255).astype(np.uint8))

"""How far outlines lie on edges: the compiled loop against the same in numpy, under a camera that looks aslant."""

import cv2
import numpy as np
import pytest
from shapely import box

from tests.vision.planes import plane_from
from vision.detect.solid.edges import ENOUGH_LEVELS, Edges
from vision.metric.topview import TopView

SIZE_MM = (400.0, 320.0)


@pytest.fixture
def edges():
    """A part of a table of soft blots."""
    plane = plane_from((200, -350, 550), (200, 160))
    view = TopView.of_table(plane, SIZE_MM, 2.0, 0.0, 25.0, 16)
    blots = np.random.default_rng(3).integers(0, 256, (view.size_px[1], view.size_px[0], 3), np.uint8)
    return Edges.within(
        cv2.GaussianBlur(blots, (0, 0), 2), plane, view, np.array([50.0, 40.0]), np.array([300.0, 280.0])
    )


@pytest.fixture
def outlines():
    """Points in and about that part, up to more than the camera's height, and those a little ahead."""
    rng = np.random.default_rng(4)
    points = np.stack(
        [rng.uniform(20, 330, (60, 15)), rng.uniform(10, 310, (60, 15)), rng.uniform(0, 90, (60, 15))], -1
    )
    points[0, :, 2] = 600.0
    return points, points + rng.normal(0, 1, points.shape) * (1, 1, 0)


def by_numpy(edges, points, ahead, level):
    """Support and the share that shows, as the formula says."""
    at, then = (edges.view.to_px(edges.plane.behind(p[..., :2], p[..., 2])) - edges.corner_px for p in (points, ahead))
    rows, columns = edges.layers[level].shape[:2]
    u, v = np.moveaxis(np.clip(np.rint(at).astype(int), 0, (columns - 1, rows - 1)), -1, 0)
    slope, along = edges.layers[level][v, u].astype(float), then - at
    across = slope[..., 3:] * along[..., :1] - slope[..., :3] * along[..., 1:]
    steep = np.linalg.norm(across, axis=-1) / np.linalg.norm(along, axis=-1)
    shown = np.ones(u.shape) if edges.hidden is None else 1.0 - edges.hidden[v, u]
    borne = np.minimum(steep / ENOUGH_LEVELS[level], 1)
    return (borne * shown).sum(axis=1) / np.maximum(shown.sum(axis=1), 1), shown.mean(axis=1)


@pytest.mark.parametrize("level", range(len(ENOUGH_LEVELS)))
@pytest.mark.parametrize("hidden_mm", [None, box(90, 80, 210, 200)])
def test_the_loop_says_what_the_formula_does(edges, outlines, level, hidden_mm):
    seen = edges if hidden_mm is None else edges.behind(hidden_mm)
    support, shown = seen.borne_out(*outlines, level)
    assert 0.05 < support.mean() < 0.95
    expected, expected_shown = by_numpy(seen, *outlines, level)
    assert support == pytest.approx(expected, abs=1e-5)
    assert shown == pytest.approx(expected_shown)
    assert seen.support(*outlines, level) == pytest.approx(expected, abs=1e-5)
    assert (shown.min() < 0.9) == (hidden_mm is not None)


def test_what_is_hidden_altogether_is_borne_out_by_nothing(edges, outlines):
    support, shown = edges.behind(box(-500, -500, 900, 900)).borne_out(*outlines, 1)
    assert not support.any()
    assert not shown.any()

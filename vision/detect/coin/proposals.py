"""Where coins may lie: a small net proposes circles on the metric top view."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.coins import CELL_PX, REFERENCE_RADIUS_MM
from vision.detect.coin.dotted import are_dotted
from vision.detect.peaks import Cells, logistic, peaks
from vision.frame import ImageBgr
from vision.metric.heat import heat_maps
from vision.metric.topview import TopView
from vision.rows import Rows

Array = NDArray[np.float64]

# Below this the net's heat is no proposal. Low: the classifier and the rim fit throw out what is no coin. Silver coins
# with a small dot on a bright map are seen from 0.14 on (stills of seed 5), half dollars from low down from 0.10 on.
# What has less than 0.13 is mostly print.
_HEAT = 0.08
# Where a dot stands out less will do, and is taken for so much: of 300 silver coins with a white or black dot one in
# five has less than the second, one in thirty less than 0.13, the least 0.02 (stills of seeds 43003 and 501).
_HEAT_OF_DOTTED, _LEAST_OF_DOTTED = 0.02, 0.18
# Two proposals nearer than this share of the smaller radius are one coin.
_SAME = 0.45
# What the net can propose, a little beyond C2's smallest and largest coin.
_SMALLEST_MM, _LARGEST_MM = 6.5, 22.0


@dataclass(frozen=True, eq=False)
class Proposals(Rows):
    """Circles that may be coins, the likeliest first.

    centre_mm  (n, 2) in the plane of the top view
    radius_mm  (n,)
    heat       (n,) the net's confidence, 0 to 1
    """

    centre_mm: Array
    radius_mm: Array
    heat: Array


def propose(image_bgr: ImageBgr, view: TopView, least_heat: float = _HEAT) -> Proposals:
    """Circles on the whole table that may be coins; `least_heat` is what the net must give them."""
    from_above = view.resample(image_bgr)
    return proposals_in(net_output(from_above), view, from_above, least_heat)


def net_output(top_bgr: ImageBgr) -> NDArray[np.float32]:
    """(4, h / 4, w / 4) of the detector for a top view whose sides are multiples of 16; see `models.coins`."""
    return heat_maps("coin_detector", top_bgr)


def proposals_in(
    output: NDArray[np.float32], view: TopView, from_above: ImageBgr, least_heat: float = _HEAT
) -> Proposals:
    """The peaks of the heat that `net_output` gave for `from_above`, with their measures, doubles removed."""
    logit = output[0]
    rows, columns = peaks(logit, _HEAT_OF_DOTTED, alone_cells=1)
    heat, at_px = logistic(logit[rows, columns]), _places_px(output, rows, columns)
    faint = np.flatnonzero(heat < _LEAST_OF_DOTTED)
    heat[faint[are_dotted(from_above, view.px_per_mm, at_px[faint])]] = _LEAST_OF_DOTTED
    likely = heat > least_heat
    log_radius = output[3, rows[likely], columns[likely]].astype(float)
    radius_mm = np.clip(REFERENCE_RADIUS_MM * np.exp(log_radius), _SMALLEST_MM, _LARGEST_MM)
    return _without_doubles(Proposals(view.to_table(at_px[likely]), radius_mm, heat[likely]))


def _places_px(output: NDArray[np.float32], rows: Cells, columns: Cells) -> Array:
    """(n, 2) columns and rows of the view where the net puts the middles of coins, by their hottest cells."""
    cells = np.stack([columns, rows], axis=1) + np.clip(output[1:3, rows, columns].T, -2, 2)
    return np.asarray(cells.astype(float) * CELL_PX + (CELL_PX - 1) / 2, float)


def _without_doubles(found: Proposals) -> Proposals:
    order = np.argsort(-found.heat)
    centre, radius = found.centre_mm[order], found.radius_mm[order]
    apart = np.linalg.norm(centre[:, None] - centre[None], axis=-1)
    same = np.tril(apart < _SAME * np.minimum(radius[:, None], radius[None]), -1)
    keep = np.ones(len(order), bool)
    for index in range(len(order)):
        keep[index] = not (same[index] & keep).any()
    return Proposals(centre, radius, found.heat[order]).only(keep)

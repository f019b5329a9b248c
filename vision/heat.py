"""The outputs of a net over a whole top view, computed again only where the picture changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from models.loading import load_model
from vision.frame import ImageBgr

Maps = NDArray[np.float32]
MapsOf = Callable[[ImageBgr], Maps]
# Rows and columns of blocks.
Window = tuple[slice, slice]

# One output cell for so many px; cuts begin and end where the nets' coarsest layers do.
CELL_PX, STRIDE_PX = 4, 16
# What a pixel says reaches this far in the maps: from cuts so much wider come the peaks of the whole view (150 of them
# on ten views in strips; 64 px and less lose some).
REACH_PX = 96
# Pictures are compared by the means of blocks of this size: noise of sigma 6 leaves them a sigma of one grey level, and
# a pip of a die, 5 px wide, changes them by ten.
BLOCK_PX = 8
_CHANGED_LEVELS = 4
# A place is computed in so many looks before its maps are kept: looks that are agreed into one stay independent.
LOOKS = 4
# Beyond this share of the view, cuts cost more than one run over it all.
_WORTH_IT = 0.7


def heat_maps(net: str, top_bgr: ImageBgr) -> Maps:
    """(channels, h / 4, w / 4) that the net says of a top view whose sides are multiples of 16."""
    session = load_model(net)
    planes = np.stack(cv2.split(top_bgr))
    (output,) = session.run(None, {session.get_inputs()[0].name: planes[None].astype(np.float32)})
    return np.asarray(output[0], np.float32)


@dataclass(eq=False)
class HeatMemory:
    """The maps of one net on the top views that one camera gives, look after look.

    computed_px  how much of all views went through the net so far
    """

    net: str
    computed_px: int = 0
    _maps: Maps | None = field(default=None, repr=False)
    _means: ImageBgr = field(default_factory=lambda: np.zeros((0, 0, 3), np.uint8), repr=False)
    _looks: NDArray[np.int_] = field(default_factory=lambda: np.zeros((0, 0), np.int_), repr=False)

    def of(self, top_bgr: ImageBgr) -> Maps:
        """The maps of this view: kept where it shows what earlier ones showed, computed elsewhere.

        They are overwritten by the next call.
        """
        means = _block_means(top_bgr)
        if self._maps is None or means.shape != self._means.shape:
            return self._begun(top_bgr, means)
        self._looks[_reached(cv2.absdiff(means, self._means).max(axis=2) > _CHANGED_LEVELS)] = 0
        windows = _windows(self._looks < LOOKS)
        cuts = [_widened(window, means.shape) for window in windows]
        if sum(map(_area, cuts)) > _WORTH_IT * self._looks.size:
            windows = cuts = [(slice(0, means.shape[0]), slice(0, means.shape[1]))]
        for window, cut in zip(windows, cuts, strict=True):
            self._maps[:, *_times(window, BLOCK_PX // CELL_PX)] = self._computed(top_bgr, window, cut)
            self._means[window] = means[window]
            self._looks[window] = np.minimum(self._looks[window] + 1, LOOKS)
        return self._maps

    def _begun(self, top_bgr: ImageBgr, means: ImageBgr) -> Maps:
        self._means, self._looks = means, np.ones(means.shape[:2], np.int_)
        self._maps = heat_maps(self.net, top_bgr)
        self.computed_px += self._looks.size * BLOCK_PX**2
        return self._maps

    def _computed(self, top_bgr: ImageBgr, window: Window, cut: Window) -> Maps:
        """The maps of a window, from a wider cut of the view."""
        self.computed_px += _area(cut) * BLOCK_PX**2
        maps = heat_maps(self.net, top_bgr[_times(cut, BLOCK_PX)])
        rows, columns = (slice(w.start - c.start, w.stop - c.start) for w, c in zip(window, cut, strict=True))
        return maps[:, *_times((rows, columns), BLOCK_PX // CELL_PX)]


def _block_means(top_bgr: ImageBgr) -> ImageBgr:
    height, width = (side // BLOCK_PX for side in top_bgr.shape[:2])
    return np.asarray(cv2.resize(top_bgr, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _reached(changed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The blocks in whose maps a change can show."""
    side = 2 * (REACH_PX // BLOCK_PX) + 1
    return np.asarray(cv2.dilate(changed.astype(np.uint8), np.ones((side, side), np.uint8)) > 0)


def _windows(blocks: NDArray[np.bool_]) -> list[Window]:
    """The bounding rectangles of blocks that hang together."""
    _, _, boxes, _ = cv2.connectedComponentsWithStats(blocks.astype(np.uint8))
    return [(slice(top, top + height), slice(left, left + width)) for left, top, width, height, _ in boxes[1:].tolist()]


def _widened(window: Window, shape: tuple[int, ...]) -> Window:
    """The window with all that reaches into it, its sides on multiples of the stride."""
    reach, step = REACH_PX // BLOCK_PX, STRIDE_PX // BLOCK_PX
    rows, columns = (
        slice(max(0, (side.start - reach) // step * step), min(size, -(-(side.stop + reach) // step) * step))
        for side, size in zip(window, shape, strict=False)
    )
    return rows, columns


def _times(window: Window, times: int) -> Window:
    rows, columns = (slice(side.start * times, side.stop * times) for side in window)
    return rows, columns


def _area(window: Window) -> int:
    rows, columns = window
    return int((rows.stop - rows.start) * (columns.stop - columns.start))

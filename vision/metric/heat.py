"""The outputs of a net over a whole top view, computed again only where the picture changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from models.loading import CENTRED, load_model, load_parts
from vision.frame import ImageBgr
from vision.metric.centred import centred_planes
from vision.metric.strips import InStrips

Maps = NDArray[np.float32]
# What a net is told beside the picture, (channels, h / 4, w / 4) by the name of its input.
Told = Mapping[str, Maps]
NOTHING_TOLD: Told = MappingProxyType({})
# (rows, columns) which blocks of a view.
Blocks = NDArray[np.bool_]
# Rows and columns of blocks.
Window = tuple[slice, slice]

# One output cell for so many px; cuts begin and end where the coarsest layers do, of most nets.
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
    """(channels, h / 4, w / 4) that the net says of a top view whose sides are multiples of its stride."""
    return _begun(net, top_bgr, NOTHING_TOLD, None)()


def _begun(net: str, top_bgr: ImageBgr, told: Told, beside: Executor | None) -> Callable[[], Maps]:
    """The maps in two steps: another's share is begun now, our own when they are asked for."""
    parts = load_parts(net)
    if parts is None:
        return lambda: _whole(net, top_bgr, told)
    strips = InStrips(parts, top_bgr)
    begun = strips.begin(beside) if beside is not None else None
    return lambda: strips.maps(beside, begun)


def _whole(net: str, top_bgr: ImageBgr, told: Told) -> Maps:
    session = load_model(net)
    more = {name: np.ascontiguousarray(maps[None]) for name, maps in told.items()}
    (output,) = session.run(None, {CENTRED: centred_planes(top_bgr), **more})
    return np.asarray(output[0], np.float32)


@dataclass(eq=False)
class HeatMemory:
    """The maps of one net on the top views that one camera gives, look after look.

    beside       who else can run a net meanwhile
    stride_px    sides of what the net takes are multiples of this
    computed_px  how much of all views went through the net so far
    """

    net: str
    beside: Executor | None = None
    stride_px: int = STRIDE_PX
    computed_px: int = 0
    _maps: Maps = field(default_factory=lambda: np.zeros((0, 0, 0), np.float32), repr=False)
    _means: ImageBgr = field(default_factory=lambda: np.zeros((0, 0, 3), np.uint8), repr=False)
    _looks: NDArray[np.int_] = field(default_factory=lambda: np.zeros((0, 0), np.int_), repr=False)

    @property
    def known(self) -> Blocks:
        """The blocks whose maps are kept."""
        return np.asarray(self._looks >= LOOKS, bool)

    def of(self, top_bgr: ImageBgr, told: Told = NOTHING_TOLD, asked: Blocks | None = None) -> Maps:
        """The maps of this view: kept where it shows what earlier ones showed, computed elsewhere.

        They are overwritten by the next call, and mean nothing in blocks that are not `asked` for.
        """
        return self.begun(top_bgr, told, asked)()

    def begun(self, top_bgr: ImageBgr, told: Told = NOTHING_TOLD, asked: Blocks | None = None) -> Callable[[], Maps]:
        """As `of`, in two steps: another's share is begun now, our own when the maps are asked for."""
        means = _block_means(top_bgr)
        if means.shape != self._means.shape:
            self._means, self._looks = means, np.zeros(means.shape[:2], np.int_)
        apart = np.maximum.reduce(cv2.split(cv2.absdiff(means, self._means)))
        changed = apart > _CHANGED_LEVELS
        self._looks[_reached(changed)] = 0
        self._means[changed] = means[changed]
        todo = self._looks < LOOKS
        windows = _windows(todo if asked is None else todo & asked)
        if sum(_area(self._widened(window)) for window in windows) > _WORTH_IT * self._looks.size:
            windows = [(slice(0, means.shape[0]), slice(0, means.shape[1]))]
        begun = [self._window_begun(top_bgr, told, window) for window in windows]

        def finished() -> Maps:
            """The maps, with what the windows have become."""
            self._fit()
            for window, maps in zip(windows, begun, strict=True):
                self._keep(window, maps())
                self._means[window] = means[window]
            return self._maps

        return finished

    def _fit(self) -> None:
        """Make room for the maps of the view."""
        shape = (_channels_of(self.net), *(side * BLOCK_PX // CELL_PX for side in self._looks.shape))
        if self._maps.shape != shape:
            self._maps = np.zeros(shape, np.float32)

    def _keep(self, window: Window, maps: Maps) -> None:
        self._maps[:, *_times(window, BLOCK_PX // CELL_PX)] = maps
        self._looks[window] = np.minimum(self._looks[window] + 1, LOOKS)

    def _window_begun(self, top_bgr: ImageBgr, told: Told, window: Window) -> Callable[[], Maps]:
        """The maps of one window, from a wider cut of the view."""
        cut = self._widened(window)
        self.computed_px += _area(cut) * BLOCK_PX**2
        cells = _times(cut, BLOCK_PX // CELL_PX)
        cut_told = {name: maps[:, *cells] for name, maps in told.items()}
        maps = _begun(self.net, top_bgr[_times(cut, BLOCK_PX)], cut_told, self.beside)
        rows, columns = (slice(w.start - c.start, w.stop - c.start) for w, c in zip(window, cut, strict=True))
        return lambda: maps()[:, *_times((rows, columns), BLOCK_PX // CELL_PX)]

    def _widened(self, window: Window) -> Window:
        """The window with all that reaches into it, its sides on multiples of the stride."""
        reach, step = REACH_PX // BLOCK_PX, self.stride_px // BLOCK_PX
        rows, columns = (
            slice(max(0, (side.start - reach) // step * step), min(size, -(-(side.stop + reach) // step) * step))
            for side, size in zip(window, self._looks.shape, strict=True)
        )
        return rows, columns


def _block_means(top_bgr: ImageBgr) -> ImageBgr:
    # Halved thrice: OpenCV halves eight px at once, and takes twice as long for an eighth in one step.
    for _ in range(BLOCK_PX.bit_length() - 1):
        top_bgr = np.asarray(cv2.resize(top_bgr, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    return top_bgr


def _channels_of(net: str) -> int:
    return int(load_model(net).get_outputs()[0].shape[1])


def _reached(changed: Blocks) -> Blocks:
    """The blocks in whose maps a change can show."""
    side = 2 * (REACH_PX // BLOCK_PX) + 1
    return np.asarray(cv2.dilate(changed.astype(np.uint8), np.ones((side, side), np.uint8)) > 0)


def _windows(blocks: Blocks) -> list[Window]:
    """The bounding rectangles of blocks that hang together."""
    _, _, boxes, _ = cv2.connectedComponentsWithStats(blocks.astype(np.uint8))
    return [(slice(top, top + height), slice(left, left + width)) for left, top, width, height, _ in boxes[1:].tolist()]


def _times(window: Window, times: int) -> Window:
    rows, columns = (slice(side.start * times, side.stop * times) for side in window)
    return rows, columns


def _area(window: Window) -> int:
    rows, columns = window
    return int((rows.stop - rows.start) * (columns.stop - columns.start))

"""A net over a whole view a strip at a time: what lies at full width stays in the processor's cache, and two can share.

At full width a layer of the largest net holds 27 MB, and a core waits for memory two thirds of the time; in strips
the same layers take a third of that. Both middles of the net, eight times coarser, are done in one piece each.
"""

from __future__ import annotations

import itertools
from collections import deque
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession

from models.loading import CENTRED, Parts
from vision.frame import ImageBgr
from vision.metric.centred import centred_planes

Maps = NDArray[np.float32]

# Strips of so many rows, and so many of their neighbours' for the near part and for the join part, which see 11 px and
# 8 px of them (`models.loading.Parts`).
_STRIP_PX, _NEAR_PX, _JOIN_PX = 128, 16, 8
_QUARTER_PX, _EIGHTH_PX = 4, 8


@dataclass(frozen=True)
class _Strip:
    """Rows `top` to `low` of a view of so many `rows`."""

    top: int
    low: int
    rows: int

    def wide(self, halo_px: int, cell_px: int = 1) -> slice:
        """Its rows and so many of the neighbours', in cells."""
        return slice(max(0, self.top - halo_px) // cell_px, min(self.rows, self.low + halo_px) // cell_px)

    def within(self, halo_px: int, cell_px: int) -> slice:
        """Its own rows among those with the neighbours', in cells."""
        first = max(0, self.top - halo_px)
        return slice((self.top - first) // cell_px, (self.low - first) // cell_px)


@dataclass(eq=False)
class InStrips:
    """One view on its way through a net. Its sides are multiples of 16."""

    parts: Parts
    top_bgr: ImageBgr
    _strips: list[_Strip] = field(init=False, repr=False)
    _near_todo: deque[int] = field(init=False, repr=False)
    _join_todo: deque[int] = field(default_factory=deque)
    _quarter: dict[int, Maps] = field(default_factory=dict)
    _eighth: dict[int, Maps] = field(default_factory=dict)
    _thin: dict[int, Maps] = field(default_factory=dict)
    _back: Maps = field(default_factory=lambda: np.zeros((0, 0, 0, 0), np.float32))
    _joined: dict[int, Maps] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rows = len(self.top_bgr)
        edges = [*range(0, rows, _STRIP_PX), rows]
        self._strips = [_Strip(top, low, rows) for top, low in itertools.pairwise(edges)]
        self._near_todo = deque(range(len(self._strips)))

    def begin(self, beside: Executor) -> Future[None]:
        """Let another take his part in what comes first."""
        return beside.submit(self._near)

    def maps(self, beside: Executor | None = None, begun: Future[None] | None = None) -> Maps:
        """The net's maps of the view, (channels, h / 4, w / 4).

        beside  who helps in the end, if he is free then
        begun   what `begin` gave
        """
        self._near()
        if begun is not None and not begun.cancel():
            begun.result()
        sticks = beside.submit(self._whole, self.parts.sticks, self._thin) if beside is not None else None
        self._back = self._whole(self.parts.far, self._eighth)
        self._join_todo.extend(range(len(self._strips)))
        help_ = beside.submit(self._join) if beside is not None else None
        self._join()
        if help_ is not None and not help_.cancel():
            help_.result()
        done = sticks.result() if sticks is not None and not sticks.cancel() else None
        (last,) = self._whole(self.parts.sticks, self._thin) if done is None else done
        first = np.concatenate([self._joined[index] for index in range(len(self._strips))], axis=1)
        return np.concatenate([first, last])

    def _whole(self, part: InferenceSession, seen: dict[int, Maps]) -> Maps:
        """What a part that needs the whole view says of what was seen strip by strip."""
        whole = np.concatenate([seen[index] for index in range(len(self._strips))], axis=2)
        return np.asarray(part.run(None, {part.get_inputs()[0].name: whole})[0], np.float32)

    def _near(self) -> None:
        """Do strips of the first part as long as there are any."""
        while (index := _next(self._near_todo)) is not None:
            strip = self._strips[index]
            rows = centred_planes(self.top_bgr[strip.wide(_NEAR_PX)])
            quarter, eighth, thin = self.parts.near.run(None, {CENTRED: rows})
            own = strip.within(_NEAR_PX, _QUARTER_PX)
            spare = (_NEAR_PX - _JOIN_PX) // _QUARTER_PX
            self._quarter[index] = quarter[:, :, max(0, own.start - spare) : own.stop + spare]
            coarse = strip.within(_NEAR_PX, _EIGHTH_PX)
            self._eighth[index], self._thin[index] = eighth[:, :, coarse], thin[:, :, coarse]

    def _join(self) -> None:
        """Do strips of the last part as long as there are any."""
        quarter, back = (each.name for each in self.parts.join.get_inputs())
        while (index := _next(self._join_todo)) is not None:
            strip = self._strips[index]
            coarse = np.ascontiguousarray(self._back[:, :, strip.wide(_JOIN_PX, _EIGHTH_PX)])
            (maps,) = self.parts.join.run(None, {quarter: self._quarter[index], back: coarse})
            self._joined[index] = maps[0][:, strip.within(_JOIN_PX, _QUARTER_PX)]


def _next(todo: deque[int]) -> int | None:
    """The next that nobody has taken."""
    try:
        return todo.popleft()
    except IndexError:
        return None

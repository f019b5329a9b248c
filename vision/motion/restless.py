"""What moves in one place without end: the screen of a phone that lies on the table, a flame, a flag in the draught.

It does not come in from the picture's edge, as arms do (`vision.motion.lingering`), nor does it go away, and to wait
for that would end the match. So nothing is read there, and the rest of the table is judged as if it stood still.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.motion.change import Aside, Change, Mask
from vision.motion.lingering import LINGERS_S, MOST_SHARE, around, reaching_in, share, without

# A film need not move everywhere: what moves so near, in px of a shrunk picture (480 across), moves too, and what moves
# so near to that belongs to it.
_NEAR, _TOGETHER = np.ones((9, 9), np.uint8), np.ones((21, 21), np.uint8)
# It is looked for so often. A film stands still for a moment now and then: for longer, and it rests.
_EVERY_S, _PAUSE_S = 0.09, 1.2


@dataclass(eq=False)
class Restless:
    """Remembers what moves; called with what changed in each frame, it sets aside what never rests.

    is_on  whether anything is set aside
    """

    is_on: bool = False
    # Since when each pixel of a shrunk picture has moved again and again, and when it did so last, s.
    _since_s: NDArray[np.float64] | None = None
    _moved_s: NDArray[np.float64] | None = None
    # When that was asked last, and when anything moved last, s.
    _seen_s: float = -np.inf
    _last_s: float = -np.inf
    # Where that has gone on for long enough.
    _here: Mask | None = None

    def __call__(self, change: Change, t_s: float, table: Mask | None) -> Change:
        """What changed, but for what never rests; `table` is where a shrunk picture shows it, None for everywhere."""
        if t_s - self._seen_s >= _EVERY_S:
            self._remember(change, t_s)
        self.is_on = self._here is not None and share(self._here, table) <= MOST_SHARE
        if self._here is None or not self.is_on:
            return change
        moving, changed = (without(mask, self._here) for mask in (change.moving, change.changed))
        aside = Aside(self._here) if change.aside is None else change.aside.also(self._here)
        return replace(change, moving=moving, changed=changed, aside=aside)

    def _remember(self, change: Change, t_s: float) -> None:
        since_seen_s, self._seen_s = min(t_s - self._seen_s, _PAUSE_S), t_s
        if change.is_moving:
            self._last_s = t_s
        elif t_s - self._last_s > _PAUSE_S:
            self._since_s = self._moved_s = self._here = None
            return
        shape = change.moving.shape
        if self._since_s is None or self._moved_s is None or self._moved_s.shape != shape:
            self._since_s, self._moved_s = np.full(shape, t_s), np.full(shape, -np.inf)
        arms = around((reaching_in(change.changed) > 0).astype(np.uint8)) > 0
        self._since_s[self._moved_s < t_s - _PAUSE_S] = t_s
        self._moved_s[(cv2.dilate(change.moving, _NEAR) > 0) & ~arms] = t_s
        # Under an arm nobody knows: time stands still there.
        self._since_s[arms] += since_seen_s
        self._moved_s[arms] += since_seen_s
        restless = np.asarray(self._since_s <= t_s - LINGERS_S, np.uint8)
        self._here = around(_hulls(restless)) if restless.any() else None


def _hulls(mask: Mask) -> Mask:
    """The hulls of the parts of a mask, gaps bridged."""
    joined = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _TOGETHER)
    contours, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    whole = np.zeros_like(mask)
    for contour in contours:
        cv2.fillConvexPoly(whole, cv2.convexHull(contour), 255)
    return whole

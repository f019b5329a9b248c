"""Arms that lie on the playing area and are never quite still: elsewhere the match goes on.

Who leans over the table, or rests an arm on it, fidgets, and would hold everything up. What has reached in from the
picture's edge for long enough is set aside, with all places where it was lately: there nothing is read, and the rest
of the table is judged as if nobody were there. What is believed of it is told by `vision.motion.set_aside`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.motion.change import Aside, Change, Mask

# A hand that makes a move is gone sooner.
LINGERS_S = 8.0
# One beside which another came rests, and makes no move, where so much of it has been for so long: else what the other
# moved is told when that is gone, or those 8 s are over. A hand is at least so large, px of a shrunk picture.
_STAYS_S, _STAYS_SHARE, _HAND_PX = 2.5, 0.9, 400
# An arm may come again to where it was so lately: who fidgets sways to and fro.
LATELY_S = 2.0
# Where it came since then it may be doing something.
_NEW_S = 0.5
# It is looked for so often; it has gone when it was not found, and rests when nothing moved, for so long. What rests is
# looked at as it lies (`vision.observe`), for which the whole table must be as still: other hands hold that up.
_EVERY_S, _GONE_S, _RESTS_S = 0.1, 0.5, 6.0
# After a kick no frame is looked at until the table is measured again: it need not have begun anew.
_GAP_S = 2.0
# Gaps of an arm narrower than this are bridged, as in `vision.motion.hand`; its paler edge and its shadow, px of a
# shrunk picture.
_CLOSE_PX, _AROUND_PX = 9, 6
_AROUND = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * _AROUND_PX + 1, 2 * _AROUND_PX + 1))
# Where it keeps more of the table than this from being read, too little is left to judge.
MOST_SHARE = 0.5


@dataclass(frozen=True, eq=False)
class Doubt:
    """The id of a piece that a lingering arm may hold, where it was, and until when nobody asks for it."""

    of: str
    place: Mask
    until_s: float


@dataclass(eq=False)
class Lingering:
    """Remembers what reaches in; called with what changed in each frame, it sets aside what lingers.

    is_on  whether anything is set aside
    """

    is_on: bool = False
    # Since when each pixel of a shrunk picture has shown what reaches in, s; and when that was looked at last.
    _since_s: NDArray[np.float64] | None = None
    _seen_s: float = -np.inf
    # Where what lingers was, and when, s: the newest last; and when anything moved last.
    _lately: tuple[tuple[float, Mask], ...] = ()
    _moved_s: float = 0.0
    # All these places, and those where it was before it was anywhere new.
    _here: Mask | None = None
    _known: Mask | None = None
    # Where it was, or what became it may have been, since a table was agreed.
    _touched: Mask | None = None
    _doubts: tuple[Doubt, ...] = ()
    # When two hands last reached in at once, s.
    _both_s: float = -np.inf

    def __call__(self, change: Change, t_s: float, table: Mask | None) -> Change:
        """What changed, but for what lingers; `table` is where a shrunk picture shows it, None for everywhere."""
        if t_s - self._seen_s >= _EVERY_S:
            self._remember(change, t_s)
        self.is_on = False
        if self._here is None or self._known is None or self._touched is None:
            return change
        if change.is_moving:
            self._moved_s = t_s
        self.is_on = t_s - self._moved_s <= _RESTS_S and share(self._here, table) <= MOST_SHARE
        if not self.is_on:
            return change
        here = together(self._here, *(doubt.place for doubt in self._doubts if t_s < doubt.until_s))
        moving, changed = without(change.moving, self._known), without(change.changed, here)
        return replace(change, moving=moving, changed=changed, aside=Aside(here, around(self._touched)))

    def agreed(self, t_s: float, doubts: Iterable[Doubt]) -> None:
        """A table of that time was agreed, but for pieces newly in doubt."""
        left = (doubt for doubt in self._doubts if t_s < doubt.until_s)
        self._touched, self._doubts = self._here, (*left, *doubts)

    def given_up(self, t_s: float) -> frozenset[str]:
        """The pieces that would have come back by now."""
        return frozenset(doubt.of for doubt in self._doubts if t_s >= doubt.until_s)

    def _remember(self, change: Change, t_s: float) -> None:
        """Take in what reaches in now; forget what did so too long ago."""
        arms = self._lingering(change.changed, t_s)
        if arms is not None:
            self._moved_s = self._moved_s if self._lately else t_s
            self._lately = (*self._lately, (t_s, arms))
        if self._lately and t_s - self._lately[-1][0] > _GONE_S:
            self._lately, self._doubts = (), ()
        self._lately = tuple(each for each in self._lately if each[0] > t_s - LATELY_S)
        places = [mask for _, mask in self._lately]
        known = [mask for at_s, mask in self._lately if at_s <= t_s - _NEW_S]
        self._here, self._known = (around(*masks) if masks else None for masks in (places, known))

    def _lingering(self, changed: Mask, t_s: float) -> Mask | None:
        """What reaches in and has done so for long enough somewhere; None for nothing."""
        is_gap, self._seen_s = t_s - self._seen_s > _GAP_S, t_s
        if not changed.any():
            self._since_s = None
            return None
        parts = reaching_in(changed)
        if self._since_s is None or is_gap:
            self._since_s = np.full(changed.shape, t_s)
        self._since_s[parts == 0] = t_s
        staying = np.r_[parts[self._since_s <= t_s - LINGERS_S], self._resting(parts, t_s)]
        arms = chosen(parts, staying) if len(staying) else None
        if arms is not None or not self._lately:
            touched = (parts > 0).astype(np.uint8) * 255 if arms is None else arms
            self._touched = touched if self._touched is None else together(self._touched, touched)
        return arms

    def _resting(self, parts: NDArray[np.int32], t_s: float) -> NDArray[np.int32]:
        """The numbers of hands that rest, if another one has come beside them."""
        assert self._since_s is not None
        sizes = np.bincount(parts.ravel())[1:]
        stays = np.bincount(parts[self._since_s <= t_s - _STAYS_S], minlength=len(sizes) + 1)[1:]
        hands = sizes >= _HAND_PX
        self._both_s = t_s if np.count_nonzero(hands) > 1 else self._both_s
        rests = hands & (stays > _STAYS_SHARE * sizes) & (t_s - self._both_s < LINGERS_S)
        return np.asarray(np.flatnonzero(rests) + 1, np.int32)


def parts_of(changed: Mask) -> NDArray[np.int32]:
    """The connected parts of what changed, gaps bridged, numbered from 1; 0 elsewhere."""
    closed = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((_CLOSE_PX, _CLOSE_PX), np.uint8))
    return np.asarray(cv2.connectedComponents(closed)[1], np.int32)


def reaching_in(changed: Mask) -> NDArray[np.int32]:
    """Those of `parts_of` that are connected with the picture's edge."""
    parts = parts_of(changed)
    sides = (parts[:2], parts[-2:], parts[:, :2], parts[:, -2:])
    parts[chosen(parts, np.concatenate([side.ravel() for side in sides])) == 0] = 0
    return parts


def chosen(parts: NDArray[np.int32], numbers: NDArray[np.int32]) -> Mask:
    """The mask of the parts with these numbers; number 0 is no part."""
    is_chosen = np.zeros(int(parts.max()) + 1, np.uint8)
    is_chosen[numbers] = 255
    is_chosen[0] = 0
    return np.asarray(is_chosen.take(parts), np.uint8)


def together(*masks: Mask) -> Mask:
    """The union of masks."""
    return np.asarray(np.bitwise_or.reduce(masks), np.uint8)


def around(*masks: Mask) -> Mask:
    """The union of masks, and what lies around it."""
    return np.asarray(cv2.dilate(together(*masks), _AROUND), np.uint8)


def without(mask: Mask, other: Mask) -> Mask:
    """The one mask without the other."""
    return np.asarray(cv2.subtract(mask, other), np.uint8)


def _count(mask: Mask, within: Mask | None) -> int:
    return cv2.countNonZero(mask if within is None else cv2.bitwise_and(mask, within))


def share(here: Mask, table: Mask | None) -> float:
    """How much of the table a mask keeps from being read; `table` is where a shrunk picture shows it, None for
    everywhere."""
    return _count(here, table) / max(1, here.size if table is None else cv2.countNonZero(table))

"""What is large and was there before the last hand came is no hand: a card, a book or a horseman that was put down.

It need stand still for some time only once; where hands come and go quickly, or a camera looks for its focus after each
of them, it may never do so for as long as that without a break.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vision.frame import Frame
from vision.motion.change import ChangeGate
from vision.motion.hand import Hand


@dataclass(eq=False)
class PutDown:
    """Remembers what the table looked like when it was still last, and when it was so before that."""

    _since_s: float | None = None
    _last: ChangeGate | None = None
    _before: ChangeGate | None = None
    _reached: bool = False

    def see(self, hand: Hand) -> None:
        """Take note of whether a hand reaches in."""
        self._reached |= hand.reaches_in

    def shows(self, frame: Frame, since_s: float | None, has_hand: Callable[[ChangeGate], bool]) -> bool:
        """Whether all that is large was there when the table was still before, and a hand has come and gone since.

        frame     of a table that has been still since a time
        has_hand  whether something large differs from what a gate agreed
        """
        if since_s != self._since_s:
            self._before = self._last if self._reached else None
            self._since_s, self._last, self._reached = since_s, ChangeGate().agreeing(frame), False
        return self._before is not None and not has_hand(self._before)

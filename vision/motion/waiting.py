"""What is in progress between two agreed tables: looks, and the frames kept for those after them."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, replace

from vision.frame import Frame
from vision.memory.agree import Look
from vision.motion.change import Change
from vision.motion.hand import Hand

# Time between two looks: noise and a passing shadow differ over it. Two that say the same where the table changed
# are enough; else more are agreed into one. A look costs the CPU as much as a hundred frames of an idle table.
LOOK_APART_S = 0.1
FEWEST_LOOKS, MOST_LOOKS = 2, 4


@dataclass(frozen=True, eq=False)
class Moment:
    """A frame of the still table that can be looked at, and what was known of it."""

    frame: Frame
    change: Change
    hand: Hand
    still_since_s: float | None


@dataclass(frozen=True, eq=False)
class Begun:
    """The looks at one still table: those done, the one in progress, and the moments kept for later ones."""

    at: Moment
    looks: tuple[Look, ...]
    look: Future[Look]
    later: tuple[Moment, ...] = ()

    def keeping(self, moment: Moment) -> Begun:
        """With a moment for a later look, if one may be needed and it is late enough."""
        last_s = (self.at, *self.later)[-1].frame.t_s
        is_one_more = len(self.looks) + 1 + len(self.later) < MOST_LOOKS and moment.frame.t_s >= last_s + LOOK_APART_S
        is_same = moment.still_since_s == self.at.still_since_s
        return replace(self, later=(*self.later, moment)) if is_one_more and is_same else self


@dataclass(frozen=True, eq=False)
class Waiting:
    """What is in progress between two agreed scenes."""

    still_since_s: float | None = None
    looks: tuple[Look, ...] = ()
    next_look_s: float = 0.0
    due: bool = True

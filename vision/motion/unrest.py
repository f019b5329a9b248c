"""How long the table has not stood still: then nothing is read, and a player must hear why."""

from __future__ import annotations

from dataclasses import dataclass

from vision.stream.health import Trouble

# Hands come and go; what has moved for so long is rather no hand.
TOLD_AFTER_S = 30.0
# After a gap as long as this between frames, unrest is counted afresh.
_GAP_S = 2.0
_RESTLESS = (
    "something over the table never stands still, so nothing is read: take arms and heads out of it, and keep sharp "
    "shadows that sway, of a fan or a curtain, off it"
)


@dataclass(frozen=True)
class Unrest:
    """When the table stood still last, and when it was seen last, s."""

    still_s: float | None = None
    now_s: float = 0.0

    def after(self, t_s: float, *, is_still: bool) -> Unrest:
        """With what a frame at `t_s` shows."""
        is_afresh = self.still_s is None or t_s - self.now_s > _GAP_S
        return Unrest(t_s if is_still or is_afresh else self.still_s, t_s)

    @property
    def trouble(self) -> Trouble | None:
        """What to tell the player, if the table has been restless for so long."""
        is_long = self.still_s is not None and self.now_s - self.still_s > TOLD_AFTER_S
        return Trouble("restless", _RESTLESS) if is_long else None

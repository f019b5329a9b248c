"""How well the table shows, measured again now and then: the seldomer the better it did, for it costs 15 to 50 ms."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.plane import TablePlane
from vision.frame import Frame
from vision.light.clarity import Clarity, clarity_of
from vision.light.faults import faults_of
from vision.stream.health import Trouble

# How often it is measured though nothing changes: light fades slowly.
CLARITY_EVERY_S = 3.0
# And where it was bad a moment ago: a player who put the light on again waits to hear that it is good. One picture in
# twenty is later by it.
CLARITY_AGAIN_S = 0.7


@dataclass(eq=False)
class ClarityWatch:
    """Measures how well one table shows, and remembers it.

    clarity  as measured last; None before
    """

    table_size_mm: tuple[float, float]
    clarity: Clarity | None = None
    _measured_s: float = 0.0
    _bad_s: float = float("-inf")

    @property
    def faults(self) -> tuple[Trouble, ...]:
        """The faults of the picture that make pieces missed or misread."""
        return faults_of(self.clarity) if self.clarity is not None else ()

    def is_due(self, t_s: float) -> bool:
        """Whether it was measured too long ago, at a frame's time."""
        every_s = CLARITY_AGAIN_S if t_s - self._bad_s < CLARITY_EVERY_S else CLARITY_EVERY_S
        return t_s - self._measured_s >= every_s

    def seen(self, frame: Frame, plane: TablePlane, *, afresh: bool) -> Clarity:
        """How well the table shows, measured now if it never was, or if so asked."""
        if self.clarity is None or afresh:
            self.clarity, self._measured_s = clarity_of(frame, plane, self.table_size_mm), frame.t_s
            self._bad_s = frame.t_s if self.faults else self._bad_s
        return self.clarity

"""A known length on the table, measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# A length that is off by more sigmas was not measured badly: the plane is wrong, or what it was taken for.
_REFUTED = 3.0


@dataclass(frozen=True)
class Proof:
    """One known length measured on the plane: `off_mm` is what it lacks or exceeds.

    sigma_mm  how exactly such a thing is cut and its edge found
    kind      what all errs alike
    wider     by what share (log) it shows wider along the table's x than it is for its depth; None if that is not told
    """

    source: str
    position_mm: tuple[float, float]
    true_mm: float
    measured_mm: float
    sigma_mm: float
    kind: Literal["card", "coin"] = "coin"
    wider: float | None = None

    @property
    def off_mm(self) -> float:
        """Measured minus true length, mm."""
        return self.measured_mm - self.true_mm

    @property
    def refutes(self) -> bool:
        """Whether the plane, or the name of this thing, is wrong."""
        return abs(self.off_mm) > _REFUTED * self.sigma_mm

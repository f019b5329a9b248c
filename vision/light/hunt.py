"""A lens that looks for its focus: the picture is soft, and larger or smaller, for a moment, and then as it was."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.kick.drift import Drift

# Cameras look for their focus for less than this (assumed): meanwhile the picture is only held. What lasts is told.
HUNT_S = 1.0


def is_hunt(drift: Drift) -> bool:
    """Whether the picture looks as it does while a lens searches for its focus."""
    return drift.kind == "focus" or (drift.breathes and drift.kind != "still")


@dataclass(eq=False)
class Hunt:
    """From the first two looks that say so until the picture is as it was.

    is_on      whether the picture is out of focus: pieces are not read from it
    is_astray  whether what is drawn would lie beside the pieces meanwhile
    is_told    whether a picture that stays out of focus was told
    """

    is_on: bool = False
    is_astray: bool = False
    is_told: bool = False
    _since_s: float | None = None

    def see(self, drift: Drift) -> None:
        """Take in one look."""
        if drift.kind == "still":
            self.is_on = self.is_astray = self.is_told = False
        if not is_hunt(drift):
            self._since_s = None

    def goes_on(self, drift: Drift, t_s: float) -> bool:
        """Take in what two looks in a row say; whether it may be over by itself soon."""
        self._since_s = t_s if self._since_s is None else self._since_s
        goes_on = t_s - self._since_s < HUNT_S
        self.is_on = goes_on or drift.kind == "focus"
        self.is_astray = goes_on and (self.is_astray or drift.moved)
        return goes_on

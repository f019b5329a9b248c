"""What happened to the camera, for the log, the picture and the player: by its name, and with what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from calibration.kick.drift import Drift, Kind

What = Literal["kicked", "moving", "registered", "lost", "unfocused"]
# Whether a motion is told as it begins, while it goes on, or when it has ended.
Going = Literal["once", "on", "over"]
# What makes a picture larger or smaller: its lens's zoom, the camera's way nearer or farther, or nobody can tell which.
Cause = Literal["zoom", "way", "either"]
# From here on a turned picture is called upside down.
_UPSIDE_DOWN_DEG = 150.0
# A smaller zoom is told to a tenth of a per cent.
_FINE_ZOOM = 0.0095


@dataclass(frozen=True)
class CameraNews:
    """Something that happened to the camera: it was moved, moves on, was measured again, could not be, or went out of
    focus.

    turned_deg, zoom  by how much the picture was turned, clockwise, and how much larger everything became
    is_back           whether it was turned back as it was at first
    going             how far a drift has come that is told: so far, or in all
    cause             of a zoom
    """

    what: What
    kind: Kind
    shift_px: float
    took_s: float = 0.0
    turned_deg: float = 0.0
    zoom: float = 1.0
    is_back: bool = False
    going: Going = "once"
    cause: Cause = "either"

    @classmethod
    def of(cls, what: What, drift: Drift, shift_px: float, took_s: float = 0.0) -> CameraNews:
        """News of what the camera's watch saw."""
        return cls(what, drift.kind, shift_px, took_s, drift.turned_deg, drift.zoom, drift.is_back)

    @property
    def holds(self) -> bool:
        """Whether nothing is agreed until other news come."""
        return self.what != "registered"

    @property
    def happened(self) -> str:
        """A few words: "the picture is mirrored"."""
        if self.what == "lost":
            return "the table is not recognised"
        if self.what == "unfocused":
            return "the picture is out of focus"
        if self.kind == "mirrored":
            return "the picture is mirrored"
        if self.kind == "turned":
            return f"the picture was {self._turn}"
        return f"the camera {self._moved}"

    @property
    def advice(self) -> str:
        """What the player must do before the match can go on; "" where it goes on by itself."""
        if self.what == "lost":
            return "turn the camera back, or calibrate again"
        if self.what == "unfocused":
            return "focus the camera, and hold its focus where its driver allows"
        if self.what == "kicked" and self.kind == "mirrored":
            return 'switch off "mirror" or "flip" in the camera\'s program; nothing is read until then'
        return ""

    def sentence(self) -> str:
        """What a player is told."""
        if self.what == "unfocused":
            return f"the picture went out of focus: {self.advice}"
        if self.kind == "drift":
            return self._drifted()
        if self.what == "moving":
            return f"{self.happened} so far, and goes on: nothing is drawn until it stands"
        if self.what == "registered":
            return self._registered()
        if self.what == "lost":
            return f"the table is not recognised since the camera moved: {self.advice}"
        return f"{self.happened}: {self.advice or 'nothing is drawn until the table is measured again'}"

    def fields(self) -> dict[str, Any]:
        """What the log says of it: `what`, `kind`, `shift_px` (null where nobody knows) and `sentence`."""
        shift_px = round(self.shift_px, 1) if np.isfinite(self.shift_px) else None
        return {"what": self.what, "kind": self.kind, "shift_px": shift_px, "sentence": self.sentence()}

    def _drifted(self) -> str:
        going = {"once": "", "on": " so far, and goes on", "over": " in all, and stands again"}[self.going]
        return f"the camera {self._moved}{going}: the table was measured again; no piece is lost"

    def _registered(self) -> str:
        if self.kind == "mirrored":
            return "the picture is not mirrored any more: the table was measured again; no piece is lost"
        again = f"the table was measured again {self.took_s:.1f} s after"
        if self.kind == "turned":
            return f"{again} the picture was {self._turn}: play goes on as it is; no piece is lost"
        is_zoom = self.kind == "zoom" and self.cause != "way"
        hold = ": hold its zoom and focus, and switch off automatic framing" if is_zoom else ""
        return f"{again} the camera {self._moved}; no piece is lost{hold}"

    @property
    def _turn(self) -> str:
        if self.is_back:
            return "turned back"
        if abs(self.turned_deg) >= _UPSIDE_DOWN_DEG:
            return "turned upside down"
        return f"turned by {abs(self.turned_deg):.0f} degrees"

    @property
    def _moved(self) -> str:
        if self.kind == "zoom":
            return self._zoomed
        by = f" by {self.shift_px:.0f} px" if np.isfinite(self.shift_px) else ""
        return f"{'drifted' if self.kind == 'drift' else 'moved'}{by}"

    @property
    def _zoomed(self) -> str:
        share = abs(self.zoom - 1)
        by = (f"{share:.1%}" if share < _FINE_ZOOM else f"{share:.0%}").replace("%", " %")
        way = "came nearer" if self.zoom > 1 else "went farther off"
        if self.cause == "way":
            return f"{way} (all shows {by} {'larger' if self.zoom > 1 else 'smaller'})"
        zoomed = f"zoomed {'in' if self.zoom > 1 else 'out'} by {by}"
        return zoomed if self.cause == "zoom" else f"{zoomed}, or {way}"

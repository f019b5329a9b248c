"""A camera that drifts slowly, whose table is measured again at every pixel of it. The player is told when the drift
begins, when it has grown markedly, and when it is over, and how far it went in all."""

from __future__ import annotations

from dataclasses import dataclass, replace

from calibration.kick.drift import Anchor, Drift, apart_px
from calibration.plane import TablePlane
from vision.stream.camera_news import CameraNews, Going

# What moves is told again from so many times what was told on.
GROWN = 3.0
# A drift is over when nothing was followed for so long. It is told then if it grew by this factor since it was told.
OVER_S, _MORE = 5.0, 1.4
# What comes so long after is another drift.
_ANEW_S = 300.0


@dataclass(eq=False)
class Drifting:
    """One drift: how far it is since the camera stood, and how far of that a player was told."""

    _start: TablePlane | None = None
    _px: float = 0.0
    _told_px: float = 0.0
    _followed_s: float = float("-inf")
    _is_on: bool = False

    def followed(self, anchor: Anchor, plane: TablePlane, t_s: float) -> CameraNews | None:
        """News to tell after one more plane was measured, if any.

        anchor  the picture of the plane before it
        """
        if self._start is None or t_s - self._followed_s > _ANEW_S:
            self._start, self._told_px = anchor.plane, 0.0
        self._px, self._followed_s, self._is_on = apart_px(anchor, plane, self._start), t_s, True
        return self._told("on" if self._told_px > 0 else "once", GROWN)

    def ended(self, t_s: float) -> CameraNews | None:
        """News to tell once the drift is over, if any."""
        if not self._is_on or t_s - self._followed_s < OVER_S:
            return None
        self._is_on = False
        return self._told("over", _MORE)

    def _told(self, going: Going, times: float) -> CameraNews | None:
        if not self._px >= times * self._told_px:
            return None
        self._told_px = self._px
        return replace(CameraNews.of("registered", Drift(self._px, "drift", 1.0), self._px), going=going)

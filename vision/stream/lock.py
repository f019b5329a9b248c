"""A camera's exposure and focus, held once its picture has settled, where its driver obeys.

A camera that goes on adjusting itself changes the whole picture whenever a hand comes over the table.
"""

from __future__ import annotations

from collections import deque
from typing import Protocol

import cv2

from vision.frame import ImageBgr

# A picture has settled when its mean grey stayed within this over so many frames; cameras that never do are held after
# 5 s of 30 pictures as they are.
_SETTLED_LEVELS, _SETTLED_FRAMES = 1.5, 20
_LONGEST_FRAMES = 150
# Manual and automatic exposure as OpenCV's back ends call them (modules/videoio, 4.x): Video4Linux has its own menu,
# V4L2_EXPOSURE_MANUAL and _APERTURE_PRIORITY; Media Foundation takes all but 0 for automatic; the others want a share.
_MODES = {"V4L2": (1.0, 3.0), "MSMF": (0.0, 1.0), "ANDROID": (0.0, 1.0)}
_MODES_ELSEWHERE = (0.25, 0.75)


class Properties(Protocol):
    """What `cv2.VideoCapture` offers: properties by number; `set` says whether the driver took it."""

    def get(self, propId: int, /) -> float:  # noqa: N803
        """The value, 0 or -1 where there is none."""
        ...

    def set(self, propId: int, value: float, /) -> bool:  # noqa: N803
        """Ask for a value."""
        ...


class Lock:
    """Watches a camera's pictures until they are settled, and then holds exposure and focus."""

    def __init__(self, properties: Properties, backend: str) -> None:
        self._properties = properties
        self._manual, self._automatic = _MODES.get(backend, _MODES_ELSEWHERE)
        self._levels: deque[float] = deque(maxlen=_SETTLED_FRAMES)
        self._seen = 0
        self.done = False

    def see(self, image_bgr: ImageBgr) -> str | None:
        """Take note of the next picture; one line, once, that says whether the driver obeyed."""
        if self.done:
            return None
        self._seen += 1
        self._levels.append(float(image_bgr[::8, ::8].mean()))
        full = len(self._levels) == _SETTLED_FRAMES
        settled = full and max(self._levels) - min(self._levels) < _SETTLED_LEVELS
        if not settled and self._seen < _LONGEST_FRAMES:
            return None
        self.done = True
        return self._held()

    def _held(self) -> str:
        told = {"exposure": self._holds_exposure(), "focus": self._holds_focus()}
        held, free = ([name for name, obeys in told.items() if obeys is wanted] for wanted in (True, False))
        if not free:
            return "exposure and focus are held"
        kept = f"{held[0]} is held, but " if held else ""
        return f"{kept}the camera's driver does not let us hold its {' nor its '.join(free)}: keep the light steady"

    def _holds_exposure(self) -> bool:
        """Manual at what it had chosen; automatic again where the driver takes the one and not the other."""
        chosen = self._properties.get(cv2.CAP_PROP_EXPOSURE)
        before = self._properties.get(cv2.CAP_PROP_AUTO_EXPOSURE)
        manual = self._obeys(cv2.CAP_PROP_AUTO_EXPOSURE, self._manual)
        if manual and self._obeys(cv2.CAP_PROP_EXPOSURE, chosen):
            return True
        if manual:
            # Media Foundation tells manual whatever it is.
            self._properties.set(cv2.CAP_PROP_AUTO_EXPOSURE, before if before != self._manual else self._automatic)
        return False

    def _holds_focus(self) -> bool:
        return self._obeys(cv2.CAP_PROP_AUTOFOCUS, 0.0)

    def _obeys(self, what: int, value: float) -> bool:
        return self._properties.set(what, value) and abs(self._properties.get(what) - value) < 1e-3

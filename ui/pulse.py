"""What is wrong with a camera's picture, told once when it begins and once when it is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from vision.health import Trouble

# A picture that fails now and then is told once: it must have been good for this long before it is called good.
GOOD_AGAIN_S = 3.0


class Ailing(Protocol):
    """What may be in trouble: `vision.source.Source`."""

    @property
    def trouble(self) -> Trouble | None: ...  # noqa: D102


@dataclass(eq=False)
class Pulse:
    """Feels a source's pulse.

    trouble  what is wrong with it now
    """

    source: Ailing
    trouble: Trouble | None = None
    _told: Trouble | None = None
    _good_since_s: float | None = None

    def news(self, time_s: float) -> dict[str, Any] | None:
        """The fields of a `camera` event if there is something to tell that was not told yet.

        time_s  of the newest frame
        """
        self.trouble = self.source.trouble
        if self.trouble is not None:
            self._good_since_s = None
            if self._told is not None and self._told.kind == self.trouble.kind:
                return None
            self._told = self.trouble
            return _fields("trouble", self.trouble.kind, self.trouble.sentence)
        return self._recovered(time_s) if self._told is not None else None

    def _recovered(self, time_s: float) -> dict[str, Any] | None:
        if self._good_since_s is None:
            self._good_since_s = time_s
        if self._told is None or time_s - self._good_since_s < GOOD_AGAIN_S:
            return None
        was, self._told = self._told, None
        return _fields("good", was.kind, "the camera's picture is good again")


def _fields(what: str, kind: str, sentence: str) -> dict[str, Any]:
    return {"what": what, "kind": kind, "shift_px": None, "sentence": sentence}

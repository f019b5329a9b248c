"""What a set-up looks at: a picture that a person names, or a camera, as often as it is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from calibration.kick.drift import Anchor, watch
from calibration.plane import TablePlane
from ui.setup.rest import resting_frame
from vision.frame import Frame
from vision.stream.picture import read_picture


@dataclass(frozen=True)
class Sight:
    """A picture's path, or a camera's number or address; `say` tells a person what is waited for."""

    picture: Path | None
    source: str | None
    say: Callable[[str], None]

    @property
    def is_live(self) -> bool:
        """Whether another look may show something else."""
        return self.source is not None and not Path(self.source).is_file()

    def take(self) -> Frame:
        """What shows there now, at rest; ValueError or OSError if there is no picture."""
        if self.picture is not None:
            return read_picture(self.picture)
        if self.source is None:
            raise ValueError("there is neither a picture nor a camera to look at")
        return resting_frame(self.source, self.say)

    def moved_since(self, frame: Frame, plane: TablePlane, size_mm: tuple[float, float]) -> str:
        """How the camera moved since `frame` was taken, in words; "" where it stands, or nobody can tell."""
        if not self.is_live:
            return ""
        try:
            now = self.take()
        except (ValueError, OSError) as error:
            self.say(
                f"the camera was lost after its picture was taken ({error}); the set-up is written by that picture"
            )
            return ""
        drift = watch(Anchor.of(frame.image_bgr, plane, size_mm), now.image_bgr)
        return f"the camera moved by {drift.shift_px:.0f} px since its picture was taken" if drift.moved else ""

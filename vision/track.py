"""One thing on the table, as it is remembered."""

from __future__ import annotations

from dataclasses import dataclass

from rules.scene import Piece
from vision.detection import Detection


@dataclass(frozen=True)
class Track:
    """One thing on the table, with an id that stays.

    seen     the thing as it was seen last, at `seen_s`
    hidden   whether it cannot be seen now; `under` is the id of the track that hides it
    on       id of the track that it lies on
    lies_mm  height above the table of what it lies on, if that is known better than by the look at it; and how well,
             standard deviation
    was_there  whether it lay there before it was seen for the first time
    """

    id: str
    seen: Detection
    seen_s: float
    hidden: bool = False
    under: str | None = None
    on: str | None = None
    lies_mm: float | None = None
    lies_sigma_mm: float = 0.0
    was_there: bool = False

    @property
    def elevation_mm(self) -> float:
        """Height of what it lies on above the table."""
        return self.seen.elevation_mm if self.lies_mm is None else self.lies_mm

    @property
    def elevation_sigma_mm(self) -> float:
        """Standard deviation of that."""
        return self.seen.elevation_sigma_mm if self.lies_mm is None else self.lies_sigma_mm

    @property
    def top_mm(self) -> float:
        """Height of its upper face above the table."""
        return self.elevation_mm + (self.seen.height_mm or 0.0)

    @property
    def placed(self) -> Detection:
        """As it was seen last, at the height that is known."""
        return self.seen if self.lies_mm is None else self.seen.raised_to(self.lies_mm, self.lies_sigma_mm)

    @property
    def piece(self) -> Piece:
        """The thing as the rules see it."""
        seen = self.placed
        return Piece(
            id=self.id,
            kind=seen.kind,
            cls=seen.cls,
            position_mm=seen.position_mm,
            footprint=seen.footprint,
            owner=seen.owner,
            face=seen.face,
            sigma_mm=seen.sigma_mm,
            elevation_mm=self.elevation_mm,
            height_mm=seen.height_mm,
            rotation_deg=seen.rotation_deg,
            facing_deg=seen.facing_deg,
            colour=seen.colour,
            level=seen.level,
            on=self.on,
            confidence=seen.confidence,
            image_px=seen.image_px,
            shared_sigma_mm=seen.shared_sigma_mm,
            plane=seen.plane,
            came_in_sight=self.was_there,
        )

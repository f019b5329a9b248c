"""What changed on the table between two agreed scenes (C4.8): pieces that moved, came, went, or were read anew."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from rules.margin import CLOSE_SIGMAS, ROUNDING_MM
from rules.scene import lies_otherwise, shift_sigma_mm

if TYPE_CHECKING:
    from rules.scene import Piece, Scene

ChangeKind = Literal["moved", "placed", "removed"]

# C4.8: below this, or below 3 sigma, a piece has not moved.
LEAST_MOVE_MM = 1.0
# What a camera reads of a piece that lies still; its position and footprint only tremble.
_READINGS = ("kind", "cls", "owner", "face", "on", "colour", "level", "roster")
# A figure or card that turned on the spot by less than this has not been turned by a hand.
_LEAST_TURN_DEG = 15.0
# A camera reads the height of the same mug, or of the book on which a man stands, a little differently each time.
_LEAST_HEIGHT_MM = 5.0
# A place was guessed if it is known by so many times as well now: of a coin that went under another unseen.
_GUESSED = 5.0


@dataclass(frozen=True)
class Change:
    """One piece that moved, was placed (`before` is None) or was removed (`after` is None)."""

    before: Piece | None
    after: Piece | None

    @property
    def piece(self) -> Piece:
        """The piece as it is now, or as it was when it went."""
        known = self.after or self.before
        assert known is not None  # a change of nothing is never made
        return known

    @property
    def kind(self) -> ChangeKind:
        """Moved, placed or removed."""
        if self.before is None:
            return "placed"
        return "removed" if self.after is None else "moved"

    @property
    def extra(self) -> dict[str, Any]:
        """What a `judge` ruling says besides its verdict: the kind of change, from where and to where."""
        extra: dict[str, Any] = {"change": self.kind}
        if self.before is not None:
            extra["from_mm"] = list(self.before.position_mm)
        if self.after is not None:
            extra["to_mm"] = list(self.after.position_mm)
        return extra


def has_moved(before: Piece, after: Piece) -> bool:
    """Whether the position differs by more than max(1 mm, 3 s), s being the pair's (C4.8, C3.2).

    Where both were measured on the same plane its error is no error of what lies between them: of tables that cards
    alone measure it is 0.4 to 4 mm, and a coin pushed by three times that would go unseen.
    """
    s_mm = shift_sigma_mm(before, after)
    return math.dist(before.position_mm, after.position_mm) > max(LEAST_MOVE_MM, CLOSE_SIGMAS * s_mm) + ROUNDING_MM


def is_read_anew(before: Piece | None, after: Piece) -> bool:
    """Whether a piece that lies still has another class, owner, face, height, carrier, level or turn than before
    (terrain: another outline), lies beside where it was guessed to lie, or was not seen then."""
    if before is None:
        return after.came_in_sight
    if _is_found_beside(before, after):
        return True
    if any(getattr(before, name) != getattr(after, name) for name in _READINGS):
        return True
    heights = (before.height_mm, after.height_mm), (before.elevation_mm, after.elevation_mm)
    if any(_differs(was_mm, is_mm, _LEAST_HEIGHT_MM) for was_mm, is_mm in heights):
        return True
    if after.kind == "terrain":
        return lies_otherwise(before.footprint, after.footprint)
    return _is_turned(before, after)


def _is_found_beside(before: Piece, after: Piece) -> bool:
    """Whether it shows where it lies, beside where it was guessed to lie; a die that is read anew was rolled."""
    was_guessed = after.sigma_mm * _GUESSED < before.sigma_mm and after.kind != "die"
    return was_guessed and math.dist(before.position_mm, after.position_mm) > LEAST_MOVE_MM


def _differs(before: float | None, after: float | None, least: float) -> bool:
    if before is None or after is None:
        return before is not after
    return abs(after - before) > least


def _is_turned(before: Piece, after: Piece) -> bool:
    """Figures have a front, so that half a turn counts; cards and matches lie the same after half a turn."""
    if before.facing_deg is not None and after.facing_deg is not None:
        return abs(_turn_deg(before.facing_deg, after.facing_deg, 360.0)) > _LEAST_TURN_DEG
    if after.kind in ("card", "match"):
        return abs(_turn_deg(before.rotation_deg, after.rotation_deg, 180.0)) > _LEAST_TURN_DEG
    return before.facing_deg is not after.facing_deg


def _turn_deg(before_deg: float, after_deg: float, period_deg: float) -> float:
    """The turn from the one to the other, the short way round."""
    return (after_deg - before_deg + period_deg / 2) % period_deg - period_deg / 2


def changes(before: Scene, after: Scene) -> tuple[Change, ...]:
    """Moves and arrivals in the order of `after`, then departures in the order of `before`."""
    known = {piece.id: piece for piece in before}
    came = [Change(known.get(piece.id), piece) for piece in after]
    gone = [Change(piece, None) for piece in before if piece.id not in after]
    return tuple(change for change in came if _counts(change)) + tuple(gone)


def _counts(change: Change) -> bool:
    if change.after is None:
        return True
    if change.before is None:
        return not change.after.came_in_sight
    return has_moved(change.before, change.after)

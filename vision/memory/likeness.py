"""Whether two looks may be of one thing, and what both together say of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from shapely.affinity import rotate, translate
from shapely.geometry.base import BaseGeometry

from rules.scene import COIN_DIAMETER_MM, NONE, UNKNOWN
from vision.detection import FIGURES, Detection
from vision.shape.oval import both_odds

# A figure that stands where it stood turned when it is read to face so far elsewhere: readings are within 45 degrees.
TURNED_DEG = 75.0
# How far a coin may shift and still be in its place: half of the smallest coin's radius. Beyond, it moved. A figure is
# in its place within its own base, where nobody else can stand: its foot is hard to see.
IN_PLACE_MM = 4.0
# A class that a look gives at least this chance is not ruled out for a piece that was known before.
LEAST_LOG_PROB = float(np.log(0.002))
# Diameters that differ by less than this can be the same coin, seen badly.
SAME_DIAMETER_MM = 1.5
# What the eyes read a figure as, untaught.
_KINDS = frozenset(("foot", "mounted", "gun", "base", UNKNOWN))
# The class of a card that lies face down.
BACK = "BACK"


def is_in_place(was: Detection, seen: Detection) -> bool:
    """Whether it is seen where it was, or so near that it need not have been touched."""
    wide_mm = was.radius_mm if was.kind in FIGURES else 0.0
    return distance_mm(was, seen) <= max(IN_PLACE_MM, wide_mm)


def covered_share(seen: Detection, cover_mm: BaseGeometry) -> float:
    """Share of the thing's footprint, 0 to 1, that lies in `cover_mm`."""
    return float(seen.footprint.intersection(cover_mm).area / max(seen.footprint.area, 1e-9))


def may_be(was: Detection, seen: Detection) -> bool:
    """Whether the detection can be the thing remembered: nothing that is sure of both contradicts it."""
    if was.kind != seen.kind or abs(_diameter_mm(was) - _diameter_mm(seen)) > SAME_DIAMETER_MM:
        return False
    # A soldier is known by his army and his place: in another pose he may be read as another kind, and not be known
    # as the one that was taught. Dice are rolled.
    same_class = was.kind in (*FIGURES, "die") or _agree(was.cls, seen.cls, (UNKNOWN,)) or _is_taught(was, seen)
    return same_class and _agree(was.owner, seen.owner, (UNKNOWN, NONE))


def _is_taught(was: Detection, seen: Detection) -> bool:
    """Whether one of both bears a name that a person taught, and the look leaves it a chance to be the other: such
    names are given where the light allows, and a coin that lies in its place is not another one for that."""
    if was.kind != "coin" or {was.cls, seen.cls} <= set(COIN_DIAMETER_MM):
        return False
    return _log_chance_of_one(was, seen) > LEAST_LOG_PROB


def is_turned_over(was: Detection, seen: Detection) -> bool:
    """Whether a card shows its back where it showed its face, or its face where it showed its back."""
    backs = {was.cls == BACK, seen.cls == BACK}
    return was.kind == seen.kind == "card" and len(backs) == 2 and UNKNOWN not in (was.cls, seen.cls)


def may_have_gone_there(was: Detection, seen: Detection) -> bool:
    """Whether a coin that came can be one of the same owner that is gone, though the look may sooner call it another.

    Coins do not change: it is enough that the look leaves the known class a chance.
    """
    same_side = was.kind == seen.kind and was.owner == seen.owner != UNKNOWN
    went = not is_in_place(was, seen)  # another class in its very place is another coin, on top of it
    return same_side and went and _log_chance_of_one(was, seen) > LEAST_LOG_PROB


def _log_chance_of_one(was: Detection, seen: Detection) -> float:
    """How likely the look is of the class that was known; of one that was not, how likely both looks are of one."""
    if was.cls != UNKNOWN:
        return seen.class_log_probs.get(was.cls, -np.inf)
    both = [chance + seen.class_log_probs.get(cls, -np.inf) for cls, chance in was.class_log_probs.items()]
    return float(np.logaddexp.reduce(both)) if both else -np.inf


def _agree(was: str, seen: str, doubt: tuple[str, ...]) -> bool:
    return was == seen or was in doubt or seen in doubt


def _diameter_mm(seen: Detection) -> float:
    if seen.kind != "coin":
        return 0.0
    return COIN_DIAMETER_MM.get(seen.cls, 2 * seen.radius_mm)


def distance_mm(a: Detection, b: Detection) -> float:
    """Distance in mm between the middles of two things on the table."""
    return float(np.hypot(a.position_mm[0] - b.position_mm[0], a.position_mm[1] - b.position_mm[1]))


def remembering(was: Detection, seen: Detection) -> Detection:
    """The new look, completed by the old one: a piece keeps its class, and whatever the new look is not sure of."""
    cls, log_probs = _known_class(was, seen)
    seen = in_its_form(was, seen)
    return replace(
        seen,
        cls=cls,
        class_log_probs=log_probs,
        face=was.face if seen.face == UNKNOWN else seen.face,
        owner=was.owner if seen.owner in (UNKNOWN, NONE) else seen.owner,
        facing_deg=_facing_deg(was.facing_deg, seen.facing_deg),
        confidence=max(was.confidence, seen.confidence) if seen.cls in (was.cls, UNKNOWN) else seen.confidence,
    )


def in_its_form(was: Detection, seen: Detection) -> Detection:
    """The look at a base, round or oval as all looks at it together say. If this one alone says otherwise, the base
    keeps the outline that it had, moved to where it stands now and turned as this look has it."""
    if was.oval is None or seen.oval is None:
        return seen
    oval = replace(seen.oval, odds=both_odds(was.oval, seen.oval))
    if oval.is_told == seen.oval.is_told:
        return replace(seen, oval=oval)
    turn_deg = seen.oval.turn_deg if oval.is_told else 0.0
    dx, dy = np.subtract(seen.position_mm, was.position_mm)
    moved = rotate(translate(was.footprint, dx, dy), turn_deg - was.rotation_deg, origin=seen.position_mm)
    return replace(seen, oval=oval, footprint=moved, rotation_deg=turn_deg)


def _known_class(was: Detection, seen: Detection) -> tuple[str, Mapping[str, float]]:
    """The class that was known; of a soldier the name that he was taught by, or what all looks at him say together.
    What a die or a card shows changes."""
    is_unread = seen.cls == UNKNOWN and is_in_place(was, seen)
    if is_turned_over(was, seen) or (was.kind == "die" and not is_unread):
        return seen.cls, seen.class_log_probs
    if seen.kind in FIGURES and not {was.cls, seen.cls} <= _KINDS:
        return was.cls if seen.cls in _KINDS else seen.cls, seen.class_log_probs
    both = {
        cls: chance + was.class_log_probs[cls]
        for cls, chance in seen.class_log_probs.items()
        if cls in was.class_log_probs
    }
    if seen.kind == "soldier" and both and was.cls in both:
        return max(both, key=lambda cls: both[cls]), both
    return seen.cls if was.cls == UNKNOWN else was.cls, seen.class_log_probs


def _facing_deg(was: float | None, seen: float | None) -> float | None:
    """A figure faces as before until it is seen to face elsewhere."""
    if was is None or seen is None:
        return seen if was is None else was
    turn = abs((seen - was + 180) % 360 - 180)
    return seen if turn > TURNED_DEG else was

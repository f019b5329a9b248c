"""What is seen again where it was: a piece keeps its place until it is measured so far aside that it was moved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from shapely.geometry.base import BaseGeometry

from calibration.plane import SIGMAS_95
from rules.scene import UNKNOWN, lies_otherwise, shift_sigma_mm
from vision.detection import FIGURES, Detection
from vision.memory.laid_on import touches
from vision.memory.likeness import distance_mm, remembering
from vision.memory.still_there import shows_in_part
from vision.track import Track

# A piece measured again within this stays where it was: nudges below it are measuring noise (a coin's p95 error).
_STAYED_MM = 1.0
_STAYED_SIGMAS = 3.0
# A card of another size than said, or with a dark border that is not seen, is found at either end of its place. One
# that was pushed changes so much of what it left, and of what it lies on instead (30 of 33 drawn cards pushed by 1.5 to
# 3 mm; 0.39 at most of the like along cards that lay still, while coins on them and cards beside them moved).
_CARD_STAYED_MM, _PUSHED_SHARE = 3.0, 0.5
# What figures stand on is at least so high (`vision.detect.figure.figures`), and differs by less from look to look.
_STEP_MM = 5.0


def seen_again(
    track: Track,
    seen: Detection,
    t_s: float,
    changed_mm: BaseGeometry | None = None,
    cover_mm: BaseGeometry | None = None,
) -> Track:
    """The track seen again where it was: its place is kept unless it shifted measurably where the picture changed.

    changed_mm, cover_mm  as in `vision.memory.tracker`
    """
    is_covered = cover_mm is not None and shows_in_part(track.seen, changed_mm, cover_mm)
    untouched = is_covered or not touches(track.seen, changed_mm)
    known = remembering(track.seen, _as_it_lay(track.seen, seen) if untouched else seen)
    is_pushed = _is_pushed_card(track.seen, seen, changed_mm, cover_mm)
    if untouched or (_lies_as_it_did(track, seen, is_pushed) and _keeps_form(track.seen, known)):
        known = replace(
            known,
            position_mm=track.seen.position_mm,
            elevation_mm=track.seen.elevation_mm,
            elevation_sigma_mm=track.seen.elevation_sigma_mm,
            footprint=track.seen.footprint,
            rotation_deg=track.seen.rotation_deg if seen.oval is not None else known.rotation_deg,
            oval=track.seen.oval if untouched else known.oval,
            sigma_mm=track.seen.sigma_mm if untouched else _kept_sigma_mm(track.seen, seen),
            shared_sigma_mm=track.seen.shared_sigma_mm,
            plane=track.seen.plane,
            sigma_at_height_mm=track.seen.sigma_at_height_mm,
            lean=track.seen.lean,
            risen_log_odds=track.seen.risen_log_odds,
            image_px=track.seen.image_px,
        )
    return replace(track, seen=known, seen_s=t_s, hidden=False, under=None)


def seen_elsewhere(track: Track, seen: Detection, t_s: float) -> Track:
    """The track in another place than it was, facing as it does there."""
    known = replace(remembering(track.seen, seen), facing_deg=seen.facing_deg)
    return replace(track, seen=known, seen_s=t_s, hidden=False, under=None, lies_mm=None)


def _lies_as_it_did(track: Track, seen: Detection, is_pushed: bool) -> bool:
    """Whether its place did not shift by more than looks differ, is as high as it was, and is as well known as this
    look measures it: where what nobody saw go under another piece lies was guessed."""
    was = track.seen
    is_guessed = track.hidden and seen.sigma_mm < was.sigma_mm / 2
    is_near = distance_mm(was, seen) <= _noise_mm(was, seen, is_pushed)
    return not is_guessed and is_near and not _is_on_another_level(was, seen)


def _is_on_another_level(was: Detection, seen: Detection) -> bool:
    """Whether something was put under a figure, or taken away from there. Of coins
    `vision.memory.laid_on` knows more."""
    doubt_mm = _STAYED_SIGMAS * float(np.hypot(was.elevation_sigma_mm, seen.elevation_sigma_mm))
    return seen.kind in FIGURES and abs(seen.elevation_mm - was.elevation_mm) > max(_STEP_MM, doubt_mm)


def _keeps_form(was: Detection, known: Detection) -> bool:
    """Whether a base is still taken for round, or for oval, as it was, and terrain and cards lie turned as they did."""
    if known.kind in ("terrain", "card"):
        return not lies_otherwise(was.footprint, known.footprint)
    return was.oval is None or known.oval is None or was.oval.is_told == known.oval.is_told


def _as_it_lay(was: Detection, seen: Detection) -> Detection:
    """The look at a die or a card that nobody touched: what it was known to show it still shows."""
    if was.kind not in ("die", "card") or was.cls == UNKNOWN:
        return seen
    return replace(seen, cls=was.cls, class_log_probs=was.class_log_probs)


def _noise_mm(was: Detection, seen: Detection, is_pushed: bool) -> float:
    """How far two looks at what was not moved may be apart."""
    may_be_other_edge = seen.kind == "card" and not is_pushed
    return max(_CARD_STAYED_MM if may_be_other_edge else _STAYED_MM, _STAYED_SIGMAS * shift_sigma_mm(was, seen))


def _is_pushed_card(
    was: Detection, seen: Detection, changed_mm: BaseGeometry | None, cover_mm: BaseGeometry | None
) -> bool:
    """Whether the picture changed along the sides that a card left, and along those to which it went; a hand there
    changes it as well."""
    if seen.kind != "card" or changed_mm is None:
        return False
    left_mm, came_mm = was.footprint.difference(seen.footprint), seen.footprint.difference(was.footprint)
    shown_mm = changed_mm if cover_mm is None else changed_mm.difference(cover_mm)
    return all(strip.intersection(shown_mm).area >= _PUSHED_SHARE * strip.area for strip in (left_mm, came_mm))


def _kept_sigma_mm(was: Detection, seen: Detection) -> float:
    """The sigma of a place that is kept. Where two looks at a card contradict each other, either may have found its
    other edge: both places are within the interval."""
    apart_mm = distance_mm(was, seen)
    is_doubtful = seen.kind == "card" and apart_mm > _STAYED_SIGMAS * shift_sigma_mm(was, seen)
    return max(was.sigma_mm, apart_mm / SIGMAS_95) if is_doubtful else was.sigma_mm

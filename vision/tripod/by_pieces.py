"""The table measured again by the pieces that are known to lie on it, after the camera was carried off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from calibration.fit.correspondence import Correspondences
from calibration.kick.reregister import measured_again
from calibration.plane import TablePlane
from rules.scene import Kind
from vision.detection import FIGURES, Detection
from vision.frame import Frame
from vision.light.clarity import clarity_of
from vision.light.developed import developed
from vision.memory.tracker import Tracker
from vision.tripod.constellation import FEWEST, SHARE, Pairs, is_alike, laid, matched, recognised

# What stands or lies in one place; a match is too thin and terrain too large to tell where it is.
_KINDS = ("coin", "die", "card", *FIGURES)
# So many coins tell it alone, and sooner than a whole look does (docs/measured/trouble.md).
_ENOUGH_COINS = 2 * FEWEST
# So far beyond the table's sides, of the longer one, the old plane may have what a carried camera shows.
_BEYOND = 0.2
# How near a piece is to its place as the rough plane shows it.
_WITHIN_MM = 15.0
# How near it is at last: a soldier's foot errs by 4 mm (p95).
_STAYED_MM = 5.0
# What may be added to the error of the table's corners: ten miniatures on bases tell 1.0 to 1.7 mm, nine men 2.6 to
# 3.3, and what the table's texture tells from there on is far better.
_WORST_SIGMA_MM = 6.0
# A player may move a rank of men on one tray, but not so many pieces and so large a share of all.
_FEWEST_CARRIED, _CARRIED_SHARE = 5, 0.8
# Where more of them are in place nothing was carried; how all lie to one another takes seconds to compare for sixty.
_STAYED_SHARE = 0.5
# No two looks agree better than this.
_LEAST_NOISE_MM = 0.1

Look = Callable[[Frame, TablePlane], Sequence[Detection]]


@runtime_checkable
class Selective(Protocol):
    """Eyes that can be told to look for some kinds of pieces only, and beyond the table's sides too."""

    def only(self, kinds: frozenset[Kind], beyond_mm: float = 0.0) -> Look:
        """The same eyes, but only for these kinds, and so far beyond the table's sides."""
        ...


def plane_by_pieces(
    frame: Frame, old: TablePlane, tracker: Tracker, look: Look, table_size_mm: tuple[float, float]
) -> TablePlane | None:
    """The table plane by its pieces; None if too few are recognised, or if the plane would not be exact enough.

    old   the plane by which the tracks were measured, of the same lens
    look  the eyes; asked twice, by the old plane and then by a better one
    """
    known = _telling(_known(tracker))
    if len(known) < FEWEST:
        return None
    seen = _steady(_asked(look, known, _BEYOND * max(table_size_mm))(_developed(frame, old, table_size_mm), old))
    rough = _fitted(old, old, known, seen, recognised(known, seen), table_size_mm)
    if rough is None:
        return None
    seen = _steady(_asked(look, known)(_developed(frame, rough, table_size_mm), rough))
    pairs = in_place(known, seen)
    plane = _fitted(old, rough, known, seen, pairs, table_size_mm)
    return plane if plane is not None and _is_exact(plane, len(pairs) / len(known), table_size_mm) else None


def _developed(frame: Frame, plane: TablePlane, table_size_mm: tuple[float, float]) -> Frame:
    return developed(frame, clarity_of(frame, plane, table_size_mm))


def _asked(look: Look, known: Sequence[Detection], beyond_mm: float = 0.0) -> Look:
    """The eyes for what is known to lie there alone, where they can be asked so."""
    return look.only(_kinds_of(known), beyond_mm) if isinstance(look, Selective) else look


def carried_px(
    plane: TablePlane, tracker: Tracker, seen: Sequence[Detection], table_size_mm: tuple[float, float]
) -> float:
    """How far the camera seems to have been carried, px: the median of pieces that all went alike.

    Pieces that a player moved do not count. 0 where most lie as they did or a cloth hides them; NaN where pieces show,
    but hardly any where one was.
    """
    known, seen = _known(tracker), _steady(seen)
    stayed = len(in_place(known, seen))
    if stayed > _STAYED_SHARE * len(known):
        return 0.0
    pairs = recognised(known, seen)
    if pairs is None:
        gone = len(known) - stayed
        is_gone = len(seen) >= FEWEST and gone >= max(_FEWEST_CARRIED, _CARRIED_SHARE * len(known))
        return float("nan") if is_gone else 0.0
    # What went beyond the sides of the table as the old plane has it is not looked for.
    there = laid(known, seen, pairs)
    in_sight = np.logical_and(there > 0, there < table_size_mm).all(axis=1).sum()
    if len(pairs) < max(_FEWEST_CARRIED, _CARRIED_SHARE * in_sight):
        return 0.0
    were, are = [known[k].position_mm for k in pairs[:, 0]], [seen[s].position_mm for s in pairs[:, 1]]
    if np.median(np.hypot(*np.subtract(were, are).T)) < _WITHIN_MM:
        return 0.0
    return float(np.median(np.hypot(*(plane.to_image(were) - plane.to_image(are)).T)))


def _known(tracker: Tracker) -> list[Detection]:
    return [track.placed for track in tracker.tracks if track.seen.kind in _KINDS and not track.hidden]


def _telling(known: Sequence[Detection]) -> Sequence[Detection]:
    """The coins alone, which are seen soonest, where they are enough."""
    coins = [one for one in known if one.kind == "coin"]
    return coins if len(coins) >= _ENOUGH_COINS else known


def _kinds_of(known: Sequence[Detection]) -> frozenset[Kind]:
    """What to look for: a soldier or a base is told by what else it may be, and stands on terrain."""
    kinds = frozenset(one.kind for one in known)
    return kinds if kinds.isdisjoint(FIGURES) else kinds.union(FIGURES, ("terrain",))


def _steady(seen: Sequence[Detection]) -> list[Detection]:
    return [d for d in seen if d.kind in _KINDS and not d.faint]


def in_place(known: Sequence[Detection], seen: Sequence[Detection]) -> Pairs:
    """Pairs of a known piece and one seen near to where it lies."""
    was, now = (np.array([d.position_mm for d in group]).reshape(-1, 2) for group in (known, seen))
    alike = np.array([[is_alike(k, s) for s in seen] for k in known], bool).reshape(len(known), len(seen))
    return matched(np.hypot(*(was[:, None] - now).transpose(2, 0, 1)), alike, _WITHIN_MM)


def _fitted(
    old: TablePlane,
    by: TablePlane,
    known: Sequence[Detection],
    seen: Sequence[Detection],
    pairs: Pairs | None,
    table_size_mm: tuple[float, float],
) -> TablePlane | None:
    """The plane that lays what was seen by another one where it is known to lie, each at its height."""
    if pairs is None or len(pairs) < FEWEST:
        return None
    were, are = [known[k] for k in pairs[:, 0]], [seen[s] for s in pairs[:, 1]]
    seen_mm, lies_mm = [d.position_mm for d in are], [d.elevation_mm for d in are]
    px = by.to_image(seen_mm, lies_mm)
    sigma_px = [_noise_mm(d) for d in were] * by.px_per_mm(seen_mm, lies_mm)
    names = [f"piece {n}" for n in range(len(pairs))]
    known_mm, high_mm = [d.position_mm for d in were], [d.elevation_mm for d in were]
    places = Correspondences.of(px, known_mm, names, sigma_px, old.raised(known_mm, high_mm))
    return measured_again(old, places, table_size_mm)


def _noise_mm(known: Detection) -> float:
    """How far two looks at a piece that lies still are apart, measured by one and the same plane."""
    return float(np.sqrt(2 * max(known.sigma_mm**2 - known.shared_sigma_mm**2, _LEAST_NOISE_MM**2)))


def _is_exact(plane: TablePlane, share: float, table_size_mm: tuple[float, float]) -> bool:
    """Whether enough pieces lie where they did, and the table's corners are hardly known less well for it.

    share  of the known ones, so many were found
    """
    stayed = [not residual.rejected and residual.mm < _STAYED_MM for residual in plane.residuals]
    width, depth = table_size_mm
    sigma_mm = plane.added_sigma_mm(np.array([[0, 0], [width, 0], [width, depth], [0, depth]], float))
    return bool(share * np.mean(stayed) >= SHARE and np.all(sigma_mm <= _WORST_SIGMA_MM))

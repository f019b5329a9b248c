"""Several looks at a table that stands still, agreed into one: what most of them saw, where they saw it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from shapely.geometry.base import BaseGeometry

from rules.scene import NONE, UNKNOWN
from vision.detection import Detection

# Two looks mean the same thing when their centres are this near: less than the smallest coin's radius.
SAME_MM = 6.0
Look = tuple[Detection, ...]


def agreed(looks: Sequence[Look]) -> Look:
    """One detection for each thing that more than half of the looks saw, in the order of their first sight; faint
    where no more than half saw it surely."""
    groups: list[list[Detection]] = []
    for look in looks:
        _join(groups, look)
    return tuple(
        replace(_fused(group), faint=2 * sum(not seen.faint for seen in group) <= len(looks))
        for group in groups
        if 2 * len(group) > len(looks)
    )


def unanimous(looks: Sequence[Look], within_mm: BaseGeometry | None) -> bool:
    """Whether all looks surely saw the same there (everywhere for None): as many things, in the same places, with one
    name."""
    asked = [tuple(d for d in look if not d.faint and _is_within(d, within_mm)) for look in looks]
    return all(len(look) == len(asked[0]) and _is_same(asked[0], look) for look in asked[1:])


def _is_within(seen: Detection, within_mm: BaseGeometry | None) -> bool:
    return within_mm is None or seen.footprint.intersects(within_mm)


def _is_same(look: Look, other: Look) -> bool:
    return all(any(_names(seen) == _names(o) and _distance(seen, o) < SAME_MM for o in other) for seen in look)


def _names(seen: Detection) -> tuple[str, ...]:
    return seen.kind, seen.cls, seen.face, seen.owner


def _join(groups: list[list[Detection]], look: Look) -> None:
    """Add each detection to the nearest group of its kind, one a group and look; else open a new group."""
    taken: set[int] = set()
    for seen in look:
        near = [(d, i) for i, g in enumerate(groups) if i not in taken and (d := _distance(g[0], seen)) < SAME_MM]
        if near:
            index = min(near)[1]
            groups[index].append(seen)
        else:
            index = len(groups)
            groups.append([seen])
        taken.add(index)


def _distance(a: Detection, b: Detection) -> float:
    if a.kind != b.kind:
        return float("inf")
    return float(np.hypot(a.position_mm[0] - b.position_mm[0], a.position_mm[1] - b.position_mm[1]))


def _fused(group: list[Detection]) -> Detection:
    """The look nearest to the median place, with the class, face and owner of the group."""
    centre = np.median([d.position_mm for d in group], axis=0)
    middle = min(_of_one_form(group), key=lambda d: float(np.hypot(*(np.array(d.position_mm) - centre))))
    log_probs = _summed(group)
    cls = _voted([d.cls for d in group])
    return replace(
        middle,
        cls=cls,
        face=_voted([d.face for d in group]),
        owner=_voted([d.owner for d in group], doubt=(UNKNOWN, NONE)),
        facing_deg=_facing_deg(group),
        sigma_mm=float(np.median([d.sigma_mm for d in group])),
        sigma_at_height_mm=_median([d.sigma_at_height_mm for d in group]),
        confidence=float(np.mean([d.confidence for d in group if d.cls == cls])),
        class_log_probs=log_probs,
    )


def _of_one_form(group: list[Detection]) -> list[Detection]:
    """Those of the looks at a base that take it for what more of them do, round or oval."""
    ovals = [d for d in group if d.oval is not None and d.oval.is_told]
    return ovals if 2 * len(ovals) > len(group) else [d for d in group if d not in ovals]


def _median(told: list[float | None]) -> float | None:
    values = [value for value in told if value is not None]
    return float(np.median(values)) if values else None


def _facing_deg(group: list[Detection]) -> float | None:
    """The middle of the directions, where more than half of the looks told one and they agree within a right angle."""
    told = np.radians([d.facing_deg for d in group if d.facing_deg is not None])
    if 2 * len(told) <= len(group):
        return None
    middle = np.exp(1j * told).mean()
    return float(np.degrees(np.angle(middle)) % 360) if abs(middle) > np.cos(np.pi / 4) else None


def _summed(group: list[Detection]) -> dict[str, float]:
    total: defaultdict[str, float] = defaultdict(float)
    for detection in group:
        for cls, log_prob in detection.class_log_probs.items():
            total[cls] += log_prob / len(group)
    return dict(total)


def _voted(names: list[str], doubt: tuple[str, ...] = (UNKNOWN,)) -> str:
    """The most frequent name; a doubtful one only where nothing else has half of its votes."""
    votes = Counter(names).most_common()
    sure = [(name, count) for name, count in votes if name not in doubt]
    return sure[0][0] if sure and 2 * sure[0][1] >= votes[0][1] else votes[0][0]

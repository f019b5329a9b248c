"""The judge's doubt about pieces that look alike: no picture tells which of two such pieces went where."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.changes import Change, changes
from rules.game import Mark, Ruling
from rules.margin import UNTOLD
from rules.numbered_anew import named_as
from rules.pairing import size_misfit, unlikeness
from rules.resume import renamed
from rules.scene import Piece, Scene
from rules.sentences import listed

Judge = Callable[[Scene, Scene], tuple[Ruling, ...]]
# Bases and coins whose radii differ by more sigmas, squared, do not look alike.
_ALIKE = 9.0
# So unlikely that every other sum is less, and twice that: an illegal move, and two pieces that cannot be the same.
_ILLEGAL, _NEVER = 1e6, 1e12


@dataclass(frozen=True)
class Lookalikes:
    """Changes of pieces of one kind, class and owner: each may have been any of these pieces.

    names   of the piece that each change is of, as paired
    unlike  (n, n) how unlikely it is that the piece of a row made the change of a column
    """

    changes: tuple[Change, ...]
    names: tuple[str, ...]
    unlike: NDArray[np.float64]

    @classmethod
    def of(cls, alike: Sequence[Change]) -> Lookalikes:
        """As the likeliest pairing has them."""
        unlike = [[_unlike(row.before, column.after) for column in alike] for row in alike]
        return cls(tuple(alike), tuple(change.piece.id for change in alike), np.array(unlike))

    def swapped(self, columns: Sequence[int]) -> dict[str, str]:
        """New names by those as paired, where the piece of each row makes the change of that column instead."""
        return {self.names[column]: self.names[row] for row, column in enumerate(columns)}


def judged_apart(before: Scene, after: Scene, judge: Judge) -> tuple[Ruling, ...]:
    """What the judge says of two scenes, each perhaps with ids of its own.

    Where a piece that looks like another one moved illegally, the pairing counts in which the fewest did, and of those
    the likeliest. A verdict is close if another pairing with as few would turn it, or if the likeliest of all would.
    """
    named = named_as(before, after)
    rulings = judge(before, named)
    refused = {ruling.piece for ruling in rulings if ruling.verdict == "no"}
    groups = [] if named is after else [one for one in _groups(before, named) if refused.intersection(one.names)]
    if not groups:
        return rulings
    illegal = _illegal(groups, rulings, lambda names: judge(before, renamed(named, names)))
    columns = [_fewest(group.unlike, bad) for group, bad in zip(groups, illegal, strict=True)]
    names = {now: was for group, to in zip(groups, columns, strict=True) for now, was in group.swapped(to).items()}
    if any(now != was for now, was in names.items()):
        rulings = judge(before, renamed(named, names))
    doubts: dict[str, str] = {}
    for group, bad, to in zip(groups, illegal, columns, strict=True):
        doubts |= _doubts(group, bad, to)
    return tuple(_doubted(ruling, doubts.get(ruling.piece or "")) for ruling in rulings)


def _groups(before: Scene, named: Scene) -> list[Lookalikes]:
    """The changes of pieces that look alike, two or more together."""
    alike: dict[tuple[str, ...], list[Change]] = defaultdict(list)
    for change in changes(before, named):
        looks = {(piece.kind, piece.cls, piece.owner) for piece in (change.before, change.after) if piece is not None}
        if len(looks) == 1:
            alike[looks.pop()].append(change)
    return [Lookalikes.of(some) for some in alike.values() if len(some) > 1]


def _unlike(was: Piece | None, now: Piece | None) -> float:
    if was is None or now is None:
        return 0.0
    return unlikeness(now, was) if size_misfit(now, was) <= _ALIKE else math.inf


def _illegal(
    groups: Sequence[Lookalikes], rulings: tuple[Ruling, ...], rule: Callable[[Mapping[str, str]], tuple[Ruling, ...]]
) -> list[NDArray[np.bool_]]:
    """For each group, whether the change of a column is illegal if the piece of a row made it: each is asked in one of
    the pairings in which all go round by so many places."""
    illegal = [np.zeros(group.unlike.shape, bool) for group in groups]
    for by in range(max(len(group.names) for group in groups)):
        turned = {now: was for group in groups for now, was in group.swapped(_round(group, by)).items()}
        told = rule(turned) if by else rulings
        refused = {ruling.piece for ruling in told if ruling.verdict == "no"}
        for group, bad in zip(groups, illegal, strict=True):
            for row, column in enumerate(_round(group, by)):
                bad[row, column] = group.names[row] in refused
    return illegal


def _round(group: Lookalikes, by: int) -> list[int]:
    return [(row + by) % len(group.names) for row in range(len(group.names))]


def _fewest(unlike: NDArray[np.float64], illegal: NDArray[np.bool_]) -> list[int]:
    """The change that each piece made, by the likeliest pairing of those in which the fewest are illegal."""
    from scipy.optimize import linear_sum_assignment  # as in `rules.pairing`

    columns: list[int] = linear_sum_assignment(np.minimum(unlike, _NEVER) + _ILLEGAL * illegal)[1].tolist()
    return columns


def _doubts(group: Lookalikes, illegal: NDArray[np.bool_], columns: Sequence[int]) -> dict[str, str]:
    """The pieces whose verdict another pairing turns, each with what is said of that."""
    made = dict(zip(columns, group.names, strict=True))
    open_ = "broke the rules" if any(illegal[row, column] for row, column in enumerate(columns)) else "went where"
    found: dict[str, str] = {}
    for row, name in enumerate(group.names):
        turning = [
            column
            for column in np.flatnonzero((illegal[row] != illegal[row, columns[row]]) & np.isfinite(group.unlike[row]))
            if column == row or _is_as_good(group.unlike, illegal, columns, row, int(column))
        ]
        if turning:
            others = listed(sorted(made[int(column)] for column in turning))
            found[name] = f"it looks like {others}, and no picture tells which of them {open_}"
    return found


def _is_as_good(
    unlike: NDArray[np.float64], illegal: NDArray[np.bool_], columns: Sequence[int], row: int, column: int
) -> bool:
    """Whether the piece of that row can have made that change with no more illegal ones than in the pairing chosen."""
    rows = range(len(columns))
    at_most = sum(illegal[one, columns[one]] for one in rows)
    forced = unlike.copy()
    forced[row, np.arange(len(columns)) != column] = np.inf
    to = _fewest(forced, illegal)
    return (
        all(np.isfinite(forced[one, to[one]]) for one in rows) and sum(illegal[one, to[one]] for one in rows) <= at_most
    )


def _doubted(ruling: Ruling, doubt: str | None) -> Ruling:
    """The ruling as too close to call, if there is such a doubt."""
    if doubt is None or ruling.verdict == "close":
        return ruling
    return replace(
        ruling,
        verdict=UNTOLD.verdict,
        margin_mm=UNTOLD.margin_mm,
        sigma_mm=UNTOLD.sigma_mm,
        why=f"{ruling.why}; {doubt}",
        marks=tuple(Mark("move-close", mark.shape, mark.label, mark.height_mm) for mark in ruling.marks),
    )

"""The judge's doubt about pieces that look alike: no picture tells which of two such pieces went where."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rules.course.changes import Change, changes
from rules.course.pairing import size_misfit, unlikeness
from rules.course.renamed import renamed
from rules.game import Mark, Ruling
from rules.margin import UNTOLD
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


def judged_as_followed(before: Scene, after: Scene, judge: Judge) -> tuple[Ruling, ...]:
    """What the judge says of two scenes under the ids by which a camera followed the pieces.

    It saw them lie, not go: of pieces that look alike and left their places between two looks any may have gone where
    another did. A verdict is close if an exchange with no more illegal moves would turn it. What was placed came from
    nowhere, and of two alike it says nothing which was the first.
    """
    rulings = judge(before, after)
    refused = {ruling.piece for ruling in rulings if ruling.verdict == "no"}
    left = (change for change in changes(before, after) if change.before is not None)
    groups = [one for one in groups_of(left) if refused.intersection(one.names)]
    illegal = illegal_in(groups, rulings, lambda names: judge(before, renamed(after, names)))
    followed = [range(len(group.names)) for group in groups]
    return all_doubted(rulings, zip(groups, illegal, followed, strict=True))


def all_doubted(
    rulings: tuple[Ruling, ...], groups: Iterable[tuple[Lookalikes, NDArray[np.bool_], Sequence[int]]]
) -> tuple[Ruling, ...]:
    """The rulings; close where another pairing turns them. Of each group which changes of which pieces are illegal, and
    the change that each made, are told."""
    doubts: dict[str, str] = {}
    for group, illegal, columns in groups:
        doubts |= _doubts(group, illegal, columns)
    return tuple(_doubted(ruling, doubts.get(ruling.piece or "")) for ruling in rulings)


def groups_of(changed: Iterable[Change]) -> list[Lookalikes]:
    """Those of the changes that are of pieces which look alike, two or more together."""
    alike: dict[tuple[str, ...], list[Change]] = defaultdict(list)
    for change in changed:
        looks = {(piece.kind, piece.cls, piece.owner) for piece in (change.before, change.after) if piece is not None}
        if len(looks) == 1:
            alike[looks.pop()].append(change)
    return [Lookalikes.of(some) for some in alike.values() if len(some) > 1]


def _unlike(was: Piece | None, now: Piece | None) -> float:
    if was is None or now is None:
        return 0.0
    return unlikeness(now, was) if size_misfit(now, was) <= _ALIKE else math.inf


def illegal_in(
    groups: Sequence[Lookalikes], rulings: tuple[Ruling, ...], rule: Callable[[Mapping[str, str]], tuple[Ruling, ...]]
) -> list[NDArray[np.bool_]]:
    """For each group, whether the change of a column is illegal if the piece of a row made it: each is asked in one of
    the pairings in which all go round by so many places."""
    illegal = [np.zeros(group.unlike.shape, bool) for group in groups]
    for by in range(max((len(group.names) for group in groups), default=0)):
        turned = {now: was for group in groups for now, was in group.swapped(_round(group, by)).items()}
        told = rule(turned) if by else rulings
        refused = {ruling.piece for ruling in told if ruling.verdict == "no"}
        for group, bad in zip(groups, illegal, strict=True):
            for row, column in enumerate(_round(group, by)):
                bad[row, column] = group.names[row] in refused
    return illegal


def _round(group: Lookalikes, by: int) -> list[int]:
    return [(row + by) % len(group.names) for row in range(len(group.names))]


def fewest_illegal(unlike: NDArray[np.float64], illegal: NDArray[np.bool_]) -> list[int]:
    """The change that each piece made, by the likeliest pairing of those in which the fewest are illegal."""
    from scipy.optimize import linear_sum_assignment  # as in `rules.course.pairing`

    columns: list[int] = linear_sum_assignment(np.minimum(unlike, _NEVER) + _ILLEGAL * illegal)[1].tolist()
    return columns


def _doubts(group: Lookalikes, illegal: NDArray[np.bool_], columns: Sequence[int]) -> dict[str, str]:
    """The pieces whose verdict another pairing turns, each with what is said of that."""
    made = dict(zip(columns, group.names, strict=True))
    fewest = enumerate(fewest_illegal(group.unlike, illegal))
    open_ = "broke the rules" if any(illegal[row, column] for row, column in fewest) else "went where"
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
    to = fewest_illegal(forced, illegal)
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

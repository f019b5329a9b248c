"""The judge's word on two pictures, each perhaps with ids of its own."""

from __future__ import annotations

from rules.course.changes import changes
from rules.course.look_alike import Judge, all_doubted, fewest_illegal, groups_of, illegal_in
from rules.course.numbered_anew import named_as
from rules.course.renamed import renamed
from rules.game import Ruling
from rules.scene import Scene


def judged_apart(before: Scene, after: Scene, judge: Judge) -> tuple[Ruling, ...]:
    """What the judge says of two scenes, each perhaps with ids of its own.

    Where a piece that looks like another one moved illegally, the pairing counts in which the fewest did, and of those
    the likeliest. A verdict is close if another pairing with as few would turn it, or if the likeliest of all would.
    """
    named = named_as(before, after)
    rulings = judge(before, named)
    refused = {ruling.piece for ruling in rulings if ruling.verdict == "no"}
    changed = () if named is after else changes(before, named)
    groups = [one for one in groups_of(changed) if refused.intersection(one.names)]
    if not groups:
        return rulings
    illegal = illegal_in(groups, rulings, lambda names: judge(before, renamed(named, names)))
    columns = [fewest_illegal(group.unlike, bad) for group, bad in zip(groups, illegal, strict=True)]
    names = {now: was for group, to in zip(groups, columns, strict=True) for now, was in group.swapped(to).items()}
    if any(now != was for now, was in names.items()):
        rulings = judge(before, renamed(named, names))
    return all_doubted(rulings, zip(groups, illegal, columns, strict=True))

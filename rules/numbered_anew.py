"""Two pictures of one table, each with ids of its own: which piece of the one is which of the other."""

from __future__ import annotations

from rules.changes import changes
from rules.resume import names_after, renamed
from rules.scene import Scene


def named_as(before: Scene, after: Scene) -> Scene:
    """The scene after under the names of that before, where either was numbered by itself.

    Of two readings the one in which less changed counts: by the ids, or with pieces of one kind, class and owner paired
    nearest first. So a file in which somebody moved a piece by hand is read by its ids.
    """
    if not (before.numbered_anew or after.numbered_anew):
        return after
    paired = renamed(after, names_after(after, before))
    return paired if len(changes(before, paired)) < len(changes(before, after)) else after

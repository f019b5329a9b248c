"""What each army is worth, and what it has lost (OMNI-4.1, 5.1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from rules.game import Ruling
from rules.games.omniwar.points import changed_points, whole_points
from rules.games.omniwar.roster import UnitType, abilities, ability_key, packaged_roster
from rules.games.omniwar.units import bound_pieces
from rules.scene import UNKNOWN, Scene
from rules.setup import Setup
from rules.state import State


def unit_points(kind: UnitType) -> int:
    """The price of a unit with the abilities that the match added to its line of the roster.

    With more changes than the rules allow, or one that it has already, it costs what the roster says.
    """
    listed = packaged_roster().unit.get(kind.name)
    own = {ability_key(name) for name in listed.abilities} if listed is not None else set()
    added = [name for name in kind.abilities if ability_key(name) not in own and ability_key(name) in abilities()]
    plain = kind.model_copy(update={"abilities": listed.abilities if listed is not None else ()})
    try:
        return whole_points(changed_points(plain, added))
    except ValueError:
        return kind.points


def lost_points(state: State) -> dict[str, int]:
    """The points of destroyed units by army, as the match counts them; ValueError if the state has something else."""
    lost = state.counters.get("lost", {})
    if not isinstance(lost, Mapping) or not all(isinstance(points, int) for points in lost.values()):
        raise ValueError(f"state: counters.lost: should be points by colour, such as {{'red': 46}}, not {lost!r}")
    return dict(lost)


def economy(scene: Scene, setup: Setup, state: State) -> Iterator[Ruling]:
    """One feature for each army: its points on the table, and those of its units that were destroyed."""
    points: dict[str, int] = defaultdict(int)
    for piece, kind in bound_pieces(scene, setup, state):
        if kind is not None and piece.owner != UNKNOWN:
            points[piece.owner] += unit_points(kind)
    lost = lost_points(state)
    for owner in sorted({*points, *lost}):
        extra = {"owner": owner, "points": points[owner], "lost": lost.get(owner, 0)}
        why = f"{owner} has {points[owner]} points on the table and lost {lost.get(owner, 0)}"
        yield Ruling("economy", None, "yes", "OMNI-5.1", why, other=owner, extra=extra)

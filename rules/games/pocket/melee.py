"""Who is in melee, and how it may go (POCKET-3.1, 3.2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

from shapely import LineString

from rules.game import Mark, Ruling, ruling_from
from rules.games.pocket.combat import Fighter, heads_odds, may_cancel_in_melee, next_damaged, spending_order
from rules.games.pocket.doubt import weighed
from rules.games.pocket.table import Table, opposed
from rules.games.pocket.turns import first_player
from rules.games.pocket.units import Unit, side_owner
from rules.geometry.squares import Cell


def engaged(seen: Table) -> Iterator[Ruling]:
    """One feature for each opposed pair in one location."""
    for unit, other in combinations(seen.units, 2):
        if opposed(unit, other) and unit.cell == other.cell:
            margin = weighed(lambda a, b: opposed(a, b) and a.cell == b.cell, unit, other)
            are = "may be" if margin.verdict == "close" else "are"
            yield ruling_from(
                margin,
                kind="engaged",
                piece=unit.id,
                other=other.id,
                rule="POCKET-2.2",
                why=f"{unit.name} and {other.name} {are} in melee in {unit.location.name}",
                geometry=LineString([unit.piece.position_mm, other.piece.position_mm]),
                extra={"cell": list(unit.cell), "phase": "melee"},
                marks=(Mark("engaged", unit.piece.footprint), Mark("engaged", other.piece.footprint)),
            )


def melees(seen: Table) -> Iterator[Ruling]:
    """One feature for each location with opposed units: who fights, the odds on heads, who may cancel damage."""
    if not seen.phases("melee"):
        return
    together: dict[Cell, list[Unit]] = defaultdict(list)
    for unit in seen.units:
        if unit.is_known:
            together[unit.cell].append(unit)
    for units in together.values():
        if len({unit.owner for unit in units}) > 1:
            yield _melee(seen, units)


def _melee(seen: Table, units: list[Unit]) -> Ruling:
    location = units[0].location
    sides = {owner: [unit.id for unit in units if unit.owner == owner] for owner in playing_order(seen, units)}
    first, *rest = sides
    extra: dict[str, Any] = {
        "phase": "melee",
        "cell": list(location.cell),
        "units": sides,
        "odds": heads_odds(len(sides[first]), sum(len(sides[owner]) for owner in rest)),
        "cancels": [unit.id for unit in units if unit.troop and may_cancel_in_melee(unit.troop, location)],
        **_tossed(seen, units, list(sides)),
    }
    numbers = " against ".join(f"{len(ids)} {owner}" for owner, ids in sides.items())
    margin = weighed(lambda *them: _are_opposed(them, location.cell), *units)
    melee = "perhaps a melee" if margin.verdict == "close" else "melee"
    return ruling_from(
        margin,
        kind="melee",
        piece=location.card.id,
        rule="POCKET-3.1",
        why=f"{melee} in {location.name}: {numbers}; every unit tosses a coin",
        geometry=seen.field.outline(location),
        extra=extra,
    )


def _are_opposed(units: Iterable[Unit], cell: Cell) -> bool:
    """Whether units of two players stand there."""
    return len({unit.owner for unit in units if unit.is_known and unit.cell == cell}) > 1


def playing_order(seen: Table, units: list[Unit]) -> list[str]:
    """The owners among the units, the first player first (counter `first`, else the set-up's first player)."""
    named = [player.colour for player in seen.setup.players] or [
        side_owner(side, seen.setup) for side in ("near", "far")
    ]
    first = first_player(seen.setup, seen.state)
    if first is not None:
        named.remove(first.colour)
        named.insert(0, first.colour)
    owners = {unit.owner for unit in units}
    return [owner for owner in named if owner in owners] + sorted(owners - set(named))


def _tossed(seen: Table, units: list[Unit], players: list[str]) -> dict[str, Any]:
    """Who spends heads in which order and who takes damage first, once every unit's `toss` is in the state."""
    tosses = {unit.id: seen.state.of(unit.id).get("toss") for unit in units}
    if any(toss not in ("heads", "tails") for toss in tosses.values()):
        return {}
    heads = {owner: sum(u.owner == owner and tosses[u.id] == "heads" for u in units) for owner in players}
    fighters = {
        owner: [Fighter(u.id, tosses[u.id] == "heads", u.is_steady) for u in units if u.owner == owner]
        for owner in players
    }
    takers = {owner: [fighter.id for fighter in next_damaged(side)] for owner, side in fighters.items()}
    return {"heads": heads, "order": spending_order(heads, players), "damage_first": takers}

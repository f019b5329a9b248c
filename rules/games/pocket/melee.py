"""Who is in melee, and how it may go (POCKET-3.1, 3.2)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from shapely import LineString

from rules.game import Mark, Ruling, ruling_from
from rules.games.pocket.battlefield import BESIDE, Location
from rules.games.pocket.combat import Fighter, heads_odds, may_cancel_in_melee, next_damaged, spending_order
from rules.games.pocket.doubt import weighed
from rules.games.pocket.table import Table, opposed
from rules.games.pocket.turns import first_player
from rules.games.pocket.units import Unit, side_owner
from rules.geometry.squares import Cell
from rules.margin import REFUSED, Margin
from rules.scene import UNKNOWN
from rules.sentences import listed


def engaged(seen: Table) -> Iterator[Ruling]:
    """One feature for each opposed pair that is in one location, or may be."""
    for unit, other in combinations(seen.units, 2):
        cell = _shared_cell(unit, other)
        margin = REFUSED if cell is None else weighed(_meet, unit, other)
        if cell is not None and margin.verdict != "no":
            are = "may be" if margin.verdict == "close" else "are"
            yield ruling_from(
                margin,
                kind="engaged",
                piece=unit.id,
                other=other.id,
                rule="POCKET-2.2",
                why=f"{unit.name} and {other.name} {are} in melee in {seen.field.by_cell[cell].name}",
                geometry=LineString([unit.piece.position_mm, other.piece.position_mm]),
                extra={"cell": list(cell), "phase": "melee"},
                marks=(Mark("engaged", unit.piece.footprint), Mark("engaged", other.piece.footprint)),
            )


def _shared_cell(unit: Unit, other: Unit) -> Cell | None:
    """The location that both are in; else one that the one is in and the other may be."""
    return next((cell for cell in (unit.cell, other.cell) if cell in unit.may_be_in & other.may_be_in), None)


def _meet(unit: Unit, other: Unit) -> bool:
    return opposed(unit, other) and unit.cell == other.cell


def melees(seen: Table) -> Iterator[Ruling]:
    """One feature for each location with opposed units, or perhaps: who fights, the odds on heads, who may cancel."""
    if not seen.phases("melee"):
        return
    together: dict[Cell, list[Unit]] = defaultdict(list)
    for unit in seen.units:
        for cell in sorted(unit.may_be_in - {BESIDE}) if unit.troop is not None else ():
            together[cell].append(unit)
    for cell, units in together.items():
        melee = _melee(seen, seen.field.by_cell[cell], units)
        if melee is not None:
            yield melee


def _melee(seen: Table, location: Location, units: Sequence[Unit]) -> Ruling | None:
    """The ruling on a location and the units that are in it or may be: whether any of two players are.

    One of more than two whose place is too close to call changes no verdict, but who fights, and is named.
    """
    there = [unit for unit in units if _is_in(unit, location)]
    guests = [unit for unit in units if unit not in there]
    margin = weighed(lambda *them: _are_opposed(them, location), *there, beside=guests) if there else REFUSED
    if margin.verdict == "no":
        return None
    joining = [joined for guest in guests for joined in _joined(guest, location)]
    if _are_opposed(there, location):
        return _melee_of(seen, location, there, margin, joining)
    return _melee_of(seen, location, [*there, *joining], margin)


def _is_in(unit: Unit, location: Location) -> bool:
    return unit.is_known and unit.cell == location.cell


def _joined(guest: Unit, location: Location) -> list[Unit]:
    """The unit as it may be in that location, too, as somebody's."""
    places = ((place, owner) for place, owner, _ in guest.others if place.cell == location.cell and owner != UNKNOWN)
    return [replace(guest, location=place, owner=owner) for place, owner in places][:1]


def _melee_of(
    seen: Table, location: Location, units: list[Unit], margin: Margin, guests: Sequence[Unit] = ()
) -> Ruling:
    sides = {owner: [unit.id for unit in units if unit.owner == owner] for owner in playing_order(seen, units)}
    first, *rest = sides
    in_doubt = [unit.id for unit in (*units, *guests) if unit.others]
    extra: dict[str, Any] = {
        "phase": "melee",
        "cell": list(location.cell),
        "units": sides,
        "in_doubt": in_doubt,
        "odds": heads_odds(len(sides[first]), sum(len(sides[owner]) for owner in rest)),
        "cancels": [unit.id for unit in units if unit.troop and may_cancel_in_melee(unit.troop, location)],
        **_tossed(seen, units, list(sides)),
    }
    fighters = " against ".join(f"{owner} {listed(ids)}" for owner, ids in sides.items())
    doubt = f", {listed(in_doubt)} too close to call" if in_doubt else ""
    melee = "perhaps a melee" if margin.verdict == "close" else "melee"
    return ruling_from(
        margin,
        kind="melee",
        piece=location.card.id,
        rule="POCKET-3.1",
        why=f"{melee} in {location.name}: {fighters}{doubt}; every unit tosses a coin",
        geometry=seen.field.outline(location),
        extra=extra,
    )


def _are_opposed(units: Iterable[Unit], location: Location) -> bool:
    """Whether units of two players are there."""
    return len({unit.owner for unit in units if _is_in(unit, location)}) > 1


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

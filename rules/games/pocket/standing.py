"""What stands where: the ground of each location, steady and wavering units, deployment (POCKET-1.2, 1.4, 5.1)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.game import Mark, Ruling
from rules.games.pocket.battlefield import Location
from rules.games.pocket.deployment import deployment_fault
from rules.games.pocket.table import Table
from rules.scene import UNKNOWN


def locations(seen: Table) -> Iterator[Ruling]:
    """One `cover` feature for each card: its ground, and whether it shelters from shots."""
    for location in seen.field.locations:
        ground, outline = location.ground, seen.field.outline(location)
        extra = {"cell": list(location.cell), "terrain": ground.name, "elevation": ground.elevation}
        yield Ruling(
            "cover",
            location.card.id,
            "close" if ground.name in ("unset", UNKNOWN) else "yes" if ground.cover else "no",
            "POCKET-1.2",
            _location_sentence(location),
            geometry=outline,
            extra=extra,
            marks=(Mark("terrain", outline, f"{ground.name}, out of bounds" if ground.closed else ground.name),),
        )


def _location_sentence(location: Location) -> str:
    if location.ground.name == "unset":
        return f"{location.card.id} is a joker without a meaning; set [legend] joker to a ground before play"
    if location.ground.name == UNKNOWN:
        return f"{location.card.id} was not read; say which card it is"
    shelter = "shelters from shots" if location.ground.cover else "gives no shelter from shots"
    return f"{location.card.cls} is {location.name}" + (
        ", out of bounds" if location.ground.closed else f" and {shelter}"
    )


def cohesion(seen: Table) -> Iterator[Ruling]:
    """One feature for each unit: steady (yes), wavering (no), or not seen (close)."""
    for unit in seen.units:
        verdict, word = {"heads": ("yes", "steady"), "tails": ("no", "wavering")}.get(
            unit.piece.face, ("close", "neither heads nor tails for certain")
        )
        marks = (Mark("wavering", unit.piece.footprint, word),) if verdict != "yes" else ()
        extra = {"owner": unit.owner, "troop": unit.troop.name if unit.troop else None, "cell": list(unit.cell)}
        yield Ruling("cohesion", unit.id, verdict, "POCKET-1.4", f"{unit.name} is {word}", extra=extra, marks=marks)  # type: ignore[arg-type]


def deployment(seen: Table) -> Iterator[Ruling]:
    """One `settle` feature for each unit at the very start: whether it stands where units begin."""
    if seen.state.turn > 1 or seen.state.phase not in (None, "cavalry"):
        return
    for unit in seen.units:
        if unit.troop is None or not unit.is_known:
            continue
        fault = deployment_fault(seen.field, unit.troop, unit.owner, unit.location, seen.setup)
        why = f"{unit.name}: {fault}" if fault else f"{unit.name} stands in its deployment area"
        verdict = "no" if fault else "yes"
        yield Ruling("settle", unit.id, verdict, "POCKET-5.1", why, extra={"cell": list(unit.cell)})  # type: ignore[arg-type]

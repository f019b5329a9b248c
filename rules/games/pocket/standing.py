"""What stands where: the ground of each location, steady and wavering units, deployment (POCKET-1.2, 1.4, 5.1)."""

from __future__ import annotations

from collections.abc import Iterator

from rules.game import Mark, Ruling, ruling_from
from rules.games.pocket.battlefield import BESIDE, Location
from rules.games.pocket.deployment import unit_fault
from rules.games.pocket.doubt import certain, weighed
from rules.games.pocket.table import Table
from rules.games.pocket.units import Unit
from rules.margin import UNTOLD, Margin
from rules.scene import UNKNOWN

_FACES = {"heads": (certain(True), "steady"), "tails": (certain(False), "wavering")}


def locations(seen: Table) -> Iterator[Ruling]:
    """One `cover` feature for each card: its ground, and whether it shelters from shots."""
    for location in seen.field.locations:
        ground, outline = location.ground, seen.field.outline(location)
        extra = {"cell": list(location.cell), "terrain": ground.name, "elevation": ground.elevation, "phase": "ranged"}
        yield ruling_from(
            UNTOLD if ground.name in ("unset", UNKNOWN) else certain(ground.cover),
            kind="cover",
            piece=location.card.id,
            rule="POCKET-1.2",
            why=_location_sentence(location),
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
    """One feature for each unit: steady (yes), wavering (no), or not seen or perhaps a spare coin (close)."""
    for unit in seen.units:
        margin, word = _FACES.get(unit.piece.face, (UNTOLD, "neither heads nor tails for certain"))
        label = word if margin.verdict == "no" else "heads or tails?"
        marks = (Mark("wavering", unit.piece.footprint, label),) if margin.verdict != "yes" else ()
        why = f"{unit.name} is {word}"
        if unit.touch is not None and margin is not UNTOLD:
            margin = unit.touch if margin.verdict == "yes" else Margin(-unit.touch.margin_mm, unit.touch.sigma_mm)
            why = f"{why}, if it is no spare coin: whether it touches {unit.location.name} is too close to call"
        troop = unit.troop.name if unit.troop else None
        extra = {"owner": unit.owner, "troop": troop, "cell": list(unit.cell), "phase": "end"}
        yield ruling_from(margin, kind="cohesion", piece=unit.id, rule="POCKET-1.4", why=why, extra=extra, marks=marks)


def deployment(seen: Table) -> Iterator[Ruling]:
    """One `settle` feature for each unit at the very start: whether it stands where units begin, or may be spare."""
    if seen.state.turn > 1 or seen.state.phase not in (None, "cavalry"):
        return
    for unit in seen.units:
        if not unit.is_known:
            continue
        fault = unit_fault(seen.field, unit, seen.setup)
        margin = weighed(lambda u: _may_begin(u, seen), unit)
        why = f"{unit.name}: {fault}" if fault else f"{unit.name} stands in its deployment area"
        extra = {"cell": list(unit.cell), "phase": "cavalry"}
        yield ruling_from(margin, kind="settle", piece=unit.id, rule="POCKET-5.1", why=why, extra=extra)


def _may_begin(unit: Unit, seen: Table) -> bool:
    """Whether a coin may lie there when the match begins; as when it is put down, beside the cards any may."""
    return unit.cell == BESIDE or (unit.is_known and unit_fault(seen.field, unit, seen.setup) is None)

"""`siege` rulings: one for each settlement (OMMS-7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shapely import MultiPoint, Point

from rules.game import Mark, Ruling
from rules.games.omms import told
from rules.games.omms.fight import faces_of
from rules.games.omms.siege import Siege, sieges
from rules.games.omms.siege_clock import chooser, is_due, since_turn
from rules.games.omms.whose_turn import ATTACK
from rules.sentences import counted, listed

if TYPE_CHECKING:
    from rules.games.omms.coins import Coin
    from rules.games.omms.table import Table
    from rules.margin import Verdict


def siege_rulings(table: Table) -> tuple[Ruling, ...]:
    """The state of every settlement's roads."""
    coins = table.coins
    found = sieges(table.country.roads, coins.bases, coins.units, table.breadth_mm)
    return tuple(_ruling(table, siege) for siege in found)


def _ruling(table: Table, siege: Siege) -> Ruling:
    nominal: Verdict = "yes" if siege.besieged else "no"
    cuts = [{"by": road_cut.by.id, "at": [round(mm, 6) for mm in road_cut.at_mm]} for road_cut in siege.cuts]
    extra: dict[str, Any] = {
        "owner": siege.base.owner,
        "open_roads": siege.open_roads,
        "cut": cuts,
        "since_turn": since_turn(table.state, siege.base.id, siege.besieged),
        **_toll(table, siege),
        "phase": "attack",
    }
    points = MultiPoint([road_cut.at_mm for road_cut in siege.cuts]) if cuts else None
    return Ruling(
        kind="siege",
        piece=siege.base.id,
        verdict="close" if siege.close else nominal,
        rule="OMMS-7.1",
        why=f"{_why(siege)}{_toll_words(siege, extra)}",
        margin_mm=siege.margin.margin_mm,
        sigma_mm=siege.margin.sigma_mm,
        geometry=points,
        extra=extra,
        marks=_marks(siege),
    )


def _toll(table: Table, siege: Siege) -> dict[str, Any]:
    """Whether the siege kills a unit this turn, and once the dice are told, who chooses it (OMMS-7.2)."""
    due = siege.besieged and is_due(table, siege.base.id, len(table.coins.garrison(siege.base)))
    dice = _dice(table, siege) if due else None
    return {"due": due} if dice is None else {"due": due, "chooser": chooser(*dice)}


def _toll_words(siege: Siege, toll: dict[str, Any]) -> str:
    """What is to be done in the turn in which a siege kills."""
    if not toll["due"]:
        return ""
    who = {"attacker": "the besieger", "owner": siege.base.owner}.get(toll.get("chooser", ""))
    return f"; it kills a unit this turn{': both sides throw a die' if who is None else f', which {who} chooses'}"


def _dice(table: Table, siege: Siege) -> tuple[int, int] | None:
    """The attacker's die and the owner's, typed or seen; None while they are not both there."""
    what = "the state's siege_dice"
    thrown = told.table(table.state.counters.get("siege_dice", {}), what).get(siege.base.id)
    if thrown is not None:
        typed = told.table(thrown, what)
        return told.face(typed.get("attacker"), f"{what}, attacker"), told.face(typed.get("owner"), f"{what}, owner")
    if ATTACK in table.state.counters:  # the dice on the table are those of the attack
        return None
    besiegers = {unit.owner for unit in siege.besiegers}
    sides = [[die for owner in owners for die in faces_of(table, owner)] for owners in (besiegers, {siege.base.owner})]
    return (sides[0][0], sides[1][0]) if [len(side) for side in sides] == [1, 1] else None


def _why(siege: Siege) -> str:
    base: Coin = siege.base
    if base.is_neutral or not base.is_known:
        return f"{base} is nobody's that we know of, so nobody besieges it"
    if not siege.access:
        return f"no usable road leads from {base} to the edge of its surroundings, so there is none to cut"
    by = f" by {listed(siege.besiegers)}" if siege.cuts else ""
    doubt = ", but it is too close to call" if siege.close else ""
    if siege.besieged:
        return f"every road to {base} is cut{by}{doubt}"
    cuts = counted(len(siege.cuts), "cut") if siege.cuts else "none cut"
    return f"{counted(siege.open_roads, 'road')} to {base} open, {cuts}{by}{doubt}"


def _marks(siege: Siege) -> tuple[Mark, ...]:
    if not siege.besieged and not siege.close:
        return ()
    role = "doubt" if siege.close else "siege"
    ring = Mark(role, siege.base.disc, "besieged?" if siege.close else "besieged")
    return (ring, *(Mark(role, Point(road_cut.at_mm)) for road_cut in siege.cuts))

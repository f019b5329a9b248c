"""Whether a move may end in a settlement, or aboard a ship in its harbour (OMMS-3.2, note 9)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rules.games.omms.condition import Condition, decide, fact, measured
from rules.games.omms.judge_road import barred
from rules.games.omms.road_reach import Mover, met_mm, mover, reach_of
from rules.games.omms.way_doubt import doubts
from rules.margin import ROUNDING_MM, Margin, turned

if TYPE_CHECKING:
    from rules.games.omms.coins import Coin
    from rules.games.omms.table import Country, Table

# Note 9.
MOST_LOAD = 3


def into_settlements(table: Table, start: Coin, end: Coin) -> list[Condition]:
    """The friendly settlements that the coin now lies in, each by its way."""
    homes = [base for base in table.coins.bases if base.is_friend(start.owner) and end.cover(base).verdict != "no"]
    asked = _mover(table, start) if homes else None
    return [_into(table.country, asked, end, home) for home in homes] if asked else []


def aboard(was: Table, now: Table, start: Coin, end: Coin) -> list[Condition]:
    """A unit that ends on a friendly ship goes aboard by the port in whose harbour it lies (note 9)."""
    ship = was.coins.ship_of(end)
    asked = _mover(was, start) if ship is not None else None
    if ship is None or asked is None:
        return []
    if _load(was, now, ship, start) >= MOST_LOAD:
        return [fact(False, "OMMS-9", f"{ship} has {MOST_LOAD} units aboard already")]
    berth = was.berth_of(ship)
    if berth is None:
        return [fact(False, "OMMS-9", f"{ship} is in no harbour")]
    port, moored = berth
    met = _met(was.country, asked, port)
    there = met.margin_mm >= -ROUNDING_MM
    why = f"{start} goes aboard {ship} in {port}" if there else f"{ship} is in no harbour that {start} can reach"
    return [_together(measured(moored, "OMMS-9", _moored(ship, port, moored)), measured(met, "OMMS-9", why))]


def _moored(ship: Coin, port: Coin, by: Margin) -> str:
    return f"{ship} lies {'hardly' if by.margin_mm >= 0 else 'not quite'} in the harbour of {port}"


def _load(was: Table, now: Table, ship: Coin, start: Coin) -> int:
    """How many are aboard before a unit: those who were so already, and those counted before it who board with it."""
    number = {unit.id: place for place, unit in enumerate(now.coins.units)}
    others = (unit for unit in now.coins.units if unit.id != start.id and _is_aboard(now, unit.id, ship))
    return sum(_is_aboard(was, unit.id, ship) or number[unit.id] < number[start.id] for unit in others)


def _is_aboard(table: Table, name: str, ship: Coin) -> bool:
    carrier = table.coins.ship_of(table.coins[name]) if name in table.coins else None
    return carrier is not None and carrier.id == ship.id


def _mover(table: Table, unit: Coin) -> Mover | None:
    """The unit about to move along roads, None off them, or where they lie off the table."""
    point = table.standing(unit)
    asked = None if point is None else mover(table, unit, point, table.length_mm)
    return asked if asked is not None and asked.is_on_table else None


def _into(country: Country, asked: Mover, end: Coin, home: Coin) -> Condition:
    """Whether a unit may end in a settlement: its way meets the coin's disc, and it lies there by half its area."""
    met = _met(country, asked, home)
    led = "an open road leads" if met.margin_mm >= -ROUNDING_MM else "no open road leads"
    return _together(
        measured(met, "OMMS-3.2", f"{led} {asked.unit} into {home}{barred(reach_of(country, asked))}"),
        measured(end.cover(home), "OMMS-3.2", f"{asked.unit} ends in {home}"),
    )


def _together(*conditions: Condition) -> Condition:
    """The one that decides; the last where all hold, with the least margin."""
    verdict, deciding = decide(conditions)
    return replace(conditions[-1], margin=deciding.margin) if verdict == "yes" else replace(deciding, verdict=verdict)


def _met(country: Country, asked: Mover, home: Coin) -> Margin:
    """By how much the way meets a settlement's disc: too close to call if one distance would open or bar it (C3.4)."""
    flips = doubts(asked, asked.unit.pair_sigma_mm(home), lambda moved: _met_mm(country, home, moved) >= 0)
    return turned(Margin(_met_mm(country, home, asked), home.sigma_mm), flips)


def _met_mm(country: Country, home: Coin, asked: Mover) -> float:
    reach = reach_of(country, asked)
    return met_mm(home, reach.point, reach.part, reach.double)

"""What happened between two scenes, and whether it was legal (C4.8, C4.9)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from rules.course.changes import Change, changes, has_moved
from rules.game import Mark, Ruling
from rules.games.omms.coins import OTHER, SHIP, Coin, disc_of, legend_of
from rules.games.omms.condition import Condition, decide, fact, measured
from rules.games.omms.economy import FOOD, food
from rules.games.omms.emptied import EMPTIED
from rules.games.omms.judge_capture import FOUGHT, left_empty, undeclared_attackers
from rules.games.omms.judge_move import awaits_ship, move_conditions, sails_with
from rules.games.omms.judge_place import CARDS, FOUNDED, phase_of_placing, place_conditions, replaced
from rules.games.omms.judge_remove import STARVED, may_be_fortified, phase_of_removal, remove_conditions, successor
from rules.games.omms.lifted import BESIEGED_IN, LIFTED, PUT_BACK, lifted_events, put_back, recalled, remembered
from rules.games.omms.loads import LOADS, left_behind
from rules.games.omms.losses import loss_events
from rules.games.omms.lying import if_otherwise
from rules.games.omms.move_rulings import PHASE as MOVE
from rules.games.omms.path import way_of
from rules.games.omms.strength import DEFENCE
from rules.games.omms.supplanted import half_reinstated, reinstated
from rules.games.omms.table import Table
from rules.margin import UNTOLD
from rules.scene import Piece, Scene
from rules.setup import Setup
from rules.state import State
from rules.turn import AWAITS, RETURNS, keeps_turns, with_counters, with_piece

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# What else plays a part beside the coins, and what it is called.
_BESIDE: Mapping[str, str] = MappingProxyType({"match": "food token", "card": "card", "die": "die"})


def judge(before: Scene, after: Scene, setup: Setup, state: State) -> tuple[Ruling, ...]:
    """One ruling for each piece that moved, came or went."""
    was, now = Table(before, setup, state), Table(after, setup, state)
    happened, ruled = changes(before, after), {}
    eaten: Counter[str] = Counter()
    for change in sorted(happened, key=lambda one: _defence(one, was)):
        found = ruled[change.piece.id] = _judged(_recalled(_less_food(was, eaten, change), change), now, change)
        if change.kind == "placed" and found.rule == FOUNDED and found.verdict != "no":
            eaten[change.piece.owner] += 1
        was = _spent(was, ruled[change.piece.id])
    return tuple(ruled[change.piece.id] for change in happened)


def _less_food(was: Table, eaten: Mapping[str, int], change: Change) -> Table:
    """The table without the food, `eaten` by owner, of what was founded or fortified in the same scene before."""
    owner = change.piece.owner
    if change.kind != "placed" or not eaten.get(owner):
        return was
    player = was.setup.player_of_colour(owner)
    left = {player.name if player is not None else owner: max(food(was, owner) - eaten[owner], 0)}
    told = {**was.state.counters.get(FOOD, {}), **left}
    return replace(was, state=with_counters(was.state, {FOOD: told}))


def _defence(change: Change, was: Table) -> int:
    """A key that sorts defenders before the units that they defend (OMMS-5.3)."""
    coin = _coin(change.piece, was)
    return 0 if coin is None else -DEFENCE.get(coin.role, 0)


def _spent(was: Table, found: Ruling) -> Table:
    """The table for the next change of the same scene, once `found` was judged.

    An attack that explains one loss explains no other, and where one coin was put back no other can be put back.
    """
    if found.extra["change"] == "placed" and LIFTED in was.state.counters:
        put = {**found.extra, "piece": found.piece}
        return replace(was, state=with_counters(was.state, lifted_events(was.state, put)))
    if "attackers" in found.extra:
        lost = {"piece": found.piece, "attackers": found.extra["attackers"]}
        return replace(was, state=with_counters(was.state, loss_events(was.state, lost)))
    fell = found.extra["change"] == "removed" and found.rule == FOUGHT and found.verdict != "no"
    if not fell or was.state.active is None:
        return was
    return replace(was, state=with_piece(was.state, str(found.piece), {"fired": True}))  # in its own attack


def _recalled(was: Table, change: Change) -> Table:
    """The table before a change: a coin that is put down may replace what was lifted this turn."""
    coin = _coin(change.piece, was) if change.kind == "placed" else None
    return recalled(was, coin) if coin is not None and coin.is_base else was


def _judged(was: Table, now: Table, change: Change) -> Ruling:
    found, where = _in_doubt(was, now, change), _geometry(was, change)
    marks = () if found.verdict == "yes" else (_mark(found, where, change),)
    return Ruling(
        kind="judge",
        piece=change.piece.id,
        verdict=found.verdict,
        rule=found.rule,
        why=found.why,
        margin_mm=found.margin.margin_mm,
        sigma_mm=found.margin.sigma_mm,
        geometry=where,
        extra={**change.extra, **_kept(was, now, change, found), "phase": _phase(was, now, change)},
        marks=marks,
    )


def _mark(found: Condition, where: BaseGeometry, change: Change) -> Mark:
    return Mark("doubt" if found.verdict == "close" else "illegal", where, change.piece.id)


def _in_doubt(was: Table, now: Table, change: Change) -> Condition:
    """The condition that decides; close if it changes where it is too close to call whether coins lie on each other.

    Two coins that have not moved are read alike in both scenes.
    """
    found = _decided(was, now, change)
    kept = {pair for pair in was.otherwise if pair in now.otherwise and not any(_moved(was, now, one) for one in pair)}
    before = (
        (pair, _decided(table, now.otherwise[pair] if pair in kept else now, change).holds)
        for pair, table in was.otherwise.items()
    )
    after = ((pair, _decided(was, table, change).holds) for pair, table in now.otherwise.items() if pair not in kept)
    return if_otherwise(now, if_otherwise(was, found, before), after)


def _moved(was: Table, now: Table, name: str) -> bool:
    return has_moved(was.scene[name], now.scene[name])


def _decided(was: Table, now: Table, change: Change) -> Condition:
    """The condition that decides: the last of all where all hold, with the least margin."""
    conditions = _conditions(was, now, change)
    verdict, deciding = decide(conditions)
    if verdict == "yes":
        return replace(conditions[-1], margin=deciding.margin)
    return replace(deciding, verdict=verdict)


def _phase(was: Table, now: Table, change: Change) -> str:
    """The phase that a change belongs to (C4.9)."""
    coin = _coin(change.piece, was)
    if change.kind == "moved":
        return MOVE
    if coin is None:
        return CARDS
    return phase_of_placing(was, now, coin) if change.kind == "placed" else phase_of_removal(was, now, coin)


def _kept(was: Table, now: Table, change: Change, found: Condition) -> dict[str, Any]:
    """What a match keeps of a coin that came or went: it follows bases, sieges and attacks by it."""
    coin = _coin(change.piece, was)
    if coin is None:
        return {}
    if change.kind == "moved":
        sails = coin.is_unit and sails_with(was, now, _before(was, coin), coin)
        if awaits_ship(found):
            return {"spends": False, **_awaited(was, _before(was, coin))}
        return {"spends": False} if sails else _load(was, now, coin, found)
    if change.kind == "placed":
        return _put(was, now, coin)
    if coin.is_base:
        return _succession(was, now, change.piece, coin, found)
    lifted = {LIFTED: remembered(change.piece)} if coin.is_unit and keeps_turns(was.state) else {}
    return {**_loss(was, now, coin, found), **_load(was, now, coin, found), **lifted}


def _awaited(was: Table, start: Coin) -> dict[str, str]:
    """The ship that a unit was moved ahead of."""
    ship = was.coins.ship_of(start)
    return {} if ship is None else {AWAITS: ship.id}


def _put(was: Table, now: Table, coin: Coin) -> dict[str, Any]:
    """The settlement whose place a coin took, or the name that a unit had that is put back by another."""
    name = reinstated(was, now, coin) if coin.is_base else put_back(was, coin)
    if name is not None:
        return {} if name == coin.id else {RETURNS: name}
    old = replaced(was, now, coin) if coin.is_base else None
    return {} if old is None else {"replaces": old.id}


def _load(was: Table, now: Table, ship: Coin, found: Condition) -> dict[str, Any]:
    """The units that a ship left behind when it sailed or sank."""
    left = left_behind(was, now, was.coins[ship.id]) if ship.role == SHIP and found.verdict != "no" else []
    return {LOADS: left} if left else {}


def _succession(was: Table, now: Table, piece: Piece, base: Coin, found: Condition) -> dict[str, Any]:
    """What took the place of a settlement that is gone and lay on it before; or that it may be back, or replaced."""
    new = successor(was, now, base)
    if new is not None:
        return {"replaced_by": new.id} if new.id in was.coins else {}
    may_come = found.verdict != "no" or keeps_turns(was.state) or may_be_fortified(was, base)
    return {LIFTED: remembered(piece)} if base.is_known and not base.is_neutral and may_come else {}


def _loss(was: Table, now: Table, unit: Coin, found: Condition) -> dict[str, Any]:
    """What is kept of a lost unit: whose siege starved it, or who may have destroyed it and what that left empty."""
    if not unit.is_unit or found.verdict == "no":
        return {}
    if found.rule == FOUGHT:
        told = {"attackers": undeclared_attackers(was, unit), EMPTIED: left_empty(was, now, unit)}
        return {key: value for key, value in told.items() if value}
    seat = was.coins.seat_of(unit) if found.rule == STARVED else None
    return {} if seat is None else {BESIEGED_IN: seat.id}


def _conditions(was: Table, now: Table, change: Change) -> Sequence[Condition]:
    coin = _coin(change.piece, was)
    if coin is None or coin.is_neutral or (coin.is_known and coin.role == OTHER):
        return [_free(change.piece)]
    if not coin.is_known:
        doubt = f"nobody has said what {coin} is, so nobody can say whether that was legal"
        return [measured(UNTOLD, "C5.2", doubt)]
    if change.kind == "moved":
        return move_conditions(was, now, _before(was, coin), coin)
    return _placing(was, now, coin) if change.kind == "placed" else remove_conditions(was, now, coin)


def _free(piece: Piece) -> Condition:
    """That a thing may come, go and lie where it likes: no rule of moves binds it."""
    if piece.kind in _BESIDE:
        return fact(True, "OMMS-1.1", f"{_BESIDE[piece.kind]} {piece.id} is no coin: it may lie anywhere")
    return fact(True, "C5.2", f"{piece.cls} {piece.id} has no part in the game")


def _placing(was: Table, now: Table, coin: Coin) -> Sequence[Condition]:
    """That a coin is put back, or may be put down."""
    if put_back(was, coin) is not None:
        return [fact(True, PUT_BACK, f"{coin} is put back where it was lifted")]
    if reinstated(was, now, coin) is not None:
        return [fact(True, PUT_BACK, f"{coin} is put back in its place")]
    under = half_reinstated(was, now, coin)
    if under is not None:
        return [measured(UNTOLD, PUT_BACK, f"{coin} is put back in its place once {under} is gone")]
    return place_conditions(was, now, coin)


def _coin(piece: Piece, table: Table) -> Coin | None:
    """The coin that a piece is, or a figure that nobody has named; None for other things."""
    return disc_of(piece, legend_of(table.setup))


def _before(was: Table, coin: Coin) -> Coin:
    """A coin where it lay before; if it was unknown there, it is what it has been recognised as since."""
    start = was.coins[coin.id]
    return start if start.is_known else replace(coin, at_mm=start.at_mm, sigma_mm=start.sigma_mm, on=start.on)


def _geometry(table: Table, change: Change) -> BaseGeometry:
    """The road that a unit can have taken, else the line from where to where; a place for what came or went."""
    if change.before is None or change.after is None:
        return Point(change.piece.position_mm)
    coins = (_coin(piece, table) for piece in (change.before, change.after))
    start, end = coins
    way = way_of(table, start, end) if start is not None and end is not None and start.is_unit else None
    return way if way is not None else LineString([change.before.position_mm, change.after.position_mm])

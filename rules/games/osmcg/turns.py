"""How the state of a match takes events: the six phases, mana, statuses, markers, damage, the stack (OSMCG-5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules import turn
from rules.games.osmcg.stack import passed, pushed
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State

PHASES = ("upkeep", "draw", "main-1", "activation", "main-2", "end")
# What ticks down by one at upkeep; `slow` is an amount, its turns are `slow_turns`.
_TIMED = ("root", "stun", "blind", "slow_turns")
# Damage of one marker, by intensity (rulebook 12).
_MARKER_DAMAGE: Mapping[str, int] = {"minor": 1, "medium": 2, "major": 3}


def advance(state: State, scene: Scene, setup: Setup, kind: str, fields: Mapping[str, Any]) -> State:
    """The state after an event; besides the common ones `stack` (push: item, or pass) and `score` (player, vp)."""
    if kind == "stack":
        return pushed(state, fields["push"]) if "push" in fields else passed(state)
    if kind == "score":
        return _booked(state, fields["player"], lambda book: {**book, "vp": book.get("vp", 0) + fields["vp"]})
    after = turn.advance(state, scene, setup, kind, fields)
    if kind == "attack":
        return _wounded(after, fields)
    if kind == "phase" and (after.phase, after.active) != (state.phase, state.active):
        return _entered(_left(after, scene, setup, state), scene, setup)
    return after


def _wounded(state: State, fields: Mapping[str, Any]) -> State:
    """The target of an attack takes its damage as wounds."""
    target, dealt = fields.get("other"), fields.get("damage", 0)
    if target is None or not dealt:
        return state
    return turn.with_piece(state, target, {"wounds": state.of(target).get("wounds", 0) + dealt})


def _left(state: State, scene: Scene, setup: Setup, before: State) -> State:
    """Whoever was exhausted has skipped an activation when that phase ends."""
    if before.phase != "activation":
        return state
    return _each(state, turn.owned_by(before.active, scene, setup, state.pieces), lambda _: {"exhausted": None})


def _entered(state: State, scene: Scene, setup: Setup) -> State:
    own = turn.owned_by(state.active, scene, setup, state.pieces)
    if state.phase == "upkeep":
        return _each(_regenerated(state), own, _upkeep)
    return _each(state, own, _suffered) if state.phase == "end" else state


def _each(state: State, ids: tuple[str, ...], change: Callable[[Mapping[str, Any]], dict[str, Any]]) -> State:
    for piece_id in ids:
        state = turn.with_piece(state, piece_id, change(state.of(piece_id)))
    return state


def _booked(state: State, player: str, change: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> State:
    books = dict(state.counters.get("players", {}))
    return turn.with_counters(state, {"players": {**books, player: dict(change(books.get(player, {})))}})


def _regenerated(state: State) -> State:
    """Mana grows by Regen up to Max; what was spent and killed in one turn is counted anew."""
    if state.active is None or state.active not in state.counters.get("players", {}):
        return state
    return _booked(state, state.active, _rested)


def _rested(book: Mapping[str, Any]) -> dict[str, Any]:
    mana = book.get("mana", 0) + book.get("regen", 0)
    tally = {**book.get("tally", {}), "mana_spent": 0, "hero_damage": 0}
    return {**book, "mana": min(mana, book.get("mana_max", mana)), "tally": tally}


def _upkeep(known: Mapping[str, Any]) -> dict[str, Any]:
    """Cooldowns and statuses tick, 'until your next turn' ends, and who was deployed may act."""
    statuses = dict(known.get("statuses", {}))
    for name in _TIMED:
        if name in statuses:
            statuses[name] = max(0, statuses[name] - 1)
    if statuses.get("slow_turns") == 0:
        statuses.pop("slow", None)
    cooldowns = {name: max(0, turns - 1) for name, turns in known.get("cooldowns", {}).items()}
    left = {name: value for name, value in statuses.items() if value}
    return {"statuses": left or None, "cooldowns": cooldowns or None, "until_next_turn": None, "deployed": None}


def _suffered(known: Mapping[str, Any]) -> dict[str, Any]:
    """Poison and burn hurt by their intensity, then one marker of each kind goes."""
    markers: Mapping[str, Mapping[str, int]] = known.get("markers", {})
    hurt = sum(_MARKER_DAMAGE[level] * count for kind in markers.values() for level, count in kind.items())
    rest = {kind: {level: n - 1 for level, n in levels.items() if n > 1} for kind, levels in markers.items()}
    left = {kind: levels for kind, levels in rest.items() if levels}
    return {"wounds": known.get("wounds", 0) + hurt or None, "markers": left or None, "until_end_of_turn": None}

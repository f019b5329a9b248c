"""How the state of a match takes events: the six phases, action points, mana, statuses, markers (OSMCG-5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from rules import turn
from rules.games.osmcg import ledger
from rules.games.osmcg.blocs import bloc, leader_of
from rules.games.osmcg.combat import attack_points, attacked, is_destroyed, killed, spends, with_harm
from rules.games.osmcg.deeds import book_of, check_deed
from rules.games.osmcg.field import FIGURES
from rules.games.osmcg.lifted import is_in_that_turn, is_put_back, mark_of
from rules.games.osmcg.owner import of_team, owned_by
from rules.games.osmcg.phases import PHASES, phase_of
from rules.games.osmcg.roster import card_in
from rules.games.osmcg.scoring import scored_from_scene, settled, with_winner
from rules.games.osmcg.spelling import spelt
from rules.games.osmcg.stack import passed, pushed
from rules.games.osmcg.tables import mode_of, tables
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State

# What ticks down by one at upkeep; `slow` is an amount, its turns are `slow_turns`.
_TIMED = ("root", "stun", "blind", "slow_turns")
# Damage of one marker, by intensity (rulebook 12).
_MARKER_DAMAGE: Mapping[str, int] = {"minor": 1, "medium": 2, "major": 3}
# What a miniature has done in its turn, and what leaves the table with it.
_DONE = ("ap_spent", "acted_s", "activated", "frenzied", "moved", "fired")
_ENDING = ("until_next_turn", "until_end_of_turn")
_CARRIED = ("wounds", "statuses", "markers", "cooldowns", "exhausted", "deployed", *_ENDING, *_DONE)


def advance(state: State, scene: Scene, setup: Setup, kind: str, fields: Mapping[str, Any]) -> State:
    """The state after an event; the game's own are `stack`, `score`, `play`, `rest`, `exhaust` and `activated`.

    `book` of `score` and `play` is the player whose book changes; `player` is a key of every line of the log.
    """
    after = _advanced(state, scene, setup, kind, fields)
    is_begun = kind == "scene" and "state" in fields
    return with_winner(after, scene, setup) if is_begun or after.counters != state.counters else after


def _advanced(state: State, scene: Scene, setup: Setup, kind: str, fields: Mapping[str, Any]) -> State:
    check_deed(kind, fields)
    if kind == "stack":
        return pushed(state, fields["push"]) if "push" in fields else passed(state)
    if kind == "score":
        return ledger.booked(state, book_of(fields, setup), lambda page: ledger.added(page, vp=fields["vp"]))
    if kind == "play":
        return _played(state, setup, fields)
    if kind == "phase":
        entered = spelt(turn.advance(state, scene, setup, kind, fields), setup)
        return entered if _is_put_back(state, entered, setup, fields) else _turned(state, entered, scene, setup)
    if kind in _OF_A_PIECE and fields.get("piece") is not None:
        return _OF_A_PIECE[kind](state, scene, setup, fields)
    return spelt(turn.advance(state, scene, setup, kind, fields), setup)


def _played(state: State, setup: Setup, fields: Mapping[str, Any]) -> State:
    """A card is paid for and goes onto the stack."""
    book = book_of(fields, setup)
    paid = ledger.spent(state, book, fields.get("mana", 0), fields.get("card"))
    player = setup.player_named(book)
    after = paid if player is None else settled(paid, setup, player)
    return pushed(after, fields)


def _walked(state: State, scene: Scene, setup: Setup, fields: Mapping[str, Any]) -> State:
    if fields.get("verdict") == "no" or not fields.get("spends", True):
        return state
    return _acted(state, scene, setup, fields, fields.get("ap", tables().cost.move))


def _struck(state: State, scene: Scene, setup: Setup, fields: Mapping[str, Any]) -> State:
    harm = with_harm(fields, state, scene, setup)
    return attacked(_acted(state, scene, setup, fields, attack_points()), scene, setup, harm)


def _rested(state: State, scene: Scene, setup: Setup, fields: Mapping[str, Any]) -> State:
    """Rest takes all wounds off."""
    if fields.get("verdict") == "no":
        return state
    rested = _acted(state, scene, setup, fields, tables().cost.rest)
    return turn.with_piece(rested, fields["piece"], {"wounds": None})


def _acted(state: State, scene: Scene, setup: Setup, fields: Mapping[str, Any], points: int) -> State:
    """The state after action points were spent.

    Whoever of the same player began before is done for this turn (rulebook 8), unless both were seen to move in one
    look: nobody knows who of these was first.
    """
    doer, time_s = fields["piece"], fields.get("time_s")
    after = spends(state, doer, points)
    own = _own(after, scene, setup) if state.active is not None else ()
    if after is state or doer not in own:
        return after
    begun = (id_ for id_ in own if id_ != doer and state.of(id_).get("ap_spent"))
    over = tuple(id_ for id_ in begun if time_s is None or state.of(id_).get("acted_s") != time_s)
    after = _each(after, over, lambda _: {"activated": True})
    return turn.with_piece(after, doer, {"acted_s": time_s})


def _exhausted(state: State, _: Scene, _setup: Setup, fields: Mapping[str, Any]) -> State:
    return turn.with_piece(state, fields["piece"], {"exhausted": True})


def _activated(state: State, _: Scene, _setup: Setup, fields: Mapping[str, Any]) -> State:
    return turn.with_piece(state, fields["piece"], {"activated": True})


def _arrived(state: State, scene: Scene, setup: Setup, fields: Mapping[str, Any]) -> State:
    """A creature has summoning sickness; a Hero is back with full HP. Who was lifted and is put back is as before."""
    state = turn.advance(state, scene, setup, "place", fields)  # by whatever name
    piece, card = fields["piece"], card_in(fields["piece"], scene, setup, state)
    if piece in scene and is_put_back(scene[piece], card):
        over = () if is_in_that_turn(card, state) else ("deployed", *_DONE)
        return turn.with_piece(state, piece, dict.fromkeys(("lifted", *over)))
    fresh = turn.with_piece(state, piece, dict.fromkeys(("lifted", *_CARRIED)))
    sick = turn.keeps_turns(state) and not card.hero and "hero" not in card.keywords
    return turn.with_piece(fresh, piece, {"deployed": True}) if sick else fresh


def _left_table(state: State, scene: Scene, setup: Setup, fields: Mapping[str, Any]) -> State:
    """The state after a miniature left the table.

    A destroyed one loses its markers and statuses. Any other may have been lifted to be put back, so its place is kept,
    unless it was in doubt whether it might stand there.
    """
    piece, former = fields["piece"], fields.get("former", scene)
    stood = piece in former and former[piece].kind in FIGURES and not fields.get("in_doubt")
    if stood and not is_destroyed(card_in(piece, former, setup, state)):
        return turn.with_piece(state, piece, mark_of(former[piece], state))
    return turn.with_piece(state, piece, dict.fromkeys(_CARRIED)) if state.of(piece) else state


_OF_A_PIECE: Mapping[str, Callable[[State, Scene, Setup, Mapping[str, Any]], State]] = {
    "move": _walked, "attack": _struck, "rest": _rested, "exhaust": _exhausted, "activated": _activated,
    "place": _arrived, "remove": _left_table,
}  # fmt: skip


def _turned(before: State, state: State, scene: Scene, setup: Setup) -> State:
    """The state after a phase event: what the phase that ends does, then the one that begins."""
    if not _goes_on(before, state, setup):
        return state
    state = _ended(state, before, scene, setup)
    if _side_and_turn(before, setup) != _side_and_turn(state, setup):
        state = _each(state, _own(state, scene, setup), lambda _: dict.fromkeys(_DONE))
    return _entered(_stood_up(state, before), scene, setup)


def _side_and_turn(state: State, setup: Setup) -> tuple[str | None, int]:
    return leader_of(state.active, setup), state.turn


def _is_put_back(before: State, state: State, setup: Setup, fields: Mapping[str, Any]) -> bool:
    """Whether a side's turn that has begun before is gone back to, or on to once more."""
    return bool(fields.get(turn.AGAIN)) and _side_and_turn(before, setup) != _side_and_turn(state, setup)


def _goes_on(before: State, state: State, setup: Setup) -> bool:
    """Whether another phase begins: not where a player puts turn or phase back, or names the ally who acts next."""
    if _side_and_turn(before, setup) != _side_and_turn(state, setup):
        return state.turn >= before.turn
    was, now = phase_of(before), phase_of(state)
    return was is None or now is None or PHASES.index(now) > PHASES.index(was)


def _ended(state: State, before: State, scene: Scene, setup: Setup) -> State:
    """Whoever was exhausted has skipped an activation; at the end of a turn missions are scored from the scene."""
    if before.phase == "activation":
        return _each(state, _own(before, scene, setup), lambda _: {"exhausted": None})
    if before.phase != "end" or not mode_of(setup).win_vp:
        return state
    for player in bloc(before.active, setup):
        state = scored_from_scene(state, scene, setup, player)
    return state


def _stood_up(state: State, before: State) -> State:
    """Structures that fell stand again after their full turns."""
    structures: Mapping[str, Mapping[str, Any]] = state.counters.get("structures", {})
    if state.turn == before.turn or not structures:
        return state
    return turn.with_counters(state, {"structures": {name: _sooner(told) for name, told in structures.items()}})


def _sooner(told: Mapping[str, Any]) -> dict[str, Any]:
    left = told.get("returns_in")
    if left is None:
        return dict(told)
    return {**told, "returns_in": left - 1} if left > 1 else {"wounds": 0}


def _entered(state: State, scene: Scene, setup: Setup) -> State:
    own = _own(state, scene, setup)
    if state.phase == "upkeep":
        return _each(_regenerated(state, scene, setup), own, _upkeep)
    if state.phase == "draw":
        return _drawn(state, setup)
    if state.phase == "end":
        return _each(_worn(state, own, scene, setup), tuple(state.pieces), lambda _: {"until_end_of_turn": None})
    return state


def _worn(state: State, own: tuple[str, ...], scene: Scene, setup: Setup) -> State:
    """Poison and burn hurt; a Hero whom they destroy costs what any fallen Hero does."""

    def destroyed(now: State) -> list[str]:
        """The ids of the player's miniatures that are destroyed."""
        return [piece_id for piece_id in own if is_destroyed(card_in(piece_id, scene, setup, now))]

    after = _each(state, own, _suffered)
    fallen = [piece_id for piece_id in destroyed(after) if piece_id not in destroyed(state)]
    for piece_id in fallen:
        after = killed(after, scene, setup, None, piece_id)
    return after


def _drawn(state: State, setup: Setup) -> State:
    """Everybody whose turn it is draws a card, but not who goes first in the first turn."""
    books = state.counters.get("players", {})
    for player in bloc(state.active, setup):
        if player.name in books and (state.turn > 1 or player is not setup.players[0]):
            state = ledger.booked(state, player.name, ledger.drawn)
    return state


def _own(state: State, scene: Scene, setup: Setup) -> tuple[str, ...]:
    """The miniatures whose turn it is: of the active player, or of the team of that name; all where nobody is named."""
    players = bloc(state.active, setup)
    if state.active is not None and setup.players and not players:
        return of_team(state.active, state.pieces, scene, setup, state)
    return owned_by(players, state.pieces, scene, setup, state)


def _each(state: State, ids: tuple[str, ...], change: Callable[[Mapping[str, Any]], dict[str, Any]]) -> State:
    for piece_id in ids:
        state = turn.with_piece(state, piece_id, change(state.of(piece_id)))
    return state


def _regenerated(state: State, scene: Scene, setup: Setup) -> State:
    """Mana grows by Regen and gifts up to its maximum; everybody's counts of one turn begin anew."""
    books = state.counters.get("players", {})
    for name in books:
        state = ledger.booked(state, name, ledger.begun)
    for player in bloc(state.active, setup):
        if player.name in books:
            own = owned_by((player,), (piece.id for piece in scene), scene, setup, state)
            cards = [card_in(piece_id, scene, setup, state) for piece_id in own]
            gifts = sum(card.number("gift") or 0.0 for card in cards if not is_destroyed(card))
            state = ledger.booked(state, player.name, partial(ledger.rested, gifts=gifts))
    return state


def _upkeep(known: Mapping[str, Any]) -> dict[str, Any]:
    """Cooldowns and statuses tick, 'until your next turn' ends, and who was deployed may act."""
    statuses = {name.lower(): left for name, left in known.get("statuses", {}).items() if left is not None}
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
    return {"wounds": known.get("wounds", 0) + hurt or None, "markers": left or None}

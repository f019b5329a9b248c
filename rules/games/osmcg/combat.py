"""What an attack does to the state: wounds, kills, the penalty for a Hero, structures that fall (rulebook 2.3, 9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules import turn
from rules.games.osmcg import ledger
from rules.games.osmcg.blocs import bloc
from rules.games.osmcg.card import Card
from rules.games.osmcg.field import Field
from rules.games.osmcg.objectives import Objective, named_objective
from rules.games.osmcg.owner import whose
from rules.games.osmcg.roster import card_in
from rules.games.osmcg.scoring import kill_counts, settled
from rules.games.osmcg.tables import mode_of, tables
from rules.games.osmcg.targets import targets
from rules.scene import Scene
from rules.setup import Player, Setup
from rules.state import State

# What a `target` says of an attack that the state keeps.
_HARM = ("damage", "cleave", "cleave_damage", "fizzles")


def attacked(state: State, scene: Scene, setup: Setup, fields: Mapping[str, Any]) -> State:
    """The state after an attack: `other` takes `damage`, those of `cleave` theirs; a blind one fizzles."""
    attacker = fields.get("piece")
    if fields.get("fizzles"):
        return state
    hits = [(fields.get("other"), fields.get("damage", 0))]
    hits += zip(fields.get("cleave", ()), fields.get("cleave_damage", ()), strict=False)
    before = state
    for target, dealt in hits:
        if target is not None and dealt:
            state = _hit(state, scene, setup, attacker, target, dealt)
    player = _player(attacker, state, scene, setup)
    state = state if state is before else _drained(state, scene, setup, attacker)
    return state if player is None else settled(state, setup, player)


def with_harm(fields: Mapping[str, Any], state: State, scene: Scene, setup: Setup) -> Mapping[str, Any]:
    """The event with what the attack does: as told, else as the referee's `target` has it, if he allows it at all."""
    attacker, other = fields.get("piece"), fields.get("other")
    if "damage" in fields or attacker not in scene or other is None:
        return fields
    field = Field(scene, setup, state, str(attacker))
    if other not in scene:
        return {**fields, **_harm_to_structure(str(attacker), field)}
    aimed = targets(field)
    harm = next((one.extra for one in aimed if one.other == other and one.verdict != "no"), {})
    return {**fields, **{key: harm[key] for key in _HARM if key in harm}}


def _harm_to_structure(attacker: str, field: Field) -> dict[str, Any]:
    """What a miniature does to a structure, which has no Defense: as it counts now, with its auras."""
    unit = field.by_id.get(attacker)
    if unit is None:
        return {}
    is_melee = unit.card.range is None or field.engaged_with(unit)
    harm: dict[str, Any] = {"damage": unit.card.strike if is_melee else unit.card.shot}
    return {**harm, "fizzles": True} if unit.status("blind") > 0 else harm


def _hit(state: State, scene: Scene, setup: Setup, attacker: str | None, target: str, dealt: float) -> State:
    player = _player(attacker, state, scene, setup)
    objective = named_objective(target, scene, setup, state) if target not in scene else None
    if objective is not None:
        # What is only controlled (OSMCG-1.2) takes no damage.
        return _structure_hit(state, setup, player, objective, dealt) if objective.hp else state
    if target not in scene and target not in state.pieces:  # a slip of the pen: nobody of that name was ever here
        return state
    before = card_in(target, scene, setup, state)
    state = turn.with_piece(state, target, {"wounds": state.of(target).get("wounds", 0) + dealt})
    after = card_in(target, scene, setup, state)
    if player is not None and not _is_friend(_player(target, state, scene, setup), player, setup) and _is_hero(after):
        state = ledger.booked(state, player.name, lambda page: ledger.tallied(page, hero_damage=dealt))
    if not is_destroyed(after) or is_destroyed(before):
        return state
    return killed(state, scene, setup, attacker, target)


def killed(state: State, scene: Scene, setup: Setup, attacker: str | None, target: str) -> State:
    """Kills of enemies are counted, a Hero's player pays, and mana frenzy pays once in a turn; poison is nobody's."""
    player, loser = (_player(one, state, scene, setup) for one in (attacker, target))
    player = None if player is None or _is_friend(loser, player, setup) else player
    if _is_hero(card_in(target, scene, setup, state)):
        state = _hero_lost(state, setup, player, loser)
    elif player is not None:
        counts = kill_counts(state)
        state = ledger.booked(state, player.name, lambda page: _with_kill(page, counts))
    if player is None or attacker is None:
        return state
    if "mana frenzy" not in card_in(attacker, scene, setup, state).keywords or state.of(attacker).get("frenzied"):
        return state
    state = turn.with_piece(state, attacker, {"frenzied": True})
    return ledger.booked(state, player.name, lambda page: ledger.gained(page, 1))


def _with_kill(page: ledger.Page, counts: tuple[str, ...]) -> dict[str, Any]:
    tally = page.get("tally", {})
    since = tally.get("kills_since", {})
    counted = {**since, **{mission: since.get(mission, 0) + 1 for mission in counts}}
    return {**page, "tally": {**tally, "kills": tally.get("kills", 0) + 1, "kills_since": counted}}


def _hero_lost(state: State, setup: Setup, player: Player | None, loser: Player | None) -> State:
    """In a duel the opponent scores, a card is discarded and mana falls back to its start; no penalty elsewhere."""
    if player is not None:
        state = ledger.booked(state, player.name, lambda page: ledger.tallied(page, hero_kills=1))
    penalty_vp = mode_of(setup).hero_vp
    if not penalty_vp or loser is None:
        return state
    state = ledger.booked(state, loser.name, _fined)
    rivals = [one for one in setup.players if one.name != loser.name]
    for rival in rivals:
        state = ledger.booked(state, rival.name, lambda page: ledger.added(page, vp=penalty_vp))
    return state


def _fined(page: ledger.Page) -> dict[str, Any]:
    fined = ledger.moved_card(page, "hand", "discard")
    start = page.get("mana_start")
    return fined if start is None else {**fined, "mana": start}


def _structure_hit(state: State, setup: Setup, player: Player | None, objective: Objective, dealt: float) -> State:
    """A structure takes damage; one that falls stands again after its turns, and the core gives mana to a side."""
    structures, name = state.counters.get("structures", {}), objective.name
    known = structures.get(name, {})
    fell = known.get("wounds", 0) < objective.hp <= known.get("wounds", 0) + dealt
    told = {**known, "wounds": min(objective.hp, known.get("wounds", 0) + dealt)}
    if fell and objective.returns_in:
        told["returns_in"] = objective.returns_in
    state = turn.with_counters(state, {"structures": {**structures, name: told}})
    return _rewarded(state, setup, player, objective.mana) if fell and player is not None else state


def _rewarded(state: State, setup: Setup, player: Player, mana: int) -> State:
    for ally in setup.players:
        if mana and ally.side == player.side:
            state = ledger.booked(state, ally.name, lambda page: ledger.gained(page, mana))
    return state


def _drained(state: State, scene: Scene, setup: Setup, attacker: str | None) -> State:
    """Drain(X): who deals damage loses X of his own wounds."""
    if attacker is None:
        return state
    drain, wounds = card_in(attacker, scene, setup, state).number("drain"), state.of(attacker).get("wounds", 0)
    return turn.with_piece(state, attacker, {"wounds": max(0, wounds - drain) or None}) if drain and wounds else state


def spends(state: State, piece_id: str, points: int) -> State:
    """The state in which a miniature has spent action points, if anybody keeps turns."""
    if not turn.keeps_turns(state):
        return state
    return turn.with_piece(state, piece_id, {"ap_spent": state.of(piece_id).get("ap_spent", 0) + points})


def attack_points() -> int:
    """The action points of an attack."""
    return tables().cost.attack


def _is_hero(card: Card) -> bool:
    return card.hero or "hero" in card.keywords


def is_destroyed(card: Card) -> bool:
    """Whether its wounds have reached its HP."""
    return card.hp is not None and card.wounds >= card.hp


def _is_friend(one: Player | None, player: Player, setup: Setup) -> bool:
    """Whether he is the player himself, or shares his side."""
    return one in bloc(player.name, setup)


def _player(piece_id: str | None, state: State, scene: Scene, setup: Setup) -> Player | None:
    return None if piece_id is None else whose(piece_id, scene, setup, state)

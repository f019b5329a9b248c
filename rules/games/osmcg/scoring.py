"""Missions that are fulfilled: the points, the card that goes and the one that is turned up (rulebook 2.4)."""

from __future__ import annotations

from rules import turn
from rules.games.osmcg import ledger
from rules.games.osmcg.blocs import leader_of
from rules.games.osmcg.books import books_of
from rules.games.osmcg.field import Field
from rules.games.osmcg.missions import deciding, has_enough, measured
from rules.games.osmcg.survival import is_free_for_all
from rules.games.osmcg.tables import tables
from rules.scene import Scene
from rules.setup import Player, Setup
from rules.state import State


def kill_counts(state: State) -> tuple[str, ...]:
    """The open missions that count kills since they were revealed."""
    deck = tables().mission
    return tuple(name for name in open_names(state) if name in deck and deck[name].counts == "kills_since")


def open_names(state: State) -> tuple[str, ...]:
    """The missions that lie face up, as the state tells them."""
    return tuple(state.counters.get("missions") or ())


def settled(state: State, setup: Setup, player: Player) -> State:
    """The state after all missions that the player's tally now fulfils were scored, and the missions turned up in their
    place that it fulfils too."""
    tally, deck = books_of(state.counters).of(player.name).tally, tables().mission
    cards = ((name, deck[name]) for name in open_names(state) if name in deck and not deck[name].from_scene)
    due = next((name for name, card in cards if tally.of(card.counts, name) >= card.at_least), None)
    return state if due is None else settled(_scored(state, setup, player, due), setup, player)


def scored_from_scene(state: State, scene: Scene, setup: Setup, player: Player) -> State:
    """The state after the end of a player's turn: positional and territorial missions, as the table stands."""
    field, deck = Field(scene, setup, state), tables().mission
    for name in open_names(state):
        card = deck.get(name)
        margins = measured(card, player, field) if card is not None else None
        if card is not None and margins is not None and deciding(margins, card.at_least).verdict == "yes":
            state = _scored(state, setup, player, name)
    return settled(state, setup, player)


def with_winner(state: State, scene: Scene, setup: Setup) -> State:
    """The state that keeps who was first to win a duel or a MOBA, whoever comes as far later; in a free-for-all the
    table tells. What is taken off his points again is."""
    field = Field(scene, setup, state)
    there = [] if is_free_for_all(field) else [one.name for one in setup.players if has_enough(one, field)]
    first = state.counters.get("won")
    if first in there or (first is None and not there):
        return state
    alone = len({leader_of(name, setup) for name in there}) == 1
    return turn.with_counters(state, {"won": there[0] if alone else None})


def _scored(state: State, setup: Setup, player: Player, name: str) -> State:
    state = ledger.booked(state, player.name, lambda page: ledger.added(page, vp=tables().mission[name].vp))
    rest = list(state.counters.get("mission_deck") or ())
    shown = [one for one in open_names(state) if one != name]
    state = turn.with_counters(state, {"missions": shown + rest[:1], "mission_deck": rest[1:] or None})
    for rival in setup.players:  # a new card counts from now on
        state = ledger.booked(state, rival.name, lambda page: _begun(page, rest[:1]))
    return state


def _begun(page: ledger.Page, revealed: list[str]) -> dict[str, object]:
    """The tally when missions are turned up: what only counts while they lie open begins anew."""
    if not revealed:
        return dict(page)
    tally, deck = page.get("tally", {}), tables().mission
    since = {**tally.get("kills_since", {}), **dict.fromkeys(revealed, 0)}
    blows = {"hero_kills": 0} if any(name in deck and deck[name].counts == "hero_kills" for name in revealed) else {}
    return {**page, "tally": {**tally, "kills_since": since, **blows}}

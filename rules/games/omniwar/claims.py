"""Whose the figures are when a match begins: those where only one player's units begin are his (OMNI-5.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from rules.games.omniwar.board import board_of, has_board
from rules.games.omniwar.doubt import weighed
from rules.games.omniwar.open_setting_up import depth_margin, table_margin
from rules.games.omniwar.open_table import open_table
from rules.games.omniwar.setting_up import deployment_fault, is_deployed, is_setting_up
from rules.games.omniwar.table import table
from rules.games.omniwar.units import Unit
from rules.margin import CERTAIN, Margin, all_of
from rules.scene import UNKNOWN, Kind, Scene
from rules.setup import Setup
from rules.state import State

_FIGURES: tuple[Kind, ...] = ("base", "soldier")


def claims(scene: Scene, setup: Setup, state: State) -> Mapping[str, str]:
    """By id the colour of the player near whose side alone a figure of unknown owner may begin, before the first moves
    are over. A scout is nobody's, for it begins anywhere."""
    nobodys = [piece.id for piece in scene.of_kind(*_FIGURES) if piece.owner == UNKNOWN]
    if not nobodys or not is_setting_up(state):
        return {}
    begin = {player.colour: _beginners(_as_of(scene, nobodys, player.colour), setup, state) for player in setup.players}
    whose = {id_: [colour for colour, ids in begin.items() if id_ in ids] for id_ in nobodys}
    return {id_: colours[0] for id_, colours in whose.items() if len(colours) == 1}


def _as_of(scene: Scene, nobodys: Collection[str], colour: str) -> Scene:
    """The scene, were all these pieces of one army."""
    return replace(scene, pieces=tuple(replace(one, owner=colour) if one.id in nobodys else one for one in scene))


def _beginners(scene: Scene, setup: Setup, state: State) -> set[str]:
    """Who may stand where his army's units begin, scouts left out."""
    margins = _on_hexes(scene, setup, state) if has_board(state) else _by_measure(scene, setup, state)
    return {unit.id for unit, margin in margins if margin.verdict != "no"}


def _on_hexes(scene: Scene, setup: Setup, state: State) -> Iterator[tuple[Unit, Margin]]:
    seen = table(scene, setup, state, board_of(scene, setup, state))
    for unit in seen.units:
        if is_deployed(unit) and not unit.line.has("Scout"):
            yield unit, weighed(lambda one: deployment_fault(seen, one) is None, unit)


def _by_measure(scene: Scene, setup: Setup, state: State) -> Iterator[tuple[Unit, Margin]]:
    seen = open_table(scene, setup, state)
    for unit in seen.units:
        if is_deployed(unit) and not unit.line.has("Scout"):
            yield unit, all_of([table_margin(seen, unit), depth_margin(seen, unit) or CERTAIN])

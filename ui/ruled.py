"""What `rule` and `judge` share: the set-up, the scenes and the state that their options name."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click

from rules.files.ruling_file import rulings_document
from rules.files.scene_file import read_scene
from rules.files.state_file import read_state
from rules.game import Game, Ruling
from rules.games import GAMES
from rules.legend import as_meant
from rules.misspelt import blamed, refuse_misspelt
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State
from ui.new_file import NewFile
from ui.paint.grid import with_seen_grid
from ui.setup.setup_file import checked_game, read_setup
from ui.telling.results import give, say

# Sides of one table; in a scene they are rounded.
_ALIKE_MM = 0.001
# A file that may not be read is a fault of the input and no wrong usage: who reads it says so.
PATH = click.Path(path_type=Path, readable=False)
NEW_FILE = NewFile(path_type=Path, readable=False)
NAMES = " or ".join(", ".join(game.name for game in GAMES).rsplit(", ", 1))
GAME_OPTION = click.option("--game", "-g", help=f"{NAMES}; without it, the set-up's.")
SETUP_OPTION = click.option("--setup", "setup_path", type=PATH, help="Set-up file (TOML).")
STATE_OPTION = click.option("--state", "state_path", type=PATH, help="What the camera cannot see (JSON).")
OUT_OPTION = click.option("--out", "-o", type=NEW_FILE, help="Write the result here instead of standard output.")


def rules_setup(game: str | None, setup_path: Path | None) -> Setup:
    """The set-up of the file, or the game's defaults without one; `game` counts if both name one."""
    if setup_path is not None:
        return read_setup(setup_path, game).rules
    if game is None:
        raise click.UsageError("Missing option '--game' (or '--setup', which names the game).")
    chosen = checked_game(game)
    return Setup(game=chosen.name, legend=dict(chosen.legend))


def scene_and_setup(path: Path, setup: Setup, has_file: bool) -> tuple[Scene, Setup]:
    """The scene, and the set-up with the scene's table where no set-up file gave one."""
    scene = as_meant(read_scene(path, setup.table_size_mm if has_file else None), setup)
    return scene, setup if has_file else replace(setup, table_size_mm=scene.table_size_mm)


def refuse_two_tables(before: Scene, after: Scene, before_path: Path, after_path: Path) -> None:
    """ValueError for scenes of tables that differ in size: their coordinates cannot be compared."""
    if not _are_alike(before.table_size_mm, after.table_size_mm):
        raise ValueError(
            f"{after_path}: its table is {_told(after.table_size_mm)} mm, that of {before_path}"
            f" {_told(before.table_size_mm)}; measure both scenes with one set-up"
        )


def _are_alike(first_mm: tuple[float, float], second_mm: tuple[float, float]) -> bool:
    return all(math.isclose(*sides, abs_tol=_ALIKE_MM) for sides in zip(first_mm, second_mm, strict=True))


def _told(size_mm: tuple[float, float]) -> str:
    return " x ".join(f"{side:g}" for side in size_mm)


def state_of(path: Path | None, setup: Setup) -> State:
    """The state in `path`, or the state of a match that has just begun.

    ValueError also for a phase that the game does not have, and a turn of somebody who does not play.
    """
    if path is None:
        return State()
    state, chosen = read_state(path), checked_game(setup.game)
    refuse_misspelt(state, setup, chosen, str(path))
    return _by_name(state, setup)


def _by_name(state: State, setup: Setup) -> State:
    """The state with its player's name for a colour that is `active`: turns go from name to name."""
    told = state.active
    player = setup.player_of_colour(told) if told is not None and setup.player_named(told) is None else None
    return state if player is None else replace(state, active=player.name)


def give_rulings(
    ask: Callable[[Game, State], Iterable[Ruling]],
    scene: Scene,
    setup: Setup,
    state_path: Path | None,
    out: Path | None,
) -> Sequence[Ruling]:
    """What the game says when asked, in the state of that file and with the grid that the scene shows. A table of
    another size than the set-up's is told, but after the rulings: where there are none, the reason alone is."""
    state = with_seen_grid(state_of(state_path, setup), scene, setup)
    chosen = checked_game(setup.game)
    with _blaming(state_path):
        if chosen.check_table is not None:
            chosen.check_table(scene, setup, state)
        rulings = tuple(ask(chosen, state))
    give(rulings_document(rulings), out)
    if not _are_alike(scene.table_size_mm, setup.table_size_mm):
        sizes = f"the scene's table is {_told(scene.table_size_mm)} mm, the set-up's {_told(setup.table_size_mm)}"
        say(f"sandtable: warning: {sizes}; ruled as in the scene: is it that set-up's?")
    return rulings


@contextmanager
def _blaming(state_path: Path | None) -> Iterator[None]:
    """What the rules find wrong in a state is told with the file that it stands in."""
    try:
        yield
    except ValueError as fault:
        raise fault if state_path is None else blamed(fault, str(state_path)) from None

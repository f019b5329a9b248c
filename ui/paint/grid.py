"""The hex grid that is drawn on the table, for the game that is played on one, where no state has set it by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rules.scene import Scene
from rules.setup import Setup
from rules.state import State

if TYPE_CHECKING:
    from calibration.plane import TablePlane
    from vision.frame import Frame
    from vision.look_at import LookAt

# The game that is played on a hex grid, and without one by measure (OMNI-4.3).
HEX_GAME = "omniwar"
Grid = Mapping[str, Any]
GridFinder = Callable[["Frame", "TablePlane"], Grid | None]


def grid_finder(setup: Setup, look: LookAt) -> GridFinder | None:
    """What finds the grid of that game's table, as the `grid` of a state; None for a game without hexes.

    look  the eyes: what they found is not searched for again
    """
    if setup.game != HEX_GAME:
        return None
    from vision.mat.hex_search import HexSearch, SeesHexes

    search = (look.hex_search if isinstance(look, SeesHexes) else None) or HexSearch(setup.table_size_mm)

    def find(frame: Frame, plane: TablePlane) -> Grid | None:
        """The grid in the picture; None where none is drawn or this picture was not searched."""
        grid = search.of(frame, plane)
        return grid.record() if grid is not None else None

    return find


def with_seen_grid(state: State, scene: Scene, setup: Setup) -> State:
    """The state with the grid that the scene shows; unchanged if a grid was set by hand."""
    if state.grid is not None or scene.grid is None or setup.game != HEX_GAME:
        return state
    return replace(state, grid=scene.grid)

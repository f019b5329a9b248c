"""What armies have lost, as a state file tells it: the counter `lost`, {colour: number}, checked."""

from __future__ import annotations

from collections.abc import Mapping

from rules.setup import COLOURS, Setup
from rules.state import State


def check_lost(state: State, setup: Setup) -> None:
    """ValueError for losses that are no numbers of 0 or more, and for those of an army that nobody plays."""
    told = state.counters.get("lost")
    if told is None:
        return
    if not isinstance(told, Mapping):
        raise ValueError(f"the state's lost: a table of colours is wanted, not {told!r}")
    armies = [player.colour for player in setup.players] or COLOURS
    for army, lost in told.items():
        if army not in armies:
            raise ValueError(f"the state's lost: there is no army {army!r}; there are {', '.join(armies)}")
        if isinstance(lost, bool) or not isinstance(lost, int) or lost < 0:
            raise ValueError(f"the state's lost of {army}: a number of 0 or more is wanted, not {lost!r}")

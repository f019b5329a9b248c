"""Turn and clock: who moves first, how long a side has, how long an objective was held (OMOG-6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.games.omog.tables import tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rules.games.omog.battlefield import Battlefield
    from rules.state import State

PHASES = ("move-1", "move-2", "fire", "melee")
MOVE_PHASES = PHASES[:2]


def order_of_sides(sides: Sequence[str], turn: int) -> tuple[str, ...]:
    """The sides in the order in which they move: the first side first in turn 1, the other in turn 2, and so on."""
    first = (turn - 1) % max(len(sides), 1)
    return (*sides[first:], *sides[:first])


def next_step(turn: int, phase: str | None) -> tuple[int, str]:
    """The turn and phase that follow; a match begins with the first move of its turn."""
    if phase is None:
        return turn, PHASES[0]
    place = PHASES.index(phase) + 1
    return turn + place // len(PHASES), PHASES[place % len(PHASES)]


def started_s(state: State) -> float | None:
    """When the side that moves began, if the state says so; ValueError if it says something else than a time."""
    told = state.counters.get("clock_started_s")
    if told is None or (isinstance(told, int | float) and not isinstance(told, bool)):
        return told
    raise ValueError(f"state: clock_started_s: should be a time in seconds, not {told!r}")


def time_left_s(started_s: float, now_s: float) -> float:
    """What is left of a side's two minutes; never below 0, and all of them before they began."""
    return max(0.0, tables().turn.clock_s - max(0.0, now_s - started_s))


def left_s(state: State, now_s: float) -> float | None:
    """What the side that moves has left of its two minutes; None while nobody moves or nobody told when it began."""
    begun_s = started_s(state)
    moves = state.phase in (None, *MOVE_PHASES)
    return time_left_s(begun_s, now_s) if begun_s is not None and moves else None


def turns_held(before: int, holder_before: str | None, holder: str | None, *, contested: bool) -> int:
    """For how many turns on end a side has held an objective, one more turn being over; an enemy on it ends it."""
    if holder is None or contested:
        return 0
    return before + 1 if holder == holder_before else 1


def is_won(held: int) -> bool:
    """Whether an objective was held long enough to win."""
    return held >= tables().turn.hold_turns


def sides(field: Battlefield) -> tuple[str, ...]:
    """The colours that play: the players' in order, else those on the table."""
    players = tuple(player.colour for player in field.setup.players)
    return players or tuple(sorted({soldier.owner for soldier in field.soldiers}))


def move_phase(colour: str, field: Battlefield) -> str:
    """The phase in which that side moves this turn; with a phase in the state, that one while it is a move."""
    if field.state.phase in MOVE_PHASES:
        return field.state.phase
    order = order_of_sides(sides(field), field.state.turn)
    return MOVE_PHASES[min(order.index(colour), 1)] if colour in order else MOVE_PHASES[0]

"""The clock of the side that moves, in games that have one: what is left of its time, and the call when it is over."""

from __future__ import annotations

from rules.course.events import Event
from rules.match import Match, apply

# With these a side's time may begin anew: a call before the last of them is of an earlier time.
_BEGINS = ("phase", "state", "undo", "redo")


def seconds_left(match: Match, time_s: float) -> float | None:
    """What the side that moves has left at a time of the match; None while no clock runs."""
    clock = match.game.clock
    return None if clock is None else clock(match.state, time_s)


def called(match: Match, time_s: float) -> Match:
    """The match, with a `clock` event at the end once the time of the side that moves is over; told once."""
    if seconds_left(match, time_s) != 0 or _is_called(match):
        return match
    state = match.state
    text = f"the time of {state.active or 'the side that moves'} is over"
    return apply(match, Event(time_s, state.turn, state.active, "clock", {"text": text}))


def _is_called(match: Match) -> bool:
    last = next((event.kind for event in reversed(match.events) if event.kind in ("clock", *_BEGINS)), "")
    return last == "clock"

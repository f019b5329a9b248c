"""Undo and redo in a log that is only ever appended to: an `undo` names the events that no longer count."""

from __future__ import annotations

from collections.abc import Sequence

from rules.course.events import REMARKS, Event
from rules.files.json_file import shortened

# What follows from another event by itself, and is taken back with it.
_CONSEQUENCES = ("siege",)
_SILENT = (*_CONSEQUENCES, *REMARKS)


class NothingToUndoError(ValueError):
    """There is no event left to undo or redo."""


def effective(events: Sequence[Event]) -> list[Event]:
    """The events that count: those that no undo took back, without the undo and redo events themselves."""
    gone = _taken_back(events)
    return [e for place, e in enumerate(events) if place not in gone and e.kind not in ("undo", "redo")]


def undoable(events: Sequence[Event]) -> list[int]:
    """The places of the last event that a person can take back, and of what followed from it by itself.

    The first event, the scene that the match began with, stays; NothingToUndoError when there is no other.
    """
    gone = _taken_back(events)
    for place in range(len(events) - 1, 0, -1):
        if place not in gone and events[place].kind not in (*_SILENT, "undo", "redo"):
            after = range(place + 1, len(events))
            return [place, *(later for later in after if later not in gone and events[later].kind in _CONSEQUENCES)]
    raise NothingToUndoError("nothing to undo: the match is at its first scene")


def refuse_no_places(events: Sequence[Event]) -> None:
    """ValueError for an undo or a redo that does not list the places of events before it; the first event stays."""
    for place, event in enumerate(events):
        if event.kind not in ("undo", "redo"):
            continue
        told = event.fields.get("events")
        if not isinstance(told, list | tuple) or not all(type(each) is int and 0 < each < place for each in told):
            raise ValueError(
                f"event {event.kind!r} at {event.time_s:g} s: 'events' must be a list of the numbers of earlier events,"
                f" 1 or more, not {shortened(told)}; mend it"
            )


def redoable(events: Sequence[Event]) -> list[int]:
    """The places of the events that the last undo took back; NothingToUndoError when something was played since."""
    undone: list[list[int]] = []
    for event in events:
        if event.kind == "undo":
            undone.append(list(event.fields["events"]))
        elif event.kind == "redo":
            del undone[-1:]  # a log of somebody else's may say so without an undo
        elif event.kind not in _SILENT:
            undone.clear()
    if not undone:
        raise NothingToUndoError("nothing to redo: nothing was undone since the last event")
    return undone[-1]


def _taken_back(events: Sequence[Event]) -> set[int]:
    gone: set[int] = set()
    for event in events:
        if event.kind == "undo":
            gone.update(event.fields["events"])
        elif event.kind == "redo":
            gone.difference_update(event.fields["events"])
    return gone

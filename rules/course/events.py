"""What happened in a match: one event a line of the log (`sandtable/match/1`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from rules.files.json_file import json_text, strict_json

_EMPTY: Mapping[str, Any] = MappingProxyType({})
_OWN_KEYS = ("time_s", "turn", "player", "event")

# Events that change the table, and that a person may type without a verdict: the referee then adds it.
TABLE_EVENTS = ("move", "place", "remove")
# Every event that a match of any game knows; a game names its own besides (`Game.deeds`).
KINDS = (
    "scene", *TABLE_EVENTS, "dice", "siege", "phase", "attack", "state", "correction", "undo", "redo", "note", "camera",
    "clock",
)  # fmt: skip
# Events that tell something without changing the match; undo passes over them.
REMARKS = ("note", "camera", "clock")


@dataclass(frozen=True)
class Event:
    """One thing that happened, at the time when it was agreed.

    kind    scene, move, place, remove, attack, dice, siege, phase, state, correction, undo, redo, note, camera, clock
    fields  its data, JSON values only; a move, place or remove carries `piece`, `class`, `owner`, `from_mm`, `to_mm`,
            `verdict`, `rule`, `why` and, so that the log alone rebuilds the scene, the piece's `feature`
    """

    time_s: float
    turn: int
    player: str | None
    kind: str
    fields: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)


def event_line(event: Event) -> str:
    """The event as one line of JSON, without the line's end; ValueError for NaN or infinity."""
    own = {"time_s": round(event.time_s, 3), "turn": event.turn, "player": event.player, "event": event.kind}
    return json_text({**own, **event.fields})


def event_from(line: str, where: str) -> Event:
    """The event in one line of a log; ValueError, beginning with `where`, says what is wrong with the line."""
    try:
        record = strict_json(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"{where}: not valid JSON ({error.msg}); a match log has one object a line") from None
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    missing = [key for key in _OWN_KEYS if not isinstance(record, dict) or key not in record]
    if missing:
        raise ValueError(f"{where}: no {missing[0]!r}; every event has {', '.join(_OWN_KEYS)}")
    fields = {key: value for key, value in record.items() if key not in _OWN_KEYS}
    _check_types(record, where)
    return Event(float(record["time_s"]), record["turn"], record["player"], record["event"], fields)


def _check_types(record: Mapping[str, Any], where: str) -> None:
    wanted: tuple[tuple[str, tuple[type, ...], str], ...] = (
        ("time_s", (int, float), "a number of seconds"),
        ("turn", (int,), "a whole number"),
        ("player", (str, type(None)), "a name or null"),
        ("event", (str,), "the event's name"),
    )
    for key, types, words in wanted:
        if not isinstance(record[key], types) or isinstance(record[key], bool):
            raise ValueError(f"{where}: {key!r} must be {words}, not {record[key]!r}")
    if record["time_s"] < 0:
        raise ValueError(f"{where}: 'time_s' must be 0 or more, for a match begins at 0, not {record['time_s']!r}")
    if record["turn"] < 0:
        raise ValueError(f"{where}: 'turn' must be 0 or more, as in a state file, not {record['turn']!r}")
    if record["event"] == "correction" and not isinstance(record.get("set"), dict):
        raise ValueError(f'{where}: \'set\' must be a table such as {{"class": "gbp-5p"}}, not {record.get("set")!r}')

"""What happened in a match, with pieces called by owner and class where the event tells their ids alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from shapely import Point

from rules.course.events import TABLE_EVENTS, Event
from rules.course.history import effective
from rules.match import Match
from rules.scene import COIN_DIAMETER_MM, NONE, UNKNOWN, Point2
from ui.paint.hexes import hex_at
from ui.telling.words import event_title, name_of

_REWOUND: Mapping[str, str] = MappingProxyType({"undo": "undone", "redo": "redone"})
# So far from a town that the map shows as a point a coin still lies on it.
_ON_A_POINT_MM = COIN_DIAMETER_MM["gbp-1p"] / 2


def title_in(match: Match, event: Event, events: Sequence[Event] | None = None) -> str:
    """What happened, in a few words: who attacks whom and where, which place is besieged, and what was undone.

    events  the match's events, if not those that `match` has; a piece is described as it was before `event`
    """
    if event.kind in _REWOUND and event.fields.get("events"):
        past = match.events if events is None else events
        # The first event is what was undone; the others only followed from it.
        return f"{_REWOUND[event.kind]}: {title_in(match, past[event.fields['events'][0]], past)}"
    if event.kind not in ("attack", "siege"):
        return event_title(event)
    earlier = _before(event, match.events if events is None else events)

    def named(piece_id: str) -> str:
        known = _known(piece_id, earlier)
        if "class" not in known:
            return piece_id
        name = name_of(_whose(match, piece_id, known.get("owner")), known["class"], piece_id)
        attacks = event.kind == "attack" and piece_id == event.fields.get("piece")
        return name if attacks else f"{name}{_where(match, known.get('at_mm'))}"

    return event_title(event, named)


def short_title_in(match: Match, event: Event) -> str:
    """The same without the ids of pieces, which the reason tells too."""
    title = title_in(match, event)
    for key in ("piece", "other", "place"):
        title = title.replace(f" ({event.fields.get(key)})", "")
    return title


def _before(event: Event, events: Sequence[Event]) -> list[Event]:
    """The events before that one, without those that were undone by then."""
    place = next((place for place in range(len(events) - 1, -1, -1) if events[place] is event), len(events))
    return effective(events[:place])


def _known(piece_id: str, earlier: Sequence[Event]) -> Mapping[str, Any]:
    """Class, owner and place of a piece, the latest that is told of each."""
    known: dict[str, Any] = {}
    for event in reversed(earlier):
        for told in _told(piece_id, event):
            known = {**told, **known}
        if known.keys() >= {"class", "owner", "at_mm"}:
            break
    return known


def _whose(match: Match, piece_id: str, owner: Any) -> Any:
    """The owner that was read; if no colour tells one, the owner by the game's rules (Pocket: of the card's end)."""
    if match.game.owners is None or owner not in (None, NONE, UNKNOWN):
        return owner
    return match.game.owners(match.scene, match.setup, match.state).get(piece_id, owner)


def _told(piece_id: str, event: Event) -> Iterator[dict[str, Any]]:
    """What one event tells of the piece."""
    fields = event.fields
    if event.kind == "correction" and fields.get("piece") == piece_id:
        yield {key: value for key, value in fields["set"].items() if key in ("class", "owner") and value is not None}
    elif event.kind in TABLE_EVENTS and fields.get("piece") == piece_id and "class" in fields:
        yield {
            "class": fields["class"],
            "owner": fields.get("whose") or fields.get("owner"),
            "at_mm": fields.get("to_mm") or fields.get("from_mm"),
        }
    elif event.kind == "scene":
        for feature in fields["features"]:
            if feature["id"] == piece_id:
                read = feature["properties"]
                yield {"class": read["class"], "owner": read.get("owner"), "at_mm": read.get("position_mm")}


def _where(match: Match, at_mm: Point2 | None) -> str:
    """The hex or the place of the map in which that is, such as " in hex (3, 4)" or " at Alder"; else nothing."""
    if at_mm is None:
        return ""
    cell = hex_at(match, at_mm)
    if cell is not None:
        return f" in hex {cell}"
    places = match.setup.map.places if match.setup.map is not None else ()
    within_mm = {"Point": _ON_A_POINT_MM}
    names = (p.name for p in places if p.geometry.distance(Point(at_mm)) <= within_mm.get(p.geometry.geom_type, 0.0))
    return next((f" at {name}" for name in names if name), "")

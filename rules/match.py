"""The running match: agreed scenes and typed events in, an immutable match out.

A typed move, a clicked correction and a seen move are the same event on the same path. The match at any time is the
replay of the events before it; nothing else is kept.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from rules.course.changes import Change, changes, is_read_anew
from rules.course.corrections import corrected, still_true
from rules.course.declared import ruled_deed
from rules.course.events import TABLE_EVENTS, Event, event_line
from rules.course.fold import Origin, feature_of, folded, with_pieces
from rules.course.gone_back import Left
from rules.course.history import effective, redoable, refuse_no_places, undoable
from rules.course.laid import laid_as
from rules.course.look_alike import judged_as_followed
from rules.course.put_back import put_back
from rules.course.taken_back import Misplaced
from rules.course.typed import numbered, proposed
from rules.files.log import match_header, read_log
from rules.files.scene_file import scene_document
from rules.files.setup_record import setup_from_record
from rules.files.state_file import state_document
from rules.game import Game, Ruling
from rules.games import GAMES, game_named
from rules.scene import NONE, UNKNOWN, Piece, Scene
from rules.setup import Setup
from rules.state import State
from rules.turn import Turn

__all__ = [
    "Event",
    "Match",
    "apply",
    "event_line",
    "match_header",
    "observe",
    "read_log",
    "redo",
    "replay",
    "start",
    "undo",
]

_NO_CORRECTIONS: Mapping[str, Mapping[str, Any]] = MappingProxyType({})
_NO_ORIGINS: Mapping[str, Origin] = MappingProxyType({})
_NONE_GONE: Mapping[str, Piece] = MappingProxyType({})
_NONE_MISPLACED: Mapping[str, Misplaced] = MappingProxyType({})
# What the event of a change says already, so that it is not taken from the ruling again.
_TOLD = ("change", "event", "from_mm", "to_mm", "phase")
# What a typed event tells besides, which stands in the log beside its verdict.
_SAID = ("by", "seen_mm")
_EVENT_OF = {"moved": "move", "placed": "place", "removed": "remove"}


@dataclass(frozen=True)
class Match:
    """A match at one moment.

    scene        the table as last agreed; pieces that lie still keep the very same `Piece`
    rulings      all rulings of the game for this scene and state
    events       everything that happened, oldest first, the first one the scene that the match began with
    corrections  what a person put right, by piece
    besieged     settlements whose siege has begun and not ended
    origins      where pieces stood before they were moved against the rules
    gone         what was taken off the table and is not back, as it lay last
    misplaced    what was put down against the rules and may be taken back
    begun        whose turns have begun: turn, and player or colour
    left         phases that were left since anything was played, and may be gone back to
    """

    setup: Setup
    game: Game
    scene: Scene
    state: State
    rulings: tuple[Ruling, ...]
    events: tuple[Event, ...]
    corrections: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: _NO_CORRECTIONS)
    besieged: frozenset[str] = frozenset()
    origins: Mapping[str, Origin] = field(default_factory=lambda: _NO_ORIGINS)
    gone: Mapping[str, Piece] = field(default_factory=lambda: _NONE_GONE)
    misplaced: Mapping[str, Misplaced] = field(default_factory=lambda: _NONE_MISPLACED)
    begun: frozenset[Turn] = frozenset()
    left: tuple[Left, ...] = ()


def start(setup: Setup, scene: Scene, state: State | None = None, game: Game | None = None) -> Match:
    """The match that begins with this scene; its first event tells the scene and the state.

    game  one that is not among `rules.games.GAMES`; by default the set-up names it (ValueError if there is none)
    """
    begun = State() if state is None else state
    document = scene_document(scene)
    fields = {"table": document["table"], "features": document["features"], "state": state_document(begun)}
    event = Event(scene.time_s, begun.turn, begun.active, "scene", fields)
    empty = _empty(setup, game)
    return _settled(empty, _claimed(_happened(empty, event), scene.time_s), scene.time_s)


def observe(match: Match, scene: Scene, time_s: float) -> Match:
    """The match after a newly agreed scene, its events at the end: one for each thing that happened.

    A piece that only trembled stays as it was; where nothing happened the very same match comes back.
    """
    return _agreed(match, corrected(scene, still_true(match.corrections, match.scene, scene)), time_s, {})


def apply(match: Match, event: Event) -> Match:
    """The match after something typed or clicked.

    A move, place or remove without a verdict is judged first, on the same path as a seen one: `move` needs `piece` and
    `to_mm`, `place` a `feature`, `remove` a `piece`. A correction needs `piece` and `set`. An attack at what is no
    target, or in another phase, of which no result is told, gets the verdict no, and the state stays as it was; so
    does what a game itself forbids. An undo or redo is of the `events` that it names, else of the last.
    ValueError says what is missing.
    """
    if event.kind in ("undo", "redo"):
        return _taken_back_or_restored(match, event)
    if event.kind in TABLE_EVENTS and "verdict" not in event.fields:
        said = {key: event.fields[key] for key in _SAID if key in event.fields}
        return _agreed(match, proposed(match.scene, event), event.time_s, {"by": "hand", **said})
    whole = _with_former(match, event) if event.kind == "correction" else ruled_deed(match, numbered(event))
    return _settled(match, _happened(match, whole), event.time_s)


def undo(match: Match, time_s: float) -> Match:
    """The match without its last event and what followed from it; a new `undo` event says which."""
    return _rewound(match, "undo", undoable(match.events), time_s)


def redo(match: Match, time_s: float) -> Match:
    """The match with what the last undo took back."""
    return _rewound(match, "redo", redoable(match.events), time_s)


def replay(
    header: Mapping[str, Any], events: Sequence[Event], upto: int | None = None, game: Game | None = None
) -> Match:
    """The match after the first `upto` events of a log (all by default; at least the first one).

    ValueError says what in the log cannot be followed.
    """
    setup = setup_from_record(header.get("setup"), "line 1: setup")
    if not events:
        raise ValueError("the log ended before the table was seen, and holds no match; give another")
    if events[0].kind != "scene":
        raise ValueError("line 2: a match log goes on with the scene that the match began with; give a whole log")
    refuse_no_places(events)
    match = _folded_all(_empty(setup, game), events[: max(1, len(events) if upto is None else upto)])
    return replace(match, rulings=_rulings(match))


def _empty(setup: Setup, game: Game | None) -> Match:
    if game is None and setup.game not in {known.name for known in GAMES}:
        names = ", ".join(known.name for known in GAMES)
        raise ValueError(f"set-up: game: there is no game {setup.game!r}; choose one of {names}")
    return Match(setup, game or game_named(setup.game), Scene(setup.table_size_mm), State(), (), ())


def _claimed(match: Match, time_s: float) -> Match:
    """The match in which pieces that nobody named are whose the game's rules say at its beginning, as if clicked."""
    claims = match.game.claims(match.scene, match.setup, match.state) if match.game.claims is not None else {}
    for piece_id, owner in claims.items():
        fields = {"piece": piece_id, "set": {"owner": owner}, "by": "where it stands"}
        said = Event(time_s, match.state.turn, match.state.active, "correction", fields)
        match = _happened(match, _with_former(match, said))
    return match


def _happened(match: Match, event: Event) -> Match:
    return replace(folded(match, event), events=(*match.events, event))


def _folded_all(match: Match, events: Sequence[Event]) -> Match:
    for event in effective(events):
        match = folded(match, event)
    return replace(match, events=tuple(events))


def _rulings(match: Match) -> tuple[Ruling, ...]:
    """Of the table as it lies; where a piece that was moved against the rules may go counts from where it came from."""
    rulings = match.game.rulings(match.scene, match.setup, match.state, None)
    back = _origins(match, match.origins.keys())
    if not back:
        return rulings
    right = with_pieces(match.scene, back, match.scene.time_s)
    others = (ruling for ruling in rulings if ruling.kind != "reach" or ruling.piece not in back)
    reach = (r for name in back for r in match.game.rulings(right, match.setup, match.state, name) if r.kind == "reach")
    return (*others, *reach)


def _origins(match: Match, names: Collection[str]) -> dict[str, Piece]:
    """Those of the pieces that were moved against the rules in this phase and still lie there, where they came from."""
    step = match.state.turn, match.state.phase, match.state.active
    origins = {name: one.piece for name, one in match.origins.items() if name in names and one.step == step}
    return {name: laid_as(match.scene[name], was) for name, was in origins.items() if name in match.scene}


def _settled(before: Match, after: Match, time_s: float) -> Match:
    """The match with its rulings, and with the sieges that they begin and end."""
    ruled = _ruled(before, after)
    told = ruled
    for fields in _siege_turns(ruled):
        told = _happened(told, Event(time_s, told.state.turn, told.state.active, "siege", fields))
    return _ruled(ruled, told)


def _ruled(before: Match, after: Match) -> Match:
    """The match with the rulings of its scene and state; they are not computed again where both are as before."""
    if before.events and after.scene is before.scene and after.state == before.state:
        return replace(after, rulings=before.rulings)
    return replace(after, rulings=_rulings(after))


def _siege_turns(match: Match) -> list[dict[str, Any]]:
    """Sieges that begin (verdict yes) or end (verdict no, or the settlement is gone); a close one stays as it was."""
    sieges = {_place(ruling): ruling for ruling in match.rulings if ruling.kind == "siege"}
    begun = [place for place, r in sieges.items() if r.verdict == "yes" and place not in match.besieged]
    ended = [place for place in sorted(match.besieged) if place not in sieges or sieges[place].verdict == "no"]
    return [_siege_fields(place, sieges.get(place), place in begun) for place in (*begun, *ended)]


def _place(ruling: Ruling) -> str:
    return ruling.piece or ruling.other or ""


def _siege_fields(place: str, ruling: Ruling | None, begins: bool) -> dict[str, Any]:
    fields: dict[str, Any] = {"place": place, "change": "begin" if begins else "end"}
    if ruling is None:
        return {**fields, "why": f"{place} is gone"}
    known = {"piece": ruling.piece, "other": ruling.other, "verdict": ruling.verdict, "rule": ruling.rule}
    return {**fields, **known, "why": ruling.why}


def _agreed(match: Match, scene: Scene, time_s: float, said: Mapping[str, Any]) -> Match:
    """The match after the table became `scene`: judged, told as events, rulings brought up to date."""
    changed = changes(match.scene, scene)
    anew = _read_anew(match.scene, scene, changed)
    if not changed and not anew:
        return match
    after = _merged(match.scene, changed, anew, time_s)
    before = _put_right(match, changed)
    verdicts = {r.piece: r for r in _judged(match, before, after)} if changed else {}
    told = match
    for change in changed:
        told = _happened(told, _change_event(match, change, after, verdicts.get(change.piece.id), time_s, said))
    for event in _reading_events(match, anew, time_s):
        told = _happened(told, event)
    return _settled(match, told, time_s)


def _judged(match: Match, before: Scene, after: Scene) -> tuple[Ruling, ...]:
    return judged_as_followed(before, after, lambda was, now: match.game.judge(was, now, match.setup, match.state))


def _put_right(match: Match, changed: Sequence[Change]) -> Scene:
    """The scene from which changes are judged: a piece that is moved on after a move against the rules, in the same
    phase, comes from where it stood before that one, and one that a new one takes the place of lay there still."""
    back = _origins(match, {change.piece.id for change in changed if change.kind == "moved"}) | _swapped(match, changed)
    return with_pieces(match.scene, back, match.scene.time_s) if back else match.scene


def _swapped(match: Match, changed: Sequence[Change]) -> dict[str, Piece]:
    """The pieces that were taken off and come back as others: a hand, and a typed log, do one after the other."""
    swaps, new = match.game.swaps, [change.piece for change in changed if change.kind == "placed"]
    if swaps is None or not new:
        return {}
    return {was.id: was for was in match.gone.values() if any(swaps(was, piece, match.state) for piece in new)}


def _read_anew(before: Scene, after: Scene, changed: Sequence[Change]) -> list[Piece]:
    moved = {change.piece.id for change in changed}
    known = {piece.id: piece for piece in before}
    return [p for p in after if p.id not in moved and is_read_anew(known.get(p.id), p)]


def _merged(before: Scene, changed: Sequence[Change], anew: Sequence[Piece], time_s: float) -> Scene:
    """The scene before with what changed: pieces that only trembled keep their old position."""
    gone = {change.piece.id for change in changed if change.after is None}
    left = replace(before, pieces=tuple(piece for piece in before if piece.id not in gone))
    new = [change.after for change in changed if change.after is not None]
    return with_pieces(left, {piece.id: piece for piece in (*new, *anew)}, time_s)


def _change_event(
    match: Match, change: Change, after: Scene, ruling: Ruling | None, time_s: float, said: Mapping[str, Any]
) -> Event:
    piece, size_mm = change.piece, match.scene.table_size_mm
    if piece.kind == "die" and change.after is not None:
        return _dice_event(match, piece, time_s)
    fields: dict[str, Any] = {"piece": piece.id, "class": piece.cls, "owner": piece.owner}
    fields |= _whose(match, piece, after)
    fields |= {"from_mm": _place_mm(change.before), "to_mm": _place_mm(change.after)}
    fields |= {**_verdict(match, change, ruling), **said}
    if change.after is not None:
        fields["feature"] = feature_of(change.after, size_mm)
    return Event(time_s, match.state.turn, _player(match, piece), _EVENT_OF[change.kind], fields)


def _place_mm(piece: Piece | None) -> list[float] | None:
    return None if piece is None else [round(float(value), 3) for value in piece.position_mm]


def _verdict(match: Match, change: Change, ruling: Ruling | None) -> dict[str, Any]:
    back = put_back(match, change, None if ruling is None else ruling.verdict)
    if back is not None:
        return back
    if ruling is None:
        return {"verdict": None, "rule": None, "why": "the game has no rule for this piece"}
    said = {key: value for key, value in ruling.extra.items() if key not in _TOLD}
    return {**said, "verdict": ruling.verdict, "rule": ruling.rule, "why": ruling.why}


def _whose(match: Match, piece: Piece, after: Scene) -> dict[str, str]:
    """Whose a piece without a colour is, by where it lay before, or lies now if it is new."""
    if match.game.owners is None or piece.owner not in (NONE, UNKNOWN):
        return {}
    scene = match.scene if piece.id in match.scene else after
    owner = match.game.owners(scene, match.setup, match.state).get(piece.id, UNKNOWN)
    return {} if owner == UNKNOWN else {"whose": owner}


def _player(match: Match, piece: Piece) -> str | None:
    owner = match.setup.player_of_colour(piece.owner)
    return owner.name if owner is not None else match.state.active


def _dice_event(match: Match, die: Piece, time_s: float) -> Event:
    feature = feature_of(die, match.scene.table_size_mm)
    fields = {"piece": die.id, "class": die.cls, "feature": feature}
    return Event(time_s, match.state.turn, match.state.active, "dice", fields)


def _reading_events(match: Match, anew: Sequence[Piece], time_s: float) -> list[Event]:
    """Dice that show another face, and one `scene` event for all that was read anew while it lay still."""
    events = [_dice_event(match, piece, time_s) for piece in anew if piece.kind == "die"]
    others = [feature_of(piece, match.scene.table_size_mm) for piece in anew if piece.kind != "die"]
    if others:
        events.append(Event(time_s, match.state.turn, match.state.active, "scene", {"features": others}))
    return events


def _with_former(match: Match, event: Event) -> Event:
    """The correction with what the piece was read as before anybody corrected it, so that it can be taken back."""
    piece_id = event.fields.get("piece")
    if not isinstance(piece_id, str) or not isinstance(event.fields.get("set"), Mapping):
        raise ValueError("correction: give 'piece' and 'set', such as {\"class\": \"gbp-5p\"}")
    former: dict[str, Any] = {}
    for earlier in effective(match.events):
        if earlier.kind == "correction" and earlier.fields["piece"] == piece_id:
            former = {**earlier.fields.get("was", {}), **former}
    return replace(event, fields={**event.fields, "was": {**_readings(match, piece_id, event.fields["set"]), **former}})


def _readings(match: Match, piece_id: str, said: Mapping[str, Any]) -> dict[str, Any]:
    if piece_id not in match.scene:
        return {}
    properties = feature_of(match.scene[piece_id], match.scene.table_size_mm)["properties"]
    return {key: properties.get(key) for key in said}


def _taken_back_or_restored(match: Match, event: Event) -> Match:
    named = event.fields.get("events")
    if named is None:
        return (undo if event.kind == "undo" else redo)(match, event.time_s)
    return _rewound(match, event.kind, list(named), event.time_s)


def _rewound(match: Match, kind: str, places: list[int], time_s: float) -> Match:
    event = Event(time_s, match.state.turn, match.state.active, kind, {"events": places})
    return _settled(match, _folded_all(_empty(match.setup, match.game), (*match.events, event)), time_s)

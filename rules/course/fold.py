"""One event folded into a match: what it does to the scene, the state, the corrections and the sieges. No judging."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from rules import turn
from rules.course.corrections import corrected, corrected_piece, merged, still_true
from rules.course.events import KINDS, TABLE_EVENTS, Event
from rules.course.gone_back import gone_back, left_after
from rules.course.laid import moved_by_hand
from rules.course.put_back import (
    as_it_lay,
    carried_after,
    gone_after,
    is_put_elsewhere,
    origins_after_place,
    still_out_of_place,
)
from rules.course.taken_back import TAKEN_BACK, is_in_doubt, misplaced_after, state_without
from rules.files.event_faults import refuse_no_event, refuse_no_state
from rules.files.json_file import shortened
from rules.files.scene_file import refuse_no_readings, scene_document, scene_from
from rules.files.state_file import state_from
from rules.scene import Piece, Scene

if TYPE_CHECKING:
    from rules.match import Match
    from rules.state import State

_SizeMm = tuple[float, float]
# A turn, the phase and whose it is.
Step = tuple[int, str | None, str | None]


class Origin(NamedTuple):
    """A piece as it lay before it was moved against the rules, or ahead of the piece that it awaits; and when."""

    piece: Piece
    step: Step
    awaits: str | None = None


def folded(match: Match, event: Event) -> Match:
    """The match after the event; rulings and the list of events are the caller's.

    One of another name changes nothing, whatever it tells. ValueError says which event cannot be read, and why.
    """
    if event.kind not in (*KINDS, *match.game.deeds):
        return match
    where = _named(event)
    event = _with_its_piece(event, match.scene.table_size_mm, where)
    refuse_no_event(match, event, where)
    try:
        after = _stated(_laid(match, event, where), match, event, where)
        return _corrected(after, event, where) if event.kind == "correction" else after
    except KeyError as error:
        raise _lacking(where, error) from None


def _laid(match: Match, event: Event, where: str) -> Match:
    """The match with the table as the event leaves it."""
    scene = _scene(match.scene, event, where)
    return replace(
        match,
        scene=scene,
        corrections=still_true(match.corrections, match.scene, scene),
        besieged=_besieged(match.besieged, event),
        origins=_origins(match, event, scene),
        gone=gone_after(match, event),
    )


def _stated(laid: Match, match: Match, event: Event, where: str) -> Match:
    """The match `laid` with the state after the event, and with who stands out of his place in it."""
    back = gone_back(laid, event) if event.kind == "phase" else None
    if back is not None:
        return back
    after = _state(laid, event, where, match)
    after = replace(after, left=left_after(match, after, event))
    if event.kind in ("state", "scene") and after.state is not match.state:
        refuse_no_state(after, where)
    after = replace(after, misplaced=misplaced_after(match, after, event))
    if after.state is match.state or not (after.origins or after.misplaced):
        return after
    origins = still_out_of_place(after, after.origins)
    return replace(after, origins=origins, misplaced=still_out_of_place(after, after.misplaced))


def _with_its_piece(event: Event, table_size_mm: _SizeMm, where: str) -> Event:
    """The event; a `place` that was typed without `piece` gets the id that its feature tells."""
    if event.kind != "place" or "piece" in event.fields or "feature" not in event.fields:
        return event
    piece = piece_from(event.fields["feature"], table_size_mm, where)
    return replace(event, fields={"piece": piece.id, **event.fields})


def scene_after(scene: Scene, event: Event) -> Scene:
    """The scene after what the event says of the table; ValueError says what in it cannot be read."""
    where = _named(event)
    try:
        return _scene(scene, event, where)
    except KeyError as error:
        raise _lacking(where, error) from None


def _named(event: Event) -> str:
    return f"event {event.kind!r} at {event.time_s:g} s"


def _lacking(where: str, error: KeyError) -> ValueError:
    return ValueError(f"{where}: no {error.args[0]!r}; see docs/match-log.md for what it needs")


def feature_of(piece: Piece, table_size_mm: _SizeMm) -> dict[str, Any]:
    """The piece as a feature of a scene file."""
    feature: dict[str, Any] = scene_document(Scene(table_size_mm, (piece,)))["features"][0]
    return feature


def piece_from(feature: Mapping[str, Any], table_size_mm: _SizeMm, where: str) -> Piece:
    """The piece of a feature; ValueError names the key at fault."""
    document = {**scene_document(Scene(table_size_mm)), "features": [feature]}
    return scene_from(document, where).pieces[0]


def with_pieces(scene: Scene, pieces: Mapping[str, Piece], time_s: float) -> Scene:
    """The scene in which these pieces are as given; those that it did not have come last."""
    kept = tuple(pieces.get(piece.id, piece) for piece in scene)
    new = tuple(piece for piece in pieces.values() if piece.id not in scene)
    return replace(scene, pieces=kept + new, time_s=time_s)


def _scene(scene: Scene, event: Event, where: str) -> Scene:
    if event.kind == "scene":
        return _whole_scene(scene, event, where)
    if event.kind == "remove":
        left = tuple(piece for piece in scene if piece.id != event.fields["piece"])
        return replace(scene, pieces=left, time_s=event.time_s)
    if event.kind in (*TABLE_EVENTS, "dice") and "feature" in event.fields:
        piece = piece_from(event.fields["feature"], scene.table_size_mm, where)
        return with_pieces(scene, {piece.id: piece}, event.time_s)
    if event.kind == "move" and event.fields.get("to_mm") is not None:  # typed, and judged by nobody yet
        piece, (x_mm, y_mm) = scene[event.fields["piece"]], event.fields["to_mm"]
        return with_pieces(scene, {piece.id: moved_by_hand(piece, (float(x_mm), float(y_mm)), scene)}, event.time_s)
    return scene


def _whole_scene(scene: Scene, event: Event, where: str) -> Scene:
    """A `scene` event with a `table` is the whole table; without, the pieces that were read anew."""
    features = event.fields["features"]
    if not isinstance(features, list | tuple):
        raise ValueError(f"{where}: 'features' must be a list, in square brackets, not {shortened(features)}; mend it")
    if "table" in event.fields:
        document = {**scene_document(scene), "table": event.fields["table"], "features": features}
        return replace(scene_from(document, where), time_s=event.time_s)
    pieces = (piece_from(feature, scene.table_size_mm, where) for feature in features)
    return with_pieces(scene, {piece.id: piece for piece in pieces}, event.time_s)


def _state(match: Match, event: Event, where: str, before: Match) -> Match:
    advance = match.game.advance or turn.advance
    if event.kind == "attack" and event.fields.get("verdict") == "no":  # nobody has attacked
        return match
    if event.fields.get(TAKEN_BACK) and event.fields.get("piece") in match.misplaced:
        return replace(match, state=state_without(match.state, match.misplaced[event.fields["piece"]]))
    event, match = _as_placed(event, match)
    told = event.kind == "scene" and "state" in event.fields
    state = state_from(event.fields["state"], where) if told else match.state
    fields = {**event.fields, **_told_besides(match, event, before.scene)}
    if event.kind == "remove" and is_in_doubt(match, event.fields["piece"]):
        fields["in_doubt"] = True
    after = advance(state, as_it_lay(before, event, match.scene), match.setup, event.kind, fields)
    return replace(match, state=after, begun=_begun(match, event, after))


def _as_placed(event: Event, match: Match) -> tuple[Event, Match]:
    """Event and match for a game's state: who is pushed from where he was put down against the rules to where he was
    taken off was taken back, and put there."""
    piece_id = event.fields.get("piece")
    if event.kind != "move" or turn.RETURNS not in event.fields or not is_put_elsewhere(match, piece_id):
        return event, match
    lifted = replace(match, state=state_without(match.state, match.misplaced[str(piece_id)]))
    return replace(event, kind="place"), lifted


def _told_besides(match: Match, event: Event, former: Scene) -> dict[str, Any]:
    """What a game is told besides the event's data: when a phase began or a piece did something, or how the table lay
    before it changed."""
    if event.kind == "phase":  # time and turn as its line in the log has them
        return {"turn": event.turn, "time_s": round(event.time_s, 3), turn.AGAIN: _is_put_back(match, event)}
    besides: dict[str, Any] = {"time_s": round(event.time_s, 3)} if "piece" in event.fields else {}
    return {**besides, "former": former} if event.kind in (*TABLE_EVENTS, "scene") else besides


def _is_put_back(match: Match, phase: Event) -> bool:
    """Whether a phase goes to a turn that has begun before: no number goes down but by a mistake put right."""
    active = phase.fields.get("active", match.state.active)
    coming = turn.turn_of(replace(match.state, turn=phase.turn, active=active), match.setup)
    return phase.turn < match.state.turn or coming in match.begun


def _begun(match: Match, event: Event, after: State) -> frozenset[turn.Turn]:
    """The turns that have begun after an event; those of a higher number begin anew once one is played before them."""
    is_played = event.kind != "phase" and after is not match.state
    begun = frozenset(each for each in match.begun if each[0] <= after.turn) if is_played else match.begun
    return begun | {turn.turn_of(after, match.setup)}


def _besieged(besieged: frozenset[str], event: Event) -> frozenset[str]:
    if event.kind != "siege":
        return besieged
    place = frozenset([event.fields["place"]])
    return besieged | place if event.fields["change"] == "begin" else besieged - place


def _origins(match: Match, event: Event, scene: Scene) -> Mapping[str, Origin]:
    """Where pieces stood before they were moved against the rules, until they are moved by them, and before they were
    moved ahead of what carries them, until that has come; one that is taken off may be put back there."""
    if event.kind not in TABLE_EVENTS:
        return match.origins
    piece_id, state, awaits = event.fields["piece"], match.state, event.fields.get(turn.AWAITS)
    if event.kind == "move" and (event.fields.get("verdict") == "no" or awaits is not None):
        step = state.turn, state.phase, state.active
        first = match.origins.get(piece_id)
        if first is not None and first.step == step:
            return match.origins
        return {**match.origins, piece_id: Origin(match.scene[piece_id], step, awaits)}
    if event.kind == "place" and piece_id in scene:
        return origins_after_place(match, event, scene[piece_id])
    if event.kind == "remove" and not event.fields.get(TAKEN_BACK):
        return match.origins
    settled = {piece_id, *carried_after(match, piece_id, scene)}
    return {id_: origin for id_, origin in match.origins.items() if id_ not in settled}


def _corrected(match: Match, event: Event, where: str) -> Match:
    """A correction holds from now on, and the piece is shown as it was before where one is taken back."""
    piece_id, said = event.fields["piece"], event.fields["set"]
    if not isinstance(said, Mapping):
        raise ValueError(f'{where}: \'set\' must be a table such as {{"class": "gbp-5p"}}, not {said!r}')
    was = event.fields.get("was", {})
    if not isinstance(was, Mapping):
        raise ValueError(f"{where}: 'was' must be a table, as 'set' is, not {shortened(was)}; mend it")
    kind = match.scene[piece_id].kind if piece_id in match.scene else None
    refuse_no_readings(said, kind, f"{where}: set")
    refuse_no_readings(was, kind, f"{where}: was")
    taken_back = {key: was.get(key) for key, value in said.items() if value is None}
    corrections = merged(match.corrections, piece_id, said)
    scene = match.scene
    if piece_id in scene and taken_back:
        scene = with_pieces(scene, {piece_id: corrected_piece(scene[piece_id], {piece_id: taken_back})}, scene.time_s)
    return replace(match, corrections=corrections, scene=corrected(scene, corrections))

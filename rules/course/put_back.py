"""Pieces that are put back: where a move against the rules began, or where one like them was taken off the table; and
those that are taken back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from rules.course.changes import Change
from rules.course.laid import is_back_at, laid_as
from rules.course.taken_back import TAKEN_BACK, Misplaced, is_in_doubt, is_taken_back, state_without
from rules.turn import RETURNS

if TYPE_CHECKING:
    from rules.course.events import Event
    from rules.course.fold import Origin
    from rules.match import Match
    from rules.scene import Piece, Scene
    from rules.setup import Player

# The rule by which a piece is put back, and what its event tells.
_RULE = "C4.8"
_TOLD: Mapping[str, Any] = MappingProxyType({"verdict": "yes", "rule": _RULE, "spends": False})

Wrong = TypeVar("Wrong", "Origin", Misplaced)


def put_back(match: Match, change: Change, verdict: str | None) -> dict[str, Any] | None:
    """What the event of a change says of a piece that is put or taken back; None for one that is not.

    verdict  what the game says of the change
    """
    told = _TOLD
    if _is_moved_back(match, change):
        return {**told, "why": "put back to where it came from"}
    if change.after is None and is_taken_back(match, change.piece.id, verdict):
        in_doubt = match.misplaced[change.piece.id].in_doubt
        why = "too close to call whether it may lie there" if in_doubt else "put down against the rules"
        return {**told, "why": f"taken back: it was {why}", TAKEN_BACK: True}
    moved = _returning_home(match, change)
    if moved is not None:
        return {**told, "why": f"{moved} is put back to where it came from", RETURNS: moved}
    if is_put_elsewhere(match, change.piece.id) and change.kind == "moved":
        return _pushed_home(match, Change(None, change.after))
    was = _returning(match, change)
    return None if was is None else {**told, "why": f"{was} is put back where it was taken off", RETURNS: was}


def _is_moved_back(match: Match, change: Change) -> bool:
    """Whether a piece that was moved against the rules now lies where it came from, before its side's turn comes again:
    then it moves there as anywhere else (`still_out_of_place`)."""
    origin = match.origins.get(change.piece.id)
    if origin is None or change.before is None or change.after is None:
        return False
    return is_back_at(change.after, origin.piece.position_mm)


def still_out_of_place(match: Match, known: Mapping[str, Wrong]) -> Mapping[str, Wrong]:
    """The pieces that were moved or put down against the rules, without those whose side's next turn has begun."""
    return {id_: wrong for id_, wrong in known.items() if not _is_its_next_turn(match, wrong)}


def _is_its_next_turn(match: Match, origin: Origin | Misplaced) -> bool:
    """Whether it is the next turn of the piece's side after the one in which it was moved: its own, or another's.

    A turn is all phases of a player and of who has his with him, or of both where they take turns in each; where nobody
    is named it is everybody's.
    """
    turn, _, active = origin.step
    state, player = match.state, match.setup.player_of_colour(origin.piece.owner)
    if player is None:
        return turn < state.turn and active == state.active
    if state.active is None or match.game.phase_by_phase:
        return turn < state.turn and state.active in (None, player.name, player.colour)
    return player in _in_turn(match, state.active) and (turn < state.turn or player not in _in_turn(match, active))


def _in_turn(match: Match, active: str | None) -> tuple[Player, ...]:
    """The players whose turn it is when that one is active, told by name or by colour."""
    setup, together = match.setup, match.game.together
    player = setup.player_called(active)
    if player is None:
        return ()
    return (player,) if together is None else together(player.name, setup)


def _returning(match: Match, change: Change) -> str | None:
    """The name of the piece that a new one is: of its kind, class and owner, and taken off where it lies now.

    Only in games to which nothing new comes; a camera gives what it sees come a name of its own.
    """
    if not match.game.returns or change.before is not None:
        return None
    piece = change.piece
    alike = (was for was in match.gone.values() if _looks(was) == _looks(piece) and is_back_at(piece, was.position_mm))
    return next((was.id for was in alike), None)


def is_put_elsewhere(match: Match, piece_id: object) -> bool:
    """Whether a piece lies where it was put down against the rules."""
    return piece_id in match.misplaced and not match.misplaced[str(piece_id)].in_doubt


def _pushed_home(match: Match, place: Change) -> dict[str, Any] | None:
    """What is said of a piece that was put down against the rules and is pushed to where it was taken off before: as if
    it had been taken back, and put there. None where that would be no putting back.

    place  the piece as if it were new
    """
    piece = place.piece
    lifted = replace(match.scene, pieces=tuple(other for other in match.scene if other.id != piece.id))
    then = replace(match, scene=lifted, state=state_without(match.state, match.misplaced[piece.id]))
    laid = replace(lifted, pieces=(*lifted.pieces, piece))
    ruling = next((r for r in match.game.judge(lifted, laid, match.setup, then.state) if r.piece == piece.id), None)
    was = _returning(then, place)
    if was is None and ruling is not None and (ruling.verdict, ruling.rule) == ("yes", _RULE):
        was = ruling.extra.get(RETURNS, piece.id)
    if was is None:
        return None
    return {**_TOLD, "why": f"{was} is put back where it was taken off", RETURNS: was}


def _returning_home(match: Match, change: Change) -> str | None:
    """The name of the piece that a new one is: it was moved against the rules and taken off, and now lies where it came
    from, before its side's turn comes again."""
    if change.before is not None:
        return None
    piece, lifted = change.piece, (match.gone[id_] for id_ in match.origins if id_ in match.gone)
    alike = (was.id for was in lifted if _looks(was) == _looks(piece) and was.id not in match.scene)
    return next((id_ for id_ in alike if is_back_at(piece, match.origins[id_].piece.position_mm)), None)


def as_it_lay(match: Match, event: Event, scene: Scene) -> Scene:
    """The table for a game's state: who was taken off after a move against the rules, and is put back to where it came
    from, is to the game put back where it was taken off.

    match  the one before the event
    scene  the table after it
    """
    was = str(event.fields.get(RETURNS))
    if event.kind != "place" or was not in match.origins or was not in match.gone:
        return scene
    there = laid_as(scene[event.fields["piece"]], match.gone[was])
    return replace(scene, pieces=tuple(there if piece.id == there.id else piece for piece in scene))


def origins_after_place(match: Match, event: Event, piece: Piece) -> Mapping[str, Origin]:
    """Where pieces stood before they were moved against the rules, after one was put down: one that was taken off there
    and is put back as it lay is still out of its place.

    match  the one before the event
    """
    was, origins = event.fields.get(RETURNS, piece.id), match.origins
    kept = {id_: origin for id_, origin in origins.items() if id_ not in (was, piece.id)}
    if was not in origins or was not in match.gone or event.fields.get("verdict") == "no":
        return kept
    origin = origins[was]
    is_home = is_back_at(piece, origin.piece.position_mm) or _lies_on(origin.awaits, piece, match.scene)
    if is_home or not is_back_at(piece, match.gone[was].position_mm):
        return kept
    return {**kept, piece.id: origin._replace(piece=replace(origin.piece, id=piece.id))}


def carried_after(match: Match, carrier: str, scene: Scene) -> list[str]:
    """The pieces that were moved ahead of one that carries them and that now lie on it.

    scene  the table after that one was moved
    """
    awaiting = (id_ for id_, origin in match.origins.items() if origin.awaits == carrier and id_ in scene)
    return [id_ for id_ in awaiting if _lies_on(carrier, scene[id_], scene)]


def _lies_on(carrier: str | None, piece: Piece, scene: Scene) -> bool:
    if carrier is None or carrier not in scene:
        return False
    return math.dist(piece.position_mm, scene[carrier].position_mm) <= scene[carrier].radius_mm


def _looks(piece: Piece) -> tuple[str, ...]:
    return piece.kind, piece.cls, piece.owner


def gone_after(match: Match, event: Event) -> Mapping[str, Piece]:
    """The pieces off the table after an event, as they lay last. A piece that was put down there too close to call is
    not among them: brought again, it would then lie there by the rules.

    match  the one before it
    """
    gone = match.gone
    if event.kind == "remove" and not event.fields.get(TAKEN_BACK):
        piece_id = event.fields["piece"]
        return gone if is_in_doubt(match, piece_id) else {**gone, piece_id: match.scene[piece_id]}
    is_back = event.kind == "move" and RETURNS in event.fields
    if is_back or (event.kind == "place" and event.fields.get("verdict") != "no"):
        back = (event.fields["piece"], event.fields.get(RETURNS))
        return {id_: piece for id_, piece in gone.items() if id_ not in back}
    return gone

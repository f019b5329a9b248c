"""Phases that were left: a `phase` event back to one since which nothing was played puts all as it was then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from rules import turn
from rules.course.events import TABLE_EVENTS, Event
from rules.course.laid import is_back_at
from rules.state import State, spelt_phase

if TYPE_CHECKING:
    from rules.course.fold import Origin
    from rules.course.taken_back import Misplaced
    from rules.match import Match

# Turn, phase, and whose it is.
_Step = tuple[turn.Turn, str | None]


class Left(NamedTuple):
    """What a match had besides its table when a phase was left; each as `rules.match.Match` has it."""

    state: State
    begun: frozenset[turn.Turn]
    origins: Mapping[str, Origin]
    misplaced: Mapping[str, Misplaced]

    def with_origins(self, now: Match) -> Left:
        """The same, with who was moved against the rules since, and without who was put back to where he came from."""
        if not (now.origins or self.origins):
            return self
        step = self.state.turn, self.state.phase, self.state.active
        since = {id_: origin._replace(step=step) for id_, origin in now.origins.items()}
        known = {**since, **self.origins}
        return self._replace(origins={id_: one for id_, one in known.items() if not _is_at_home(now, id_, one)})


def gone_back(match: Match, phase: Event) -> Match | None:
    """The match gone back to a phase that it left, as if it had not gone on; None if the event goes elsewhere."""
    wanted = _step(match, _entered(match.state, phase))
    if wanted == _step(match, match.state):
        return None
    for place in range(len(match.left) - 1, -1, -1):
        if _step(match, match.left[place].state) == wanted:
            return replace(match, **match.left[place]._asdict(), left=match.left[:place])
    return None


def left_after(before: Match, after: Match, event: Event) -> tuple[Left, ...]:
    """The phases that were left, the last one at the end; none any more once something is played. A move against the
    rules, by which players notice their mistake, is none, nor is one back: who is out of his place is so in each of
    them."""
    if event.kind != "phase":
        return () if _is_played(before, after, event) else tuple(one.with_origins(after) for one in before.left)
    if _step(before, after.state) == _step(before, before.state):
        return before.left
    return (*before.left, Left(before.state, before.begun, before.origins, before.misplaced))


def _is_played(before: Match, after: Match, event: Event) -> bool:
    """Whether something came of an event other than a move against the rules, or one back from there."""
    if after.state != before.state:
        return True
    if event.kind != "move" or turn.RETURNS in event.fields:
        return event.kind in TABLE_EVENTS
    piece_id = event.fields["piece"]
    is_put_back = piece_id in before.origins and piece_id not in after.origins
    return event.fields.get("verdict") != "no" and not is_put_back


def _is_at_home(match: Match, piece_id: str, origin: Origin) -> bool:
    return piece_id in match.scene and is_back_at(match.scene[piece_id], origin.piece.position_mm)


def _entered(state: State, phase: Event) -> State:
    """The state with turn, phase and player as the event has them, and nothing else done."""
    told = {key: phase.fields[key] for key in ("phase", "active") if key in phase.fields}
    return replace(state, turn=phase.turn, **told)


def _step(match: Match, state: State) -> _Step:
    return turn.turn_of(state, match.setup), None if state.phase is None else spelt_phase(state.phase)

"""Phases that were left: a `phase` event back to one since which nothing was played puts all as it was then."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from rules import turn
from rules.course.events import TABLE_EVENTS, Event
from rules.state import State, spelt_phase

if TYPE_CHECKING:
    from rules.match import Match

# Turn, phase, and whose it is.
_Step = tuple[turn.Turn, str | None]


class Left(NamedTuple):
    """What a match had besides its table when a phase was left; each as `rules.match.Match` has it."""

    state: State
    begun: frozenset[turn.Turn]
    origins: Mapping[str, Any]
    misplaced: Mapping[str, Any]

    def with_origins(self, origins: Mapping[str, Any]) -> Left:
        """The same, with who was moved against the rules since."""
        return self._replace(origins={**self.origins, **origins}) if origins else self


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
    rules, by which players notice their mistake, is none: who made it is out of his place in those phases as well."""
    if event.kind != "phase":
        is_refused = event.kind == "move" and event.fields.get("verdict") == "no"
        is_played = after.state is not before.state or (event.kind in TABLE_EVENTS and not is_refused)
        return () if is_played else tuple(one.with_origins(after.origins) for one in before.left)
    if _step(before, after.state) == _step(before, before.state):
        return before.left
    return (*before.left, Left(before.state, before.begun, before.origins, before.misplaced))


def _entered(state: State, phase: Event) -> State:
    """The state with turn, phase and player as the event has them, and nothing else done."""
    told = {key: phase.fields[key] for key in ("phase", "active") if key in phase.fields}
    return replace(state, turn=phase.turn, **told)


def _step(match: Match, state: State) -> _Step:
    return turn.turn_of(state, match.setup), None if state.phase is None else spelt_phase(state.phase)

"""A recorded match, stepped through in both directions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rules.clock import seconds_left
from rules.course.events import TABLE_EVENTS, Event
from rules.files.log import read_log
from rules.match import Match, replay
from ui.paint.board import board_frame, board_view
from ui.paint.hexes import beyond_mm
from ui.paint.view import banner
from ui.playing.loop import DEEDS, Tick
from ui.telling.titles import title_in
from ui.telling.words import event_title, event_why, time_words


@dataclass(frozen=True)
class Replay:
    """The log of a match, and how many of its events have been shown.

    shown  1 to the number of events: the first one is the scene that the match began with
    """

    header: dict[str, object]
    events: tuple[Event, ...]
    shown: int = 1

    @classmethod
    def read(cls, path: Path) -> Replay:
        """The replay of a log file, at its beginning; ValueError if it cannot be followed to its end, OSError if it
        cannot be read."""
        header, events = read_log(path)
        try:
            replay(header, events)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        return cls(header, tuple(events))

    @property
    def is_typed(self) -> bool:
        """Whether no referee saw any of the moves: they were typed, and are not made until he does.

        Where nothing moved, whether he saw none of the attacks and of what was told of the state: what he lets pass has
        no verdict either.
        """
        moves = [event for event in self.events if event.kind in TABLE_EVENTS]
        if moves:
            return not any("verdict" in event.fields for event in moves)
        told = any(event.kind in ("attack", "state") for event in self.events)
        return told and not any({"verdict", "by"} & event.fields.keys() for event in self.events)

    def at(self, shown: int) -> Replay:
        """The same replay after that many events, as near as there are."""
        return Replay(self.header, self.events, min(max(shown, 1), len(self.events)))

    def match(self) -> Match:
        """The match as it was then."""
        return replay(self.header, self.events, self.shown)

    @property
    def event(self) -> Event:
        """The last event shown."""
        return self.events[self.shown - 1]

    def tick(self) -> Tick:
        """The match as the window shows it, on a drawn board."""
        before = self._before_last_deed()
        frame = board_frame(self.event.time_s)
        match = self.match()
        view = board_view(match.setup.table_size_mm, beyond_mm(match))
        left_s = seconds_left(match, self.event.time_s)
        return Tick(frame, match, before, (self.event,), frozen=False, plane=view, left_s=left_s)

    def _before_last_deed(self) -> Match | None:
        deeds = [place for place in range(1, self.shown) if self.events[place].kind in DEEDS]
        return replay(self.header, self.events, deeds[-1]) if deeds else None

    def line(self) -> str:
        """The last event shown as one line of text."""
        event = self.event
        who = f"{event.player}: " if event.player else ""
        title, reason = self._told()
        why = f"  [{reason}]" if reason else ""
        place = f"{self.shown:4d}/{len(self.events)}  {time_words(event.time_s):>8}  turn {event.turn}"
        return f"{place}  {who}{title}{why}"

    def _told(self) -> tuple[str, str]:
        """What happened and why; of an attack, a siege and an undo only what was before tells whom it concerns."""
        event = self.event
        if event.kind not in ("attack", "siege", "undo", "redo"):
            return event_title(event), event_why(event)
        match = self.match()
        why = event_why(event) or banner(match, before=self._before_last_deed()).detail
        return title_in(match, event), why


def stepped(replay_: Replay, answers: Iterator[str]) -> Iterator[Replay]:
    """The replay after each answer: "" or "n" goes on, "b" goes back, a number jumps, "q" ends."""
    yield replay_
    for answer in answers:
        word = answer.strip().lower()
        if word == "q":
            return
        step = -1 if word == "b" else 1
        replay_ = replay_.at(int(word) if word.isdecimal() else replay_.shown + step)
        yield replay_

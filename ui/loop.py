"""The loop: frame -> agreed scene -> match. No Qt, no thread; the window, the recording and the tests drive it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from rules.events import REMARKS, TABLE_EVENTS, Event
from rules.match import Match, apply, observe, start
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State
from ui.projection import Projection
from vision.frame import Frame
from vision.stand import CameraNews


class Observed(Protocol):
    """What the loop needs of an observation."""

    @property
    def scene(self) -> Scene: ...  # noqa: D102

    @property
    def changed(self) -> bool: ...  # noqa: D102

    @property
    def frozen(self) -> bool: ...  # noqa: D102

    @property
    def plane(self) -> Projection | None: ...  # noqa: D102

    @property
    def camera(self) -> CameraNews | None: ...  # noqa: D102


class Eyes(Protocol):
    """Whoever turns frames into agreed scenes: `vision.observe.Observer`, or a script in a test."""

    def update(self, frame: Frame) -> Observed:
        """Take in the next frame."""
        ...


@dataclass(frozen=True, eq=False)
class Tick:
    """What is known after one frame.

    match   None until the first scene is agreed
    before  the match as it was before the last thing that happened on the table: what the mover could choose from
    events  those that this frame brought
    frozen  whether a hand or motion holds back the next scene
    plane   with which to draw; None while the camera is not where it was measured
    """

    frame: Frame
    match: Match | None
    before: Match | None
    events: tuple[Event, ...]
    frozen: bool
    plane: Projection | None


@dataclass(eq=False)
class Referee:
    """Keeps the match over frames and over what a person types or clicks."""

    setup: Setup
    eyes: Eyes
    match: Match | None = None
    state: State = field(default_factory=State)
    _before: Match | None = None

    def watch(self, frames: Iterable[Frame]) -> Iterator[Tick]:
        """One tick for each frame."""
        for frame in frames:
            yield self.step(frame)

    def step(self, frame: Frame) -> Tick:
        """Take in the next frame."""
        seen = self.eyes.update(frame)
        told = self._remarked(seen.camera, frame.t_s) if seen.camera is not None else ()
        events = self._become(self._agreed(seen.scene, frame.t_s)) if seen.changed else ()
        return Tick(frame, self.match, self._before, (*told, *events), seen.frozen, seen.plane)

    def _remarked(self, news: CameraNews, time_s: float) -> tuple[Event, ...]:
        if self.match is None:
            return ()
        state = self.match.state
        fields = {"what": news.what, "kind": news.kind, "text": news.sentence()}
        return self._become(apply(self.match, Event(time_s, state.turn, state.active, "camera", fields)))

    def say(self, event: Event) -> tuple[Event, ...]:
        """Take in what a person typed, clicked or corrected; the events that came of it. ValueError as in `apply`."""
        if self.match is None:
            raise ValueError("the match has not begun: no scene has been agreed yet")
        return self._become(apply(self.match, event))

    def _agreed(self, scene: Scene, time_s: float) -> Match:
        if self.match is None:
            return start(self.setup, scene, self.state)
        return observe(self.match, scene, time_s)

    def _become(self, match: Match) -> tuple[Event, ...]:
        was, self.match = self.match, match
        new = match.events[len(was.events) if was is not None else 0 :]
        if was is not None and any(event.kind in TABLE_EVENTS for event in new):
            self._before = was
        return new


def last_told(match: Match) -> Event | None:
    """The last event worth a banner: not the scene that the match began with, and no remark of the program."""
    told = [event for event in match.events[1:] if event.kind not in (*REMARKS, "scene")]
    return told[-1] if told else None

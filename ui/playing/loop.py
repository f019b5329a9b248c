"""The loop: frame -> agreed scene -> match. No Qt, no thread; the window, the recording and the tests drive it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from rules.ahead import ahead
from rules.clock import called, seconds_left
from rules.course.events import REMARKS, TABLE_EVENTS, Event
from rules.course.overruled import Overruled, with_sight
from rules.course.resume import Names
from rules.garbage import search_seldom
from rules.match import Match, apply, observe, start
from rules.scene import Scene
from rules.setup import Setup
from rules.state import State
from rules.turn import coming_phase
from ui.paint.projection import Projection
from ui.playing.pulse import Pulse
from vision.frame import Frame
from vision.motion.change import Obstacle
from vision.stream.camera_news import CameraNews
from vision.stream.health import Trouble

# What somebody could have done otherwise.
DEEDS = (*TABLE_EVENTS, "attack")
# Who types a move and then makes it on the table takes no longer to begin: before that nothing is said against it.
_RESTS_S = 1.0
_NOT_BEGUN = "the match has not begun: no scene has been agreed yet"


class Observed(Protocol):
    """What the loop needs of an observation."""

    @property
    def scene(self) -> Scene:
        """What was agreed last to lie on the table."""
        ...

    @property
    def changed(self) -> bool:
        """Whether this frame brought another scene."""
        ...

    @property
    def frozen(self) -> bool:
        """Whether a hand or motion holds back the next scene."""
        ...

    @property
    def looking(self) -> bool:
        """Whether a look that goes on beside the frames holds it back."""
        ...

    @property
    def soft(self) -> bool:
        """Whether a picture out of focus holds it back."""
        ...

    @property
    def aside(self) -> Obstacle | None:
        """What lingers on the table or never rests there, so that what lies under it is not read."""
        ...

    @property
    def plane(self) -> Projection | None:
        """With which to draw; None while the camera is not where it was measured."""
        ...

    @property
    def camera(self) -> CameraNews | None:
        """What happened to the camera in this frame, if anything."""
        ...


class Eyes(Protocol):
    """Whoever turns frames into agreed scenes: `vision.observe.Observer`, or a script in a test."""

    def update(self, frame: Frame) -> Observed:
        """Take in the next frame."""
        ...


@dataclass(frozen=True, eq=False)
class Tick:
    """What is known after one frame.

    match    None until the first scene is agreed
    before   the match as it was before the last change of the table or the last attack: what its player chose from
    events   the events that this frame brought
    frozen   whether the next scene is held back: by a hand or motion, or as `looking` and `soft` say
    plane    draws table mm into the picture; None while the camera is not where it was measured
    trouble  what is wrong with the camera's picture
    left_s   the time left to the side that moves; None while no clock runs
    camera   what happened to the camera, while that holds back the next scene
    looking  whether only the eyes hold it back, which look beside the frames
    soft     whether a picture out of focus holds it back
    aside    what lingers on the table or never rests there, so that pieces under it are not read
    """

    frame: Frame
    match: Match | None
    before: Match | None
    events: tuple[Event, ...]
    frozen: bool
    plane: Projection | None
    trouble: Trouble | None = None
    left_s: float | None = None
    camera: CameraNews | None = None
    looking: bool = False
    soft: bool = False
    aside: Obstacle | None = None


@dataclass(eq=False)
class Referee:
    """Keeps the match over frames and over what a person types or clicks.

    pulse      tells what is wrong with the camera's picture; None where nothing can be, as in a file
    names      gives pieces the names that they had, where a match goes on and the camera numbers them anew
    started_s  the match's time when the source's clock was 0
    moved      fields of the log's event on a camera that was moved between set-up and match; None if it was not
    find_grid  finds the grid that is drawn on the table, asked until it is found; None for games without one
    """

    setup: Setup
    eyes: Eyes
    match: Match | None = None
    state: State = field(default_factory=State)
    pulse: Pulse | None = None
    names: Names | None = None
    started_s: float = 0.0
    find_grid: Callable[[Frame], Mapping[str, Any] | None] | None = None
    moved: Mapping[str, Any] | None = None
    _before: Match | None = None
    _untold: tuple[Event, ...] = ()
    _camera: CameraNews | None = None
    _seen: Scene | None = None
    _overruled: Overruled = field(default_factory=Overruled)
    _said_s: float = 0.0
    _ahead: Iterator[None] = field(default_factory=lambda: iter(()))

    def take_up(self, match: Match) -> None:
        """Go on with a saved match: its pieces keep their names, its time goes on, and the log says so."""
        self.match, self.names = match, Names.of(match)
        self._overruled = Overruled.of(match.events, match.setup.table_size_mm)
        self.started_s = max(event.time_s for event in match.events)
        self._untold = self._remarked("note", {"text": "the match was taken up again"}, 0.0)

    def watch(self, frames: Iterable[Frame | None]) -> Iterator[Tick]:
        """One tick for each frame; where no frame comes (None), one for news of the camera."""
        last: Tick | None = None
        for frame in frames:
            tick = self.step(frame) if frame is not None else self.wait(last)
            last = tick or last
            if tick is not None:
                yield tick
                self.rule_ahead(tick)

    def step(self, frame: Frame) -> Tick:
        """Take in the next frame."""
        untold, self._untold = self._untold, ()
        ailing = self._ailing(frame.t_s)
        seen = self.eyes.update(frame)
        told = self._remarked("camera", seen.camera.fields(), frame.t_s) if seen.camera is not None else ()
        events = (*self._gridded(frame), *self._become(self._agreed(seen.scene, frame))) if seen.changed else ()
        told = (*untold, *ailing, *told, *events, *self._at_rest(seen, frame.t_s))
        told = (*told, *self._was_moved(frame.t_s), *self.call(frame.t_s))
        self._camera = _holding(seen.camera or self._camera) if seen.frozen else None
        return Tick(
            frame=frame,
            match=self.match,
            before=self._before,
            events=told,
            frozen=seen.frozen,
            plane=seen.plane,
            trouble=self._trouble(),
            left_s=self.left_s(frame.t_s),
            camera=self._camera,
            looking=seen.looking,
            soft=seen.soft,
            aside=seen.aside,
        )

    def wait(self, last: Tick | None) -> Tick | None:
        """The last tick with what a camera that brings no frames has newly to tell; None for nothing."""
        events = self._ailing(last.frame.t_s) if last is not None else ()
        return replace(self.brought(last, events), trouble=self._trouble()) if last and events else None

    def brought(self, last: Tick, events: tuple[Event, ...]) -> Tick:
        """The last tick with what has come without a new picture: from a person, a clock, or a camera that has none."""
        left_s = self.left_s(last.frame.t_s)
        return replace(last, match=self.match, before=self._before, events=events, left_s=left_s)

    def rule_ahead(self, tick: Tick) -> None:
        """Use the moment after a frame that brought nothing, once it is shown: rule a step ahead, also under a hand."""
        if not (tick.events or tick.looking):
            next(self._ahead, None)

    def say(self, event: Event) -> tuple[Event, ...]:
        """Take in what a person typed, clicked or corrected; the events that came of it. ValueError as in `apply`."""
        if self.match is None:
            raise ValueError(_NOT_BEGUN)
        # Until the first look after a match was taken up again, the table is known as it was left.
        seen = self._seen or self._overruled.lain(self.match.scene)
        later = replace(with_sight(event, seen), time_s=event.time_s + self.started_s)
        events = self._become(apply(self.match, later))
        self._overruled, self._said_s = self._overruled.by(event, seen), event.time_s
        return events

    def told(self, kind: str, fields: Mapping[str, Any], time_s: float) -> tuple[Event, ...]:
        """As `say`, of the turn that it is now, and at that time of the source's clock; a `phase` without data is the
        next one."""
        if self.match is None:
            raise ValueError(_NOT_BEGUN)
        match, state = self.match, self.match.state
        if kind == "phase" and not fields:
            fields = coming_phase(match.game, match.scene, match.setup, state)
        return self.say(Event(time_s, state.turn, state.active, kind, fields))

    def left_s(self, time_s: float) -> float | None:
        """What the side that moves has left at a time of the source's clock; None while no clock runs."""
        return seconds_left(self.match, self.started_s + time_s) if self.match is not None else None

    def call(self, time_s: float) -> tuple[Event, ...]:
        """Call the end of the time of the side that moves, if it is over and was not called; the event, or nothing."""
        return self._become(called(self.match, self.started_s + time_s)) if self.match is not None else ()

    def _trouble(self) -> Trouble | None:
        return self.pulse.trouble if self.pulse is not None else None

    def _ailing(self, time_s: float) -> tuple[Event, ...]:
        """What the camera's picture has newly to tell, once there is a match that it can disturb."""
        fields = self.pulse.news(time_s) if self.pulse is not None and self.match is not None else None
        return self._remarked("camera", fields, time_s) if fields is not None else ()

    def _was_moved(self, time_s: float) -> tuple[Event, ...]:
        """What became of the camera before the match, once there is a match to tell it in."""
        if self.moved is None or self.match is None:
            return ()
        moved, self.moved = self.moved, None
        return self._remarked("camera", moved, time_s)

    def _remarked(self, kind: str, fields: Mapping[str, Any], time_s: float) -> tuple[Event, ...]:
        return self.told(kind, fields, time_s) if self.match is not None else ()

    def _agreed(self, scene: Scene, frame: Frame) -> Match:
        if self.match is None:
            begun = start(self.setup, scene, self._begun(frame))
            search_seldom()
            self._seen = scene
            return begun
        if self.names is not None:
            lain = self._overruled.lain(self.match.scene)
            self.names = self.names.covering(scene, self.match.scene, lain)
            scene = self.names.named(scene, lain)
        self._seen, self._overruled = scene, self._overruled.among(scene, self.match.scene)
        time_s = self.started_s + frame.t_s
        return observe(self._contradicted(time_s), self._overruled.counting(scene, self.match.scene), time_s)

    def _at_rest(self, seen: Observed, time_s: float) -> tuple[Event, ...]:
        """What a hand said otherwise than the table shows that has rested since, if that is to be told."""
        rests_s = time_s - self._said_s
        if self.match is None or self._seen is None or seen.frozen or not self._overruled.untold or rests_s < _RESTS_S:
            return ()
        return self._become(self._contradicted(self.started_s + time_s))

    def _contradicted(self, time_s: float) -> Match:
        """The match with a note, told once, on each piece that the picture shows otherwise than a person typed."""
        assert self.match is not None  # it has begun
        match, sentences = self.match, self._overruled.sentences(self.match.scene)
        for sentence in sentences:
            match = apply(match, Event(time_s, match.state.turn, match.state.active, "note", {"text": sentence}))
        self._overruled = self._overruled.told(sentences)
        return match

    def _gridded(self, frame: Frame) -> tuple[Event, ...]:
        """The event of a grid that shows now, and did not when the match began: things lay on it, or it was dim."""
        if self.find_grid is None or self.match is None:
            return ()
        grid = self.find_grid(frame) if self.match.state.grid is None else None
        return self._remarked("state", {"grid": grid}, frame.t_s) if grid is not None else ()

    def _begun(self, frame: Frame) -> State:
        """The state that the match begins with; a grid that was set by hand counts before the one that is seen."""
        if self.state.grid is not None or self.find_grid is None:
            return self.state
        return replace(self.state, grid=self.find_grid(frame))

    def _become(self, match: Match) -> tuple[Event, ...]:
        was, self.match = self.match, match
        if was is None or (match.scene, match.state) != (was.scene, was.state):
            self._ahead = ahead(match)
        new = match.events[len(was.events) if was is not None else 0 :]
        if was is not None and any(event.kind in DEEDS for event in new):
            self._before = was
        return new


def _holding(news: CameraNews | None) -> CameraNews | None:
    return news if news is not None and news.holds else None


def _is_claim(event: Event) -> bool:
    """Whether the rules told by its place whose a piece is."""
    return event.kind == "correction" and "by" in event.fields


def last_told(match: Match, before: Match | None = None) -> Event | None:
    """The last event worth a banner: not what the match began with, and no remark of the program.

    before  the match as it was before that: of all that was agreed since, what is against the rules is told
    """
    told = _told(match.events[1:])
    if not told or told[-1].kind not in TABLE_EVENTS or before is None:
        return told[-1] if told else None
    agreed = [event for event in _told(match.events[len(before.events) :]) if event.kind in TABLE_EVENTS]
    return max(reversed(agreed), key=_gravity, default=told[-1])


def last_done(match: Match, before: Match | None = None) -> Event | None:
    """The same, or what happened on the table that a siege's beginning or end followed from: best to the besieged
    place itself, or what was against the rules."""
    told = _told(match.events[1:])
    if not told or told[-1].kind != "siege":
        return last_told(match, before)
    siege, causes = told[-1], [event for event in told if event.kind in TABLE_EVENTS]
    causes = [event for event in causes if event.time_s == told[-1].time_s]
    own = [event for event in causes if event.fields.get("piece") == siege.fields.get("place")]
    return max(reversed(own or causes or told[-1:]), key=_gravity)


def _told(events: Sequence[Event]) -> list[Event]:
    return [event for event in events if event.kind not in (*REMARKS, "scene") and not _is_claim(event)]


def _gravity(event: Event) -> int:
    """How much a person must know of it."""
    return {"no": 2, "close": 1}.get(str(event.fields.get("verdict")), 0)

"""From frames to agreed scenes: wait until hands are gone and the table is still, look several times, agree.

The eyes look only then; an idle table costs the change gate and nothing else, and a hand freezes what was agreed.
Frames of a camera do not wait for a look: it goes on beside them, and what it sees counts for the frame that it saw.
Meanwhile frames are kept for the looks after it, should a hand come before they begin.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from functools import partial

from shapely import MultiPolygon, union_all
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from rules.scene import Piece, Scene
from vision.beside import give_way
from vision.detection import Detection
from vision.frame import Frame, ImageBgr
from vision.light.clarity import Clarity
from vision.light.clarity_watch import ClarityWatch
from vision.light.developed import developed
from vision.look_at import LookAt
from vision.memory.agree import Look, agreed, unanimous
from vision.memory.agreed_picture import AgreedPicture
from vision.memory.cover import cover_of, left_over, where_came
from vision.memory.hiding import hidden_by, is_within_one
from vision.memory.not_gone import Agreed, NotGone
from vision.memory.shared_error import with_shared_error
from vision.memory.tracker import Tracker
from vision.memory.uncovered import Uncovered, still_uncovered
from vision.metric.out_of_sight import out_of_sight
from vision.motion.by_light import ByLight
from vision.motion.change import Change, ChangeGate, Obstacle
from vision.motion.hand import NO_HAND, Hand, changed_region, find_hand
from vision.motion.lingering import Lingering
from vision.motion.on_table import OnTable
from vision.motion.overlooked import overlooked, where_changed
from vision.motion.put_down import PutDown
from vision.motion.restless import Restless
from vision.motion.set_aside import After, SetAside
from vision.motion.unrest import Unrest
from vision.motion.waiting import FEWEST_LOOKS, LOOK_APART_S, MOST_LOOKS, Begun, Moment, Waiting
from vision.observation import Observation
from vision.stream.camera_news import CameraNews
from vision.stream.health import Trouble
from vision.tripod.camera import Camera
from vision.tripod.landmark_search import Landmarks

# The table counts as still when nothing moved for this long.
STILL_S = 0.3
# A large change that stands quite still for this long is no hand, but a thing put down or another light. Pieces under
# it are still remembered, so that a sleeve that really rests costs nothing but fresh looks.
RESTING_S = 6.0
# No hand is without an arm: a large change that does not reach the picture's edge and stands quite still for this long
# is a figure, a card or a book that was moved. One within the outline of a card is that card.
PUT_DOWN_S = 0.8


@dataclass(eq=False)
class Observer:
    """Watches one table.

    look    the eyes: (frame, plane) to detections
    beside  one thread in which looks run while frames go on; None to let each frame wait, as those of a file can
    landmarks  finds the table by what lies in known places on it; None where nothing does
    """

    plane: TablePlane
    look: LookAt
    table_size_mm: tuple[float, float]
    tracker: Tracker = field(default_factory=Tracker)
    beside: Executor | None = None
    landmarks: Landmarks | None = None
    _gate: ChangeGate = field(default_factory=ChangeGate)
    _waiting: Waiting = field(default_factory=Waiting)
    _begun: Begun | None = None
    _scene: Scene | None = None
    _not_gone: NotGone = field(default_factory=NotGone)
    _uncovered: Uncovered | None = None
    _clarity: ClarityWatch = field(init=False)
    _unrest: Unrest = field(default_factory=Unrest)
    _on_table: OnTable = field(default_factory=OnTable)
    _lingering: Lingering = field(default_factory=Lingering)
    _restless: Restless = field(default_factory=Restless)
    _put_down: PutDown = field(default_factory=PutDown)
    _by_light: ByLight = field(default_factory=ByLight)
    _camera: Camera = field(init=False)
    _picture: AgreedPicture = field(init=False)

    def __post_init__(self) -> None:
        self._clarity = ClarityWatch(self.table_size_mm)
        self._picture = AgreedPicture(self.table_size_mm)
        seen_by = self.plane, self.look, self.table_size_mm, lambda: self.tracker
        self._camera = Camera(*seen_by, self.beside, self.landmarks)

    @property
    def trouble(self) -> Trouble | None:
        """What is so bad about the picture that pieces may be missed or misread."""
        return next(iter((*filter(None, [self._gate.trouble]), *self._clarity.faults)), self._unrest.trouble)

    def update(self, frame: Frame) -> Observation:
        """Take in the next frame."""
        frame = self._sized(frame)
        if self._scene is None and self._shows_nothing(frame):
            return self._observed(frame, NO_HAND, changed=False, frozen=True)
        self._gate, change = self._seen(self._gate, frame)
        camera = self._camera_news(frame, change)
        if self._camera.plane is not self.plane:
            self._take_stand(frame)
            self._gate, change = self._seen(self._gate, frame)
        self._by_light.see(change, self.plane, frame.t_s, is_dim=self._gate.is_dim)
        if self._camera.is_away or self._camera.is_soft:
            return self._observed(frame, NO_HAND, changed=False, frozen=True, camera=camera)
        watched = self._watched(frame, change)
        return replace(watched, camera=camera or watched.camera, aside=self._aside)

    def _shows_nothing(self, frame: Frame) -> bool:
        """Whether the lens is covered: a match that began with that would begin with an empty table."""
        self._clarity_in(frame, afresh=self._clarity.is_due(frame.t_s))
        return any(fault.kind == "black" for fault in self._clarity.faults)

    @property
    def _aside(self) -> Obstacle | None:
        return "arm" if self._lingering.is_on else "restless" if self._restless.is_on else None

    def _seen(self, gate: ChangeGate, frame: Frame) -> tuple[ChangeGate, Change]:
        """The gate after the frame, and what changed on the table."""
        gate, change = gate.seen(frame)
        return gate, self._on_table(change, self.plane, self.table_size_mm)

    def _watched(self, frame: Frame, change: Change) -> Observation:
        """Wait for hands to leave, or to linger aside, and for stillness; then look."""
        for left_out in (self._lingering, self._restless):
            change = left_out(change, frame.t_s, self._on_table.shows)
        if not change.is_moving:
            self._clarity_in(frame, afresh=self._clarity.is_due(frame.t_s))
        hand = self._hand_in(frame, change)
        still_s = self._still_for(frame, change)
        self._unrest = self._unrest.after(frame.t_s, is_still=still_s >= STILL_S)
        if self._begun is not None and self._begun.look.done():
            return self._taken_in(self._begun, frame, hand)
        self._put_down.see(hand)
        if hand and still_s < self._rests_s(frame, hand, still_s):
            self._waiting = replace(self._waiting, looks=(), due=True)
            return self._observed(frame, hand, changed=False, frozen=True)
        if change.is_changed:
            self._waiting = replace(self._waiting, due=True)
        if not self._waiting.due or still_s < STILL_S:
            return self._observed(frame, hand, changed=False, frozen=self._waiting.due)
        return self._looked(frame, change, hand)

    def _sized(self, frame: Frame) -> Frame:
        """The frame at the size of the first one. What another size cannot show of the agreed table is no change."""
        was_px, frame = self._picture.camera_px, self._picture.sized(frame)
        if was_px not in (None, self._picture.camera_px) and self._picture.agreed is not None:
            self._gate, self._begun = self._gate_from_here(frame), None
        return frame

    def _hand_in(self, frame: Frame, change: Change) -> Hand:
        """What hides the table. A hand that goes changes as much of the picture as one that comes, but once it has gone
        nothing large differs from the table before."""
        hand = find_hand(change, self.plane)
        return NO_HAND if hand and self._uncovered is not None and not self._is_covered(frame) else hand

    def _is_covered(self, frame: Frame) -> bool:
        """Whether something as large as a hand lies there that was not there before the table was covered."""
        return self._uncovered is not None and self._has_hand(frame, self._uncovered.gate)

    def _still_uncovered(self, frame: Frame, cover_mm: BaseGeometry) -> Uncovered | None:
        is_over = any(track.hidden and track.under is None for track in self.tracker.tracks)
        is_beside = self._is_covered(frame)
        return still_uncovered(self._uncovered, self._gate, cover_mm, is_over=is_over, is_beside=is_beside)

    def _has_hand(self, frame: Frame, gate: ChangeGate) -> bool:
        """Whether something as large as a hand differs from what a gate agreed."""
        return bool(find_hand(self._seen(gate, frame)[1], self.plane))

    def _camera_news(self, frame: Frame, change: Change) -> CameraNews | None:
        """What happened to the camera. Fewer pixels are no lost focus: that it switched is told by
        `vision.stream.health`."""
        news = self._camera.check(frame, change.is_moving)
        is_coarse = news is not None and news.what == "unfocused" and self._picture.is_other_size
        return None if is_coarse else news

    def _take_stand(self, frame: Frame) -> None:
        """Go on from where the camera stands by now; tracks and their ids stay."""
        self.plane = self._camera.plane
        self._gate, self._uncovered = self._gate_from_here(frame), None
        self._waiting, self._begun = Waiting(), None

    def _gate_from_here(self, frame: Frame) -> ChangeGate:
        """What was agreed, as the camera would show it from where it stands now: only what differs can have moved."""
        gate = ChangeGate()
        return gate if self._picture.agreed is None else gate.agreeing(self._picture.as_shown(frame, self.plane))

    def _still_for(self, frame: Frame, change: Change) -> float:
        """How long nothing has moved. After motion the looks begin anew."""
        if change.is_moving or self._waiting.still_since_s is None:
            due = self._waiting.due or self._scene is None
            self._waiting = Waiting(frame.t_s, due=due)
        return frame.t_s - (self._waiting.still_since_s or 0.0)

    def _looked(self, frame: Frame, change: Change, hand: Hand) -> Observation:
        """Look once more, unless a look is in progress or the last one was just now."""
        waiting, moment = self._waiting, Moment(frame, change, hand, self._waiting.still_since_s)
        if self._begun is not None:
            self._begun = self._begun.keeping(moment)
        elif not waiting.looks or frame.t_s >= waiting.next_look_s:
            self._begun = self._begin(moment, waiting.looks)
            if self._begun.look.done():
                return self._taken_in(self._begun, frame, hand)
        return self._observed(frame, hand, changed=False, frozen=True)

    def _begin(self, at: Moment, before: tuple[Look, ...], later: tuple[Moment, ...] = ()) -> Begun:
        """One more look, after those before it."""
        return Begun(at, before, self._look_at(at.frame, afresh=not before), later)

    def _look_at(self, frame: Frame, *, afresh: bool) -> Future[Look]:
        """The look at a frame: done where frames wait for it."""
        clarity, plane = self._clarity_in(frame, afresh=afresh), self.plane
        if self.beside is not None:
            return self.beside.submit(lambda: with_shared_error(self.look(developed(frame, clarity), plane), plane))
        look: Future[Look] = Future()
        look.set_result(with_shared_error(self.look(developed(frame, clarity), plane), plane))
        return look

    def _taken_in(self, begun: Begun, frame: Frame, hand: Hand) -> Observation:
        """Agree when there are looks enough, though a hand may have come since; if not, look again.

        If something moved since, the next look is at a frame that was kept from before; without one the looks end."""
        self._begun = None
        at, looks = begun.at, (*begun.looks, begun.look.result())
        carried = self._camera.carried(frame, looks[-1])
        if carried is not None:
            return self._observed(frame, NO_HAND, changed=False, frozen=True, camera=carried)
        region = changed_region(at.change, self.plane)
        if len(looks) >= MOST_LOOKS or (len(looks) >= FEWEST_LOOKS and unanimous(looks, region)):
            changed = self._agree(at, looks, region)
            return self._observed(frame, NO_HAND, changed=changed, frozen=False)
        if at.still_since_s == self._waiting.still_since_s:
            self._waiting = replace(self._waiting, looks=looks, next_look_s=at.frame.t_s + LOOK_APART_S)
        elif begun.later:
            self._begun = self._begin(begun.later[0], looks, begun.later[1:])
        return self._observed(frame, hand, changed=False, frozen=True)

    def _rests_s(self, frame: Frame, hand: Hand, still_s: float) -> float:
        """How long what hides the table must stand still until it is looked at: from elsewhere all that stands shows
        before other ground, as if a hand did."""
        if hand.reaches_in and not self._camera.is_carried:
            return RESTING_S
        since_s = self._waiting.still_since_s
        if still_s >= STILL_S and self._put_down.shows(frame, since_s, partial(self._has_hand, frame)):
            return STILL_S
        cards = (track.seen.footprint for track in self.tracker.tracks if track.seen.kind == "card")
        return STILL_S if is_within_one(hand.cover_mm, cards) else PUT_DOWN_S

    def _clarity_in(self, frame: Frame, *, afresh: bool) -> Clarity:
        return self._clarity.seen(frame, self.plane, afresh=afresh)

    def _agree(self, at: Moment, looks: tuple[Look, ...], changed_mm: BaseGeometry | None) -> bool:
        """Commit what the looks agree on; say whether the scene is another one than before."""
        frame, before = at.frame, self.tracker.pieces
        aside = SetAside(at.change, self.plane, frame.t_s, self._lingering.given_up(frame.t_s))
        seen = aside.seen(agreed(looks))
        cover_mm, left_mm = self._covered(at, seen)
        self.tracker = self.tracker.pushed(self._not_gone.pushed)
        if changed_mm is not None and (faintly := overlooked(self.tracker.tracks, seen, changed_mm)):
            pictures, hides = (self._agreed_bgr(frame), frame.image_bgr), partial(hidden_by, plane=self.plane)
            changed_mm = changed_mm.union(where_changed(faintly, *pictures, self.plane, hides))
        self.tracker, doubts = aside.after(self.tracker, self._step(frame, seen, [cover_mm, left_mm], changed_mm))
        self._camera.is_carried = False
        self._lingering.agreed(frame.t_s, doubts)
        self._uncovered = self._still_uncovered(frame, cover_mm)
        before_here = partial(self._picture.from_here, frame, self.plane)
        self._picture.agreed = aside.agreed(frame, before_here, doubts), self.plane
        self._gate = self._agreeing(self._picture.agreed[0])
        self._waiting = Waiting(max(frame.t_s, self._waiting.still_since_s or 0.0), due=False)
        return self._renewed(frame, before)

    def _step(
        self, frame: Frame, seen: Sequence[Detection], hidden_mm: list[BaseGeometry], changed_mm: BaseGeometry | None
    ) -> After:
        """What gives the next tracker, by what cannot be read besides what is hidden."""
        hides, beyond_mm = partial(hidden_by, plane=self.plane), out_of_sight(self.plane, self.table_size_mm)
        by_light = self._by_light.between(self._agreed_bgr(frame), frame.image_bgr)

        def step(unread_mm: BaseGeometry) -> Tracker:
            may_change_mm = None if changed_mm is None else changed_mm.union(unread_mm)
            cover_mm = union_all([*hidden_mm, unread_mm])
            is_carried = self._camera.is_carried
            return self.tracker.after(seen, frame.t_s, cover_mm, may_change_mm, hides, beyond_mm, is_carried, by_light)

        return step

    def _renewed(self, frame: Frame, before: Sequence[Piece]) -> bool:
        """Whether there are other pieces than before, or the first ones: then they are the new scene."""
        if self._scene is not None and self.tracker.pieces == before:
            return False
        if self._scene is None and self.beside is not None:
            give_way()
        self._scene = self._scene_at(frame)
        return True

    def _covered(self, at: Moment, seen: Sequence[Detection]) -> tuple[BaseGeometry, BaseGeometry]:
        """Where something came over the table, mm, and where what had come still lies or nobody took a piece."""
        tracks, plane, was = self.tracker.tracks, self.plane, self._uncovered
        uncovered = None if was is None else self._seen(was.gate, at.frame)[1]
        came_mm = MultiPolygon() if at.change.first else where_came(at.change, uncovered, plane)
        showed = [track.seen for track in tracks if track.under is None]
        cover_mm = cover_of(at.hand, came_mm, plane, showed, seen)
        there_mm = self._not_gone.places(tracks, seen, at.frame, plane, self._picture.agreed, self._agreed_bgr)
        over_mm = MultiPolygon() if was is None else was.over_mm
        return cover_mm, left_over(uncovered, plane, tracks, seen).intersection(over_mm).union(there_mm)

    def _agreed_bgr(self, frame: Frame, earlier: Agreed | None = None) -> ImageBgr:
        """The picture that was agreed last, or an earlier one, as the camera that takes `frame` would show it."""
        return self._picture.as_shown(frame, self.plane, earlier).image_bgr

    def _agreeing(self, frame: Frame) -> ChangeGate:
        """The gate that agrees on a frame. Who shows beside the table in it, as a hand that hovers, may go again."""
        change = self._gate.seen(frame)[1]
        return self._gate.agreeing(frame, self._on_table.beside(change, self.plane, self.table_size_mm))

    def _scene_at(self, frame: Frame) -> Scene:
        centre = [(self.table_size_mm[0] / 2, self.table_size_mm[1] / 2)]
        sigma_mm = float(self.plane.sigma_mm(self.plane.to_image(centre))[0])
        pieces = self.tracker.pieces
        return Scene(self.table_size_mm, pieces, frame.t_s, self.plane.reprojection_error_px, sigma_mm)

    def _observed(
        self, frame: Frame, hand: Hand, *, changed: bool, frozen: bool, camera: CameraNews | None = None
    ) -> Observation:
        scene = self._scene or Scene(self.table_size_mm, (), frame.t_s, self.plane.reprojection_error_px)
        plane = None if self._camera.is_astray else self.plane
        looking = frozen and not hand and (self._begun is not None or self._scene is None)
        return Observation(frame, scene, changed, frozen, hand, plane, camera, looking, self._camera.is_soft)

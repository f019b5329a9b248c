"""Whether the camera still stands where it was calibrated; after a kick, the table measured again.

The table's own texture is compared with an anchor picture several times a second (2 ms each). When it moved, what is
known is kept, nothing is drawn or agreed, and as soon as the picture is steady the plane is fitted again: by texture,
or where that shows too little of what it was, by markers, a printed sheet or the pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from shapely import Polygon

from calibration.kick.drift import Anchor, Drift, apart_px, is_same_motion, surroundings_stand, turned_back, watch
from calibration.kick.elsewhere import added_mm, measured_elsewhere, seen_elsewhere, sharpened
from calibration.kick.parallax import Bodies, Standing
from calibration.kick.reregister import explains_better, reregister
from calibration.lens import Lens
from calibration.plane import TablePlane
from vision.frame import Frame, ImageBgr
from vision.light.hunt import Hunt, is_hunt
from vision.stream.camera_news import CameraNews
from vision.tripod.drifting import GROWN, Drifting
from vision.tripod.landmark_search import LandmarkSearch, Searches
from vision.tripod.zoom_cause import cause_of

# Issue and design: a shift of 2 px is noticed within 0.5 s. Two looks in a row must say so; a hand is outvoted anyway.
LOOK_EVERY_S = 0.15
# The picture must be steady for this long before it is measured again.
STEADY_S = 0.3
# Where less of the texture agrees on a motion, as out of focus on a plain table, two looks must agree on it as well.
_DOUBTFUL = 0.8
# So far a steady camera's table may seem to move from look to look.
_STEADY_PX = 0.3
# A search that is not quick holds up looks: what covers the table, and may be a hand, must have rested for so long.
_RESTED_S = 2.0
# Landmarks and glimpses tell of a move only from here on, px: texture notices smaller ones, as far as it shows.
_CARRIED_PX = 20.0
# An ordinary kick is over by then, and what a camera that moves on is told to have moved by grows.
_MOVES_ON_S = 1.0
# What is not recognised is looked for the more seldom the longer it is gone: up to 0.4 s of the frames' thread each.
_SELDOMER, _SELDOM_S = 0.25, 1.0
# Told once, when the table is not recognised for this long after a kick.
LOST_S = 2.0

# A camera that moved by more sees what stands on the table from another side: a head 50 mm up shows half a millimetre
# aside when a camera 700 mm off moved by 7.
_ASIDE_MM = 8.0
# What measuring the table again may add to the error of its corners, as we promise. Texture that leaves more open is
# not all there is to ask; beyond what pieces may leave open the table is better lost.
MOST_ADDED_MM, _MOST_BY_PIECES_MM = 1.0, 2.0

Register = Callable[[Anchor, ImageBgr], TablePlane | None]


def no_bodies(_: TablePlane) -> Bodies:
    """Nothing stands on the table."""
    return Bodies(Polygon(), 1.0)


@dataclass(eq=False)
class Stand:
    """The camera's stand, watched. `check` is called for every frame and looks at few of them.

    anchor   the picture that the present plane belongs to: what later ones are compared with
    first    the picture that was calibrated: what a moved camera is registered to, so that errors do not add up
    search   for what tells the table wherever the camera stands
    glimpse  for what tells that the camera stands elsewhere, and not where to a millimetre
    bodies   what stands on the table, as a plane's camera has it
    away_s   when the camera was found to have moved; None while it stands
    """

    anchor: Anchor
    first: Anchor
    register: Register = reregister
    search: Searches = field(default_factory=Searches)
    glimpse: LandmarkSearch = field(default_factory=LandmarkSearch)
    bodies: Standing = no_bodies
    away_s: float | None = None
    _suspect: Drift | None = None
    _hunt: Hunt = field(default_factory=Hunt)
    _shift_px: float = float("nan")
    _is_rough: bool = False
    # Whether what stands on the table kept it from being measured since the camera moved.
    _is_in_vain: bool = False
    _next_look_s: float = 0.0
    _steady_since_s: float | None = None
    _told_lost: bool = False
    # Whether the last look at the table's texture found hardly any of it where it was.
    is_covered: bool = False
    # Whether pieces disproved what texture told, as of a print that repeats: then it is measured by what else is known.
    is_disproved: bool = False
    # When it was last known what the camera shows.
    _known_s: float = 0.0
    _drift: Drift | None = field(default=None)
    # How far it moved, as a player was told.
    _told_px: float = float("nan")
    _drifting: Drifting = field(default_factory=Drifting)

    @property
    def is_soft(self) -> bool:
        """Whether the picture is out of focus, or its lens looks for it: pieces are not read from it."""
        return self._hunt.is_on

    @property
    def is_astray(self) -> bool:
        """Whether what is drawn by the present plane would lie beside the pieces."""
        return self.away_s is not None or self._hunt.is_astray

    @classmethod
    def of(
        cls,
        frame: Frame,
        plane: TablePlane,
        table_size_mm: tuple[float, float],
        search: Searches | None = None,
        glimpse: LandmarkSearch | None = None,
        bodies: Standing = no_bodies,
    ) -> Stand:
        """The stand of a camera that shows `frame` now and was calibrated as `plane`."""
        anchor = Anchor.of(frame.image_bgr, plane, table_size_mm)
        return cls(anchor, anchor, search=search or Searches(), glimpse=glimpse or LandmarkSearch(), bodies=bodies)

    def check(self, frame: Frame, moving: bool) -> tuple[CameraNews | None, TablePlane | None]:
        """What happened to the camera, and the new plane once the table is measured again.

        moving  whether anything moves in the picture
        """
        self._steady_since_s = (
            None if moving else (self._steady_since_s if self._steady_since_s is not None else frame.t_s)
        )
        if self.away_s is not None:
            return self._returning(frame)
        if self._is_rough and self._is_steady(frame):
            return None, self._refined(frame)
        if frame.t_s < self._next_look_s:
            return None, None
        self._next_look_s = frame.t_s + (LOOK_EVERY_S if self._suspect is None else 0.0)
        news, plane = self._seen(frame, watch(self.anchor, frame.image_bgr), moving)
        return news or self._drifting.ended(frame.t_s), plane

    def _seen(self, frame: Frame, drift: Drift, moving: bool) -> tuple[CameraNews | None, TablePlane | None]:
        """What one look says, if the one before it said so too."""
        suspected, self._suspect = self._suspect, drift if drift.moved or drift.kind in ("drift", "focus") else None
        self._hunt.see(drift)
        self.is_covered = drift.kind == "covered"
        if self.is_covered:
            return self._covered(frame), None
        if suspected is None or self._suspect is None or is_hunt(suspected) != is_hunt(drift):
            return None, None
        if is_hunt(drift) and self._hunt.goes_on(drift, frame.t_s):
            return None, None
        if drift.moved and drift.confidence < _DOUBTFUL and not is_same_motion(self.anchor, suspected, drift):
            return None, None
        return self._confirmed(frame, drift, moving)

    def _covered(self, frame: Frame) -> CameraNews | None:
        """Where nothing moves and nothing shows where it did, a hand rests, or the camera stands somewhere else."""
        plane = self._by_landmarks(frame, quick=not self._is_steady(frame, _RESTED_S))
        if plane is None and self._steady_since_s is not None and self._is_steady(frame):
            plane = self.glimpse.plane_in(frame, self._lens, self._steady_since_s)
        far_px = apart_px(self.anchor, plane, self.anchor.plane) if plane is not None else 0.0
        return self._kicked(frame, Drift(far_px, "kick", 1.0)) if far_px >= _CARRIED_PX else None

    @property
    def _lens(self) -> Lens:
        """The lens, as sure as the present plane is of it: texture measures through the one before, taken as exact, and
        of what markers measure through that one 66 to 80 % would lie within the stated interval (drawn webcams)."""
        plane = self.anchor.plane
        numbers = len(plane.lens.parameters)
        return replace(plane.lens, covariance=plane.covariance[:numbers, :numbers])

    def _by_landmarks(self, frame: Frame, *, quick: bool = False) -> TablePlane | None:
        """The table of a steady picture by what lies in known places, all of it or what is found at once."""
        if self._steady_since_s is None or not self._is_steady(frame):
            return None
        return self.search.plane_in(frame, self._lens, self._steady_since_s, quick=quick)

    def carried(self, frame: Frame, shift_px: float) -> CameraNews | None:
        """Somebody else saw that the camera was carried off: all pieces lie elsewhere.

        shift_px  how far; NaN where nobody knows: a player may have laid all of them anew, and nothing is told where
                  what shows beside the table stands
        """
        if np.isnan(shift_px) and surroundings_stand(self.anchor, frame.image_bgr):
            return None
        self.search.afresh()
        self.is_disproved = not self.is_covered
        return self._kicked(frame, Drift(shift_px, "kick", 1.0))

    def _kicked(self, frame: Frame, drift: Drift) -> CameraNews:
        """From now on nothing is drawn or agreed until the table is measured again."""
        drift = self._told_back(drift)
        self.away_s, self._hunt, self._is_in_vain = frame.t_s, Hunt(), False
        self._known_s = frame.t_s
        self._drift, self._told_lost, self._told_px, self._drifting = drift, False, drift.shift_px, Drifting()
        return CameraNews.of("kicked", drift, drift.shift_px)

    def _confirmed(self, frame: Frame, drift: Drift, moving: bool) -> tuple[CameraNews | None, TablePlane | None]:
        """What two looks in a row say: a kick, a drift or a soft picture."""
        if drift.moved:
            self.search.afresh()
            is_hasty = drift.kind == "mirrored" and not self._is_mirrored(frame)
            return self._kicked(frame, replace(drift, kind="kick") if is_hasty else drift), None
        if drift.kind == "drift":
            return (None, None) if moving else self._followed(frame)
        told, self._hunt.is_told = self._hunt.is_told, True
        return (None if told else CameraNews.of("unfocused", drift, drift.shift_px)), None

    def _followed(self, frame: Frame) -> tuple[CameraNews | None, TablePlane | None]:
        """A slow drift is followed before it is as much as a piece's smallest move."""
        plane = self.register(self.first, frame.image_bgr) or self.register(self.anchor, frame.image_bgr)
        if plane is None:
            return None, None
        was, self._suspect = self.anchor, None
        self.anchor = Anchor.of(frame.image_bgr, plane, was.table_size_mm)
        return self._drifting.followed(was, plane, frame.t_s), plane

    def _is_steady(self, frame: Frame, for_s: float = STEADY_S) -> bool:
        return self._steady_since_s is not None and frame.t_s - self._steady_since_s >= for_s

    def _refined(self, frame: Frame) -> TablePlane | None:
        """What was measured while hands moved is measured again, once, when they are gone."""
        plane, self._is_rough = self._by_texture(self.first, frame), False
        if plane is not None:
            self.anchor, self._suspect = Anchor.of(frame.image_bgr, plane, self.anchor.table_size_mm), None
        return plane

    def _returning(self, frame: Frame) -> tuple[CameraNews | None, TablePlane | None]:
        """Measure again as soon as the picture is steady."""
        if frame.t_s < self._next_look_s:
            return None, None
        self._next_look_s = frame.t_s + LOOK_EVERY_S
        drift = watch(self.anchor, frame.image_bgr)
        if drift.kind == "mirrored" and self._by_landmarks(frame) is None:
            self._known_s = frame.t_s
            return (self._mirrored(drift) if self._is_mirrored(frame) else None), None
        # Where hands go on moving, the camera is steady when the table shows at the same place in two looks.
        was_px, self._shift_px = self._shift_px, drift.shift_px
        steady = self._is_steady(frame)
        if not steady and not abs(drift.shift_px - was_px) < _STEADY_PX:
            return self._moving(frame, drift), None
        return self._registered(frame, drift, steady)

    def _moving(self, frame: Frame, drift: Drift) -> CameraNews | None:
        """What to tell of a camera that moves on: how far it is by now, where that is far more than was told."""
        is_told = drift.moved and drift.shift_px >= GROWN * self._told_px
        if not is_told or frame.t_s - (self.away_s or 0.0) < _MOVES_ON_S:
            return None
        self._told_px = drift.shift_px
        return CameraNews.of("moving", drift, drift.shift_px)

    def _is_mirrored(self, frame: Frame) -> bool:
        """Whether what looks so is: a plain table may look like its mirror image, markers on it do not, and they are
        found as soon as the picture is steady."""
        return not self.search.is_quick or (self._is_steady(frame) and self._by_landmarks(frame, quick=True) is None)

    def _mirrored(self, drift: Drift) -> CameraNews | None:
        """A mirrored picture is not measured: which way round the table lies is the player's to put right."""
        was, self._drift = self._drift, drift
        return CameraNews.of("kicked", drift, drift.shift_px) if was is None or was.kind != "mirrored" else None

    def _registered(self, frame: Frame, drift: Drift, steady: bool) -> tuple[CameraNews | None, TablePlane | None]:
        """Measured again, or what to say where that does not go."""
        gone_s, drift = frame.t_s - (self.away_s or 0.0), self._told_back(drift)
        anchors = self._anchors if not self.is_disproved else ()
        plane = next(filter(None, (self._by_texture(anchor, frame) for anchor in anchors)), None)
        known = self._by_landmarks(frame, quick=plane is not None)
        if known is not None and (plane is None or apart_px(self.anchor, known, plane) > _CARRIED_PX):
            plane, drift = known, Drift(apart_px(self.anchor, known, self.anchor.plane), "kick", 1.0)
        if plane is not None:
            was, self.anchor = self.anchor.plane, Anchor.of(frame.image_bgr, plane, self.anchor.table_size_mm)
            self.away_s, self._suspect, self._shift_px, self._is_rough = None, None, float("nan"), not steady
            self.is_disproved = False
            news = CameraNews.of("registered", self._named(drift), drift.shift_px, gone_s)
            return replace(news, cause=cause_of(news.zoom, was, plane)), plane
        self._next_look_s = frame.t_s + float(np.clip(_SELDOMER * gone_s, LOOK_EVERY_S, _SELDOM_S))
        if frame.t_s - self._known_s > LOST_S and not self._told_lost:
            self._told_lost = True
            return CameraNews("lost", self._drift.kind if self._drift else "kick", float("nan"), gone_s), None
        return None, None

    def _by_texture(self, anchor: Anchor, frame: Frame) -> TablePlane | None:
        """The table by what it looked like; what stands on it, which lies aside for a camera elsewhere, as such."""
        plane, bodies = self.register(anchor, frame.image_bgr), self.bodies(anchor.plane)
        if plane is None or bodies.hidden_mm.is_empty or not is_aside(anchor.plane, plane):
            return plane
        # Half a second of the frames' thread is spent so once; after that the search beside them goes on.
        measured = sharpened(anchor, frame.image_bgr, plane, self.bodies) if not self._is_in_vain else None
        if measured is not None and explains_better(plane, measured):
            # It has the old lens, and the lens was zoomed.
            return plane
        self._is_in_vain = measured is None or added_mm(measured, anchor) > MOST_ADDED_MM
        return None if self._is_in_vain else measured

    def from_elsewhere(self, frame: Frame) -> TablePlane | None:
        """The table as the first picture showed it, or else the last, known again from anywhere through the lens as it
        is now: what a zoom came before says nothing of it."""
        lens = self.anchor.plane.lens.parameters
        for anchor in (each for each in self._anchors if np.allclose(each.plane.lens.parameters, lens)):
            plane = measured_elsewhere(anchor, frame.image_bgr, self.bodies)
            if plane is not None and added_mm(plane, anchor) <= MOST_ADDED_MM:
                return plane
        return None

    def glimpsed(self, frame: Frame) -> TablePlane | None:
        """The same to some centimetres; None too where what shows beside the table stands."""
        if surroundings_stand(self.anchor, frame.image_bgr):
            return None
        glimpse = seen_elsewhere(self.anchor, frame.image_bgr)
        return glimpse.plane if glimpse is not None else None

    @property
    def _anchors(self) -> tuple[Anchor, ...]:
        """What to compare a picture with: errors add up least from the first."""
        return (self.first,) if self.anchor is self.first else (self.first, self.anchor)

    def sharpened(self, frame: Frame, by_pieces: TablePlane) -> TablePlane | None:
        """The table as its pieces tell it, through the lens of before, and its texture from there on; None where that
        is not exact."""
        told = by_pieces.history.fitted[-6:, -6:]
        plane = sharpened(self.first, frame.image_bgr, by_pieces, self.bodies, told) or by_pieces
        return plane if added_mm(plane, self.first) <= _MOST_BY_PIECES_MM else None

    def _told_back(self, drift: Drift) -> Drift:
        """The same, with whether it brings the table back as it lay at first."""
        return replace(drift, is_back=turned_back(self.first, self.anchor, drift))

    def _named(self, drift: Drift) -> Drift:
        """What brought the camera here: as it is seen now, or as it was told if it is back where it stood."""
        if drift.moved or self._drift is None:
            return drift
        return self._drift


def is_aside(before: TablePlane, now: TablePlane) -> bool:
    """Whether the camera was carried, and not only turned about its lens."""
    return bool(np.linalg.norm(now.camera_position_mm - before.camera_position_mm) >= _ASIDE_MM)

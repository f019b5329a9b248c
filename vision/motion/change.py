"""Where the picture changed: against the frame a moment ago (motion) and against the agreed table (change).

Works on a picture shrunk to 480 px width, where sensor noise is averaged away and a frame costs about a millisecond.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, ImageBgr
from vision.light.bands import band_gains
from vision.motion.shade import but_for_shade
from vision.stream.health import Trouble

Mask = NDArray[np.uint8]
# How many times as strong light is, blue, green and red.
Gain = tuple[float, float, float]
# What keeps a part of the table from being read while the rest is.
Obstacle = Literal["arm", "restless"]

# Changes are looked for in pictures shrunk to this width.
WIDTH_PX = 480
_FLICKERING = (
    "the light flickers, in bands that wander through the picture: set the camera's flicker filter to your mains (50 "
    "or 60 Hz), expose longer, or take another lamp"
)
# Grey levels between the shrunk pictures. Area averaging over 16 pixels leaves webcam noise (sigma 3 to 6) a sigma of
# about 1.5, and H.264 or MJPEG blocks a few levels more: 18 is beyond both, and a hand or a moved coin is far above.
MOTION_LEVELS = 18
CHANGE_LEVELS = 22
# Motion is looked for over this time, so that a slow hand at 30 pictures a second is seen as well.
MOTION_SPAN_S = 0.12
# Fewer changed pixels than this are noise: a 16 mm coin at the far edge of a 1080p picture covers about 12.
MIN_PIXELS = 6
# A lamp that flickers by more than this, crest against trough, blows its crests out: what is left there moves for ever.
# It is told for so long after it was seen last.
_FLICKERS, _TOLD_S = 1.6, 1.0
# Bands of light are taken off where no more than this share of what differs is left: of a hand and its shadow nearly
# all is, whatever rows they darken.
_BANDED = 0.6
# The grey levels between which light is known, and how far apart the gains of its colours are where its colour changes.
_DARK, _BRIGHT, _ALIKE = 20, 235, 1.01
# A table that is agreed in so much less light (its mean level, a fifth of the light) tells little when it is lit again:
# made as bright, its grain and its steps of a level are things.
_DIMMER = 0.5
# What falls to less than this was covered: a lens, a whole table. It may rise as far as it likes: a lamp that went out
# comes on again. (So a white sheet over all of a dark table passes for light.)
_LEAST_GAIN = 0.3


@dataclass(frozen=True, eq=False)
class Aside:
    """Where nothing is told, since an arm lingers (`vision.motion.lingering`) or something never rests
    (`vision.motion.restless`): masks as those of `Change`.

    here     where it is, and where something is missing that may be in the arm's hand
    touched  where the arm was since a table was last agreed; None if there is no arm
    """

    here: Mask
    touched: Mask | None = None

    def also(self, here: Mask) -> Aside:
        """With one more place."""
        return replace(self, here=cast(Mask, cv2.bitwise_or(self.here, here)))


@dataclass(frozen=True, eq=False)
class Change:
    """Masks (h, w) uint8 0 or 255 at the shrunk size; `scale` is shrunk px per picture px.

    first  nothing was agreed before: all is new
    bands  how many times as bright crests are as troughs of the bands that a flickering lamp made since a moment ago
    aside  where nothing is told; None for nowhere
    """

    moving: Mask
    changed: Mask
    scale: float
    first: bool = False
    bands: float = 1.0
    aside: Aside | None = None

    @property
    def is_moving(self) -> bool:
        """Whether anything moves now."""
        return int(np.count_nonzero(self.moving)) >= MIN_PIXELS

    @property
    def is_changed(self) -> bool:
        """Whether the table differs from the one agreed."""
        return int(np.count_nonzero(self.changed)) >= MIN_PIXELS


@dataclass(frozen=True, eq=False)
class Behind:
    """What a shrunk picture showed beside the table before somebody came there who is in the one that was agreed: when
    he is gone, nothing has changed.

    place      where he is, (h, w) uint8 0 or 255
    image_bgr  what showed there, (h, w, 3); elsewhere what was agreed
    """

    place: Mask
    image_bgr: ImageBgr

    def differs(self, small: ImageBgr) -> Mask:
        """Where a picture of the same size shows something else there than then."""
        return cast(Mask, cv2.bitwise_and(_differs(self.image_bgr, small, CHANGE_LEVELS)[0], self.place))

    def again(self, small: ImageBgr) -> Mask:
        """Where it shows what was there then."""
        return cast(Mask, cv2.subtract(self.place, self.differs(small)))


@dataclass(frozen=True, eq=False)
class ChangeGate:
    """What the next frame is compared with: the agreed table and the frames of the last moment, all shrunk.

    flickered_s  when a lamp last flickered by more than can be allowed for
    behind       what is known of where the agreed picture shows who is beside the table; None where it shows nobody
    lit          what was agreed last before the light fell so far that `agreed` tells little; None while it has not
    """

    agreed: ImageBgr | None = None
    recent: tuple[tuple[float, ImageBgr], ...] = ()
    flickered_s: float = -np.inf
    behind: Behind | None = None
    lit: ImageBgr | None = None

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong with the light, if so much is."""
        is_over = not self.recent or self.recent[-1][0] - self.flickered_s > _TOLD_S
        return None if is_over else Trouble("flicker", _FLICKERING)

    @property
    def is_dim(self) -> bool:
        """Whether the table is lit so much less than as it was agreed, or was, that what moves may go unseen."""
        if self.agreed is None or not self.recent:
            return False
        return self.lit is not None or _brightness(self.recent[-1][1]) < _DIMMER * _brightness(self.agreed)

    def seen(self, frame: Frame) -> tuple[ChangeGate, Change]:
        """The gate after `frame`, and what changed in it."""
        small = shrunk(frame.image_bgr)
        past = self.recent[0][1] if self.recent and self.recent[0][1].shape == small.shape else small
        agreed = self._agreed_as_lit(small)
        moving, bands = _differs(past, small, MOTION_LEVELS)
        changed, _ = _differs(agreed, small, CHANGE_LEVELS)
        if self.behind is not None and cv2.countNonZero(changed):
            changed = cast(Mask, cv2.subtract(changed, self.behind.again(small)))
        change = Change(moving, changed, small.shape[1] / frame.image_bgr.shape[1], agreed is small, bands)
        recent = tuple((t, image) for t, image in self.recent if t > frame.t_s - MOTION_SPAN_S)
        kept = self.recent[len(self.recent) - len(recent) - 1 :] if len(recent) < len(self.recent) else recent
        flickered_s = frame.t_s if bands > _FLICKERS else self.flickered_s
        return replace(self, recent=(*kept, (frame.t_s, small)), flickered_s=flickered_s), change

    def agreeing(self, frame: Frame, beside: Mask | None = None) -> ChangeGate:
        """The gate for which `frame` shows the agreed table; `beside` masks what shows beside the table and was not
        there before, None for nothing."""
        small = shrunk(frame.image_bgr)
        return replace(self, agreed=small, behind=self._behind(small, beside), lit=self._lit_before(small))

    def _agreed_as_lit(self, small: ImageBgr) -> ImageBgr:
        """What a picture is compared with: of what was agreed in the light and in the dark that which is lit more like
        it; the picture itself where nothing was."""
        known = [each for each in (self.agreed, self.lit) if each is not None and each.shape == small.shape]
        return min(known, key=lambda each: abs(float(np.log(_brightness(each) / _brightness(small)))), default=small)

    def _lit_before(self, small: ImageBgr) -> ImageBgr | None:
        """What was agreed in the light, where a picture that is agreed now shows the table much darker."""
        lit = self.agreed if self.lit is None else self.lit
        is_dark = lit is not None and _brightness(small) < _DIMMER * _brightness(lit)
        return lit if is_dark else None

    def _behind(self, small: ImageBgr, beside: Mask | None) -> Behind | None:
        """What was there before: the earlier the better, as who fidgets is in more than one agreed picture."""
        if beside is None or self.agreed is None or self.agreed.shape != small.shape:
            return None
        stays = np.zeros_like(beside) if self.behind is None else self.behind.differs(small)
        place = cast(Mask, cv2.bitwise_or(beside, stays))
        if not cv2.countNonZero(place):
            return None
        was = lit_by(self.agreed, light_gain(self.agreed, small))
        if self.behind is not None:
            earlier = lit_by(self.behind.image_bgr, light_gain(self.behind.image_bgr, small))
            was = np.where(stays[..., None] > 0, earlier, was)
        return Behind(place, np.where(place[..., None] > 0, was, small))


def shrunk(image_bgr: ImageBgr) -> ImageBgr:
    """The picture at `WIDTH_PX` width, each pixel the mean of those that it stands for."""
    height, width = image_bgr.shape[:2]
    size = (WIDTH_PX, max(1, round(height * WIDTH_PX / width)))
    small = image_bgr
    # OpenCV halves a picture quickly: 1080p in two halvings costs a quarter of one step, for the same result.
    while small.shape[1] >= 2 * WIDTH_PX and not (small.shape[0] % 2 or small.shape[1] % 2):
        half = (small.shape[1] // 2, small.shape[0] // 2)
        small = cast(ImageBgr, cv2.resize(small, half, interpolation=cv2.INTER_AREA))
    return cast(ImageBgr, cv2.resize(small, size, interpolation=cv2.INTER_AREA))


def _differs(before: ImageBgr, after: ImageBgr, levels: int) -> tuple[Mask, float]:
    """Where the pictures differ by more than `levels` in some channel, a change of the whole light, a lamp's flicker
    and soft shadows allowed for; and `Change.bands`."""
    if before is after:
        return np.zeros(after.shape[:2], np.uint8), 1.0
    lit, bands = lit_by(before, light_gain(before, after)), 1.0
    differs = _beyond(lit, after, levels)
    if np.count_nonzero(differs) < MIN_PIXELS:
        return differs, bands
    gains = band_gains(before, after)
    if gains is not None:
        by_bands = cast(ImageBgr, cv2.convertScaleAbs(before * gains.astype(np.float32)))
        banded = _beyond(by_bands, after, levels)
        if np.count_nonzero(banded) < _BANDED * np.count_nonzero(differs):
            lit, differs, bands = by_bands, banded, float(gains.max() / gains.min())
    return but_for_shade(differs, lit, after, levels), bands


def lit_by(image_bgr: ImageBgr, gain_bgr: Gain) -> ImageBgr:
    """The picture in light that is so many times as strong in each colour."""
    if max(gain_bgr) < _ALIKE * min(gain_bgr):
        # Three times as fast.
        return cast(ImageBgr, cv2.convertScaleAbs(image_bgr, alpha=gain_bgr[1]))
    levels = np.arange(256)[:, None, None] * np.array(gain_bgr)
    return np.asarray(cv2.LUT(image_bgr, np.clip(np.rint(levels), 0, 255).astype(np.uint8)), np.uint8)


def _beyond(lit: ImageBgr, after: ImageBgr, levels: int) -> Mask:
    within = cv2.inRange(cv2.absdiff(lit, after), (0, 0, 0), (levels, levels, levels))
    return cast(Mask, cv2.medianBlur(cv2.bitwise_not(within), 3))


def _brightness(small: ImageBgr) -> float:
    """Its mean level; 1 at least."""
    return max(float(small[::7, ::7].mean()), 1.0)


def light_gain(before: ImageBgr, after: ImageBgr) -> Gain:
    """How many times as strong the light became on the whole table, for blue, green and red: the median ratios over a
    coarse grid of pixels. Some lamps change their colour."""
    few_before, few_after = (np.ascontiguousarray(each[::7, ::7].transpose(2, 0, 1)) for each in (before, after))
    blue, green, red = map(_gain, few_before, few_after)
    return blue, green, red


def _gain(before: Mask, after: Mask) -> float:
    lit = (before > _DARK) & (before < _BRIGHT)
    # All in order, of which the middle one or two are taken: numpy's own median takes twice as long.
    ratios = np.sort(after[lit] / before[lit].astype(np.float32))
    middle = ratios[(len(ratios) - 1) // 2 : len(ratios) // 2 + 1]
    return max(float(middle.mean()), _LEAST_GAIN) if len(ratios) else 1.0

"""Frames of a clip: a resting table, drawn again when something was put down, and the hand that moves over it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import cv2
import numpy as np

from sample_footage.block import Block
from sample_footage.block_draw import block_patch
from sample_footage.coin_draw import blurred, coin_patch
from sample_footage.ground import window_of
from sample_footage.hand_draw import Arm
from sample_footage.photo_table import CutCoin
from sample_footage.shadows import occlusion_of, shadow_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sample_footage.coin import Coin
    from sample_footage.coin_draw import Patch
    from sample_footage.gesture import Gesture
    from sample_footage.ground import View
    from sample_footage.sensor import Sensor, Window
    from sample_footage.shadows import Solid
    from sample_footage.solid_film import SolidDrawn

    Floats = NDArray[np.float32]
    Piece = Coin | Block

SEAM_PX = 4  # the lens blur reaches this far into what lies beside a window
NEIGHBOUR_MM = 18.0  # between outlines: further away no piece shades another
NOISE_FIELDS = 6
HELD_SHADOW_MM = 70.0
SHUTTER_S = 1 / 60
KEPT = 1024  # patches, and parts of the picture with their shade: of two tables of 60 pieces


class Drawn:
    """Pieces over one view, with their light and shade; a piece that lies as before is not drawn again."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._patch = lru_cache(KEPT)(partial(_patch, view))
        self._left = lru_cache(KEPT)(view.left_in)

    def table(self, bare: Floats, pieces: Sequence[Piece]) -> Floats:
        """The linear picture of a table with pieces at rest."""
        picture = bare.copy()
        for tile, near in self.view.shaded([piece.solid for piece in pieces]):
            picture[window_of(tile)] *= self._left(tile, near)
        for piece in drawing_order(pieces):
            self.patch(piece, pieces).lay_over(picture)
        return picture

    def patch(self, piece: Piece, pieces: Sequence[Piece]) -> Patch:
        """One piece's pixels, shaded by its neighbours."""
        return self._patch(
            piece, tuple(o.solid for o in pieces if o is not piece and _apart_mm(o, piece) < NEIGHBOUR_MM)
        )


def lit_table(view: View, bare: Floats, coins: Sequence[Piece]) -> Floats:
    """The linear picture of a table with coins at rest."""
    return Drawn(view).table(bare, coins)


def drawing_order(coins: Sequence[Piece]) -> list[Piece]:
    """Low before high, far before near; dice last, for they hide what lies behind them."""
    return sorted(coins, key=lambda piece: (_is_tall(piece), piece.low_mm, -piece.position_mm[1]))


def _is_tall(piece: Piece) -> bool:
    return isinstance(piece, Block) and piece.kind == "die"


def _patch(view: View, piece: Piece, near: Sequence[Solid]) -> Patch:
    if isinstance(piece, CutCoin):
        return piece.patch(view.camera)
    draw = block_patch if isinstance(piece, Block) else coin_patch
    return draw(piece, view.camera, view.light, near)  # type: ignore[arg-type]


def _apart_mm(one: Piece, other: Piece) -> float:
    gap = float(np.hypot(*np.subtract(one.position_mm, other.position_mm)))
    return gap - one.solid.radius_mm - other.solid.radius_mm


@dataclass(frozen=True)
class _Hand:
    """One arm at a time, seen from `away_mm`: the lamp and the room that it takes from each pixel, the piece in it as
    it is and as it shows, and what shows of itself."""

    lamp: Floats
    sky: Floats
    held: Piece | None
    coin: Patch | None
    arm: Patch | None
    away_mm: float


class Film:
    """Draws frames one after another; `resting` changes only when a coin is taken or put down."""

    def __init__(self, view: View, sensor: Sensor, drawn: Drawn | SolidDrawn | None = None) -> None:
        self.view, self.sensor = view, sensor
        self.size = (view.camera.size_px[1], view.camera.size_px[0])
        self.bare, self._drawn = view.bare(), drawn or Drawn(view)
        self._full_exposure = sensor.exposure
        self._resting: tuple[Piece, ...] | None = None
        self._table = self.bare
        self._still = np.zeros((*self.size, 3), np.uint8)
        rng = np.random.default_rng([79, 0])
        strength = sensor.noise_moving
        self._noise = [
            np.repeat(np.rint(strength * rng.standard_normal((*self.size, 1))).astype(np.int16), 3, axis=2)
            for _ in range(NOISE_FIELDS if strength else 0)
        ]

    def dim(self, share: float) -> None:
        """Turn the room's light to that share of the full; exposure does not follow."""
        wanted = replace(self.sensor, exposure=self._full_exposure * share)
        if wanted != self.sensor:
            self.sensor, self._resting = wanted, None

    def frame(
        self, index: int, t_s: float, resting: tuple[Piece, ...], gestures: Sequence[Gesture] = ()
    ) -> NDArray[np.uint8]:
        """The 8-bit picture at a time."""
        self._rest(resting)
        picture = self._still.copy()
        self._lay_hands(picture, [self._hand(t_s, gesture, resting) for gesture in gestures if gesture.is_on(t_s)])
        return self._with_noise(picture, index)

    def _rest(self, resting: tuple[Piece, ...]) -> None:
        if resting != self._resting:
            self._resting = resting
            self._table = self._drawn.table(self.bare, resting)
            self._still = self.sensor.develop(self._table, self.size)

    def _hand(self, t_s: float, gesture: Gesture, resting: Sequence[Piece]) -> _Hand:
        """A hand with what it holds and the shadow of both."""
        pose, travel = gesture.pose(t_s), self._travel_px(gesture, t_s)
        arm = Arm(gesture.seat.person, pose)
        lamp, sky = arm.shadow(self.view.camera, self.view.light)
        held = gesture.held_coin(t_s) if gesture.in_hand(t_s) else None
        patches = (
            self._drawn.patch(held, resting) if held is not None else None,
            arm.patch(self.view.camera, self.view.light),
        )
        layers = tuple(blurred(patch, travel) if patch is not None else None for patch in patches)
        away_mm = float(np.linalg.norm(self.view.camera.eye_mm - pose.at_mm))
        return _Hand(lamp, sky, held, layers[0], layers[1], away_mm)

    def _lay_hands(self, picture: NDArray[np.uint8], hands: Sequence[_Hand]) -> None:
        """All hands of a time into the picture, which is developed once: each shows beside the others."""
        window = _touched(hands, self.size)
        if window is None:
            return
        light = self._table[window] * self._shade(window, hands)
        corner = (window[1].start, window[0].start)
        for hand in sorted(hands, key=lambda hand: -hand.away_mm):
            for patch in (hand.coin, hand.arm):
                if patch is not None:
                    _moved(patch, corner).lay_over(light)
        developed = self.sensor.develop(light, self.size, window)
        inner = tuple(
            slice(s.start + SEAM_PX * (s.start > 0), s.stop - SEAM_PX * (s.stop < n))
            for s, n in zip(window, self.size, strict=True)
        )
        local = tuple(slice(i.start - s.start, i.stop - s.start) for i, s in zip(inner, window, strict=True))
        picture[inner] = developed[local]

    def _travel_px(self, gesture: Gesture, t_s: float) -> tuple[float, float]:
        """How far the fingers move across the picture while the shutter is open."""
        tips = [gesture.pose(t_s + dt).at_mm for dt in (-SHUTTER_S / 2, SHUTTER_S / 2)]
        start, end = self.view.camera.project(tips)
        return float(end[0] - start[0]), float(end[1] - start[1])

    def _shade(self, window: Window, hands: Sequence[_Hand]) -> Floats:
        """What is left of the table's light under the arms and the pieces in the hands."""
        xy = self.view.table_mm[window]
        shadow = np.max([hand.lamp[window] for hand in hands], axis=0)
        dark = np.max([hand.sky[window] for hand in hands], axis=0)
        for held in (hand.held for hand in hands if hand.held is not None):
            near = np.hypot(xy[..., 0] - held.position_mm[0], xy[..., 1] - held.position_mm[1]) < HELD_SHADOW_MM
            shadow[near] = np.maximum(shadow[near], shadow_of([held.solid], xy[near], 0.0, self.view.light))
            dark[near] = np.maximum(dark[near], occlusion_of([held.solid], xy[near], 0.0))
        share = self.view.lamp_share[window]
        return np.asarray(1 - dark[..., None] - share * (shadow - dark)[..., None], np.float32)

    def _with_noise(self, picture: NDArray[np.uint8], index: int) -> NDArray[np.uint8]:
        if not self._noise:
            return picture
        return np.asarray(cv2.add(picture, self._noise[index % len(self._noise)], dtype=cv2.CV_8U), np.uint8)


def _moved(patch: Patch, corner: tuple[int, int]) -> Patch:
    return replace(patch, corner_px=(patch.corner_px[0] - corner[0], patch.corner_px[1] - corner[1]))


def _touched(hands: Sequence[_Hand], size: tuple[int, int]) -> Window | None:
    """The part of the picture that any of them, or its shadow, reaches."""
    spans = [span for hand in hands for span in _spans(hand)]
    if not spans:
        return None
    low_v, high_v, low_u, high_u = (f(s[k] for s in spans) for k, f in enumerate((min, max, min, max)))
    pad = 2 * SEAM_PX
    return (
        slice(max(0, low_v - pad), min(size[0], high_v + pad)),
        slice(max(0, low_u - pad), min(size[1], high_u + pad)),
    )


def _spans(hand: _Hand) -> list[tuple[int, int, int, int]]:
    """First and last rows and columns of its shadow and of what shows of it, where there is any."""
    shaded = np.maximum(hand.lamp, hand.sky) > 0.004
    rows, columns = np.flatnonzero(shaded.any(axis=1)), np.flatnonzero(shaded.any(axis=0))
    spans = [(int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1)] if len(rows) else []
    if hand.arm is not None:
        u, v = hand.arm.corner_px
        spans.append((v, v + hand.arm.cover.shape[0], u, u + hand.arm.cover.shape[1]))
    return spans

"""What hands do to pieces while a match is drawn by chance. No rules are kept: what is right is what happened."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sample_footage.block import Block
from sample_footage.clip_truth import Change
from sample_footage.coin import Coin
from sample_footage.gesture import AWAY_MM, LIFT_MM, Gesture, Seat
from sample_footage.still_pictures import fits, one_coin
from sample_footage.thing_pictures import DIE_BODIES_BGR

if TYPE_CHECKING:
    Piece = Coin | Block

Point = tuple[float, float]

FIRST_S = 2.0
# From a hand that is gone to the next: a quick player's to a thoughtful one's.
PAUSE_S = (0.6, 2.5)
PACES = (1.0, 3.0)
# Of the two hands of one visit the second comes before the first is quite out.
AT_ONCE_S = 1.0
# A sleeve that brushes a coin.
BRUSH_MM = (5.0, 14.0)
# Where the coin is that a hand brings: in the fingers, at the end of the arm.
BROUGHT_MM = 5.0
# A coin that is turned over in its place does not lie quite where it lay; a die lies so far from all else.
PUT_BACK_MM, BESIDE_MM = (0.3, 2.5), 3.0
TRIES = 60


@dataclass
class Play:
    """A match while it is drawn: what lies, what the hands do, what changes."""

    rng: np.random.Generator
    seats: tuple[Seat, Seat]
    lying: dict[str, Piece]
    classes: list[str]
    t_s: float = FIRST_S
    reaches: list[Gesture] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)

    @property
    def coins(self) -> list[Coin]:
        """The coins that lie, the first ones first."""
        return [piece for piece in self.lying.values() if isinstance(piece, Coin)]

    def move(self, lift_mm: float = LIFT_MM) -> None:
        """A coin goes elsewhere."""
        coin = self._any_coin()
        self._reach(coin, self._free_place(coin), lift_mm)

    def slide(self) -> None:
        """A coin is pushed elsewhere with a finger."""
        self.move(lift_mm=0.0)

    def take(self) -> None:
        """A coin is taken, and another of the mover's goes to its place."""
        taken, mover = self._any_coin(), self._any_coin()
        seat = self._reach(taken, None)
        if mover.id != taken.id:
            at = taken.position_mm if self._is_free(mover, taken.position_mm) else self._free_place(mover)
            self._reach(mover, at, seat=seat)

    def bring(self) -> None:
        """A new coin comes on to the table."""
        seat = self._seat()
        coin = self._new_coin(seat)
        self._bring(coin, self._free_place(coin), seat)

    def stack(self) -> None:
        """A coin is laid on another that nothing lies on."""
        upper, lower = self._any_coin(), self._any_coin()
        if upper.id != lower.id and lower.radius_mm >= upper.radius_mm - 1.0 and lower.on is None:
            self._reach(upper, lower.position_mm, on=lower)
        else:
            self.move()

    def brush(self) -> None:
        """A coin goes elsewhere, and the sleeve pushes another a little aside."""
        self.move()
        coin, turn = self._any_coin(), self.rng.uniform(0, math.tau)
        far = self.rng.uniform(*BRUSH_MM)
        at = (coin.position_mm[0] + far * math.cos(turn), coin.position_mm[1] + far * math.sin(turn))
        last = self.reaches[-1]
        if coin.id != last.coin.id and coin.on is None and self._is_free(coin, at):
            pushed = replace(coin, position_mm=at, low_mm=self._floor_mm(at))
            self._change(Change(last.put_s, last.put_s, coin, pushed), last.seat)

    def hover(self) -> None:
        """A hand that thinks and goes."""
        seat, coin = self._seat(), self._any_coin()
        self._add(Gesture(seat, self.t_s, coin, None, holds=False, hover_s=float(self.rng.uniform(0.8, 3.0))))

    def both(self) -> None:
        """Both players reach in, one a little after the other."""
        first, second = self._any_coin(), self._any_coin()
        begun_s = self.t_s
        self._reach(first, self._free_place(first), seat=self.seats[0])
        if second.id != first.id:
            done_s, self.t_s = self.t_s, max(begun_s, self.reaches[-1].put_s - AT_ONCE_S)
            self._reach(second, self._free_place(second), seat=self.seats[1])
            self.t_s = max(self.t_s, done_s)

    def turn_over(self) -> None:
        """A coin is turned over in its place."""
        coin, turn, far = self._any_coin(), self.rng.uniform(0, math.tau), self.rng.uniform(*PUT_BACK_MM)
        at = (coin.position_mm[0] + far * math.cos(turn), coin.position_mm[1] + far * math.sin(turn))
        other = "tails" if coin.face == "heads" else "heads"
        if coin.on is None and self._is_free(coin, at):
            self._reach(coin, at, face=other)
        else:
            self.move()

    def roll(self) -> None:
        """A die is rolled beside all that lies: the one that lies there, or a new one."""
        dice = [piece for piece in self.lying.values() if isinstance(piece, Block) and piece.kind == "die"]
        at, pips = self._beside(12.0), str(self.rng.integers(1, 7))
        if at is None:
            self.move()
        elif dice:
            self._reach(dice[0], at, cls=pips)
        else:
            body = DIE_BODIES_BGR[int(self.rng.integers(len(DIE_BODIES_BGR)))]
            turn_deg = float(self.rng.uniform(0, 360))
            self._bring(Block(f"die{len(self.changes)}", "die", pips, at, turn_deg, tint_bgr=body), at, self._seat())

    def _reach(
        self,
        piece: Piece,
        to_mm: Point | None,
        lift_mm: float = LIFT_MM,
        seat: Seat | None = None,
        on: Coin | None = None,
        brings: bool = False,
        **shows: Any,
    ) -> Seat:
        """One hand does that to the piece, which then shows another face, class or turn if told so; whose hand."""
        seat, pace = seat or self._seat(), float(self.rng.uniform(*PACES))
        low_mm = on.high_mm if on is not None else self._floor_mm(to_mm)
        reach = Gesture(seat, self.t_s, piece, to_mm, low_mm, pace=pace, lift_mm=lift_mm, brings=brings)
        self._add(reach)
        after = None
        if to_mm is not None:
            put = reach.held_coin(reach.put_s)
            after = replace(put, position_mm=to_mm, low_mm=low_mm, on=on.id if on is not None else None, **shows)
        self._change(Change(reach.taken_s, reach.put_s, None if brings else piece, after), seat)
        return seat

    def _new_coin(self, seat: Seat) -> Coin:
        coin = one_coin(f"new{len(self.changes)}", str(self.rng.choice(self.classes)), (0.0, 0.0), self.rng)
        return replace(coin, owner=seat.colour)

    def _bring(self, piece: Piece, to_mm: Point, seat: Seat) -> None:
        """A hand comes with that piece in its fingers and puts it there."""
        x, y = np.subtract(to_mm, seat.shoulder_mm) / math.dist(to_mm, seat.shoulder_mm)
        at = (seat.shoulder_mm[0] + BROUGHT_MM * x, seat.shoulder_mm[1] + BROUGHT_MM * y)
        self._reach(replace(piece, position_mm=at, low_mm=AWAY_MM), to_mm, seat=seat, brings=True)

    def _add(self, reach: Gesture) -> None:
        self.reaches.append(reach)
        self.t_s = reach.end_s + float(self.rng.uniform(*PAUSE_S))

    def _change(self, change: Change, seat: Seat) -> None:
        self.changes.append(replace(change, player=seat.name))
        if change.before is not None:
            del self.lying[change.before.id]
        if change.after is not None:
            self.lying[change.after.id] = change.after

    def _seat(self) -> Seat:
        return self.seats[int(self.rng.integers(2))]

    def _any_coin(self) -> Coin:
        """One that nothing lies on."""
        under = {coin.on for coin in self.coins}
        top = [coin for coin in self.coins if coin.id not in under]
        return top[int(self.rng.integers(len(top)))]

    def _free_place(self, coin: Coin) -> Point:
        while True:
            at = (round(float(self.rng.uniform(24, 676)), 2), round(float(self.rng.uniform(24, 476)), 2))
            if self._is_free(coin, at) and math.dist(at, coin.position_mm) > 2 * coin.radius_mm:
                return at

    def _is_free(self, coin: Coin, at_mm: Point) -> bool:
        return fits(replace(coin, position_mm=at_mm), [other for other in self.coins if other.id != coin.id], 2.0)

    def _beside(self, radius_mm: float) -> Point | None:
        """A free place beside all that lies; None if there is hardly one."""
        for _ in range(10 * TRIES):
            at = (round(float(self.rng.uniform(20, 680)), 2), round(float(self.rng.uniform(20, 480)), 2))
            if all(p.solid.gap_mm(np.array([at]))[0] > radius_mm + BESIDE_MM for p in self.lying.values()):
                return at
        return None

    def _aside(self, at_mm: Point, by_mm: tuple[float, float]) -> Point:
        """A place so far from that one, from the least to the most, any way."""
        far, turn = self.rng.uniform(*by_mm), self.rng.uniform(0, math.tau)
        return at_mm[0] + far * math.cos(turn), at_mm[1] + far * math.sin(turn)

    def _floor_mm(self, at_mm: Point | None) -> float:
        """How high that lies on which a piece comes to lie there."""
        return 0.0

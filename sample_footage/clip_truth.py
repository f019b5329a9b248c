"""The truth of a clip (`sandtable/clip-truth/1`): where every piece rests when, and what happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sample_footage.block import Block
    from sample_footage.camera import Camera
    from sample_footage.coin import Coin
    from sample_footage.gesture import Gesture

    Piece = Coin | Block


@dataclass(frozen=True)
class Interval:
    """From when to when which coins rest; those in a hand are missing."""

    from_s: float
    to_s: float
    coins: tuple[Piece, ...]

    @property
    def record(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "from_s": round(self.from_s, 3),
            "to_s": round(self.to_s, 3),
            "pieces": {coin.id: _resting(coin) for coin in self.coins},
        }


def _resting(coin: Piece) -> dict[str, Any]:
    shows = {"class": coin.cls} if coin.kind != "coin" else {}
    return {
        **shows,
        "position_mm": [round(v, 3) for v in coin.position_mm],
        "elevation_mm": round(coin.low_mm, 3),
        "rotation_deg": round(coin.turn_deg, 2),
        "on": coin.on,
    }


def _look(piece: Piece) -> dict[str, Any]:
    """What there is to name."""
    kind = {"kind": piece.kind} if piece.kind != "coin" else {}
    return {**kind, "class": piece.cls, "owner": piece.owner, "face": piece.face}


@dataclass(frozen=True)
class Change:
    """A piece is taken at one time and put down at another, or pushed at once.

    before, after  as it lies before and afterwards; None: it was brought, it is taken off
    """

    taken_s: float
    put_s: float
    before: Piece | None
    after: Piece | None
    player: str = ""

    @property
    def event(self) -> str:
        """What the log calls it; `turn` where a coin or card was turned over."""
        if self.after is None:
            return "remove"
        if self.after.kind == "die":
            return "dice"
        if self.before is None:
            return "place"
        shown = [(piece.cls, piece.face) for piece in (self.before, self.after)]
        return "move" if shown[0] == shown[1] else "turn"

    @property
    def record(self) -> dict[str, Any]:
        """As an event of the truth."""
        coin = self.after or self.before
        assert coin is not None
        return {
            "time_s": round(self.put_s, 3),
            "taken_s": round(self.taken_s, 3),
            "turn": 1,
            "player": self.player,
            "event": self.event,
            "piece": coin.id,
            **_look(coin),
            "from_mm": None if self.before is None else list(self.before.position_mm),
            "to_mm": None if self.after is None else list(self.after.position_mm),
            "verdict": None,
        }


def intervals(
    pieces: Sequence[Piece], gestures: Sequence[Gesture], results: Sequence[Piece | None], duration_s: float
) -> list[Interval]:
    """Cut the clip wherever a coin is taken or put down; `results` holds each gesture's coin as it lies afterwards."""
    done = [(reach, after) for reach, after in zip(gestures, results, strict=True) if reach.holds]
    changes = [Change(reach.taken_s, reach.put_s, reach.coin, after) for reach, after in done]
    return intervals_between(pieces, changes, duration_s)


def intervals_between(pieces: Sequence[Piece], changes: Sequence[Change], duration_s: float) -> list[Interval]:
    """Cut the clip wherever something changes on the table, whatever hands do at the same time."""
    lying = {coin.id: coin for coin in pieces}
    steps = [(change.taken_s, change.before, None) for change in changes if change.before is not None]
    steps += [(change.put_s, None, change.after) for change in changes]
    cuts, start_s = [], 0.0
    for at_s, gone, there in sorted(steps, key=lambda step: step[0]):
        if at_s > start_s:
            cuts.append(Interval(start_s, at_s, tuple(lying.values())))
        if gone is not None:
            del lying[gone.id]
        if there is not None:
            lying[there.id] = there
        start_s = at_s
    return [*cuts, Interval(start_s, duration_s, tuple(lying.values()))]


def clip_truth(
    clip: str,
    setup: str,
    duration_s: float,
    fps: int,
    pieces: Sequence[Piece],
    cuts: Sequence[Interval],
    gestures: Sequence[Gesture],
    events: Sequence[dict[str, Any]],
    sieges: Sequence[dict[str, Any]],
    cameras: Sequence[tuple[float, float, Camera]],
) -> dict[str, Any]:
    """The whole record; times in the clip's own seconds."""
    return {
        "schema": "sandtable/clip-truth/1",
        "clip": clip,
        "setup": setup,
        "size_px": list(cameras[0][2].size_px),
        "fps": fps,
        "duration_s": duration_s,
        "pieces": {piece.id: _look(piece) for piece in pieces},
        "intervals": [cut.record for cut in cuts],
        "hands": [{"from_s": round(g.start_s, 3), "to_s": round(g.end_s, 3), "player": g.seat.name} for g in gestures],
        "events": list(events),
        "sieges": list(sieges),
        "camera": [
            {
                "from_s": round(a, 3),
                "to_s": round(b, 3),
                "rvec": [round(float(v), 9) for v in camera.rvec],
                "tvec_mm": [round(v, 6) for v in camera.tvec_mm],
            }
            for a, b, camera in cameras
        ],
    }

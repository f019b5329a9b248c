"""The truth of a clip (`sandtable/clip-truth/1`): where every piece rests when, and what happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sample_footage.camera import Camera
    from sample_footage.coin import Coin
    from sample_footage.gesture import Gesture


@dataclass(frozen=True)
class Interval:
    """From when to when which coins rest; those in a hand are missing."""

    from_s: float
    to_s: float
    coins: tuple[Coin, ...]

    @property
    def record(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "from_s": round(self.from_s, 3),
            "to_s": round(self.to_s, 3),
            "pieces": {coin.id: _resting(coin) for coin in self.coins},
        }


def _resting(coin: Coin) -> dict[str, Any]:
    return {
        "position_mm": [round(v, 3) for v in coin.position_mm],
        "elevation_mm": round(coin.low_mm, 3),
        "rotation_deg": round(coin.turn_deg, 2),
        "on": coin.on,
    }


@dataclass(frozen=True)
class Change:
    """A coin is taken at one time and put down at another, or pushed at once.

    before, after  as it lies before and afterwards; None: it was brought, it is taken off
    """

    taken_s: float
    put_s: float
    before: Coin | None
    after: Coin | None
    player: str = ""

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
            "event": "place" if self.before is None else "remove" if self.after is None else "move",
            "piece": coin.id,
            "class": coin.cls,
            "owner": coin.owner,
            "from_mm": None if self.before is None else list(self.before.position_mm),
            "to_mm": None if self.after is None else list(self.after.position_mm),
            "verdict": None,
        }


def intervals(
    pieces: Sequence[Coin], gestures: Sequence[Gesture], results: Sequence[Coin | None], duration_s: float
) -> list[Interval]:
    """Cut the clip wherever a coin is taken or put down; `results` holds each gesture's coin as it lies afterwards."""
    done = [(reach, after) for reach, after in zip(gestures, results, strict=True) if reach.holds]
    changes = [Change(reach.taken_s, reach.put_s, reach.coin, after) for reach, after in done]
    return intervals_between(pieces, changes, duration_s)


def intervals_between(pieces: Sequence[Coin], changes: Sequence[Change], duration_s: float) -> list[Interval]:
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
    pieces: Sequence[Coin],
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
        "pieces": {c.id: {"class": c.cls, "owner": c.owner, "face": c.face} for c in pieces},
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

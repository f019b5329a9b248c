"""The sample match, filmed: clip, set-up and truth."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sample_footage.camera import Camera, looking_at
from sample_footage.clip_file import write_clip
from sample_footage.clip_truth import Interval, clip_truth, intervals
from sample_footage.film import Film
from sample_footage.ground import Ground, View
from sample_footage.light import Light
from sample_footage.match_script import ACTS, DURATION_S, PIECES, Act, after, gestures
from sample_footage.sensor import Sensor
from sample_footage.setup_file import setup_toml
from sample_footage.whole_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from sample_footage.coin import Coin
    from sample_footage.gesture import Gesture

FPS = 25
SENSOR = Sensor(exposure=1.0, blur_px=0.5, noise_fixed=1.0, noise_moving=0.5)


def match_camera() -> Camera:
    """A webcam on an arm over the near edge, 54 degrees above the horizon."""
    return looking_at((350, 228, 0), 700, 54, focal_px=1480.0, distortion=(-0.11, 0.035, 0.0006, -0.0004, 0.0))


def results(reaches: Sequence[Gesture], acts: Sequence[Act] = ACTS) -> list[Coin | None]:
    """Each act's coin as it lies afterwards."""
    return [after({act.piece: reach.coin}, reach, act).get(act.piece) for act, reach in zip(acts, reaches, strict=True)]


def at_rest(cuts: Sequence[Interval], t_s: float) -> tuple[Coin, ...]:
    """What lies on the table at a time."""
    return next((cut.coins for cut in cuts if cut.from_s <= t_s < cut.to_s), cuts[-1].coins)


def match_frames(
    film: Film, cuts: Sequence[Interval], reaches: Sequence[Gesture], count: int, fps: int = FPS
) -> Iterator[NDArray[np.uint8]]:
    """Frame after frame; frame k shows the table at k / fps seconds."""
    for index in range(count):
        t_s = index / fps
        yield film.frame(index, t_s, at_rest(cuts, t_s), reaches)


def troubled_frames(
    film_by: Callable[[Camera], Film],
    stands: Sequence[tuple[float, float, Camera]],
    light: Sequence[tuple[float, float]],
    cuts: Sequence[Interval],
    reaches: Sequence[Gesture],
    count: int,
    fps: int = FPS,
) -> Iterator[NDArray[np.uint8]]:
    """As `match_frames`, by a camera that does not stand still, in a light that does not stay.

    stands  from when to when which camera
    light   (time, share of the light) from then on
    """
    film = None
    for index in range(count):
        t_s = index / fps
        camera = next(camera for start, end, camera in reversed(stands) if start - 1e-9 <= t_s < end + 1e-9)
        if film is None or film.view.camera != camera:
            film = film_by(camera)
        film.dim(next(share for start, share in reversed(light) if t_s >= start - 1e-9))
        yield film.frame(index, t_s, at_rest(cuts, t_s), reaches)


def match_events(reaches: Sequence[Gesture], acts: Sequence[Act] = ACTS) -> list[dict[str, Any]]:
    """One event for each act, at the moment when it is done."""
    return [
        {
            "time_s": round(reach.put_s, 3),
            "taken_s": round(reach.taken_s, 3),
            "turn": act.turn,
            "player": act.player.name,
            "event": "move" if act.to_mm else "remove",
            "piece": act.piece,
            "class": reach.coin.cls,
            "owner": reach.coin.owner,
            "from_mm": list(reach.coin.position_mm),
            "to_mm": list(act.to_mm) if act.to_mm else None,
            "verdict": act.verdict,
            "rule": act.rule,
            "why": act.why,
        }
        for act, reach in zip(acts, reaches, strict=True)
    ]


def write_match(out: Path) -> None:
    """match.mp4, setup.toml and truth.json in a folder that holds the map."""
    reaches = gestures()
    cuts = intervals(PIECES, reaches, results(reaches), DURATION_S)
    camera = match_camera()
    write_whole(out / "setup.toml", setup_toml(camera, map_file="kingsmere.geojson"))
    siege = {
        "piece": "blue-jessamy",
        "place": "Jessamy",
        "rule": "OMMS-7.1",
        "from_s": round(reaches[-1].put_s, 3),
        "to_s": None,
    }
    events, cameras = match_events(reaches), [(0.0, DURATION_S, camera)]
    truth = clip_truth("match.mp4", "setup.toml", DURATION_S, FPS, PIECES, cuts, reaches, events, [siege], cameras)
    write_whole(out / "truth.json", json.dumps(truth, indent=1) + "\n")
    film = Film(View(camera, Ground(), Light()), SENSOR)
    write_clip(out / "match.mp4", match_frames(film, cuts, reaches, round(DURATION_S * FPS)), FPS)

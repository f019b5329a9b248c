"""Short clips with trouble between two ordinary moves: a kicked camera, dimmed light, a big sleeve, a hovering hand."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sample_footage.camera import Camera, looking_at
from sample_footage.clip_file import write_clip
from sample_footage.clip_truth import Interval, clip_truth, intervals
from sample_footage.film import Film
from sample_footage.gesture import Gesture, Seat
from sample_footage.ground import Ground, View
from sample_footage.light import Light
from sample_footage.match_clip import FPS, SENSOR, match_camera, match_events, results, troubled_frames
from sample_footage.match_script import ACTS, ANN, BEN, PIECES, gestures
from sample_footage.setup_file import setup_toml
from sample_footage.whole_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

BEFORE_S, TROUBLE_S, AFTER_S, DURATION_S = 1.5, 7.5, 13.5, 19.0
MOVES = (
    replace(next(act for act in ACTS if act.piece == "red-invader"), start_s=BEFORE_S),
    replace(next(act for act in ACTS if act.piece == "blue-scout-east"), start_s=AFTER_S),
)
SHAKE_FRAMES = 9
LEANING_ANN = Seat("Ann", "red", replace(ANN.person, bulk=2.4, weave="plain"), (-330.0, -120.0))


@dataclass(frozen=True)
class Trouble:
    """What goes wrong.

    idle     reaches that move nothing
    cameras  from when to when which camera
    light    (time, share of the light) from then on
    """

    name: str
    idle: tuple[Gesture, ...] = ()
    cameras: tuple[tuple[float, float, Camera], ...] = ()
    light: tuple[tuple[float, float], ...] = ((0.0, 1.0),)
    events: tuple[tuple[float, str], ...] = ()


def troubles() -> tuple[Trouble, ...]:
    """The four clips."""
    whole = ((0.0, DURATION_S, match_camera()),)
    coins = {coin.id: coin for coin in PIECES}
    hover = Gesture(BEN, TROUBLE_S, coins["blue-guard"], None, holds=False, hover_s=3.0)
    lean = Gesture(LEANING_ANN, TROUBLE_S, coins["blue-scout-east"], None, holds=False, hover_s=3.0)
    ramp = tuple((TROUBLE_S + 0.04 * k, 1 - k / 60) for k in range(21))
    return (
        Trouble("kick", cameras=kicked(), events=((TROUBLE_S, "the tripod is kicked"),)),
        Trouble("dim", cameras=whole, light=((0.0, 1.0), *ramp)),
        Trouble("sleeve", (lean,), whole),
        Trouble("hover", (hover,), whole),
    )


def kicked() -> tuple[tuple[float, float, Camera], ...]:
    """The match's camera, a swing of a third of a second that dies away, and where it comes to stand: some 9 px off."""
    before = match_camera()
    parts = [(0.0, TROUBLE_S, before)]
    for k in range(1, SHAKE_FRAMES + 1):
        swing = 2.2 * np.exp(-k / 3.0) * np.sin(1.9 * k)
        parts.append((TROUBLE_S + (k - 1) / FPS, TROUBLE_S + k / FPS, _nudged(1.0 - np.exp(-k / 1.5) + swing)))
    return (*parts, (TROUBLE_S + SHAKE_FRAMES / FPS, DURATION_S, _nudged(1.0)))


def _nudged(share: float) -> Camera:
    target = (350 + 3.1 * share, 228 - 2.3 * share, 0.0)
    camera = match_camera()
    return looking_at(
        target,
        700 + 1.5 * share,
        54 + 0.15 * share,
        0.35 * share,
        0.12 * share,
        camera.size_px,
        camera.focal_px[0],
        camera.distortion,
    )


def frames(trouble: Trouble, cuts: list[Interval], reaches: list[Gesture]) -> Iterator[NDArray[np.uint8]]:
    """Frame after frame."""
    return troubled_frames(
        lambda camera: Film(View(camera, Ground(), Light()), SENSOR),
        trouble.cameras,
        trouble.light,
        cuts,
        reaches,
        round(DURATION_S * FPS),
    )


def trouble_truth(trouble: Trouble, cuts: list[Interval], reaches: list[Gesture]) -> dict[str, Any]:
    """The clip's truth, with what went wrong."""
    moves = [reach for reach in reaches if reach.holds]
    camera_events = [{"time_s": at, "event": "camera", "why": why} for at, why in trouble.events]
    events = sorted([*match_events(moves, MOVES), *camera_events], key=lambda event: event["time_s"])
    truth = clip_truth(
        f"{trouble.name}.mp4", "setup.toml", DURATION_S, FPS, PIECES, cuts, reaches, events, [], trouble.cameras
    )
    return {**truth, "light": [{"from_s": round(at, 3), "share": round(share, 4)} for at, share in trouble.light]}


def write_trouble(out: Path) -> None:
    """Four clips, each with its truth, and one set-up: that of the camera before it was kicked."""
    write_whole(out / "setup.toml", setup_toml(match_camera(), map_file="../omms/kingsmere.geojson"))
    moves = gestures(MOVES)
    cuts = intervals(PIECES, moves, results(moves, MOVES), DURATION_S)
    for trouble in troubles():
        reaches = sorted([*moves, *trouble.idle], key=lambda reach: reach.start_s)
        truth = trouble_truth(trouble, cuts, reaches)
        write_whole(out / f"{trouble.name}.truth.json", json.dumps(truth, indent=1) + "\n")
        write_clip(out / f"{trouble.name}.mp4", frames(trouble, cuts, reaches), FPS)

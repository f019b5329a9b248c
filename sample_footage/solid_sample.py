"""A sample match with figures as a film: one camera, a rendered table, and scripted acts by drawn hands."""

from __future__ import annotations

import argparse
import json
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from models.training.rendered import figures, mesh, paint, room
from models.training.rendered.layout import Figure as Stood
from models.training.rendered.measures import TERRAIN_INDEX
from sample_footage.camera import looking_at
from sample_footage.clip_file import write_clip
from sample_footage.clip_truth import clip_truth, intervals
from sample_footage.figure import Figure
from sample_footage.film import Film
from sample_footage.gesture import Gesture
from sample_footage.ground import TABLE_REACH_MM, table_top
from sample_footage.match_clip import match_events, match_frames, results
from sample_footage.match_script import gestures
from sample_footage.sensor import Sensor
from sample_footage.solid_film import SolidDrawn, SolidView
from sample_footage.solid_match import figure_of, light_of
from sample_footage.solid_pictures import TABLE_MM, look_through, setup_text
from sample_footage.solid_table import SolidTable
from sample_footage.whole_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from sample_footage.gesture import Seat
    from sample_footage.light import Light
    from sample_footage.match_script import Act

    Built = tuple[list[Any], float]
    Thing = tuple[Callable[[np.random.Generator], Any], int, tuple[float, float], float]

FPS, WHOLE_S = 25, 60
# A camera that has no bend, as the renderer's has none.
CAMERA = looking_at((350, 228, 0), 720, 54, focal_px=1480.0)
SENSOR = Sensor(exposure=1.0, blur_px=0.5, noise_fixed=1.0, noise_moving=0.5)


@dataclass(frozen=True)
class Man:
    """Who stands where (mm, deg), of `models.solids.FIGURES`, and how high; `seed` and `pose` say how he looks."""

    id: str
    kind: int
    colour: str
    at_mm: tuple[float, float]
    facing_deg: float
    pose: str = "march"
    low_mm: float = 0.0
    seed: int = 0


@dataclass(frozen=True)
class SolidSample:
    """A match to be filmed.

    colours  of Ann and of Ben
    men      who stands on the table; `build` models them, one after another
    things   household things: how they are made, with which seed, where, turned how far
    hover    who reaches over whom and touches nothing, and when; None for nobody
    crf      x264's
    """

    game: str
    seed: int
    surface: str
    colours: tuple[str, str]
    men: tuple[Man, ...]
    build: Callable[[Man, np.random.Generator], Built]
    things: tuple[Thing, ...]
    acts: tuple[Act, ...]
    hover: tuple[Seat, str, float] | None
    duration_s: float
    crf: int = 25


def table(sample: SolidSample, samples: int, threads: int) -> tuple[SolidTable, Light, list[Figure]]:
    """The table with all that is on it, and its light."""
    rng = np.random.default_rng(sample.seed)
    figures.clear()
    men = [_put(man, number, sample.build(man, rng)) for number, man in enumerate(sample.men, 1)]
    for make, seed, at_mm, turn_deg in sample.things:
        mesh.place(make(np.random.default_rng(seed))[0], _from_middle(at_mm), math.radians(turn_deg), TERRAIN_INDEX)
    room.prepare(rng, samples, threads)
    light = light_of(*room.light_up(rng))
    room.ground(paint.printed(table_top(sample.surface, sample.seed), 0.8), TABLE_REACH_MM)
    look_through(CAMERA)
    return SolidTable(CAMERA, men), light, men


def _put(man: Man, number: int, built: Built) -> Figure:
    """The man's objects on the table."""
    things, radius = built
    at, facing = _from_middle(man.at_mm), math.radians(man.facing_deg)
    for thing in things:
        thing.location[2] += man.low_mm
    mesh.place(things, at, facing, number)
    return replace(
        figure_of(Stood(man.kind, at, facing, radius, man.low_mm, man.colour, number)), id=man.id, owner=man.colour
    )


def _from_middle(at_mm: tuple[float, float]) -> Any:
    return np.array(at_mm) - np.array(TABLE_MM) / 2


def write_sample(sample: SolidSample, out: Path, samples: int, threads: int) -> None:
    """match.mp4, setup.toml and truth.json."""
    shot, light, men = table(sample, samples, threads)
    reaches = gestures(sample.acts, tuple(men))  # type: ignore[arg-type]
    hands = [*reaches, *_hovering(sample, men)]
    cuts = intervals(men, reaches, results(reaches, sample.acts), sample.duration_s)  # type: ignore[arg-type]
    write_whole(out / "setup.toml", setup_text(CAMERA, list(sample.colours), sample.game))
    truth = clip_truth(
        "match.mp4",
        "setup.toml",
        sample.duration_s,
        FPS,
        men,  # type: ignore[arg-type]
        cuts,
        hands,
        match_events(reaches, sample.acts),
        [],
        [(0.0, sample.duration_s, CAMERA)],
    )
    write_whole(out / "truth.json", json.dumps(truth, indent=1) + "\n")
    film = Film(SolidView(CAMERA, light, shot), SENSOR, drawn=SolidDrawn(shot, ()))
    frames = match_frames(film, cuts, hands, round(sample.duration_s * FPS), FPS)
    write_clip(out / "match.mp4", frames, FPS, sample.crf, whole_s=WHOLE_S)


def _hovering(sample: SolidSample, men: list[Figure]) -> list[Gesture]:
    """The reach that touches nothing, if there is one."""
    if sample.hover is None:
        return []
    seat, beside, at_s = sample.hover
    above: Any = next(man for man in men if man.id == beside)
    return [Gesture(seat, at_s, above, None, holds=False, hover_s=1.2)]


def run(sample: SolidSample, description: str | None) -> None:
    """The command line of a sample match."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--samples", type=int, default=24)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    write_sample(sample, args.out, args.samples, args.threads)

"""What trouble between two moves does to a match with soldiers or miniatures, on clips that were filmed without any.

    .venv/bin/python -m benchmarks.figures_trouble CLIP ... [--case NAME ...]

CLIP is one of `sample_footage.solid_match`. Of it is shown what leads from one move to the next, the quiet between them
drawn out by 6 s, in which the trouble comes: the camera is turned about its lens and stays so (a turn moves every pixel
exactly as the lens tells), a light falls by a third within a second, an arm comes to lie over a third of the table, or
a hand hovers (both drawn over the frames; they go before the second move). All goes through the session that `sandtable
play` opens. Printed for each clip and trouble: events found of those that happened, and invented, before, in and after
the trouble; how long after its beginning a kick was noticed and the table measured again; how many of the figures that
were known before it have the same id at the end; and how far off their feet are, of those that nobody moved (mm, median
and worst, before and after).
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.arguments import existing
from benchmarks.matches import matched, told_events
from benchmarks.trouble import Watched
from benchmarks.turned import places_of, shown_at, turned
from calibration.plane import TablePlane
from rules.scene import Scene
from sample_footage.camera import Camera
from sample_footage.coin import Coin
from sample_footage.film import Film
from sample_footage.gesture import Gesture
from sample_footage.ground import linear
from sample_footage.light import Light
from sample_footage.match_script import BEN
from sample_footage.photo_table import PhotoView
from sample_footage.sensor import Sensor, to_srgb
from sample_footage.trouble_clips import LEANING_ANN
from ui.eyes import eyes_for
from ui.measuring.table import plane_for
from ui.playing.session import opened_session
from ui.setup.setup_file import SetupFile, read_setup
from vision.frame import Frame, ImageBgr
from vision.source import FileSource

# The quiet is drawn out by the trouble, a calm before it in which the first move is told, and one after it.
CALM_S, TROUBLE_S = 1.0, 6.0
DRAWN_OUT_S = CALM_S + TROUBLE_S + CALM_S
# So much is shown before the first move and after the second; hands nearer to each other leave no quiet.
MARGIN_S, LEAST_QUIET_S = 1.0, 0.8
SAME_PLACE_MM, KNOWN_MM = 10.0, 12.0
DIMMED_S, DIMMED_TO = 1.0, 2 / 3
# A kick's swing dies away within so long; every so often it has moved on.
SWING_S, SWING_STEP_S = 0.36, 0.04
# Of the kicks, pixels in the picture's middle and degrees of roll.
KICKS = {"7 px, with a shake": (7.0, 0.0), "2 px": (2.0, 0.0), "100 px": (100.0, 0.0), "a roll": (0.0, 5.0)}
PHASES = ("before", "in", "after")
Changed = Callable[[ImageBgr, float], ImageBgr]
NO_LENS = Sensor(exposure=1.0, blur_px=0.0, vignetting=0.0, noise_fixed=0.0, noise_moving=0.0)


@dataclass(eq=False)
class Stretch:
    """What is shown of a clip; times are the clip's own but where `shown` is said.

    from_s, quiet_s, to_s  its beginning, the middle of the quiet, its end
    """

    clip: Path
    truth: dict[str, Any]
    from_s: float
    quiet_s: float
    to_s: float

    @classmethod
    def of(cls, clip: Path) -> Stretch:
        """From before one hand to after the next one, about the longest quiet between moves."""
        truth = json.loads(clip.with_suffix(".truth.json").read_text(encoding="utf-8"))
        quiets = quiets_of(truth)
        _, start_s, end_s, first, last = max(quiets)
        ends = [float(hand["to_s"]) for hand in truth["hands"] if hand["to_s"] <= first]
        return cls(clip, truth, max([0.0, *ends, first - MARGIN_S]), (start_s + end_s) / 2, last + MARGIN_S)

    @cached_property
    def setup(self) -> SetupFile:
        """The clip's set-up, as `sandtable play` reads it."""
        return read_setup(self.clip.with_suffix(".setup.toml"))

    @cached_property
    def quiet(self) -> list[Frame]:
        """Some frames around the middle of the quiet, forth and back."""
        near = [f for f in self.frames() if abs(f.t_s - self.quiet_s) < LEAST_QUIET_S / 4]
        return [*near, *near[-2:0:-1]]

    @cached_property
    def camera(self) -> TablePlane:
        """The true plane of the camera that filmed the clip."""
        plane, pose = plane_for(self.setup, next(iter(self.frames()))), self.truth["camera"][0]
        return replace(plane, rvec=np.array(pose["rvec"]), tvec=np.array(pose["tvec_mm"]))

    def frames(self) -> Iterator[Frame]:
        """The frames of the stretch, as they were filmed."""
        with FileSource(self.clip) as source:
            yield from (frame for frame in source if self.from_s <= frame.t_s <= self.to_s)

    def shown_s(self, t_s: float) -> float:
        """At which second of the show a time of the clip is shown."""
        return t_s - self.from_s + DRAWN_OUT_S * (t_s > self.quiet_s)

    @property
    def begins_s(self) -> float:
        """At which second of the show the trouble begins."""
        return self.quiet_s - self.from_s + CALM_S

    def beats(self, changed: Changed) -> Iterator[Frame]:
        """The show: all frames of the stretch with its quiet drawn out, `changed` from the trouble's begin on."""
        step_s, quiet = 1 / self.truth["fps"], self.quiet
        rest = (quiet[k % len(quiet)] for k in range(round(DRAWN_OUT_S / step_s)))
        before = (frame for frame in self.frames() if frame.t_s <= self.quiet_s)
        after = (frame for frame in self.frames() if frame.t_s > self.quiet_s)
        for index, frame in enumerate(chain(before, rest, after)):
            t_s = index * step_s
            since_s = t_s - self.begins_s
            image = frame.image_bgr if since_s < 0 else changed(frame.image_bgr, since_s)
            yield Frame(image, index, t_s, "a clip")

    @property
    def events(self) -> list[dict[str, Any]]:
        """What truly happens in the stretch, with the seconds at which it is shown."""
        inside = [e for e in self.truth["events"] if self.from_s < e["time_s"] < self.to_s]
        return [{**e, **{key: self.shown_s(e[key]) for key in ("time_s", "taken_s")}} for e in inside]

    def resting(self, t_s: float) -> dict[str, Any]:
        """The pieces that rest on the table at a time of the clip, with their places."""
        pieces: dict[str, Any] = next(c["pieces"] for c in self.truth["intervals"] if c["from_s"] <= t_s <= c["to_s"])
        return pieces


def quiets_of(truth: dict[str, Any]) -> list[tuple[float, float, float, float, float]]:
    """Between hands: how long, from when to when, where the hand before came and the one after went."""
    spans: list[list[float]] = []
    for hand in sorted(truth["hands"], key=lambda hand: float(hand["from_s"])):
        if spans and hand["from_s"] < spans[-1][1] + LEAST_QUIET_S:
            spans[-1][1] = max(spans[-1][1], hand["to_s"])
        else:
            spans.append([hand["from_s"], hand["to_s"]])
    moving = [span for span in spans if any(span[0] <= e["time_s"] <= span[1] for e in truth["events"])]
    return [(after[0] - before[1], before[1], after[0], before[0], after[1]) for before, after in pairwise(moving)]


def kicked(stretch: Stretch, shift_px: float, roll_deg: float) -> Changed:
    """The camera swings and comes to rest turned."""
    right = math.degrees(shift_px / stretch.camera.lens.matrix[0, 0])
    maps: dict[float, Any] = {}

    def changed(image: ImageBgr, since_s: float) -> ImageBgr:
        """The picture so many seconds after the kick."""
        share = swing(since_s)
        if share not in maps:
            maps[share] = places_of(turned(stretch.camera, (right * share, 0.0, roll_deg * share)), stretch.camera)
        return shown_at(image, *maps[share])

    return changed


def swing(since_s: float) -> float:
    """Share of the way that the camera is off its old stand."""
    k = since_s / SWING_STEP_S + 1
    if since_s > SWING_S:
        return 1.0
    return round(1.0 - math.exp(-k / 1.5) + 2.2 * math.exp(-k / 3.0) * math.sin(1.9 * k), 4)


def dimmed(image: ImageBgr, since_s: float) -> ImageBgr:
    """The room's light falls."""
    left = 1 - (1 - DIMMED_TO) * min(1.0, since_s / DIMMED_S)
    levels = np.clip(np.rint(to_srgb(linear(np.arange(256, dtype=np.uint8)) * np.float32(left))), 0, 255)
    return levels.astype(np.uint8)[image]


def reached_over(stretch: Stretch, reach: Gesture) -> Changed:
    """A hand that touches nothing comes in, hovers and goes; it is drawn over the frames, with its shadow."""
    camera = camera_of(stretch.camera)
    bare = stretch.quiet[0].image_bgr
    film = Film(PhotoView(camera, Light(), bare, (), ()), NO_LENS)
    empty = film.frame(0, -1.0, ()).astype(np.int16)

    def changed(image: ImageBgr, since_s: float) -> ImageBgr:
        """The picture with the hand where it is at that time."""
        if not reach.is_on(since_s):
            return image
        over = film.frame(0, since_s, (), [reach]).astype(np.int16) - empty
        return np.clip(image + over, 0, 255).astype(np.uint8)

    return changed


def camera_of(plane: TablePlane) -> Camera:
    """As the film takes it."""
    lens = plane.lens
    rows = tuple(tuple(map(float, row)) for row in plane.rotation)
    return Camera(
        lens.size_px,
        (lens.matrix[0, 0], lens.matrix[1, 1]),
        (lens.matrix[0, 2], lens.matrix[1, 2]),
        (0.0,) * 5,
        rows,
        tuple(plane.tvec),
    )  # type: ignore[arg-type]


def hovering(stretch: Stretch) -> Changed:
    """A hand over the middle of the table."""
    return reached_over(stretch, Gesture(BEN, 0.0, Coin("", "gbp-2p", (386.0, 240.0)), None, holds=False, hover_s=3.0))


def leaning(stretch: Stretch) -> Changed:
    """A big sleeve over a third of the table."""
    far = Coin("", "gbp-2p", (478.0, 283.0))
    return reached_over(stretch, Gesture(LEANING_ANN, 0.0, far, None, holds=False, hover_s=3.0))


CASES: dict[str, Callable[[Stretch], Changed]] = {
    **{name: lambda stretch, kick=kick: kicked(stretch, *kick) for name, kick in KICKS.items()},
    "light falls": lambda _: dimmed,
    "sleeve": leaning,
    "hover": hovering,
    "nothing": lambda _: lambda image, _: image,
}


@dataclass(eq=False)
class Seen:
    """What the session made of a stretch."""

    stretch: Stretch
    watched: Watched = field(default_factory=Watched)
    cpu_s: float = 0.0

    @classmethod
    def of(cls, stretch: Stretch, changed: Changed) -> Seen:
        """Watched from end to end."""
        seen, source = cls(stretch), _Source(stretch, changed)
        started = time.process_time()
        session = opened_session(stretch.setup, source, eyes_for(stretch.setup.rules))  # type: ignore[arg-type]
        for tick in session.referee.watch(session.frames):
            seen.watched.take(tick)
        seen.cpu_s = time.process_time() - started
        return seen

    def counts(self) -> tuple[str, list[str]]:
        """Found of true, and invented, by phase; and a line for each event that is wrong."""
        true, told = self.stretch.events, told_events(self.watched)
        pairs = matched(true, told, SAME_PLACE_MM)
        wrong = [
            f"missed {e['event']} of {e['piece']} to {e['to_mm']}" for e, p in zip(true, pairs, strict=True) if not p
        ]
        cells = []
        for phase in PHASES:
            ours = [p for e, p in zip(true, pairs, strict=True) if self.phase(e["time_s"]) == phase]
            others = [e for e in told if e.kind != "scene" and self.phase(e.time_s) == phase and e not in pairs]
            cells.append(f"{sum(p is not None for p in ours)}/{len(ours)}, {len(others)}")
            wrong += [
                f"invented {e.kind} of {e.fields['piece']} {e.fields['class']} {e.fields['owner']} at "
                f"{e.time_s - self.stretch.begins_s:+.1f} s, {e.fields['from_mm']} to {e.fields['to_mm']}"
                for e in others
            ]
        return "; ".join(cells), wrong

    def phase(self, t_s: float) -> str:
        """Before, in or after the trouble."""
        since_s = t_s - self.stretch.begins_s
        return PHASES[(since_s >= 0) + (since_s >= TROUBLE_S + CALM_S)]

    def news(self) -> str:
        """What was said of the camera, and how long after the trouble began."""
        told = (e for e in self.watched.events if e.kind == "camera")
        return ", ".join(f"{e.fields['what']} {e.time_s - self.stretch.begins_s:+.2f} s" for e in told) or "nothing"

    def feet(self) -> str:
        """Ids kept, and how far off the feet are before and after of those that nobody moved."""
        stretch = self.stretch
        early = [scene for scene in self.watched.scenes if scene.time_s < stretch.begins_s]
        if not early:
            return "no scene before the trouble"
        start, end = stretch.resting(stretch.quiet_s), stretch.resting(stretch.to_s)
        known, late = paired(start, early[-1]), paired(end, self.watched.scenes[-1])
        stay = [name for name in known if name in end]
        still = [name for name in stay if start[name]["position_mm"] == end[name]["position_mm"] and name in late]
        kept = sum(name in late and late[name][0] == known[name][0] for name in stay)
        off = [np.array([pairs[name][1] for name in still] or [np.nan]) for pairs in (known, late)]
        mm = ["{:.1f}, {:.1f}".format(*np.quantile(one, [0.5, 1.0])) for one in off]
        return f"ids kept {kept} of {len(stay)}; feet of {len(still)} off {mm[0]} -> {mm[1]} mm"


def paired(resting: dict[str, Any], scene: Scene) -> dict[str, tuple[str, float]]:
    """By name who stands there truly: the nearest piece's id, and how far off it is, if near enough to be it."""
    figures = scene.of_kind("soldier", "base")
    found = {}
    for name, one in resting.items():
        away = [(math.dist(piece.position_mm, one["position_mm"]), piece.id) for piece in figures]
        if away and min(away)[0] < KNOWN_MM:
            found[name] = min(away)[1], min(away)[0]
    return found


@dataclass(eq=False)
class _Source:
    """A stretch as a source of frames."""

    stretch: Stretch
    changed: Changed
    name: str = "a clip"
    live: bool = False
    trouble: None = None

    def beats(self) -> Iterator[Frame]:
        """All frames."""
        return self.stretch.beats(self.changed)


def main() -> None:
    """Show all stretches, watch them and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("clips", type=existing, nargs="+")
    options.add_argument("--case", nargs="+", choices=list(CASES), default=list(CASES))
    given = options.parse_args()
    for clip in given.clips:
        stretch = Stretch.of(clip)
        print(f"{clip}: {stretch.from_s:.1f} to {stretch.to_s:.1f} s, trouble at {stretch.quiet_s:.1f} s", flush=True)
        for name in given.case:
            seen = Seen.of(stretch, CASES[name](stretch))
            cells, wrong = seen.counts()
            print(f"  {name}: found/true, invented {cells}; said {seen.news()}; {seen.feet()}; {seen.cpu_s:.0f} CPU s")
            print("\n".join(f"    {line}" for line in wrong), end="\n" if wrong else "", flush=True)


if __name__ == "__main__":
    main()

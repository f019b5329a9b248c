"""What trouble between two ordinary moves does to a match: moves found, missed and invented, and the camera's news.

    .venv/bin/python -m benchmarks.trouble [CLIP ...] [--told] [--folder FOLDER]
        [--flicker DEPTH [--mains 50|60] | --colours DEPTH | --leaves DEPTH | --head DEPTH | --company DOWN
         | --leaning DOWN | --phone | --folded HIGH]

Each clip of `sample_footage/trouble` (kick, dim, sleeve, hover; 19 s) goes through the session that `sandtable play`
opens, its log is compared with the clip's truth. A move is found when the log has one of that piece's class and owner
to within 5 mm of its true place, and of the true verdict; what the log has besides is invented. Before, during and
after are counted by the time at which a move was agreed; the trouble begins at 7.5 s and the second move at 13.5 s.
Promises: a kick is noticed within 0.5 s and measured again within 2 s, with at most 1 mm of added error, no id lost,
no move invented.

With `--told` the truth tells what lies where (with 0.1 mm of noise) in place of the nets: what is left is the error of
change gate, hand, camera watch, registration and tracking alone. With `--flicker` the light varies by DEPTH of it to
both sides, twice in each period of the mains, and the clips' bands wander through the picture. With `--leaves` and
`--head` soft shadows of leaves, or of a head that comes and goes, sway over the table and take DEPTH of the light. With
`--company` a player who is never still sits behind the table and covers DOWN of the picture's height; 0.145 is to the
table's far side. With `--leaning` the player leans in at 1 s, before anybody moves, and stays. With `--folded` the map
was folded and does not lie flat, its highest ridge HIGH mm high, and errors are of places on it.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from shapely import Point

from calibration.boards.lens_file import read_lens
from calibration.lens import Lens
from calibration.plane import TablePlane
from rules.course.events import TABLE_EVENTS, Event
from rules.match import Match
from rules.scene import COIN_DIAMETER_MM, Scene
from sample_footage.camera import Camera
from sample_footage.company import leaning_over, with_company
from sample_footage.flicker import flickering
from sample_footage.folded import FoldedSheet, FoldedView
from sample_footage.phone import Phone
from sample_footage.swaying import among_leaves, under_a_head
from sample_footage.trouble_clips import AFTER_S, TROUBLE_S
from sample_footage.turning_colours import in_turning_colours
from ui.eyes import eyes_for
from ui.playing.loop import Tick
from ui.playing.session import opened_session
from ui.setup.setup_file import read_setup
from vision.detection import Detection
from vision.frame import Frame, ImageBgr
from vision.memory.agree import Look
from vision.source import FileSource

# What shows of a picture taken at a time, s.
Light = Callable[[ImageBgr, float], ImageBgr]

LEANS_S = PLAYS_S = 1.0
# Where the phone lies, over the sea.
PHONE_MM = (530.0, 100.0)
PHASES = ("before", "during", "after")
SAME_PLACE_MM = 5.0


@dataclass
class Watched:
    """What was seen of a clip."""

    events: list[Event] = field(default_factory=list)
    frozen_s: list[float] = field(default_factory=list)
    planes: list[TablePlane] = field(default_factory=list)
    matches: list[Match] = field(default_factory=list)
    cpu_s: float = 0.0

    @property
    def scenes(self) -> list[Scene]:
        """The tables that were agreed on."""
        return [match.scene for match in self.matches]

    def take(self, tick: Tick) -> None:
        """Take note of one tick."""
        self.events += tick.events
        if tick.frozen:
            self.frozen_s.append(tick.frame.t_s)
        if isinstance(tick.plane, TablePlane) and (not self.planes or self.planes[-1] is not tick.plane):
            self.planes.append(tick.plane)
        if tick.match is not None and (not self.matches or self.matches[-1].scene is not tick.match.scene):
            self.matches.append(tick.match)


@dataclass
class Told:
    """Eyes that are told what lies on the table, seen by the true camera and through the plane as it was measured."""

    truth: dict[str, Any]
    lens: Lens
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(7))

    def look(self, frame: Frame, plane: TablePlane) -> Look:
        """The coins that the truth has (no cards, no dice), where this plane shows them, to 0.1 mm."""
        now = next(cut for cut in self.truth["intervals"] if cut["from_s"] <= frame.t_s <= cut["to_s"])
        cameras = [camera for camera in self.truth["camera"] if camera["from_s"] <= frame.t_s + 1e-6]
        hidden = {piece["on"] for piece in now["pieces"].values()}
        names = [name for name in now["pieces"] if name not in hidden and "kind" not in self.truth["pieces"][name]]
        mm = np.array([now["pieces"][name]["position_mm"] for name in names])
        height_mm = np.array([now["pieces"][name]["elevation_mm"] for name in names])
        rvec, tvec = np.array(cameras[-1]["rvec"]), np.array(cameras[-1]["tvec_mm"])
        px, _ = self.lens.project(np.c_[mm, height_mm], rvec, tvec)
        seen_mm = plane.to_table(px, height_mm) + self.rng.normal(0, 0.1, mm.shape)
        return tuple(
            self._coin(name, tuple(map(float, at)), float(up), tuple(map(float, spot)))
            for name, at, up, spot in zip(names, seen_mm, height_mm, px, strict=True)
        )

    def _coin(self, name: str, at_mm: tuple[float, float], up_mm: float, px: tuple[float, float]) -> Detection:
        known = self.truth["pieces"][name]
        disc = Point(at_mm).buffer(COIN_DIAMETER_MM[known["class"]] / 2)
        return Detection("coin", known["class"], at_mm, disc, 0.1, 1.0, px, known["face"], known["owner"], up_mm)


class LitFile(FileSource):
    """A clip as another light would have shown it."""

    def __init__(self, path: Path, light: Light) -> None:
        super().__init__(path)
        self.light = light

    def __iter__(self) -> Iterator[Frame]:
        for frame in super().__iter__():
            yield replace(frame, image_bgr=self.light(frame.image_bgr, frame.t_s))


def watched(
    clip: Path, truth: dict[str, Any], told: bool, written: Path | None = None, light: Light | None = None
) -> Watched:
    """The clip, refereed from end to end with the set-up written there, the folder's own without it."""
    written = written or clip.parent / "setup.toml"
    setup, seen = read_setup(written), Watched()
    look = Told(truth, read_lens(written)).look if told else eyes_for(setup.rules)
    started = time.process_time()
    with FileSource(clip) if light is None else LitFile(clip, light) as source:
        session = opened_session(setup, source, look)
        for tick in session.referee.watch(session.frames):
            seen.take(tick)
    seen.cpu_s = time.process_time() - started
    return seen


def phase_of(t_s: float) -> str:
    """Before, in or after the trouble, by seconds from the clip's start."""
    return PHASES[(t_s >= TROUBLE_S) + (t_s >= AFTER_S)]


def is_of(event: Event, true: dict[str, Any]) -> bool:
    """Whether the log's event is the move that truly happened."""
    same = event.kind == true["event"] and all(event.fields.get(k) == true[k] for k in ("class", "owner"))
    return same and math.dist(event.fields["to_mm"], true["to_mm"]) < SAME_PLACE_MM


def hand_left_s(truth: dict[str, Any], move: dict[str, Any]) -> float:
    """When the hand that made the move was out of the picture."""
    return float(min(hand["to_s"] for hand in truth["hands"] if hand["to_s"] >= move["time_s"]))


def counts(seen: Watched, truth: dict[str, Any]) -> tuple[list[str], list[str]]:
    """One row a phase, and one line for each move that is wrong."""
    told = [event for event in seen.events if event.kind in TABLE_EVENTS]
    moves = [e for e in truth["events"] if e["event"] in TABLE_EVENTS]
    first = [next((event for event in told if is_of(event, one)), None) for one in moves]
    rows, wrong = [], []
    for phase in PHASES:
        true = [one for one in moves if phase_of(one["time_s"]) == phase]
        found = [event for event, one in zip(first, moves, strict=True) if one in true]
        there = [event for event in found if event is not None]
        invented = [e for e in told if phase_of(e.time_s) == phase and not any(e is one for one in first)]
        judged = sum(
            event is not None and event.fields["verdict"] == one["verdict"]
            for event, one in zip(found, true, strict=True)
        )
        late_s = [event.time_s - hand_left_s(truth, one) for event, one in zip(found, true, strict=True) if event]
        rows.append(
            f"  {phase:7} true {len(true)}  found {len(there)}  judged right {judged}  missed {len(true) - len(there)}"
            f"  invented {len(invented)}" + (f"  agreed {late_s[0]:.2f} s after the hand left" if late_s else "")
        )
        wrong += [f"    invented at {e.time_s:.2f} s: {e.kind} {dict(e.fields, feature=None)}" for e in invented]
    return rows, wrong


class Cameras:
    """The cameras of a clip, as its truth has them."""

    def __init__(self, clip: Path) -> None:
        lens = read_lens(clip.parent / "setup.toml")
        self.each = [
            (told["from_s"], Camera.of(lens, told["rvec"], told["tvec_mm"])) for told in truth_of(clip)["camera"]
        ]

    def at(self, t_s: float) -> Camera:
        """The camera that took the picture of a time."""
        return [camera for from_s, camera in self.each if from_s <= t_s + 1e-6][-1]


class Folding:
    """The clips' map, folded, as their cameras would have shown it."""

    def __init__(self, clip: Path, high_mm: float) -> None:
        setup = read_setup(clip.parent / "setup.toml")
        self.sheet = FoldedSheet.drawn(setup.rules.table_size_mm, high_mm, np.random.default_rng(1))
        self.cameras = Cameras(clip)
        self._views: dict[Camera, FoldedView] = {}

    def __call__(self, image_bgr: ImageBgr, t_s: float) -> ImageBgr:
        """What shows of a picture taken at a time."""
        camera = self.cameras.at(t_s)
        if camera not in self._views:
            self._views = {camera: FoldedView(camera, self.sheet)}
        return self._views[camera].of(image_bgr)


def with_phone(image_bgr: ImageBgr, t_s: float, cameras: Cameras, phone: Phone) -> ImageBgr:
    """The picture taken at a time, with the phone once it is there."""
    return image_bgr if t_s < PLAYS_S else phone.shown(image_bgr, cameras.at(t_s), t_s)


def truth_of(clip: Path) -> dict[str, Any]:
    """What truly happened in a clip."""
    told: dict[str, Any] = json.loads(clip.with_name(clip.stem + ".truth.json").read_text(encoding="utf-8"))
    return told


def plane_error_mm(
    plane: TablePlane,
    lens: Lens,
    camera: dict[str, Any],
    size_mm: tuple[float, float],
    sheet: FoldedSheet | None = None,
) -> np.ndarray:
    """How far off the plane measures a grid of places on the sheet, in the picture of the true camera."""
    x, y = np.meshgrid(np.linspace(20, size_mm[0] - 20, 12), np.linspace(20, size_mm[1] - 20, 9))
    true_mm = np.c_[x.ravel(), y.ravel()]
    rvec, tvec = np.array(camera["rvec"]), np.array(camera["tvec_mm"])
    heights_mm = np.zeros(len(true_mm)) if sheet is None else sheet.heights(true_mm)
    px, _ = lens.project(np.c_[true_mm, heights_mm], rvec, tvec)
    return np.hypot(*(plane.to_table(px) - true_mm).T)


def coin_errors_mm(scene: Scene, resting: dict[str, Any], pieces: dict[str, Any]) -> list[float]:
    """Distance of each coin in the scene to the nearest true one of its class and owner."""
    errors = []
    for piece in scene:
        same = [
            r
            for name, r in resting.items()
            if (pieces[name]["class"], pieces[name]["owner"]) == (piece.cls, piece.owner)
        ]
        away = [math.dist(piece.position_mm, one["position_mm"]) for one in same]
        errors += [min(away)] if away else []
    return errors


def report(clip: Path, told: bool, light: Light | None) -> None:
    """Print what a clip showed: moves found, missed and invented by phase, and the plane's error in mm."""
    truth = truth_of(clip)
    seen = watched(clip, truth, told, light=light)
    rows, wrong = counts(seen, truth)
    print(f"{clip.stem}: {seen.cpu_s:.0f} CPU s for {truth['duration_s']:.0f} s of 1080p{truth['fps']}")
    print("\n".join([*rows, *wrong]))
    for event in (e for e in seen.events if e.kind == "camera"):
        at = event.time_s - TROUBLE_S
        print(f"  camera {event.fields['what']:10} {at:+.2f} s after the trouble began: {event.fields['sentence']}")
    held = [t for t in seen.frozen_s if TROUBLE_S <= t < AFTER_S]
    print(f"  nothing was decided in {len(held) / truth['fps']:.2f} s of the 6 s of trouble")
    first, last = seen.scenes[0], seen.scenes[-1]
    lost = [piece.id for piece in first if piece.id not in last]
    new = [piece.id for piece in last if piece.id not in first]
    print(f"  ids of the {len(first.pieces)} pieces: lost {', '.join(lost) or 'none'}; new {', '.join(new) or 'none'}")
    size_mm, lens = first.table_size_mm, read_lens(clip.parent / "setup.toml")
    sheet = light.sheet if isinstance(light, Folding) else None
    for name, plane, camera in (
        ("before", seen.planes[0], truth["camera"][0]),
        ("after", seen.planes[-1], truth["camera"][-1]),
    ):
        p50, p95 = np.quantile(plane_error_mm(plane, lens, camera, size_mm, sheet), [0.5, 0.95])
        print(f"  plane {name:7} off by {p50:.3f} mm (p50), {p95:.3f} (p95) over the table")
    resting = [cut["pieces"] for cut in truth["intervals"]]
    for name, scene, pieces in (("at first", first, resting[0]), ("at last", last, resting[-1])):
        errors = coin_errors_mm(scene, pieces, truth["pieces"])
        print(f"  coins {name:8} {len(errors)} off by {np.median(errors):.2f} mm (p50), {max(errors):.2f} (worst)")


def light_of(given: argparse.Namespace, clip: Path) -> Light | None:
    """The light that was asked for, or the map."""
    if given.folded:
        return Folding(clip, given.folded)
    if given.flicker:
        return partial(flickering, depth=given.flicker, mains_hz=given.mains)
    if given.colours:
        return partial(in_turning_colours, depth=given.colours)
    if given.phone:
        return partial(with_phone, cameras=Cameras(clip), phone=Phone(PHONE_MM))
    if given.leaves:
        return partial(among_leaves, depth=given.leaves)
    if given.head:
        return partial(under_a_head, depth=given.head)
    if given.leaning:
        return partial(leaning_over, down=given.leaning, from_s=LEANS_S)
    return partial(with_company, down=given.company) if given.company else None


def main() -> None:
    """Run all clips."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--folder", type=Path, default=Path(__file__).parent.parent / "sample_footage" / "trouble")
    options.add_argument("clips", nargs="*", default=["kick", "dim", "sleeve", "hover"])
    options.add_argument("--told", action="store_true", help="the truth tells what lies where, in place of the nets")
    options.add_argument("--flicker", type=float, metavar="DEPTH", help="by a lamp that flickers by so much")
    options.add_argument("--mains", type=float, default=60.0, choices=(50.0, 60.0), help="of the lamp, Hz")
    options.add_argument("--colours", type=float, metavar="DEPTH", help="by a lamp that goes through all colours")
    options.add_argument("--phone", action="store_true", help="with a phone on the map that plays a film")
    options.add_argument("--leaves", type=float, metavar="DEPTH", help="under leaves that take so much of the light")
    options.add_argument("--head", type=float, metavar="DEPTH", help="under a head that takes so much of the light")
    options.add_argument("--company", type=float, metavar="DOWN", help="with a player who sits behind the table")
    options.add_argument("--leaning", type=float, metavar="DOWN", help="with a player who leans over the table")
    options.add_argument("--folded", type=float, metavar="HIGH", help="with a map whose folds are so many mm high")
    given = options.parse_args()
    for clip in (given.folder / f"{name}.mp4" for name in given.clips):
        report(clip, given.told, light_of(given, clip))


if __name__ == "__main__":
    main()

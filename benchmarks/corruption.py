"""What bad light, focus, cameras and angles cost: found, named and measured, at three strengths each.

    .venv/bin/python -m benchmarks.corruption [FOLDER[:SPLIT] ...] [--every N] [--rendered N] [--rows ROWS.jsonl]
        [--only NAME ...] [--kinds KIND ...]

Folders are those of `sandtable evaluate` (the default: `sample_footage/stills`; `sample_footage/things` has cards and
dice). `--only` spoils in the ways that are named alone, `--kinds` counts pieces of those kinds alone. Every picture is
spoilt in linear light as a camera would have taken it, written to a file, and goes the way of `sandtable scene`, its
table plane measured in the spoilt picture. `--rendered` makes N stills as seen from 60, 45 and 30 degrees above the
table, and by cameras of 1280, 960 and 640 px across.

To reach: at most two points of found or right lost, unless the scene says what is wrong with the picture; and a
picture as it was taken is not complained about. *Lost* counts pictures that say nothing, against themselves unspoilt.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.scene import UNKNOWN
from sample_footage.camera import Camera, looking_at
from sample_footage.still_pictures import LOOKS, Still, still, write_still
from ui.evaluation.score import Score
from ui.evaluation.truth import Picture, pictures_in
from ui.eyes import eyes_for
from ui.setup_file import read_setup
from ui.still import frames_of, still_scene

STILLS = Path("sample_footage/stills")
# Lengths in px are meant for pictures of this width.
WIDTH_PX = 1920
SEED = 7
NONE = "none"
ANGLES_DEG, WIDTHS_PX = (60.0, 45.0, 30.0), (1280, 960, 640)

Light = NDArray[np.float32]
Levels = NDArray[np.uint8]


def linear(image_bgr: Levels) -> Light:
    """Grey levels to light (IEC 61966-2-1)."""
    level = np.arange(256) / 255
    light = np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)
    return light.astype(np.float32)[image_bgr]


def developed(light: Light) -> Light:
    """Light to grey levels, not yet rounded."""
    within = np.clip(light, 0, 1)
    return np.asarray(255 * np.where(within <= 0.0031308, within * 12.92, 1.055 * within ** (1 / 2.4) - 0.055))


def rounded(levels: NDArray[np.floating]) -> Levels:
    """The picture as a camera stores it: whole grey levels, 0 to 255."""
    return np.clip(np.rint(levels), 0, 255).astype(np.uint8)


def dark(image_bgr: Levels, share: float, rng: np.random.Generator) -> Levels:
    """So much of the light only; the sensor's own noise of two grey levels stays."""
    return rounded(developed(linear(image_bgr) * share) + rng.normal(0, 2.0, image_bgr.shape))


def warm(image_bgr: Levels, strength: float, rng: np.random.Generator) -> Levels:
    """A lamp's light that the camera did not balance; at 1 there is a third of the blue left."""
    return rounded(developed(linear(image_bgr) * (np.array([0.33, 0.75, 1.2]) ** strength).astype(np.float32)))


def mixed(image_bgr: Levels, strength: float, rng: np.random.Generator) -> Levels:
    """Light of two colours: warm from one side, cold from the other."""
    turn = np.linspace(-1, 1, image_bgr.shape[1], dtype=np.float32)[None, :, None] * rng.choice([-1, 1])
    return rounded(developed(linear(image_bgr) * np.exp(strength * turn * np.float32([-0.7, 0.0, 0.5]))))


def glare(image_bgr: Levels, strength: float, rng: np.random.Generator) -> Levels:
    """A lamp mirrored by the table: a soft spot, half as bright a twentieth of the picture's width away."""
    height, width = image_bgr.shape[:2]
    u, v = rng.uniform(0.3, 0.7, 2) * (width, height)
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    spot = strength * np.exp(-(np.square(columns - u) + np.square(rows - v)) / (2 * (0.0425 * width) ** 2))
    return rounded(developed(linear(image_bgr) + spot[..., None].astype(np.float32)))


def shadow(image_bgr: Levels, share: float, rng: np.random.Generator) -> Levels:
    """The edge of a shadow straight across the table: on one side so much of the light only."""
    height, width = image_bgr.shape[:2]
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    turn = rng.uniform(0, 2 * np.pi)
    beyond = (columns - width / 2) * np.cos(turn) + (rows - height / 2) * np.sin(turn)
    soft = 1 / (1 + np.exp(-np.clip(beyond / (8 * width / WIDTH_PX), -30, 30)))
    return rounded(developed(linear(image_bgr) * (share + (1 - share) * soft)[..., None].astype(np.float32)))


def blur(image_bgr: Levels, sigma_px: float, rng: np.random.Generator) -> Levels:
    """A picture out of focus by a Gaussian of `sigma_px`."""
    soft = cv2.GaussianBlur(linear(image_bgr), (0, 0), sigma_px * image_bgr.shape[1] / WIDTH_PX)
    return rounded(developed(np.asarray(soft, np.float32)))


def jpeg(image_bgr: Levels, quality: float, rng: np.random.Generator) -> Levels:
    """A picture squeezed by JPEG, as a webcam or a messenger does it."""
    _, coded = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, int(quality)])
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def noise(image_bgr: Levels, levels: float, rng: np.random.Generator) -> Levels:
    """Noise of so many levels, as a small sensor in poor light makes it."""
    grey = rng.normal(0, levels, (*image_bgr.shape[:2], 1)) + rng.normal(0, levels / 2, image_bgr.shape)
    return rounded(image_bgr + grey)


Spoil = Callable[[Levels, float, np.random.Generator], Levels]
CORRUPTIONS: dict[str, tuple[Spoil, tuple[float, float, float]]] = {
    "dark": (dark, (0.4, 0.15, 0.05)),
    "warm": (warm, (0.4, 0.7, 1.0)),
    "mixed": (mixed, (0.4, 0.7, 1.0)),
    "glare": (glare, (0.3, 0.8, 2.0)),
    "shadow": (shadow, (0.6, 0.4, 0.2)),
    "blur": (blur, (1.0, 2.0, 3.5)),
    "jpeg": (jpeg, (50, 25, 10)),
    "noise": (noise, (5.0, 10.0, 20.0)),
}


@dataclass
class Tally:
    """Counts over pictures spoilt in one way.

    said  pictures of which the scene says what is wrong, or that could not be measured at all
    """

    pictures: int = 0
    said: int = 0
    counts: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    errors_mm: list[float] = field(default_factory=list)
    silent: set[str] = field(default_factory=set)

    def share(self, what: str, of: str) -> float:
        """Percent that `what` is of `of`."""
        return 100 * self.counts[what] / max(self.counts[of], 1)


@dataclass(frozen=True)
class Row:
    """What one spoilt picture gave."""

    picture: str
    corruption: str
    strength: float
    said: tuple[str, ...]
    counts: dict[str, int]
    errors_mm: tuple[float, ...]


def looked(
    picture: Picture, image_bgr: Levels, corruption: str, strength: float, kinds: frozenset[str] = frozenset()
) -> Row:
    """One picture through the way of `sandtable scene`; of all kinds of pieces if none is named."""
    setup = read_setup(picture.setup) if picture.setup is not None else None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spoilt.png"
        cv2.imwrite(str(path), image_bgr, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        try:
            scene = still_scene(setup, frames_of(path, None), eyes_for(setup.rules if setup else None))
            found, said = scene.pieces, tuple(note for note in scene.notes if note.startswith("the picture"))
        except ValueError as error:
            found, said = (), (str(error),)
    score = Score()
    score.add(picture.known, found)
    counts: dict[str, int] = defaultdict(int)
    errors_mm: list[float] = []
    for kind in (kind for name, kind in score.kinds.items() if not kinds or name in kinds):
        counts["known"] += kind.known
        counts["found"] += kind.found
        counts["false"] += kind.false
        counts["named"] += kind.cls.right + kind.cls.unknown + kind.cls.wrong
        for answer in ("right", "unknown", "wrong"):
            counts[answer] += getattr(kind.cls, answer)
        errors_mm += kind.errors_mm
    return Row(picture.path.stem, corruption, strength, said, dict(counts), tuple(errors_mm))


def rows_of(pictures: Iterable[Picture], only: Sequence[str], kinds: frozenset[str] = frozenset()) -> Iterator[Row]:
    """Every picture as it is and spoilt in the named ways."""
    for picture in pictures:
        image = np.asarray(cv2.imread(str(picture.path)), np.uint8)
        yield looked(picture, image, NONE, 0.0, kinds)
        for name, (spoil, strengths) in ((name, CORRUPTIONS[name]) for name in only):
            for strength in strengths:
                rng = np.random.default_rng([SEED, *map(ord, picture.path.stem)])
                yield looked(picture, spoil(image, strength, rng), name, strength, kinds)


def at_angle(plain: Still, elevation_deg: float) -> Still:
    """A still seen from so high above the table, as near as shows the whole of it."""
    for distance_mm in np.arange(640.0, 1300.0, 10.0):
        camera = looking_at(
            (350.0, 225.0, 0.0), float(distance_mm), elevation_deg, 0.0, 0.0, (1920, 1080), plain.camera.focal_px[0]
        )
        if shows_whole(camera):
            break
    return replace(plain, name=f"{plain.name}-{elevation_deg:.0f}", camera=camera)


def shows_whole(camera: Camera) -> bool:
    """Whether the camera shows the whole table."""
    px = camera.project([(-8, -8, 0), (708, -8, 0), (708, 508, 0), (-8, 508, 0)])
    return bool(np.all(px > 6) and np.all(px < np.asarray(camera.size_px) - 7))


def of_width(plain: Still, width_px: int) -> Still:
    """The same view by a camera with fewer pixels."""
    camera, share = plain.camera, width_px / WIDTH_PX
    coarse = replace(
        camera,
        size_px=(width_px, round(camera.size_px[1] * share)),
        focal_px=(camera.focal_px[0] * share, camera.focal_px[1] * share),
        centre_px=((camera.centre_px[0] + 0.5) * share - 0.5, (camera.centre_px[1] + 0.5) * share - 0.5),
    )
    return replace(plain, name=f"{plain.name}-{width_px}", camera=coarse)


def rendered_rows(count: int) -> Iterator[Row]:
    """Stills with plain light from several angles and distances."""
    stills = [still(len(LOOKS) * number, SEED) for number in range(count)]
    kinds = [
        ("angle", ANGLES_DEG, [at_angle(each, deg) for each in stills for deg in ANGLES_DEG]),
        ("width", WIDTHS_PX, [of_width(each, px) for each in stills for px in WIDTHS_PX]),
    ]
    for name, strengths, made in [(NONE, (0.0,), stills), *kinds]:
        with tempfile.TemporaryDirectory() as folder:
            for each in made:
                write_still(each, Path(folder))
            for picture in pictures_in(Path(folder)):
                image = np.asarray(cv2.imread(str(picture.path)), np.uint8)
                index = [each.name for each in made].index(picture.path.stem)
                row = looked(picture, image, name, float(strengths[index % len(strengths)]))
                yield replace(row, picture=stills[index // len(strengths)].name)


def tallied(rows: Iterable[Row]) -> dict[tuple[str, float], Tally]:
    """Tallies over all pictures, by what spoilt them and how strongly."""
    tallies: dict[tuple[str, float], Tally] = defaultdict(Tally)
    for row in rows:
        tally = tallies[row.corruption, row.strength]
        tally.pictures += 1
        tally.said += bool(row.said)
        for what, count in row.counts.items():
            tally.counts[what] += count
        tally.errors_mm += row.errors_mm
        if not row.said:
            tally.silent.add(row.picture)
    return tallies


def lost(rows: list[Row], corruption: str, strength: float) -> tuple[float, float]:
    """Points of found and of right that the pictures lost which say nothing."""
    spoilt = {row.picture: row for row in rows if (row.corruption, row.strength) == (corruption, strength)}
    clean = {row.picture: row for row in rows if row.corruption == NONE}
    silent = [name for name, row in spoilt.items() if not row.said and name in clean]
    before, after = (
        [sum(side[name].counts.get(what, 0) for name in silent) for what in ("known", "found", "right")]
        for side in (clean, spoilt)
    )
    if not before[0]:
        return 0.0, 0.0
    return 100 * (before[1] - after[1]) / before[0], 100 * (before[2] - after[2]) / before[0]


def report(rows: list[Row]) -> None:
    """Print what each kind of spoiling costs."""
    print(
        f"{'':14}{'pictures':>9}{'told':>6}{'found%':>8}{'false':>7}{'right%':>8}{'unkn.%':>8}{'wrong%':>8}"
        f"{'mm':>7}{'p95':>7}{'lost: found':>13}{'right':>7}"
    )
    for (name, strength), tally in tallied(rows).items():
        median, p95 = np.quantile(tally.errors_mm, (0.5, 0.95)) if tally.errors_mm else (np.nan, np.nan)
        points = lost(rows, name, strength)
        print(
            f"{name:8}{strength:6.4g}{tally.pictures:9d}{tally.said:6d}{tally.share('found', 'known'):8.1f}"
            f"{tally.counts['false']:7d}{tally.share('right', 'named'):8.1f}{tally.share(UNKNOWN, 'named'):8.1f}"
            f"{tally.share('wrong', 'named'):8.1f}{median:7.2f}{p95:7.2f}{points[0]:13.1f}{points[1]:7.1f}"
        )


def pictures_of(spec: str, every: int) -> list[Picture]:
    """The pictures of FOLDER or FOLDER:SPLIT that have something to find, every so many of them."""
    folder, _, split = spec.partition(":")
    return [picture for picture in pictures_in(Path(folder), split or None) if picture.known][::every]


def main() -> None:
    """Spoil the pictures, look at each and print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folders", nargs="*", default=[str(STILLS)])
    options.add_argument("--every", type=int, default=1, help="only every so many pictures")
    options.add_argument("--rendered", type=int, default=0, help="so many stills at each angle and distance")
    options.add_argument("--rows", type=Path, help="one line a picture, for other sums")
    options.add_argument("--only", nargs="+", choices=sorted(CORRUPTIONS), default=list(CORRUPTIONS))
    options.add_argument("--kinds", nargs="+", choices=("card", "coin", "die", "match"), default=[])
    given = options.parse_args()
    for spec in given.folders:
        rows = list(rows_of(pictures_of(spec, given.every), given.only, frozenset(given.kinds)))
        print(spec)
        report(rows)
        if given.rows:
            with given.rows.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(row.__dict__) + "\n" for row in rows)
    if given.rendered:
        print("rendered")
        report(list(rendered_rows(given.rendered)))


if __name__ == "__main__":
    main()

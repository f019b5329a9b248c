"""What bad light, focus, cameras and angles cost: found, named and measured, at three strengths each.

    .venv/bin/python -m benchmarks.corruption [FOLDER[:SPLIT] ...] [--every N] [--rendered N] [--rows ROWS.jsonl]
        [--only NAME ...] [--kinds KIND ...] [--apart]

Folders are those of `sandtable evaluate` (the default: `sample_footage/stills`; `sample_footage/things` has cards and
dice, `sample_footage/solids` soldiers, bases and terrain). `--only` spoils in the ways that are named alone, `--kinds`
counts pieces of those kinds alone, together or (`--apart`) each kind in a table of its own. Every picture is spoilt
(`benchmarks/spoiling.py`) in linear light as a camera would have taken it, written to a file, and goes the way of
`sandtable scene`, its table plane measured in the spoilt picture. `--rendered` makes N stills, and spoils no
folder that is not named, as seen from 89, 75, 60, 45 and 30 degrees above the table, and by cameras of 1280, 960 and
640 px across.

To reach: at most two points of found or right lost, unless the scene says what is wrong with the picture; and a
picture as it was taken is not complained about. *Lost* counts pictures that say nothing, against themselves unspoilt.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.spoiling import CORRUPTIONS, SEED, WIDTH_PX, Levels
from sample_footage.camera import Camera, looking_at
from sample_footage.still_pictures import LOOKS, Still, still, write_still
from ui.evaluation.score import Answers, KindScore, Score
from ui.evaluation.truth import Picture, pictures_in
from ui.eyes import eyes_for
from ui.setup.setup_file import read_setup
from ui.still import frames_of, still_scene

STILLS = Path("sample_footage/stills")
NONE = "none"
KINDS = ("card", "coin", "die", "match", "soldier", "base", "terrain")
ANGLES_DEG, WIDTHS_PX = (89.0, 75.0, 60.0, 45.0, 30.0), (1280, 960, 640)


@dataclass(frozen=True)
class Row:
    """What one spoilt picture gave: its scores by kind.

    said  what the scene says is wrong with the picture, or why it could not be measured at all
    """

    picture: str
    corruption: str
    strength: float
    said: tuple[str, ...]
    kinds: dict[str, KindScore]

    def line(self) -> str:
        """The row as a line of JSON."""
        kinds = {name: {**kind.document(), "errors_mm": kind.errors_mm} for name, kind in self.kinds.items()}
        return json.dumps({**self.__dict__, "kinds": kinds}) + "\n"


@dataclass
class Tally:
    """Counts of some kinds, over pictures spoilt in one way.

    said  pictures of which the scene says what is wrong, or that could not be measured at all
    """

    pictures: int = 0
    said: int = 0
    known: int = 0
    found: int = 0
    false: int = 0
    names: Answers = field(default_factory=Answers)
    errors_mm: list[float] = field(default_factory=list)
    covered: list[bool] = field(default_factory=list)

    def add(self, row: Row, kinds: frozenset[str]) -> None:
        """Count what one picture gave, of all kinds if none is named."""
        self.pictures += 1
        self.said += bool(row.said)
        for kind in (kind for name, kind in row.kinds.items() if not kinds or name in kinds):
            self.known += kind.known
            self.found += kind.found
            self.false += kind.false
            self.names.right += kind.cls.right
            self.names.wrong += kind.cls.wrong
            self.names.unknown += kind.cls.unknown
            self.errors_mm += kind.errors_mm
            self.covered += kind.covered


def looked(picture: Picture, image_bgr: Levels, corruption: str, strength: float) -> Row:
    """One picture through the way of `sandtable scene`."""
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
    return Row(picture.path.stem, corruption, strength, said, dict(score.kinds))


def rows_of(pictures: Iterable[Picture], only: Sequence[str]) -> Iterator[Row]:
    """Every picture as it is and spoilt in the named ways."""
    for picture in pictures:
        image = np.asarray(cv2.imread(str(picture.path)), np.uint8)
        yield looked(picture, image, NONE, 0.0)
        for name, (spoil, strengths) in ((name, CORRUPTIONS[name]) for name in only):
            for strength in strengths:
                rng = np.random.default_rng([SEED, *map(ord, picture.path.stem)])
                yield looked(picture, spoil(image, strength, rng), name, strength)


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


def tallied(rows: Iterable[Row], kinds: frozenset[str]) -> dict[tuple[str, float], Tally]:
    """Tallies over all pictures, by what spoilt them and how strongly."""
    tallies: dict[tuple[str, float], Tally] = defaultdict(Tally)
    for row in rows:
        tallies[row.corruption, row.strength].add(row, kinds)
    return tallies


def lost(rows: list[Row], corruption: str, strength: float, kinds: frozenset[str]) -> tuple[float, float]:
    """Points of found and of right that the pictures lost which say nothing."""
    silent = [row for row in rows if (row.corruption, row.strength) == (corruption, strength) and not row.said]
    names = {row.picture for row in silent}
    after, before = Tally(), Tally()
    for row in silent:
        after.add(row, kinds)
    for row in (row for row in rows if row.corruption == NONE and row.picture in names):
        before.add(row, kinds)
    points = 100 / max(before.known, 1)
    return points * (before.found - after.found), points * (before.names.right - after.names.right)


def report(rows: list[Row], kinds: frozenset[str] = frozenset()) -> None:
    """Print what each way of spoiling costs, of all kinds if none is named."""
    print(
        f"{'':14}{'pictures':>9}{'told':>6}{'known':>6}{'found%':>8}{'false':>7}{'right%':>8}{'unkn.%':>8}{'wrong%':>8}"
        f"{'mm':>7}{'p95':>7}{'holds%':>8}{'lost: found':>13}{'right':>7}"
    )
    for (name, strength), tally in tallied(rows, kinds).items():
        median, p95 = np.quantile(tally.errors_mm, (0.5, 0.95)) if tally.errors_mm else (np.nan, np.nan)
        holds = 100 * np.mean(tally.covered) if tally.covered else np.nan
        points = lost(rows, name, strength, kinds)
        names = tally.names
        shares = [100 * said / max(names.asked, 1) for said in (names.right, names.unknown, names.wrong)]
        print(
            f"{name:8}{strength:6.4g}{tally.pictures:9d}{tally.said:6d}{tally.known:6d}"
            f"{100 * tally.found / max(tally.known, 1):8.1f}{tally.false:7d}"
            f"{shares[0]:8.1f}{shares[1]:8.1f}{shares[2]:8.1f}"
            f"{median:7.2f}{p95:7.2f}{holds:8.1f}{points[0]:13.1f}{points[1]:7.1f}"
        )


def pictures_of(spec: str, every: int) -> list[Picture]:
    """The pictures of FOLDER or FOLDER:SPLIT that have something to find, every so many of them."""
    folder, _, split = spec.partition(":")
    return [picture for picture in pictures_in(Path(folder), split or None) if picture.known][::every]


def main() -> None:
    """Spoil the pictures, look at each and print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folders", nargs="*", help="sample_footage/stills, if none is named")
    options.add_argument("--every", type=int, default=1, help="only every so many pictures")
    options.add_argument("--rendered", type=int, default=0, help="so many stills at each angle and distance")
    options.add_argument("--rows", type=Path, help="one line a picture, for other sums")
    options.add_argument("--only", nargs="+", choices=sorted(CORRUPTIONS), default=list(CORRUPTIONS))
    options.add_argument("--kinds", nargs="+", choices=KINDS, default=[])
    options.add_argument("--apart", action="store_true", help="a table for each of the kinds")
    given = options.parse_args()
    for spec in given.folders or ([] if given.rendered else [str(STILLS)]):
        rows = list(rows_of(pictures_of(spec, given.every), given.only))
        for kinds in [[kind] for kind in given.kinds] if given.apart else [given.kinds]:
            print(spec, *kinds)
            report(rows, frozenset(kinds))
        if given.rows:
            with given.rows.open("a", encoding="utf-8") as file:
                file.writelines(row.line() for row in rows)
    if given.rendered:
        print("rendered")
        report(list(rendered_rows(given.rendered)))


if __name__ == "__main__":
    main()

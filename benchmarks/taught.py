"""How surely pieces are known again that were taught from one or two pictures, and what else is called by their names.

    .venv/bin/python -m benchmarks.taught FOLDER [--photos 2] [--each]

FOLDER: what `python -m sample_footage.taught_pictures --out FOLDER --seed 18` wrote. Each piece is taught by itself, as
`sandtable enrol` does, and looked for as `sandtable scene` does. Told by look: taught pieces that are named, and other
pieces that bear the name (at most 0.5 %); last, those that the eyes name without having been taught anything, and named
wrongly once they were.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.arguments import existing
from calibration.plane import TablePlane
from rules.scene import UNKNOWN, Kind
from ui.eyes import packaged_eyes
from ui.measuring.measured import measured_plane, mended
from ui.setup.enrolling import samples_in
from ui.setup.setup_file import SetupFile, read_setup
from vision.detection import Detection
from vision.frame import Frame
from vision.stream.picture import read_picture
from vision.taught.enrol import Enrolled, learned
from vision.taught.recognise import Recogniser
from vision.taught.sample import Sample, round_pieces

Look = tuple[Detection, ...]

# A detection this near is of the piece that is there.
SAME_MM = 12.0
# Pieces of one class and colour whose widths differ by less are the same to anybody.
ALIKE_MM = 0.5


@dataclass(frozen=True)
class There:
    """A piece on the table: its taught name if it has one, its class and colour, its width and its place.

    A coin of no currency has the class whose relief it bears, and another width.
    """

    name: str
    cls: str
    colour: str
    width_mm: float
    at_mm: tuple[float, float]

    def is_like(self, other: There) -> bool:
        """Whether both are pieces of one kind."""
        alike = (self.cls, self.colour) == (other.cls, other.colour)
        return alike and abs(self.width_mm - other.width_mm) < ALIKE_MM


@dataclass
class Tally:
    """Counts of one look, or of all."""

    counts: Counter[str] = field(default_factory=Counter)

    def line(self, name: str) -> str:
        """One row of the table."""
        c = self.counts
        share = {key: 100 * c[key] / max(c[of], 1) for key, of in (("named", "taught"), ("wrong", "others"))}
        became = " ".join(f"{c[key]:6d}" for key in ("unknown", "other", "unseen", "others"))
        return (
            f"{name:12} {c['taught']:6d} {share['named']:6.1f} {became} {c['wrong']:5d} {share['wrong']:6.2f}"
            f" {c['lost']:5d}"
        )


def there(picture: Path) -> list[There]:
    """What the truth beside a picture tells."""
    document = json.loads(picture.with_suffix(".truth.geojson").read_text(encoding="utf-8"))
    return [_there(row) for row in document["features"]]


def _there(row: Any) -> There:
    told, across = row["properties"], [x for x, _ in row["geometry"]["coordinates"][0]]
    at_mm = tuple(told["position_mm"])
    return There(row["id"].split(".")[0], told["class"], told["owner"], max(across) - min(across), at_mm)


class Table:
    """One folder's pictures: what is taught there, and the eyes' own looks, which are the same for every piece."""

    def __init__(self, folder: Path, kind: Kind, photos: int) -> None:
        self.folder, self.kind, self.photos = folder, kind, photos

    @property
    def pictures(self) -> list[Path]:
        """Those in which the pieces are looked for."""
        return sorted(self.folder.glob("seen-*.jpg"))

    def taught(self) -> Iterator[tuple[str, Enrolled | str]]:
        """Each piece as it was learned, or why it was not."""
        for name in sorted({path.stem.split("-", 1)[1].rsplit("-", 1)[0] for path in self.folder.glob("taught-*.jpg")}):
            shown = sorted(self.folder.glob(f"taught-{name}-*.jpg"))[: self.photos]
            try:
                yield name, learned(name, [samples_in(path, _setup(path), self.kind) for path in shown], self.kind)
            except ValueError as error:
                yield name, str(error)

    def looks(self, known: tuple[Enrolled, ...]) -> Iterator[tuple[Path, Look, Look]]:
        """Each picture with what the eyes see, and with what they see once they were taught."""
        for path in self.pictures:
            frame, plane, plain, rounds = _looked_at(path, self.kind)
            eyes = packaged_eyes(_setup(path).rules, frozenset((self.kind,)))
            yield path, plain, Recogniser(eyes, known, eyes.coin_view).named(plain, frame, plane, rounds)


def _setup(picture: Path) -> SetupFile:
    return read_setup(picture.with_suffix(".setup.toml"))


@cache
def _looked_at(path: Path, kind: Kind) -> tuple[Frame, TablePlane, Look, list[Sample]]:
    setup, taken = _setup(path), read_picture(path)
    plane = measured_plane(setup, taken)
    frame = mended(setup, taken, plane)
    eyes = packaged_eyes(setup.rules, frozenset((kind,)))
    seen = eyes.look(frame, plane)
    rounds = round_pieces(frame, plane, eyes.coin_view(frame, plane)) if kind == "coin" else []
    return frame, plane, seen, rounds


def count(tally: Tally, name: str, pieces: list[There], plain: Look, seen: Look) -> None:
    """What became of each piece of one picture when `name` was taught."""
    taught = next(piece for piece in pieces if piece.name == name)
    for piece in pieces:
        before, after = (_at(piece, found) for found in (plain, seen))
        if piece.name == name:
            tally.counts["taught"] += 1
            tally.counts["named"] += after == name
            tally.counts["unknown"] += after == UNKNOWN
            tally.counts["other"] += after not in (name, UNKNOWN, "")
            tally.counts["unseen"] += after == ""
        elif not piece.is_like(taught):
            tally.counts["others"] += 1
            tally.counts["wrong"] += after == name
            tally.counts["lost"] += before == piece.cls != after
    strays = [one for one in seen if one.cls == name and not any(_is_at(piece, one) for piece in pieces)]
    tally.counts["wrong"] += len(strays)


def _at(piece: There, found: Look) -> str:
    near = [one for one in found if _is_at(piece, one)]
    return min(near, key=lambda one: float(np.hypot(*np.subtract(one.position_mm, piece.at_mm)))).cls if near else ""


def _is_at(piece: There, one: Detection) -> bool:
    return float(np.hypot(*np.subtract(one.position_mm, piece.at_mm))) < SAME_MM


def main() -> None:
    """Teach and look, and print a line for each look."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=existing)
    options.add_argument("--photos", type=int, default=2, help="of each piece")
    options.add_argument("--each", action="store_true", help="every wrong name, too")
    given = options.parse_args()
    tallies: defaultdict[str, Tally] = defaultdict(Tally)
    for folder in sorted(path for path in given.folder.iterdir() if path.is_dir()):
        table = Table(folder, "card" if folder.name.startswith("cards") else "coin", given.photos)
        for name, known in table.taught():
            if isinstance(known, str):
                print(f"{folder.name} {name}: {known}")
                tallies["all"].counts["refused"] += 1
                continue
            for path, plain, seen in table.looks((known,)):
                pieces, look = there(path), path.stem.removeprefix("seen-")
                for tally in (tallies[look], tallies["all"]):
                    count(tally, name, pieces, plain, seen)
                if given.each:
                    called = [(piece, _at(piece, seen)) for piece in pieces]
                    said = ", ".join(f"{p.cls} {by}" for p, by in called if name in (p.name, by))
                    print(f"{folder.name} {look} {name}: {said}")
    print("look         taught named% unknwn  other unseen others wrong wrong%  lost")
    for look in sorted(tallies, key=lambda look: (look == "all", look)):
        print(tallies[look].line(look))
    print(f"refused: {tallies['all'].counts['refused']}")


if __name__ == "__main__":
    main()

"""The pieces in a photo that somebody teaches from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rules.scene import Kind
    from ui.setup_file import SetupFile
    from vision.sample import Sample


class Taught(NamedTuple):
    """What a photo shows to learn from, and what is wrong with it, a sentence each."""

    samples: list[Sample]
    notes: tuple[str, ...]


def samples_in(photo: Path, setup: SetupFile | None, kind: Kind) -> list[Sample]:
    """The pieces of that kind in the photo, on the playing area where the set-up tells it."""
    return taught_in(photo, setup, kind).samples


def taught_in(photo: Path, setup: SetupFile | None, kind: Kind) -> Taught:
    """The same, and what spoils the photo: a piece that is learned blurred is hardly known again."""
    from ui.eyes import asked_for, packaged_eyes
    from ui.measured import faults_in, measured_plane, mended
    from vision.picture import read_picture
    from vision.sample import plain_pieces, sample_of

    taken = read_picture(photo)
    plane = measured_plane(setup, taken)
    frame = mended(setup, taken, plane)
    rules = setup.rules if setup is not None else None
    kinds = asked_for(kind, rules)
    eyes = packaged_eyes(rules, kinds)
    if kind == "coin":
        seen = plain_pieces(frame, plane, eyes.coin_view(frame, plane))
    else:
        seen = [sample_of(frame, plane, one) for one in eyes.look(frame, plane) if one.kind in kinds]
    there = [sample for sample in seen if setup is None or _lies_on(setup.rules.table_size_mm, sample.position_mm)]
    return Taught(there, faults_in(setup, taken, plane))


def _lies_on(table_size_mm: tuple[float, float], at_mm: tuple[float, float]) -> bool:
    """Whether it is in play: what lies beside the playing area is not meant, and no other piece that is in the way."""
    return all(0 <= place <= side for place, side in zip(at_mm, table_size_mm, strict=True))

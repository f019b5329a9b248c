"""The pieces in a photo that somebody teaches from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.scene import Kind
    from ui.setup_file import SetupFile
    from vision.sample import Sample


def samples_in(photo: Path, setup: SetupFile | None, kind: Kind) -> list[Sample]:
    """The pieces of that kind in the photo, on the playing area where the set-up tells it."""
    from ui.eyes import asked_for, packaged_eyes
    from ui.measured import measured_plane, mended
    from vision.picture import read_picture
    from vision.sample import PLAIN_SUPPORT, round_pieces, sample_of

    taken = read_picture(photo)
    plane = measured_plane(setup, taken)
    frame = mended(setup, taken, plane)
    rules = setup.rules if setup is not None else None
    kinds = asked_for(kind, rules)
    eyes = packaged_eyes(rules, kinds)
    if kind == "coin":
        seen = round_pieces(frame, plane, eyes.coin_view(frame, plane), PLAIN_SUPPORT)
    else:
        seen = [sample_of(frame, plane, one) for one in eyes.look(frame, plane) if one.kind in kinds]
    return [sample for sample in seen if setup is None or _lies_on(setup.rules.table_size_mm, sample.position_mm)]


def _lies_on(table_size_mm: tuple[float, float], at_mm: tuple[float, float]) -> bool:
    """Whether it is in play: what lies beside the playing area is not meant, and no other piece that is in the way."""
    return all(0 <= place <= side for place, side in zip(at_mm, table_size_mm, strict=True))

"""`sandtable enrol`: teach the eyes the user's own pieces."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ui.results import say
from ui.ruled import PATH, SETUP_OPTION

if TYPE_CHECKING:
    from rules.scene import Kind
    from ui.setup_file import SetupFile
    from vision.enrol import Sample

# Two photos show both faces of a coin; a third would rarely tell more.
_MOST_PHOTOS = 2


@click.command("enrol")
@click.argument("name")
@click.argument("photos", metavar="PHOTO...", type=PATH, nargs=-1, required=True)
@SETUP_OPTION
@click.option("--kind", type=click.Choice(["coin", "card", "soldier"]), default="coin", show_default=True)
def command(*, name: str, photos: tuple[Path, ...], setup_path: Path | None, kind: Kind) -> None:
    """Teach the piece NAME from one or two photos of it alone on the table; it is kept beside the set-up."""
    from ui.enrolled import checked_name, folder_of, write_taught
    from ui.setup_file import read_setup
    from vision.enrol import learned

    if len(photos) > _MOST_PHOTOS:
        raise click.UsageError(f"enrol: {len(photos)} photos; give one or two.")
    setup = read_setup(setup_path) if setup_path is not None else None
    known = learned(checked_name(name), [_samples(photo, setup, kind) for photo in photos])
    folder = folder_of(setup_path)
    write_taught(folder, known)
    say(f"learned {name}: a {kind} {known.size_mm:.1f} mm across, from {len(photos)} photo(s); kept in {folder}")


def _samples(photo: Path, setup: SetupFile | None, kind: Kind) -> list[Sample]:
    """The pieces of that kind in the photo, on the playing area where the set-up tells it."""
    from ui.eyes import packaged_eyes
    from ui.measured import measured_plane, mended
    from vision.enrol import PLAIN_SUPPORT, round_pieces, sample_of
    from vision.picture import read_picture

    taken = read_picture(photo)
    plane = measured_plane(setup, taken)
    frame = mended(setup, taken, plane)
    eyes = packaged_eyes(setup.rules if setup is not None else None, frozenset((kind,)))
    if kind == "coin":
        seen = round_pieces(frame, plane, eyes.coin_view(frame, plane), PLAIN_SUPPORT)
    else:
        seen = [sample_of(frame, plane, one) for one in eyes.look(frame, plane) if one.kind == kind]
    return [sample for sample in seen if setup is None or _lies_on(setup.rules.table_size_mm, sample.position_mm)]


def _lies_on(table_size_mm: tuple[float, float], at_mm: tuple[float, float]) -> bool:
    """Whether it is in play: what lies beside the playing area is not meant, and no other piece that is in the way."""
    return all(0 <= place <= side for place, side in zip(at_mm, table_size_mm, strict=True))
